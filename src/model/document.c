/*
 * document.c - the tables of "tierwise/model/1", and the words of the module's enums.
 */
#include "model/document.h"

#include "model/disk.h"

static const char *const form_table[] = {
	[MODEL_FORM_THREE] = "three",
	[MODEL_FORM_POWER] = "power",
	[MODEL_FORM_TWO] = "two",
	[MODEL_FORM_CONSTANT] = "constant",
};
_Static_assert(sizeof(form_table) / sizeof(form_table[0]) == MODEL_FORM_COUNT, "every form");
const struct names model_form_names = {"curve form", form_table, MODEL_FORM_COUNT};

static const char *const statistic_table[] = {
	[MODEL_MEAN] = "mean",
	[MODEL_P50] = "p50",
	[MODEL_P99] = "p99",
	[MODEL_P999] = "p999",
};
_Static_assert(sizeof(statistic_table) / sizeof(statistic_table[0]) == MODEL_STATISTIC_COUNT,
	"every statistic");
const struct names model_statistic_names = {"statistic", statistic_table, MODEL_STATISTIC_COUNT};

static const char *const how_table[] = {
	[MODEL_INTERPOLATED] = "interpolated",
	[MODEL_CURVE] = "curve",
	[MODEL_EXTRAPOLATED] = "extrapolated",
	[MODEL_AT_CAP] = "at the cap",
};
_Static_assert(sizeof(how_table) / sizeof(how_table[0]) == MODEL_HOW_COUNT, "every way");
const struct names model_how_names = {"way of predicting", how_table, MODEL_HOW_COUNT};

/* One line a member. */
/* clang-format off */
#define ANY SCHEMA_ANY
#define NUMBER(m, u, h) FIELD_NUMBER(T, m, false, 0, ANY, u, h)
#define REAL(m, u, h) FIELD_NUMBER(T, m, false, -ANY, ANY, u, h)
#define WORDS(m, h) FIELD_TEXT(T, m, false, h)
#define ARRAY(m, u, h) FIELD_NUMBERS(T, m, n_##m, false, 0, ANY, u, h)
#define BETWEEN(m, lo, hi, u, h) NUMBER(m, u, h), NUMBER(lo, u, "lower end of its 95 % interval"), \
	NUMBER(hi, u, "upper end of its 95 % interval")

#define T struct model_curve
static const struct schema_field curve_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "operation"),
	FIELD_NUMBER(T, bs_b, true, 1, ANY, "B", "block size"),
	FIELD_WORD(T, form, &model_form_names, true, "form of the curve"),
	BETWEEN(l1_us, l1_lo_us, l1_hi_us, "us", "light latency: with one I/O outstanding"),
	BETWEEN(c_us, c_lo_us, c_hi_us, "us", "form three: latency each further request adds"),
	BETWEEN(g, g_lo, g_hi, "", "form power: exponent of latency over depth"),
	BETWEEN(wall_iops, wall_lo_iops, wall_hi_iops, "1/s", "wall; absent: the data do not show one"),
	FIELD_FLAG(T, wall_reached, "whether the wall is a value; else the data give a lower bound"),
	NUMBER(x_inf_iops, "1/s", "saturation throughput of wall and slope; a lower bound when the wall was not reached"),
	NUMBER(knee_qd, "", "depth at which the wall begins"),
	NUMBER(efficient_qd, "", "depth at which latency is 1.5 times the light one"),
	REAL(growth, "", "exponent of throughput over the last two depths: under 0.1 the wall shows, over 0.3 the data give a lower bound"),
	NUMBER(residual_frac, "", "sqrt(RSS / (points - parameters)), relative"),
	NUMBER(rss, "", "sum of squared residuals in ln latency"),
	NUMBER(n_points, "", "depths behind the curve"),
	NUMBER(qd_min, "", "least depth measured"),
	NUMBER(qd_max, "", "largest depth measured; beyond, answers are extrapolated"),
	FIELD_TEXTS(T, flags, n_flags, false, "codes of the findings about this curve"),
	NUMBER(dof, "", "points less parameters"),
	FIELD_NUMBERS(T, cov, n_cov, false, -ANY, ANY, "", "(J'J)^-1 of the parameters, row by row"),
	ARRAY(qd, "", "depths, ascending"),
	ARRAY(iops, "1/s", "IOPS at each depth"),
	ARRAY(mean_us, "us", "mean latency at each depth"),
	ARRAY(p50_us, "us", "median at each depth"),
	ARRAY(p99_us, "us", "99th percentile at each depth"),
	ARRAY(p999_us, "us", "99.9th percentile at each depth"),
	ARRAY(mean_lo_us, "us", "lower end of the interval of the mean"),
	ARRAY(mean_hi_us, "us", "upper end of the interval of the mean"),
	ARRAY(p99_lo_us, "us", "lower end of the interval of p99"),
	ARRAY(p99_hi_us, "us", "upper end of the interval of p99"),
	ARRAY(p999_lo_us, "us", "lower end of the interval of p99.9"),
	ARRAY(p999_hi_us, "us", "upper end of the interval of p99.9"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

#define T struct model_size
static const struct schema_field size_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "operation"),
	FIELD_NUMBER(T, qd, true, 1e-6, ANY, "", "outstanding I/O"),
	NUMBER(p, "", "exponent: 1 one I/O after another, 2 behind a link; absent: exactly the lesser of i0 and b / size"),
	BETWEEN(i0_iops, i0_lo_iops, i0_hi_iops, "1/s", "IOPS of vanishing blocks"),
	BETWEEN(b_mibps, b_lo_mibps, b_hi_mibps, "MiB/s", "bandwidth of endless blocks"),
	NUMBER(a_us, "us", "p = 1: time of a command"),
	NUMBER(b_us_per_kib, "us/KiB", "p = 1: time of a KiB"),
	NUMBER(residual_frac, "", "sqrt(RSS / (points - 2)), relative"),
	NUMBER(max_error_frac, "", "largest error over the points of the law, relative"),
	NUMBER(knee_b, "B", "block size at which command and transfer weigh the same, or where the points break"),
	NUMBER(knee_lo_b, "B", "a break: last size before it"),
	NUMBER(knee_hi_b, "B", "a break: first size behind it"),
	FIELD_FLAG(T, knee_measured, "the points break there: two straight pieces tell them better than a law"),
	NUMBER(block_b, "B", "writes: physical block; smaller writes and odd sizes are no part of the law"),
	NUMBER(bs_min_b, "B", "smallest size measured"),
	NUMBER(bs_max_b, "B", "largest size measured"),
	ARRAY(bs_b, "B", "block sizes, ascending"),
	ARRAY(iops, "1/s", "IOPS at each"),
	ARRAY(mean_us, "us", "mean latency at each"),
	ARRAY(p50_us, "us", "median at each"),
	ARRAY(p99_us, "us", "99th percentile at each"),
	ARRAY(p999_us, "us", "99.9th percentile at each"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

#define T struct model_sync
static const struct schema_field sync_fields[] = {
	FIELD_WORD(T, mode, &profile_sync_mode_names, true, "how the write was made durable"),
	FIELD_WORD(T, pattern, &profile_pattern_names, false, "whether the file grew"),
	NUMBER(bs_b, "B", "bytes written before each sync"),
	NUMBER(writers, "", "threads that wrote and synced"),
	BETWEEN(mean_us, mean_lo_us, mean_hi_us, "us", "mean of write and sync"),
	NUMBER(p50_us, "us", "median"),
	BETWEEN(p99_us, p99_lo_us, p99_hi_us, "us", "99th percentile"),
	NUMBER(p999_us, "us", "99.9th percentile"),
	NUMBER(syncs_per_s, "1/s", "syncs a second, all writers together"),
	REAL(lognormal_mu, "", "mean of ln us, from the median"),
	NUMBER(lognormal_sigma, "", "spread of ln us, from median and p99"),
	FIELD_WORD(T, trust, &trust_names, false, "where it comes from"),
};
#undef T

#define T struct model_commit
static const struct schema_field commit_fields[] = {
	FIELD_WORD(T, mode, &profile_sync_mode_names, true, "how the write was made durable"),
	FIELD_WORD(T, pattern, &profile_pattern_names, false, "whether the file grew"),
	NUMBER(bs_b, "B", "bytes written before each sync"),
	NUMBER(flush_us, "us", "mean commit of one writer"),
	NUMBER(group_frac, "", "rate at the most writers over the closed form of group commit"),
	ARRAY(writers, "", "writers at once, ascending"),
	ARRAY(syncs_per_s, "1/s", "commits a second of all of them"),
	ARRAY(syncs_lo, "1/s", "lower end of the interval"),
	ARRAY(syncs_hi, "1/s", "upper end of the interval"),
	ARRAY(mean_us, "us", "mean of one commit"),
	ARRAY(mean_lo_us, "us", "lower end of the interval of the mean"),
	ARRAY(mean_hi_us, "us", "upper end of the interval of the mean"),
	ARRAY(p50_us, "us", "median of one commit"),
	ARRAY(p99_us, "us", "99th percentile of one commit"),
	ARRAY(p999_us, "us", "99.9th percentile of one commit"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

#define T struct model_flush
static const struct schema_field flush_fields[] = {
	FIELD_WORD(T, mode, &profile_sync_mode_names, true, "how the write was made durable"),
	FIELD_WORD(T, pattern, &profile_pattern_names, false, "whether the file grew"),
	BETWEEN(f0_us, f0_lo_us, f0_hi_us, "us", "flush that carries nothing"),
	BETWEEN(b_mibps, b_lo_mibps, b_hi_mibps, "MiB/s", "bytes a flush carries in time; absent: larger ones took no longer"),
	NUMBER(residual_frac, "", "sqrt(RSS / (points - 2)), relative"),
	ARRAY(bs_b, "B", "bytes of each flush, ascending"),
	ARRAY(mean_us, "us", "mean of one commit at each"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

#define T struct model_mix
static const struct schema_field mix_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "operation of the reads"),
	FIELD_NUMBER(T, bs_b, true, 1, ANY, "B", "block size"),
	BETWEEN(a, a_lo, a_hi, "", "exponent of (r/R0)^a + (w/W0)^a = 1: 1 one shared budget, less: they hinder each other, more: budgets of their own"),
	NUMBER(harmonic_frac, "", "total measured over 1 / (m/R0 + (1-m)/W0)"),
	ARRAY(read_frac, "", "shares of reads, ascending"),
	ARRAY(qd, "", "depth of each"),
	ARRAY(iops, "1/s", "reads and writes together"),
	ARRAY(iops_lo, "1/s", "lower end of the interval"),
	ARRAY(iops_hi, "1/s", "upper end of the interval"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

#define T struct model_load
static const struct schema_field load_fields[] = {
	FIELD_WORD(T, op, &profile_op_names, true, "operation"),
	FIELD_NUMBER(T, bs_b, true, 1, ANY, "B", "block size"),
	ARRAY(rate_iops, "1/s", "arrivals a second, ascending"),
	ARRAY(mean_us, "us", "mean latency from the intended start"),
	ARRAY(p50_us, "us", "median"),
	ARRAY(p99_us, "us", "99th percentile"),
	ARRAY(p999_us, "us", "99.9th percentile"),
	ARRAY(over_curve, "", "mean over what the closed-loop curve says at this rate"),
	FIELD_WORD(T, trust, &trust_names, false, "weakest source among the points"),
};
#undef T

const struct schema model_curve_schema =
	SCHEMA_PART("latency against depth", struct model_curve, curve_fields);
const struct schema model_size_schema =
	SCHEMA_PART("IOPS against block size", struct model_size, size_fields);
const struct schema model_sync_schema =
	SCHEMA_PART("durable writes", struct model_sync, sync_fields);
const struct schema model_commit_schema =
	SCHEMA_PART("commits against writers", struct model_commit, commit_fields);
const struct schema model_flush_schema =
	SCHEMA_PART("one flush against its bytes", struct model_flush, flush_fields);
const struct schema model_mix_schema =
	SCHEMA_PART("reads and writes at once", struct model_mix, mix_fields);
const struct schema model_load_schema =
	SCHEMA_PART("latency at arrival rates", struct model_load, load_fields);

#define T struct disk_model
static const struct schema_field model_fields[] = {
	WORDS(name, "name of the disk"),
	WORDS(family, "tier it stands for, as in azure/premium_ssd"),
	WORDS(sku, "exact SKU when it stands for one"),
	FIELD_WORD(T, device, &profile_device_names, false, "kind of device"),
	WORDS(profile_name, "profile it was fitted from"),
	WORDS(profile_sha256, "SHA-256 of that file"),
	WORDS(source, "where the figures come from"),
	WORDS(as_of, "their date"),
	FIELD_WORD(T, trust, &trust_names, false, "class of the figures"),
	NUMBER(quota_iops, "1/s", "IOPS the seller allows; absent: no quota stated"),
	NUMBER(quota_mbps, "MB/s", "throughput the seller allows, 10^6 bytes"),
	NUMBER(quota_write_iops, "1/s", "the same for writes; absent: as quota_iops"),
	NUMBER(quota_write_mbps, "MB/s", "the same for writes; absent: as quota_mbps"),
	NUMBER(physical_block_b, "B", "physical block as stated, 4 KiB at least"),
	NUMBER(rmw_frac, "", "rate of writes below the physical block over the rate at it; absent: unknown"),
	FIELD_WORD(T, rmw_trust, &trust_names, false, "where rmw_frac comes from"),
	FIELD_LIST(T, curves, n_curves, &model_curve_schema, false, "latency against depth"),
	FIELD_LIST(T, sizes, n_sizes, &model_size_schema, false, "IOPS against block size"),
	FIELD_LIST(T, syncs, n_syncs, &model_sync_schema, false, "durable writes"),
	FIELD_LIST(T, commits, n_commits, &model_commit_schema, false, "commits against writers"),
	FIELD_LIST(T, flushes, n_flushes, &model_flush_schema, false, "one flush against its bytes"),
	FIELD_LIST(T, mixes, n_mixes, &model_mix_schema, false, "reads and writes at once"),
	FIELD_LIST(T, loads, n_loads, &model_load_schema, false, "latency at arrival rates (open loop)"),
	FIELD_LIST(T, findings, n_findings, &finding_schema, false, "what a report must repeat"),
};
#undef T
/* clang-format on */

const struct schema disk_model_schema = SCHEMA_DOCUMENT("tierwise/model/1",
	"a disk as fitted curves: latency against depth, IOPS against block size, durable writes",
	struct disk_model, model_fields);

int
disk_model_load(
	const char *path, struct arena *a, struct disk_model *m, char sha256[65], struct err *err)
{
	return schema_load(&disk_model_schema, path, a, m, sha256, err);
}
