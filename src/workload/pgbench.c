/*
 * pgbench.c - outputs of one pgbench run put together.
 */
#include "workload/pgbench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workload/run.h"
#include "workload/span.h"

static bool
is_log(const struct evidence_run *r)
{
	return strcmp(r->source, "pgbench log") == 0 || strcmp(r->source, "pgbench aggregate") == 0;
}

static bool
is_output(const struct evidence_run *r)
{
	return strcmp(r->source, "pgbench") == 0 && !r->label;
}

/* A summary, whole or cut; else lines of progress only. */
static bool
is_summary(const struct evidence_run *r)
{
	return is_output(r) && (r->clients >= 0 || r->n >= 0);
}

/* "dir/prefix.PID.N" and "dir/x.threadN" without their last part; the whole name otherwise. */
static struct span
log_name(const char *file)
{
	struct span name = span_of(file);
	const char *point = strrchr(file, '.');
	if (!point || point == file || strchr(point, '/'))
		return name;
	struct span last = span_of(point + 1);
	if (span_starts(last, "thread") && span_digits((struct span){last.text + 6, last.n - 6}))
		return (struct span){file, (size_t)(point - file)};
	const char *before = point - 1;
	while (before > file && before[-1] != '.' && before[-1] != '/')
		before--;
	struct span pid = {before, (size_t)(point - before)};
	if (span_digits(last) && span_digits(pid) && before > file && before[-1] == '.')
		return (struct span){file, (size_t)(point - file)};
	return name;
}

/* Folder and name up to its first point. */
static struct span
stem(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const char *point = *name ? strchr(name + 1, '.') : NULL;
	return (struct span){file, point ? (size_t)(point - file) : strlen(file)};
}

static bool
same(struct span a, struct span b)
{
	return a.n == b.n && memcmp(a.text, b.text, a.n) == 0;
}

static double
sum(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Mean of two means over na and nb. */
static double
weigh(double a, double na, double b, double nb)
{
	if (isnan(a) || !(na > 0))
		return b;
	if (isnan(b) || !(nb > 0))
		return a;
	return (a * na + b * nb) / (na + nb);
}

/* Standard deviation of both from theirs, with the means apart. */
static double
pool_sd(const struct evidence_run *a, const struct evidence_run *b, double mean)
{
	double qa = a->sd_us * a->sd_us + (a->mean_us - mean) * (a->mean_us - mean);
	double qb = b->sd_us * b->sd_us + (b->mean_us - mean) * (b->mean_us - mean);
	return sqrt(weigh(qa, a->n, qb, b->n));
}

static int
append(struct arena *a, struct evidence_run *to, const struct evidence_run *from, struct err *err)
{
	size_t n = to->n_latency + from->n_latency;
	double *service = arena_array(a, n ? n : 1, sizeof(double));
	double *seen = arena_array(a, n ? n : 1, sizeof(double));
	if (!service || !seen)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		bool first = i < to->n_latency;
		size_t at = first ? i : i - to->n_latency;
		service[i] = first ? to->latency_us[at] : from->latency_us[at];
		seen[i] = first ? to->seen_us[at] : from->seen_us[at];
	}
	to->latency_us = service;
	to->seen_us = seen;
	to->n_latency = n;
	return 0;
}

static struct evidence_progress
both(const struct evidence_progress *a, const struct evidence_progress *b)
{
	return (struct evidence_progress){.at_s = a->at_s,
		.tps = a->tps + b->tps,
		.mean_us = weigh(a->mean_us, a->tps, b->mean_us, b->tps),
		.sd_us = NAN, /* of both threads: not kept */
		.lag_us = weigh(a->lag_us, a->tps, b->lag_us, b->tps),
		.failed = sum(a->failed, b->failed),
		.skipped = sum(a->skipped, b->skipped),
		.pct_us = NAN};
}

/* Intervals of two threads by their time. */
static int
merge_progress(
	struct arena *a, struct evidence_run *to, const struct evidence_run *from, struct err *err)
{
	size_t i = 0, j = 0, n = 0, most = to->n_progress + from->n_progress;
	struct evidence_progress *all = arena_array(a, most ? most : 1, sizeof(*all));
	if (!all)
		return err_nomem(err);
	while (i < to->n_progress || j < from->n_progress) {
		const struct evidence_progress *x = i < to->n_progress ? &to->progress[i] : NULL;
		const struct evidence_progress *y = j < from->n_progress ? &from->progress[j]
									 : NULL;
		bool left = x && (!y || x->at_s <= y->at_s);
		bool right = y && (!x || y->at_s <= x->at_s);
		if (left && right)
			all[n++] = both(x, y);
		else if (left || right)
			all[n++] = left ? *x : *y;
		i += left;
		j += right;
	}
	to->progress = all;
	to->n_progress = n;
	return 0;
}

static int
merge_threads(struct evidence *e, struct evidence_run *to, const struct evidence_run *from,
	struct err *err)
{
	int rc = append(e->arena, to, from, err);
	rc = rc ? rc : merge_progress(e->arena, to, from, err);
	if (rc)
		return rc;
	double mean = weigh(to->mean_us, to->n, from->mean_us, from->n);
	to->sd_us = pool_sd(to, from, mean);
	to->mean_us = mean;
	to->lag_mean_us = weigh(to->lag_mean_us, to->n, from->lag_mean_us, from->n);
	to->seen_mean_us = weigh(to->seen_mean_us, to->n, from->seen_mean_us, from->n);
	to->lag_max_us = fmax(to->lag_max_us, from->lag_max_us);
	to->max_us = fmax(to->max_us, from->max_us);
	to->rated |= from->rated;
	to->sampled |= from->sampled;
	to->sample_of = sum(to->sample_of, from->sample_of);
	to->n += from->n;
	to->clients = sum(to->clients, from->clients);
	to->failed = sum(to->failed, from->failed);
	to->skipped = sum(to->skipped, from->skipped);
	to->seconds = fmax(to->seconds, from->seconds);
	to->tps = to->sampled ? (double)NAN : to->n / to->seconds;
	return 0;
}

static void
drop_run(struct evidence *e, size_t at)
{
	memmove(&e->runs[at], &e->runs[at + 1], (e->n_runs - at - 1) * sizeof(*e->runs));
	e->n_runs--;
}

static int
join_threads(struct evidence *e, struct err *err)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		if (!is_log(&e->runs[i]))
			continue;
		for (size_t j = i + 1; j < e->n_runs;) {
			struct evidence_run *a = &e->runs[i], *b = &e->runs[j];
			bool thread = strcmp(a->source, b->source) == 0 &&
				      strcmp(a->file, b->file) != 0 &&
				      same(log_name(a->file), log_name(b->file));
			if (!thread) {
				j++;
				continue;
			}
			int rc = merge_threads(e, a, b, err);
			if (rc)
				return rc;
			drop_run(e, j);
		}
	}
	return 0;
}

/* The only run of a kind with the name of run `of`; -1 when there is none or more. */
static long
only(const struct evidence *e, size_t of, bool (*kind)(const struct evidence_run *))
{
	long found = -1;
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct evidence_run *r = &e->runs[i];
		if (i == of || !kind(r) || !same(stem(r->file), stem(e->runs[of].file)))
			continue;
		if (found >= 0)
			return -1;
		found = (long)i;
	}
	return found;
}

static bool
is_progress_only(const struct evidence_run *r)
{
	return is_output(r) && !is_summary(r);
}

static void
take_log(struct evidence *e, struct evidence_run *to, const struct evidence_run *from)
{
	to->latency_us = from->latency_us;
	to->seen_us = from->seen_us;
	to->n_latency = from->n_latency;
	to->sampled = from->sampled || (double)from->n_latency < 0.9 * to->n;
	to->sample_of = to->sampled ? to->n : (double)NAN;
	to->rated |= from->rated;
	to->timed = true;
	if (to->n_progress == 0) {
		to->progress = from->progress;
		to->n_progress = from->n_progress;
	}
	to->max_us = from->max_us;
	if (to->sampled)
		findings_add(&e->findings, SEVERITY_NOTE, "log-sampled",
			"log without --sampling-rate for percentiles beyond p95",
			"%s: the log holds %zu of %.0f transactions: percentiles are of that "
			"sample, p99 rests on %.0f of them",
			to->file, from->n_latency, to->n,
			fmax(1, floor(0.01 * (double)from->n_latency)));
}

/* A log of more transactions than the summary counts is of another run. */
static bool
fits(const struct evidence_run *summary, const struct evidence_run *log)
{
	return !(log->n > summary->n * 1.01 + 1);
}

static void
join_outputs(struct evidence *e)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		if (!is_summary(&e->runs[i]) || only(e, i, is_summary) >= 0)
			continue;
		long progress = only(e, i, is_progress_only);
		if (progress >= 0 && e->runs[i].n_progress == 0) {
			e->runs[i].progress = e->runs[progress].progress;
			e->runs[i].n_progress = e->runs[progress].n_progress;
			e->runs[i].rated |= e->runs[progress].rated;
			drop_run(e, (size_t)progress);
			i -= (size_t)progress < i;
		}
		long log = only(e, i, is_log);
		if (log >= 0 && fits(&e->runs[i], &e->runs[log])) {
			take_log(e, &e->runs[i], &e->runs[log]);
			drop_run(e, (size_t)log);
			i -= (size_t)log < i;
		}
	}
}

/* What lines of progress alone say of the whole run. */
static void
sum_progress(struct evidence_run *r)
{
	double n = 0, span = 0, sum_us = 0, lag_us = 0;
	for (size_t i = 0; i < r->n_progress; i++) {
		const struct evidence_progress *p = &r->progress[i];
		double before = i ? p[-1].at_s : p->at_s < 1e8 ? 0 : (double)NAN;
		double dt = isnan(before) && r->n_progress > 1 ? p[1].at_s - p->at_s
							       : p->at_s - before;
		if (!(dt > 0))
			continue;
		double done = p->tps * dt;
		span += dt;
		n += done;
		sum_us += done > 0 ? done * p->mean_us : 0;
		lag_us += done > 0 ? done * p->lag_us : 0;
	}
	if (!(span > 0))
		return;
	r->seconds = span;
	r->tps = n / span;
	r->n = round(n);
	r->timed = true;
	if (n > 0) {
		r->mean_us = sum_us / n;
		r->lag_mean_us = lag_us / n;
		r->seen_mean_us = r->mean_us + (r->rated ? r->lag_mean_us : 0);
	}
}

/*
 * pgbench does not print the rate that was asked for.  The last transaction done was scheduled about the
 * greatest lag before the end: until then n + skipped were asked.  True to about 2 % (known runs).
 */
static void
estimate_asked(struct evidence_run *r)
{
	double late_s = r->lag_max_us / 1e6, skipped = isnan(r->skipped) ? 0 : r->skipped;
	bool counted = !r->sampled || is_summary(r); /* counts of a summary are whole */
	if (r->rated && isnan(r->asked_tps) && r->seconds > late_s && counted && r->n > 0) {
		r->asked_tps = (r->n + skipped) / (r->seconds - late_s);
		r->asked_estimated = true;
	}
}

int
pgbench_join(struct evidence *e, struct err *err)
{
	int rc = join_threads(e, err);
	if (rc)
		return rc;
	join_outputs(e);
	for (size_t i = 0; i < e->n_runs; i++) {
		struct evidence_run *r = &e->runs[i];
		if (is_progress_only(r))
			sum_progress(r);
		if (!is_log(r) && !is_output(r))
			continue;
		evidence_run_percentiles(r);
		estimate_asked(r);
	}
	return 0;
}
