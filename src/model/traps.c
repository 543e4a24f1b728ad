#include "model/traps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/units.h"

struct look {
	const struct series *s;
	const struct curve_context *ctx;
	struct model_curve *c;
	struct findings *out;
};

/* Both return `text`, for use inside an argument list. */
static const char *
us_text(double us, char text[32])
{
	units_latency_text(us, text);
	return text;
}

static const char *
iops_text(double iops, char text[32])
{
	units_count_text(round(iops), text);
	return text;
}

static double
most_iops(const struct series *s, size_t *at)
{
	double best = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->points[i].iops > best) {
			best = s->points[i].iops;
			*at = i;
		}
	}
	return best;
}

/* How to measure depths: the ladder of bench is random I/O of 4 KiB, anything else is fio's. */
static const char *
deeper(const struct series *s, char todo[200])
{
	bool random = s->op == PROFILE_OP_RANDREAD || s->op == PROFILE_OP_RANDWRITE;
	const char *op = names_text(&profile_op_names, (int)s->op);
	if (random && s->bs_b == 4 * UNITS_KIB)
		snprintf(todo, 200,
			"measure depths 1 to 128: tierwise bench DIR --tests %s -o FILE.json", op);
	else
		snprintf(todo, 200,
			"measure depths 1, 4, 16 and 64 at least: a job of fio for each (--rw=%s "
			"--bs=%.0f --iodepth=N --direct=1 --ioengine=libaio "
			"--output-format=json), then tierwise import DIR",
			op, s->bs_b);
	return todo;
}

static void
few_depths(const struct look *l)
{
	const struct series *s = l->s;
	double span = s->points[s->n - 1].qd / s->points[0].qd;
	char todo[200];
	if (s->n == 1 || (s->n >= 3 && span >= 8) || l->ctx->beside)
		return;
	findings_add(l->out, SEVERITY_WARNING, "few-depths", deeper(s, todo),
		"%s: %zu depths from QD%g to QD%g; two numbers only, and the wall is not fitted",
		s->label, s->n, s->points[0].qd, s->points[s->n - 1].qd);
}

static void
one_depth(const struct look *l)
{
	if (l->s->n > 1)
		return;
	char one[32], two[32];
	const struct point *p = &l->s->points[0];
	if (!isnan(l->s->loose_iops)) {
		findings_add(l->out, SEVERITY_NOTE, "published-pair",
			"measure depths 1 to 64: a published pair is good to a factor of 1.4",
			"%s: light latency %s and a published rate of %s IOPS; two-number curve",
			l->s->label, us_text(l->c->l1_us, one), iops_text(l->s->loose_iops, two));
		return;
	}
	findings_add(l->out, SEVERITY_NOTE, "one-depth",
		"measure deeper, or give the caps of the SKU", "%s: only QD%g is known (%s); %s",
		l->s->label, p->qd, us_text(p->mean_us, one),
		p->qd == 1 ? "nothing is known about load"
		: l->c->wall_reached
			? "that is at the cap, which hides the light latency: it is shorter"
			: "lighter loads are not slower than this, but may be much faster");
}

static void
wall_not_reached(const struct look *l)
{
	double g = curve_growth(l->s->points, l->s->n);
	if (l->s->n < 2 || l->c->wall_reached || l->ctx->beside)
		return;
	char one[32];
	size_t at = 0;
	double best = most_iops(l->s, &at);
	findings_add(l->out, SEVERITY_NOTE, "wall-not-reached",
		"measure deeper, or give the cap of the SKU (predict --sku-iops)",
		"%s: throughput still grows at QD%g (exponent %.2f; a wall shows below 0.10): "
		"%s IOPS is only a lower bound",
		l->s->label, l->s->points[l->s->n - 1].qd, g, iops_text(best, one));
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Median rate of the deeper half. */
static double
plateau_iops(const struct series *s)
{
	double rates[64];
	size_t n = 0;
	for (size_t i = s->n / 2; i < s->n && n < 64; i++)
		rates[n++] = s->points[i].iops;
	qsort(rates, n, sizeof(rates[0]), ascending);
	return n % 2 ? rates[n / 2] : (rates[n / 2 - 1] + rates[n / 2]) / 2;
}

/* The cap is the plateau: a depth 1 above it was answered by a cache. */
static void
hidden_by_cap(const struct look *l)
{
	const struct series *s = l->s;
	if (s->n < 2 || s->points[0].qd != 1 || s->points[1].qd > 8 || l->ctx->beside)
		return;
	char one[32], two[32];
	double rise = s->points[1].mean_us / s->points[0].mean_us;
	/* 1.7 a doubling: R(2)/R(1) where both were measured */
	if (rise <= pow(s->points[1].qd, log(1.7) / log(2)))
		return;
	double plateau = plateau_iops(s), first = s->points[0].iops;
	bool burst = first > 1.1 * plateau;
	findings_add(l->out, SEVERITY_WARNING, "hidden-by-cap",
		"look for a quota, a synchronous engine or a bus limit; the light latency is not "
		"in these data",
		"%s: already saturated at depth 1 (QD%g takes %.2f times as long): the light "
		"latency is hidden by the cap of about %s IOPS%s%s%s",
		s->label, s->points[1].qd, rise, iops_text(burst ? plateau : first, one),
		burst ? "; the " : "", burst ? iops_text(first, two) : "",
		burst ? " IOPS at QD1 lie above it: a write cache or a burst answered, not the disk"
		      : "");
}

static void
falls_with_depth(const struct look *l)
{
	size_t at = 0;
	const struct series *s = l->s;
	const struct point *end = &s->points[s->n - 1];
	double best = most_iops(s, &at), last = end->iops;
	if (s->n < 3 || last >= 0.9 * best)
		return;
	char one[32], two[32], three[32];
	double plateau = plateau_iops(s);
	/* fmax skips the NaN of a single run */
	bool noise = fmax(s->points[at].spread, end->spread) > log(best / last);
	l->c->x_inf_iops = fmin(l->c->x_inf_iops, plateau);
	findings_add(l->out, SEVERITY_WARNING, "falls-with-depth",
		"precondition the disk and run longer; plan with the plateau",
		"%s: %s IOPS at QD%g fall to %s at QD%g: %s; plateau %s IOPS", s->label,
		iops_text(best, one), s->points[at].qd, iops_text(last, two), end->qd,
		noise ? "less than the repeats differ, so it may be noise"
		      : "the maximum is a burst (write cache, SLC or credits)",
		iops_text(plateau, three));
}

static void
bump(const struct look *l)
{
	const struct series *s = l->s;
	for (size_t i = 1; i + 1 < s->n && s->points[i].qd <= 4; i++) {
		double before = s->points[i - 1].mean_us, here = s->points[i].mean_us,
		       after = s->points[i + 1].mean_us;
		if (here <= before || after >= here / 1.06)
			continue;
		char one[32], two[32];
		findings_add(l->out, SEVERITY_WARNING, "bump",
			"hold the processors awake while measuring, or look at interrupt "
			"moderation",
			"%s: latency rises to %s at QD%g and falls to %s at QD%g: idle states or "
			"interrupt coalescing; interpolation keeps the bump, the curve does not",
			s->label, us_text(here, one), s->points[i].qd, us_text(after, two),
			s->points[i + 1].qd);
	}
}

/* Throughput that falls and recovers: no law of depth does that. */
static void
dip(const struct look *l)
{
	const struct series *s = l->s;
	for (size_t i = 1; i + 1 < s->n; i++) {
		const struct point *before = &s->points[i - 1], *here = &s->points[i];
		size_t back = i + 1;
		while (back < s->n && s->points[back].iops < before->iops)
			back++;
		if (here->iops >= 0.94 * before->iops || back == s->n)
			continue;
		char one[32], two[32];
		findings_add(l->out, SEVERITY_WARNING, "dip",
			"repeat the sweep in another order, with nothing else on the machine",
			"%s: %s IOPS at QD%g fall to %s at QD%g and are back at QD%g: other load "
			"or a "
			"change of state, not the depth; interpolation keeps the dip, the curve "
			"does "
			"not",
			s->label, iops_text(before->iops, one), before->qd,
			iops_text(here->iops, two), here->qd, s->points[back].qd);
	}
}

/* One finding a series: which depths, and the worst of them. */
static void
repeats_differ(const struct look *l)
{
	const struct point *worst = NULL;
	struct buf depths;
	buf_init(&depths, 1024);
	for (size_t i = 0; i < l->s->n; i++) {
		const struct point *p = &l->s->points[i];
		if (!(p->differ > 1.20))
			continue;
		buf_printf(&depths, "%sQD%g", worst ? ", " : "", p->qd);
		worst = worst && worst->differ >= p->differ ? worst : p;
	}
	if (worst)
		findings_add(l->out, SEVERITY_WARNING, "repeats-differ",
			"find the option or state that differs; keep both",
			"%s: runs of the same cell differ at %s, most at QD%g: %zu runs by a "
			"factor of "
			"%.2f in mean latency; the interval covers them all",
			l->s->label, buf_text(&depths), worst->qd, worst->repeats, worst->differ);
	buf_fini(&depths);
}

static void
stalls(const struct look *l)
{
	for (size_t i = 0; i < l->s->n; i++) {
		const struct point *p = &l->s->points[i];
		/* 5 %: a plateau has mean = p99, and percentiles have bins */
		bool mean_high = p->mean_us > 1.05 * p->p99_us,
		     median_high = p->p50_us > 1.1 * p->mean_us;
		if (!mean_high && !median_high)
			continue;
		findings_add(l->out, SEVERITY_WARNING, "stalls",
			"judge this disk by p999 and the maximum, not by the mean",
			"%s, QD%g: %s: a few very long stalls (or percentiles of another "
			"quantity)",
			l->s->label, p->qd,
			mean_high ? "the mean lies above p99"
				  : "the median lies 10 % above the mean");
	}
}

static void
above_cap(const struct look *l)
{
	size_t at = 0;
	double best = most_iops(l->s, &at);
	char one[32], two[32];
	if (!(best > 1.07 * l->ctx->cap_iops))
		return;
	findings_add(l->out, SEVERITY_WARNING, "above-cap",
		"run longer than the burst window with a working set beyond every cache",
		"%s: %s IOPS exceed the stated cap of %s: burst or cache, not usable as capacity",
		l->s->label, iops_text(best, one), iops_text(l->ctx->cap_iops, two));
}

void
traps_find(const struct series *s, const struct curve_context *ctx, struct model_curve *c,
	struct findings *out)
{
	static void (*const traps[])(const struct look *) = {few_depths, one_depth,
		wall_not_reached, hidden_by_cap, falls_with_depth, bump, dip, repeats_differ,
		stalls, above_cap};
	struct look look = {s, ctx, c, out};
	for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]); i++)
		traps[i](&look);
}

/* The deepest of the depths from 1 on at which latency stays within 15 % of depth 1; 0: no depth 1. */
static double
flat_until(const struct series *s)
{
	double qd = 0;
	for (size_t i = 0; i < s->n && s->points[0].qd == 1; i++) {
		if (s->points[i].mean_us > 1.15 * s->points[0].mean_us)
			break;
		qd = s->points[i].qd;
	}
	return qd;
}

/* On flash a write at depth 1 is no slower than a few reads, unless it waits for the medium. */
static void
slow_write(const struct series *write, const struct series *read, struct findings *out)
{
	double w = write->points[0].mean_us, r = read->points[0].mean_us;
	double flat = flat_until(write);
	bool flash = read->points[0].qd == 1 && r < 1000; /* a platter reads in milliseconds */
	if (!flash || flat < 2 || w < 5 * r)
		return;
	char one[32], two[32];
	findings_add(out, SEVERITY_WARNING, "slow-writes",
		"look at the write cache and its power protection; for a log this latency at "
		"depth 1 decides, not the IOPS",
		"%s: %s at QD1, %.0f times a read (%s), and flat to QD%g: each write waits for the "
		"medium, as with a write cache that is off or a flush after each write; more "
		"outstanding I/O hides it, a log with one writer does not",
		write->label, us_text(w, one), w / r, us_text(r, two), flat);
}

void
traps_between(const struct series_list *list, struct findings *out)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct series *write = &list->items[i];
		if (write->op != PROFILE_OP_RANDWRITE || write->n < 2)
			continue;
		for (size_t k = 0; k < list->n; k++) {
			const struct series *read = &list->items[k];
			if (read->op == PROFILE_OP_RANDREAD && read->n > 0 &&
				read->bs_b == write->bs_b)
				slow_write(write, read, out);
		}
	}
}
