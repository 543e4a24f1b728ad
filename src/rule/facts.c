/*
 * facts.c - every fact a rule may name, with type, unit and meaning, and the values of one
 * situation.
 *
 * The table is the contract between rule authors and the code that fills it (advise); rules/README
 * lists it, and a test compares the two.  A fact that nobody sets stays unknown.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/trust.h"
#include "rule/rule.h"

static const char *const role_text[] = {"wal", "data", "index", "temp", "backup"};
static const struct names role_names = {"volume role", role_text, 5};

static const char *const engine_text[] = {"postgresql", "mysql", "sqlserver", "oracle", "cassandra",
	"mongodb", "redis", "clickhouse", "elasticsearch", "sqlite", "rocksdb", "generic"};
static const struct names engine_names = {"database engine", engine_text, 12};

static const char *const cache_text[] = {"None", "ReadOnly", "ReadWrite"};
static const struct names cache_names = {"host cache mode", cache_text, 3};

/* clang-format off */
#define NUMBER(n, u, v, h) {.name = (n), .type = RULE_NUMBER, .unit = (u), .per_volume = (v), .help = (h)}
#define FLAG(n, v, h) {.name = (n), .type = RULE_FLAG, .unit = "", .per_volume = (v), .help = (h)}
#define TEXT(n, v, w, h) {.name = (n), .type = RULE_TEXT, .unit = "", .per_volume = (v), .words = (w), .help = (h)}
enum { PLAN = 0, VOLUME = 1 };

const struct rule_fact rule_facts[] = {
	TEXT("workload.name", PLAN, NULL, "Name of the workload"),
	TEXT("workload.slug", PLAN, NULL, "The name as snapshots may have it: lower-case letters, digits, hyphens"),
	TEXT("workload.volumes", PLAN, NULL, "The volumes with their sizes, in a sentence"),
	TEXT("workload.engine", PLAN, &engine_names, "Database engine"),
	FLAG("workload.replicated", PLAN, "The engine keeps copies of all data on other machines: as the workload says, else whether it has standbys"),
	FLAG("workload.production", PLAN, "Not a development or test system: as the workload says, else yes"),
	FLAG("workload.separate_wal", PLAN, "The workload has a log volume of its own"),
	NUMBER("workload.target_tps", "transactions/s", PLAN, "Rate to sustain"),
	NUMBER("workload.machines", "machines", PLAN, "Machines that carry this set of volumes"),
	TEXT("provider", PLAN, NULL, "Provider, as in the price books: azure"),
	TEXT("region", PLAN, NULL, "Region, as in the price books"),
	TEXT("currency", PLAN, NULL, "ISO 4217 code of every money fact"),

	TEXT("volume.role", VOLUME, &role_names, "What the volume is for"),
	TEXT("volume.name", VOLUME, NULL, "Name of the volume; the role when it has none"),
	TEXT("volume.slug", VOLUME, NULL, "Its name as snapshots may have it"),
	NUMBER("volume.capacity_gib", "GiB", VOLUME, "Space wanted today"),
	NUMBER("volume.horizon_gib", "GiB", VOLUME, "Space wanted at the end of the horizon, with growth"),
	NUMBER("volume.read_iops", "IOPS", VOLUME, "Reads at the peak, without headroom"),
	NUMBER("volume.write_iops", "IOPS", VOLUME, "Writes at the peak, without headroom"),
	NUMBER("volume.io_kib", "KiB", VOLUME, "Size of one I/O"),
	NUMBER("volume.window_hours", "h", VOLUME, "Backup: the copy must end within"),
	NUMBER("volume.mounts", "machines", VOLUME, "Machines that mount each disk; above 1 it is shared"),
	NUMBER("volume.snapshots_kept", "snapshots", VOLUME, "Incremental snapshots kept; 0 when none"),
	NUMBER("volume.snapshot_changed_gib", "GiB", VOLUME, "Data that change between two snapshots"),

	TEXT("disk.family", VOLUME, NULL, "Tier, as in the limits: premium_ssd, premium_ssd_v2, ultra_disk, standard_ssd, standard_hdd, ..."),
	TEXT("disk.sku", VOLUME, NULL, "Size within the tier, as in the limits: P30"),
	NUMBER("disk.size_gib", "GiB", VOLUME, "Size asked for, each disk"),
	NUMBER("disk.billed_gib", "GiB", VOLUME, "Size billed, each disk: the step where the tier has steps"),
	NUMBER("disk.waste_frac", "share", VOLUME, "(billed - asked) / billed size"),
	NUMBER("disk.iops", "IOPS", VOLUME, "Sustained, the whole stripe, before machine caps"),
	NUMBER("disk.mbps", "MB/s", VOLUME, "Sustained, the whole stripe, before machine caps"),
	NUMBER("disk.bought_iops", "IOPS", VOLUME, "Bought above what the tier includes, each disk; 0 when none"),
	NUMBER("disk.bought_mbps", "MB/s", VOLUME, "Bought above what the tier includes, each disk; 0 when none"),
	NUMBER("disk.free_iops", "IOPS", VOLUME, "Included in the price of a provisioned tier, each disk"),
	NUMBER("disk.free_mbps", "MB/s", VOLUME, "Included in the price of a provisioned tier, each disk"),
	FLAG("disk.bursts_on_demand", VOLUME, "Bursting on demand is switched on, for a short peak"),
	TEXT("disk.raised_to", VOLUME, NULL, "Size whose level (performance tier) the disk is raised to"),
	NUMBER("disk.burst_iops", "IOPS", VOLUME, "Burst, the whole stripe; never counted as sustained"),
	FLAG("disk.ephemeral", VOLUME, "Lost when the machine stops or moves: local, temp or instance-store disk"),
	TEXT("disk.host_cache", VOLUME, &cache_names, "Host cache mode of the candidate"),
	FLAG("disk.host_cache_allowed", VOLUME, "The tier, size and machine can use a host cache"),
	TEXT("disk.redundancy", VOLUME, NULL, "Copies the provider keeps: LRS, ZRS"),
	FLAG("disk.sequential_class", VOLUME, "Tier meant for cheap sequential data: standard_hdd, st1, sc1"),
	NUMBER("disk.count", "disks", VOLUME, "Disks striped for this volume on one machine"),
	NUMBER("disk.monthly", "money", VOLUME, "This volume on one machine, a month"),
	NUMBER("disk.capacity_used_frac", "share", VOLUME, "Space wanted at the horizon / billed size of all disks of the volume"),
	NUMBER("disk.fit_iops", "IOPS", VOLUME, "What the smallest size of the tier that holds the volume sustains or may buy, the whole stripe"),
	NUMBER("disk.fit_mbps", "MB/s", VOLUME, "What the smallest size of the tier that holds the volume sustains or may buy, the whole stripe"),
	NUMBER("disk.single_monthly", "money", VOLUME, "Of a stripe: what one disk of the same tier for the same need costs a month"),
	NUMBER("disk.transactions_frac", "share", VOLUME, "Part of the volume's bill that is I/O transactions"),
	NUMBER("disk.operations_hour", "transactions/h", VOLUME, "Billable I/O transactions, each disk; unknown where none are billed"),
	NUMBER("disk.operations_cap_hour", "transactions/h", VOLUME, "Most that are billed in an hour, each disk"),
	NUMBER("disk.mount_monthly", "money", VOLUME, "Part of the volume's bill that is mounts of a shared disk; 0 when none"),
	NUMBER("disk.snapshot_monthly", "money", VOLUME, "Part of the volume's bill that is snapshots; 0 when none"),

	TEXT("machine.sku", PLAN, NULL, "Machine size: Standard_E8ds_v5"),
	NUMBER("machine.vcpus", "vCPUs", PLAN, "Virtual processors"),
	FLAG("machine.has_temp", PLAN, "The machine has a local temporary disk"),
	NUMBER("machine.temp_gib", "GiB", PLAN, "Size of the local temporary disk"),
	NUMBER("machine.uncached_iops", "IOPS", PLAN, "Sustained cap on remote disks without host cache"),
	NUMBER("machine.uncached_mbps", "MB/s", PLAN, "Sustained cap on remote disks without host cache"),
	NUMBER("machine.remote_iops", "IOPS", PLAN, "Sustained cap on the chosen remote disks together: with an Ultra Disk or Premium SSD v2 among them the machine's own column for these"),
	NUMBER("machine.remote_mbps", "MB/s", PLAN, "Sustained cap on the chosen remote disks together: with an Ultra Disk or Premium SSD v2 among them the machine's own column for these"),
	NUMBER("machine.remote_used_frac", "share", PLAN, "Need of all remote disks, with headroom, of the cap on them that is fuller"),
	NUMBER("machine.bought_iops", "IOPS", PLAN, "What the chosen remote disks could do together"),
	NUMBER("machine.bought_mbps", "MB/s", PLAN, "What the chosen remote disks could do together"),
	NUMBER("machine.need_iops", "IOPS", PLAN, "Need of all volumes, with headroom"),
	NUMBER("machine.need_mbps", "MB/s", PLAN, "Need of all volumes, with headroom"),

	NUMBER("need.iops", "IOPS", VOLUME, "Need of the volume, with headroom"),
	NUMBER("need.mbps", "MB/s", VOLUME, "Need of the volume, with headroom"),
	FLAG("need.relies_on_burst", VOLUME, "The need fits only while the disk bursts"),

	NUMBER("predicted.flush_mean_ms", "ms", PLAN, "One log flush (write and fsync) at depth 1, mean"),
	NUMBER("predicted.commit_delay_us", "us", PLAN, "Half of one log flush: where PostgreSQL's commit_delay starts"),
	NUMBER("predicted.commit_delay_gain_frac", "share", PLAN, "What that delay adds to the rate of all clients; below 0: it costs"),
	NUMBER("predicted.commits_per_flush", "commits", PLAN, "That share one flush at the target, on average"),
	NUMBER("predicted.flush_load", "share", PLAN, "Of the time in which the log is being flushed at the target; commits that share a flush count once, and no commit that does not wait"),
	NUMBER("predicted.flush_each_load", "syncs", PLAN, "Under way on average if every transaction of the target waited for a flush of its own"),
	NUMBER("predicted.log_mibps", "MiB/s", PLAN, "Log written at the target"),
	NUMBER("predicted.commit_p99_ms", "ms", PLAN, "Commit, 99th percentile"),
	NUMBER("predicted.tx_p99_ms", "ms", PLAN, "Transaction, 99th percentile"),
	NUMBER("predicted.read_p99_ms", "ms", VOLUME, "One read of the volume, 99th percentile"),
	NUMBER("predicted.write_p99_ms", "ms", VOLUME, "One write of the volume, 99th percentile"),
	NUMBER("predicted.max_tps", "transactions/s", PLAN, "Highest sustainable rate"),
	NUMBER("predicted.fast_disk_gain_frac", "share", PLAN, "What infinitely fast disks would add to max_tps"),

	NUMBER("setting.checkpoint_s", "s", PLAN, "Between checkpoints: the engine's, or what lets their log fit in 60 % of the log volume"),
	NUMBER("setting.max_wal_gib", "GiB", PLAN, "PostgreSQL: 1 + completion target of such intervals of log, whole GiB"),
	TEXT("setting.max_wal_size", PLAN, NULL, "The same as PostgreSQL's setting takes it: whole GB or MB, which there are GiB and MiB"),
	NUMBER("setting.wal_needed_gib", "GiB", PLAN, "PostgreSQL: log of 1 + completion target of such intervals, not rounded"),
	NUMBER("setting.wal_room_gib", "GiB", PLAN, "60 % of the log volume"),
	NUMBER("setting.wal_volume_gib", "GiB", PLAN, "PostgreSQL: smallest log volume with room for that log, whole GiB"),
	NUMBER("setting.redo_gib", "GiB", PLAN, "MySQL: an hour of log, at most 128 GiB and 60 % of the log volume, whole GiB"),
	TEXT("setting.redo_capacity", PLAN, NULL, "The same as MySQL's setting takes it: whole G or M, which there are GiB and MiB"),
	NUMBER("setting.io_capacity", "IOPS", VOLUME, "Page flushes: the writes with headroom, in hundreds"),
	NUMBER("setting.io_capacity_max", "IOPS", VOLUME, "Page flushes: what disk and machine leave beside the reads, in hundreds"),
	NUMBER("alert.await_ms", "ms", VOLUME, "Twice the predicted p99 of one I/O, the largest of read, write and log flush"),
	NUMBER("alert.tx_p99_ms", "ms", PLAN, "The predicted p99 of a transaction and 15 %"),

	NUMBER("sla.commit_p99_ms", "ms", PLAN, "Limit on commit, 99th percentile"),
	NUMBER("sla.tx_p99_ms", "ms", PLAN, "Limit on a transaction, 99th percentile"),
	NUMBER("sla.read_p99_ms", "ms", PLAN, "Limit on one read, 99th percentile"),
	NUMBER("sla.write_p99_ms", "ms", PLAN, "Limit on one write, 99th percentile"),
	NUMBER("sla.rpo_ms", "ms", PLAN, "Data that may be lost, as time"),
	NUMBER("sla.rto_hours", "h", PLAN, "Time to be back"),

	TEXT("current.family", VOLUME, NULL, "Tier the volume is on today"),
	TEXT("current.sku", VOLUME, NULL, "Size or product it is on today"),
	TEXT("current.tier", VOLUME, NULL, "Performance tier today's disk is raised to; unknown when its own"),
	TEXT("current.term", VOLUME, NULL, "Commitment of today's disk; unknown when pay as you go"),
	TEXT("current.host_cache", VOLUME, &cache_names, "Host cache mode of today's disk"),
	FLAG("current.host_cache_allowed", VOLUME, "Tier and size of today's disk can use a host cache"),
	FLAG("current.burst", VOLUME, "On-demand bursting is switched on today"),
	FLAG("current.boot", VOLUME, "The volume is on the machine's boot disk today"),
	NUMBER("current.billed_gib", "GiB", VOLUME, "Size billed of today's disk, each"),
	NUMBER("current.iops", "IOPS", VOLUME, "Today's disks sustain, the whole stripe"),
	NUMBER("current.mbps", "MB/s", VOLUME, "Today's disks sustain, the whole stripe"),
	NUMBER("current.own_iops", "IOPS", VOLUME, "The same without the performance tier"),
	NUMBER("current.own_mbps", "MB/s", VOLUME, "The same without the performance tier"),
	NUMBER("current.bought_iops", "IOPS", VOLUME, "Bought above what today's tier includes, each disk; 0 when none"),
	NUMBER("current.bought_mbps", "MB/s", VOLUME, "Bought above what today's tier includes, each disk; 0 when none"),
	NUMBER("current.free_iops", "IOPS", VOLUME, "Included in the price of today's provisioned tier, each disk"),
	NUMBER("current.free_mbps", "MB/s", VOLUME, "Included in the price of today's provisioned tier, each disk"),
	NUMBER("current.monthly", "money", VOLUME, "Today's disks of this volume on one machine, a month"),
	NUMBER("current.disk_monthly", "money", VOLUME, "The same without the fee and transactions of bursting"),
	NUMBER("current.own_monthly", "money", VOLUME, "The same without the performance tier; unknown when it has none"),
	NUMBER("current.burst_monthly", "money", VOLUME, "At most: fee and transactions of bursting at the peak; unknown when switched off"),
	NUMBER("current.tier_monthly", "money", VOLUME, "What the cheapest performance tier that meets the need costs more than none; unknown when none does"),

	TEXT("observed.device", VOLUME, NULL, "Device, as its tool names it"),
	TEXT("observed.role", VOLUME, &role_names, "Whose volume it is, where that was said"),
	NUMBER("observed.queue", "I/Os", VOLUME, "Outstanding; this and the others of a device in the twentieth of intervals with the longest queue, mean"),
	NUMBER("observed.await_ms", "ms", VOLUME, "Of one I/O, reads and writes together"),
	NUMBER("observed.iops", "IOPS", VOLUME, "Reads and writes together"),
	NUMBER("observed.io_kib", "KiB", VOLUME, "Size of one I/O"),
	NUMBER("observed.read_frac", "share", VOLUME, "Reads among the I/Os"),
	NUMBER("observed.active_frac", "share", VOLUME, "Of the time with anything outstanding"),
	NUMBER("observed.cap_iops", "IOPS", VOLUME, "What it is sold with"),
	NUMBER("observed.iops_used_frac", "share", VOLUME, "Of the IOPS it is sold with"),
	NUMBER("observed.mbps_used_frac", "share", VOLUME, "Of the MB/s it is sold with"),
	NUMBER("observed.depth_for_cap", "I/Os", VOLUME, "Outstanding that the IOPS it is sold with would take at the latency seen (Little's law)"),
	NUMBER("observed.iowait_frac", "share", PLAN, "Of processor time waiting for I/O, p95 of the intervals"),
	NUMBER("observed.connections", "connections", PLAN, "To the database server"),
	NUMBER("observed.connections_max", "connections", PLAN, "That the server takes"),
	NUMBER("observed.connections_frac", "share", PLAN, "Of the connections that the server takes"),
	NUMBER("observed.buffer_hit_frac", "share", PLAN, "Of page reads that the database's own cache answers"),
	NUMBER("observed.temp_files", "files", PLAN, "Made on disk by sorts and hashes that did not fit in memory"),
	NUMBER("observed.start_transfer_ms", "ms", PLAN, "From sending a request to the first byte of its answer, over the network"),
	NUMBER("observed.sql_frac", "share", PLAN, "Of a transaction's time inside statements"),
	NUMBER("observed.app_gap_ms", "ms", PLAN, "Between the statements of a transaction, in the application"),
	NUMBER("observed.pool", "callers", PLAN, "That the connection pool of the application serves at a time"),
	NUMBER("observed.callers", "callers", PLAN, "That want a connection at the same time"),

	NUMBER("price.age_days", "days", PLAN, "Age of the price book"),
	TEXT("latency.trust", VOLUME, &trust_names, "Where the latency of the chosen disk comes from"),
	FLAG("latency.extrapolated", VOLUME, "The load or block size of the volume lies outside what the profile of the chosen disk measured, or commits are told from plain writes"),
	TEXT("measurement.profile", VOLUME, NULL, "Profile behind the latency of the chosen disk"),
	TEXT("measurement.verdict", VOLUME, NULL, "What the measurement says of itself: clean, noisy, contaminated, not-the-disk"),
	NUMBER("measurement.cv_frac", "share", VOLUME, "Largest coefficient of variation of a measured cell"),
	NUMBER("measurement.page_cached_frac", "share", VOLUME, "Part of the measured area that was in the page cache afterwards"),
	NUMBER("measurement.cache_hit_frac", "share", VOLUME, "Part of first reads that were as fast as second ones"),
	FLAG("bill.complete", PLAN, "Every amount of the bill is known"),
	NUMBER("v2.same_need_monthly", "money", VOLUME, "What a Premium SSD v2 disk for the same need costs a month"),
};
/* clang-format on */

const size_t rule_n_facts = sizeof(rule_facts) / sizeof(rule_facts[0]);

const struct rule_fact *
rule_fact_find(const char *name)
{
	for (size_t i = 0; i < rule_n_facts; i++) {
		if (strcmp(rule_facts[i].name, name) == 0)
			return &rule_facts[i];
	}
	return NULL;
}

int
rule_context_init(struct rule_context *c, struct arena *a, struct err *err)
{
	c->values = arena_array(a, rule_n_facts, sizeof(*c->values));
	if (!c->values)
		return err_nomem(err);
	rule_context_clear(c);
	return 0;
}

void
rule_context_clear(struct rule_context *c)
{
	for (size_t i = 0; i < rule_n_facts; i++)
		c->values[i] = (struct rule_value){.known = false, .number = (double)NAN};
}

/* A name or type that is not in the table is our own mistake: asserted, and never stored. */
static void
store(struct rule_context *c, const char *name, enum rule_type type, struct rule_value value)
{
	const struct rule_fact *fact = &rule_facts[c->next < rule_n_facts ? c->next : 0];
	if (strcmp(fact->name, name) != 0)
		fact = rule_fact_find(name);
	bool right = fact && fact->type == type;
	assert(right);
	if (!right)
		return;
	c->values[fact - rule_facts] = value;
	c->next = (size_t)(fact - rule_facts) + 1;
}

void
rule_set_number(struct rule_context *c, const char *name, double number)
{
	store(c, name, RULE_NUMBER, (struct rule_value){.known = !isnan(number), .number = number});
}

void
rule_set_text(struct rule_context *c, const char *name, const char *text)
{
	store(c, name, RULE_TEXT,
		(struct rule_value){.known = text != NULL, .number = (double)NAN, .text = text});
}

void
rule_set_flag(struct rule_context *c, const char *name, int flag)
{
	store(c, name, RULE_FLAG,
		(struct rule_value){.known = flag >= 0,
			.number = flag >= 0 ? (double)(flag != 0) : (double)NAN});
}
