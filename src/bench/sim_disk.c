#include "bench/sim_disk.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "bench/sim_cache.h"
#include "bench/sim_dirty.h"
#include "bench/sim_queue.h"
#include "bench/sim_tokens.h"

enum { NS_US = 1000, SECTOR_B = 512, SEQ_WINDOW_B = 1 << 20, KIB = 1024, MB = 1000000 };

/* Whose request: the caller's, somebody else's, or the write cache's. */
enum { CLIENT, FOREIGN, DRAIN };

_Static_assert(SIM_CLIENT_MAX + SIM_FOREIGN_MAX + SIM_DRAIN_DEPTH <= SIM_QUEUE_MAX, "room for all");

static const double NS_S = 1e9, NS_MINUTE = 60e9;
static const int64_t ELSEWHERE_B = (int64_t)1 << 60; /* where others read */

struct list {
	struct sim_request *first, *last;
};

struct sim_disk {
	struct sim_law law;
	struct rng rng, foreign_rng;
	int64_t now_ns;
	struct sim_queue queue;
	struct sim_tokens io_rate, io_credits, byte_rate, byte_credits;
	double slot_free_ns[SIM_SLOTS_MAX]; /* a heap: the earliest first */
	int64_t last_end_b; /* of the request before; < 0: there was none */
	int64_t touched_b; /* all below was written once */
	int64_t held_ns; /* flush_holds: nothing starts before */
	uint64_t clients; /* reads and writes so far */

	struct sim_cache cache;
	struct sim_dirty dirty; /* write cache */
	struct sim_request drains[SIM_DRAIN_DEPTH], *free_drains;
	struct list no_room, to_drain; /* writes and flushes that wait for it */

	struct sim_request foreign[SIM_FOREIGN_MAX], *free_foreign;
	double foreign_on_ns; /* time others were active until their next request */
	int64_t foreign_ns; /* when it comes */

	struct diskstats counted; /* but for busy_ms */
	int outstanding;
	int64_t busy_since_ns, busy_ns;
};

static void
append(struct list *l, struct sim_request *r)
{
	r->next = NULL;
	if (l->last)
		l->last->next = r;
	else
		l->first = r;
	l->last = r;
}

static struct sim_request *
take_first(struct list *l)
{
	struct sim_request *r = l->first;
	l->first = r->next;
	if (!l->first)
		l->last = NULL;
	return r;
}

/* --- counters */

static void
count_arrival(struct sim_disk *d)
{
	if (d->outstanding++ == 0)
		d->busy_since_ns = d->now_ns;
}

static void
count_completion(struct sim_disk *d, const struct sim_request *r)
{
	if (--d->outstanding == 0)
		d->busy_ns += d->now_ns - d->busy_since_ns;
	d->counted.reads += r->op == SIM_READ;
	d->counted.writes += r->op == SIM_WRITE;
	if (r->op == SIM_FLUSH)
		d->counted.flushes += d->law.fsync_us > 0;
	else
		d->counted.sectors += r->size_b / SECTOR_B;
}

void
sim_disk_counters(const struct sim_disk *d, struct diskstats *out)
{
	int64_t busy_ns = d->busy_ns + (d->outstanding ? d->now_ns - d->busy_since_ns : 0);
	*out = d->counted;
	out->busy_ms = (uint64_t)busy_ns / (NS_US * (uint64_t)1000);
	out->has_flushes = true;
}

/* --- the disk itself */

static bool
follows(const struct sim_disk *d, const struct sim_request *r)
{
	int64_t gap_b = r->offset_b - d->last_end_b;
	return d->last_end_b >= 0 && gap_b >= -SEQ_WINDOW_B && gap_b <= SEQ_WINDOW_B;
}

/* Share of the whole cost that these data have. */
static double
cost_frac(const struct sim_disk *d, const struct sim_request *r)
{
	return 1 - (1 - d->law.compress) * r->zero_frac;
}

static double
spread(struct sim_disk *d)
{
	return d->law.sigma > 0 ? exp(d->law.sigma * rng_normal(&d->rng)) : 1;
}

/* A file grows from its start: what ends beyond all writes before it is new. */
static double
first_touch_us(struct sim_disk *d, const struct sim_request *r)
{
	int64_t end_b = r->offset_b + (int64_t)r->size_b;
	if (r->op != SIM_WRITE || end_b <= d->touched_b)
		return 0;
	d->touched_b = end_b;
	return d->law.touch_us;
}

static double
service_ns(struct sim_disk *d, const struct sim_request *r)
{
	const struct sim_law *law = &d->law;
	double us = law->fsync_us;
	if (r->op != SIM_FLUSH) {
		us = r->op == SIM_READ ? law->read_us : law->write_us;
		if (law->seq_us >= 0 && follows(d, r))
			us = law->seq_us + (law->mbps > 0 ? (double)r->size_b / law->mbps : 0);
		us = (us + law->kib_us * (double)r->size_b / KIB) * cost_frac(d, r);
		d->last_end_b = r->offset_b + (int64_t)r->size_b;
		us += first_touch_us(d, r);
	}
	us *= (1 + law->drift_frac * (double)d->now_ns / NS_MINUTE) * spread(d);
	return (us + r->more_us) * NS_US;
}

/* When a request that comes now is through the token buckets. */
static double
pass_tokens(struct sim_disk *d, const struct sim_request *r, double at_ns)
{
	double units = fmax(1, ceil((double)r->size_b / (d->law.unit_kib * KIB)));
	double bytes = (double)r->size_b * cost_frac(d, r);
	at_ns = sim_tokens_take(&d->io_rate, at_ns, units);
	at_ns = sim_tokens_take(&d->io_credits, at_ns, units);
	at_ns = sim_tokens_take(&d->byte_rate, at_ns, bytes);
	return sim_tokens_take(&d->byte_credits, at_ns, bytes);
}

/* Take the slot that is free first; when the service that starts there at at_ns or later ends. */
static double
pass_slot(struct sim_disk *d, double at_ns, double service)
{
	double *heap = d->slot_free_ns;
	size_t n = (size_t)d->law.slots, i = 0;
	double end = (n ? fmax(at_ns, heap[0]) : at_ns) + service;
	while (2 * i + 1 < n) { /* `end` in place of the root goes down to where it belongs */
		size_t child = 2 * i + 1;
		if (child + 1 < n && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= end)
			break;
		heap[i] = heap[child];
		i = child;
	}
	if (n)
		heap[i] = end;
	return end;
}

static double
start_ns(const struct sim_disk *d)
{
	return (double)(d->now_ns > d->held_ns ? d->now_ns : d->held_ns);
}

/* Hand to the disk now; it completes later. */
static void
to_disk(struct sim_disk *d, struct sim_request *r)
{
	double at_ns = start_ns(d);
	if (r->op != SIM_FLUSH)
		at_ns = pass_tokens(d, r, at_ns);
	int64_t due_ns = llround(pass_slot(d, at_ns, service_ns(d, r)));
	if (r->op == SIM_FLUSH && d->law.flush_holds > 0)
		d->held_ns = due_ns;
	sim_queue_put(&d->queue, due_ns, r);
}

/* --- caches of the host */

static void
from_cache(struct sim_disk *d, struct sim_request *r, double base_us)
{
	sim_queue_put(&d->queue, llround(start_ns(d) + base_us * spread(d) * NS_US), r);
}

/* Keep SIM_DRAIN_DEPTH writes on their way to the disk while there is something dirty. */
static void
drain(struct sim_disk *d)
{
	struct sim_dirty_write w;
	while (d->free_drains && sim_dirty_take(&d->dirty, &w)) {
		struct sim_request *r = d->free_drains;
		d->free_drains = r->next;
		*r = (struct sim_request){.op = SIM_WRITE,
			.offset_b = w.offset_b,
			.size_b = w.size_b,
			.zero_frac = w.zero_frac,
			.whose = DRAIN};
		to_disk(d, r);
	}
}

/* A write that finds room is acknowledged soon; false: no room now. */
static bool
accept(struct sim_disk *d, struct sim_request *r)
{
	struct sim_dirty_write w = {r->offset_b, r->size_b, r->zero_frac};
	if (!sim_dirty_put(&d->dirty, &w))
		return false;
	from_cache(d, r, d->law.wcache_us);
	drain(d);
	return true;
}

/* A write reached the disk: there is room again, and a flush may be what waited for it. */
static void
drained(struct sim_disk *d, struct sim_request *r)
{
	sim_dirty_done(&d->dirty, r->size_b);
	r->next = d->free_drains;
	d->free_drains = r;
	drain(d);
	while (d->no_room.first && accept(d, d->no_room.first))
		take_first(&d->no_room);
	while (d->to_drain.first && d->to_drain.first->drained_b <= d->dirty.done_b)
		to_disk(d, take_first(&d->to_drain));
}

static void
write_to(struct sim_disk *d, struct sim_request *r)
{
	if (!sim_dirty_fits(&d->dirty, r->size_b))
		to_disk(d, r);
	else if (d->no_room.first || !accept(d, r))
		append(&d->no_room, r);
}

static void
flush(struct sim_disk *d, struct sim_request *r)
{
	r->drained_b = d->dirty.put_b;
	if (d->law.flush_drains > 0 && r->drained_b > d->dirty.done_b)
		append(&d->to_drain, r);
	else
		to_disk(d, r);
}

static void
read_from(struct sim_disk *d, struct sim_request *r)
{
	if (sim_cache_has(&d->cache, r->offset_b, r->size_b))
		from_cache(d, r, d->law.cache_us);
	else
		to_disk(d, r);
}

/* --- others */

/*
 * Their next request: time goes on only while they are active, and that is laid out over all time
 * as the first foreign_on_s of every foreign_every_s.
 */
static void
plan_foreign(struct sim_disk *d)
{
	const struct sim_law *law = &d->law;
	if (law->foreign_iops <= 0) {
		d->foreign_ns = INT64_MAX;
		return;
	}
	d->foreign_on_ns += rng_exponential(&d->foreign_rng) * NS_S / law->foreign_iops;
	double at_ns = d->foreign_on_ns;
	if (law->foreign_every_s > 0) {
		double times = floor(at_ns / (law->foreign_on_s * NS_S));
		at_ns += times * (law->foreign_every_s - law->foreign_on_s) * NS_S;
	}
	d->foreign_ns = llround(at_ns);
}

static void
foreign_comes(struct sim_disk *d)
{
	struct sim_request *r = d->free_foreign;
	plan_foreign(d);
	if (!r)
		return; /* their queue is full */
	d->free_foreign = r->next;
	*r = (struct sim_request){.op = SIM_READ,
		.offset_b = ELSEWHERE_B + (int64_t)(rng_next(&d->foreign_rng) >> 4),
		.size_b = (size_t)d->law.foreign_kib * KIB,
		.whose = FOREIGN};
	count_arrival(d);
	to_disk(d, r);
}

/* --- events */

/* What a completion leads to; true for the caller's. */
static bool
finish(struct sim_disk *d, struct sim_request *r)
{
	switch (r->whose) {
	case DRAIN:
		drained(d, r);
		return false;
	case FOREIGN:
		count_completion(d, r);
		r->next = d->free_foreign;
		d->free_foreign = r;
		return false;
	default:
		count_completion(d, r);
		if (r->op != SIM_FLUSH && !r->failed)
			sim_cache_touch(&d->cache, r->offset_b, r->size_b);
		return true;
	}
}

struct sim_request *
sim_disk_next(struct sim_disk *d, int64_t limit_ns)
{
	for (;;) {
		int64_t due_ns = sim_queue_next_ns(&d->queue);
		bool foreign = d->foreign_ns < due_ns;
		int64_t at_ns = foreign ? d->foreign_ns : due_ns;
		if (at_ns > limit_ns) {
			d->now_ns = limit_ns > d->now_ns ? limit_ns : d->now_ns;
			return NULL;
		}
		d->now_ns = at_ns;
		if (foreign) {
			foreign_comes(d);
			continue;
		}
		struct sim_request *r = sim_queue_take(&d->queue);
		if (finish(d, r))
			return r;
	}
}

void
sim_disk_submit(struct sim_disk *d, struct sim_request *r)
{
	r->whose = CLIENT;
	count_arrival(d);
	if (r->op == SIM_FLUSH) {
		flush(d, r);
		return;
	}
	r->failed = d->law.fail_after > 0 && (double)++d->clients >= d->law.fail_after;
	if (r->op == SIM_READ)
		read_from(d, r);
	else
		write_to(d, r);
}

int64_t
sim_disk_now_ns(const struct sim_disk *d)
{
	return d->now_ns;
}

const struct sim_law *
sim_disk_law(const struct sim_disk *d)
{
	return &d->law;
}

int64_t
sim_disk_dirty_b(const struct sim_disk *d)
{
	return d->dirty.put_b - d->dirty.done_b;
}

/* --- life */

/* The bucket of the rate itself and, where credits allow a higher one, that of the credits. */
static void
init_tokens(const struct sim_law *law, double base, double burst, double credits,
	struct sim_tokens *rate, struct sim_tokens *saved)
{
	bool bursts = credits > 0;
	sim_tokens_init(rate, bursts ? burst : base, law->burst_ms / 1e3, law->throttle_ms);
	sim_tokens_init(saved, bursts ? base : 0, bursts ? credits / base : 0, law->throttle_ms);
}

static struct sim_request *
chain(struct sim_request *r, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		r[i].next = &r[i + 1];
	return r;
}

int
sim_disk_new(const struct sim_law *law, int64_t size_b, struct sim_disk **disk, struct err *err)
{
	struct sim_disk *d = calloc(1, sizeof(*d));
	*disk = NULL;
	if (!d)
		return err_nomem(err);
	d->law = *law;
	d->last_end_b = -1;
	rng_seed(&d->rng, (uint64_t)law->seed);
	rng_seed(&d->foreign_rng, ~(uint64_t)law->seed); /* others do not change our own spread */
	init_tokens(law, law->iops, law->burst_iops, law->burst_ios, &d->io_rate, &d->io_credits);
	init_tokens(law, law->mbps * MB, law->burst_mbps * MB, law->burst_mb * MB, &d->byte_rate,
		&d->byte_credits);
	d->free_drains = chain(d->drains, SIM_DRAIN_DEPTH);
	d->free_foreign = chain(d->foreign, SIM_FOREIGN_MAX);
	plan_foreign(d);
	int rc = sim_cache_init(&d->cache, size_b, law->cache_mib, err);
	if (rc == 0)
		rc = sim_dirty_init(&d->dirty, law->wcache_mib, err);
	if (rc) {
		sim_disk_free(d);
		return rc;
	}
	*disk = d;
	return 0;
}

void
sim_disk_free(struct sim_disk *d)
{
	if (!d)
		return;
	sim_cache_fini(&d->cache);
	sim_dirty_fini(&d->dirty);
	free(d);
}
