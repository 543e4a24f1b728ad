/*
 * run.c - what benchmark runs and counters of servers come to.
 */
#include "workload/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/span.h"

#define PAGE_B 8192.0
#define GATE_FRAC 0.05 /* workload.md section 2, rule 15 */
#define BOUND_FRAC 0.05 /* less than this to win: not storage-bound (section 3, row 13) */
#define NEAR_US 1000.0 /* a cheapest statement below this is no network worth shortening */
#define WORTH_FRAC 0.1 /* of the mean: worth naming */
#define CACHE_US 50.0 /* a read from the page cache takes a few, one from a fast local disk 80 */
#define CACHED_SCALE 8 /* 16 MiB each: within the 128 MiB of default shared_buffers */

static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Element ceil(p n). */
static double
rank(const double *sorted, size_t n, double p)
{
	double at = ceil(p * (double)n);
	return sorted[at < 1 ? 0 : (size_t)at - 1];
}

void
evidence_run_percentiles(struct evidence_run *r)
{
	size_t n = r->n_latency;
	if (n == 0)
		return;
	qsort(r->latency_us, n, sizeof(double), ascending);
	qsort(r->seen_us, n, sizeof(double), ascending);
	r->p50_us = rank(r->latency_us, n, 0.50);
	r->p95_us = rank(r->latency_us, n, 0.95);
	r->p99_us = rank(r->latency_us, n, 0.99);
	r->max_us = r->latency_us[n - 1];
	r->seen_p50_us = rank(r->seen_us, n, 0.50);
	r->seen_p95_us = rank(r->seen_us, n, 0.95);
	r->seen_p99_us = rank(r->seen_us, n, 0.99);
}

/* ---- where the time of a transaction goes ---- */

static bool
of_server(const struct evidence_statement *s)
{
	return *s->text != '\\' && s->mean_us >= 0;
}

static bool
is_commit(const struct evidence_statement *s)
{
	return strncasecmp(s->text, "END", 3) == 0 || strncasecmp(s->text, "COMMIT", 6) == 0;
}

/* TPC-B's rows that all clients share when there are fewer branches than clients. */
static bool
is_shared(const struct evidence_run *r, const struct evidence_statement *s)
{
	return r->scale < r->clients && (strstr(s->text, "UPDATE pgbench_tellers") != NULL ||
						strstr(s->text, "UPDATE pgbench_branches") != NULL);
}

/* From the last statement that takes a shared row to the end: how long that row is held. */
static double
held_us(const struct evidence_run *r)
{
	double us = 0;
	for (size_t i = 0; i < r->n_statements; i++) {
		if (is_shared(r, &r->statements[i]))
			us = 0;
		else if (of_server(&r->statements[i]))
			us += r->statements[i].mean_us;
	}
	return us;
}

bool
evidence_run_shares(const struct evidence_run *r, struct evidence_shares *s)
{
	*s = (struct evidence_shares){.round_trip_us = NAN, .commit_us = NAN};
	for (size_t i = 0; i < r->n_statements; i++) {
		if (!of_server(&r->statements[i]))
			continue;
		s->statements++;
		s->round_trip_us = fmin(s->round_trip_us, r->statements[i].mean_us);
	}
	/* what users saw: statements are timed whatever the schedule was */
	if (s->statements < 2 || !(r->mean_us > 0))
		return false;
	for (size_t i = 0; i < r->n_statements; i++) {
		const struct evidence_statement *one = &r->statements[i];
		double over = one->mean_us - s->round_trip_us;
		if (!of_server(one))
			continue;
		if (is_commit(one))
			s->commit_us = (isnan(s->commit_us) ? 0 : s->commit_us) + over;
		else if (is_shared(r, one))
			s->lock_us += over;
		else
			s->pages_us += over;
	}
	if (isnan(s->commit_us))
		return false; /* what the disk does for a commit was not timed */
	s->pages_cached = r->scale <= CACHED_SCALE;
	double storage = s->commit_us + (s->pages_cached ? 0 : s->pages_us);
	s->storage_frac = fmin(1, storage / r->mean_us);
	double held = held_us(r);
	s->queue_frac = s->lock_us > 0 && held > 0
				? fmin(1, (storage + s->lock_us * s->commit_us / held) / r->mean_us)
				: s->storage_frac;
	return !isnan(s->storage_frac);
}

/* ---- counters ---- */

void
evidence_server_rates(const struct evidence_server *s, struct evidence_rates *out)
{
	*out = (struct evidence_rates){
		.commits_s = s->commits / s->seconds,
		.syncs_s = s->log_syncs / s->seconds,
		.sync_us = s->log_sync_us / s->log_syncs,
		.commits_per_sync = s->commits / s->log_syncs,
		.log_bytes_per_commit = s->log_bytes / s->commits,
		.log_bytes_per_sync = s->log_bytes / s->log_syncs,
		/* the position counts the fill of segments too: what the disk wrote */
		.log_bytes_s = (isnan(s->log_position_bytes) ? s->log_bytes
							     : s->log_position_bytes) /
			       s->seconds,
		.page_image_frac = fmin(1, s->full_page_images * PAGE_B / s->log_bytes),
		.page_reads_per_commit = s->page_reads / s->commits,
		.page_read_us = s->page_read_us / s->page_reads,
		.checkpoint_bytes_s = s->checkpoint_pages * PAGE_B / (s->checkpoint_write_us / 1e6),
	};
	if (isnan(s->full_page_images / s->log_bytes))
		out->page_image_frac = NAN; /* fmin() would make it 1 */
}

/* The only server whose looks were two; NULL: none, or several. */
static const struct evidence_server *
only_server(const struct evidence *e)
{
	const struct evidence_server *found = NULL;
	for (size_t i = 0; i < e->n_servers; i++) {
		if (e->servers[i].n_statements || !(e->servers[i].commits > 0))
			continue;
		if (found)
			return NULL;
		found = &e->servers[i];
	}
	return found;
}

static bool
is_transactions(const struct evidence_run *r)
{
	return !r->label && r->tps > 0;
}

bool
evidence_calibrate(const struct evidence *e, struct evidence_calibration *out)
{
	const struct evidence_run *run = NULL;
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct evidence_run *r = &e->runs[i];
		if (!is_transactions(r) || r->rated || !(r->clients > 0) || !(r->mean_us > 0))
			continue;
		if (!run || r->n > run->n)
			run = r;
	}
	if (!run)
		return false;
	struct evidence_rates rates;
	struct evidence_shares shares;
	const struct evidence_server *server = only_server(e);
	*out = (struct evidence_calibration){.run = run,
		.server = server,
		.tps = run->tps,
		.mean_us = run->mean_us,
		.clients = run->clients,
		.scale = run->scale,
		.page_reads_per_tx = NAN,
		.flushes_s = NAN,
		.commits_per_flush = NAN,
		.flush_us = NAN,
		.log_bytes_per_tx = NAN,
		.storage_frac = evidence_run_shares(run, &shares) ? shares.storage_frac
								  : (double)NAN};
	if (server) {
		evidence_server_rates(server, &rates);
		out->page_reads_per_tx = rates.page_reads_per_commit;
		out->commits_per_flush = rates.commits_per_sync;
		/* the server's looks may span more than the run */
		out->flushes_s = run->tps / rates.commits_per_sync;
		out->flush_us = rates.sync_us;
		out->log_bytes_per_tx = rates.log_bytes_per_commit;
	}
	return true;
}

/* ---- findings ---- */

static void
say_shares(struct evidence *e, const struct evidence_run *r)
{
	struct evidence_shares s;
	if (!evidence_run_shares(r, &s)) {
		if (s.statements >= 2 && isnan(s.commit_us))
			findings_add(&e->findings, SEVERITY_WARNING, "commit-missing",
				"give the whole table of statements, with its END or COMMIT",
				"%s: the commit statement (END or COMMIT) is missing among %zu "
				"statements: what storage can win is not known",
				r->file, s.statements);
		return;
	}
	double trips_us = s.round_trip_us * (double)s.statements;
	bool far = s.round_trip_us >= NEAR_US && trips_us > WORTH_FRAC * r->mean_us;
	bool locks = s.lock_us > WORTH_FRAC * r->mean_us;
	if (!(fmax(s.storage_frac, s.queue_frac) < BOUND_FRAC)) {
		findings_add(&e->findings, SEVERITY_NOTE, "storage-share", NULL,
			"%s: an infinitely fast disk takes at most %.2f of the %.2f ms off a "
			"transaction, %.1f %%: commit %.2f ms over the cheapest statement, pages "
			"and "
			"CPU of the others %.2f ms",
			r->file, s.storage_frac * r->mean_us / 1e3, r->mean_us / 1e3,
			100 * s.storage_frac, s.commit_us / 1e3, s.pages_us / 1e3);
		return;
	}
	const char *todo = arena_printf(e->arena, "keep the tier or take a lower one%s%s",
		far ? "; move the client near the server, or send the statements in one batch" : "",
		locks ? "; use a scale of at least the number of clients" : "");
	const char *locks_text =
		locks ? arena_printf(e->arena,
				"; waits for rows that %.0f clients share (scale "
				"%.0f) %.1f ms, which end sooner with the commits: "
				"%.1f %% with them",
				r->clients, r->scale, s.lock_us / 1e3, 100 * s.queue_frac)
		      : "";
	findings_add(&e->findings, SEVERITY_WARNING, "not-storage-bound", todo,
		"%s: not storage-bound: of %.0f ms a transaction its commit takes %.1f ms over a "
		"round "
		"trip, so an infinitely fast disk takes at most %.2f %% off it; round trips %zu x "
		"%.1f "
		"ms = %.0f ms (the cheapest statement)%s%s",
		r->file, r->mean_us / 1e3, s.commit_us / 1e3, 100 * s.storage_frac, s.statements,
		s.round_trip_us / 1e3, trips_us / 1e3, locks_text ? locks_text : "",
		s.pages_cached ? "; its pages fit into memory" : "");
}

static void
say_rate(struct evidence *e, const struct evidence_run *r)
{
	if (!(r->asked_tps > 0) || !(r->tps < (1 - GATE_FRAC) * r->asked_tps))
		return;
	findings_add(&e->findings, SEVERITY_WARNING, "rate-not-met",
		"size for the rate that was asked for, not for the one that was done",
		"%s: %s%.0f/s were asked for, %.0f/s done: that is what the system carries, "
		"the "
		"demand is not met; service takes %.1f ms, users saw %.1f ms, %.1f ms of it "
		"waiting",
		r->file, r->asked_estimated ? "about " : "", r->asked_tps, r->tps, r->mean_us / 1e3,
		r->seen_mean_us / 1e3, r->lag_mean_us / 1e3);
}

static void
say_loop(struct evidence *e, const struct evidence_run *r)
{
	double busy = r->tps * r->mean_us / 1e6;
	if (r->rated && r->timed && busy > (1 + GATE_FRAC) * r->clients)
		findings_add(&e->findings, SEVERITY_WARNING, "little-law", "repeat the run",
			"%s: %.1f/s of %.3f ms keep %.1f clients busy, there are %.0f", r->file,
			r->tps, r->mean_us / 1e3, busy, r->clients);
	if (r->rated)
		return;
	if (r->timed && r->clients > 0 && fabs(busy - r->clients) > GATE_FRAC * r->clients)
		findings_add(&e->findings, SEVERITY_WARNING, "little-law",
			"run it longer, and let nothing else run in the clients",
			"%s: %.1f/s of %.3f ms keep %.1f clients busy, not %.0f: %.0f %% off (at "
			"most 5 "
			"%%): the run is short, or clients did other things",
			r->file, r->tps, r->mean_us / 1e3, busy, r->clients,
			100 * (busy / r->clients - 1));
}

/* A sync serves at most the commits of all clients. */
static void
say_groups(struct evidence *e, const struct evidence_server *s)
{
	struct evidence_rates rates;
	double clients = NAN;
	for (size_t i = 0; i < e->n_runs; i++)
		if (!e->runs[i].label)
			clients = fmax(clients, e->runs[i].clients);
	evidence_server_rates(s, &rates);
	if (rates.commits_per_sync > clients)
		findings_add(&e->findings, SEVERITY_WARNING, "commits-per-sync",
			"set synchronous_commit = on in the run, or give looks and run of the same "
			"time",
			"%s: %.1f commits a sync, but %.0f clients: commits did not wait for the "
			"disk, "
			"or the looks are of another time than the run",
			s->file, rates.commits_per_sync, clients);
}

/* Equal, or both unknown. */
static bool
alike(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* The same output read twice would count twice. */
static void
drop_twins(struct evidence *e)
{
	for (size_t i = 0; i < e->n_runs; i++)
		for (size_t j = i + 1; j < e->n_runs;) {
			const struct evidence_run *a = &e->runs[i], *b = &e->runs[j];
			bool twin = strcmp(a->file, b->file) == 0 && !a->label == !b->label &&
				    (!a->label || strcmp(a->label, b->label) == 0) &&
				    strcmp(a->source, b->source) == 0 && alike(a->tps, b->tps) &&
				    alike(a->n, b->n) && alike(a->mean_us, b->mean_us);
			if (!twin) {
				j++;
				continue;
			}
			findings_add(&e->findings, SEVERITY_WARNING, "run-twice",
				"give each output once",
				"%s: the same run is there twice: it counts once", b->file);
			memmove(&e->runs[j], &e->runs[j + 1],
				(e->n_runs - j - 1) * sizeof(*e->runs));
			e->n_runs--;
		}
}

static void
say_closed(struct evidence *e)
{
	const char *first = NULL;
	size_t n = 0;
	for (size_t i = 0; i < e->n_runs; i++) {
		if (!is_transactions(&e->runs[i]) || e->runs[i].rated)
			continue;
		first = first ? first : e->runs[i].file;
		n++;
	}
	const char *others = n > 1 ? arena_printf(e->arena, " and %zu other runs", n - 1) : "";
	if (n)
		findings_add(&e->findings, SEVERITY_NOTE, "closed-loop",
			"repeat with a rate (pgbench --rate, sysbench --rate, cassandra-stress "
			"fixed=) "
			"for what users see",
			"%s%s: each client waits for its answer before it asks again: percentiles "
			"leave "
			"out the waiting of requests that a slow disk would pile up",
			first, others ? others : "");
}

/* Reads that take less than a disk or a network do were not from there. */
static void
say_cached(struct evidence *e, const struct evidence_server *s)
{
	double us = s->page_read_us / s->page_reads;
	if (s->page_reads > 0 && us < CACHE_US)
		findings_add(&e->findings, SEVERITY_NOTE, "page-cache",
			"take the reads of the device (iostat, /proc/diskstats) at the same time",
			"%s: a page read takes %.1f us on average: most came from the page cache, "
			"so "
			"page reads are an upper bound of what the disk reads",
			s->file, us);
}

int
evidence_judge(struct evidence *e, struct err *err)
{
	(void)err;
	drop_twins(e);
	say_closed(e);
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct evidence_run *r = &e->runs[i];
		if (!is_transactions(r))
			continue;
		say_loop(e, r);
		say_rate(e, r);
		say_shares(e, r);
	}
	for (size_t i = 0; i < e->n_servers; i++)
		say_groups(e, &e->servers[i]);
	for (size_t i = 0; i < e->n_servers; i++)
		say_cached(e, &e->servers[i]);
	return 0;
}
