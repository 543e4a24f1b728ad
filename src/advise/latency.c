#include "advise/latency.h"

#include <math.h>
#include <string.h>

#include "base/trust.h"
#include "base/units.h"
#include "model/db_disk.h"

static bool
same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* "premium_ssd" and "azure/premium_ssd" name the same tier. */
static bool
same_family(const struct advise_input *in, const char *given, const char *family)
{
	if (!given)
		return false;
	const char *provider = in->limits->provider;
	size_t n = provider ? strlen(provider) : 0;
	if (n && strncmp(given, provider, n) == 0 && given[n] == '/')
		given += n + 1;
	return same(given, family);
}

enum { NO_MATCH, BY_ROLE, BY_FAMILY, BY_SKU };

/* A profile that names its own tier speaks only for that, even when given for a role. */
static bool
own_tier_allows(const struct advise_input *in, const struct disk_model *m, const char *family,
	const char *sku)
{
	if (m->sku)
		return same(m->sku, sku);
	return !m->family || same_family(in, m->family, family);
}

static int
match_of(const struct advise_input *in, const struct advise_model *m, const char *family,
	const char *sku, const char *role)
{
	if (!m->key) {
		if (same(m->model->sku, sku))
			return BY_SKU;
		return !m->model->sku && same_family(in, m->model->family, family) ? BY_FAMILY
										   : NO_MATCH;
	}
	if (same(m->key, sku))
		return BY_SKU;
	if (same_family(in, m->key, family))
		return BY_FAMILY;
	return same(m->key, role) && own_tier_allows(in, m->model, family, sku) ? BY_ROLE
										: NO_MATCH;
}

const struct advise_model *
latency_model(const struct advise_input *in, const char *family, const char *sku, const char *role)
{
	const struct advise_model *best = NULL;
	int best_match = NO_MATCH;
	for (int given = 1; given >= 0 && !best; given--) {
		for (size_t i = 0; i < in->n_models; i++) {
			const struct advise_model *m = &in->models[i];
			int match = (m->key != NULL) == given ? match_of(in, m, family, sku, role)
							      : NO_MATCH;
			/* the later of two equal ones: a repeated --profile replaces */
			if (match != NO_MATCH && match >= best_match) {
				best = m;
				best_match = match;
			}
		}
	}
	return best;
}

bool
latency_known(const struct estimate *e)
{
	return !isnan(e->value);
}

static const struct estimate unknown = {.value = (double)NAN,
	.lo = (double)NAN,
	.hi = (double)NAN,
	.trust = TRUST_ASSUMED,
	.how = MODEL_EXTRAPOLATED};

/* Keep the first reason for an unknown, and the weakest trust of the known. */
static void
note(struct latency *out, struct arena *a, int rc, const struct err *err, struct estimate *e)
{
	if (rc == 0 && isnan(e->value))
		rc = ERR_UNSUPPORTED;
	if (rc == 0) {
		if (e->trust > out->trust)
			out->trust = e->trust;
		return;
	}
	*e = unknown;
	if (!out->unknown)
		out->unknown = arena_strdup(a, err->text[0] ? err->text : "not in the profile");
}

static void
predict_one(struct db_disk *disk, enum profile_op op, const struct db_load *load,
	enum model_statistic stat, struct latency *out, struct arena *a, struct estimate *e)
{
	struct err err = {0};
	*e = unknown;
	int rc = db_disk_latency(disk, op, load, stat, e, &err);
	note(out, a, rc, &err, e);
}

static void
predict_commit(struct db_disk *disk, const struct db_load *load, double commit_kib,
	enum model_statistic stat, struct latency *out, struct arena *a, struct estimate *e)
{
	struct err err = {0};
	*e = unknown;
	int rc = db_disk_flush(disk, load, commit_kib * UNITS_KIB, stat, e, &err);
	note(out, a, rc, &err, e);
}

static double
number(double v)
{
	return isnan(v) ? 0 : v;
}

static const char *
source_of(const struct advise_model *m, struct arena *a)
{
	const struct disk_model *d = m->model;
	return arena_printf(a, "%s%s%s%s", d->name ? d->name : "profile", d->as_of ? ", " : "",
		d->as_of ? d->as_of : "", m->key ? " (given with --profile)" : "");
}

/* The wall was measured on this very size, and is not a rate that somebody bought. */
static bool
wall_counts(const struct advise_model *m, const struct latency_ask *ask)
{
	bool own = same(m->model->sku, ask->disk->sku) || same(m->key, ask->disk->sku);
	return !m->light || isnan(ask->caps->iops) ||
	       (own && !disk_limit_is_provisioned(ask->disk));
}

void
latency_predict(const struct advise_model *m, const struct latency_ask *ask, struct arena *a,
	struct latency *out)
{
	const struct demand *d = ask->demand;
	double commit_kib = ask->commit_kib;
	*out = (struct latency){.read_mean = unknown,
		.read_p99 = unknown,
		.write_mean = unknown,
		.write_p99 = unknown,
		.commit_mean = unknown,
		.commit_p99 = unknown,
		.trust = TRUST_MEASURED};
	if (!m) {
		out->unknown = "no profile speaks for this tier";
		out->trust = TRUST_ASSUMED;
		return;
	}
	if (isnan(d->io_kib) && isnan(commit_kib)) {
		out->unknown = "streams only, or no I/O known: no single I/O to time";
		out->trust = TRUST_ASSUMED;
		return;
	}
	out->model = wall_counts(m, ask) ? m->model : m->light;
	out->source = source_of(m, a);
	struct db_disk disk;
	db_disk_clear(&disk);
	disk.model = out->model;
	disk.caps = *ask->caps;
	bool log = d->volume->role == WORKLOAD_WAL && d->one_writer;
	struct db_load load = {.io_kib = isnan(d->io_kib) ? commit_kib : d->io_kib};
	if (!log) { /* a log of its own is written by one commit after another, and by nothing else */
		load.read_iops = number(d->read_iops);
		load.write_iops = number(d->write_iops);
		load.read_mibps = number(d->stream_mbps) * UNITS_MB / UNITS_MIB;
	}
	if (!isnan(commit_kib)) {
		predict_commit(&disk, &load, commit_kib, MODEL_MEAN, out, a, &out->commit_mean);
		predict_commit(&disk, &load, commit_kib, MODEL_P99, out, a, &out->commit_p99);
	}
	if (log || isnan(d->io_kib))
		return; /* commits alone; nothing but streams */
	predict_one(&disk, PROFILE_OP_RANDREAD, &load, MODEL_MEAN, out, a, &out->read_mean);
	predict_one(&disk, PROFILE_OP_RANDREAD, &load, MODEL_P99, out, a, &out->read_p99);
	predict_one(&disk, PROFILE_OP_RANDWRITE, &load, MODEL_MEAN, out, a, &out->write_mean);
	predict_one(&disk, PROFILE_OP_RANDWRITE, &load, MODEL_P99, out, a, &out->write_p99);
}
