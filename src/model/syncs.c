/*
 * syncs.c - what a commit waits for: entries of the profile, and the answer for a block size.
 */
#include <math.h>

#include "model/commits.h"
#include "model/predict.h"
#include "model/ratio.h"
#include "model/sizes.h"

static struct model_sync
sync_of(const struct profile *p, const struct profile_sync *s)
{
	struct model_sync m = {.mode = s->mode,
		.pattern = s->pattern,
		.bs_b = s->bs_b,
		.writers = isnan(s->writers) ? 1 : s->writers,
		.mean_us = s->mean_us,
		.p50_us = s->p50_us,
		.p99_us = s->p99_us,
		.p999_us = s->p999_us,
		.syncs_per_s = s->syncs_per_s,
		.mean_lo_us = s->mean_lo_us,
		.mean_hi_us = s->mean_hi_us,
		.p99_lo_us = s->p99_lo_us,
		.p99_hi_us = s->p99_hi_us,
		.lognormal_mu = (double)NAN,
		.lognormal_sigma = (double)NAN,
		.trust = s->trust < 0 ? p->trust : s->trust};
	if (s->p50_us > 0 && s->p99_us >= s->p50_us) {
		m.lognormal_mu = log(s->p50_us);
		m.lognormal_sigma = log(s->p99_us / s->p50_us) / 2.326348; /* z of 0.99 */
	}
	return m;
}

int
sizes_syncs(const struct profile *p, struct arena *a, struct disk_model *m, struct err *err)
{
	if (p->n_syncs == 0)
		return 0;
	m->syncs = arena_array(a, p->n_syncs, sizeof(*m->syncs));
	if (!m->syncs)
		return err_nomem(err);
	for (size_t i = 0; i < p->n_syncs; i++)
		m->syncs[i] = sync_of(p, &p->syncs[i]);
	m->n_syncs = p->n_syncs;
	return 0;
}

/* fdatasync before fsync before O_DSYNC. */
int
commits_mode_rank(int mode)
{
	static const int order[] = {
		[PROFILE_SYNC_FDATASYNC] = 0,
		[PROFILE_SYNC_FSYNC] = 1,
		[PROFILE_SYNC_ODSYNC_DIRECT] = 2,
		[PROFILE_SYNC_ODSYNC] = 3,
	};
	_Static_assert(sizeof(order) / sizeof(order[0]) == PROFILE_SYNC_COUNT, "every mode");
	return mode >= 0 && mode < PROFILE_SYNC_COUNT ? order[mode] : PROFILE_SYNC_COUNT;
}

static double
known(const struct model_sync *s, enum model_statistic stat)
{
	switch (stat) {
	case MODEL_MEAN:
		return s->mean_us;
	case MODEL_P50:
		return s->p50_us;
	case MODEL_P99:
		return s->p99_us;
	case MODEL_P999:
		return s->p999_us;
	case MODEL_STATISTIC_COUNT:
		break;
	}
	return (double)NAN;
}

/* As measured; one writer at a time: the rate is the mean.  NaN: not known. */
static double
exact(const struct model_sync *s, enum model_statistic stat)
{
	double v = known(s, stat);
	if (isnan(v) && stat == MODEL_MEAN && s->writers == 1 && s->syncs_per_s > 0)
		v = 1e6 / s->syncs_per_s;
	return v;
}

/* Databases recycle or preallocate their log: overwriting before what is not said, then appending. */
int
commits_pattern_rank(int pattern)
{
	return pattern == PROFILE_OVERWRITE ? 0 : pattern == PROFILE_APPEND ? 2 : 1;
}

/* Better: the preferred mode, one writer, overwriting, then the closest block size. */
static bool
better(const struct model_sync *a, const struct model_sync *b, double bs_b)
{
	if (commits_mode_rank(a->mode) != commits_mode_rank(b->mode))
		return commits_mode_rank(a->mode) < commits_mode_rank(b->mode);
	if (a->writers != b->writers)
		return a->writers < b->writers;
	if (commits_pattern_rank(a->pattern) != commits_pattern_rank(b->pattern))
		return commits_pattern_rank(a->pattern) < commits_pattern_rank(b->pattern);
	return fabs(log(a->bs_b / bs_b)) < fabs(log(b->bs_b / bs_b));
}

/* pattern: -1 any. */
static const struct model_sync *
closest(const struct disk_model *m, double bs_b, int pattern)
{
	const struct model_sync *best = NULL;
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		bool any = !isnan(s->mean_us) || !isnan(s->p50_us) || !isnan(s->p99_us) ||
			   s->syncs_per_s > 0;
		any = any && (pattern < 0 || s->pattern == pattern);
		if (s->bs_b > 0 && any && (!best || better(s, best, bs_b)))
			best = s;
	}
	return best;
}

static bool
same_kind(const struct model_sync *a, const struct model_sync *b)
{
	return a->mode == b->mode && a->pattern == b->pattern && a->writers == b->writers;
}

/* The sizes of a kind that know a statistic: the closest up to a size, the closest from it on. */
struct around {
	const struct model_sync *below, *above;
};

static struct around
around(const struct disk_model *m, const struct model_sync *kind, enum model_statistic stat,
	double bs_b)
{
	struct around r = {NULL, NULL};
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		if (!same_kind(s, kind) || !(s->bs_b > 0) || !(exact(s, stat) > 0))
			continue;
		if (s->bs_b <= bs_b && (!r.below || s->bs_b > r.below->bs_b))
			r.below = s;
		if (s->bs_b >= bs_b && (!r.above || s->bs_b < r.above->bs_b))
			r.above = s;
	}
	return r;
}

/* a + b bs through two sizes; never below the smaller one's share of the command. */
static double
scaled(double v0, double bs0, double v1, double bs1, double bs_b)
{
	double b = (v1 - v0) / (bs1 - bs0);
	if (b < 0)
		return fmax(v0, v1); /* noise: a larger write is not faster */
	return fmax(v0 + b * (bs_b - bs0), 0.5 * fmin(v0, v1));
}

/* What the interval at a measured size is to its value, at another value. */
static void
widen(const struct model_sync *s, enum model_statistic stat, struct estimate *us)
{
	double lo = (double)NAN, hi = (double)NAN;
	if (stat == MODEL_MEAN) {
		lo = s->mean_lo_us;
		hi = s->mean_hi_us;
	} else if (stat == MODEL_P99) {
		lo = s->p99_lo_us;
		hi = s->p99_hi_us;
	}
	/* run-to-run noise is 9 % at its 95th percentile whatever one run says */
	double scale = us->value / exact(s, stat), noise = us->value / predict_noise;
	us->lo = fmin(us->lo, isnan(lo) ? noise : fmin(noise, lo * scale));
	noise = us->value * predict_noise;
	us->hi = fmax(us->hi, isnan(hi) ? noise : fmax(noise, hi * scale));
}

static void
assumed_interval(const struct disk_model *m, enum model_statistic stat, struct estimate *us)
{
	struct ratio r = ratio_of(m->device, PROFILE_OP_RANDWRITE, stat, false);
	us->lo = us->value * r.lo / r.value;
	us->hi = us->value * r.hi / r.value;
}

/*
 * In place of a sync: a completed write of a provider's disk is durable; one of any other disk may
 * sit in a volatile cache, and the sync after it may take a hundred times as long.
 */
static int
plain_write(const struct disk_model *m, double bs_b, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	if (m->device != PROFILE_DEVICE_CLOUD)
		return err_set(err, ERR_UNSUPPORTED,
			"no durable write was measured, and a plain write of this device may end "
			"in a "
			"volatile cache: measure one with tierwise bench, or say \"device\": "
			"\"cloud\" "
			"when every completed write is durable");
	struct estimate e;
	int rc = disk_latency_at_qd(m, PROFILE_OP_RANDWRITE, bs_b, 1, NULL, stat, &e, err);
	if (rc)
		return err_context(err, "no durable write was measured, and");
	e.trust = TRUST_ASSUMED;
	e.how = MODEL_EXTRAPOLATED;
	*us = e;
	return 0;
}

/* A plain write of the size; on platters a log is written without a seek.  NaN: the model cannot say. */
static struct estimate
log_write(const struct disk_model *m, double bs_b)
{
	bool platters = m->device == PROFILE_DEVICE_HDD || m->device == PROFILE_DEVICE_RAID_HDD;
	const enum profile_op ops[] = {platters ? PROFILE_OP_WRITE : PROFILE_OP_RANDWRITE,
		platters ? PROFILE_OP_RANDWRITE : PROFILE_OP_WRITE};
	struct estimate e;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (disk_latency_at_qd(m, ops[i], bs_b, 1, NULL, MODEL_MEAN, &e, NULL) == 0)
			return e;
	return (struct estimate){.value = (double)NAN};
}

/*
 * Beyond the measured sizes a commit still holds the write of its bytes: it takes no less than a plain
 * write of that size or than its bytes at the seller's rate, and at most (the upper end) one after the other.
 * A model whose commit beats its own plain write at `from_b`, the last size measured, has a log
 * faster than its writes, and only the seller's rate holds.
 */
static void
at_least_the_write(
	const struct disk_model *m, double from_b, double from_us, double bs_b, struct estimate *us)
{
	struct estimate own = log_write(m, from_b), w = log_write(m, bs_b);
	double quota = predict_quota(m, PROFILE_OP_RANDWRITE, bs_b), flush_hi_us = us->hi;
	if (isnan(w.value) || own.value > predict_noise * from_us)
		w = (struct estimate){.value = us->value, .lo = us->lo, .hi = us->hi};
	if (1e6 / quota > w.value)
		w = (struct estimate){.value = 1e6 / quota,
			.lo = 1e6 / (1.07 * quota), /* models.md 1.4: up to 7 % above the label */
			.hi = 1e6 / quota * predict_noise};
	if (w.value <= us->value)
		return;
	us->value = w.value;
	us->lo = w.lo;
	us->hi = w.hi + flush_hi_us;
}

static bool at_size(const struct disk_model *m, const struct model_sync *kind,
	enum model_statistic stat, double bs_b, struct estimate *us);

/* The next size of the kind behind the one at an end of the sizes; NULL: it is the only one. */
static const struct model_sync *
second(const struct disk_model *m, const struct model_sync *end, bool largest)
{
	double beside = nextafter(end->bs_b, largest ? 0 : INFINITY);
	struct around r = around(m, end, MODEL_MEAN, beside);
	return largest ? r.below : r.above;
}

/* Outside the sizes: the mean by a + b bs of the two at the end; a percentile shifts like it. */
static void
outside(const struct disk_model *m, const struct model_sync *end, enum model_statistic stat,
	double bs_b, struct estimate *us)
{
	bool beyond = end->bs_b < bs_b;
	double at_end = exact(end, stat);
	struct estimate mean, mean_end;
	const struct model_sync *other = stat == MODEL_MEAN ? second(m, end, beyond) : NULL;
	us->value = at_end;
	us->how = MODEL_EXTRAPOLATED;
	if (other)
		us->value = scaled(at_end, end->bs_b, exact(other, MODEL_MEAN), other->bs_b, bs_b);
	bool shifts = stat != MODEL_MEAN && at_size(m, end, MODEL_MEAN, bs_b, &mean) &&
		      at_size(m, end, MODEL_MEAN, end->bs_b, &mean_end);
	if (shifts)
		us->value = fmax(at_end + mean.value - mean_end.value, 0.5 * at_end);
	us->lo = us->hi = us->value;
	widen(end, stat, us);
	if (shifts && us->value > at_end)
		us->hi = fmax(us->hi, us->value + mean.hi - mean.value);
	if (beyond && !shifts)
		at_least_the_write(m, end->bs_b, at_end, bs_b, us);
	if (us->trust < TRUST_PUBLISHED) /* what was published stays that: nobody measured it */
		us->trust = TRUST_DERIVED;
}

/* A statistic of a kind that some of its sizes know; false: none does. */
static bool
at_size(const struct disk_model *m, const struct model_sync *kind, enum model_statistic stat,
	double bs_b, struct estimate *us)
{
	struct around r = around(m, kind, stat, bs_b);
	const struct model_sync *first = r.below ? r.below : r.above;
	if (!first)
		return false;
	*us = (struct estimate){.trust = first->trust, .how = MODEL_INTERPOLATED};
	if (!r.below || !r.above) {
		outside(m, first, stat, bs_b, us);
		return true;
	}
	us->value = exact(first, stat);
	if (r.below->bs_b < r.above->bs_b)
		us->value = scaled(
			us->value, first->bs_b, exact(r.above, stat), r.above->bs_b, bs_b);
	if (r.above->trust > us->trust)
		us->trust = r.above->trust;
	us->lo = us->hi = us->value;
	widen(r.below, stat, us);
	widen(r.above, stat, us);
	return true;
}

/* No size knows it: from another statistic and the ratios of the kind of device. */
static void
guess(const struct disk_model *m, const struct model_sync *kind, enum model_statistic stat,
	double bs_b, struct estimate *us)
{
	static const enum model_statistic from[] = {MODEL_MEAN, MODEL_P50, MODEL_P99, MODEL_P999};
	size_t i = 0;
	struct estimate e;
	while (i < 3 && !at_size(m, kind, from[i], bs_b, us))
		i++;
	if (i == 3 && !at_size(m, kind, from[i], bs_b, us))
		us->value = (double)NAN;
	us->value *= ratio_of(m->device, PROFILE_OP_RANDWRITE, stat, false).value /
		     ratio_of(m->device, PROFILE_OP_RANDWRITE, from[i], false).value;
	/* not above a known higher percentile; disk_sync_latency() orders it over the lower ones */
	for (int above = (int)stat + 1; stat != MODEL_MEAN && above < MODEL_STATISTIC_COUNT;
		above++)
		if (at_size(m, kind, (enum model_statistic)above, bs_b, &e))
			us->value = fmin(us->value, e.value);
	us->trust = TRUST_ASSUMED;
	us->how = us->how == MODEL_EXTRAPOLATED ? MODEL_EXTRAPOLATED : MODEL_CURVE;
	assumed_interval(m, stat, us);
}

static void
by_kind(const struct disk_model *m, const struct model_sync *kind, double bs_b,
	enum model_statistic stat, struct estimate *us)
{
	struct estimate lower;
	if (!at_size(m, kind, stat, bs_b, us))
		guess(m, kind, stat, bs_b, us);
	for (int below = MODEL_P50; below < (int)stat; below++) {
		if (!at_size(m, kind, (enum model_statistic)below, bs_b, &lower))
			continue;
		/* percentiles are ordered */
		us->value = fmax(us->value, lower.value);
		us->lo = fmax(us->lo, lower.lo);
		us->hi = fmax(us->hi, lower.hi);
	}
}

int
disk_sync_latency(const struct disk_model *m, double bs_b, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	const struct model_sync *s = closest(m, bs_b, -1);
	if (!s)
		return plain_write(m, bs_b, stat, us, err);
	by_kind(m, s, bs_b, stat, us);
	return 0;
}

bool
disk_sync_kind(const struct disk_model *m, double bs_b, int *mode, int *pattern)
{
	const struct model_sync *s = closest(m, bs_b, -1);
	if (!s)
		return false;
	*mode = s->mode;
	*pattern = s->pattern;
	return true;
}

bool
disk_sync_append(
	const struct disk_model *m, double bs_b, enum model_statistic stat, struct estimate *us)
{
	const struct model_sync *s = closest(m, bs_b, -1);
	const struct model_sync *append = closest(m, bs_b, PROFILE_APPEND);
	if (!append || s->pattern == PROFILE_APPEND || append->mode != s->mode ||
		append->writers != s->writers)
		return false;
	by_kind(m, append, bs_b, stat, us);
	return true;
}
