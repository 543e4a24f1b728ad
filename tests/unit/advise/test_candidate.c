/*
 * The configurations a volume could have: that every tier of the shipped limits is among them or said
 * not to be, that what is sized or bought is the least that does, and what the machine's caps see of it.
 * Figures are worked out by hand beside their test.
 */
#include "case.h"

#include "advise/choose.h"
#include "base/rng.h"
#include "base/units.h"

static const char *
source(struct arena *a, const char *relative)
{
	const char *root = getenv("TIERWISE_SOURCE");
	return arena_printf(a, "%s/%s", root ? root : ".", relative);
}

/* One volume of a provider's shipped limits and prices. */
struct shop {
	struct arena arena;
	struct workload workload;
	struct workload_volume volumes[2];
	struct workload_vm vm;
	const char *sizes[1];
	struct engine engine;
	struct limits limits;
	struct price_book book;
	struct advise_input in;
	struct findings findings;
	struct chooser chooser;
	struct err err;
};

static void
shop_open(struct shop *s, const char *limits, const char *prices, const char *machine)
{
	memset(s, 0, sizeof(*s));
	arena_init(&s->arena, 0);
	findings_init(&s->findings, &s->arena);
	char path[64];
	put_text("{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"p\", "
		 "\"region\": \"r\", \"engine\": \"generic\", \"headroom\": 0, \"volumes\": "
		 "[{\"role\": \"data\", \"capacity_gib\": 10, \"read_iops\": 100, "
		 "\"write_iops\": 0, \"io_kib\": 8}]}",
		path);
	int rc = workload_load(path, &s->arena, &s->workload, NULL, &s->err);
	unlink(path);
	rc = rc ? rc : limits_load(source(&s->arena, limits), &s->arena, &s->limits, NULL, &s->err);
	rc = rc ? rc
		: price_book_load(source(&s->arena, prices), &s->arena, &s->book, NULL, &s->err);
	if (rc)
		fail_msg("%s", s->err.text);
	load_engine(&s->workload, &s->arena, &s->engine);
	s->volumes[0] = s->workload.volumes[0];
	s->workload.volumes = s->volumes;
	if (machine) {
		s->sizes[0] = machine;
		s->vm = (struct workload_vm){.sizes = s->sizes, .n_sizes = 1, .count = 1};
		s->workload.vm = &s->vm;
	}
	s->in = (struct advise_input){.workload = &s->workload,
		.engine = &s->engine,
		.book = &s->book,
		.limits = &s->limits,
		.tool = "test",
		.price_age_days = (double)NAN};
}

static void
shop_make(struct shop *s)
{
	findings_init(&s->findings, &s->arena);
	if (chooser_init(&s->chooser, &s->in, &s->arena, &s->findings, &s->err))
		fail_msg("%s", s->err.text);
}

static const struct candidate_list *
list_of(const struct shop *s, size_t v)
{
	return &s->chooser.options[0].lists[v];
}

static const struct candidate *
made_of(const struct candidate_list *l, const char *sku, double disks)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->items[i].disk->sku, sku) == 0 && near_to(l->items[i].disks, disks, 0))
			return &l->items[i];
	}
	return NULL;
}

/* A whole name of the list: "Hyperdisk Balanced" is not "Hyperdisk Balanced High Availability". */
static bool
has_name(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
		if (at > text && at[-1] == ' ' && (at[n] == '\0' || at[n] == ',' || at[n] == ';'))
			return true;
	}
	return false;
}

static bool
is_said(const struct shop *s, const struct disk_limit *d)
{
	const char *title = limits_title(&s->limits, d->family);
	for (size_t i = 0; i < s->findings.n; i++) {
		if (strcmp(s->findings.items[i].code, "tier-not-offered") == 0 &&
			has_name(s->findings.items[i].text, title))
			return true;
	}
	return false;
}

/* Every current row of every provider: a candidate, or a finding that names it with the reason. */
static void
test_no_tier_vanishes(void **state)
{
	(void)state;
	static const struct {
		const char *limits, *prices, *machine;
		size_t said; /* families that cannot be offered */
	} rows[] = {
		{"pricing/limits-azure.json", "pricing/azure-westeurope.json", "Standard_L8s_v3",
			0},
		{"pricing/limits-aws.json", "pricing/aws-us-east-1.json", "i3.2xlarge", 0},
		/* pd-extreme, three Hyperdisks without limits, Local SSD */
		{"pricing/limits-gcp.json", "pricing/gcp-us-central1.json", "n2-highmem-8", 5},
		{"pricing/limits-alibaba.json", "pricing/article-alibaba-2018.json", NULL, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct shop s;
		size_t said = 0;
		shop_open(&s, rows[i].limits, rows[i].prices, rows[i].machine);
		shop_make(&s);
		struct candidate_list all; /* before a stripe has to earn its disks */
		assert_int_equal(
			candidate_generate(&s.chooser.options[0].sites[0], &all, &s.err), 0);
		for (size_t k = 0; k < s.limits.n_disks; k++) {
			const struct disk_limit *d = &s.limits.disks[k];
			if (d->superseded == 1)
				continue;
			/* a local disk carries its machine's name */
			bool made = false;
			for (size_t c = 0; c < all.n; c++)
				made = made ||
				       (d->ephemeral == 1 ? all.items[c].place == PLACE_LOCAL
							  : strcmp(all.items[c].disk->sku,
								    d->sku) == 0);
			if (made == is_said(&s, d))
				fail_msg("%s of %s: %s", d->sku, rows[i].limits,
					made ? "offered and said not to be"
					     : "neither offered nor said not to be");
			said += !made;
		}
		assert_int_equal(said, rows[i].said);
		arena_fini(&s.arena);
	}
}

/* Local disks of Standard_L8s_v3: 80 GiB of temporary disk and 1.92 TB = 1,788.1 GiB of NVMe. */
static void
test_local_disks(void **state)
{
	(void)state;
	struct shop s;
	shop_open(&s, "pricing/limits-azure.json", "pricing/azure-westeurope.json",
		"Standard_L8s_v3");
	s.volumes[0].capacity_gib = 1700;
	shop_make(&s);
	const struct candidate *c = made_of(list_of(&s, 0), "NVMe disks of Standard_L8s_v3", 1);
	assert_non_null(c);
	assert_true(c->nvme && near_to(c->iops, 400000, 0) && near_to(c->mbps, 2000, 0));
	assert_true(near_to(c->monthly, 0, 0));
	assert_null(made_of(list_of(&s, 0), "temporary disk of Standard_L8s_v3", 1));
	double use[CAP_COUNT], cap[CAP_COUNT];
	constraint_machine_use(&s.chooser.options[0].sites[0], c, use);
	constraint_machine_caps(&s.limits, s.chooser.options[0].vm, 0, cap);
	assert_true(near_to(use[CAP_NVME_GIB], 1700, 0) && near_to(use[CAP_NVME_IOPS], 100, 1e-9));
	assert_true(near_to(use[CAP_CACHED_IOPS], 0, 0) && near_to(use[CAP_REMOTE_IOPS], 0, 0));
	assert_true(near_to(cap[CAP_NVME_GIB], 1788.139, 1e-3));
	assert_true(near_to(cap[CAP_TEMP_GIB], 80, 0));
	arena_fini(&s.arena);
}

/* A stripe of more disks than the machine attaches, here 4, breaks vm-disks. */
static void
test_stripes(void **state)
{
	(void)state;
	struct shop s;
	shop_open(&s, "pricing/limits-azure.json", "pricing/azure-westeurope.json", NULL);
	shop_make(&s);
	struct candidate_site site = s.chooser.options[0].sites[0];
	struct candidate_list l;
	assert_int_equal(candidate_generate(&site, &l, &s.err), 0);
	for (size_t n = 1; n <= 8; n++)
		assert_non_null(made_of(&l, "P4", (double)n));
	assert_null(made_of(&l, "P4", 9));
	struct vm_limit small = s.limits.vms[0];
	small.max_data_disks = 4;
	site.vm = &small;
	assert_int_equal(candidate_generate(&site, &l, &s.err), 0);
	assert_non_null(made_of(&l, "P4", 4));
	assert_non_null(made_of(&l, "P4", 5));
	struct rule_context ctx;
	assert_int_equal(rule_context_init(&ctx, &s.arena, &s.err), 0);
	for (size_t i = 0; i < l.n; i++) {
		struct candidate *c = &l.items[i];
		constraint_check_all(&site, c, &ctx);
		bool many = c->place != PLACE_LOCAL && c->disks > 4;
		assert_int_equal((c->broken & CONSTRAINT_BIT(CONSTRAINT_VM_DISKS)) != 0, many);
	}
	/* the larger size has the level for the same price and more space: nothing raised */
	for (size_t i = 0; i < l.n; i++)
		assert_null(l.items[i].raised);
	arena_fini(&s.arena);
}

/* What a bought or sized candidate does, less one step of what was set, is not enough. */
static bool
is_least(const struct shop *s, const struct candidate *c, double need_iops, double need_mbps)
{
	const struct disk_limit *d = c->disk;
	double n = c->disks, data = ceil(s->volumes[0].capacity_gib / n);
	if (isnan(c->bought_iops)) {
		double one_less = c->size_gib - 1;
		return c->size_gib <= fmax(data, isnan(d->size_gib_min) ? 0 : d->size_gib_min) ||
		       n * disk_limit_sustained_iops(d, one_less) < need_iops ||
		       n * disk_limit_sustained_mbps(d, one_less) < need_mbps;
	}
	double floor_iops = disk_limit_least_iops(d, c->size_gib);
	bool iops = !(c->bought_iops > floor_iops) || n * (c->bought_iops - 1) < need_iops ||
		    n * disk_limit_mbps(d, c->bought_iops - 1) < need_mbps;
	double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	bool mbps = d->throughput_billed == 0 || n * (c->bought_mbps - 1) < need_mbps ||
		    !(c->bought_mbps > unit * fmax(d->mbps_base, d->mbps_min) + 1e-9);
	return iops && mbps;
}

/* 400 random demands on each provider. */
static void
test_least_that_meets(void **state)
{
	(void)state;
	static const char *const files[][2] = {
		{"pricing/limits-azure.json", "pricing/azure-westeurope.json"},
		{"pricing/limits-aws.json", "pricing/aws-us-east-1.json"},
		{"pricing/limits-gcp.json", "pricing/gcp-us-central1.json"}};
	struct rng r;
	rng_seed(&r, 7);
	size_t asked = 0;
	for (size_t f = 0; f < 3; f++) {
		struct shop s;
		shop_open(&s, files[f][0], files[f][1], NULL);
		for (size_t i = 0; i < 130; i++) {
			s.volumes[0].capacity_gib = (double)(1 + rng_below(&r, 4000));
			s.volumes[0].read_iops = (double)rng_below(&r, 20000);
			s.volumes[0].write_mbps = (double)rng_below(&r, 400);
			shop_make(&s);
			const struct candidate_list *l = list_of(&s, 0);
			double mbps = s.chooser.set.volumes[0].mbps;
			for (size_t k = 0; k < l->n; k++) {
				const struct candidate *c = &l->items[k];
				bool enough = c->iops >= c->units && c->mbps >= mbps;
				if (c->place == PLACE_LOCAL || !isnan(c->disk->billed_gib) ||
					!enough)
					continue;
				asked++;
				if (!is_least(&s, c, c->units, mbps))
					fail_msg("%s is not the least for %g IOPS and %g MB/s",
						candidate_name(c, &s.arena), c->units, mbps);
			}
		}
		arena_fini(&s.arena);
	}
	print_message("%zu candidates that meet their demand\n", asked);
	assert_true(asked > 1000);
}

/* 500 GiB and 4,000 reads/s on gp2: 3 IOPS a GiB make 1,334 GiB; with 500 GiB it has 1,500. */
static void
test_gp2_is_sized_for_its_rate(void **state)
{
	(void)state;
	struct shop s;
	shop_open(&s, "pricing/limits-aws.json", "pricing/aws-us-east-1.json", NULL);
	s.volumes[0].capacity_gib = 500;
	s.volumes[0].read_iops = 4000;
	shop_make(&s);
	const struct candidate_list *l = list_of(&s, 0);
	bool small = false, large = false;
	for (size_t i = 0; i < l->n; i++) {
		const struct candidate *c = &l->items[i];
		if (strcmp(c->disk->sku, "gp2") != 0 || c->disks > 1)
			continue;
		small = small || (near_to(c->size_gib, 500, 0) && near_to(c->iops, 1500, 1e-9));
		large = large || (near_to(c->size_gib, 1334, 0) && near_to(c->iops, 4002, 1e-9) &&
					 near_to(c->monthly, 133.4, 1e-9) && c->broken == 0);
	}
	assert_true(small && large);
	/* Hyperdisk Extreme wants large machines; nothing else of Google does */
	arena_fini(&s.arena);
	shop_open(&s, "pricing/limits-gcp.json", "pricing/gcp-us-central1.json", "n2-highmem-8");
	shop_make(&s);
	const struct candidate *x = made_of(list_of(&s, 0), "hyperdisk-extreme", 1);
	assert_non_null(x);
	assert_true(x->broken & CONSTRAINT_BIT(CONSTRAINT_MACHINE_TAKES));
	arena_fini(&s.arena);
}

#define W(rest)                                                                                    \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "            \
	"\"region\": \"r\", \"engine\": \"generic\", \"headroom\": 0, " rest "}"
#define L(disks, vms)                                                                              \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "    \
	"\"source\": \"test\", \"disks\": [" disks "], \"vms\": [" vms "]}"
#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"test\", \"trust\": \"published\", \"rows\": [" rows "]}"
#define STEP(sku, lo, hi, iops, more)                                                              \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"size_gib_min\": " lo                       \
	", \"size_gib_max\": " hi ", \"billed_gib\": " hi ", \"iops_base\": " iops                 \
	", \"iops_max\": " iops ", \"mbps_base\": 900, \"mbps_max\": 900, \"ephemeral\": false, "  \
	"\"operations_billed\": false, \"io_unit_kib\": 256" more "}"
#define PRICE(sku, price)                                                                          \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"item\": \"disk\", \"unit\": \"month\", "   \
	"\"price\": " price "}"
#define MACHINE                                                                                    \
	"{\"sku\": \"m\", \"uncached_iops\": 1000, \"uncached_mbps\": 500, \"cached_iops\": "      \
	"5000, \"cached_mbps\": 500, \"max_data_disks\": 1}"

/*
 * S may be cached, L, twice its size and rate, may not.  3,000 reads/s, nine in ten of which the host
 * answers, and 600 writes/s: 900 I/Os reach the disk.  S has 500, and L without a cache asks 3,600 of the
 * machine's 1,000.  S raised to the level of L has 1,000 and costs what L costs.
 */
static void
test_raised_where_the_larger_size_loses_the_cache(void **state)
{
	(void)state;
	static const char limits[] = L(
		STEP("S", "1", "200", "500",
			", \"host_cache\": [\"None\", \"ReadOnly\"], \"performance_tiers\": "
			"[\"L\"]") ", " STEP("L", "201", "400", "1000",
			", \"host_cache\": [\"None\"]"),
		MACHINE);
	static const char *const hits[] = {", \"cache_hit_frac\": 0.9", ""};
	for (size_t i = 0; i < 2; i++) {
		struct scene s;
		char workload[1024];
		snprintf(workload, sizeof(workload),
			W("\"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": \"data\", "
			  "\"capacity_gib\": 100, \"read_iops\": 3000, \"write_iops\": 600, "
			  "\"io_kib\": 8%s}]"),
			hits[i]);
		scene_init(&s, workload, limits, P(PRICE("S", "20") ", " PRICE("L", "40")));
		int rc = scene_solve(&s);
		if (i == 1) { /* nothing is counted on: 3,600 I/Os reach any disk */
			assert_int_equal(rc, ERR_INFEASIBLE);
			scene_fini(&s);
			continue;
		}
		assert_int_equal(rc, 0);
		const struct plan_config *c = volume_of(&s.plan, "data")->chosen;
		assert_string_equal(c->sku, "S");
		assert_string_equal(c->title, "S at the level of a L");
		assert_string_equal(c->host_cache, "ReadOnly");
		assert_true(near_to(c->iops, 1000, 0) && near_to(c->monthly, 40, 0));
		assert_true(near_to(s.plan.bill->total, 40, 0));
		assert_true(near_to(volume_of(&s.plan, "data")->need_iops, 900, 1e-9));
		scene_fini(&s);
	}
}

/* The same disk: what a hit leaves to the uncached caps.  8 KiB are 0.008192 MB. */
static void
test_reads_that_hit_leave_the_disk(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s,
		W("\"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": \"data\", "
		  "\"capacity_gib\": 100, \"read_iops\": 3000, \"write_iops\": 600, \"io_kib\": 8, "
		  "\"cache_hit_frac\": 0.9}]"),
		L(STEP("S", "1", "200", "5000", ", \"host_cache\": [\"None\", \"ReadOnly\"]"),
			MACHINE),
		P(PRICE("S", "20")));
	struct findings f;
	struct chooser c;
	findings_init(&f, &s.arena);
	assert_int_equal(chooser_init(&c, &s.in, &s.arena, &f, &s.err), 0);
	const struct candidate_list *l = &c.options[0].lists[0];
	assert_int_equal(l->n, 2);
	for (size_t i = 0; i < l->n; i++) {
		double use[CAP_COUNT];
		bool cached = candidate_is_cached(&l->items[i]);
		constraint_machine_use(&c.options[0].sites[0], &l->items[i], use);
		/* 600 writes and 300 misses; or all of them */
		double iops = cached ? 900 : 3600;
		assert_true(near_to(use[CAP_UNCACHED_IOPS], iops, 1e-9));
		assert_true(near_to(use[CAP_UNCACHED_MBPS], iops * 0.008192, 1e-9));
		assert_true(near_to(use[CAP_CACHED_IOPS], cached ? 3600 : 0, 1e-9));
		assert_true(near_to(use[CAP_CACHED_MBPS], cached ? 3600 * 0.008192 : 0, 1e-9));
	}
	scene_fini(&s);
}

/* Two volumes on a family whose disks share 1,000 IOPS on a machine, named or not. */
static void
test_a_family_shares_its_cap(void **state)
{
	(void)state;
	static const struct {
		const char *reads;
		int rc;
	} rows[] = {{"500", 0}, {"501", ERR_INFEASIBLE}};
	for (size_t i = 0; i < 2; i++) {
		struct scene s;
		char workload[1024];
		snprintf(workload, sizeof(workload),
			W("\"volumes\": [{\"role\": \"data\", \"capacity_gib\": 400, "
			  "\"read_iops\": "
			  "500, \"write_iops\": 0, \"io_kib\": 8}, {\"role\": \"index\", "
			  "\"capacity_gib\": 400, \"read_iops\": %s, \"write_iops\": 0, "
			  "\"io_kib\": 8}]"),
			rows[i].reads);
		scene_init(&s, workload,
			L("{\"family\": \"pd\", \"sku\": \"pd\", \"iops_max\": 1000, "
			  "\"iops_per_gib\": 3, \"mbps_max\": 100, \"mbps_per_gib\": 0.2, "
			  "\"iops_billed\": false, \"throughput_billed\": false, "
			  "\"shared_on_machine\": true, \"operations_billed\": false, "
			  "\"ephemeral\": false}",
				""),
			P("{\"family\": \"pd\", \"sku\": \"pd\", \"item\": \"capacity\", \"unit\": "
			  "\"gib_month\", \"price\": 0.1}"));
		assert_int_equal(scene_solve(&s), rows[i].rc);
		if (rows[i].rc)
			assert_non_null(strstr(s.plan.sentence, "1,000 IOPS"));
		scene_fini(&s);
	}
}

/* 200 + 200 GiB do not both fit a temporary disk of 300. */
static void
test_temporary_space_is_shared(void **state)
{
	(void)state;
	struct scene s;
	scene_init(&s,
		W("\"vm\": {\"sizes\": [\"m\"]}, \"volumes\": [{\"role\": \"temp\", \"name\": "
		  "\"a\", "
		  "\"capacity_gib\": 200, \"read_iops\": 1, \"write_iops\": 0, \"io_kib\": 8}, "
		  "{\"role\": \"temp\", \"name\": \"b\", \"capacity_gib\": 200, \"read_iops\": 1, "
		  "\"write_iops\": 0, \"io_kib\": 8}]"),
		L(STEP("S", "1", "200", "500", "") ", {\"family\": \"local\", \"sku\": \"local\", "
						   "\"ephemeral\": true}",
			"{\"sku\": \"m\", \"uncached_iops\": 1000, \"uncached_mbps\": 500, "
			"\"temp_disk_gib\": 300, \"temp_read_iops\": 5000, \"temp_read_mbps\": "
			"500}"),
		P(PRICE("S", "20")));
	assert_int_equal(scene_solve(&s), 0);
	assert_true(near_to(s.plan.cost->storage_monthly, 20, 0));
	scene_fini(&s);
}

/* "aws/gp3=FILE" speaks for gp3 of AWS, and for nothing of another provider. */
static void
test_a_profile_of_a_family(void **state)
{
	(void)state;
	struct disk_model model = {0};
	struct advise_model given = {.model = &model, .key = "aws/gp3"};
	struct limits aws = {.provider = "aws"}, azure = {.provider = "azure"};
	struct advise_input in = {.limits = &aws, .models = &given, .n_models = 1};
	assert_ptr_equal(latency_model(&in, "gp3", "gp3", "data"), &given);
	assert_null(latency_model(&in, "gp2", "gp2", "data"));
	in.limits = &azure;
	assert_null(latency_model(&in, "gp3", "gp3", "data"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_tier_vanishes),
		cmocka_unit_test(test_local_disks),
		cmocka_unit_test(test_stripes),
		cmocka_unit_test(test_least_that_meets),
		cmocka_unit_test(test_gp2_is_sized_for_its_rate),
		cmocka_unit_test(test_raised_where_the_larger_size_loses_the_cache),
		cmocka_unit_test(test_reads_that_hit_leave_the_disk),
		cmocka_unit_test(test_a_family_shares_its_cap),
		cmocka_unit_test(test_temporary_space_is_shared),
		cmocka_unit_test(test_a_profile_of_a_family),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
