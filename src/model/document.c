/*
 * document.c - the tables of "tierwise/model/1", and the words of the module's enums.
 */
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
	NUMBER(residual_frac, "", "sqrt(RSS / (points - parameters)), relative"),
	NUMBER(rss, "", "sum of squared residuals in ln latency"),
	NUMBER(n_points, "", "depths behind the curve"),
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
	NUMBER(p, "", "exponent: 1 one I/O after another, 2 behind a link"),
	BETWEEN(i0_iops, i0_lo_iops, i0_hi_iops, "1/s", "IOPS of vanishing blocks"),
	BETWEEN(b_mibps, b_lo_mibps, b_hi_mibps, "MiB/s", "bandwidth of endless blocks"),
	NUMBER(a_us, "us", "p = 1: time of a command"),
	NUMBER(b_us_per_kib, "us/KiB", "p = 1: time of a KiB"),
	NUMBER(residual_frac, "", "sqrt(RSS / (points - 2)), relative"),
	NUMBER(max_error_frac, "", "largest error over the points, relative"),
	NUMBER(knee_b, "B", "block size at which command and transfer weigh the same"),
	ARRAY(bs_b, "B", "block sizes, ascending"),
	ARRAY(iops, "1/s", "IOPS at each"),
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

static const struct schema curve_schema =
	SCHEMA_PART("latency against depth", struct model_curve, curve_fields);
static const struct schema size_schema =
	SCHEMA_PART("IOPS against block size", struct model_size, size_fields);
static const struct schema sync_schema =
	SCHEMA_PART("durable writes", struct model_sync, sync_fields);

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
	FIELD_LIST(T, curves, n_curves, &curve_schema, false, "latency against depth"),
	FIELD_LIST(T, sizes, n_sizes, &size_schema, false, "IOPS against block size"),
	FIELD_LIST(T, syncs, n_syncs, &sync_schema, false, "durable writes"),
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
