/*
 * load_send.c - what a request asks for: read or write, where, with which data; and submission.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load_loop.h"

enum { SUBMIT_TIMED_EVERY = 17 };

/* How many requests max_b and, when something is written, the end of a sequential area allow. */
static uint64_t
requests_max(const struct load_config *c)
{
	uint64_t budget = c->max_b / c->bs_b;
	uint64_t blocks = c->end_b > c->from_b ? (uint64_t)(c->end_b - c->from_b) / c->bs_b : 0;
	if (!c->sequential || (blocks > 0 && c->read_frac >= 1))
		return budget;
	return blocks < budget ? blocks : budget;
}

static void
set_op(struct load_loop *o, struct engine_io *io, enum engine_op op)
{
	io->op = op;
	io->data = o->l->buffer + (op == ENGINE_READ ? LOAD_BUFFER_B : 0) + io->slot * o->c->bs_b;
}

int
load_prepare_all(struct load_loop *o, struct err *err)
{
	struct load *l = o->l;
	const struct load_config *c = o->c;
	o->mixed = c->read_frac > 0 && c->read_frac < 1;
	o->op = c->read_frac > 0 ? ENGINE_READ : ENGINE_WRITE;
	o->plain = c->read_frac >= 1 && !c->sequential && !c->verify;
	o->careful = o->mixed || c->verify;
	o->next_b = c->from_b;
	o->budget = o->left = requests_max(c);
	for (unsigned i = 0; i < c->qd; i++) {
		struct engine_io *io = &l->ios[i];
		*io = (struct engine_io){.slot = i, .size_b = c->bs_b};
		set_op(o, io, o->op);
		o->idle[o->n_free++] = io;
	}
	int64_t blocks = (c->end_b - c->from_b) / (int64_t)c->bs_b;
	if (!c->sequential && blocks < 2 * (int64_t)c->qd)
		return err_set(err, ERR_RANGE, "area of %lld blocks: too small for depth %u",
			(long long)blocks, c->qd);
	o->blocks = (uint64_t)blocks;
	return 0;
}

/* A block that is not in flight, marked as in flight. */
static inline void
random_place(struct load_loop *o, struct engine_io *io, struct rng *rng)
{
	bool *busy = o->l->busy;
	uint64_t block;
	do {
		block = rng_below(rng, o->blocks);
	} while (busy[block % LOAD_PLACES]);
	busy[block % LOAD_PLACES] = true;
	io->place = block % LOAD_PLACES;
	io->offset_b = o->c->from_b + (int64_t)(block * o->c->bs_b);
}

/* Writes are at an end before that is beyond the area: requests_max(). */
static void
next_place(struct load_loop *o, struct engine_io *io)
{
	int64_t at = o->next_b, size_b = (int64_t)o->c->bs_b;
	if (at + size_b > o->c->end_b)
		at = o->c->from_b;
	o->next_b = at + size_b;
	io->offset_b = at;
}

static void
fill(struct load_loop *o, struct engine_io *io)
{
	struct payload *p = &o->l->payload;
	if (o->c->zeros)
		payload_blank(p, io->data, io->size_b, io->offset_b);
	else if (o->l->run.engine->simulated) /* only stamps are stored there */
		payload_mark(p, io->data, io->size_b, io->offset_b);
	else
		payload_refresh(p, io->data, io->size_b, io->offset_b);
}

static void
prepare(struct load_loop *o, struct engine_io *io, int64_t start_ns)
{
	struct rng *rng = &o->l->rng;
	io->start_ns = start_ns;
	if (o->mixed)
		set_op(o, io, rng_uniform(rng) < o->c->read_frac ? ENGINE_READ : ENGINE_WRITE);
	if (o->c->sequential)
		next_place(o, io);
	else
		random_place(o, io, rng);
	if (io->op == ENGINE_WRITE)
		fill(o, io);
	else if (o->c->verify)
		payload_spoil(io->data, io->size_b, io->offset_b);
}

void
load_make_ready(struct load_loop *o, int64_t start_ns)
{
	struct engine_io **last = &o->idle[--o->n_free], *io = *last;
	prepare(o, io, start_ns);
	o->left--;
	memmove(last, last + 1, (size_t)o->n_ready * sizeof(struct engine_io *));
	last[o->n_ready++] = io;
}

/* The last free ones, a chunk at most, get a task; how many.  None is ready before. */
static int
make_chunk(struct load_loop *o, int64_t now)
{
	int n = o->n_free < LOAD_CHUNK ? o->n_free : LOAD_CHUNK;
	if (o->left < LOAD_CHUNK && (int)o->left < n)
		n = (int)o->left;
	o->n_free -= n;
	o->left -= (uint64_t)n;
	struct engine_io **io = &o->idle[o->n_free];
	if (!o->plain) {
		for (int i = 0; i < n; i++)
			prepare(o, io[i], now);
		return n;
	}
	struct rng rng = o->l->rng; /* in registers meanwhile */
	for (int i = 0; i < n; i++) {
		io[i]->start_ns = now;
		random_place(o, io[i], &rng);
	}
	o->l->rng = rng;
	return n;
}

static void
time_submission(struct load_loop *o, int64_t began_ns, int taken)
{
	o->untimed = SUBMIT_TIMED_EVERY - 1;
	o->timed_ns += (double)(load_now_ns(o->l) - began_ns) * taken;
	o->timed_ios += taken;
}

/*
 * Hand over the first n, a chunk at most, of those that are behind the free ones; how many were
 * taken, or -errno.  One submission in SUBMIT_TIMED_EVERY (prime: not in step with the chunks of a
 * reap) is timed; every request of a chunk waits for the whole of it.
 */
static inline int
submit(struct load_loop *o, int n, int64_t now)
{
	const struct engine_run *run = &o->l->run;
	int taken = run->engine->submit(run->state, &o->idle[o->n_free], n);
	if (taken > 0) {
		o->n_flying += taken;
		if (--o->untimed < 0)
			time_submission(o, now, taken);
	}
	return taken;
}

/* n_ready of those behind the free ones are left after some were taken. */
static void
keep_ready(struct load_loop *o, int n_ready, int taken)
{
	struct engine_io **first = &o->idle[o->n_free];
	o->n_ready = n_ready;
	if (taken > 0)
		memmove(first, first + taken, (size_t)n_ready * sizeof(struct engine_io *));
}

/* Nothing was taken: 0 when a later reap can change that. */
static int
refused(const struct load_loop *o, int result, struct err *err)
{
	const struct engine_io *io = o->idle[o->n_free];
	if (result < 0)
		return err_sys(err, -result, "submitting a %s at offset %lld",
			io->op == ENGINE_READ ? "read" : "write", (long long)io->offset_b);
	if (o->n_flying > 0)
		return 0;
	return err_set(err, ERR_IO, "the kernel takes no requests (EAGAIN)");
}

int
load_submit_ready(struct load_loop *o, int64_t now, struct err *err)
{
	while (o->n_ready > 0) {
		int taken = submit(o, o->n_ready < LOAD_CHUNK ? o->n_ready : LOAD_CHUNK, now);
		if (taken <= 0)
			return refused(o, taken, err);
		keep_ready(o, o->n_ready - taken, taken);
	}
	return 0;
}

int
load_refill(struct load_loop *o, int64_t now, struct err *err)
{
	int rc = o->n_ready > 0 ? load_submit_ready(o, now, err) : 0;
	while (rc == 0 && o->n_ready == 0 && o->n_free > 0 && o->left > 0) {
		int n = make_chunk(o, now), taken = submit(o, n, now);
		if (taken == n)
			continue;
		keep_ready(o, taken > 0 ? n - taken : n, taken);
		rc = load_submit_ready(o, now, err);
	}
	return rc;
}
