/*
 * load_open.c - the open loop: Poisson arrivals by a schedule, and how to be awake in time for them.
 *
 * A sleep ends late: by the timer slack of the thread (50 us unless set), by the wake-up of an idle
 * processor and by whoever else runs there.  The slack is set to the least there is; for the rest
 * the thread wakes early, by what nine in ten sleeps last too long, and polls until the arrival.
 */
#include <math.h>
#include <sys/prctl.h>

#include "bench/load_loop.h"

static const int64_t SPIN_MAX_NS = 100000; /* at 1000 arrivals a second: a tenth of a processor */
static const int64_t SPIN_UP_NS = 1800, SPIN_DOWN_NS = 200; /* 1 to 9: balance at nine in ten */

/* The next arrival, an exponential gap after the one before; parts of a nanosecond are kept. */
static void
schedule(struct load_loop *o)
{
	double ns = o->part_ns + o->gap_ns * rng_exponential(&o->l->gaps);
	double whole = floor(ns);
	o->part_ns = ns - whole;
	o->arrival_ns += (int64_t)whole;
}

void
load_open_begin(struct load_loop *o, int64_t now)
{
	o->gap_ns = 1e9 / o->c->rate_iops;
	o->arrival_ns = now;
	schedule(o);
}

/* Sent, or dropped for want of a place; the latency of what is sent counts from its moment. */
static void
arrival(struct load_loop *o, int64_t now)
{
	bool counts = o->in_window, sent = o->n_free > 0;
	o->r->arrivals += counts;
	o->r->overload += counts && !sent;
	if (!sent)
		return;
	load_make_ready(o, o->arrival_ns);
	if (counts) {
		double behind_ns = (double)(now - o->arrival_ns);
		o->behind_ns += behind_ns;
		o->behind_max_ns = fmax(o->behind_max_ns, behind_ns);
	}
}

int
load_open_arrive(struct load_loop *o, int64_t now, struct err *err)
{
	int rc = 0;
	while (rc == 0 && o->arrival_ns <= now && o->left > 0) {
		arrival(o, now);
		schedule(o);
		if (o->n_ready >= LOAD_CHUNK)
			rc = load_submit_ready(o, now, err);
	}
	return rc ? rc : load_submit_ready(o, now, err);
}

/* In virtual time no sleep is too long, so there is never a poll, which would not move that clock. */
int64_t
load_open_wait_ns(const struct load_loop *o, int64_t now, int64_t most_ns)
{
	int64_t ns = o->arrival_ns - now - o->spin_ns;
	if (ns < 0)
		return 0;
	return ns < most_ns ? ns : most_ns;
}

void
load_open_overslept(struct load_loop *o, int64_t ns)
{
	if (!o->slept)
		o->spin_ns = ns;
	else
		o->spin_ns += ns > o->spin_ns ? SPIN_UP_NS : -SPIN_DOWN_NS;
	o->slept = true;
	if (o->spin_ns > SPIN_MAX_NS)
		o->spin_ns = SPIN_MAX_NS;
	if (o->spin_ns < 0)
		o->spin_ns = 0;
}

int
load_open_slack(int slack_ns)
{
	int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	if (slack_ns > 0)
		prctl(PR_SET_TIMERSLACK, slack_ns, 0, 0, 0);
	return before;
}
