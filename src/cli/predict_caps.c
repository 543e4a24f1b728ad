/*
 * predict_caps.c - the caps of a SKU for `tierwise predict --sku`, from the provider's limits.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/predict_parts.h"

/* "azure" and "P30" of "azure/P30"; the model's provider when the SKU names none. */
static int
split(struct predict_sold *a, const struct disk_model *m, const char **provider, const char **sku,
	struct err *err)
{
	const char *slash = strchr(a->sku, '/');
	const char *of = slash ? a->sku : m->family;
	const char *end = of ? strchr(of, '/') : NULL;
	if (!end)
		return err_set(err, ERR_USAGE,
			"--sku %.60s: the model names no provider: PROVIDER/SKU, as in azure/P30",
			a->sku);
	*sku = slash ? slash + 1 : a->sku;
	if (end == of || !**sku)
		return err_set(err, ERR_USAGE, "--sku \"%.60s\": [PROVIDER/]NAME, as in azure/P30",
			a->sku);
	*provider = arena_strndup(&a->common->arena, of, (size_t)(end - of));
	return *provider ? 0 : err_nomem(err);
}

static int
find(struct predict_sold *a, const char *provider, const char *sku, const struct disk_limit **disk,
	struct err *err)
{
	struct arena *arena = &a->common->arena;
	const char *name = arena_printf(arena, "pricing/limits-%s.json", provider);
	struct limits *limits = arena_alloc(arena, sizeof(*limits));
	if (!name || !limits)
		return err_nomem(err);
	const char *path = cli_data_path(a->common, name, err);
	if (!path)
		return (int)err->code;
	if (strchr(provider, '.') || !file_exists(path))
		return err_set(err, ERR_NOT_FOUND,
			"--sku %.60s: no limits of %.40s (%s): give --sku-iops and --sku-mbps",
			a->sku, provider, path);
	int rc = limits_load(path, arena, limits, NULL, err);
	if (rc == 0 && limits_disk(limits, sku, disk, err))
		rc = err_context(err, "--sku");
	return rc;
}

/* One cap: as sold, or what was given when it can be bought between lo and hi. */
static int
cap(const char *option, const struct disk_limit *disk, double lo, double hi, double sold,
	double *value, struct err *err)
{
	if (isnan(*value)) {
		*value = sold;
		return 0;
	}
	if (isnan(sold) && isnan(hi))
		return 0; /* the documents say nothing against it */
	if (!isnan(sold) && !(hi > sold) && *value != sold)
		return err_set(err, ERR_USAGE, "%s %.10g: %s is sold with %.10g and nothing else",
			option, *value, disk->sku, sold);
	lo = isnan(lo) ? 1 : lo;
	if (*value < lo || *value > hi)
		return err_set(err, ERR_RANGE, "%s %.10g: %s takes %.10g .. %.10g", option, *value,
			disk->sku, lo, hi);
	return 0;
}

static int
complete(struct predict_sold *a, const struct disk_limit *disk, struct err *err)
{
	double base = disk_limit_base_mbps(disk);
	int rc = cap("--sku-iops", disk, disk->iops_min, disk_limit_iops(disk, INFINITY),
		disk->iops_base, &a->caps->iops, err);
	if (rc == 0)
		rc = cap("--sku-mbps", disk, disk->mbps_min, disk_limit_mbps(disk, a->caps->iops),
			base, &a->caps->mbps, err);
	if (rc)
		return rc;
	if (isnan(a->caps->iops) && isnan(a->caps->mbps))
		return err_set(err, ERR_UNSUPPORTED,
			"--sku %.60s: its documents state neither IOPS nor MB/s: give --sku-iops "
			"and --sku-mbps",
			a->sku);
	if (isnan(a->caps->io_unit_kib))
		a->caps->io_unit_kib = disk->io_unit_kib;
	return 0;
}

static void
say(const struct predict_sold *a, const struct disk_limit *disk, struct doc *d)
{
	char iops[32], mbps[32];
	units_count_text(a->caps->iops, iops);
	units_count_text(a->caps->mbps, mbps);
	doc_paragraph(d, "Caps of each %s: %s IOPS, %s MB/s (limits of %s).", disk->sku, iops, mbps,
		disk->as_of ? disk->as_of : "unknown date");
}

/* What the model stands for against what is asked for. */
static int
fit_to(struct predict_sold *a, struct disk_model *m, const struct disk_limit *disk, struct doc *d,
	struct err *err)
{
	const char *slash = m->family ? strchr(m->family, '/') : NULL;
	if (slash && disk->family && strcmp(slash + 1, disk->family) != 0)
		doc_callout(d, DOC_WARNING,
			"the model is one of %s, %s is %s: its latency is another", m->family,
			disk->sku, disk->family);
	bool own = m->sku && strcmp(m->sku, disk->sku) == 0;
	if (own || m->device != PROFILE_DEVICE_CLOUD)
		return 0;
	if (m->sku)
		doc_paragraph(d,
			"Measured on %s: its light latency counts for %s, its wall does not.",
			m->sku, disk->sku);
	else
		doc_paragraph(d, "The model names no size of its tier: its light latency counts, "
				 "its wall does "
				 "not.");
	struct disk_model whole = *m;
	return disk_model_light(&whole, &a->common->arena, m, err);
}

int
predict_caps(struct predict_sold *a, struct disk_model *m, struct doc *d, struct err *err)
{
	const char *provider = NULL, *sku = NULL;
	const struct disk_limit *disk = NULL;
	if (!a->sku)
		return 0;
	int rc = split(a, m, &provider, &sku, err);
	if (rc || !provider || !sku)
		return rc;
	rc = find(a, provider, sku, &disk, err);
	if (rc || !disk)
		return rc;
	rc = complete(a, disk, err);
	if (rc)
		return rc;
	say(a, disk, d);
	return fit_to(a, m, disk, d, err);
}

/* "azure" of "azure/premium_ssd", and what follows; false: neither. */
static bool
family_of(struct cli_common *c, const struct disk_model *m, const char **provider,
	const char **family)
{
	const char *slash = m->family ? strchr(m->family, '/') : NULL;
	if (m->device != PROFILE_DEVICE_CLOUD || !slash || slash == m->family || !slash[1] ||
		memchr(m->family, '.', (size_t)(slash - m->family)))
		return false;
	*provider = arena_strndup(&c->arena, m->family, (size_t)(slash - m->family));
	*family = slash + 1;
	return *provider != NULL;
}

static void
keep_most(const struct limits *limits, const char *family, struct predict_family *f)
{
	for (size_t i = 0; i < limits->n_disks; i++) {
		const struct disk_limit *d = &limits->disks[i];
		if (!d->family || strcmp(d->family, family) != 0 || d->superseded == 1)
			continue;
		/* fmax skips NaN */
		double most = fmax(disk_limit_iops(d, d->size_gib_max), d->iops_perf_plus);
		if (isnan(most) || most < f->iops) /* of equals the largest */
			continue;
		f->iops = most;
		f->sku = d->sku;
		f->as_of = d->as_of ? d->as_of : limits->as_of;
	}
	f->title = limits_title(limits, family);
}

int
predict_family_limit(struct cli_common *c, const struct disk_model *m,
	struct predict_family *family, struct err *err)
{
	const char *provider = NULL, *name = NULL;
	*family = (struct predict_family){.iops = (double)NAN};
	if (!family_of(c, m, &provider, &name))
		return 0;
	const char *file = arena_printf(&c->arena, "pricing/limits-%s.json", provider);
	struct limits *limits = arena_alloc(&c->arena, sizeof(*limits));
	if (!file || !limits)
		return err_nomem(err);
	const char *path = cli_data_path(c, file, err);
	if (!path)
		return (int)err->code;
	if (!file_exists(path))
		return 0;
	int rc = limits_load(path, &c->arena, limits, NULL, err);
	if (rc == 0)
		keep_most(limits, name, family);
	return rc;
}
