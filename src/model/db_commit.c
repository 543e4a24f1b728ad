/*
 * db_commit.c - how a transaction becomes durable (models.md 4.1).
 *
 * One flush at a time: who commits while it runs waits for the next one.  The process that flushes
 * waits for a core as a transaction does, so that a group takes its flushes and that wait.
 *
 * Delay.  A writer that sleeps d before its flush lets sessions join that come back meanwhile.
 * With the writer always busy, a session with exponential work W misses each start of a flush with
 * the probability that it still works: cycle = P (1 + e^(-d/W) / (1 - e^(-P/W))), P = F + d.  What
 * this is more (or less) than at d = 0 is added in proportion to the writer's load; an idle writer
 * just delays.  Simulated at W = F/2, 4 sessions: d = F/4 gains 4 %, d = F loses 7 %.
 */
#include "model/db_internal.h"

#include <math.h>

double
db_group_commit_cycle(double n, double w, double f)
{
	double alone = w + f;
	if (n <= 1 || alone <= 0)
		return alone;
	if (n < 2) /* between one client and two alternating groups */
		return alone + (n - 1) * (db_group_commit_cycle(2, w, f) - alone);
	double u = fmin(1, n * f / alone);
	double a = w + f * (1 + u * (n - 1) / (2 * n)), b = 2 * f, top = fmax(a, b);
	return top * pow(pow(a / top, 6) + pow(b / top, 6), 1.0 / 6);
}

/* A session's cycle while the writer is always busy, sleeping d before each flush. */
static double
busy_writer(double w, double f, double d)
{
	double period = f + d;
	if (w <= 0)
		return d > 0 ? period : 2 * period;
	return period * (1 + exp(-d / w) / -expm1(-period / w));
}

double
db_group_commit_delayed(double n, double w, double f, double d)
{
	double cycle = db_group_commit_cycle(n, w, f);
	if (!(d > 0) || n < 2 || f <= 0)
		return cycle;
	double u = fmin(1, n * (f + d) / (w + f + d));
	return cycle + u * (busy_writer(w, f, d) - busy_writer(w, f, 0)) + (1 - u) * d;
}

double
db_groups(const struct db_case *c)
{
	double groups = c->in->engine->flushes_per_group;
	return groups > 0 ? groups : 1;
}

double
db_delay(const struct db_case *c, const struct db_state *s)
{
	return s->people >= 2 ? c->delay : 0;
}

static struct db_load
log_load(double flushes_s, double bytes)
{
	return (struct db_load){.write_iops = flushes_s, .io_kib = bytes / 1024};
}

/* Bytes of one flush when its group holds `batch` commits: a block at least. */
static double
flush_bytes(const struct db_background *bg, double batch)
{
	return fmax(4096, 1024 * bg->log_kib * batch);
}

static int
ask_flush(const struct db_case *c, bool alone, struct db_state *s, struct err *err)
{
	const struct db_volume *v = c->in->log;
	struct db_flushed *last = &c->flushed[alone];
	if (!c->in->shared && last->known && last->bytes == s->flush_bytes) {
		s->flush_us = last->us;
		return 0;
	}
	int rc = v->flush(v->ctx, &s->flush_at, s->flush_bytes, MODEL_MEAN, &s->flush_us, err);
	if (rc == 0 && !c->in->shared)
		*last = (struct db_flushed){true, s->flush_bytes, s->flush_us};
	return rc;
}

static int
one_flush(const struct db_case *c, const struct db_background *bg, double batch, struct db_state *s,
	struct err *err)
{
	s->flush_at = (struct db_load){.io_kib = c->in->engine->page_kib};
	if (c->in->shared)
		s->flush_at = db_beside(c, bg, s);
	s->flush_bytes = flush_bytes(bg, batch);
	int rc = ask_flush(c, batch <= 1, s, err);
	if (rc)
		return rc;
	double light = db_pick(c, &s->flush_us, s);
	if (!(light >= 0) || isinf(light))
		return err_set(err, ERR_UNSUPPORTED,
			"the commit latency of the log volume is not known: measure it");
	s->flush = light;
	if (c->in->shared)
		s->flush += s->burst_frac * (fmax(light, s->burst) - light);
	return 0;
}

/*
 * Flushes on a volume that carries the data too.  They are x sqrt(2/n): between one a commit and two
 * groups of all n sessions, and what PostgreSQL had with 4, 16 and 64 (1.3-1.9, 1.9-4.9 and 2.3-7.6
 * commits a flush).  Not by the flush latency: a slower flush makes fewer of them, and would seem to
 * leave more of the volume to the reads.
 */
static struct db_load
shared_log(const struct db_background *bg, const struct db_state *s)
{
	double share = sqrt(2 / fmax(2, s->people));
	return log_load(1e3 * s->rate * share, fmax(4096, 1024 * bg->log_kib / share));
}

/* So many flushes a millisecond, of a block at least, and all the bytes there are. */
static struct db_load
flushing(const struct db_background *bg, const struct db_state *s, double flushes)
{
	double commits = flushes > 0 ? s->rate / flushes : 1;
	return log_load(1e3 * flushes, flush_bytes(bg, commits));
}

/* A seller lets through only so many flushes: then one takes that long, and more commits share it. */
static int
log_cap(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err)
{
	if (c->in->shared) {
		s->log = shared_log(bg, s);
		return 0;
	}
	double groups = db_groups(c), delay = db_delay(c, s);
	double period = fmax(1e-6, groups * s->flush + delay);
	s->log = flushing(bg, s, groups * fmin(s->rate, 1 / period));
	s->log_used = db_used(c->in->log, &s->log, &s->log_what);
	if (!(s->log_used > 1))
		return 0;
	struct db_load full = flushing(bg, s, groups / period);
	period *= fmax(1, db_used(c->in->log, &full, &s->log_what));
	s->flush = (period - delay) / groups;
	s->log = flushing(bg, s, groups * fmin(s->rate, 1 / period));
	s->log_used = db_used(c->in->log, &s->log, &s->log_what);
	if (s->log_used > 1 + 1e-9)
		return err_set(err, ERR_RANGE, "the log volume is used to %.0f %% (%s)",
			100 * s->log_used, s->log_what ? s->log_what : "its cap");
	return 0;
}

/* A log that is flushed now and then: the volume carries the bytes all the same. */
static struct db_load
periodic(const struct db_case *c, const struct db_background *bg, const struct db_state *s)
{
	double window = c->in->engine->loss_window_ms;
	double each = window > 0 ? window : 1000, rate = fmin(s->rate, 1 / each);
	double kib_s = 1e3 * s->rate * bg->log_kib;
	return (struct db_load){.write_iops = 1e3 * rate,
		.io_kib = 4,
		.write_mibps = fmax(0, kib_s - 4e3 * rate) / 1024};
}

void
db_log_load(const struct db_case *c, const struct db_background *bg, struct db_state *s)
{
	int kind = c->in->engine->commit;
	s->log = (struct db_load){.io_kib = 4};
	if (c->fast || kind == ENGINE_COMMIT_NONE)
		return;
	s->log = kind == ENGINE_COMMIT_PERIODIC ? periodic(c, bg, s) : shared_log(bg, s);
}

static int
waits_for_none(const struct db_case *c, struct db_state *s, struct err *err)
{
	if (c->in->shared || c->in->engine->commit == ENGINE_COMMIT_NONE)
		return 0;
	s->log_used = db_used(c->in->log, &s->log, &s->log_what);
	return s->log_used > 1 ? err_set(err, ERR_RANGE, "the log volume is used to %.0f %% (%s)",
					 100 * s->log_used, s->log_what ? s->log_what : "its cap")
			       : 0;
}

int
db_flush(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err)
{
	int kind = c->in->engine->commit;
	s->batch = 1;
	if (c->fast)
		return 0;
	if (kind == ENGINE_COMMIT_NONE || kind == ENGINE_COMMIT_PERIODIC)
		return waits_for_none(c, s, err);
	int rc = one_flush(c, bg, 1, s, err);
	if (rc)
		return rc;
	double groups = db_groups(c);
	double batch = fmin(fmax(1, s->people), fmax(1, s->rate * groups * s->flush));
	if (flush_bytes(bg, batch) > s->flush_bytes)
		rc = one_flush(c, bg, batch, s, err);
	if (rc == 0)
		rc = log_cap(c, bg, s, err);
	s->group = groups * s->flush;
	s->batch = fmin(fmax(1, s->people), fmax(1, s->rate * s->group));
	return rc;
}

/* Arrivals of their own find a flush under way with the probability that the writer is busy. */
static double
open_wait(const struct db_case *c, const struct db_state *s)
{
	double busy = fmin(1, s->rate * s->group), others = (c->clients - 1) / c->clients;
	return s->group * (1 + busy * others / 2) + busy * db_delay(c, s);
}

void
db_commit(const struct db_case *c, double n, double work, struct db_state *s)
{
	int kind = c->in->engine->commit;
	s->commit = 0;
	if (c->fast || kind == ENGINE_COMMIT_NONE || kind == ENGINE_COMMIT_PERIODIC)
		return;
	if (isfinite(s->core_wait))
		s->group += s->core_wait;
	if (c->remote)
		s->remote = db_remote_extra(c->remote, s->flush, (double)NAN, NULL);
	if (c->open) {
		s->commit = open_wait(c, s) + s->remote;
		return;
	}
	work += s->remote;
	s->commit = db_group_commit_delayed(n, work, s->group, c->delay) - work + s->remote;
}
