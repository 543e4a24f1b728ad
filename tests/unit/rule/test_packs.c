/*
 * The shipped packs: every rule fires in one situation and not in another; every requirement and
 * preference is met by one candidate and broken by another.  The table must name every rule.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "unit/rule/packs.h"

#define AZ "provider=azure "
#define A_DATA AZ "volume.role=data volume.name=orders "
#define A_WAL AZ "volume.role=wal volume.name=wal "

static const struct row rows[] = {
	/* placement.json */
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=true disk.sku=temp", RULE_YES,
		RULE_NO, "the log may not be on temp"},
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=true workload.replicated=true",
		RULE_YES, RULE_NO, NULL},
	{"wal-not-ephemeral", "volume.role=wal disk.ephemeral=false", RULE_YES, RULE_YES, NULL},
	{"wal-not-ephemeral", "volume.role=wal", RULE_YES, RULE_UNKNOWN, NULL},
	{"wal-not-ephemeral", "volume.role=temp disk.ephemeral=true", RULE_NO, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=data workload.replicated=false disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=index disk.ephemeral=true", RULE_YES, RULE_NO, NULL},
	{"data-not-ephemeral", "volume.role=data disk.ephemeral=false", RULE_YES, RULE_YES, NULL},
	{"data-not-ephemeral", "volume.role=data workload.replicated=true disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"data-not-ephemeral",
		"volume.role=data workload.engine=postgresql workload.replicated=true "
		"disk.ephemeral=true disk.sku=temp",
		RULE_YES, RULE_NO, "data may not be on temp, which is empty after"},
	{"data-not-ephemeral",
		"volume.role=data workload.engine=cassandra workload.replicated=true "
		"disk.ephemeral=true",
		RULE_NO, RULE_NO, NULL},
	{"data-not-ephemeral",
		"volume.role=data workload.engine=cassandra workload.replicated=false "
		"disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"log-on-data-not-ephemeral",
		"volume.role=data workload.engine=cassandra workload.separate_wal=false "
		"disk.ephemeral=true disk.sku=temp",
		RULE_YES, RULE_NO, "give a wal volume"},
	{"log-on-data-not-ephemeral",
		"volume.role=data workload.engine=cassandra workload.separate_wal=true "
		"disk.ephemeral=true",
		RULE_NO, RULE_NO, NULL},
	{"log-on-data-not-ephemeral",
		"volume.role=data workload.engine=elasticsearch workload.separate_wal=false "
		"disk.ephemeral=true",
		RULE_NO, RULE_NO, NULL},
	{"log-on-data-not-ephemeral", "volume.role=data disk.ephemeral=true", RULE_YES, RULE_NO,
		NULL},
	{"log-on-data-not-ephemeral",
		"volume.role=data workload.separate_wal=false disk.ephemeral=false", RULE_YES,
		RULE_YES, NULL},
	{"backup-not-ephemeral", "volume.role=backup workload.replicated=true disk.ephemeral=true",
		RULE_YES, RULE_NO, NULL},
	{"backup-not-ephemeral", "volume.role=backup disk.ephemeral=false", RULE_YES, RULE_YES,
		NULL},
	{"backup-not-ephemeral", "volume.role=data disk.ephemeral=true", RULE_NO, RULE_NO, NULL},
	{"burst-not-sustained",
		"need.relies_on_burst=true disk.sku=P20 disk.iops=2300 disk.mbps=150 "
		"need.iops=3000 need.mbps=24",
		RULE_YES, RULE_NO,
		"P20 sustains 2,300 IOPS and 150 MB/s; the need of 3,000 IOPS and 24 MB/s"},
	{"burst-not-sustained", "need.relies_on_burst=false", RULE_YES, RULE_YES, NULL},
	{"burst-not-sustained", "", RULE_NO, RULE_UNKNOWN, NULL},
	{"temp-on-local-disk",
		"volume.role=temp machine.sku=m machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=300 disk.ephemeral=false",
		RULE_YES, RULE_NO, "a local disk of 300 GiB"},
	{"temp-on-local-disk",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=100 disk.ephemeral=true",
		RULE_YES, RULE_YES, NULL},
	{"temp-on-local-disk",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=301 disk.ephemeral=true",
		RULE_NO, RULE_YES, NULL},
	{"temp-on-local-disk", "volume.role=temp machine.has_temp=false", RULE_NO, RULE_UNKNOWN,
		NULL},
	{"backup-sequential-class", "volume.role=backup disk.sequential_class=false", RULE_YES,
		RULE_NO, NULL},
	{"backup-sequential-class", "volume.role=backup disk.sequential_class=true", RULE_YES,
		RULE_YES, NULL},
	{"backup-sequential-class", "volume.role=wal disk.sequential_class=true", RULE_NO, RULE_YES,
		NULL},
	{"separate-wal",
		"volume.role=data volume.name=orders workload.engine=postgresql "
		"workload.separate_wal=false",
		RULE_YES, RULE_YES, "the log shares the orders volume"},
	{"separate-wal", "volume.role=data workload.engine=postgresql workload.separate_wal=true",
		RULE_NO, RULE_YES, NULL},
	{"separate-wal", "volume.role=data workload.engine=generic workload.separate_wal=false",
		RULE_NO, RULE_YES, NULL},
	{"temp-local-too-small",
		"volume.role=temp machine.has_temp=true machine.sku=Standard_E8ds_v5 "
		"machine.temp_gib=300 volume.capacity_gib=400",
		RULE_YES, RULE_YES,
		"Standard_E8ds_v5 has 300 GiB, the temporary data needs 400 GiB"},
	{"temp-local-too-small",
		"volume.role=temp machine.has_temp=true machine.temp_gib=300 "
		"volume.capacity_gib=300",
		RULE_NO, RULE_YES, NULL},
	/* reference case A1: E8ds_v5 lets 12,800 IOPS and 290 MB/s through, not 160,000 */
	{"vm-cap-below-disks-iops",
		"machine.sku=Standard_E8ds_v5 machine.bought_iops=160000 "
		"machine.remote_iops=12800",
		RULE_YES, RULE_YES,
		"160,000 IOPS together, Standard_E8ds_v5 lets 12,800 IOPS through"},
	{"vm-cap-below-disks-iops", "machine.bought_iops=12800 machine.remote_iops=12800", RULE_NO,
		RULE_YES, NULL},
	{"vm-cap-below-disks-iops", "machine.bought_iops=160000", RULE_UNKNOWN, RULE_YES, NULL},
	{"vm-cap-below-disks-mbps",
		"machine.sku=Standard_E8ds_v5 machine.bought_mbps=400 machine.remote_mbps=290",
		RULE_YES, RULE_YES, "400 MB/s together, Standard_E8ds_v5 lets 290 MB/s through"},
	{"vm-cap-below-disks-mbps", "machine.bought_mbps=200 machine.remote_mbps=290", RULE_NO,
		RULE_YES, NULL},
	{"vm-cap-below-need-iops",
		"machine.sku=m machine.need_iops=28750 machine.remote_iops=25600", RULE_YES,
		RULE_YES, "need 28,750 IOPS"},
	{"vm-cap-below-need-iops", "machine.need_iops=28750 machine.remote_iops=51200", RULE_NO,
		RULE_YES, NULL},
	{"vm-cap-below-need-mbps", "machine.sku=m machine.need_mbps=291 machine.remote_mbps=290",
		RULE_YES, RULE_YES, "need 291 MB/s"},
	{"vm-cap-below-need-mbps", "machine.need_mbps=290 machine.remote_mbps=290", RULE_NO,
		RULE_YES, NULL},
	/* 2,500 GiB on Premium SSD are billed as 4,096: 39 % empty */
	{"round-up-waste",
		"volume.name=data disk.sku=P50 disk.size_gib=2500 disk.billed_gib=4096 "
		"disk.waste_frac=0.38965",
		RULE_YES, RULE_YES, "P50 is billed as 4,096 GiB for 2,500 GiB: 39 % of the size"},
	{"round-up-waste", "disk.waste_frac=0.2", RULE_NO, RULE_YES, NULL},
	{"not-storage-bound", "predicted.fast_disk_gain_frac=0.021 predicted.max_tps=3000",
		RULE_YES, RULE_YES, "would add only 2.1 % to the 3,000 transactions/s"},
	{"not-storage-bound", "predicted.fast_disk_gain_frac=0.05", RULE_NO, RULE_YES, NULL},
	{"replication-lag-risk",
		"workload.replicated=true sla.rpo_ms=100 predicted.flush_mean_ms=3", RULE_YES,
		RULE_YES, "one log flush takes 3 ms"},
	{"replication-lag-risk",
		"workload.replicated=true sla.rpo_ms=100 predicted.flush_mean_ms=0.25", RULE_NO,
		RULE_YES, NULL},
	{"replication-lag-risk", "workload.replicated=true predicted.flush_mean_ms=3", RULE_UNKNOWN,
		RULE_YES, NULL},
	{"latency-not-measured",
		"latency.trust=published disk.sku=P30 volume.role=data volume.name=orders",
		RULE_YES, RULE_YES, "recommend --profile P30=P30.json"},
	{"latency-not-measured", "latency.trust=assumed", RULE_YES, RULE_YES, NULL},
	{"latency-not-measured", "latency.trust=measured", RULE_NO, RULE_YES, NULL},
	{"latency-not-measured", "latency.trust=imported", RULE_NO, RULE_YES, NULL},
	{"price-stale", "price.age_days=100", RULE_YES, RULE_YES, "100 days old: compare it"},
	{"price-stale", "price.age_days=90", RULE_NO, RULE_YES, NULL},
	{"bill-incomplete", "bill.complete=false", RULE_YES, RULE_YES, "at least"},
	{"bill-incomplete", "bill.complete=true", RULE_NO, RULE_YES, NULL},

	/* azure.json */
	{"azure-wal-cache-off", A_WAL "disk.host_cache=ReadOnly", RULE_YES, RULE_NO,
		"host cache ReadOnly on the log"},
	{"azure-wal-cache-off", A_WAL "disk.host_cache=ReadWrite", RULE_YES, RULE_NO, NULL},
	{"azure-wal-cache-off", A_WAL "disk.host_cache=None", RULE_YES, RULE_YES, NULL},
	{"azure-wal-cache-off", A_WAL, RULE_NO, RULE_UNKNOWN, NULL},
	{"azure-wal-cache-off", "provider=aws volume.role=wal disk.host_cache=None", RULE_NO,
		RULE_YES, NULL},
	{"azure-wal-cache-none", A_WAL "disk.ephemeral=false", RULE_YES, RULE_YES,
		"wal: host cache None"},
	{"azure-wal-cache-none", A_DATA "disk.ephemeral=false", RULE_NO, RULE_YES, NULL},
	{"azure-no-write-cache", A_DATA "disk.host_cache=ReadWrite", RULE_YES, RULE_NO,
		"host cache ReadWrite on data"},
	{"azure-no-write-cache", A_DATA "disk.host_cache=ReadOnly", RULE_YES, RULE_YES, NULL},
	{"azure-no-write-cache", A_DATA "disk.host_cache=None", RULE_YES, RULE_YES, NULL},
	{"azure-no-write-cache", AZ "volume.role=temp disk.host_cache=ReadWrite", RULE_NO, RULE_NO,
		NULL},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=premium_ssd disk.sku=P50 "
		       "disk.size_gib=4095",
		RULE_YES, RULE_YES, "host cache ReadOnly on each P50"},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=premium_ssd disk.size_gib=4096",
		RULE_NO, RULE_YES, NULL},
	{"azure-data-cache-readonly",
		A_DATA "disk.host_cache_allowed=true disk.family=ultra_disk disk.size_gib=64",
		RULE_NO, RULE_YES, NULL},
	{"azure-data-cache-readonly",
		A_WAL "disk.host_cache_allowed=true disk.family=premium_ssd disk.size_gib=64",
		RULE_NO, RULE_YES, NULL},
	{"azure-temp-cache-readonly",
		AZ "volume.role=temp disk.ephemeral=false disk.host_cache_allowed=true", RULE_YES,
		RULE_YES, NULL},
	{"azure-temp-cache-readonly", AZ "volume.role=temp disk.ephemeral=true", RULE_NO, RULE_YES,
		NULL},
	{"azure-uncached-tier",
		A_DATA "disk.ephemeral=false disk.host_cache_allowed=false disk.sku=UltraSSD_LRS",
		RULE_YES, RULE_YES, "UltraSSD_LRS cannot be cached"},
	{"azure-uncached-tier", A_DATA "disk.ephemeral=false disk.host_cache_allowed=true", RULE_NO,
		RULE_YES, NULL},
	{"azure-data-cacheable-size",
		A_DATA "disk.family=premium_ssd disk.sku=P60 disk.size_gib=8192", RULE_YES, RULE_NO,
		"8,192 GiB loses the host cache"},
	{"azure-data-cacheable-size", A_DATA "disk.family=premium_ssd disk.size_gib=2048", RULE_YES,
		RULE_YES, NULL},
	{"azure-data-cacheable-size", A_DATA "disk.family=ultra_disk disk.size_gib=8192", RULE_NO,
		RULE_NO, NULL},
	{"azure-standard-not-production", A_WAL "disk.ephemeral=false disk.family=standard_ssd",
		RULE_YES, RULE_NO, "standard_ssd for wal"},
	{"azure-standard-not-production", A_DATA "disk.ephemeral=false disk.family=premium_ssd_v2",
		RULE_YES, RULE_YES, NULL},
	{"azure-standard-not-production",
		AZ "volume.role=backup disk.ephemeral=false disk.family=standard_hdd", RULE_NO,
		RULE_NO, NULL},
	{"azure-standard-chosen", A_DATA "disk.family=standard_hdd disk.sku=S30", RULE_YES,
		RULE_YES, "orders is on S30 (standard_hdd)"},
	{"azure-standard-chosen", A_DATA "disk.family=premium_ssd", RULE_NO, RULE_YES, NULL},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=0.5 disk.family=premium_ssd", RULE_YES,
		RULE_NO, "a commit within 0.5 ms"},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=0.5 disk.family=ultra_disk", RULE_YES,
		RULE_YES, NULL},
	{"azure-sub-ms-commit", A_WAL "sla.commit_p99_ms=2 disk.family=premium_ssd", RULE_NO,
		RULE_NO, NULL},
	{"azure-backup-standard-hdd", AZ "volume.role=backup disk.family=standard_ssd", RULE_YES,
		RULE_NO, "backup on standard_ssd: the provider names the hard-disk tier"},
	{"azure-backup-standard-hdd", AZ "volume.role=backup disk.family=standard_hdd", RULE_YES,
		RULE_YES, NULL},
	{"azure-backup-standard-hdd", A_DATA "disk.family=standard_hdd", RULE_NO, RULE_YES, NULL},
	{"azure-v2-cheaper",
		A_DATA "disk.family=premium_ssd disk.sku=P30 currency=USD disk.monthly=148.68 "
		       "v2.same_need_monthly=92.5",
		RULE_YES, RULE_YES, "costs 92.50 USD a month, P30 costs 148.68 USD a month"},
	{"azure-v2-cheaper",
		A_DATA "disk.family=premium_ssd disk.monthly=148.68 v2.same_need_monthly=148.68",
		RULE_NO, RULE_YES, NULL},
	{"azure-v2-cheaper", A_DATA "disk.family=premium_ssd disk.monthly=148.68", RULE_UNKNOWN,
		RULE_YES, NULL},
	{"azure-zrs-write-latency", A_WAL "disk.redundancy=ZRS", RULE_YES, RULE_YES,
		"zone-redundant"},
	{"azure-zrs-write-latency", A_WAL "disk.redundancy=LRS", RULE_NO, RULE_YES, NULL},
	{"azure-performance-plus", A_DATA "disk.family=premium_ssd disk.size_gib=513 disk.sku=P30",
		RULE_YES, RULE_YES, "create P30 with performance plus"},
	{"azure-performance-plus", A_DATA "disk.family=premium_ssd disk.size_gib=512", RULE_NO,
		RULE_YES, NULL},
	{"azure-burst-on-demand", A_DATA "disk.bursts_on_demand=true disk.sku=P30", RULE_YES,
		RULE_YES, "switch bursting on demand on for P30"},
	{"azure-burst-on-demand", A_DATA "disk.bursts_on_demand=false disk.sku=P30", RULE_NO,
		RULE_YES, NULL},
	{"azure-performance-tier", A_DATA "disk.sku=P20 disk.raised_to=P30", RULE_YES, RULE_YES,
		"raise P20 to the performance tier P30"},
	{"azure-performance-tier", A_DATA "disk.sku=P20", RULE_NO, RULE_YES, NULL},
	{"azure-zonal-tier", A_DATA "disk.family=ultra_disk disk.sku=UltraSSD_LRS", RULE_YES,
		RULE_YES, "the machine offers UltraSSD_LRS"},
	{"azure-zonal-tier", A_DATA "disk.family=premium_ssd", RULE_NO, RULE_YES, NULL},
	{"azure-stripe-unit", A_DATA "disk.count=4", RULE_YES, RULE_YES,
		"Storage Spaces stripes the 4 disks"},
	{"azure-stripe-unit", A_DATA "disk.count=1", RULE_NO, RULE_YES, NULL},
	{"azure-oracle-sector", A_DATA "workload.engine=oracle disk.family=ultra_disk", RULE_YES,
		RULE_YES, NULL},
	{"azure-oracle-sector", A_DATA "workload.engine=postgresql disk.family=ultra_disk", RULE_NO,
		RULE_YES, NULL},
};
/* placement.json and azure.json */
static const struct rows packs_core = {rows, sizeof(rows) / sizeof(rows[0])};

static const struct rows *const tables[] = {&packs_core, &packs_engines, &packs_migration,
	&packs_money, &packs_settings, &packs_diagnosis};
enum { N_TABLES = sizeof(tables) / sizeof(tables[0]) };

static void
set_fact(struct rule_context *c, const char *name, const char *value)
{
	const struct rule_fact *f = rule_fact_find(name);
	if (!f)
		fail_msg("no fact \"%s\"", name);
	else if (f->type == RULE_NUMBER)
		rule_set_number(c, name, strtod(value, NULL));
	else if (f->type == RULE_FLAG)
		rule_set_flag(c, name, strcmp(value, "true") == 0);
	else
		rule_set_text(c, name, value);
}

static void
set_facts(struct rule_context *c, struct arena *a, const char *facts)
{
	char *next, *text = arena_strdup(a, facts);
	rule_context_clear(c);
	for (char *word = strtok_r(text, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
		char *equals = strchr(word, '=');
		assert_non_null(equals);
		*equals = '\0';
		set_fact(c, word, equals + 1);
	}
}

struct setup {
	struct arena arena;
	struct rule_pack pack;
	const char *folder;
};

static int
load(void **state)
{
	static struct setup s;
	struct err err = {0};
	const char *dir = getenv("TIERWISE_DATA_DIR");
	if (!dir)
		dir = getenv("TIERWISE_SOURCE");
	arena_init(&s.arena, 0);
	rule_pack_init(&s.pack, &s.arena);
	s.folder = arena_printf(&s.arena, "%s/rules", dir ? dir : ".");
	if (rule_pack_load_folder(&s.pack, s.folder, &err)) {
		print_error("%s\n", err.text);
		return -1;
	}
	*state = &s;
	return 0;
}

static int
unload(void **state)
{
	arena_fini(&((struct setup *)*state)->arena);
	return 0;
}

static void
check_row(struct setup *s, struct rule_context *c, const struct row *row)
{
	const struct rule *rule = rule_find(&s->pack, row->id);
	struct buf text;
	if (!rule)
		fail_msg("no rule \"%s\"", row->id);
	set_facts(c, &s->arena, row->facts);
	if (rule_applies(rule, c) != row->applies || rule_holds(rule, c) != row->holds)
		fail_msg("%s with %s: applies %d, holds %d", row->id, row->facts,
			rule_applies(rule, c), rule_holds(rule, c));
	buf_init(&text, 0);
	rule_text(rule, c, &text);
	if (row->says && !strstr(buf_text(&text), row->says))
		fail_msg("%s: \"%s\"", row->id, buf_text(&text));
	/* rows with `says` are whole situations: a text that is shown has its values */
	if (row->says && strstr(buf_text(&text), "unknown"))
		fail_msg("%s: \"%s\"", row->id, buf_text(&text));
	buf_fini(&text);
}

static void
test_rows(void **state)
{
	struct setup *s = *state;
	struct rule_context c;
	assert_int_equal(rule_context_init(&c, &s->arena, NULL), 0);
	for (size_t t = 0; t < N_TABLES; t++) {
		for (size_t i = 0; i < tables[t]->n; i++)
			check_row(s, &c, &tables[t]->rows[i]);
	}
}

static bool
is_case(const struct row *row, const char *id, enum rule_answer applies, int holds)
{
	bool fires = row->applies == RULE_YES;
	return strcmp(row->id, id) == 0 && fires == (applies == RULE_YES) &&
	       (holds < 0 || (int)row->holds == holds);
}

static bool
has_row(const char *id, enum rule_answer applies, int holds)
{
	for (size_t t = 0; t < N_TABLES; t++) {
		for (size_t i = 0; i < tables[t]->n; i++) {
			if (is_case(&tables[t]->rows[i], id, applies, holds))
				return true;
		}
	}
	return false;
}

static void
test_coverage(void **state)
{
	const struct setup *s = *state;
	assert_true(s->pack.n >= 100);
	for (size_t i = 0; i < s->pack.n; i++) {
		const struct rule *r = &s->pack.rules[i];
		if (!has_row(r->id, RULE_YES, -1))
			fail_msg("no row in which %s fires", r->id);
		if (r->when && !has_row(r->id, RULE_NO, -1))
			fail_msg("no row in which %s does not fire", r->id);
		if (r->then &&
			(!has_row(r->id, RULE_YES, RULE_NO) || !has_row(r->id, RULE_YES, RULE_YES)))
			fail_msg("%s needs a row that breaks it and one that meets it", r->id);
	}
}

static void
test_shape(void **state)
{
	const struct setup *s = *state;
	/* the seven items of reference case A4 */
	static const char *const items[] = {"migration-baseline", "migration-separate-wal",
		"migration-wal-writer-delay", "migration-sync-state", "migration-load-test-backup",
		"migration-alert-thresholds", "migration-rollback"};
	assert_int_equal(s->pack.n_files,
		19); /* placement, money, measurement, settings, migration, diagnosis, 3 providers, 10 engines */
	for (size_t i = 0; i < s->pack.n; i++) {
		const struct rule *r = &s->pack.rules[i];
		bool condition = r->kind == RULE_REQUIRE || r->kind == RULE_PREFER;
		assert_true(condition == (r->then != NULL));
		assert_true(condition || r->text);
	}
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		const struct rule *r = rule_find(&s->pack, items[i]);
		assert_true(r && r->kind == RULE_CHECKLIST);
	}
	const struct rule *cache = rule_find(&s->pack, "azure-wal-cache-none");
	assert_string_equal(cache->set, "disk.host_cache");
	assert_string_equal(cache->to, "None");
	/* the same for the whole plan, so said once */
	assert_false(rule_find(&s->pack, "price-stale")->per_volume);
	assert_true(rule_find(&s->pack, "latency-not-measured")->per_volume);
}

/*
 * recommend loads the pack by the engine's name, so each has one and speaks of that engine only.
 * RocksDB is a library: its settings are those of the program around it.
 */
static void
test_engine_packs(void **state)
{
	struct setup *s = *state;
	const struct names *engines = rule_fact_find("workload.engine")->words;
	for (int i = 0; i < engines->count; i++) {
		const char *name = engines->text[i];
		const char *file = arena_printf(&s->arena, "engine-%s.json", name);
		const char *prefix = arena_printf(&s->arena, "%s-", name);
		const char *when = arena_printf(&s->arena, "workload.engine is %s", name);
		size_t n = 0;
		for (size_t j = 0; j < s->pack.n; j++) {
			const struct rule *r = &s->pack.rules[j];
			if (strcmp(r->pack, file) != 0)
				continue;
			n++;
			assert_int_equal(strncmp(r->id, prefix, strlen(prefix)), 0);
			if (!strstr(r->when_text, when))
				fail_msg("%s: applies to %s", r->id, r->when_text);
		}
		bool none = strcmp(name, "generic") == 0 || strcmp(name, "rocksdb") == 0;
		if ((n == 0) != none)
			fail_msg("%s: %zu rules", file, n);
	}
}

/* The manual for authors lists every fact with its unit, every operator and every kind. */
static void
test_readme(void **state)
{
	struct setup *s = *state;
	struct buf text;
	struct err err = {0};
	buf_init(&text, 0);
	if (file_read(arena_printf(&s->arena, "%s/README.md", s->folder), &text, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < rule_n_facts; i++) {
		const struct rule_fact *f = &rule_facts[i];
		static const char *const type[] = {"number", "text", "flag"};
		const char *line = arena_printf(&s->arena, "| `%s` | %s | %s | %s |", f->name,
			type[f->type], f->unit, f->help);
		if (!strstr(buf_text(&text), line))
			fail_msg("README.md lacks: %s", line);
	}
	for (int i = 0; i < rule_kind_names.count; i++)
		assert_non_null(strstr(buf_text(&text), rule_kind_names.text[i]));
	buf_fini(&text);
}

static void
test_folder_errors(void **state)
{
	(void)state;
	struct arena a;
	struct rule_pack pack;
	struct err err = {0};
	arena_init(&a, 0);
	rule_pack_init(&pack, &a);
	assert_int_equal(rule_pack_load_folder(&pack, "/nonexistent/rules", &err), ERR_IO);
	assert_non_null(strstr(err.text, "/nonexistent/rules"));
	assert_int_equal(rule_pack_load_folder(&pack, "/proc/self/fdinfo", &err), ERR_NOT_FOUND);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_engine_packs),
		cmocka_unit_test(test_readme),
		cmocka_unit_test(test_folder_errors),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
