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
	struct hist *const *lat;
	struct engine_io *free[ENGINE_DEPTH_MAX], *ready[ENGINE_DEPTH_MAX];
	int n_free, n_ready, n_flying;
	uint64_t block[ENGINE_DEPTH_MAX]; /* by slot: taken from the bitmap */
	uint64_t blocks; /* random: how many to choose from */
	int64_t next_b; /* sequential: offset to come */
	uint64_t issued, left; /* requests; left: that may still be issued */
	uint64_t done[2]; /* by op, completed in all */
	int64_t lat_ns
		[ENGINE_DEPTH_MAX]; /* of a reap: reads from the front, writes from the back */
	int n_lat[2];
	uint64_t submits;
	double timed_ns, timed_ios; /* sampled submissions */
	int64_t ramp_end_ns, window_ns, window_start_ns; /* start < 0: still in the ramp */
	uint64_t ramp_ios;
	int64_t bucket_ns, bucket_end_ns; /* of the series */
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
	l->buffer = aligned_alloc(PAGE_B, 2 * (size_t)LOAD_BUFFER_B);
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
reserve_busy(struct load *l, uint64_t blocks, struct err *err)
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
static uint64_t
take_block(struct loop *o)
{
	struct load *l = o->l;
	for (;;) {
		uint64_t block = rng_below(&l->rng, o->blocks);
		uint64_t bit = (uint64_t)1 << (block % WORD_BITS);
		if (l->busy[block / WORD_BITS] & bit)
			continue;
		l->busy[block / WORD_BITS] |= bit;
		return block;
	}
}

/* The bitmap is all zeros again when every request is back. */
static void
give_block(struct loop *o, const struct engine_io *io)
{
	if (o->c->sequential)
		return;
	uint64_t block = o->block[io->slot];
	o->l->busy[block / WORD_BITS] &= ~((uint64_t)1 << (block % WORD_BITS));
}

static int64_t
random_b(struct loop *o, unsigned slot)
{
	uint64_t block = take_block(o);
	o->block[slot] = block;
	return o->c->from_b + (int64_t)(block * o->c->bs_b);
}

/* Writes are at an end before that is beyond the area: see requests_max(). */
static int64_t
sequential_b(struct loop *o)
{
	int64_t at = o->next_b, size_b = (int64_t)o->c->bs_b;
	if (at + size_b > o->c->end_b)
		at = o->c->from_b;
	o->next_b = at + size_b;
	return at;
}

static enum engine_op
choose_op(struct loop *o)
{
	double reads = o->c->read_frac;
	if (reads > 0 && reads < 1)
		return rng_uniform(&o->l->rng) < reads ? ENGINE_READ : ENGINE_WRITE;
	return reads > 0 ? ENGINE_READ : ENGINE_WRITE;
}

static void
prepare_write(struct loop *o, struct engine_io *io)
{
	struct payload *p = &o->l->payload;
	io->data = o->l->buffer + io->slot * o->c->bs_b;
	if (o->c->zeros)
		payload_blank(p, io->data, io->size_b, io->offset_b);
	else if (o->l->run.engine->simulated)
		payload_mark(p, io->data, io->size_b, io->offset_b);
	else if (o->c->sequential)
		payload_fill(p, io->data, io->size_b, io->offset_b);
	else
		payload_refresh(p, io->data, io->size_b, io->offset_b);
}

/* What a free request is to do; start_ns is the moment its latency counts from. */
static void
prepare(struct loop *o, struct engine_io *io, int64_t start_ns)
{
	io->start_ns = start_ns;
	io->op = choose_op(o);
	io->offset_b = o->c->sequential ? sequential_b(o) : random_b(o, io->slot);
	o->issued++;
	o->left--;
	if (io->op == ENGINE_WRITE) {
		prepare_write(o, io);
		return;
	}
	io->data = o->l->buffer + LOAD_BUFFER_B + io->slot * o->c->bs_b;
	if (o->c->verify)
		payload_spoil(io->data, io->size_b, io->offset_b);
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
		while (o->n_ready < LOAD_CHUNK && o->n_free > 0 && o->left > 0) {
			struct engine_io *io = o->free[--o->n_free];
			prepare(o, io, now);
			o->ready[o->n_ready++] = io;
		}
		if (o->n_ready == 0)
			return 0;
		int taken = submit_chunk(o, now);
		if (taken < 0)
			return err_sys(err, -taken, "submitting a %s at offset %lld",
				o->ready[0]->op == ENGINE_READ ? "read" : "write",
				(long long)o->ready[0]->offset_b);
		if (taken == 0)
			return o->n_flying ? 0
					   : err_set(err, ERR_IO,
						     "the kernel takes no requests (EAGAIN)");
	}
}

static int
failed(const struct engine_io *io, struct err *err)
{
	const char *what = io->op == ENGINE_READ ? "read" : "write";
	if (io->result < 0)
		return err_sys(err, (int)-io->result, "%s of %zu bytes at offset %lld", what,
			io->size_b, (long long)io->offset_b);
	return err_set(err, ERR_IO, "%s at offset %lld: only %lld of %zu bytes%s", what,
		(long long)io->offset_b, (long long)io->result, io->size_b,
		io->op == ENGINE_WRITE ? " (the space or a size limit is used up)" : "");
}

/* Result, latency, stamp, and back on the free list. */
static int
finish(struct loop *o, struct engine_io *io, int64_t now, struct err *err)
{
	give_block(o, io);
	o->free[o->n_free++] = io;
	if (io->result != (int64_t)io->size_b)
		return failed(io, err);
	int nth = o->n_lat[io->op]++;
	o->lat_ns[io->op == ENGINE_READ ? nth : ENGINE_DEPTH_MAX - 1 - nth] = now - io->start_ns;
	if (io->op == ENGINE_READ && o->c->verify) {
		struct payload_seen seen = payload_check(
			&o->l->payload, io->data, io->size_b, io->offset_b);
		o->r->verified += seen.stamps;
		o->r->mismatched += seen.wrong;
	}
	return 0;
}

/* Wait for completions; their latencies go to lat_ns.  How many, 0 after a poll, -1 on failure. */
static int
reap(struct loop *o, int64_t *now, struct err *err)
{
	const struct engine_run *run = &o->l->run;
	struct engine_io *back[ENGINE_DEPTH_MAX];
	int n = run->engine->reap(run->state, back, o->n_flying, POLL_NS), rc = 0;
	*now = load_now_ns(o->l);
	o->n_lat[ENGINE_READ] = o->n_lat[ENGINE_WRITE] = 0;
	if (n == -EINTR)
		return 0;
	if (n < 0) {
		err_sys(err, -n, "waiting for completions");
		return -1;
	}
	o->n_flying -= n;
	for (int i = 0; i < n; i++) {
		struct err *first = rc ? NULL : err; /* report the first of several */
		int one = finish(o, back[i], *now, first);
		rc = rc ? rc : one;
	}
	o->done[ENGINE_READ] += (uint64_t)o->n_lat[ENGINE_READ];
	o->done[ENGINE_WRITE] += (uint64_t)o->n_lat[ENGINE_WRITE];
	return rc ? -1 : n;
}

/* Wait for what is in flight, not counting it.  Whether all came back. */
static bool
drain(struct loop *o, int64_t limit_ns)
{
	int64_t now = load_now_ns(o->l), end = now + limit_ns;
	bool stopped = false;
	while (o->n_ready > 0) /* taken from the bitmap, never submitted */
		give_block(o, o->ready[--o->n_ready]);
	while (o->n_flying > 0 && now < end) {
		int before = o->n_flying;
		if (load_stopped(o->l) && !stopped) {
			stopped = true;
			end = now + STOP_DRAIN_NS < end ? now + STOP_DRAIN_NS : end;
		}
		if (reap(o, &now, NULL) < 0 && o->n_flying == before)
			break; /* the wait itself fails: waiting on is of no use */
	}
	o->l->stuck = o->n_flying > 0;
	return !o->l->stuck;
}

/* Completions of this moment into their bucket; buckets the time has passed are over. */
static void
add_to_series(struct loop *o, int n, int64_t now)
{
	struct load_series *s = o->c->series;
	while (s->n < s->n_max && now >= o->bucket_end_ns) {
		s->n++;
		o->bucket_end_ns += o->bucket_ns;
	}
	if (s->n < s->n_max)
		s->ios[s->n] += (uint32_t)n;
}

static void
count_latencies(struct loop *o)
{
	for (int i = 0; i < o->n_lat[ENGINE_READ]; i++)
		hist_add(o->lat[ENGINE_READ], o->lat_ns[i]);
	for (int i = 0; i < o->n_lat[ENGINE_WRITE]; i++)
		hist_add(o->lat[ENGINE_WRITE], o->lat_ns[ENGINE_DEPTH_MAX - 1 - i]);
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++)
		o->r->ios[op] += (uint64_t)o->n_lat[op];
}

/* Whether the window ends with the n completions of this moment.  A time-out ends nothing. */
static bool
window_over(const struct loop *o, int n, int64_t now)
{
	if (o->window_start_ns < 0 || n == 0)
		return false;
	uint64_t max = o->c->max_ios, ios = o->r->ios[ENGINE_READ] + o->r->ios[ENGINE_WRITE];
	return now - o->window_start_ns >= o->window_ns || (max && ios + (uint64_t)n >= max);
}

/* Count a batch, move from ramp to window. */
static void
account(struct loop *o, int n, int64_t now)
{
	if (o->c->series)
		add_to_series(o, n, now);
	if (n == 0)
		return;
	if (o->window_start_ns >= 0) {
		count_latencies(o);
		o->r->window_ns = now - o->window_start_ns;
		return;
	}
	o->ramp_ios += (uint64_t)n;
	bool over = now >= o->ramp_end_ns || o->issued * o->c->bs_b >= o->c->max_b / RAMP_SHARE;
	if (over && o->ramp_ios >= o->c->qd)
		o->window_start_ns = now;
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
	int64_t now = load_now_ns(o->l), last = now, checked = now;
	o->ramp_end_ns = now + (int64_t)(o->c->ramp_s * (double)NS_S);
	o->bucket_end_ns = now + o->bucket_ns;
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
		int n = reap(o, &now, err);
		if (n < 0)
			return ERR_IO;
		last = n > 0 ? now : last;
		if (now - last > SILENT_NS)
			return err_set(err, ERR_IO, "no request came back for 60 s");
		bool late = o->c->until_ns > 0 && now >= o->c->until_ns;
		bool over = window_over(o, n, now);
		if (!over && !late)
			rc = refill(o, now, err);
		account(o, n, now);
		o->r->late = late && !over;
		if (over || late)
			return rc;
		/* nothing left to put back: from here on the queue only drains */
		if (o->n_free > 0 && o->n_ready == 0 && o->left == 0) {
			o->r->cut = true;
			return rc;
		}
	}
	return rc;
}

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

static int
start(struct loop *o, struct err *err)
{
	struct load *l = o->l;
	const struct load_config *c = o->c;
	o->next_b = c->from_b;
	o->left = requests_max(c);
	o->window_ns = (int64_t)(c->window_s * (double)NS_S);
	for (unsigned i = 0; i < c->qd; i++) {
		struct engine_io *io = &l->ios[i];
		*io = (struct engine_io){.slot = i, .size_b = c->bs_b};
		o->free[o->n_free++] = io;
	}
	if (c->series) {
		c->series->n = 0;
		o->bucket_ns = (int64_t)(c->series->bucket_s * (double)NS_S);
		assert(o->bucket_ns > 0);
	}
	if (c->zeros)
		memset(l->buffer, 0, c->qd * c->bs_b);
	if (c->sequential)
		return 0;
	int64_t blocks = (c->end_b - c->from_b) / (int64_t)c->bs_b;
	if (blocks < 2 * (int64_t)c->qd)
		return err_set(err, ERR_RANGE, "area of %lld blocks: too small for depth %u",
			(long long)blocks, c->qd);
	o->blocks = (uint64_t)blocks;
	return reserve_busy(l, o->blocks, err);
}

static void
finish_result(struct loop *o)
{
	struct load_result *r = o->r;
	r->all_ios = o->done[ENGINE_READ] + o->done[ENGINE_WRITE];
	r->all_b = r->all_ios * o->c->bs_b;
	r->written_b = o->done[ENGINE_WRITE] * o->c->bs_b;
	if (o->timed_ios > 0)
		r->submit_ns = o->timed_ns / o->timed_ios;
}

int
load_run(struct load *l, const struct load_config *c, struct hist *const lat[2],
	struct load_result *r, struct err *err)
{
	assert(c->qd >= 1 && c->qd <= l->run.engine->depth_max && c->bs_b > 0 && !l->stuck);
	assert(c->qd * c->bs_b <= LOAD_BUFFER_B);
	assert((lat[ENGINE_READ] || c->read_frac <= 0) && (lat[ENGINE_WRITE] || c->read_frac >= 1));
	*r = (struct load_result){.submit_ns = NAN};
	if (c->rate_iops > 0)
		return err_set(err, ERR_UNSUPPORTED, "load by a schedule: not built in yet");
	struct loop o = {.l = l, .c = c, .r = r, .lat = lat, .window_start_ns = -1};
	int rc = start(&o, err);
	if (rc)
		return rc;
	rc = loop(&o, err);
	bool drained = drain(&o, rc == ERR_INTERRUPTED ? STOP_DRAIN_NS : SILENT_NS);
	if (!drained && rc == 0)
		rc = err_set(err, ERR_IO, "%d requests did not come back", o.n_flying);
	finish_result(&o);
	if (drained && c->zeros && !l->run.engine->simulated)
		payload_fill(&l->payload, l->buffer, c->qd * c->bs_b, 0);
	return rc;
}

int
load_one(struct load *l, enum engine_op op, int64_t offset_b, size_t size_b, struct err *err)
{
	struct load_config c = {.bs_b = size_b, .qd = 1, .sequential = true};
	struct load_result r = {0};
	struct loop o = {.l = l, .c = &c, .r = &r};
	struct engine_io *io = &l->ios[0];
	char *data = l->buffer + (op == ENGINE_READ ? LOAD_BUFFER_B : 0);
	*io = (struct engine_io){.op = op, .data = data, .size_b = size_b, .offset_b = offset_b};
	int64_t begin = load_now_ns(l), now = begin;
	const struct engine_run *run = &l->run;
	int taken = run->engine->submit(run->state, &io, 1);
	if (taken != 1)
		return taken < 0 ? err_sys(err, -taken, "submitting at offset %lld",
					   (long long)offset_b)
				 : err_set(err, ERR_IO, "the kernel takes no requests (EAGAIN)");
	o.n_flying = 1;
	int n = 0;
	while (n == 0 && now - begin < SILENT_NS) {
		n = reap(&o, &now, err);
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
