/*
 * document.c - the tables of "tierwise/profile/1": reading, checking, writing and the manual.
 */
#include "profile/profile.h"

#define ANY SCHEMA_ANY

static const char *const op_table[] = {
	[PROFILE_OP_RANDREAD] = "randread",
	[PROFILE_OP_RANDWRITE] = "randwrite",
	[PROFILE_OP_READ] = "read",
	[PROFILE_OP_WRITE] = "write",
};
_Static_assert(sizeof(op_table) / sizeof(op_table[0]) == PROFILE_OP_COUNT, "every operation");
const struct names profile_op_names = {"operation", op_table, PROFILE_OP_COUNT};

static const char *const sync_table[] = {
	[PROFILE_SYNC_FSYNC] = "fsync",
	[PROFILE_SYNC_FDATASYNC] = "fdatasync",
	[PROFILE_SYNC_ODSYNC] = "odsync",
	[PROFILE_SYNC_ODSYNC_DIRECT] = "odsync-direct",
};
_Static_assert(sizeof(sync_table) / sizeof(sync_table[0]) == PROFILE_SYNC_COUNT, "every mode");
const struct names profile_sync_mode_names = {"sync mode", sync_table, PROFILE_SYNC_COUNT};

static const char *const pattern_table[] = {
	[PROFILE_APPEND] = "append",
	[PROFILE_OVERWRITE] = "overwrite",
};
_Static_assert(
	sizeof(pattern_table) / sizeof(pattern_table[0]) == PROFILE_PATTERN_COUNT, "every pattern");
const struct names profile_pattern_names = {"write pattern", pattern_table, PROFILE_PATTERN_COUNT};

static const char *const device_table[] = {
	[PROFILE_DEVICE_HDD] = "hdd",
	[PROFILE_DEVICE_SSD] = "ssd",
	[PROFILE_DEVICE_NVME] = "nvme",
	[PROFILE_DEVICE_RAID_HDD] = "raid-hdd",
	[PROFILE_DEVICE_RAID_SSD] = "raid-ssd",
	[PROFILE_DEVICE_NETWORK] = "network",
	[PROFILE_DEVICE_CLOUD] = "cloud",
};
_Static_assert(
	sizeof(device_table) / sizeof(device_table[0]) == PROFILE_DEVICE_COUNT, "every device");
const struct names profile_device_names = {"kind of device", device_table, PROFILE_DEVICE_COUNT};

/* One line a member; the macros only save repeating the struct and "not required". */
/* clang-format off */
#define NUMBER(m, lo, hi, u, h) FIELD_NUMBER(T, m, false, lo, hi, u, h)
#define LATENCY(m, h) FIELD_NUMBER(T, m, false, 0, ANY, "us", h)
#define RATE(m, u, h) FIELD_NUMBER(T, m, false, 0, ANY, u, h)
#define WORDS(m, h) FIELD_TEXT(T, m, false, h)

#define T struct profile_cell
static const struct schema_field cell_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "what was done; in a mix the side meant here"),
	NUMBER(bs_b, 1, ANY, "B", "block size"),
	NUMBER(qd, 1e-6, 1e9, "", "I/O outstanding in all: depth times jobs"),
	NUMBER(jobs, 1, ANY, "", "submitters; absent means 1"),
	NUMBER(mix_read_frac, 0, 1, "", "share of reads when both directions ran together"),
	RATE(iops, "1/s", "operations a second"),
	RATE(iops_lo, "1/s", "lower end of the 95 % interval"),
	RATE(iops_hi, "1/s", "upper end of the 95 % interval"),
	RATE(mibps, "MiB/s", "throughput"),
	LATENCY(mean_us, "mean latency, from submission to completion"),
	LATENCY(mean_lo_us, "lower end of the 95 % interval of the mean"),
	LATENCY(mean_hi_us, "upper end of the 95 % interval of the mean"),
	LATENCY(sd_us, "standard deviation of the latency"),
	LATENCY(min_us, "shortest latency"),
	LATENCY(p50_us, "median latency"),
	LATENCY(p90_us, "90th percentile of the latency"),
	LATENCY(p95_us, "95th percentile of the latency"),
	LATENCY(p99_us, "99th percentile of the latency"),
	LATENCY(p999_us, "99.9th percentile of the latency"),
	LATENCY(max_us, "longest latency"),
	LATENCY(p50_lo_us, "lower end of the interval of the median"),
	LATENCY(p50_hi_us, "upper end of the interval of the median"),
	LATENCY(p99_lo_us, "lower end of the interval, or over published runs, of p99"),
	LATENCY(p99_hi_us, "upper end of the interval, or over published runs, of p99"),
	LATENCY(p999_lo_us, "lower end of the interval of p99.9"),
	LATENCY(p999_hi_us, "upper end of the interval of p99.9"),
	WORDS(percentile_of, "lat, or clat when submission is not in them; absent means lat"),
	NUMBER(n, 0, ANY, "", "samples behind the percentiles"),
	NUMBER(runtime_s, 0, ANY, "s", "how long it ran"),
	NUMBER(little_ratio, 0, ANY, "", "IOPS times mean latency over depth; 1 is sound"),
	NUMBER(submit_frac, 0, 1, "", "share of the latency spent inside submission"),
	FIELD_WORD(T, trust, &trust_names, false, "where it comes from; absent means as the profile"),
	WORDS(source, "file or reference; absent means as the profile"),
	WORDS(note, "anything a reader must know"),
};
#undef T

#define T struct profile_sync
static const struct schema_field sync_fields[] = {
	FIELD_WORD(T, mode, &profile_sync_mode_names, true, "how the write was made durable"),
	FIELD_WORD(T, pattern, &profile_pattern_names, false, "whether the file grew"),
	NUMBER(bs_b, 1, ANY, "B", "bytes written before each sync"),
	NUMBER(writers, 1, ANY, "", "threads that wrote and synced; absent means 1"),
	RATE(syncs_per_s, "1/s", "syncs a second, all writers together"),
	RATE(syncs_lo, "1/s", "lower end of the 95 % interval"),
	RATE(syncs_hi, "1/s", "upper end of the 95 % interval"),
	LATENCY(mean_us, "mean of write and sync together"),
	LATENCY(mean_lo_us, "lower end of the 95 % interval of the mean"),
	LATENCY(mean_hi_us, "upper end of the 95 % interval of the mean"),
	LATENCY(p50_us, "median of write and sync together"),
	LATENCY(p99_us, "99th percentile of write and sync together"),
	LATENCY(p99_lo_us, "lower end of the interval of p99"),
	LATENCY(p99_hi_us, "upper end of the interval of p99"),
	LATENCY(p999_us, "99.9th percentile of write and sync together"),
	LATENCY(p999_lo_us, "lower end of the interval of p99.9"),
	LATENCY(p999_hi_us, "upper end of the interval of p99.9"),
	LATENCY(max_us, "longest"),
	LATENCY(write_mean_us, "mean of the write alone"),
	LATENCY(sync_mean_us, "mean of the sync alone"),
	LATENCY(sync_p50_us, "median of the sync alone"),
	LATENCY(sync_p99_us, "99th percentile of the sync alone"),
	NUMBER(flushes_per_sync, 0, ANY, "", "device flushes seen for each sync"),
	NUMBER(n, 0, ANY, "", "syncs behind the figures"),
	FIELD_WORD(T, trust, &trust_names, false, "where it comes from; absent means as the profile"),
	WORDS(source, "file or reference; absent means as the profile"),
	WORDS(note, "anything a reader must know"),
};
#undef T

#define T struct profile_environment
static const struct schema_field environment_fields[] = {
	WORDS(host, "host name or a stand-in for it"),
	WORDS(kernel, "kernel release"),
	WORDS(filesystem, "type of the filesystem under the file"),
	WORDS(mount_options, "mount options as the kernel lists them"),
	WORDS(device, "kernel name of the block device under the file"),
	WORDS(device_chain, "devices from the filesystem down, as in dm-0 < vda2 < vda"),
	WORDS(model, "what the device calls itself"),
	WORDS(scheduler, "I/O scheduler"),
	WORDS(write_cache, "as the kernel sees it: write back or write through"),
	NUMBER(device_gib, 0, ANY, "GiB", "size of the device"),
	FIELD_FLAG(T, rotational, "whether the kernel calls the device rotational"),
	NUMBER(logical_block_b, 1, ANY, "B", "logical block"),
	NUMBER(physical_block_b, 1, ANY, "B", "physical block"),
	NUMBER(dio_align_b, 1, ANY, "B", "alignment that direct I/O needs"),
	NUMBER(nr_requests, 1, ANY, "", "depth of the block layer's queue"),
	NUMBER(max_sectors_kib, 1, ANY, "KiB", "largest request sent to the device"),
	NUMBER(vcpus, 1, ANY, "", "processors seen"),
	NUMBER(ram_gib, 0, ANY, "GiB", "memory"),
	WORDS(virtualisation, "hypervisor or container, as far as known"),
	FIELD_FLAG(T, cpu_awake, "whether deep processor sleep was prevented while measuring"),
};
#undef T

#define T struct profile_method
static const struct schema_field method_fields[] = {
	WORDS(engine, "what did the I/O: libaio, psync, sim, fio"),
	NUMBER(file_b, 0, ANY, "B", "size of the file worked on"),
	NUMBER(seed, 0, ANY, "", "seed of offsets and order"),
	NUMBER(slice_s, 0, ANY, "s", "length of one slice of a cell"),
	NUMBER(duration_s, 0, ANY, "s", "length of the whole measurement"),
	NUMBER(bytes_written_b, 0, ANY, "B", "bytes written in all"),
	WORDS(command, "what was run"),
};
#undef T

#define T struct profile_quality
static const struct schema_field quality_fields[] = {
	WORDS(verdict, "clean, noisy, contaminated or not-the-disk"),
	NUMBER(foreign_io_frac, 0, ANY, "", "I/O of others over all I/O on the device"),
	NUMBER(device_ratio, 0, ANY, "", "own I/O over device I/O; 1 is sound"),
	NUMBER(steal_frac, 0, 1, "", "share of processor time the hypervisor took"),
	NUMBER(cpu_us_per_io, 0, ANY, "us", "own processor time for one I/O"),
	NUMBER(cv_frac, 0, ANY, "", "largest coefficient of variation over a cell's slices"),
};
#undef T

#define T struct profile_quota
static const struct schema_field quota_fields[] = {
	RATE(iops, "1/s", "IOPS the seller allows"),
	RATE(mbps, "MB/s", "throughput the seller allows, in 10^6 bytes"),
	RATE(write_iops, "1/s", "IOPS of writes where they have a cap of their own; absent means as iops"),
	RATE(write_mbps, "MB/s", "throughput of writes where it has a cap of its own; absent means as mbps"),
	WORDS(source, "where the seller says so"),
};
#undef T

#define T struct profile_claim
static const struct schema_field claim_fields[] = {
	WORDS(id, "short name, for findings to refer to"),
	FIELD_TEXT(T, kind, true, "which check applies (models/README.md lists the kinds)"),
	WORDS(text, "the claim in words"),
	WORDS(sku, "disk the claim is about"),
	WORDS(vm, "virtual machine size the claim is about"),
	WORDS(command, "command the claim says was run"),
	WORDS(statistic, "which statistic the figure is, as in mean or p99"),
	NUMBER(size_gib, 0, ANY, "GiB", "size claimed"),
	RATE(iops, "1/s", "IOPS claimed"),
	RATE(mbps, "MB/s", "throughput claimed, in 10^6 bytes"),
	NUMBER(qd, 1e-6, ANY, "", "outstanding I/O claimed"),
	NUMBER(bs_b, 1, ANY, "B", "block size claimed"),
	LATENCY(latency_us, "latency claimed"),
	NUMBER(before, -ANY, ANY, "", "value before a change"),
	NUMBER(after, -ANY, ANY, "", "value after a change"),
	NUMBER(claimed, -ANY, ANY, "", "the result as published"),
	NUMBER(count, -ANY, ANY, "", "a count the check needs"),
	FIELD_NUMBERS(T, values, n_values, false, -ANY, ANY, "", "figures the check needs, in order"),
	WORDS(source, "where it was published"),
};
#undef T

static const struct schema cell_schema =
	SCHEMA_PART("one operation, block size and depth", struct profile_cell, cell_fields);
static const struct schema sync_schema =
	SCHEMA_PART("durable writes", struct profile_sync, sync_fields);
static const struct schema environment_schema =
	SCHEMA_PART("where it ran", struct profile_environment, environment_fields);
static const struct schema method_schema =
	SCHEMA_PART("how it was measured", struct profile_method, method_fields);
static const struct schema quality_schema =
	SCHEMA_PART("how sound it is", struct profile_quality, quality_fields);
static const struct schema quota_schema =
	SCHEMA_PART("caps the seller states", struct profile_quota, quota_fields);
static const struct schema claim_schema =
	SCHEMA_PART("a published statement to test", struct profile_claim, claim_fields);

#define T struct profile
static const struct schema_field profile_fields[] = {
	FIELD_TEXT(T, name, true, "what to call this disk"),
	FIELD_WORD(T, device, &profile_device_names, false, "kind of device"),
	WORDS(family, "tier this stands for, as in azure/premium_ssd; absent: only itself"),
	WORDS(sku, "exact SKU when it stands for one"),
	FIELD_WORD(T, trust, &trust_names, false, "where the figures come from"),
	WORDS(source, "file, article or page the figures come from"),
	WORDS(as_of, "date of the source, YYYY-MM-DD"),
	WORDS(tool, "program and version that measured"),
	WORDS(started, "start of the measurement, ISO 8601 UTC"),
	FIELD_FLAG(T, complete, "false when the measurement was cut short"),
	FIELD_PART(T, environment, &environment_schema, false, "where it ran"),
	FIELD_PART(T, method, &method_schema, false, "how it was measured"),
	FIELD_PART(T, quality, &quality_schema, false, "how sound it is"),
	FIELD_PART(T, quota, &quota_schema, false, "caps the seller states, not measured"),
	FIELD_LIST(T, cells, n_cells, &cell_schema, false, "reads and writes"),
	FIELD_LIST(T, syncs, n_syncs, &sync_schema, false, "durable writes"),
	FIELD_LIST(T, claims, n_claims, &claim_schema, false, "published statements to test"),
	FIELD_LIST(T, findings, n_findings, &finding_schema, false, "what a report must repeat"),
	WORDS(note, "anything a reader must know"),
};
#undef T
/* clang-format on */

const struct schema profile_schema = SCHEMA_DOCUMENT(
	"tierwise/profile/1", "what a disk did", struct profile, profile_fields);

void
profile_clear(struct profile *p)
{
	schema_clear(&profile_schema, p);
}

void
profile_cell_clear(struct profile_cell *c)
{
	schema_clear(&cell_schema, c);
}

void
profile_sync_clear(struct profile_sync *s)
{
	schema_clear(&sync_schema, s);
}

void
profile_environment_clear(struct profile_environment *e)
{
	schema_clear(&environment_schema, e);
}

void
profile_method_clear(struct profile_method *m)
{
	schema_clear(&method_schema, m);
}

void
profile_quality_clear(struct profile_quality *q)
{
	schema_clear(&quality_schema, q);
}
