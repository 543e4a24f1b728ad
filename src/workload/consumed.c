#include "workload/consumed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/need_parts.h"

#define AT_CAP 0.95 /* censored from here on: the rule for demand that a cap may have cut */
#define CREDIT_GONE 0.99
#define IDLE 0.1 /* of the busiest */
#define HIDES 1.5 /* the busiest over the mean */

static int
by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool
has(const char *text, const char *word)
{
	return text && strstr(text, word);
}

static bool
same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static double
cap_of(const struct evidence_series *s, const struct consumed_caps *caps)
{
	for (size_t i = 0; caps && i < caps->n; i++) {
		if (same(caps->items[i].metric, s->metric) &&
			same(caps->items[i].device,
				s->scope == EVIDENCE_MACHINE ? NULL : s->device))
			return caps->items[i].value;
	}
	return NAN;
}

static bool
is_credit(const struct evidence_series *s)
{
	return has(s->metric, "Balance") || has(s->metric, "Credit");
}

static bool
is_bytes(const struct evidence_series *s)
{
	return has(s->metric, "Bandwidth") || has(s->metric, "Throughput") ||
	       has(s->metric, "BPS") || has(s->metric, "Byte");
}

bool
consumed_of(
	const struct evidence *e, size_t i, const struct consumed_caps *caps, struct consumed *out)
{
	const struct evidence_series *s = &e->series[i];
	double *values = calloc(s->n_samples + 1, sizeof(double)), sum = 0;
	*out = (struct consumed){.series = s, .mean = NAN, .p95 = NAN, .max = NAN};
	for (size_t k = 0; values && k < s->n_samples; k++) {
		double share = s->samples[k].consumed_frac;
		if (!isfinite(share))
			continue;
		values[out->n++] = share;
		sum += share;
		out->n_at_cap += share >= AT_CAP;
	}
	if (out->n) {
		qsort(values, out->n, sizeof(double), by_number);
		out->mean = sum / (double)out->n;
		out->p95 = values[(size_t)ceil(0.95 * (double)out->n - 1e-9) - 1];
		out->max = values[out->n - 1];
	}
	free(values);
	out->cap = cap_of(s, caps);
	out->credit = is_credit(s);
	out->bytes = is_bytes(s);
	return out->n > 0;
}

/* "85 %", "100 % of 12,800 IOPS", "50 % of 96 MB/s". */
static void
share_text(const struct consumed *c, double share, char text[80])
{
	char cap[32], percent[32];
	if (share < 10)
		snprintf(percent, sizeof(percent), "%.3g", share * 100);
	else
		units_count_text(round(share * 100), percent);
	if (isnan(c->cap)) {
		snprintf(text, 80, "%s %%", percent);
		return;
	}
	units_count_text(c->bytes ? c->cap / UNITS_MB : c->cap, cap);
	snprintf(text, 80, "%s %% of %s %s", percent, cap, c->bytes ? "MB/s" : "IOPS");
}

static void
name_text(const struct consumed *c, char text[160])
{
	const struct evidence_series *s = c->series;
	snprintf(text, 160, "%.40s%s%.50s%s%.50s", s->host ? s->host : "", s->host ? ": " : "",
		s->device ? s->device : "", s->device ? ", " : "",
		s->metric ? s->metric : "its cap");
}

static void
say_cap(const struct consumed *c, struct findings *out)
{
	char name[160], share[80];
	name_text(c, name);
	share_text(c, c->max, share);
	if (c->credit && c->max >= CREDIT_GONE)
		findings_add(out, SEVERITY_WARNING, "consumed-credit",
			"size on the base rate, or buy the rate instead of saving up for it",
			"%s: the budget of bursts was used up (%s) in some of %zu intervals: what "
			"was done "
			"then was held at the base rate, so demand is at least that",
			name, share, c->n);
	else if (!c->credit && c->n_at_cap)
		findings_add(out, SEVERITY_WARNING, "consumed-cap",
			"take the figures as a lower bound, and measure again after the change",
			"%s: at its cap (%s) in %zu of %zu intervals: demand is cut off there, at "
			"least that "
			"much",
			name, share, c->n_at_cap, c->n);
}

/* The busiest disk of a machine in the same unit; NULL when shares of disks are not known. */
static const struct consumed *
busiest_disk(const struct consumed *all, size_t n, const struct consumed *wall)
{
	const struct consumed *best = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct consumed *c = &all[i];
		if (c->series->scope == EVIDENCE_DISK && !c->credit && c->bytes == wall->bytes &&
			same(c->series->host, wall->series->host) && (!best || c->max > best->max))
			best = c;
	}
	return best;
}

/* The machine's other budget: cached beside uncached. */
static const struct consumed *
cached_beside(const struct consumed *all, size_t n, const struct consumed *wall)
{
	for (size_t i = 0; i < n; i++) {
		const struct consumed *c = &all[i];
		if (has(c->series->metric, "VM Cached") && !c->credit && c->bytes == wall->bytes &&
			same(c->series->host, wall->series->host))
			return c;
	}
	return NULL;
}

static void
say_machine(const struct consumed *all, size_t n, const struct consumed *wall, struct findings *out)
{
	char name[160], share[80], disk[320] = "", cache[200] = "", free_text[80];
	const struct consumed *busiest = busiest_disk(all, n, wall);
	const struct consumed *cached = has(wall->series->metric, "VM Uncached")
						? cached_beside(all, n, wall)
						: NULL;
	if (busiest && busiest->n_at_cap)
		return; /* a disk is a wall, too */
	name_text(wall, name);
	share_text(wall, wall->max, share);
	if (busiest) {
		char which[160];
		name_text(busiest, which);
		snprintf(disk, sizeof(disk), "; no single disk is full (the busiest, %s: %.3g %%)",
			which, busiest->max * 100);
	}
	if (cached && cached->max < AT_CAP) {
		double left = 1 - cached->max;
		snprintf(free_text, sizeof(free_text), "%.3g %%", left * 100);
		if (isfinite(cached->cap)) {
			char count[32];
			units_count_text(
				left * (cached->bytes ? cached->cap / UNITS_MB : cached->cap),
				count);
			snprintf(free_text, sizeof(free_text), "%s %s", count,
				cached->bytes ? "MB/s" : "IOPS");
		}
		snprintf(cache, sizeof(cache),
			", or read cache on the disks that are mostly read: %s of the cached "
			"budget are free",
			free_text);
	}
	char todo[300];
	snprintf(todo, sizeof(todo), "a larger machine%s; larger disks do not help", cache);
	findings_add(out, SEVERITY_ERROR, "consumed-machine", todo, "%s is the wall: %s%s", name,
		share, disk);
}

/* Disks of one machine and metric: does their mean hide what one does? */
static void
say_mean(const struct consumed *all, size_t n, size_t first, struct findings *out)
{
	const struct evidence_series *a = all[first].series;
	double sum = 0, busiest = 0;
	size_t disks = 0, idle = 0, busy = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			const struct evidence_series *b = all[i].series;
			if (b->scope != EVIDENCE_DISK || !same(a->host, b->host) ||
				!same(a->metric, b->metric))
				continue;
			if (pass == 0 && i < first)
				return; /* said with the first of them */
			disks += pass == 0;
			sum += pass == 0 ? all[i].mean : 0;
			busiest = fmax(busiest, all[i].mean);
			idle += pass == 1 && all[i].mean <= IDLE * busiest;
			busy += pass == 1 && all[i].mean * HIDES >= busiest;
		}
	}
	double mean = sum / (double)disks;
	if (disks > 1 && idle && busiest >= HIDES * mean)
		findings_add(out, SEVERITY_WARNING, "consumed-mean", "judge each disk by itself",
			"%s%s%s: the mean of %zu disks, %.3g %%, hides %zu busy (up to %.3g %%) "
			"and %zu idle",
			a->host ? a->host : "", a->host ? ": " : "", a->metric, disks, mean * 100,
			busy, busiest * 100, idle);
}

static const struct need_cap *
cap_for(const struct evidence_series *s, const struct need_cap *caps, size_t n_caps)
{
	for (size_t i = 0; i < n_caps; i++) {
		if (need_is_device(s, caps[i].device))
			return &caps[i];
	}
	return NULL;
}

static bool
is_same_disk(const struct evidence_series *a, const struct evidence_series *b)
{
	return same(a->host, b->host) && same(a->device, b->device) && a->scope == b->scope;
}

/* The series of a disk that has no metric, which has the rates; -1: none. */
static long
rates_of(const struct evidence *e, const struct evidence_series *s)
{
	for (size_t i = 0; i < e->n_series; i++) {
		if (!e->series[i].metric && is_same_disk(&e->series[i], s))
			return (long)i;
	}
	return -1;
}

/* One share, as a rate of the cap, into a sample of its moment. */
static void
put_rate(struct evidence_sample *x, const struct evidence_sample *share, bool bytes, double cap)
{
	x->end_s = share->end_s;
	x->dt_s = share->dt_s;
	*(bytes ? &x->any_bytes_s : &x->any_iops) = share->consumed_frac * cap;
	if (!(x->consumed_frac >= share->consumed_frac))
		x->consumed_frac = share->consumed_frac;
}

/* Share x cap into the samples of series `to`, in order of time, with those that it has. */
static int
put_rates(struct evidence *e, size_t to, const struct evidence_series *from, double cap)
{
	struct evidence_series had = e->series[to];
	size_t h = 0, i = 0;
	e->series[to].samples = NULL;
	e->series[to].n_samples = 0;
	while (h < had.n_samples || i < from->n_samples) {
		struct evidence_sample *x = evidence_add_sample(e, &e->series[to]);
		if (!x)
			return ERR_NOMEM;
		double a = h < had.n_samples ? had.samples[h].end_s : (double)INFINITY;
		double b = i < from->n_samples ? from->samples[i].end_s : (double)INFINITY;
		bool first = h < had.n_samples && !(b < a),
		     second = i < from->n_samples && !(a < b);
		if (first)
			*x = had.samples[h++];
		if (second)
			put_rate(x, &from->samples[i++], is_bytes(from), cap);
	}
	return 0;
}

static int
make_rates(struct evidence *e, size_t i, double cap, bool *made)
{
	struct evidence_series s = e->series[i];
	long to = rates_of(e, &s);
	if (to < 0) {
		struct evidence_series *fresh = evidence_add_series(e);
		if (!fresh)
			return ERR_NOMEM;
		*fresh = s;
		fresh->metric = NULL;
		fresh->samples = NULL;
		fresh->n_samples = 0;
		to = (long)e->n_series - 1;
	}
	*made = true;
	return put_rates(e, (size_t)to, &s, cap);
}

int
consumed_rates(struct evidence *e, const struct need_cap *caps, size_t n_caps, struct err *err)
{
	bool made = false;
	size_t n = e->n_series; /* those made here are behind */
	for (size_t i = 0; i < n; i++) {
		const struct evidence_series *s = &e->series[i];
		const struct need_cap *cap = cap_for(s, caps, n_caps);
		if (!cap || !s->metric || s->scope != EVIDENCE_DISK || is_credit(s))
			continue;
		double value = is_bytes(s) ? cap->bytes_s : cap->iops;
		long rates = rates_of(e, s);
		if (isnan(value) || (rates >= 0 && (size_t)rates < n))
			continue; /* not known, or rates of its own are */
		if (make_rates(e, i, value, &made))
			return err_nomem(err);
	}
	if (made)
		findings_add(&e->findings, SEVERITY_NOTE, "consumed-rates", NULL,
			"rates of disks that only have shares of their caps are share x the cap "
			"given with --cap");
	return 0;
}

int
consumed_say(const struct evidence *e, const struct consumed_caps *caps, struct findings *out,
	struct err *err)
{
	struct consumed *all = calloc(e->n_series + 1, sizeof(*all));
	size_t n = 0;
	if (!all)
		return err_nomem(err);
	for (size_t i = 0; i < e->n_series; i++)
		n += consumed_of(e, i, caps, &all[n]);
	for (size_t i = 0; i < n; i++) {
		say_cap(&all[i], out);
		if (all[i].series->scope == EVIDENCE_MACHINE && !all[i].credit && all[i].n_at_cap)
			say_machine(all, n, &all[i], out);
		else if (all[i].series->scope == EVIDENCE_DISK && all[i].series->metric &&
			 !all[i].credit)
			say_mean(all, n, i, out);
	}
	free(all);
	return 0;
}
