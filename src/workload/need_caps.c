/*
 * need_caps.c - demand against what was bought.  An interval is held back when its IOPS or bytes reach 0.95 of a cap,
 * when the provider says so, or when its latency is twice that of the one before at a rate within 5 % of it near the
 * highest.  Demand that was held back is a lower bound.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "workload/need_parts.h"

static const double at_cap = 0.95, over_cap = 1.05;

static double
latency_us(const struct evidence_sample *x)
{
	double sum = 0, n = 0;
	if (!isnan(x->any_us))
		return x->any_us;
	if (x->read_iops > 0) {
		sum += x->read_us * x->read_iops;
		n += x->read_iops;
	}
	if (x->write_iops > 0) {
		sum += x->write_us * x->write_iops;
		n += x->write_iops;
	}
	return n > 0 ? sum / n : (double)NAN;
}

/* Latency doubles while the rate stays: only near the highest rate is that a wall. */
static bool
stalls(const struct need_volume *v, size_t i)
{
	const struct evidence_sample *x = v->series->samples;
	if (i == 0 || v->stats.n < 10)
		return false;
	double a = series_iops(&x[i - 1]), b = series_iops(&x[i]), top = v->stats.iops.p99;
	return b >= 0.9 * top && fabs(b - a) <= 0.05 * a &&
	       latency_us(&x[i]) >= 2 * latency_us(&x[i - 1]);
}

/* What is above a cap was not held back by it: a burst, a cache. */
static bool
is_held(double rate, double cap)
{
	return rate >= at_cap * cap && rate <= over_cap * cap;
}

static void
count_held(struct need_volume *v)
{
	size_t top = 0, stalled = 0;
	for (size_t i = 0; i < v->series->n_samples; i++) {
		const struct evidence_sample *x = &v->series->samples[i];
		double iops = series_iops(x), bytes = series_bytes_s(x);
		bool a = is_held(iops, v->cap.iops), b = is_held(bytes, v->cap.bytes_s);
		bool c = x->exceeded > 0 || x->consumed_frac >= at_cap;
		bool d = series_active_iops(v->series, x) >= at_cap * v->cap.iops;
		v->n_at_iops += a;
		v->n_at_bytes += b;
		v->n_exceeded += c;
		v->n_at_active += d;
		stalled += stalls(v, i);
		v->n_censored += a || b || c || d;
		if (d || ((a || b || c) &&
				 (iops >= v->stats.iops.p99 || bytes >= v->stats.bytes_s.p99)))
			top++;
	}
	if (stalled > 1) { /* one is chance */
		v->n_latency = stalled;
		v->n_censored += stalled;
	}
	v->censored = top || (double)v->n_censored > 0.01 * (double)v->stats.n;
}

static void
say_held(struct evidence *e, const struct need_volume *v)
{
	const char *name = need_name(e->arena, v->series);
	char rate[32], mbps[32], more[32], active[80] = "";
	if (v->n_at_active) {
		units_count_text(v->stats.active_iops, more);
		snprintf(active, sizeof(active), "%zu by the rate while active, up to %s IOPS, ",
			v->n_at_active, more);
	}
	units_count_text(v->iops, rate);
	units_count_text(v->bytes_s / UNITS_MB, mbps);
	units_count_text(NEED_CENSORED_FACTOR * v->iops, more);
	findings_add(&e->findings, SEVERITY_WARNING, "censored",
		"re-measure after the change; until then size with a factor that you state",
		"%s: demand was held back in %zu of %zu intervals (%zu at the IOPS cap, %zu at the "
		"MB/s "
		"cap, %s%zu by the provider's word, %zu by latency that doubled at the same rate): "
		"it is "
		"at least %s IOPS and %s MB/s, a lower bound; a workload file gets %.1f times that "
		"(%s IOPS), an assumption",
		name, v->n_censored, v->stats.n, v->n_at_iops, v->n_at_bytes, active, v->n_exceeded,
		v->n_latency, rate, mbps, NEED_CENSORED_FACTOR, more);
}

/* The mean hides a burst: the operations of a minute happened in a few seconds of it. */
static void
say_burst(struct evidence *e, const struct need_volume *v)
{
	double active = v->stats.active_iops, cap = v->cap.iops;
	char step[40], beside[64] = "";
	if (!(active > 1.5 * v->stats.iops.max))
		return;
	series_resolution_text(v->stats.resolution_s, step);
	if (!isnan(cap))
		snprintf(beside, sizeof(beside), ", %s the cap of %.0f",
			active >= at_cap * cap ? "at or over" : "under", cap);
	findings_add(&e->findings, SEVERITY_WARNING, "micro-burst",
		"take a series of seconds, or size with headroom over the rate while active",
		"%s: micro-burst: %.1f IOPS over %s, but %.0f while active%s",
		need_name(e->arena, v->series), v->stats.iops.max, step, active, beside);
}

static void
say_over(struct evidence *e, struct need_volume *v)
{
	bool bursts = !isnan(v->cap.burst_iops);
	double sold_iops = bursts ? fmax(v->cap.burst_iops, v->cap.iops) : v->cap.iops;
	double iops = v->stats.iops.max / sold_iops, bytes = v->stats.bytes_s.max / v->cap.bytes_s;
	double most = fmax(iops, bytes);
	char bought[96];
	if (!(most > over_cap))
		return;
	if (!isnan(sold_iops) && !isnan(v->cap.bytes_s))
		snprintf(bought, sizeof(bought), "%.0f IOPS%s and %.1f MB/s", sold_iops,
			bursts ? " in a burst" : "", v->cap.bytes_s / UNITS_MB);
	else if (!isnan(sold_iops))
		snprintf(bought, sizeof(bought), "%.0f IOPS%s", sold_iops,
			bursts ? " in a burst" : "");
	else
		snprintf(bought, sizeof(bought), "%.1f MB/s", v->cap.bytes_s / UNITS_MB);
	v->verdict = NEED_OVER_CAP;
	findings_add(&e->findings, SEVERITY_WARNING, "over-cap",
		"measure longer than the burst window with a working set over every cache "
		"(tierwise "
		"bench)",
		"%s: seen %.0f IOPS and %.1f MB/s, %.1f times what was bought: a burst or a cache "
		"answered, not usable as capacity; plan with the least of bought and measured "
		"steady: "
		"%s",
		need_name(e->arena, v->series), v->stats.iops.max, v->stats.bytes_s.max / UNITS_MB,
		most, bought);
}

/* Which of the two limits binds depends on the size of an I/O: bytes_s / iops is where it changes. */
static void
say_crossover(struct evidence *e, const struct need_volume *v)
{
	double at = v->cap.bytes_s / v->cap.iops, size = v->io_b;
	if (isnan(at) || isnan(size))
		return;
	double reach = fmin(v->cap.iops, v->cap.bytes_s / size);
	findings_add(&e->findings, SEVERITY_NOTE, "two-limits", NULL,
		"%s: the limit changes at %.1f KiB an I/O: smaller ones stop at %.0f IOPS, larger "
		"ones "
		"at %.1f MB/s; at %.1f KiB, the mean size at the peak, at most %.0f IOPS, by %s "
		"(16 KiB: "
		"%.0f)%s",
		need_name(e->arena, v->series), at / UNITS_KIB, v->cap.iops,
		v->cap.bytes_s / UNITS_MB, size / UNITS_KIB, reach, size > at ? "MB/s" : "IOPS",
		fmin(v->cap.iops, v->cap.bytes_s / 16384),
		size > at ? ": not a slow disk; at that size ask for its MB/s, not its IOPS" : "");
}

/* How much of the cap is used, and what a long queue under the cap is not. */
static void
say_used(struct evidence *e, const struct need_volume *v)
{
	double free_iops = v->cap.iops - v->iops;
	if (isnan(v->iops_used_frac) || v->censored || !(v->iops_used_frac < at_cap))
		return;
	findings_add(&e->findings, SEVERITY_NOTE, "cap-use", NULL,
		"%s: %.1f %% of the IOPS cap, %.0f IOPS free%s", need_name(e->arena, v->series),
		100 * v->iops_used_frac, free_iops,
		v->stats.queue.max >= 8
			? ": not at the IOPS cap; the queue explains the latency (queue = rate x "
			  "latency)"
			: "");
}

struct credits {
	double left, full, empty_at_s; /* NaN: never */
	double after_iops, after_s; /* seen once they were gone */
	size_t held; /* intervals of that at the base rate or more */
};

/* A second at r above the base takes r - base credits, below it gives them back up to a full bucket. */
static void
spend(const struct need_volume *v, struct credits *c)
{
	double t = 0;
	for (size_t i = 0; i < v->series->n_samples; i++) {
		const struct evidence_sample *x = &v->series->samples[i];
		double dt = isnan(x->dt_s) ? v->stats.resolution_s : x->dt_s;
		double drain = series_iops(x) - v->cap.iops;
		if (isnan(drain) || isnan(dt))
			continue;
		if (!isnan(c->empty_at_s)) {
			c->held += series_iops(x) >= at_cap * v->cap.iops;
			c->after_iops += series_iops(x) * dt;
			c->after_s += dt;
		} else if (c->left - drain * dt <= 0 && drain > 0) {
			c->empty_at_s = t + c->left / drain;
		}
		c->left = fmin(c->full, c->left - drain * dt);
		t += dt;
	}
}

static void
say_credits(struct evidence *e, struct need_volume *v)
{
	struct credits c = {v->cap.bucket_ios, v->cap.bucket_ios, NAN, 0, 0, 0};
	const char *name = need_name(e->arena, v->series);
	if (isnan(v->cap.bucket_ios) || isnan(v->cap.iops))
		return;
	double drain = v->stats.iops.p50 - v->cap.iops;
	v->credit_s = drain > 0 ? v->cap.bucket_ios / drain : (double)NAN;
	spend(v, &c);
	if (!isnan(v->credit_s))
		findings_add(&e->findings, SEVERITY_WARNING, "burst-credits",
			"judge the SLA on the base rate, or take a disk without credits",
			"%s: at its median of %.0f IOPS %.0f credits a second are spent: a full "
			"bucket "
			"of %.0f is empty after %.0f s = %.2f h; then the disk gives %.0f IOPS, "
			"not "
			"%.0f",
			name, v->stats.iops.p50, drain, v->cap.bucket_ios, v->credit_s,
			v->credit_s / 3600, v->cap.iops, v->cap.burst_iops);
	if (isnan(c.empty_at_s) || c.after_s <= 0)
		return;
	double seen = c.after_iops / c.after_s;
	v->n_at_iops += c.held;
	v->n_censored += c.held;
	v->censored = v->censored || (double)v->n_censored > 0.01 * (double)v->stats.n;
	findings_add(&e->findings, SEVERITY_WARNING, "credits-gone",
		"ask the provider what the base rate is, and measure with an empty bucket",
		"%s: played over the series, the credits end after %.2f h; from then on the model "
		"says "
		"%.0f IOPS and %.0f were seen%s",
		name, c.empty_at_s / 3600, v->cap.iops, seen,
		seen > 1.1 * v->cap.iops ? ": they disagree, so the confidence is one grade lower"
					 : "");
	if (seen > 1.1 * v->cap.iops && v->grade < NEED_GRADE_D)
		v->grade++;
}

void
need_look_at_caps(struct evidence *e, struct need_volume *v)
{
	v->iops_used_frac = v->iops / v->cap.iops;
	v->bytes_used_frac = v->bytes_s / v->cap.bytes_s;
	say_over(e, v);
	if (isnan(v->cap.burst_iops))
		count_held(v);
	say_credits(e, v);
	say_burst(e, v);
	if (v->censored && v->verdict != NEED_OVER_CAP)
		say_held(e, v);
	say_crossover(e, v);
	say_used(e, v);
}
