/*
 * commit_rate.c - how many commits a second several writers get, and how long each waits.
 */
#include <math.h>

#include "model/commits.h"
#include "model/db.h"
#include "model/predict.h"

enum { MAX_COUNTS = 64 };

/* Between two counts of writers, as between two depths (models.md 1.2, left out on clean data). */
static const double gap_error = 1.24;

/* The preferred mode, overwriting, then the closest size. */
static bool
better(const struct model_commit *a, const struct model_commit *b, double bs_b)
{
	int mode = commits_mode_rank(a->mode) - commits_mode_rank(b->mode);
	int pattern = commits_pattern_rank(a->pattern) - commits_pattern_rank(b->pattern);
	if (mode != 0 || pattern != 0)
		return mode != 0 ? mode < 0 : pattern < 0;
	return fabs(log(a->bs_b / bs_b)) < fabs(log(b->bs_b / bs_b));
}

static const struct model_commit *
closest(const struct disk_model *m, double bs_b)
{
	const struct model_commit *best = NULL;
	for (size_t i = 0; i < m->n_commits; i++)
		if (m->commits[i].n_writers > 1 && m->commits[i].n_writers <= MAX_COUNTS &&
			m->commits[i].n_syncs_per_s == m->commits[i].n_writers &&
			(!best || better(&m->commits[i], best, bs_b)))
			best = &m->commits[i];
	return best;
}

/* Rate of n writers at the curve's own size. */
static struct estimate
rate_of(const struct model_commit *c, double n)
{
	size_t k = c->n_writers;
	double first = c->writers[0], last = c->writers[k - 1], away = INFINITY;
	struct estimate e = {.trust = c->trust, .how = MODEL_INTERPOLATED};
	if (n < first || n > last) {
		size_t end = n < first ? 0 : k - 1;
		double more = n / c->writers[end];
		/* beyond the counts: the rate stays, at most it grows with the writers */
		e.value = c->syncs_per_s[end] * fmin(1, more);
		e.lo = e.value / predict_noise;
		e.hi = c->syncs_per_s[end] * fmax(1, more) * predict_noise;
		e.how = MODEL_EXTRAPOLATED;
		return e;
	}
	e.value = predict_interpolate(c->writers, c->syncs_per_s, k, n);
	for (size_t i = 0; i < k; i++)
		away = fmin(away, fabs(log(n / c->writers[i])));
	double noise = log(predict_noise), half = noise + (log(gap_error) - noise) * away / log(2);
	e.lo = e.value * exp(-half);
	e.hi = e.value * exp(half);
	for (size_t i = 0; i < k; i++) {
		if (c->writers[i] != n || i >= c->n_syncs_lo || i >= c->n_syncs_hi)
			continue;
		e.lo = fmin(e.lo, c->syncs_lo[i]); /* fmin and fmax skip NaN */
		e.hi = fmax(e.hi, c->syncs_hi[i]);
	}
	return e;
}

/* No counts of writers: between one flush for each commit and all of them at once. */
static struct estimate
by_formula(const struct estimate *flush, double n)
{
	struct estimate e = {.trust = TRUST_ASSUMED, .how = MODEL_EXTRAPOLATED};
	e.value = 1e6 * n / db_group_commit_cycle(n, 0, flush->value);
	e.lo = 1e6 / flush->hi;
	e.hi = 1e6 * n / flush->lo;
	return e;
}

static int
check_writers(double writers, struct err *err)
{
	if (writers >= 1 && writers <= 1e6)
		return 0;
	return err_set(err, ERR_RANGE, "writers %g: 1 .. 1000000", writers);
}

/* A rate at another size than the curve's: slower by what one flush takes longer. */
static int
scale_size(const struct disk_model *m, const struct model_commit *c, double bs_b,
	struct estimate *per_s, struct err *err)
{
	struct estimate own, other;
	if (c->bs_b == bs_b)
		return 0;
	int rc = disk_sync_latency(m, c->bs_b, MODEL_MEAN, &own, err);
	rc = rc ? rc : disk_sync_latency(m, bs_b, MODEL_MEAN, &other, err);
	if (rc)
		return rc;
	double scale = own.value / other.value;
	per_s->value *= scale;
	per_s->lo *= fmin(scale, 1);
	per_s->hi *= fmax(scale, 1);
	per_s->lo = fmin(per_s->lo, per_s->value / predict_noise);
	per_s->hi = fmax(per_s->hi, per_s->value * predict_noise);
	if (per_s->trust < TRUST_DERIVED)
		per_s->trust = TRUST_DERIVED;
	per_s->how = per_s->how == MODEL_INTERPOLATED ? MODEL_CURVE : per_s->how;
	return 0;
}

/* One writer, or no counts of writers. */
static int
by_flush(const struct disk_model *m, double bs_b, double writers, struct estimate *per_s,
	struct err *err)
{
	struct estimate flush;
	int rc = disk_sync_latency(m, bs_b, MODEL_MEAN, &flush, err);
	if (rc)
		return rc;
	if (writers > 1)
		*per_s = by_formula(&flush, writers);
	else
		*per_s = (struct estimate){
			1e6 / flush.value, 1e6 / flush.hi, 1e6 / flush.lo, flush.trust, flush.how};
	return 0;
}

int
disk_commit_rate(const struct disk_model *m, double bs_b, double writers, struct estimate *per_s,
	struct err *err)
{
	const struct model_commit *c = closest(m, bs_b);
	int rc = check_writers(writers, err);
	if (rc)
		return rc;
	if (!c || writers == 1)
		return by_flush(m, bs_b, writers, per_s, err);
	struct estimate e = rate_of(c, writers);
	rc = scale_size(m, c, bs_b, &e, err);
	if (rc == 0)
		*per_s = e;
	return rc;
}

/* Percentile over mean at a count of writers, interpolated; NaN: not measured. */
static double
tail_ratio(const struct model_commit *c, enum model_statistic stat, double n)
{
	const double *us = stat == MODEL_P50   ? c->p50_us
			   : stat == MODEL_P99 ? c->p99_us
					       : c->p999_us;
	size_t n_us = stat == MODEL_P50   ? c->n_p50_us
		      : stat == MODEL_P99 ? c->n_p99_us
					  : c->n_p999_us;
	double writers[MAX_COUNTS], ratio[MAX_COUNTS];
	size_t k = 0;
	for (size_t i = 0; i < c->n_writers && i < n_us && i < c->n_mean_us; i++) {
		if (!(us[i] > 0 && c->mean_us[i] > 0))
			continue;
		writers[k] = c->writers[i];
		ratio[k++] = us[i] / c->mean_us[i];
	}
	if (k == 0)
		return (double)NAN;
	double at = fmin(fmax(n, writers[0]), writers[k - 1]);
	return predict_interpolate(writers, ratio, k, at);
}

/* The same from one writer, where that is all there is. */
static int
single_ratio(const struct disk_model *m, double bs_b, enum model_statistic stat, double *ratio,
	struct err *err)
{
	struct estimate mean, tail;
	int rc = disk_sync_latency(m, bs_b, MODEL_MEAN, &mean, err);
	rc = rc ? rc : disk_sync_latency(m, bs_b, stat, &tail, err);
	if (rc == 0)
		*ratio = tail.value / mean.value;
	return rc;
}

int
disk_commit_latency(const struct disk_model *m, double bs_b, double writers,
	enum model_statistic stat, struct estimate *us, struct err *err)
{
	struct estimate rate;
	if (writers == 1)
		return disk_sync_latency(m, bs_b, stat, us, err);
	int rc = disk_commit_rate(m, bs_b, writers, &rate, err);
	if (rc)
		return rc;
	const struct model_commit *c = closest(m, bs_b);
	double ratio = 1;
	if (stat != MODEL_MEAN) {
		ratio = c ? tail_ratio(c, stat, writers) : (double)NAN;
		if (isnan(ratio)) {
			rc = single_ratio(m, bs_b, stat, &ratio, err);
			rate.trust = TRUST_ASSUMED;
		}
	}
	if (rc)
		return rc;
	*us = (struct estimate){1e6 * writers / rate.value * ratio, 1e6 * writers / rate.hi * ratio,
		1e6 * writers / rate.lo * ratio, rate.trust, rate.how};
	return 0;
}
