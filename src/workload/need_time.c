/*
 * need_time.c - when the work is done: hours of the week that carry it, windows of high throughput (backup, batch)
 * apart from the rest, and growth as the median of pairwise slopes (Theil-Sen) of daily p95, from 14 days on.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/need_parts.h"

enum { HOURS = 168, DAYS_MAX = 1000, GROWTH_DAYS = 14 };

static const double hour_s = 3600, day_s = 86400;

static int
by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static int
by_number_down(const void *a, const void *b)
{
	return by_number(b, a);
}

/* 1970-01-01 was a Thursday; hour 0 is Monday 00:00 UTC.  HOURS when the time is not known. */
static size_t
hour_of_week(double at_s)
{
	double h = fmod(floor(at_s / hour_s) + 72, HOURS);
	return isnan(h) ? HOURS : (size_t)(h < 0 ? h + HOURS : h);
}

static void
say_busy(struct evidence *e, const struct need_volume *v)
{
	double sum[HOURS] = {0}, time[HOURS] = {0}, mean[HOURS], all = 0;
	size_t seen = 0, busy = 0;
	for (size_t i = 0; i < v->series->n_samples; i++) {
		const struct evidence_sample *x = &v->series->samples[i];
		double dt = isnan(x->dt_s) ? v->stats.resolution_s : x->dt_s;
		double iops = series_iops(x);
		/* the interval ends at end_s */
		size_t h = isnan(x->end_s) || isnan(iops) ? HOURS : hour_of_week(x->end_s - dt / 2);
		if (h == HOURS)
			continue;
		sum[h] += iops * dt;
		time[h] += dt;
	}
	for (size_t h = 0; h < HOURS; h++) {
		if (time[h] > 0) {
			mean[seen++] = sum[h] / time[h];
			all += sum[h] / time[h];
		}
	}
	if (seen == 0 || all <= 0)
		return;
	qsort(mean, seen, sizeof(mean[0]), by_number_down);
	double reached = 0;
	while (busy < seen && reached < 0.8 * all)
		reached += mean[busy++];
	findings_add(&e->findings, SEVERITY_NOTE, "busy-hours", NULL,
		"%s: %zu of the %zu hours of the week seen carry 80 %% of the operations; the "
		"busiest "
		"has %.0f IOPS on average, %.1f times the mean",
		need_name(e->arena, v->series), busy, seen, mean[0], mean[0] * (double)seen / all);
}

/* Runs of intervals with throughput far above the usual: how many, how long, how much. */
struct windows {
	size_t n;
	double seconds, bytes, first_s, last_s; /* of all; beginning of the first and the last */
};

static void
find_windows(const struct need_volume *v, double threshold, struct windows *w)
{
	double began = NAN, length = 0, bytes = 0;
	for (size_t i = 0; i <= v->series->n_samples; i++) {
		bool end = i == v->series->n_samples;
		const struct evidence_sample *x = &v->series->samples[end ? i - 1 : i];
		double dt = isnan(x->dt_s) ? v->stats.resolution_s : x->dt_s;
		if (!end && series_bytes_s(x) >= threshold) {
			began = length > 0 ? began : x->end_s - dt;
			length += dt;
			bytes += series_bytes_s(x) * dt;
			continue;
		}
		if (length >= 600) {
			w->first_s = w->n ? w->first_s : began;
			w->last_s = began;
			w->n++;
			w->seconds += length;
			w->bytes += bytes;
		}
		length = bytes = 0;
	}
}

static void
say_windows(struct evidence *e, const struct need_volume *v)
{
	struct windows w = {0};
	double threshold = fmax(3 * v->stats.bytes_s.p50, 0.5 * v->stats.bytes_s.max);
	if (!(threshold > 0))
		return;
	find_windows(v, threshold, &w);
	if (w.n < 2 || w.seconds > 0.25 * v->stats.span_s)
		return;
	double every = (w.last_s - w.first_s) / (double)(w.n - 1);
	findings_add(&e->findings, SEVERITY_NOTE, "windows",
		"place them apart (a backup volume with its window), not into the rate of the day",
		"%s: %zu windows of high throughput, %.0f min each at %.1f MB/s, every %.1f h: "
		"backup "
		"or batch",
		need_name(e->arena, v->series), w.n, w.seconds / (double)w.n / 60,
		w.bytes / w.seconds / UNITS_MB, every / hour_s);
}

/* p95 of each day that is covered by at least half; returns how many. */
static size_t
daily_p95(const struct need_volume *v, double *room, double day[DAYS_MAX], double p95[DAYS_MAX])
{
	const struct evidence_series *s = v->series;
	size_t n = 0, i = 0;
	while (i < s->n_samples && n < DAYS_MAX) {
		double today = floor(s->samples[i].end_s / day_s), length = 0;
		size_t k = 0;
		for (; i < s->n_samples && floor(s->samples[i].end_s / day_s) == today; i++) {
			double iops = series_iops(&s->samples[i]);
			double dt = s->samples[i].dt_s;
			if (isnan(iops))
				continue;
			room[k++] = iops;
			length += isnan(dt) ? v->stats.resolution_s : dt;
		}
		if (length < day_s / 2)
			continue;
		qsort(room, k, sizeof(*room), by_number);
		day[n] = today;
		p95[n++] = series_rank(room, k, 0.95);
	}
	return n;
}

static int
say_growth(struct evidence *e, const struct need_volume *v, struct err *err)
{
	double *day = arena_array(e->arena, DAYS_MAX, sizeof(*day));
	double *p95 = arena_array(e->arena, DAYS_MAX, sizeof(*p95));
	double *room = arena_array(e->arena, v->series->n_samples, sizeof(*room));
	if (!day || !p95 || !room)
		return err_nomem(err);
	size_t n = daily_p95(v, room, day, p95), k = 0;
	if (n < GROWTH_DAYS)
		return 0;
	double *slopes = arena_array(e->arena, n * (n - 1) / 2, sizeof(*slopes));
	if (!slopes)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			slopes[k++] = (p95[j] - p95[i]) / (day[j] - day[i]);
	}
	qsort(slopes, k, sizeof(*slopes), by_number);
	double slope = series_rank(slopes, k, 0.5), span = day[n - 1] - day[0] + 1;
	double shown = round(slope * 100) / 100 + 0.0,
	       more = round(slope * 2 * span) + 0.0; /* never -0 */
	findings_add(&e->findings, SEVERITY_NOTE, "growth",
		"beyond that time give a rate of your own",
		"%s: the p95 of the days grows by %.2f IOPS a day (median of the slopes of all "
		"pairs "
		"of %zu days): %.0f IOPS more in %.0f days, twice the span, the furthest it can be "
		"carried",
		need_name(e->arena, v->series), shown, n, more, 2 * span);
	return 0;
}

static bool
is_timed(const struct evidence_series *s)
{
	for (size_t i = 0; i < s->n_samples; i++) {
		if (isnan(s->samples[i].end_s))
			return false;
	}
	return s->n_samples > 0;
}

int
need_look_at_time(struct evidence *e, const struct need_volume *v, struct err *err)
{
	if (!is_timed(v->series) || !(v->stats.span_s >= 0.99 * day_s))
		return 0;
	say_windows(e, v);
	if (v->stats.span_s >= 2 * day_s)
		say_busy(e, v);
	return v->stats.span_s >= (GROWTH_DAYS - 1) * day_s ? say_growth(e, v, err) : 0;
}
