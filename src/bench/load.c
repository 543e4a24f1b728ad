/*
 * load.c - the loop: wait for completions, send what comes next, then count what came back.
 */
#include "bench/load.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load_loop.h"

enum { PAGE_B = 4096, RAMP_SHARE = 4 };

static const int64_t NS_S = 1000000000;
static const int64_t POLL_NS = 100000000; /* how soon a signal is seen on a silent disk */
static const int64_t SILENT_NS = 60000000000; /* no completion for so long: give up */
static const int64_t STOP_DRAIN_NS = 5000000000;

/* The start of what is written.  A simulated disk keeps stamps and sees zeros: no more is needed. */
static void
make_random(struct load *l, size_t size_b)
{
	if (l->run.engine->simulated)
		memset(l->buffer, 0xa5, size_b);
	else
		payload_fill(&l->payload, l->buffer, size_b, 0);
}

int
load_init(struct load *l, struct engine_run run, struct load_seeds seeds,
	const volatile sig_atomic_t *stop, struct err *err)
{
	memset(l, 0, sizeof(*l));
	l->run = run;
	l->stop = stop;
	rng_seed(&l->rng, seeds.order);
	rng_seed(&l->gaps, ~seeds.order);
	payload_init(&l->payload, seeds.data, seeds.data);
	l->buffer = aligned_alloc(PAGE_B, 2 * (size_t)LOAD_BUFFER_B);
	if (!l->buffer)
		return err_nomem(err);
	make_random(l, LOAD_BUFFER_B);
	return 0;
}

void
load_fini(struct load *l)
{
	if (l->stuck)
		return;
	free(l->buffer);
	l->buffer = NULL;
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

static void
verify(struct load_loop *o, const struct engine_io *io)
{
	struct payload_seen seen = payload_check(
		&o->l->payload, io->data, io->size_b, io->offset_b);
	o->r->verified += seen.stamps;
	o->r->mismatched += seen.wrong;
}

/* Latencies of what is back, and their places free again. */
static void
take_back(struct load_loop *o, struct engine_io *const *back, int n, int64_t now)
{
	int64_t *lat_ns = o->lat_ns[o->op], size_b = (int64_t)o->c->bs_b;
	for (int i = 0; i < n; i++) {
		const struct engine_io *io = back[i];
		if (io->result != size_b)
			o->careful = true;
		o->l->busy[io->place] = false;
		lat_ns[i] = now - io->start_ns;
	}
	o->n_lat[o->op] = (size_t)n;
}

/* The same, one by one: failures, stamps, reads and writes apart. */
static int
look_at(struct load_loop *o, struct engine_io *const *back, int n, struct err *err)
{
	int rc = 0;
	o->n_lat[o->op] = 0;
	for (int i = 0; i < n; i++) {
		const struct engine_io *io = back[i];
		if (io->result != (int64_t)io->size_b) {
			int one = failed(
				io, rc ? NULL : err); /* the first of several is reported */
			rc = rc ? rc : one;
			continue;
		}
		o->lat_ns[io->op][o->n_lat[io->op]++] = o->lat_ns[o->op][i];
		if (io->op == ENGINE_READ && o->c->verify)
			verify(o, io);
	}
	return rc;
}

/* n more free ones stand behind those that are ready: the free come first. */
static void
free_first(struct load_loop *o, int n)
{
	struct engine_io *ready[ENGINE_DEPTH_MAX], **at = &o->idle[o->n_free];
	size_t size = (size_t)o->n_ready * sizeof(struct engine_io *);
	memcpy(ready, at, size);
	memmove(at, at + o->n_ready, (size_t)n * sizeof(struct engine_io *));
	memcpy(at + n, ready, size);
}

/*
 * Wait for completions, at most wait_ns; their latencies go to lat_ns.  How many, 0 after a time-out
 * or a signal, -1 on failure.
 */
static int
reap(struct load_loop *o, int64_t wait_ns, int64_t *now, struct err *err)
{
	const struct engine_run *run = &o->l->run;
	struct engine_io **back = &o->idle[o->n_free + o->n_ready];
	int max = o->n_flying > 0 ? o->n_flying : 1; /* open loop: a wait with nothing in flight */
	int n = run->engine->reap(run->state, back, max, wait_ns), rc = 0;
	*now = load_now_ns(o->l);
	o->n_lat[ENGINE_READ] = o->n_lat[ENGINE_WRITE] = 0;
	if (n == 0 || n == -EINTR)
		return 0;
	if (n < 0) {
		err_sys(err, -n, "waiting for completions");
		return -1;
	}
	take_back(o, back, n, *now);
	if (o->careful)
		rc = look_at(o, back, n, err);
	if (o->n_ready > 0)
		free_first(o, n);
	o->n_free += n;
	o->n_flying -= n;
	o->done[ENGINE_READ] += o->n_lat[ENGINE_READ];
	o->done[ENGINE_WRITE] += o->n_lat[ENGINE_WRITE];
	return rc ? -1 : n;
}

/* Reap; in the open loop at most until the next arrival. */
static int
wait_for_some(struct load_loop *o, int64_t *now, struct err *err)
{
	if (!o->open)
		return reap(o, POLL_NS, now, err);
	int64_t from = *now, wait_ns = load_open_wait_ns(o, from, POLL_NS);
	int n = reap(o, wait_ns, now, err);
	if (n == 0 && (wait_ns > 0 || *now == from)) /* or: polling does not move this clock */
		load_open_overslept(o, *now - from - wait_ns);
	return n;
}

static int
send(struct load_loop *o, int64_t now, struct err *err)
{
	return o->open ? load_open_arrive(o, now, err) : load_refill(o, now, err);
}

/* Nothing is left to send: from here on the queue only drains. */
static bool
used_up(const struct load_loop *o)
{
	return o->left == 0 && o->n_ready == 0 && (o->n_free > 0 || o->open);
}

/* Completions of this moment into their bucket; buckets the time has passed are over. */
static void
add_to_series(struct load_loop *o, int n, int64_t now)
{
	struct load_series *s = o->c->series;
	while (s->n < s->n_max && now >= o->bucket_end_ns) {
		s->n++;
		o->bucket_end_ns += o->bucket_ns;
	}
	if (s->n < s->n_max)
		s->ios[s->n] += (uint32_t)n;
}

/* How many of those with a task, in flight or ready, have one that began in [from_ns, to_ns). */
static int
n_begun(const struct load_loop *o, int64_t from_ns, int64_t to_ns)
{
	int n = 0;
	for (unsigned i = 0; i < o->c->qd; i++)
		n += o->l->ios[i].start_ns >= from_ns && o->l->ios[i].start_ns < to_ns;
	for (int i = 0; i < o->n_free; i++)
		n -= o->idle[i]->start_ns >= from_ns && o->idle[i]->start_ns < to_ns;
	return n;
}

/* Of the latencies of this moment those of [least, most] ns stay; how many do not. */
static int
keep_between(struct load_loop *o, int64_t least_ns, int64_t most_ns)
{
	int gone = 0;
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
		int64_t *lat_ns = o->lat_ns[op];
		size_t n = 0;
		for (size_t i = 0; i < o->n_lat[op]; i++) {
			if (lat_ns[i] >= least_ns && lat_ns[i] <= most_ns)
				lat_ns[n++] = lat_ns[i];
		}
		gone += (int)(o->n_lat[op] - n);
		o->n_lat[op] = n;
	}
	return gone;
}

static void
add_latencies(struct load_loop *o)
{
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
		if (o->n_lat[op] > 0)
			hist_add_all(o->lat[op], o->lat_ns[op], o->n_lat[op]);
	}
}

/* Of those that come back now and were sent before the window, what of their time is in it. */
static void
count_before(struct load_loop *o)
{
	int64_t since_ns = o->r->window_ns;
	size_t reads = o->n_lat[ENGINE_READ], writes = o->n_lat[ENGINE_WRITE];
	o->n_before -= keep_between(o, 0, since_ns);
	o->r->present_ns[ENGINE_READ] += (double)(reads - o->n_lat[ENGINE_READ]) * (double)since_ns;
	o->r->present_ns[ENGINE_WRITE] += (double)(writes - o->n_lat[ENGINE_WRITE]) *
					  (double)since_ns;
}

/* Completions count for the rate, and the latencies of those that were sent in the window. */
static void
count_window(struct load_loop *o, int n, int64_t now)
{
	o->r->ios[ENGINE_READ] += o->n_lat[ENGINE_READ];
	o->r->ios[ENGINE_WRITE] += o->n_lat[ENGINE_WRITE];
	o->window_ios += (uint64_t)n;
	o->r->window_ns = now - o->window_start_ns;
	if (o->n_before > 0)
		count_before(o);
	add_latencies(o);
}

/* After the window: latencies of what was sent in it, and what of them is not in it. */
static void
count_cooling(struct load_loop *o, int64_t now)
{
	double past_ns = (double)(now - o->window_over_ns);
	keep_between(o, now - o->window_over_ns + 1, now - o->window_start_ns);
	o->n_owed -= (int)(o->n_lat[ENGINE_READ] + o->n_lat[ENGINE_WRITE]);
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++)
		o->r->present_ns[op] -= past_ns * (double)o->n_lat[op];
	add_latencies(o);
}

static void
open_window(struct load_loop *o, int64_t now)
{
	o->in_window = true;
	o->window_start_ns = now;
	o->window_end_ns = now + (int64_t)(o->c->window_s * (double)NS_S);
	o->n_before = n_begun(o, INT64_MIN, now);
}

/* What was sent before the window and is not back is present in all of it. */
static void
count_throughout(struct load_loop *o)
{
	double all_ns = (double)o->r->window_ns;
	for (unsigned i = 0; i < o->c->qd; i++)
		o->r->present_ns[o->l->ios[i].op] += o->l->ios[i].start_ns < o->window_start_ns
							     ? all_ns
							     : 0;
	for (int i = 0; i < o->n_free; i++)
		o->r->present_ns[o->idle[i]->op] -= o->idle[i]->start_ns < o->window_start_ns
							    ? all_ns
							    : 0;
}

/* With its last completion, which is counted. */
static void
close_window(struct load_loop *o)
{
	o->in_window = false;
	o->cooling = true;
	o->window_over_ns = o->window_start_ns + o->r->window_ns;
	o->cool_end_ns = o->window_over_ns + o->r->window_ns;
	o->n_owed = n_begun(o, o->window_start_ns, o->window_over_ns);
	if (o->n_before > 0)
		count_throughout(o);
}

/* Wait for what is in flight; the latencies of what the window sent count.  Whether all came back. */
static bool
drain(struct load_loop *o, int64_t limit_ns)
{
	int64_t now = load_now_ns(o->l), end = now + limit_ns;
	bool stopped = false;
	for (; o->n_ready > 0; o->n_ready--) /* holds a place, was never submitted */
		o->l->busy[o->idle[o->n_free++]->place] = false;
	while (o->n_flying > 0 && now < end) {
		int before = o->n_flying;
		if (load_stopped(o->l) && !stopped) {
			stopped = true;
			end = now + STOP_DRAIN_NS < end ? now + STOP_DRAIN_NS : end;
		}
		if (reap(o, POLL_NS, &now, NULL) < 0 && o->n_flying == before)
			break; /* the wait itself fails: waiting on is of no use */
		if (o->cooling)
			count_cooling(o, now);
	}
	o->l->stuck = o->n_flying > 0;
	return !o->l->stuck;
}

static void
count_ramp(struct load_loop *o, int n, int64_t now)
{
	uint64_t issued_b = (o->budget - o->left) * o->c->bs_b;
	bool over = now >= o->ramp_end_ns || issued_b >= o->c->max_b / RAMP_SHARE;
	o->ramp_ios += (uint64_t)n;
	if (over && (o->open || o->ramp_ios >= o->c->qd))
		open_window(o, now);
}

/* Whether the window ends with the n completions of this moment.  A time-out ends nothing. */
static bool
window_over(const struct load_loop *o, int n, int64_t now)
{
	return o->in_window && n > 0 &&
	       (now >= o->window_end_ns || o->window_ios + (uint64_t)n >= o->max_ios);
}

/* What ends a run from outside: a signal, or the caller's own reason. */
static int
check(const struct load_loop *o, int64_t now, int64_t *checked_ns, struct err *err)
{
	if (load_stopped(o->l))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	if (!o->c->check || now - *checked_ns < POLL_NS)
		return 0;
	*checked_ns = now;
	return o->c->check(o->c->ctx, err);
}

static void
begin(struct load_loop *o, int64_t now)
{
	const struct load_config *c = o->c;
	o->ramp_end_ns = now + (int64_t)(c->ramp_s * (double)NS_S);
	o->until_ns = c->until_ns > 0 ? c->until_ns : INT64_MAX;
	o->max_ios = c->max_ios ? c->max_ios : UINT64_MAX;
	if (c->ramp_s <= 0)
		open_window(o, now);
	if (c->series) {
		c->series->n = 0;
		o->bucket_ns = (int64_t)(c->series->bucket_s * (double)NS_S);
		assert(o->bucket_ns > 0);
		o->bucket_end_ns = now + o->bucket_ns;
	}
	if (o->open)
		load_open_begin(o, now);
}

/*
 * What the n completions of this moment are to a window that is over or ends with them; whether the
 * run is over too.
 */
static bool
run_over(struct load_loop *o, int n, int64_t now)
{
	bool late = now >= o->until_ns;
	if (o->cooling) {
		count_cooling(o, now);
	} else if (window_over(o, n, now)) {
		count_window(o, n, now);
		close_window(o);
	} else if (late && o->in_window && n == 0 && o->n_flying > 0) {
		return false; /* what is not yet back belongs to the window, as long as it takes */
	} else {
		o->r->late = late;
		return late;
	}
	return late || o->n_owed == 0 || now >= o->cool_end_ns;
}

/* One reap, what follows from it, and the account of it; *ended: the run is over. */
static int
turn(struct load_loop *o, int64_t *now, int64_t *last_ns, bool *ended, struct err *err)
{
	int n = wait_for_some(o, now, err), rc = 0;
	if (n < 0)
		return ERR_IO;
	if (n > 0 || o->n_flying == 0)
		*last_ns = *now;
	else if (*now - *last_ns > SILENT_NS)
		return err_set(err, ERR_IO, "no request came back for 60 s");
	*ended = run_over(o, n, *now);
	if (!*ended)
		rc = send(o, *now, err);
	if (o->c->series)
		add_to_series(o, n, *now);
	if (n > 0 && o->in_window)
		count_window(o, n, *now);
	else if (n > 0 && !o->cooling)
		count_ramp(o, n, *now);
	return rc;
}

static int
loop(struct load_loop *o, struct err *err)
{
	int64_t now = load_now_ns(o->l), last = now, checked = now;
	begin(o, now);
	bool ended = false;
	int rc = send(o, now, err);
	while (rc == 0 && !ended) {
		rc = check(o, now, &checked, err);
		if (rc)
			break;
		if (used_up(o)) {
			o->r->cut = !o->cooling;
			break;
		}
		rc = turn(o, &now, &last, &ended, err);
	}
	if (rc == 0 && o->in_window) /* ended early */
		close_window(o);
	return rc;
}

static void
finish_result(struct load_loop *o)
{
	struct load_result *r = o->r;
	r->all_ios = o->done[ENGINE_READ] + o->done[ENGINE_WRITE];
	r->all_b = r->all_ios * o->c->bs_b;
	r->written_b = o->done[ENGINE_WRITE] * o->c->bs_b;
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++) {
		if (o->lat[op])
			r->present_ns[op] += o->lat[op]->sum_ns - o->lat_ns_before[op];
	}
	if (o->timed_ios > 0)
		r->submit_ns = o->timed_ns / o->timed_ios;
	if (r->arrivals > r->overload) {
		r->behind_ns = o->behind_ns / (double)(r->arrivals - r->overload);
		r->behind_max_ns = o->behind_max_ns;
	}
}

static void
check_config(const struct load *l, const struct load_config *c, struct hist *const lat[2])
{
	assert(c->qd >= 1 && c->qd <= l->run.engine->depth_max && !l->stuck);
	assert(c->bs_b > 0 && c->qd * c->bs_b <= LOAD_BUFFER_B);
	assert(lat[ENGINE_READ] || c->read_frac <= 0);
	assert(lat[ENGINE_WRITE] || c->read_frac >= 1);
	(void)l, (void)c, (void)lat;
}

int
load_run(struct load *l, const struct load_config *c, struct hist *const lat[2],
	struct load_result *r, struct err *err)
{
	check_config(l, c, lat);
	*r = (struct load_result){.submit_ns = NAN, .behind_ns = NAN, .behind_max_ns = NAN};
	struct load_loop o = {.l = l, .c = c, .r = r, .lat = lat, .open = c->rate_iops > 0};
	int rc = load_prepare_all(&o, err);
	if (rc)
		return rc;
	for (enum engine_op op = ENGINE_READ; op <= ENGINE_WRITE; op++)
		o.lat_ns_before[op] = lat[op] ? lat[op]->sum_ns : 0;
	if (c->zeros)
		memset(l->buffer, 0, c->qd * c->bs_b);
	int slack_ns = o.open ? load_open_slack(1) : 0;
	rc = loop(&o, err);
	load_open_slack(slack_ns);
	bool drained = drain(&o, rc == ERR_INTERRUPTED ? STOP_DRAIN_NS : SILENT_NS);
	if (!drained && rc == 0)
		rc = err_set(err, ERR_IO, "%d requests did not come back", o.n_flying);
	finish_result(&o);
	if (drained && c->zeros)
		make_random(l, c->qd * c->bs_b);
	return rc;
}

/* Wait for the only request; 0, or the error of it or of waiting. */
static int
wait_for_one(struct load_loop *o, struct err *err)
{
	int64_t begin = load_now_ns(o->l), now = begin;
	while (now - begin < SILENT_NS) {
		int n = reap(o, POLL_NS, &now, err);
		if (n != 0)
			return n < 0 ? ERR_IO : 0;
		if (load_stopped(o->l)) {
			drain(o, STOP_DRAIN_NS);
			return err_set(err, ERR_INTERRUPTED, "interrupted");
		}
	}
	return err_set(err, ERR_IO, "no request came back for 60 s");
}

int
load_one(struct load *l, enum engine_op op, int64_t offset_b, size_t size_b, struct err *err)
{
	struct load_config c = {.bs_b = size_b, .qd = 1, .sequential = true};
	struct load_result r = {0};
	struct load_loop o = {.l = l, .c = &c, .r = &r, .n_flying = 1};
	struct engine_io *io = &l->ios[0];
	*io = (struct engine_io){.op = op,
		.data = l->buffer + (op == ENGINE_READ ? LOAD_BUFFER_B : 0),
		.size_b = size_b,
		.offset_b = offset_b};
	int taken = l->run.engine->submit(l->run.state, &io, 1);
	if (taken < 0)
		return err_sys(err, -taken, "submitting at offset %lld", (long long)offset_b);
	if (taken == 0)
		return err_set(err, ERR_IO, "the kernel takes no requests (EAGAIN)");
	int rc = wait_for_one(&o, err);
	l->stuck = o.n_flying > 0;
	return rc;
}
