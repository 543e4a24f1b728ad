/*
 * need_change.c - a volume before and after it was moved to another tier: where no cap was reached in either setting
 * and its latency stayed, the tier is not what limits.
 */
#include <math.h>
#include <stdlib.h>

#include "workload/need_parts.h"

#define SAME_FRAC                                                                                  \
	0.2 /* latencies that differ by less are called the same: p99 of few intervals is no finer */
#define CAP_FRAC 0.95 /* at the cap (workload.md section 2, rule 11) */

/* One setting: how near its caps it came, and its slow intervals. */
struct setting {
	double used_frac; /* NaN: no cap is known */
	double read_us, write_us; /* p99 of interval means; NaN: none */
};

static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double
p99(const struct evidence_series *s, bool write, struct arena *a)
{
	double *us = arena_array(a, s->n_samples, sizeof(double));
	size_t n = 0;
	for (size_t i = 0; us && i < s->n_samples; i++) {
		const struct evidence_sample *x = &s->samples[i];
		double rate = write ? x->write_iops : x->read_iops;
		double one = write ? x->write_us : x->read_us;
		if (rate > 0 && !isnan(one))
			us[n++] = one;
	}
	if (n == 0)
		return NAN;
	qsort(us, n, sizeof(double), ascending);
	return series_rank(us, n, 0.99);
}

static struct setting
setting_of(const struct needs *n, const struct need_volume *v)
{
	struct setting s = {.used_frac = fmax(v->iops_used_frac, v->bytes_used_frac),
		.read_us = p99(v->series, false, n->arena),
		.write_us = p99(v->series, true, n->arena)};
	for (size_t i = 0; i < n->n_machines; i++) {
		const struct need_machine *m = &n->machines[i];
		bool same = need_same_host(m->host, v->series->host);
		if (same && m->n_disks > 0) {
			s.used_frac = fmax(s.used_frac, m->sum.iops.max / n->options->vm_iops);
			s.used_frac = fmax(
				s.used_frac, m->sum.bytes_s.max / n->options->vm_bytes_s);
		}
	}
	/* latency that rose at the same rate is what is asked about here: no proof of a cap */
	if (v->n_at_iops + v->n_at_bytes + v->n_exceeded > 0)
		s.used_frac = fmax(s.used_frac, 1);
	return s;
}

static bool
stayed(double before, double after)
{
	return isnan(before) || isnan(after) || fabs(after / before - 1) < SAME_FRAC;
}

static void
say_no_effect(struct evidence *e, const char *name, const char *step, const struct setting *before,
	const struct setting *after)
{
	findings_add(&e->findings, SEVERITY_WARNING, "tier-not-limiting",
		"look at what the engine does at those times: its snapshot step, hard links and "
		"flushes "
		"of many table files at once; do not price a higher tier as the fix",
		"%s: no cap is reached in either setting (at most %.0f %% of one before, %.0f %% "
		"after), and the change of tier had no effect: p99 of %s means of reads %.1f, then "
		"%.1f ms, of writes %.1f, then %.1f ms: the storage tier is not limiting, an "
		"upgrade is "
		"expected to change nothing",
		name, 100 * before->used_frac, 100 * after->used_frac, step, before->read_us / 1e3,
		after->read_us / 1e3, before->write_us / 1e3, after->write_us / 1e3);
}

static void
compare(struct evidence *e, const struct needs *n, const struct need_volume *old,
	const struct need_volume *new)
{
	struct setting before = setting_of(n, old), after = setting_of(n, new);
	const char *name = need_name(e->arena, new->series);
	char step[40];
	series_resolution_text(new->stats.resolution_s, step);
	bool same = stayed(before.read_us, after.read_us) &&
		    stayed(before.write_us, after.write_us);
	double used = fmax(before.used_frac, after.used_frac);
	bool known = !isnan(before.used_frac) && !isnan(after.used_frac);
	if (isnan(before.read_us) && isnan(before.write_us))
		findings_add(&e->findings, SEVERITY_NOTE, "change-unknown",
			"give iostat -x or /proc/diskstats of both times",
			"%s: its latency before the change is not known", name);
	else if (!known)
		findings_add(&e->findings, SEVERITY_NOTE, "change-unknown",
			"give --cap before:DEVICE:iops=N,mbps=N and --cap "
			"HOST:DEVICE:iops=N,mbps=N",
			"%s: latency %s with the change of tier; what the disks were sold with is "
			"not "
			"known, so neither is why",
			name, same ? "stayed" : "changed");
	else if (same && used < CAP_FRAC)
		say_no_effect(e, name, step, &before, &after);
	else
		findings_add(&e->findings, SEVERITY_NOTE, "tier-changed", NULL,
			"%s: %.0f %% of a cap before, %.0f %% after; p99 of %s means of reads "
			"%.1f, "
			"then %.1f ms, of writes %.1f, then %.1f ms",
			name, 100 * before.used_frac, 100 * after.used_frac, step,
			before.read_us / 1e3, after.read_us / 1e3, before.write_us / 1e3,
			after.write_us / 1e3);
}

void
need_look_at_change(struct evidence *e, const struct needs *n)
{
	for (size_t i = 0; i < n->n_volumes; i++) {
		const struct need_volume *old = &n->volumes[i];
		if (!need_same_host(old->series->host, NEED_BEFORE))
			continue;
		size_t found = 0;
		for (size_t k = 0; k < n->n_volumes; k++) {
			const struct need_volume *new = &n->volumes[k];
			if (need_same_host(new->series->host, NEED_BEFORE) ||
				!need_same_host(new->series->device, old->series->device))
				continue;
			compare(e, n, old, new);
			found++;
		}
		if (!found)
			findings_add(&e->findings, SEVERITY_NOTE, "change-unknown",
				"give an output of after the change with this device",
				"%s: there is nothing to compare it with",
				need_name(e->arena, old->series));
	}
}
