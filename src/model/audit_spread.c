/*
 * audit_spread.c - a mean and the percentiles of the same latencies.
 *
 * Bounds that hold for any distribution: the share 1 - p of all I/O takes at least the p-th percentile,
 * so mean >= (1 - p) x percentile; and mean <= p x percentile + (1 - p) x maximum.
 */
#include <math.h>

#include "model/audit_internal.h"

/* fio's histogram ends at 2^34 ns; its last bin reads 17,112,760,320 ns. */
static const double ceiling_us = 17112760.32;
static const double slack = 1.02; /* bins of a histogram */

struct percentile {
	const char *name;
	double us, above; /* share of the I/O that takes longer */
};

enum { N_PERCENTILES = 5 };

static void
list(const struct spread *s, struct percentile p[N_PERCENTILES])
{
	p[0] = (struct percentile){"p50", s->p50, 0.5};
	p[1] = (struct percentile){"p90", s->p90, 0.1};
	p[2] = (struct percentile){"p95", s->p95, 0.05};
	p[3] = (struct percentile){s->p99_name ? s->p99_name : "p99", s->p99, 0.01};
	p[4] = (struct percentile){"p99.9", s->p999, 0.001};
}

struct spread_check {
	struct audit *a;
	const char *subject;
	const struct spread *s;
	int trust;
	const char *source;
};

static struct audit_finding *
add(const struct spread_check *k, enum audit_verdict verdict, const char *code, const char *name,
	double us)
{
	struct audit_finding *f = audit_add(k->a, verdict, code, k->subject);
	audit_input(k->a, f, "mean latency", audit_us(k->a, k->s->mean), k->trust, k->source);
	audit_input(k->a, f, name, audit_us(k->a, us), k->trust, k->source);
	return f;
}

static void
order(const struct spread_check *k, const struct percentile *p)
{
	double before = k->s->completion ? (double)NAN : k->s->min;
	const char *name = "minimum";
	for (size_t i = 0; i <= N_PERCENTILES; i++) {
		double us = i < N_PERCENTILES ? p[i].us : k->s->max;
		const char *here = i < N_PERCENTILES ? p[i].name : "maximum";
		if (us * slack < before) {
			struct audit_finding *f = add(
				k, AUDIT_CONTRADICTION, "percentile-order", here, us);
			audit_input(k->a, f, name, audit_us(k->a, before), k->trust, k->source);
			f->text = audit_text(k->a, "%s of %s lies below %s of %s", here,
				audit_us(k->a, us), name, audit_us(k->a, before));
			f->needs = "two different runs or loads";
			f->todo = "use neither without a measurement";
		}
		if (!isnan(us)) {
			before = us;
			name = here;
		}
	}
}

static void
mean_too_low(const struct spread_check *k, const struct percentile *p)
{
	double least = p->above * p->us, mean = k->s->mean;
	if (!(mean * slack < least))
		return;
	struct audit *a = k->a;
	struct audit_finding *f = add(k, AUDIT_CONTRADICTION, "mean-below-bound", p->name, p->us);
	f->text = audit_text(a, "a mean of %s cannot go with a %s of %s", audit_us(a, mean),
		p->name, audit_us(a, p->us));
	f->arithmetic = audit_text(a,
		"%g %% of the I/O take at least %s, so the mean is at least %g x %s = %s",
		100 * p->above, audit_us(a, p->us), p->above, audit_us(a, p->us),
		audit_us(a, least));
	f->needs = audit_text(a, "a mean of at least %s, or a %s of at most %s", audit_us(a, least),
		p->name, audit_us(a, mean / p->above));
	f->todo = "look for a unit error, or percentiles of another quantity";
}

static void
mean_above_p99(const struct spread_check *k)
{
	const struct spread *s = k->s;
	if (s->completion || !(s->mean > 1.05 * s->p99))
		return;
	struct audit *a = k->a;
	double tail = (s->mean - 0.99 * s->p99) / 0.01;
	const char *name = s->p99_name ? s->p99_name : "p99";
	bool impossible = tail > slack * s->max;
	struct audit_finding *f = add(
		k, impossible ? AUDIT_CONTRADICTION : AUDIT_DOUBT, "mean-above-p99", name, s->p99);
	if (!isnan(s->max))
		audit_input(a, f, "maximum", audit_us(a, s->max), k->trust, k->source);
	f->text = audit_text(a, "the mean of %s lies above %s of %s%s", audit_us(a, s->mean), name,
		audit_us(a, s->p99),
		impossible ? ", and the maximum is too low for that"
			   : ": a few very long stalls, or percentiles of another run");
	f->arithmetic = audit_text(a,
		"the slowest 1 %% would have to take at least (%s - 0.99 x %s) / 0.01 = %s in the "
		"mean%s%s",
		audit_us(a, s->mean), audit_us(a, s->p99), audit_us(a, tail),
		isnan(s->max) ? "" : "; the maximum is ", isnan(s->max) ? "" : audit_us(a, s->max));
	f->needs = audit_text(a, "1 %% of the I/O at %s or more, or a mean of at most %s",
		audit_us(a, tail), audit_us(a, s->p99));
	f->todo = "judge such a disk by p99.9 and the maximum; ask for both from one run";
}

static void
median_above_mean(const struct spread_check *k)
{
	const struct spread *s = k->s;
	if (!(s->p50 > 1.1 * s->mean) || s->mean * slack < 0.5 * s->p50)
		return;
	struct audit *a = k->a;
	struct audit_finding *f = add(k, AUDIT_DOUBT, "median-above-mean", "p50", s->p50);
	f->text = audit_text(a,
		"the median of %s lies above the mean of %s: two populations (a cache answers "
		"some), or percentiles of another quantity",
		audit_us(a, s->p50), audit_us(a, s->mean));
	f->arithmetic = audit_text(
		a, "%s / %s = %.2f", audit_us(a, s->p50), audit_us(a, s->mean), s->p50 / s->mean);
	f->needs = audit_text(a, "the faster half takes at most 2 x %s - %s = %s in the mean",
		audit_us(a, s->mean), audit_us(a, s->p50), audit_us(a, 2 * s->mean - s->p50));
	f->todo = "look at the histogram";
}

static void
outside(const struct spread_check *k)
{
	const struct spread *s = k->s;
	bool above = s->mean > slack * s->max, below = s->mean * slack < s->min;
	if (!above && !below)
		return;
	double end = above ? s->max : s->min;
	struct audit_finding *f = add(
		k, AUDIT_CONTRADICTION, "mean-outside-range", above ? "maximum" : "minimum", end);
	f->text = audit_text(k->a, "the mean of %s lies %s the %s of %s", audit_us(k->a, s->mean),
		above ? "above" : "below", above ? "maximum" : "minimum", audit_us(k->a, end));
	f->needs = "two different runs or units";
	f->todo = "look for a unit error";
}

static void
at_ceiling(const struct spread_check *k, const struct percentile *p)
{
	if (!(fabs(p->us / ceiling_us - 1) < 0.004))
		return;
	struct audit_finding *f = add(k, AUDIT_DOUBT, "percentile-ceiling", p->name, p->us);
	f->text = audit_text(k->a,
		"%s reads %s, the end of fio's histogram: the true value is above 17.1 s", p->name,
		audit_us(k->a, p->us));
	f->arithmetic = "2^34 ns = 17.18 s; its last bin reads 17.11 s";
	f->needs = audit_text(k->a, "%s happens to be 17.11 s", p->name);
	f->todo = "use the maximum, or log every latency";
}

void
audit_spread(
	struct audit *a, const char *subject, const struct spread *s, int trust, const char *source)
{
	const struct spread_check k = {a, subject, s, trust, source};
	struct percentile p[N_PERCENTILES];
	list(s, p);
	order(&k, p);
	for (size_t i = 0; i < N_PERCENTILES; i++) {
		mean_too_low(&k, &p[i]);
		at_ceiling(&k, &p[i]);
	}
	mean_above_p99(&k);
	median_above_mean(&k);
	outside(&k);
}
