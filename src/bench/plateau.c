#include "bench/plateau.h"

#include <math.h>

#include "base/buf.h"
#include "base/units.h"

enum { COUNT_TEXT = 32 };

/* Published cloud disks at their cap: rates within 0.3 %, p95/p50 at most 1.21, reads as writes
 * within 0.6 %; emulated ones on a small busy machine need a little more room. */
static const double FLAT_MAX = 0.03, STEADY_MAX = 0.05, TIGHT_MAX = 1.25, LIGHT_LEAST = 1.1;
static const double SAME_SIZE = 0.03, SAME_OTHER = 0.015, LARGER = 2, SMALL_MAX_B = 65536;
/* Tokens of the kernel's throttle every 0.1 s (DFL_THROTL_SLICE). */
static const double WAIT_LO_US = 40e3, WAIT_HI_US = 130e3, FEW_WAIT = 3, APART = 4;
static const double LIMIT_LO = 0.93, LIMIT_HI = 1.05, CLIENT_LEAST = 0.90;

static bool
within(double a, double b, double frac)
{
	return fabs(a / b - 1) <= frac; /* false for NaN */
}

static bool
flat(const struct plateau_figures *f)
{
	return f->knee.n_top >= 2 && f->knee.flat_frac <= FLAT_MAX;
}

static bool
steady(const struct plateau_figures *f)
{
	return isnan(f->cv_frac) || f->cv_frac <= STEADY_MAX;
}

static bool
tight(const struct plateau_figures *f)
{
	return f->p90_us <= TIGHT_MAX * f->p50_us;
}

/* Requests that the disk would take at once by its light latency; about 1: one at a time. */
static double
light_depth(const struct plateau_figures *f)
{
	return f->light_us / 1e6 * f->knee.iops;
}

static bool
deep_enough(const struct plateau_figures *f, const struct plateau_size *s)
{
	return s->bs_b >= LARGER * f->bs_b && s->qd >= f->knee_qd && s->iops > 0;
}

/* A larger block at the same rate of requests; NULL: none measured. */
static const struct plateau_size *
same_rate(const struct plateau_figures *f)
{
	for (size_t i = 0; i < f->n_sizes; i++) {
		if (deep_enough(f, &f->sizes[i]) &&
			within(f->sizes[i].iops, f->knee.iops, SAME_SIZE))
			return &f->sizes[i];
	}
	return NULL;
}

static const struct plateau_size *
same_bytes(const struct plateau_figures *f)
{
	for (size_t i = 0; i < f->n_sizes; i++) {
		const struct plateau_size *s = &f->sizes[i];
		if (deep_enough(f, s) &&
			within(s->iops * s->bs_b, f->knee.iops * f->bs_b, SAME_SIZE))
			return s;
	}
	return NULL;
}

/*
 * A larger block that is slower though no cap in bytes holds it (another size moves more bytes):
 * what a cap in IOPS does not do.
 */
static const struct plateau_size *
slower(const struct plateau_figures *f)
{
	double most = 0;
	for (size_t i = 0; i < f->n_sizes; i++)
		most = fmax(most, f->sizes[i].iops * f->sizes[i].bs_b);
	for (size_t i = 0; i < f->n_sizes; i++) {
		const struct plateau_size *s = &f->sizes[i];
		if (deep_enough(f, s) && s->bs_b <= SMALL_MAX_B &&
			s->iops < (1 - SAME_SIZE) * f->knee.iops && s->iops * s->bs_b < 0.9 * most)
			return s;
	}
	return NULL;
}

static bool
by_limit(const struct plateau_figures *f, struct buf *why)
{
	char allowed[COUNT_TEXT], done[COUNT_TEXT];
	double by_bytes = f->limit_bps / f->bs_b;
	bool iops = f->knee.iops >= LIMIT_LO * f->limit_iops &&
		    f->knee.iops <= LIMIT_HI * f->limit_iops;
	bool bytes = f->knee.iops >= LIMIT_LO * by_bytes && f->knee.iops <= LIMIT_HI * by_bytes;
	if (!iops && !bytes)
		return false;
	units_count_text(iops ? f->limit_iops : by_bytes, allowed);
	units_count_text(f->knee.iops, done);
	buf_printf(why,
		"quota-limited: a control group allows %s of these a second and %s were done, so "
		"the group was measured and not the disk",
		allowed, done);
	return true;
}

/*
 * With depth q, light latency L and rate C the wait is 0.1 s x (1 - L C / q): half of it and more
 * from twice the knee on, and never more.  Starved requests in a deep queue can wait as long, but
 * not at every depth.
 */
double
plateau_wait_us(double p99_us, double p999_us, double max_us)
{
	const double longest_us[] = {p99_us, p999_us, max_us};
	for (int i = 0; i < 3; i++) {
		if (longest_us[i] >= WAIT_LO_US && longest_us[i] <= WAIT_HI_US)
			return longest_us[i];
	}
	return NAN;
}

static bool
by_pattern(const struct plateau_figures *f, struct buf *why)
{
	char p50[COUNT_TEXT], slow[COUNT_TEXT], rate[COUNT_TEXT];
	if (!(f->p50_us * FEW_WAIT <= f->mean_us) || !f->knee.reached || f->n_deep < 2 ||
		f->n_waits < f->n_deep || !(f->shallow_qd * APART <= f->qd) || isnan(f->longest_us))
		return false;
	units_latency_text(f->p50_us, p50);
	units_latency_text(f->longest_us, slow);
	units_count_text(f->knee.iops, rate);
	buf_printf(why,
		"quota-limited: at depth %.0f half of the requests took at most %s and the slow "
		"ones %s, at %s a second, and no depth brings more or waits longer; so looks a "
		"throttle on the way to the disk, which lets requests through every 0.1 s",
		f->qd, p50, slow, rate);
	return true;
}

static bool
by_client(const struct plateau_figures *f, struct buf *why)
{
	if (!(f->client_frac >= CLIENT_LEAST))
		return false;
	buf_printf(why,
		"this machine is the limit: the program was on a processor or waiting for one "
		"%.0f %% of the time, so the disk may do more",
		100 * f->client_frac);
	return true;
}

static bool
not_reached(const struct plateau_figures *f, struct buf *why)
{
	if (f->knee.reached)
		return false;
	if (isnan(f->knee.rise_frac))
		buf_put(why, "one depth alone does not tell what limits it");
	else
		buf_printf(why,
			"no limit was reached: the last step, to depth %.0f, still brought %.0f "
			"%%, so the capacity is at least this",
			f->qd, 100 * f->knee.rise_frac);
	return true;
}

static bool
by_bytes(const struct plateau_figures *f, struct buf *why)
{
	const struct plateau_size *s = same_bytes(f);
	char size[COUNT_TEXT], larger[COUNT_TEXT], mbps[COUNT_TEXT];
	if (!s || !flat(f) || !steady(f))
		return false;
	units_size_text(f->bs_b, size);
	units_size_text(s->bs_b, larger);
	units_count_text(f->knee.iops * f->bs_b / UNITS_MB, mbps);
	buf_printf(why,
		"quota-limited: %s MB/s with blocks of %s as of %s, a cap in MB/s (or the speed of "
		"the link) whatever the block",
		mbps, size, larger);
	return true;
}

static bool
by_iops(const struct plateau_figures *f, struct buf *why)
{
	const struct plateau_size *s = same_rate(f);
	char rate[COUNT_TEXT], larger[COUNT_TEXT];
	bool both = within(f->other_iops, f->knee.iops, SAME_OTHER);
	if (!flat(f) || !steady(f) || !tight(f) || light_depth(f) <= LIGHT_LEAST || slower(f) ||
		(!s && !both))
		return false;
	units_count_text(f->knee.iops, rate);
	buf_printf(why,
		"quota-limited: %s IOPS at every depth from %.0f to %.0f within %.1f %%, hardly "
		"any "
		"spread of latency (p90 is %.2f x p50), ",
		rate, f->knee_qd, f->qd, 100 * f->knee.flat_frac, f->p90_us / f->p50_us);
	if (s) {
		units_size_text(s->bs_b, larger);
		buf_printf(why, "and the same with blocks of %s", larger);
	} else {
		buf_put(why, "and the same for reads and writes");
	}
	buf_put(why, ": a cap in IOPS, not what the device can do");
	return true;
}

/* As flat and tight as under a cap, and nothing to tell them apart. */
static bool
undecided(const struct plateau_figures *f, struct buf *why)
{
	if (!flat(f) || !steady(f) || !tight(f) || slower(f))
		return false;
	buf_put(why, "as even as under a quota, but ");
	if (light_depth(f) <= LIGHT_LEAST)
		buf_put(why, "one request at a time already gets the whole rate: a quota below the "
			     "disk's own speed, or a device that does one thing at a time");
	else
		buf_put(why, "reads and writes differ and no larger block was seen at that rate: a "
			     "quota, or a controller's own limit");
	return true;
}

static bool
by_device(const struct plateau_figures *f, struct buf *why)
{
	const struct plateau_size *s = slower(f);
	char larger[COUNT_TEXT];
	buf_put(why, "device-limited: the rate stops rising");
	if (f->knee.n_top >= 2 && !flat(f))
		buf_printf(why, ", differs by %.0f %% between depths", 100 * f->knee.flat_frac);
	if (!steady(f))
		buf_printf(why, ", varies by %.0f %% from slice to slice", 100 * f->cv_frac);
	if (f->p90_us > TIGHT_MAX * f->p50_us)
		buf_printf(why, ", latency spreads (p90 is %.1f x p50)", f->p90_us / f->p50_us);
	if (s) {
		units_size_text(s->bs_b, larger);
		buf_printf(why, ", blocks of %s do %.0f %% of it", larger,
			100 * s->iops / f->knee.iops);
	}
	return true;
}

/* The first that holds; the last always does. */
static const struct rule {
	const char *limit;
	bool (*holds)(const struct plateau_figures *f, struct buf *why);
} rules[] = {
	{"throttle", by_limit},
	{"throttle", by_pattern},
	{"client", by_client},
	{"unknown", not_reached},
	{"cap-mbps", by_bytes},
	{"cap-iops", by_iops},
	{"unknown", undecided},
	{"device", by_device},
};

int
plateau_judge(const struct plateau_figures *f, struct arena *a, struct plateau *p, struct err *err)
{
	struct buf why;
	buf_init(&why, 4096);
	const struct rule *r = rules;
	while (!r->holds(f, &why))
		r++;
	p->limit = r->limit;
	p->why = arena_strdup(a, buf_text(&why));
	int rc = buf_check(&why, err);
	buf_fini(&why);
	return rc == 0 && !p->why ? err_nomem(err) : rc;
}
