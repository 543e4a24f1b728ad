#include "bench/load.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_B = 4096, SUBMIT_TIMED_EVERY = 17, RAMP_SHARE = 4, WORD_BITS = 64 };

static const int64_t NS_S = 1000000000;
static const int64_t POLL_NS = 100000000; /* how soon a signal is seen on a silent disk */
static const int64_t SILENT_NS = 60000000000; /* no completion for so long: give up */
static const int64_t STOP_DRAIN_NS = 5000000000;

/* What a run needs beside its configuration; lives on the stack of load_run(). */
struct loop {
	struct load *l;
	const struct load_config *c;
	struct load_result *r;
	struct hist *lat;
	struct engine_io *free[ENGINE_DEPTH_MAX], *ready[ENGINE_DEPTH_MAX];
	int n_free, n_ready, n_flying;
	int64_t blocks, next; /* random: how many to choose from; sequential: offset to come */
	uint64_t issued_b, submits;
	double timed_ns, timed_ios; /* sampled submissions */
	int64_t ramp_end_ns, window_start_ns; /* window_start_ns < 0: still in the ramp */
	uint64_t ramp_ios;
};

int
load_init(struct load *l, struct engine_run run, struct load_seeds seeds,
	const volatile sig_atomic_t *stop, struct err *err)
{
	memset(l, 0, sizeof(*l));
	l->run = run;
	l->stop = stop;
	rng_seed(&l->rng, seeds.order);
	payload_init(&l->payload, seeds.data, seeds.data);
	l->buffer = aligned_alloc(PAGE_B, LOAD_BUFFER_B);
	if (!l->buffer)
		return err_nomem(err);
	if (run.engine->simulated)
		memset(l->buffer, 0, LOAD_BUFFER_B); /* only stamps are stored there */
	else
		payload_fill(&l->payload, l->buffer, LOAD_BUFFER_B, 0);
	return 0;
}

void
load_fini(struct load *l)
{
	if (l->stuck)
		return;
	free(l->buffer);
	free(l->busy);
	l->buffer = NULL;
	l->busy = NULL;
}

bool
load_stopped(const struct load *l)
{
	return l->stop && *l->stop;
}

int64_t
load_now_ns(const struct load *l)
{
	return l->run.engine->now_ns(l->run.state);
}

static int
reserve_busy(struct load *l, int64_t blocks, struct err *err)
{
	size_t words = (size_t)blocks / WORD_BITS + 1;
	if (words > l->busy_words) {
		free(l->busy);
		l->busy_words = 0;
		l->busy = calloc(words, sizeof(*l->busy));
		if (!l->busy)
			return err_nomem(err);
		l->busy_words = words;
	}
	return 0;
}

/* A block that is not in flight, marked as in flight. */
static int64_t
take_block(struct loop *o)
{
	struct load *l = o->l;
	for (;;) {
		uint64_t block = rng_below(&l->rng, (uint64_t)o->blocks);
		uint64_t bit = (uint64_t)1 << (block % WORD_BITS);
		if (l->busy[block / WORD_BITS] & bit)
			continue;
		l->busy[block / WORD_BITS] |= bit;
		return o->c->from_b + (int64_t)(block * o->c->bs_b);
	}
}

static void
give_block(struct loop *o, const struct engine_io *io)
{
	if (o->c->sequential)
		return;
	uint64_t block = (uint64_t)(io->offset_b - o->c->from_b) / o->c->bs_b;
	o->l->busy[block / WORD_BITS] &= ~((uint64_t)1 << (block % WORD_BITS));
}

static bool
may_issue(const struct loop *o)
{
	const struct load_config *c = o->c;
	return o->issued_b + c->bs_b <= c->max_b &&
	       (!c->sequential || o->next + (int64_t)c->bs_b <= c->end_b);
}

/* Offset and data of a free request. */
static void
prepare(struct loop *o, struct engine_io *io)
{
	const struct load_config *c = o->c;
	struct payload *p = &o->l->payload;
	io->op = c->op;
	io->size_b = c->bs_b;
	io->offset_b = c->sequential ? o->next : take_block(o);
	o->next += c->sequential ? (int64_t)c->bs_b : 0;
	o->issued_b += c->bs_b;
	if (c->op == ENGINE_READ) {
		if (c->verify)
			payload_spoil(io->data, io->size_b);
	} else if (o->l->run.engine->simulated) {
		payload_mark(p, io->data, io->size_b, io->offset_b);
	} else if (c->sequential) {
		payload_fill(p, io->data, io->size_b, io->offset_b);
	} else {
		payload_refresh(p, io->data, io->size_b, io->offset_b);
	}
}

/*
 * Hand over at most LOAD_CHUNK ready requests; how many were taken, or -errno.  One submission in
 * SUBMIT_TIMED_EVERY (prime: not in step with the chunks of a reap) is timed; every request of a
 * chunk waits for the whole of it.
 */
static int
submit_chunk(struct loop *o, int64_t now)
{
	const struct engine_run *run = &o->l->run;
	int n = o->n_ready < LOAD_CHUNK ? o->n_ready : LOAD_CHUNK;
	for (int i = 0; i < n; i++)
		o->ready[i]->start_ns = now;
	int taken = run->engine->submit(run->state, o->ready, n);
	if (taken <= 0)
		return taken;
	if (o->submits++ % SUBMIT_TIMED_EVERY == 0) {
		o->timed_ns += (double)(load_now_ns(o->l) - now) * taken;
		o->timed_ios += taken;
	}
	o->n_flying += taken;
	o->n_ready -= taken;
	for (int i = 0; i < o->n_ready; i++) /* LOAD_CHUNK at most */
		o->ready[i] = o->ready[i + taken];
	return taken;
}

/* Put every free request back in flight; `now` is when their places became free. */
static int
refill(struct loop *o, int64_t now, struct err *err)
{
	while (true) {
		while (o->n_ready < LOAD_CHUNK && o->n_free > 0 && may_issue(o)) {
			struct engine_io *io = o->free[--o->n_free];
			prepare(o, io);
			o->ready[o->n_ready++] = io;
		}
		if (o->n_ready == 0)
			return 0;
		int taken = submit_chunk(o, now);
		if (taken < 0)
			return err_sys(err, -taken, "submitting a %s at offset %lld",
				o->c->op == ENGINE_READ ? "read" : "write",
				(long long)o->ready[0]->offset_b);
		if (taken == 0)
			return o->n_flying ? 0
					   : err_set(err, ERR_IO,
						     "the kernel takes no requests (EAGAIN)");
	}
}

/* Result, stamp, and back on the free list. */
static int
finish(struct loop *o, struct engine_io *io, struct err *err)
{
	const char *what = io->op == ENGINE_READ ? "read" : "write";
	give_block(o, io);
	o->free[o->n_free++] = io;
	if (io->result < 0)
		return err_sys(err, (int)-io->result, "%s of %zu bytes at offset %lld", what,
			io->size_b, (long long)io->offset_b);
	if (io->result != (int64_t)io->size_b)
		return err_set(err, ERR_IO, "%s at offset %lld: only %lld of %zu bytes%s", what,
			(long long)io->offset_b, (long long)io->result, io->size_b,
			io->op == ENGINE_WRITE ? " (the space or a size limit is used up)" : "");
	o->r->all_ios++;
	o->r->all_b += io->size_b;
	if (io->op == ENGINE_READ && o->c->verify) {
		o->r->verified++;
		if (!payload_check(&o->l->payload, io->data, io->size_b, io->offset_b))
			o->r->mismatched++;
	}
	return 0;
}

/* Wait for completions; their latencies go to lat_ns.  How many, 0 after a poll, -1 on failure. */
static int
reap(struct loop *o, int64_t *lat_ns, int64_t *now, struct err *err)
{
	const struct engine_run *run = &o->l->run;
	struct engine_io *done[ENGINE_DEPTH_MAX];
	int n = run->engine->reap(run->state, done, o->n_flying, POLL_NS), rc = 0;
	*now = load_now_ns(o->l);
	if (n == -EINTR)
		return 0;
	if (n < 0) {
		err_sys(err, -n, "waiting for completions");
		return -1;
	}
	o->n_flying -= n;
	for (int i = 0; i < n; i++) {
		lat_ns[i] = *now - done[i]->start_ns;
		struct err *first = rc ? NULL : err; /* report the first of several */
		int one = finish(o, done[i], first);
		rc = rc ? rc : one;
	}
	return rc ? -1 : n;
}

/* Wait for what is in flight, not counting it.  Whether all came back. */
static bool
drain(struct loop *o, int64_t limit_ns)
{
	int64_t lat_ns[ENGINE_DEPTH_MAX], now = load_now_ns(o->l), end = now + limit_ns;
	bool stopped = false;
	while (o->n_flying > 0 && now < end) {
		int before = o->n_flying;
		if (load_stopped(o->l) && !stopped) {
			stopped = true;
			end = now + STOP_DRAIN_NS < end ? now + STOP_DRAIN_NS : end;
		}
		if (reap(o, lat_ns, &now, NULL) < 0 && o->n_flying == before)
			break; /* the wait itself fails: waiting on is of no use */
	}
	o->l->stuck = o->n_flying > 0;
	return !o->l->stuck;
}

/* Count a batch, move from ramp to window; true when the window is over.  A time-out moves nothing. */
static bool
account(struct loop *o, const int64_t *lat_ns, int n, int64_t now)
{
	if (n == 0)
		return false;
	if (o->window_start_ns < 0) {
		o->ramp_ios += (uint64_t)n;
		bool over = now >= o->ramp_end_ns || o->issued_b >= o->c->max_b / RAMP_SHARE;
		if (over && o->ramp_ios >= o->c->qd)
			o->window_start_ns = now;
		return false;
	}
	for (int i = 0; i < n; i++)
		hist_add(o->lat, lat_ns[i]);
	o->r->ios += (uint64_t)n;
	o->r->window_ns = now - o->window_start_ns;
	return (double)o->r->window_ns >= o->c->window_s * (double)NS_S;
}

/* What ends a run from outside: a signal, or the caller's own reason. */
static int
check(const struct loop *o, int64_t now, int64_t *checked_ns, struct err *err)
{
	if (load_stopped(o->l))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	if (!o->c->check || now - *checked_ns < POLL_NS)
		return 0;
	*checked_ns = now;
	return o->c->check(o->c->ctx, err);
}

static int
loop(struct loop *o, struct err *err)
{
	int64_t lat_ns[ENGINE_DEPTH_MAX], now = load_now_ns(o->l), last = now, checked = now;
	o->ramp_end_ns = now + (int64_t)(o->c->ramp_s * (double)NS_S);
	if (o->c->ramp_s <= 0)
		o->window_start_ns = now;
	int rc = refill(o, now, err);
	while (rc == 0) {
		rc = check(o, now, &checked, err);
		if (rc)
			return rc;
		if (o->n_flying == 0) {
			o->r->cut = true;
			return 0;
		}
		int n = reap(o, lat_ns, &now, err);
		if (n < 0)
			return ERR_IO;
		last = n > 0 ? now : last;
		if (now - last > SILENT_NS)
			return err_set(err, ERR_IO, "no request came back for 60 s");
		bool late = o->c->until_ns > 0 && now >= o->c->until_ns;
		bool over = late || (o->window_start_ns >= 0 && n > 0 &&
					    (double)(now - o->window_start_ns) >=
						    o->c->window_s * (double)NS_S);
		if (!over)
			rc = refill(o, now, err);
		if (account(o, lat_ns, n, now))
			return rc;
		if (late) {
			o->r->late = true;
			return rc;
		}
		/* nothing left to put back: from here on the queue only drains */
		if (!over && o->n_free > 0 && o->n_ready == 0 && !may_issue(o)) {
			o->r->cut = true;
			return rc;
		}
	}
	return rc;
}

static void
start(struct loop *o)
{
	struct load *l = o->l;
	for (unsigned i = 0; i < o->c->qd; i++) {
		struct engine_io *io = &l->ios[i];
		*io = (struct engine_io){.slot = i, .data = l->buffer + i * o->c->bs_b};
		o->free[o->n_free++] = io;
	}
	if (!o->c->sequential)
		memset(l->busy, 0, l->busy_words * sizeof(*l->busy));
}

int
load_run(struct load *l, const struct load_config *c, struct hist *lat, struct load_result *r,
	struct err *err)
{
	assert(c->qd >= 1 && c->qd <= l->run.engine->depth_max && c->bs_b > 0 && !l->stuck);
	assert(c->qd * c->bs_b <= LOAD_BUFFER_B);
	*r = (struct load_result){.submit_ns = NAN};
	struct loop o = {
		.l = l, .c = c, .r = r, .lat = lat, .next = c->from_b, .window_start_ns = -1};
	o.blocks = (c->end_b - c->from_b) / (int64_t)c->bs_b;
	if (!c->sequential && o.blocks < 2 * (int64_t)c->qd)
		return err_set(err, ERR_RANGE, "area of %lld blocks: too small for depth %u",
			(long long)o.blocks, c->qd);
	int rc = c->sequential ? 0 : reserve_busy(l, o.blocks, err);
	if (rc)
		return rc;
	start(&o);
	rc = loop(&o, err);
	bool drained = drain(&o, rc == ERR_INTERRUPTED ? STOP_DRAIN_NS : SILENT_NS);
	if (!drained && rc == 0)
		rc = err_set(err, ERR_IO, "%d requests did not come back", o.n_flying);
	if (o.timed_ios > 0)
		r->submit_ns = o.timed_ns / o.timed_ios;
	return rc;
}

int
load_one(struct load *l, enum engine_op op, int64_t offset_b, size_t size_b, struct err *err)
{
	struct load_config c = {.op = op,
		.bs_b = size_b,
		.qd = 1,
		.sequential = true,
		.from_b = offset_b,
		.end_b = offset_b + (int64_t)size_b,
		.max_b = size_b};
	struct load_result r = {0};
	struct loop o = {.l = l, .c = &c, .r = &r, .next = offset_b};
	struct engine_io *io = &l->ios[0];
	*io = (struct engine_io){
		.op = op, .data = l->buffer, .size_b = size_b, .offset_b = offset_b};
	int64_t lat_ns[1], begin = load_now_ns(l), now = begin;
	const struct engine_run *run = &l->run;
	int taken = run->engine->submit(run->state, &io, 1);
	if (taken != 1)
		return taken < 0 ? err_sys(err, -taken, "submitting at offset %lld",
					   (long long)offset_b)
				 : err_set(err, ERR_IO, "the kernel takes no requests (EAGAIN)");
	o.n_flying = 1;
	int n = 0;
	while (n == 0 && now - begin < SILENT_NS) {
		n = reap(&o, lat_ns, &now, err);
		if (n == 0 && load_stopped(l)) {
			drain(&o, STOP_DRAIN_NS);
			return err_set(err, ERR_INTERRUPTED, "interrupted");
		}
	}
	l->stuck = o.n_flying > 0;
	if (n == 0)
		return err_set(err, ERR_IO, "no request came back for 60 s");
	return n < 0 ? ERR_IO : 0;
}
