/*
 * need_check.c - figures against each other before they are believed: queue = sum(rate x latency), shares at most 1;
 * and what the way of measuring leaves out.  Those of runs and servers are in run.c.
 */
#include <math.h>

#include "base/units.h"
#include "workload/need_parts.h"

#define PAGE_B 4096.0

/* Requests outstanding by Little's law. */
static double
outstanding(const struct evidence_sample *x)
{
	double sum = 0;
	bool known = false;
	const double rates[] = {x->read_iops, x->write_iops, x->flush_iops, x->discard_iops};
	const double us[] = {x->read_us, x->write_us, x->flush_us, x->discard_us};
	if (isnan(x->read_iops) || isnan(x->write_iops))
		return x->any_iops * x->any_us / 1e6;
	for (int i = 0; i < 4; i++) {
		if (rates[i] > 0 && isnan(us[i]))
			return x->any_iops * x->any_us / 1e6;
		if (rates[i] > 0) {
			sum += rates[i] * us[i] / 1e6;
			known = true;
		}
	}
	return known ? sum : (double)NAN;
}

static void
check_queue(struct evidence *e, const struct need_volume *v)
{
	const double share = 0.1, floor = 0.05;
	size_t n = 0, agree = 0;
	for (size_t i = 0; i < v->series->n_samples; i++) {
		const struct evidence_sample *x = &v->series->samples[i];
		double law = outstanding(x);
		if (isnan(law) || isnan(x->queue))
			continue;
		n++;
		agree += fabs(x->queue - law) <= fmax(floor, share * fmax(law, x->queue));
	}
	if (n == 0)
		return;
	bool good = (double)agree >= 0.9 * (double)n;
	findings_add(&e->findings, good ? SEVERITY_NOTE : SEVERITY_WARNING,
		good ? "queue-agrees" : "queue-differs",
		good ? NULL : "look for mixed devices, or a tool that rounds latencies to whole ms",
		"%s: queue = sum(rate x latency) within 10 %% in %zu of %zu intervals",
		need_name(e->arena, v->series), agree, n);
}

static void
check_busy(struct evidence *e, const struct need_volume *v)
{
	size_t n = 0, low = 0, over = 0;
	if (v->series->active_known)
		return; /* counted, not sampled */
	for (size_t i = 0; i < v->series->n_samples; i++) {
		const struct evidence_sample *x = &v->series->samples[i];
		if (x->queue >= 1 && !isnan(x->active_frac)) {
			n++;
			low += x->active_frac < 0.7;
		}
		over += x->active_frac > 1.1;
	}
	if (low)
		findings_add(&e->findings, SEVERITY_NOTE, "util-low", NULL,
			"%s: %zu of %zu intervals with a queue of 1 or more print under 70 %% "
			"busy: "
			"sampled since Linux 5.0, a hint only",
			need_name(e->arena, v->series), low, n);
	if (v->stats.queue.max >= 2 && n > low)
		findings_add(&e->findings, SEVERITY_NOTE, "util-no-limit", NULL,
			"%s: %%util and svctm say nothing of saturation on a device that serves "
			"several requests at once",
			need_name(e->arena, v->series));
	if (over)
		findings_add(&e->findings, SEVERITY_WARNING, "share-over-1", NULL,
			"%s: %zu intervals say that more than 110 %% of the time was busy",
			need_name(e->arena, v->series), over);
}

/* Bytes of a write in an interval; NaN: none, or not said. */
static double
write_size(const struct need_volume *v, const struct evidence_sample *x)
{
	bool all = v->stats.read_iops.max == 0 || v->stats.writes_only;
	double size = x->write_bytes_s / x->write_iops;
	if (isnan(size) && all)
		size = series_bytes_s(x) / series_iops(x);
	return isfinite(size) && size > 0 ? size : (double)NAN;
}

/*
 * The size that every interval's writes have, within a few percent; NaN when it varies: a mean of several sizes is seldom a
 * multiple of anything, and says nothing of any of them.
 */
static double
steady_size(const struct need_volume *v)
{
	double least = INFINITY, most = 0, sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < v->series->n_samples; i++) {
		double size = write_size(v, &v->series->samples[i]);
		if (isnan(size))
			continue;
		least = fmin(least, size);
		most = fmax(most, size);
		sum += size;
		n++;
	}
	return n >= 3 && most <= 1.02 * least ? sum / (double)n : (double)NAN;
}

/* Of 5 KiB the second page is written in part; beyond 16 pages the part is small. */
static void
check_unaligned_writes(struct evidence *e, const struct need_volume *v)
{
	double size = steady_size(v), beside = fabs(size - PAGE_B * round(size / PAGE_B));
	/* rates are printed with two digits, sizes with two of a KiB */
	if (!(size >= PAGE_B && size <= 16 * PAGE_B && beside > fmax(64, 0.005 * size)))
		return;
	findings_add(&e->findings, SEVERITY_WARNING, "unaligned-writes",
		"round the writer's block up to a multiple of 4 KiB; a dearer tier does not cure "
		"it; "
		"tierwise bench shows this disk's penalty",
		"%s: writes of %.3f KiB in every interval, no multiple of the 4 KiB page: a page "
		"of "
		"each is written in part, so it is read, changed and written back; disks with "
		"logical sectors of 4 KiB fail such direct I/O outright",
		need_name(e->arena, v->series), size / UNITS_KIB);
}

/* A page of most disks and the sector of many clouds' is 4 KiB: less is read, changed and written back. */
static void
check_small_writes(struct evidence *e, const struct need_volume *v)
{
	double size = v->stats.write_b;
	if (isnan(size) && (v->stats.read_iops.max == 0 || v->stats.writes_only))
		size = v->stats.any_b;
	/* the printed mean of rounded sizes is a little under 4 KiB for a writer of whole blocks */
	if (!(size < 0.98 * PAGE_B)) {
		check_unaligned_writes(e, v);
		return;
	}
	findings_add(&e->findings, SEVERITY_WARNING, "small-writes",
		"round the writer's block up to 4 KiB; a dearer tier does not cure it; tierwise "
		"bench "
		"shows this disk's penalty",
		"%s: mean write of %.3f KiB, under the 4 KiB page: each is read, changed and "
		"written "
		"back (on one cloud disk 1,000 instead of 15,000 IOPS, 15 times fewer); disks with "
		"logical sectors of 4 KiB fail such direct I/O outright",
		need_name(e->arena, v->series), size / UNITS_KIB);
}

static void
check_coverage(struct evidence *e, const struct need_volume *v)
{
	if (v->stats.gaps == 0 || !(v->stats.covered_frac < 0.99))
		return;
	findings_add(&e->findings, SEVERITY_WARNING, "gaps", NULL,
		"%s: %zu gap%s; samples cover %.1f %% of the time from first to last",
		need_name(e->arena, v->series), v->stats.gaps, v->stats.gaps == 1 ? "" : "s",
		100 * v->stats.covered_frac);
}

void
need_check_series(struct evidence *e, const struct need_volume *v)
{
	check_queue(e, v);
	check_busy(e, v);
	check_small_writes(e, v);
	check_coverage(e, v);
}

/* What runs show against themselves is in run.c. */
void
need_check_runs(struct evidence *e)
{
	if (e->n_runs && e->n_series == 0)
		findings_add(&e->findings, SEVERITY_NOTE, "benchmark-only",
			"read the disks too while it runs (iostat -xt 1), and the real system for "
			"a week",
			"grade D: a benchmark alone shows what it asked for, not what users will: "
			"no verdict on a tier rests on it");
}

static void
check_server(struct evidence *e, const struct evidence_server *s, double target_tps)
{
	double group = s->commits / s->log_syncs, sync_us = s->log_sync_us / s->log_syncs;
	const char *name = s->source ? s->source : "server";
	if (isnan(group) || !(s->log_syncs > 0))
		return;
	findings_add(&e->findings, SEVERITY_NOTE, "commit-path", NULL,
		"%s: %.1f log syncs a second, %.2f commits and %.0f bytes in each%s%.3f ms%s", name,
		s->log_syncs / s->seconds, group, s->log_bytes / s->log_syncs,
		isnan(sync_us) ? "; their time is not counted: " : ", mean ",
		isnan(sync_us) ? 0 : sync_us / 1000, isnan(sync_us) ? " (unknown)" : "");
	if (!isnan(target_tps))
		findings_add(&e->findings, SEVERITY_NOTE, "sync-budget", NULL,
			"%s: with %.2f commits a sync, %.0f transactions a second need a sync in "
			"at "
			"most %.3f ms (TPS <= group / sync time)",
			name, group, target_tps, group / target_tps * 1000);
}

void
need_check_servers(struct evidence *e, double target_tps)
{
	for (size_t i = 0; i < e->n_servers; i++)
		check_server(e, &e->servers[i], target_tps);
}
