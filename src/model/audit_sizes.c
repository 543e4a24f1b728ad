/*
 * audit_sizes.c - IOPS that fall with the block size, against what a quota does.
 *
 * A quota is exactly min(IOPS cap, MB/s cap / block size): from one size to the next either the IOPS or
 * the bandwidth stays, but for the one step over the corner.  What serves one I/O after another takes
 * a + b bs for each (models.md section 2), which decays smoothly.
 */
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/audit_internal.h"
#include "model/points.h"

enum { MAX_SIZES = 64 };

struct size_row {
	double bs_b, iops;
};

struct sweep {
	int op;
	double qd;
	struct size_row rows[MAX_SIZES];
	size_t n;
	int trust;
	const char *source;
};

static int
by_size(const void *a, const void *b)
{
	double x = ((const struct size_row *)a)->bs_b, y = ((const struct size_row *)b)->bs_b;
	return (x > y) - (x < y);
}

/* Every size of one operation and depth; the best rate of repeats. */
static void
collect(const struct profile *p, struct sweep *s)
{
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		double rate = points_rate(c);
		if (c->op != s->op || c->qd != s->qd || points_off_curve(c) || !(rate > 0) ||
			!(c->bs_b > 0))
			continue;
		size_t at = 0;
		while (at < s->n && s->rows[at].bs_b != c->bs_b)
			at++;
		if (at == MAX_SIZES)
			continue;
		s->rows[at].iops = at == s->n ? rate : fmax(rate, s->rows[at].iops);
		s->rows[at].bs_b = c->bs_b;
		s->n += at == s->n;
		int trust = profile_cell_trust(p, c);
		s->trust = trust > s->trust ? trust : s->trust;
		s->source = c->source ? c->source : p->source;
	}
	qsort(s->rows, s->n, sizeof(s->rows[0]), by_size);
}

/* time = a + b bs by least squares of the relative error, which is linear in a and b; the largest error. */
static double
harmonic(const struct sweep *s, double *a_us, double *b_us_per_kib)
{
	double s11 = 0, s12 = 0, s22 = 0, t1 = 0, t2 = 0, worst = 0;
	for (size_t i = 0; i < s->n; i++) {
		/* 1 = a iops + b bs iops */
		double x = s->rows[i].iops * 1e-6, y = x * s->rows[i].bs_b / UNITS_KIB;
		s11 += x * x;
		s12 += x * y;
		s22 += y * y;
		t1 += x;
		t2 += y;
	}
	double det = s11 * s22 - s12 * s12;
	*a_us = (t1 * s22 - t2 * s12) / det;
	*b_us_per_kib = (s11 * t2 - s12 * t1) / det;
	for (size_t i = 0; i < s->n; i++) {
		double us = *a_us + *b_us_per_kib * s->rows[i].bs_b / UNITS_KIB;
		worst = fmax(worst, fabs(1e6 / us / s->rows[i].iops - 1));
	}
	return worst;
}

/* Steps at which neither the IOPS nor the bandwidth stays within 5 %. */
static size_t
smooth_steps(const struct sweep *s)
{
	size_t n = 0;
	for (size_t i = 1; i < s->n; i++) {
		double iops = s->rows[i].iops / s->rows[i - 1].iops;
		double bytes = iops * s->rows[i].bs_b / s->rows[i - 1].bs_b;
		n += iops < 0.95 && bytes > 1.05;
	}
	return n;
}

/* "8 KiB -9.0 %, 16 KiB -22.0 %" */
static const char *
steps_text(const struct sweep *s, struct audit *a)
{
	const char *text = "";
	for (size_t i = 1; i < s->n; i++)
		text = audit_text(a, "%s%s%s %+.1f %%", text, i > 1 ? ", " : "",
			audit_size(a, s->rows[i].bs_b),
			100 * (s->rows[i].iops / s->rows[0].iops - 1));
	return text;
}

/* The size at which min(first IOPS, last bandwidth / size) misses most, and what it gives there. */
static const struct size_row *
worst_for_quota(const struct sweep *s, double *quota_iops)
{
	const struct size_row *last = &s->rows[s->n - 1], *worst = NULL;
	double most = 0;
	for (size_t i = 1; i + 1 < s->n; i++) {
		const struct size_row *r = &s->rows[i];
		double quota = fmin(s->rows[0].iops, last->iops * last->bs_b / r->bs_b);
		double off = fabs(log(quota / r->iops));
		if (worst && off <= most)
			continue;
		worst = r;
		most = off;
		*quota_iops = quota;
	}
	return worst;
}

static void
smooth_decay(const struct profile *p, const struct sweep *s, struct audit *a)
{
	double a_us, b_us, error = harmonic(s, &a_us, &b_us), quota = (double)NAN;
	const struct size_row *first = &s->rows[0], *last = &s->rows[s->n - 1];
	const struct size_row *worst = worst_for_quota(s, &quota);
	const char *subject = audit_text(a, "%s at QD%g over block sizes",
		s->op < 0 ? "I/O" : names_text(&profile_op_names, s->op), s->qd);
	struct audit_finding *f = audit_add(a, AUDIT_CONTRADICTION, "smooth-decay", subject);
	for (size_t i = 0; i < s->n; i++)
		audit_input(a, f, audit_size(a, s->rows[i].bs_b),
			audit_text(a, "%s IOPS", audit_number(a, s->rows[i].iops)), s->trust,
			s->source);
	f->text = audit_text(a,
		"IOPS decay smoothly (%s): quota disks hold their IOPS until the MB/s cap over the "
		"block size bites, so this is not the behaviour of %s",
		steps_text(s, a), p->family ? p->family : "a provider's disk");
	f->arithmetic = audit_text(a,
		"time per I/O = %.3g us + %.3g us/KiB within %.2f %%; a quota of min(%s IOPS, %s "
		"MB/s / size) gives %s IOPS at %s, not %s",
		a_us, b_us, 100 * error, audit_number(a, first->iops),
		audit_number(a, last->iops * last->bs_b / UNITS_MB), audit_number(a, quota),
		audit_size(a, worst->bs_b), audit_number(a, worst->iops));
	f->needs = audit_text(a,
		"a device that serves one I/O after another (%s MiB/s and %s IOPS at most), or a "
		"run below the quota, whose rates are then its depth over its latency",
		audit_number(a, UNITS_KIB / b_us * 1e6 / UNITS_MIB), audit_number(a, 1e6 / a_us));
	f->todo = "use min(IOPS cap, MB/s cap / block size) of the SKU";
}

/* IOPS that hold and then a bandwidth that does. */
static void
quota_shape(const struct sweep *s, struct audit *a)
{
	const struct size_row *first = &s->rows[0], *last = &s->rows[s->n - 1];
	double mbps = last->iops * last->bs_b / UNITS_MB;
	struct audit_finding *f = audit_add(a, AUDIT_AGREES, "quota-shape",
		audit_text(a, "%s at QD%g over block sizes",
			s->op < 0 ? "I/O" : names_text(&profile_op_names, s->op), s->qd));
	f->text = audit_text(a, "IOPS hold and then the bandwidth does, as a quota has it");
	f->arithmetic = audit_text(a, "min(%s IOPS, %s MB/s / size), which meet at %s",
		audit_number(a, first->iops), audit_number(a, mbps),
		audit_size(a, floor(mbps * UNITS_MB / first->iops)));
	for (size_t i = 0; i < s->n; i++)
		audit_input(a, f, audit_size(a, s->rows[i].bs_b),
			audit_text(a, "%s IOPS", audit_number(a, s->rows[i].iops)), s->trust,
			s->source);
}

/* A quota is what is seen when it binds: at depth 1 latency decides, and a measured disk may lie below. */
static void
test_sweep(const struct profile *p, const struct sweep *s, struct audit *a)
{
	if (s->n < 3 || !(s->qd > 1))
		return;
	double fall = s->rows[s->n - 1].iops / s->rows[0].iops;
	size_t steps = smooth_steps(s);
	if (s->trust == TRUST_PUBLISHED && steps > 1)
		smooth_decay(p, s, a);
	else if (steps <= 1 && fall < 0.6)
		quota_shape(s, a);
}

void
audit_sizes(const struct profile *p, struct audit *a)
{
	if (p->device != PROFILE_DEVICE_CLOUD && !p->quota)
		return;
	for (size_t i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];
		bool seen = isnan(c->qd);
		for (size_t j = 0; j < i && !seen; j++)
			seen = p->cells[j].op == c->op && p->cells[j].qd == c->qd;
		if (seen)
			continue;
		struct sweep s = {.op = c->op, .qd = c->qd, .trust = -1};
		collect(p, &s);
		test_sweep(p, &s, a);
	}
}
