/*
 * workload.c - the workload document as tables, and the checks a table cannot express.
 *
 * Ranges are wide on purpose: they catch a wrong unit (bytes for GiB, seconds for ms), not an
 * unusual system.
 */
#include "workload/workload.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const role_text[] = {
	[WORKLOAD_WAL] = "wal",
	[WORKLOAD_DATA] = "data",
	[WORKLOAD_INDEX] = "index",
	[WORKLOAD_TEMP] = "temp",
	[WORKLOAD_BACKUP] = "backup",
};
_Static_assert(sizeof(role_text) / sizeof(role_text[0]) == WORKLOAD_ROLE_COUNT, "a word a role");
const struct names workload_role_names = {"volume role", role_text, WORKLOAD_ROLE_COUNT};

static const char *const engine_text[] = {
	[WORKLOAD_POSTGRESQL] = "postgresql",
	[WORKLOAD_MYSQL] = "mysql",
	[WORKLOAD_SQLSERVER] = "sqlserver",
	[WORKLOAD_ORACLE] = "oracle",
	[WORKLOAD_CASSANDRA] = "cassandra",
	[WORKLOAD_MONGODB] = "mongodb",
	[WORKLOAD_REDIS] = "redis",
	[WORKLOAD_CLICKHOUSE] = "clickhouse",
	[WORKLOAD_ELASTICSEARCH] = "elasticsearch",
	[WORKLOAD_SQLITE] = "sqlite",
	[WORKLOAD_ROCKSDB] = "rocksdb",
	[WORKLOAD_GENERIC] = "generic",
};
_Static_assert(
	sizeof(engine_text) / sizeof(engine_text[0]) == WORKLOAD_ENGINE_COUNT, "a word an engine");
const struct names workload_engine_names = {"database engine", engine_text, WORKLOAD_ENGINE_COUNT};

static const char *const cache_text[] = {
	[WORKLOAD_CACHE_NONE] = "None",
	[WORKLOAD_CACHE_READ_ONLY] = "ReadOnly",
	[WORKLOAD_CACHE_READ_WRITE] = "ReadWrite",
};
_Static_assert(
	sizeof(cache_text) / sizeof(cache_text[0]) == WORKLOAD_CACHE_COUNT, "a word a cache mode");
const struct names workload_cache_names = {"host cache mode", cache_text, WORKLOAD_CACHE_COUNT};

static const char *const source_text[] = {
	[WORKLOAD_SNAPSHOT] = "snapshot",
	[WORKLOAD_BACKUP_COPY] = "backup",
	[WORKLOAD_STANDBY] = "standby",
};
_Static_assert(
	sizeof(source_text) / sizeof(source_text[0]) == WORKLOAD_SOURCE_COUNT, "a word a source");
const struct names workload_source_names = {
	"source of a recovery", source_text, WORKLOAD_SOURCE_COUNT};

static const char *const target_text[] = {
	[WORKLOAD_DISK] = "disk",
	[WORKLOAD_NETWORK] = "network",
};
_Static_assert(
	sizeof(target_text) / sizeof(target_text[0]) == WORKLOAD_TARGET_COUNT, "a word a target");
const struct names workload_target_names = {
	"target of a backup", target_text, WORKLOAD_TARGET_COUNT};

/* clang-format off */
#define T struct workload_vm
static const struct schema_field vm_fields[] = {
	FIELD_TEXTS(T, sizes, n_sizes, true,
		"Sizes that may be chosen, in the provider's words (Standard_E8ds_v5); the machine's price counts when there are several"),
	FIELD_NUMBER(T, count, false, 1, 10000, "machines",
		"Machines that each carry this set of volumes, a whole number; default 1"),
	FIELD_TEXT(T, current, false,
		"Size it runs on today, for what today's disks do and cost; absent: that of the plan"),
};
#undef T
static const struct schema vm_schema = SCHEMA_PART("machines", struct workload_vm, vm_fields);

#define T struct workload_standbys
static const struct schema_field standbys_fields[] = {
	FIELD_NUMBER(T, count, true, 1, 100, "machines", "Machines that follow, a whole number"),
	FIELD_NUMBER(T, needed, false, 0, 100, "machines",
		"Acknowledgements a commit waits for, a whole number up to count, where the way of committing waits (commit \"remote\"); default 1 there, else 0: the copies follow"),
	FIELD_NUMBER(T, rtt_ms, true, 0, 1e5, "ms", "Network, there and back"),
	FIELD_NUMBER(T, flush_ms, false, 0, 1e5, "ms", "Mean flush of a standby's log; absent: as long as here"),
	FIELD_NUMBER(T, apply_tps, false, 0.001, 1e8, "transactions/s",
		"Rate at which a standby applies; absent: estimated, one process that reads and computes as long as here"),
};
#undef T
static const struct schema standbys_schema = SCHEMA_PART("standbys", struct workload_standbys, standbys_fields);

#define T struct workload_transactions
static const struct schema_field transactions_fields[] = {
	FIELD_NUMBER(T, target_tps, false, 0.001, 1e8, "transactions/s",
		"Peak rate to sustain; absent: as many as the clients can do"),
	FIELD_NUMBER(T, clients, false, 1, 1e6, "sessions",
		"Sessions that work at the same time; absent: derived from the rate (open arrivals)"),
	FIELD_NUMBER(T, cpu_ms_per_tx, false, 0, 1e6, "ms",
		"Processor time of one transaction; absent: assumed from the engine"),
	FIELD_NUMBER(T, page_reads_per_tx, false, 0, 1e6, "reads",
		"Reads one after the other that miss every cache; absent: assumed from the engine"),
	FIELD_NUMBER(T, wal_kib_per_tx, false, 0, 1e6, "KiB",
		"Log written by one transaction, page images included, as log bytes / transactions of a measured hour; absent: assumed from the engine"),
	FIELD_NUMBER(T, utilisation, false, 0.001, 1, "share",
		"Transactions a month really executes / those of a whole month at target_tps; default 1, named in the report"),
	FIELD_TEXT(T, commit, false,
		"How a commit becomes durable: a mode of the engine's document (models/engines; postgresql: on, remote, off); default its first"),
	FIELD_NUMBER(T, pool, false, 1, 1e6, "sessions",
		"Most transactions at a time, as a connection pool allows, a whole number; absent: all clients"),
	FIELD_NUMBER(T, hot_rows, false, 1, 1e12, "rows",
		"Rows of which every transaction updates one and holds it to its commit (branches of pgbench: its scale); absent: no transaction waits for another's row"),
	FIELD_NUMBER(T, page_writes_per_tx, false, 0, 1e6, "pages",
		"Pages one transaction changes; absent: assumed from the engine"),
	FIELD_NUMBER(T, miss_frac, false, 0, 1, "share",
		"Share of page_reads_per_tx that reaches the disk; default 1: page_reads_per_tx counts only those"),
	FIELD_NUMBER(T, hot_gib, false, 0, 1e7, "GiB",
		"Pages that are changed again and again: what a checkpoint writes back and is logged whole after it; absent: each change is written back, and the time right after a checkpoint is not told apart"),
	FIELD_NUMBER(T, commit_delay_us, false, 0, 1e6, "us", "Wait before each flush (commit_delay); default the engine's"),
	FIELD_NUMBER(T, checkpoint_s, false, 1, 86400, "s", "Time between checkpoints; default the engine's"),
	FIELD_NUMBER(T, cores, false, 0.01, 1e5, "processors",
		"Processors the database has; default those of the machine"),
	FIELD_NUMBER(T, cpu_ms_per_io, false, 0, 1000, "ms",
		"Processor time of one disk I/O (driver, interrupt, wake-up) beside cpu_ms_per_tx; default 0"),
	FIELD_NUMBER(T, core_sharing, false, 0, 1, "share",
		"How much longer a transaction computes when every other processor is busy, as two threads of one core do (0.7); default 0"),
	FIELD_NUMBER(T, prefetch_frac, false, 0, 1, "share",
		"Share of page_reads_per_tx that is read ahead, so that nobody waits for it; default 0"),
	FIELD_NUMBER(T, think_ms, false, 0, 1e7, "ms", "Pause of a client between two transactions; default 0"),
	FIELD_PART(T, standbys, &standbys_schema, false, "Copies on other machines; absent: none"),
};
#undef T
static const struct schema transactions_schema =
	SCHEMA_PART("transactions", struct workload_transactions, transactions_fields);

#define T struct workload_sla
static const struct schema_field sla_fields[] = {
	FIELD_NUMBER(T, tx_p99_ms, false, 0.001, 1e6, "ms", "99th percentile of a whole transaction"),
	FIELD_NUMBER(T, commit_p99_ms, false, 0.001, 1e6, "ms", "99th percentile of a durable commit"),
	FIELD_NUMBER(T, read_p99_ms, false, 0.001, 1e6, "ms", "99th percentile of one read of each data and index volume"),
	FIELD_NUMBER(T, write_p99_ms, false, 0.001, 1e6, "ms", "99th percentile of one write of each data and index volume"),
	FIELD_NUMBER(T, rpo_ms, false, 0, 1e12, "ms", 
		"Data that may be lost with the machine, as time: lag of the standbys, or the engine's loss window"),
	FIELD_NUMBER(T, rto_hours, false, 0.001, 8760, "h", 
		"Time to be back: loading of every volume, log applied after it and the rest, as \"recovery\" says"),
};
#undef T
static const struct schema sla_schema = SCHEMA_PART("service levels", struct workload_sla, sla_fields);

#define T struct workload_current
static const struct schema_field current_fields[] = {
	FIELD_TEXT(T, sku, true, "Size or product, as in the limits: P30, PremiumV2_LRS"),
	FIELD_NUMBER(T, size_gib, true, 0.001, 1e7, "GiB", "Size of each disk"),
	FIELD_NUMBER(T, disks, false, 1, 64, "disks", "Disks striped for the volume, a whole number; default 1"),
	FIELD_NUMBER(T, iops, false, 0, 1e8, "IOPS", "Bought for each disk; absent: what comes with it"),
	FIELD_NUMBER(T, mbps, false, 0, 1e6, "MB/s", "Bought for each disk, 10^6 bytes; absent: what comes with it"),
	FIELD_TEXT(T, tier, false, "Performance tier the disk is raised to (P50); absent: its own"),
	FIELD_TEXT(T, redundancy, false, "Copies the provider keeps; default the workload's"),
	FIELD_TEXT(T, term, false, "Commitment, in the words of the price book: 1 year reservation; absent: pay as you go"),
	FIELD_WORD(T, host_cache, &workload_cache_names, false, "Host cache mode; absent: not known"),
	FIELD_FLAG(T, burst, "On-demand bursting is switched on"),
	FIELD_FLAG(T, boot, "The volume is on the machine's boot disk"),
	FIELD_FLAG(T, performance_plus, "The disk has the free higher level (performance plus)"),
	FIELD_NUMBER(T, seen_p99_ms, false, 0.001, 1e6, "ms",
		"99th percentile seen today, of a read, of a log a commit: beside what its tier does at this load it says whether the tier is what is slow; absent: not compared"),
};
#undef T
static const struct schema current_schema = SCHEMA_PART("today's disks", struct workload_current, current_fields);

#define T struct workload_recovery
static const struct schema_field recovery_fields[] = {
	FIELD_WORD(T, source, &workload_source_names, true,
		"snapshot: the provider loads new disks from snapshots, at the rate of its limits file; backup: the copy on the backup volumes is read back; standby: another machine takes over"),
	FIELD_NUMBER(T, loading_mbps, false, 0.001, 1e6, "MB/s",
		"Measured: how fast one volume is loaded, 10^6 bytes; time a restore of a full volume. Takes the place of the provider's figure"),
	FIELD_NUMBER(T, replay_mbps, false, 0.001, 1e6, "MB/s",
		"How fast log is applied after the copy is loaded; absent: not known where there is log to apply"),
	FIELD_NUMBER(T, replay_gib, false, 0, 1e7, "GiB",
		"Log since the last copy; absent: that of one day at target_tps x utilisation, none without transactions"),
	FIELD_NUMBER(T, other_hours, false, 0, 8760, "h",
		"To notice, to decide, to start the machine and the database; absent: not counted, and said (a standby: not known)"),
};
#undef T
static const struct schema recovery_schema = SCHEMA_PART("recovery", struct workload_recovery, recovery_fields);

#define T struct workload_volume
static const struct schema_field volume_fields[] = {
	FIELD_WORD(T, role, &workload_role_names, true, "What the volume is for"),
	FIELD_TEXT(T, name, false, "Tells two volumes of one role apart; default: the role"),
	FIELD_NUMBER(T, capacity_gib, true, 0.001, 1e7, "GiB", "Space wanted today"),
	FIELD_NUMBER(T, growth_gib_month, false, 0, 1e6, "GiB/month", "Growth; default 0"),
	FIELD_NUMBER(T, read_iops, false, 0, 1e8, "IOPS", "Reads at the peak; absent: derived from the transactions"),
	FIELD_NUMBER(T, write_iops, false, 0, 1e8, "IOPS", "Writes at the peak; absent: derived from the transactions"),
	FIELD_NUMBER(T, io_kib, false, 0.5, 65536, "KiB", "Size of one I/O; absent: the engine's page"),
	FIELD_NUMBER(T, read_mbps, false, 0, 1e6, "MB/s",
		"Sequential reads beyond IOPS x size, 10^6 bytes; compaction, scans; default 0"),
	FIELD_NUMBER(T, write_mbps, false, 0, 1e6, "MB/s",
		"Sequential writes beyond IOPS x size, 10^6 bytes; compaction, loads; default 0"),
	FIELD_NUMBER(T, window_hours, false, 0.01, 8760, "h",
		"Backup: the copy of capacity_gib must end within; absent: no deadline"),
	FIELD_NUMBER(T, burst_iops, false, 0, 1e8, "IOPS",
		"A short peak of reads and writes of io_kib together, above what is needed all the time; absent: none"),
	FIELD_NUMBER(T, burst_mbps, false, 0, 1e6, "MB/s",
		"The same in 10^6 bytes; absent: burst_iops x io_kib"),
	FIELD_NUMBER(T, burst_minutes_day, false, 0.1, 1440, "minutes/day",
		"How long the peak lasts each day: by credits, on demand or what the disk sustains; with burst_iops or burst_mbps"),
	FIELD_NUMBER(T, cache_hit_frac, false, 0, 1, "share",
		"Reads a host cache answers, measured; absent: none is counted on"),
	FIELD_NUMBER(T, mounts, false, 1, 64, "machines",
		"Machines that mount each disk, a whole number that divides vm.count; above 1 it is a shared disk, its load that of all of them; default 1"),
	FIELD_NUMBER(T, snapshots_kept, false, 0, 1000, "snapshots",
		"Incremental snapshots kept of each disk, a whole number; default 0"),
	FIELD_NUMBER(T, snapshot_changed_gib, false, 0, 1e7, "GiB",
		"Data that change between two snapshots; absent: each is billed as if everything had changed"),
	FIELD_PART(T, current, &current_schema, false,
		"What the volume is on today: its cost stands beside the plan's, and rules judge it; absent: not known"),
	FIELD_WORD(T, target, &workload_target_names, false,
		"Backup: disk, a volume of this machine, which is read and written through the machine's caps; network: kept elsewhere, only read through them, and not part of the plan; default disk"),
	FIELD_TEXT(T, evidence, false, "Where the rates come from, as tierwise demand writes it: a reason of the plan repeats it"),
};
#undef T
static const struct schema volume_schema = SCHEMA_PART("volume", struct workload_volume, volume_fields);
const struct schema *const workload_volume_schema = &volume_schema;

#define T struct workload_budget
static const struct schema_field budget_fields[] = {
	FIELD_NUMBER(T, monthly, true, 0, 1e12, "currency/month", 
		"Most the plan may cost a month, all machines; storage alone when vm names one size or none"),
};
#undef T
static const struct schema budget_schema = SCHEMA_PART("budget", struct workload_budget, budget_fields);

#define T struct workload_finance
static const struct schema_field finance_fields[] = {
	FIELD_NUMBER(T, horizon_months, false, 1, 600, "months",
		"Months the plan must last, a whole number: growth and cost are taken to its end; default 36"),
	FIELD_NUMBER(T, discount_rate_year, false, -0.5, 1, "share/year", 
		"Yearly discount rate; recorded, not used: give tco --discount-rate (default 0.08)"),
	FIELD_NUMBER(T, revenue_at_risk, false, 0, 1e15, "currency/year",
		"Revenue that depends on the SLA; recorded, not used: a tierwise/tco/1 document counts it"),
	FIELD_NUMBER(T, incident_hour_cost, false, 0, 1e12, "currency/h", 
		"Cost of one incident hour; recorded, not used: a tierwise/tco/1 document counts it"),
	FIELD_NUMBER(T, incidents_month, false, 0, 1e4, "1/month", 
		"Incidents a month on today's storage, one hour each; recorded, not used: a tierwise/tco/1 document counts it"),
	FIELD_NUMBER(T, migration_cost, false, 0, 1e12, "currency",
		"Spent once to move: today's disks are kept where they meet everything and a change saves less than this over the horizon; a tierwise/tco/1 document counts it month by month"),
	FIELD_NUMBER(T, keep_below_frac, false, 0, 1, "share",
		"Today's disks are kept where they meet everything and a change saves less than this share of what they cost; default 0.05"),
};
#undef T
static const struct schema finance_schema = SCHEMA_PART("finance", struct workload_finance, finance_fields);

#define T struct workload
static const struct schema_field fields[] = {
	FIELD_TEXT(T, name, true, "Of the system, as the report prints it"),
	FIELD_TEXT(T, provider, true, "As in the price books: azure"),
	FIELD_TEXT(T, region, true, "As in the price books: westeurope; tierwise prices list shows them"),
	FIELD_TEXT(T, currency, false, "ISO 4217; must be the price book's; default: the price book's"),
	FIELD_TEXT(T, redundancy, false, "Copies the provider keeps: LRS, ZRS; default LRS"),
	FIELD_WORD(T, engine, &workload_engine_names, true, "Database; generic: only volumes are placed"),
	FIELD_FLAG(T, replicated, "The engine keeps copies of all data on other machines; absent: yes with standbys, else not known and taken as no"),
	FIELD_FLAG(T, production, "false for development and test, which may lie on tiers the provider advises against for databases; absent: taken as yes"),
	FIELD_PART(T, vm, &vm_schema, false, "Machines; absent: no machine cap, and the plan says so"),
	FIELD_PART(T, transactions, &transactions_schema, false,
		"Transaction profile; absent: no prediction of rate and latency of transactions"),
	FIELD_PART(T, sla, &sla_schema, false, "Service levels; absent: capacity and rate decide alone"),
	FIELD_PART(T, recovery, &recovery_schema, false,
		"How a lost machine comes back, for rto_hours; absent: from the backup volume where there is one, else from snapshots"),
	FIELD_LIST(T, volumes, n_volumes, &volume_schema, true, "Volumes on each machine"),
	FIELD_NUMBER(T, headroom, false, 0, 0.9, "share", "Share of every cap kept free; default 0.2"),
	FIELD_NUMBER(T, stripe_saving_frac, false, 0, 1, "share",
		"A stripe is offered only when it saves at least this share against fewer disks of its tier that do the same: several disks have no common snapshot, and more of them fail; 0: always offered; default 0.05"),
	FIELD_PART(T, budget, &budget_schema, false, "Budget; absent: none"),
	FIELD_PART(T, finance, &finance_schema, false, "For growth and total cost of ownership"),
	FIELD_TEXT(T, note, false, "For readers"),
};
#undef T
const struct schema workload_schema = SCHEMA_DOCUMENT("tierwise/workload/1",
	"what an application needs of its storage", struct workload, fields);
/* clang-format on */

/* A number that counts things; NaN (not given) passes. */
static int
check_whole(struct jval part, const char *key, double value, struct err *err)
{
	if (isnan(value) || value == floor(value))
		return 0;
	return json_fail(
		json_get(part, key), err, ERR_RANGE, "%s: %.12g is not a whole number", key, value);
}

static int
check_currency(struct jval root, const struct workload *w, struct err *err)
{
	const char *c = w->currency;
	if (!c || (strlen(c) == 3 && isupper((unsigned char)c[0]) && isupper((unsigned char)c[1]) &&
			  isupper((unsigned char)c[2])))
		return 0;
	return json_fail(json_get(root, "currency"), err, ERR_RANGE,
		"currency: \"%.20s\", accepted: three capital letters of ISO 4217, as USD", c);
}

/* Names go into prices, limits and titles: an empty one can only be a slip. */
static int
check_not_empty(struct jval v, const char *key, const char *text, struct err *err)
{
	if (!text || *text)
		return 0;
	return json_fail(v, err, ERR_RANGE, "%s: empty text", key);
}

static int
check_names(struct jval root, const struct workload *w, struct err *err)
{
	const struct {
		const char *key, *text;
	} texts[] = {{"name", w->name}, {"provider", w->provider}, {"region", w->region},
		{"redundancy", w->redundancy}};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int rc = check_not_empty(
			json_get(root, texts[i].key), texts[i].key, texts[i].text, err);
		if (rc)
			return rc;
	}
	return check_currency(root, w, err);
}

static int
check_vm(struct jval root, const struct workload *w, struct err *err)
{
	if (!w->vm)
		return 0;
	struct jval part = json_get(root, "vm"), sizes = json_get(part, "sizes");
	if (w->vm->n_sizes == 0)
		return json_fail(sizes, err, ERR_RANGE,
			"sizes: empty, at least one machine size (or leave out \"vm\")");
	struct jval v = json_first(sizes);
	for (size_t i = 0; i < w->vm->n_sizes; i++, v = json_next(v)) {
		int rc = check_not_empty(v, "sizes", w->vm->sizes[i], err);
		if (rc)
			return rc;
		for (size_t j = 0; j < i; j++) {
			if (strcmp(w->vm->sizes[i], w->vm->sizes[j]) == 0)
				return json_fail(v, err, ERR_RANGE,
					"sizes: \"%.60s\" is given twice", w->vm->sizes[i]);
		}
	}
	int rc = check_not_empty(json_get(part, "current"), "current", w->vm->current, err);
	return rc ? rc : check_whole(part, "count", w->vm->count, err);
}

static bool
same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool
has_demand(const struct workload_volume *v)
{
	return !isnan(v->read_iops) || !isnan(v->write_iops) || !isnan(v->read_mbps) ||
	       !isnan(v->write_mbps);
}

/* Does the transaction profile give a rate to derive I/O from? */
static bool
has_rate(const struct workload *w)
{
	return w->transactions &&
	       (!isnan(w->transactions->target_tps) || !isnan(w->transactions->clients));
}

/* Shared disks are whole: every machine of the set mounts as many as the others. */
static int
check_mounts(struct jval v, const struct workload *w, const struct workload_volume *volume,
	struct err *err)
{
	double machines = w->vm && !isnan(w->vm->count) ? w->vm->count : 1;
	int rc = check_whole(v, "mounts", volume->mounts, err);
	if (rc || isnan(volume->mounts) || fmod(machines, volume->mounts) == 0)
		return rc;
	return json_fail(json_get(v, "mounts"), err, ERR_RANGE,
		"mounts: %g machines share each disk, but vm.count is %g: accepted a number that "
		"divides it",
		volume->mounts, machines);
}

static int
check_kept(struct jval v, const struct workload_volume *volume, struct err *err)
{
	int rc = check_whole(v, "snapshots_kept", volume->snapshots_kept, err);
	if (rc || isnan(volume->snapshot_changed_gib) || volume->snapshots_kept > 0)
		return rc;
	return json_fail(json_get(v, "snapshot_changed_gib"), err, ERR_RANGE,
		"snapshot_changed_gib: no snapshots are kept; give snapshots_kept");
}

/* What is beside role and load. */
static int
check_extras(struct jval v, const struct workload *w, const struct workload_volume *volume,
	struct err *err)
{
	int rc = check_mounts(v, w, volume, err);
	rc = rc ? rc : check_kept(v, volume, err);
	if (rc == 0 && volume->current)
		rc = check_whole(json_get(v, "current"), "disks", volume->current->disks, err);
	return rc;
}

/* A peak has a height and a length. */
static int
check_burst(struct jval v, const struct workload_volume *volume, struct err *err)
{
	bool height = !isnan(volume->burst_iops) || !isnan(volume->burst_mbps);
	if (height && isnan(volume->burst_minutes_day))
		return json_fail(v, err, ERR_RANGE,
			"burst_minutes_day: missing; with burst_iops or burst_mbps say how many "
			"minutes a day "
			"the peak lasts, 0.1 to 1440");
	if (!height && !isnan(volume->burst_minutes_day))
		return json_fail(json_get(v, "burst_minutes_day"), err, ERR_RANGE,
			"burst_minutes_day: give burst_iops or burst_mbps with it");
	return 0;
}

static int
check_volume(struct jval v, const struct workload *w, size_t i, struct err *err)
{
	const struct workload_volume *volume = &w->volumes[i];
	const char *role = names_text(&workload_role_names, volume->role);
	for (size_t j = 0; j < i; j++) {
		if (w->volumes[j].role == volume->role &&
			same_text(w->volumes[j].name, volume->name))
			return json_fail(v, err, ERR_RANGE,
				"a second %s volume%s%.60s: give each its own \"name\"", role,
				volume->name ? " named " : " without a name",
				volume->name ? volume->name : "");
	}
	bool needs_demand = volume->role == WORKLOAD_WAL || volume->role == WORKLOAD_DATA ||
			    volume->role == WORKLOAD_INDEX;
	if (needs_demand && !has_demand(volume) && !has_rate(w))
		return json_fail(v, err, ERR_RANGE,
			"%s volume: its load is not known; give read_iops and write_iops (0 is an "
			"answer), or \"transactions\" with target_tps or clients",
			role);
	if (!isnan(volume->window_hours) && volume->role != WORKLOAD_BACKUP)
		return json_fail(json_get(v, "window_hours"), err, ERR_RANGE,
			"window_hours: for backup volumes only, this one is %s", role);
	if (volume->target >= 0 && volume->role != WORKLOAD_BACKUP)
		return json_fail(json_get(v, "target"), err, ERR_RANGE,
			"target: for backup volumes only, this one is %s", role);
	int rc = check_burst(v, volume, err);
	rc = rc ? rc : check_extras(v, w, volume, err);
	return rc ? rc : check_not_empty(json_get(v, "name"), "name", volume->name, err);
}

static bool
keeps_backup(const struct workload *w)
{
	for (size_t i = 0; i < w->n_volumes; i++) {
		if (w->volumes[i].role == WORKLOAD_BACKUP)
			return true;
	}
	return false;
}

/* A plan places something, and what a restore reads is there. */
static int
check_recovery(struct jval root, const struct workload *w, struct err *err)
{
	size_t placed = 0;
	for (size_t i = 0; i < w->n_volumes; i++)
		placed += w->volumes[i].target != WORKLOAD_NETWORK;
	if (placed == 0)
		return json_fail(json_get(root, "volumes"), err, ERR_RANGE,
			"volumes: every one is a backup over the network, at least one on this "
			"machine");
	if (!w->recovery)
		return 0;
	struct jval part = json_get(root, "recovery");
	if (w->recovery->source == WORKLOAD_BACKUP_COPY && !keeps_backup(w))
		return json_fail(json_get(part, "source"), err, ERR_RANGE,
			"source: backup, but there is no backup volume to read");
	bool stands_by = w->replicated == 1 || (w->transactions && w->transactions->standbys);
	if (w->recovery->source == WORKLOAD_STANDBY && !stands_by)
		return json_fail(json_get(part, "source"), err, ERR_RANGE,
			"source: standby, but there is none: give \"replicated\": true or "
			"transactions.standbys");
	return 0;
}

/* Standbys a commit waits for are among those there are. */
static int
check_standbys(struct jval root, const struct workload *w, struct err *err)
{
	const struct workload_standbys *s = w->transactions ? w->transactions->standbys : NULL;
	if (!s)
		return 0;
	struct jval part = json_get(json_get(root, "transactions"), "standbys");
	int rc = check_whole(part, "count", s->count, err);
	if (rc == 0)
		rc = check_whole(part, "needed", s->needed, err);
	if (rc == 0 && s->needed > s->count)
		return json_fail(json_get(part, "needed"), err, ERR_RANGE,
			"needed: %g, accepted: 0 to the count of standbys, %g", s->needed,
			s->count);
	return rc;
}

static int
check_volumes(struct jval root, const struct workload *w, struct err *err)
{
	struct jval list = json_get(root, "volumes");
	enum { MOST_VOLUMES = 64 }; /* more than any machine attaches */
	if (w->n_volumes == 0 || w->n_volumes > MOST_VOLUMES)
		return json_fail(list, err, ERR_RANGE, "volumes: %zu, accepted: 1 to %d volumes",
			w->n_volumes, MOST_VOLUMES);
	size_t i = 0;
	for (struct jval v = json_first(list); v.node; v = json_next(v), i++) {
		int rc = check_volume(v, w, i, err);
		if (rc)
			return rc;
	}
	return 0;
}

int
workload_error_at(const char *place, struct err *err)
{
	return place ? err_context(err, "%s", place) : (int)err->code;
}

static int
place(struct jval v, struct arena *a, const char **at, struct err *err)
{
	size_t line, column;
	if (!v.node)
		return 0;
	json_place(v, &line, &column);
	*at = arena_printf(a, "%s:%zu:%zu", json_name(v.doc), line, column);
	return *at ? 0 : err_nomem(err);
}

static int
note_places(struct jval root, struct arena *a, struct workload *w, struct err *err)
{
	struct workload_places *at = &w->at;
	const struct {
		struct jval v;
		const char **at;
	} rows[] = {{json_get(root, "provider"), &at->provider},
		{json_get(root, "region"), &at->region},
		{json_get(root, "currency"), &at->currency},
		{json_get(root, "redundancy"), &at->redundancy},
		{json_get(json_get(root, "vm"), "sizes"), &at->machines},
		{json_get(json_get(root, "transactions"), "commit"), &at->commit}};
	int rc = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && rc == 0; i++)
		rc = place(rows[i].v, a, rows[i].at, err);
	struct jval v = json_first(json_get(root, "volumes"));
	for (size_t i = 0; i < w->n_volumes && rc == 0; i++, v = json_next(v))
		rc = place(json_get(v, "current"), a, &w->volumes[i].current_at, err);
	return rc;
}

int
workload_read(struct jval root, struct arena *a, struct workload *w, struct err *err)
{
	int rc = schema_read(&workload_schema, root, a, w, err);
	if (rc == 0)
		rc = check_names(root, w, err);
	if (rc == 0)
		rc = check_vm(root, w, err);
	if (rc == 0 && w->transactions)
		rc = check_whole(
			json_get(root, "transactions"), "clients", w->transactions->clients, err);
	if (rc == 0 && w->transactions)
		rc = check_whole(
			json_get(root, "transactions"), "pool", w->transactions->pool, err);
	if (rc == 0)
		rc = check_standbys(root, w, err);
	if (rc == 0 && w->finance)
		rc = check_whole(json_get(root, "finance"), "horizon_months",
			w->finance->horizon_months, err);
	rc = rc ? rc : check_volumes(root, w, err);
	rc = rc ? rc : check_recovery(root, w, err);
	return rc ? rc : note_places(root, a, w, err);
}

int
workload_load(
	const char *path, struct arena *a, struct workload *w, char sha256[65], struct err *err)
{
	enum { MOST_B = 4 << 20 }; /* hand-written: a larger file is another kind of file */
	struct json_doc *doc = NULL;
	int rc = json_load(path, MOST_B, &doc, err);
	if (rc)
		return rc;
	rc = workload_read(json_root(doc), a, w, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}
