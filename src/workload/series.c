#include "workload/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double series_window_s[SERIES_WINDOWS] = {1, 5, 60, 300};

/* One direction when the other is not said; both when they are; the tool's own sum otherwise. */
static double
sum_of(double a, double b, double both)
{
	if (!isnan(a) && !isnan(b))
		return a + b;
	if (!isnan(both))
		return both;
	return isnan(a) ? b : a;
}

double
series_iops(const struct evidence_sample *s)
{
	return sum_of(s->read_iops, s->write_iops, s->any_iops);
}

double
series_bytes_s(const struct evidence_sample *s)
{
	return sum_of(s->read_bytes_s, s->write_bytes_s, s->any_bytes_s);
}

double
series_rank(const double *ascending, size_t n, double p)
{
	if (n == 0)
		return NAN;
	/* the product of an exact rank (0.95 x 40) must not be rounded up past it */
	double rank = ceil(p * (double)n - 1e-9);
	size_t i = rank < 1 ? 0 : (size_t)rank - 1;
	return ascending[i < n ? i : n - 1];
}

struct weighed {
	double value, weight;
};

static int
by_value(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static int
by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Smallest value at which the weights from below reach the share p: ceil(p n) for equal ones. */
static double
weighed_rank(const struct weighed *w, size_t n, double sum, double p)
{
	double reached = 0;
	for (size_t i = 0; i < n; i++) {
		reached += w[i].weight;
		if (reached >= p * sum - 1e-9 * sum)
			return w[i].value;
	}
	return n ? w[n - 1].value : (double)NAN;
}

typedef double quantity(const struct evidence_sample *s);

static double
read_iops_of(const struct evidence_sample *s)
{
	return s->read_iops;
}

static double
write_iops_of(const struct evidence_sample *s)
{
	return s->write_iops;
}

static double
flush_iops_of(const struct evidence_sample *s)
{
	return s->flush_iops;
}

static double
read_bytes_of(const struct evidence_sample *s)
{
	return s->read_bytes_s;
}

static double
write_bytes_of(const struct evidence_sample *s)
{
	return s->write_bytes_s;
}

static double
queue_of(const struct evidence_sample *s)
{
	return s->queue;
}

static double
active_of(const struct evidence_sample *s)
{
	return s->active_frac;
}

static double
consumed_of(const struct evidence_sample *s)
{
	return s->consumed_frac;
}

struct work {
	const struct evidence_series *s;
	struct weighed *room; /* n_samples */
	bool timed; /* every sample says its length */
	bool equal; /* and they differ by less than a tenth, or none says */
};

static double
length_of(const struct work *w, size_t i)
{
	return w->timed ? w->s->samples[i].dt_s : 1;
}

static struct series_spread
spread(struct work *w, quantity *of)
{
	struct series_spread out = {0, NAN, NAN, NAN, NAN, NAN};
	double sum = 0, time = 0, weights = 0;
	for (size_t i = 0; i < w->s->n_samples; i++) {
		double v = of(&w->s->samples[i]), dt = length_of(w, i);
		if (isnan(v))
			continue;
		w->room[out.n++] = (struct weighed){v, w->equal ? 1 : dt};
		weights += w->equal ? 1 : dt;
		sum += v * dt;
		time += dt;
	}
	if (out.n == 0)
		return out;
	qsort(w->room, out.n, sizeof(*w->room), by_value);
	out.mean = sum / time;
	out.p50 = weighed_rank(w->room, out.n, weights, 0.50);
	out.p95 = weighed_rank(w->room, out.n, weights, 0.95);
	out.p99 = weighed_rank(w->room, out.n, weights, 0.99);
	out.max = w->room[out.n - 1].value;
	return out;
}

/* Mean of `of` weighted by `by`, over the samples that know both; NaN when nothing happened in them. */
static double
weighted(const struct work *w, quantity *of, quantity *by)
{
	double sum = 0, weights = 0;
	for (size_t i = 0; i < w->s->n_samples; i++) {
		double v = of(&w->s->samples[i]), n = by(&w->s->samples[i]) * length_of(w, i);
		if (isnan(v) || isnan(n))
			continue;
		sum += v * n;
		weights += n;
	}
	return weights > 0 ? sum / weights : (double)NAN;
}

/* Sum of `of` over the sum of `by`, where both are known. */
static double
ratio(const struct work *w, quantity *of, quantity *by)
{
	double sum = 0, base = 0;
	for (size_t i = 0; i < w->s->n_samples; i++) {
		double v = of(&w->s->samples[i]), n = by(&w->s->samples[i]);
		if (isnan(v) || isnan(n))
			continue;
		sum += v * length_of(w, i);
		base += n * length_of(w, i);
	}
	return base > 0 ? sum / base : (double)NAN;
}

static double
read_us_of(const struct evidence_sample *s)
{
	return s->read_us;
}

static double
write_us_of(const struct evidence_sample *s)
{
	return s->write_us;
}

static double
flush_us_of(const struct evidence_sample *s)
{
	return s->flush_us;
}

/* Of an operation of either direction. */
static double
both_us_of(const struct evidence_sample *s)
{
	double sum = 0, n = 0;
	if (!isnan(s->any_us))
		return s->any_us;
	if (s->read_iops > 0) {
		sum += s->read_iops * s->read_us;
		n += s->read_iops;
	}
	if (s->write_iops > 0) {
		sum += s->write_iops * s->write_us;
		n += s->write_iops;
	}
	return n > 0 ? sum / n : (double)NAN;
}

static double
both_iops_of(const struct evidence_sample *s)
{
	return s->read_iops + s->write_iops;
}

static bool
follows(const struct evidence_series *s, size_t i, double step)
{
	double gap = s->samples[i].end_s - s->samples[i - 1].end_s;
	return isnan(gap) || gap <= 1.5 * step;
}

/*
 * Highest mean over a window: of runs of samples without a gap that last at least as long.  Nothing shorter than the
 * samples themselves can be seen, so smaller windows are NaN.
 */
static double
highest(const struct work *w, quantity *of, double window_s, double step)
{
	double best = NAN, sum = 0, time = 0;
	size_t from = 0;
	if (isnan(step) || window_s < 0.9 * step)
		return NAN;
	for (size_t i = 0; i < w->s->n_samples; i++) {
		double v = of(&w->s->samples[i]);
		double dt = w->timed ? w->s->samples[i].dt_s : step;
		if (isnan(v) || (i && !follows(w->s, i, step))) {
			sum = time = 0;
			from = i;
			if (isnan(v)) {
				from = i + 1;
				continue;
			}
		}
		sum += v * dt;
		time += dt;
		while (from < i) {
			double first = w->timed ? w->s->samples[from].dt_s : step;
			if (time - first < 0.95 * window_s)
				break;
			sum -= of(&w->s->samples[from]) * first;
			time -= first;
			from++;
		}
		if (time >= 0.95 * window_s && !(sum / time <= best))
			best = sum / time;
	}
	return best;
}

/*
 * Rate while busy: operations over the time that was not idle, at least a second of it (the idle time is counted in
 * whole seconds).  Only of sources that count idle time; elsewhere active_frac is a hint.
 */
double
series_active_iops(const struct evidence_series *s, const struct evidence_sample *x)
{
	static const char *const counted[] = {"cloudwatch", "perfmon"};
	bool known = s->active_known;
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]) && s->source; i++)
		known = known || strncmp(s->source, counted[i], strlen(counted[i])) == 0;
	double dt = isnan(x->dt_s) ? s->resolution_s : x->dt_s;
	double busy = ceil(dt * x->active_frac - 1e-6);
	return known && busy >= 1 && busy <= dt ? series_iops(x) * dt / busy : (double)NAN;
}

static double
highest_active(const struct evidence_series *s)
{
	double best = NAN;
	for (size_t i = 0; i < s->n_samples; i++)
		best = fmax(best, series_active_iops(s, &s->samples[i]));
	return best;
}

double
series_step_s(const struct evidence_series *s, struct arena *a)
{
	double *steps = arena_array(a, s->n_samples, sizeof(*steps));
	size_t n = 0;
	for (size_t i = 0; steps && i < s->n_samples; i++) {
		double dt = s->samples[i].dt_s;
		if (isnan(dt) && i)
			dt = s->samples[i].end_s - s->samples[i - 1].end_s;
		if (dt > 0)
			steps[n++] = dt;
	}
	if (n == 0)
		return NAN;
	qsort(steps, n, sizeof(*steps), by_number);
	return series_rank(steps, n, 0.5);
}

static void
look_at_times(struct work *w, struct series_stats *out, double step)
{
	const struct evidence_series *s = w->s;
	double least = INFINITY, most = 0, covered = 0;
	w->timed = s->n_samples > 0;
	for (size_t i = 0; i < s->n_samples; i++) {
		double dt = s->samples[i].dt_s;
		if (!(dt > 0))
			w->timed = false;
		least = fmin(least, dt);
		most = fmax(most, dt);
		covered += dt;
		if (i && !follows(s, i, step))
			out->gaps++;
	}
	w->equal = !w->timed || most <= 1.1 * least;
	if (!w->timed)
		covered = (double)s->n_samples * step;
	out->span_s = covered;
	if (s->n_samples && !isnan(s->samples[0].end_s)) {
		const struct evidence_sample *last = &s->samples[s->n_samples - 1];
		double first_s = w->timed ? s->samples[0].dt_s : step;
		out->span_s = last->end_s - s->samples[0].end_s + first_s;
	}
	out->covered_frac = out->span_s > 0 ? fmin(1, covered / out->span_s) : (double)NAN;
}

static bool
has(const struct evidence_series *s, quantity *of)
{
	for (size_t i = 0; i < s->n_samples; i++) {
		if (!isnan(of(&s->samples[i])))
			return true;
	}
	return false;
}

static void
take_level(const struct evidence_levels *l, struct series_spread *out, double *resolution_s)
{
	if (isnan(l->max))
		return;
	*resolution_s = l->resolution_s;
	out->p50 = l->p50;
	out->p95 = l->p95;
	out->p99 = l->p99;
	out->max = l->max;
}

/* Percentiles that the store worked out of figures finer than the samples stand for those of the samples. */
static void
take_levels(const struct evidence_series *s, struct series_stats *out)
{
	if (!s->levels)
		return;
	take_level(&s->levels[EVIDENCE_LEVEL_IOPS], &out->iops, &out->resolution_s);
	take_level(&s->levels[EVIDENCE_LEVEL_READ_IOPS], &out->read_iops, &out->resolution_s);
	take_level(&s->levels[EVIDENCE_LEVEL_WRITE_IOPS], &out->write_iops, &out->resolution_s);
	take_level(&s->levels[EVIDENCE_LEVEL_BYTES_S], &out->bytes_s, &out->resolution_s);
}

int
series_stats(
	const struct evidence_series *s, struct arena *a, struct series_stats *out, struct err *err)
{
	struct work w = {.s = s, .room = arena_array(a, s->n_samples, sizeof(*w.room))};
	if (!w.room)
		return err_nomem(err);
	double step = series_step_s(s, a);
	*out = (struct series_stats){.n = s->n_samples, .resolution_s = s->resolution_s};
	if (isnan(out->resolution_s))
		out->resolution_s = step;
	look_at_times(&w, out, isnan(step) ? s->resolution_s : step);
	out->iops = spread(&w, series_iops);
	out->read_iops = spread(&w, read_iops_of);
	out->write_iops = spread(&w, write_iops_of);
	out->flush_iops = spread(&w, flush_iops_of);
	out->bytes_s = spread(&w, series_bytes_s);
	out->read_bytes_s = spread(&w, read_bytes_of);
	out->write_bytes_s = spread(&w, write_bytes_of);
	out->queue = spread(&w, queue_of);
	out->active_frac = spread(&w, active_of);
	out->consumed_frac = spread(&w, consumed_of);
	out->read_frac = ratio(&w, read_iops_of, both_iops_of);
	out->read_b = ratio(&w, read_bytes_of, read_iops_of);
	out->write_b = ratio(&w, write_bytes_of, write_iops_of);
	out->any_b = ratio(&w, series_bytes_s, series_iops);
	out->read_us = weighted(&w, read_us_of, read_iops_of);
	out->write_us = weighted(&w, write_us_of, write_iops_of);
	out->flush_us = weighted(&w, flush_us_of, flush_iops_of);
	out->any_us = weighted(&w, both_us_of, series_iops);
	for (int i = 0; i < SERIES_WINDOWS; i++) {
		out->window_iops[i] = highest(&w, series_iops, series_window_s[i], step);
		out->window_bytes_s[i] = highest(&w, series_bytes_s, series_window_s[i], step);
	}
	out->active_iops = highest_active(s);
	take_levels(s, out);
	bool reads = has(s, read_iops_of) || has(s, read_bytes_of);
	bool writes = has(s, write_iops_of) || has(s, write_bytes_of);
	out->reads_only = reads && !writes;
	out->writes_only = writes && !reads;
	return 0;
}

void
series_resolution_text(double resolution_s, char text[40])
{
	double whole = round(resolution_s);
	if (whole > 0 && fabs(resolution_s - whole) < 0.05 * whole)
		resolution_s = whole; /* a second of a shell loop takes a little longer */
	if (isnan(resolution_s))
		snprintf(text, 40, "an interval of unknown length");
	else if (resolution_s >= 3600 && fmod(resolution_s, 3600) == 0)
		snprintf(text, 40, "%.0f h", resolution_s / 3600);
	else if (resolution_s > 60 && fmod(resolution_s, 60) == 0)
		snprintf(text, 40, "%.0f min", resolution_s / 60);
	else
		snprintf(text, 40, "%.3g s", resolution_s);
}
