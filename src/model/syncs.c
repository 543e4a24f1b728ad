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

/* Mean, or what can be said from another statistic and the ratios; *assumed when so. */
static double
value_of(const struct disk_model *m, const struct model_sync *s, enum model_statistic stat,
	bool *assumed)
{
	static const enum model_statistic from[] = {MODEL_P50, MODEL_P99, MODEL_P999};
	if (!isnan(known(s, stat)))
		return known(s, stat);
	*assumed = true;
	/* One writer at a time: the rate is the mean. */
	double mean = s->mean_us;
	if (isnan(mean) && s->writers == 1 && s->syncs_per_s > 0)
		mean = 1e6 / s->syncs_per_s;
	for (size_t i = 0; isnan(mean) && i < 3; i++)
		mean = known(s, from[i]) /
		       ratio_of(m->device, PROFILE_OP_RANDWRITE, from[i], false).value;
	double guess = mean * ratio_of(m->device, PROFILE_OP_RANDWRITE, stat, false).value;
	/* An assumed percentile must not contradict a known one. */
	for (size_t i = 0; i < 3 && from[i] < stat; i++)
		guess = fmax(guess, known(s, from[i])); /* fmax skips NaN */
	return guess;
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

static const struct model_sync *
closest(const struct disk_model *m, double bs_b)
{
	const struct model_sync *best = NULL;
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		bool any = !isnan(s->mean_us) || !isnan(s->p50_us) || !isnan(s->p99_us) ||
			   s->syncs_per_s > 0;
		if (s->bs_b > 0 && any && (!best || better(s, best, bs_b)))
			best = s;
	}
	return best;
}

/* Another size of the same kind, on the other side of bs_b if there is one. */
static const struct model_sync *
partner(const struct disk_model *m, const struct model_sync *first, double bs_b)
{
	const struct model_sync *best = NULL;
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		if (s->mode != first->mode || s->pattern != first->pattern ||
			s->writers != first->writers || s->bs_b == first->bs_b || !(s->bs_b > 0))
			continue;
		bool other_side = (s->bs_b > bs_b) == (first->bs_b < bs_b);
		bool best_other = best && (best->bs_b > bs_b) == (first->bs_b < bs_b);
		double near = fabs(log(s->bs_b / bs_b));
		if (!best || (other_side && !best_other) ||
			(other_side == best_other && near < fabs(log(best->bs_b / bs_b))))
			best = s;
	}
	return best;
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

static void
interval(const struct model_sync *s, enum model_statistic stat, struct estimate *us)
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
	us->lo = fmin(isnan(lo) ? us->value : lo, us->value / predict_noise);
	us->hi = fmax(isnan(hi) ? us->value : hi, us->value * predict_noise);
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

int
disk_sync_latency(const struct disk_model *m, double bs_b, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	const struct model_sync *s = closest(m, bs_b);
	struct estimate e;
	if (!s)
		return plain_write(m, bs_b, stat, us, err);
	bool assumed = false;
	e = (struct estimate){.trust = s->trust, .how = MODEL_INTERPOLATED};
	e.value = value_of(m, s, stat, &assumed);
	const struct model_sync *other = s->bs_b == bs_b ? NULL : partner(m, s, bs_b);
	if (other) {
		double v = value_of(m, other, stat, &assumed);
		e.value = scaled(e.value, s->bs_b, v, other->bs_b, bs_b);
		e.how = MODEL_CURVE;
	} else if (s->bs_b != bs_b) {
		e.how = MODEL_EXTRAPOLATED; /* the nearest size, as it is */
	}
	interval(s, stat, &e);
	if (assumed) {
		e.trust = TRUST_ASSUMED;
		assumed_interval(m, stat, &e);
	}
	*us = e;
	return 0;
}
