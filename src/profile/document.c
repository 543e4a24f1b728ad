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

static const char *const limit_table[] = {
	"device", "cap-iops", "cap-mbps", "throttle", "client", "unknown"};
const struct names profile_limit_names = {
	"limit", limit_table, sizeof(limit_table) / sizeof(limit_table[0])};

static const char *const size_form_table[] = {
	[PROFILE_SIZE_LINEAR] = "linear",
	[PROFILE_SIZE_CAP] = "cap",
};
_Static_assert(sizeof(size_form_table) / sizeof(size_form_table[0]) == PROFILE_SIZE_FORM_COUNT,
	"every form");
const struct names profile_size_form_names = {"form", size_form_table, PROFILE_SIZE_FORM_COUNT};

static const char *const steadiness_table[] = {
	"stable", "dropped", "rose", "drifting", "noisy", "too-short"};
const struct names profile_steadiness_names = {
	"verdict", steadiness_table, sizeof(steadiness_table) / sizeof(steadiness_table[0])};

/* One line a member; the macros only save repeating the struct and "not required". */
/* clang-format off */
#define NUMBER(m, lo, hi, u, h) FIELD_NUMBER(T, m, false, lo, hi, u, h)
#define LATENCY(m, h) FIELD_NUMBER(T, m, false, 0, ANY, "us", h)
#define RATE(m, u, h) FIELD_NUMBER(T, m, false, 0, ANY, u, h)
#define NUMBERS(m, lo, u, h) FIELD_NUMBERS(T, m, n_##m, false, lo, ANY, u, h)
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
	LATENCY(p90_lo_us, "lower end of the interval of p90"),
	LATENCY(p90_hi_us, "upper end of the interval of p90"),
	LATENCY(p95_lo_us, "lower end of the interval of p95"),
	LATENCY(p95_hi_us, "upper end of the interval of p95"),
	LATENCY(p99_lo_us, "lower end of the interval, or over published runs, of p99"),
	LATENCY(p99_hi_us, "upper end of the interval, or over published runs, of p99"),
	LATENCY(p999_lo_us, "lower end of the interval of p99.9"),
	LATENCY(p999_hi_us, "upper end of the interval of p99.9"),
	WORDS(percentile_of, "lat, or clat when submission is not in them; absent means lat"),
	NUMBER(n, 0, ANY, "", "samples behind the percentiles"),
	NUMBER(runtime_s, 0, ANY, "s", "how long it ran"),
	NUMBER(little_ratio, 0, ANY, "", "time of all requests in flight over depth x time, of imported results IOPS times mean latency over depth; 1 is sound"),
	NUMBER(submit_frac, 0, 1, "", "share of the latency spent inside submission"),
	RATE(asked_iops, "1/s", "open loop: rate asked for, latency from the intended start; absent: closed loop"),
	NUMBER(overload_frac, 0, 1, "", "open loop: share of arrivals that found the queue full"),
	NUMBERS(slice_iops, 0, "1/s", "rate of each slice, in order of time"),
	NUMBERS(bins_us, 0, "us", "histogram: middle of each bin that is not empty"),
	NUMBERS(bins_n, 0, "", "samples in each of these bins"),
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
	LATENCY(p50_lo_us, "lower end of the interval of the median"),
	LATENCY(p50_hi_us, "upper end of the interval of the median"),
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
	NUMBERS(slice_syncs, 0, "1/s", "rate of each slice, in order of time"),
	NUMBERS(bins_us, 0, "us", "histogram of write and sync together: middle of each bin"),
	NUMBERS(bins_n, 0, "", "samples in each of these bins"),
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
	NUMBER(read_ahead_kib, 0, ANY, "KiB", "how far the kernel reads ahead"),
	NUMBER(vcpus, 1, ANY, "", "processors seen"),
	NUMBER(ram_gib, 0, ANY, "GiB", "memory"),
	NUMBER(cpu_limit, 0, ANY, "", "processors that a control group allows"),
	WORDS(io_limit, "limit of a control group on this device, as the kernel writes it"),
	WORDS(virtualisation, "hypervisor or container, as far as known"),
	WORDS(cloud, "cloud provider, as far as the firmware tells"),
	NUMBER(clock_ns, 0, ANY, "ns", "cost of one clock read"),
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
	NUMBER(submit_chunk, 1, ANY, "", "most requests in one submission"),
	WORDS(payload, "what was written"),
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
	NUMBER(slices, 0, ANY, "", "slices kept"),
	NUMBER(slices_discarded, 0, ANY, "", "slices measured again or left out"),
	NUMBER(stamps_checked, 0, ANY, "", "blocks read whose stamp was checked"),
	NUMBER(stamps_wrong, 0, ANY, "", "of these, blocks that did not bring back what was written"),
	NUMBER(written_frac, 0, 1, "", "share of the area that is neither hole nor unwritten"),
	NUMBER(page_cached_frac, 0, 1, "", "share of the area in this machine's page cache afterwards"),
	NUMBER(compress_gain, 0, ANY, "", "speed of writing zeros over random data; 1: no compression"),
	FIELD_FLAG(T, client_bound, "whether this machine, not the disk, limited some cell"),
};
#undef T

#define T struct profile_knee
static const struct schema_field knee_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "what was done"),
	NUMBER(bs_b, 1, ANY, "B", "block size"),
	NUMBER(qd, 1e-6, 1e9, "", "depth from which more of it brings little"),
	RATE(iops, "1/s", "capacity: the rate of the plateau"),
	RATE(iops_lo, "1/s", "lower end of its 95 % interval"),
	RATE(iops_hi, "1/s", "upper end of its 95 % interval"),
	LATENCY(mean_us, "mean latency at that depth"),
	WORDS(limit, "what limits it: device, cap-iops, cap-mbps, throttle, client or unknown"),
	WORDS(why, "the evidence in words"),
};
#undef T

#define T struct profile_size_fit
static const struct schema_field size_fit_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "what was done"),
	NUMBER(from_b, 1, ANY, "B", "smallest size used"),
	NUMBER(to_b, 1, ANY, "B", "largest size used"),
	FIELD_WORD(T, form, &profile_size_form_names, false,
		"latency at depth 1: linear: a + b x size; cap: the longer of a and b x size"),
	FIELD_NUMBER(T, a_us, false, -ANY, ANY, "us", "a"),
	FIELD_NUMBER(T, b_us_per_kib, false, -ANY, ANY, "us/KiB", "b"),
	NUMBER(residual_frac, 0, ANY, "", "root mean square of the relative residuals"),
};
#undef T

#define T struct profile_series
static const struct schema_field series_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "what was done"),
	NUMBER(bs_b, 1, ANY, "B", "block size"),
	NUMBER(qd, 1e-6, 1e9, "", "depth"),
	NUMBER(bucket_s, 0, ANY, "s", "time each value stands for"),
	NUMBERS(mibps, 0, "MiB/s", "throughput, one value after another"),
	WORDS(verdict, "stable, dropped, rose, drifting, noisy or too-short"),
	NUMBER(change_s, 0, ANY, "s", "when it changed"),
	RATE(before_mibps, "MiB/s", "median of the level before the largest change"),
	RATE(after_mibps, "MiB/s", "median of the level after it"),
	NUMBER(end_over_start, 0, ANY, "", "rate at the end over that at the start"),
	NUMBER(written_b, 0, ANY, "B", "bytes moved up to the change, or in all"),
	WORDS(why, "the likely reason in words"),
};
#undef T

#define T struct profile_cache
static const struct schema_field cache_fields[] = {
	NUMBER(reads, 0, ANY, "", "reads of each kind"),
	LATENCY(cold_p50_us, "median of blocks read for the first time"),
	LATENCY(warm_p50_us, "median of the same blocks read again"),
	LATENCY(early_p50_us, "median in the part of the file written first"),
	NUMBER(warm_over_cold, 0, ANY, "", "how many times faster the second time was"),
	NUMBER(hit_frac, 0, 1, "", "share of first reads that were as fast as second ones"),
};
#undef T

#define T struct profile_readahead
static const struct schema_field readahead_fields[] = {
	NUMBER(read_ahead_kib, 0, ANY, "KiB", "how far the kernel reads ahead"),
	NUMBER(bs_b, 1, ANY, "B", "bytes asked for at a time"),
	RATE(on_mibps, "MiB/s", "sequential buffered reads with read-ahead"),
	RATE(off_mibps, "MiB/s", "the same without"),
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
static const struct schema knee_schema =
	SCHEMA_PART("where depth stops to help", struct profile_knee, knee_fields);
static const struct schema size_fit_schema =
	SCHEMA_PART("latency against size", struct profile_size_fit, size_fit_fields);
static const struct schema series_schema =
	SCHEMA_PART("the same load for a while", struct profile_series, series_fields);
static const struct schema cache_schema =
	SCHEMA_PART("the same blocks read twice", struct profile_cache, cache_fields);
static const struct schema readahead_schema =
	SCHEMA_PART("buffered sequential reads", struct profile_readahead, readahead_fields);
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
	FIELD_LIST(T, knees, n_knees, &knee_schema, false, "where more depth stops to help"),
	FIELD_LIST(T, size_fits, n_size_fits, &size_fit_schema, false, "latency against size"),
	FIELD_PART(T, first_write, &series_schema, false, "filling the file, from its start"),
	FIELD_PART(T, hold, &series_schema, false, "the same load for a while"),
	FIELD_PART(T, cache, &cache_schema, false, "the same blocks read twice"),
	FIELD_PART(T, readahead, &readahead_schema, false, "buffered sequential reads"),
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

void
profile_knee_clear(struct profile_knee *k)
{
	schema_clear(&knee_schema, k);
}

void
profile_size_fit_clear(struct profile_size_fit *f)
{
	schema_clear(&size_fit_schema, f);
}

void
profile_series_clear(struct profile_series *s)
{
	schema_clear(&series_schema, s);
}

void
profile_cache_clear(struct profile_cache *c)
{
	schema_clear(&cache_schema, c);
}

void
profile_readahead_clear(struct profile_readahead *r)
{
	schema_clear(&readahead_schema, r);
}
