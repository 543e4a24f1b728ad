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

/* The bitmap is all zeros whenever nothing is in flight, so it is cleared only when new. */
static int
reserve_busy(struct load *l, uint64_t blocks, struct err *err)
{
	size_t words = (size_t)blocks / LOAD_WORD_BITS + 1;
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
	o->next_b = c->from_b;
	o->budget = o->left = requests_max(c);
	for (unsigned i = 0; i < c->qd; i++) {
		struct engine_io *io = &l->ios[i];
		*io = (struct engine_io){.slot = i, .size_b = c->bs_b};
		set_op(o, io, c->read_frac > 0 ? ENGINE_READ : ENGINE_WRITE);
		o->free[o->n_free++] = io;
	}
	if (c->sequential)
		return 0;
	int64_t blocks = (c->end_b - c->from_b) / (int64_t)c->bs_b;
	if (blocks < 2 * (int64_t)c->qd)
		return err_set(err, ERR_RANGE, "area of %lld blocks: too small for depth %u",
			(long long)blocks, c->qd);
	o->blocks = (uint64_t)blocks;
	return reserve_busy(l, o->blocks, err);
}

/* A block that is not in flight, marked as in flight. */
static int64_t
random_b(struct load_loop *o, unsigned slot)
{
	struct load *l = o->l;
	uint64_t block, bit, *word;
	do {
		block = rng_below(&l->rng, o->blocks);
		bit = (uint64_t)1 << (block % LOAD_WORD_BITS);
		word = &l->busy[block / LOAD_WORD_BITS];
	} while (*word & bit);
	*word |= bit;
	o->block[slot] = block;
	return o->c->from_b + (int64_t)(block * o->c->bs_b);
}

/* Writes are at an end before that is beyond the area: requests_max(). */
static int64_t
sequential_b(struct load_loop *o)
{
	int64_t at = o->next_b, size_b = (int64_t)o->c->bs_b;
	if (at + size_b > o->c->end_b)
		at = o->c->from_b;
	o->next_b = at + size_b;
	return at;
}

static void
fill(struct load_loop *o, struct engine_io *io)
{
	struct payload *p = &o->l->payload;
	if (o->c->zeros)
		payload_blank(p, io->data, io->size_b, io->offset_b);
	else if (o->l->run.engine->simulated) /* only stamps are stored there */
		payload_mark(p, io->data, io->size_b, io->offset_b);
	else if (o->c->sequential)
		payload_fill(p, io->data, io->size_b, io->offset_b);
	else
		payload_refresh(p, io->data, io->size_b, io->offset_b);
}

static void
prepare(struct load_loop *o, struct engine_io *io, int64_t start_ns)
{
	io->start_ns = start_ns;
	if (o->mixed)
		set_op(o, io,
			rng_uniform(&o->l->rng) < o->c->read_frac ? ENGINE_READ : ENGINE_WRITE);
	io->offset_b = o->c->sequential ? sequential_b(o) : random_b(o, io->slot);
	o->left--;
	if (io->op == ENGINE_WRITE)
		fill(o, io);
	else if (o->c->verify)
		payload_spoil(io->data, io->size_b, io->offset_b);
}

static inline void
make_ready(struct load_loop *o, int64_t start_ns)
{
	struct engine_io *io = o->free[--o->n_free];
	prepare(o, io, start_ns);
	o->ready[o->n_ready++] = io;
}

void
load_make_ready(struct load_loop *o, int64_t start_ns)
{
	make_ready(o, start_ns);
}

/*
 * Hand over at most LOAD_CHUNK ready requests; how many were taken, or -errno.  One submission in
 * SUBMIT_TIMED_EVERY (prime: not in step with the chunks of a reap) is timed; every request of a
 * chunk waits for the whole of it.
 */
static int
submit_chunk(struct load_loop *o, int64_t now)
{
	const struct engine_run *run = &o->l->run;
	int n = o->n_ready < LOAD_CHUNK ? o->n_ready : LOAD_CHUNK;
	int taken = run->engine->submit(run->state, o->ready, n);
	if (taken <= 0)
		return taken;
	if (--o->untimed < 0) {
		o->untimed = SUBMIT_TIMED_EVERY - 1;
		o->timed_ns += (double)(load_now_ns(o->l) - now) * taken;
		o->timed_ios += taken;
	}
	o->n_flying += taken;
	o->n_ready -= taken;
	/* few: no more than a chunk is made ready but by arrivals while the kernel takes none */
	for (int i = 0; i < o->n_ready; i++)
		o->ready[i] = o->ready[i + taken];
	return taken;
}

/* Nothing was taken: 0 when a later reap can change that. */
static int
refused(const struct load_loop *o, int result, struct err *err)
{
	if (result < 0)
		return err_sys(err, -result, "submitting a %s at offset %lld",
			o->ready[0]->op == ENGINE_READ ? "read" : "write",
			(long long)o->ready[0]->offset_b);
	if (o->n_flying > 0)
		return 0;
	return err_set(err, ERR_IO, "the kernel takes no requests (EAGAIN)");
}

int
load_submit_ready(struct load_loop *o, int64_t now, struct err *err)
{
	while (o->n_ready > 0) {
		int taken = submit_chunk(o, now);
		if (taken <= 0)
			return refused(o, taken, err);
	}
	return 0;
}

int
load_refill(struct load_loop *o, int64_t now, struct err *err)
{
	while (true) {
		while (o->n_ready < LOAD_CHUNK && o->n_free > 0 && o->left > 0)
			make_ready(o, now);
		if (o->n_ready == 0)
			return 0;
		int taken = submit_chunk(o, now);
		if (taken <= 0)
			return refused(o, taken, err);
	}
}
