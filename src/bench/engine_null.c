/*
 * engine_null.c - no disk at all: every request is back at once and moved nothing.
 *
 * What is measured is the program itself: how many requests a second it can make, and what one costs
 * it.  Its clock is the real one.  "batch=N" gives back at most N requests a reap (default: all in
 * flight), as a slower disk would: 1 is the dearest for the program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/engine.h"

struct null {
	int batch;
	int n; /* in flight; the youngest is back first */
	struct engine_io *ios[ENGINE_DEPTH_MAX];
};

/* ENGINE_DEPTH_MAX when nothing is said. */
static int
parse(const char *args, int *batch, struct err *err)
{
	static const char key[] = "batch=";
	*batch = ENGINE_DEPTH_MAX;
	if (!args || !*args)
		return 0;
	if (strncmp(args, key, sizeof(key) - 1) != 0)
		return err_set(
			err, ERR_PARSE, "engine null: \"%.40s\": only batch=N is accepted", args);
	char *end;
	long v = strtol(args + sizeof(key) - 1, &end, 10);
	if (end == args + sizeof(key) - 1 || *end)
		return err_set(err, ERR_PARSE, "engine null: %.40s: not a number", args);
	if (v < 1 || v > ENGINE_DEPTH_MAX)
		return err_set(err, ERR_RANGE, "engine null: %.40s: accepted: 1 to %d", args,
			ENGINE_DEPTH_MAX);
	*batch = (int)v;
	return 0;
}

static int
null_open(const struct engine_config *c, void **state, struct err *err)
{
	int batch, rc = parse(c->args, &batch, err);
	if (rc)
		return rc;
	struct null *z = calloc(1, sizeof(*z));
	if (!z)
		return err_nomem(err);
	z->batch = batch;
	*state = z;
	return 0;
}

static int64_t
null_now_ns(void *state)
{
	(void)state;
	return clock_ns();
}

static int
null_submit(void *state, struct engine_io *const *ios, int n)
{
	struct null *z = state;
	int room = ENGINE_DEPTH_MAX - z->n, taken = n < room ? n : room;
	for (int i = 0; i < taken; i++) {
		ios[i]->result = (int64_t)ios[i]->size_b;
		z->ios[z->n++] = ios[i];
	}
	return taken;
}

static int
null_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	struct null *z = state;
	int most = max < z->batch ? max : z->batch, n = z->n < most ? z->n : most;
	struct timespec wait = {timeout_ns / 1000000000, timeout_ns % 1000000000};
	if (z->n == 0 && timeout_ns > 0)
		return nanosleep(&wait, NULL) == 0 ? 0 : -errno;
	z->n -= n;
	memcpy(done, &z->ios[z->n], (size_t)n * sizeof(struct engine_io *));
	return n;
}

static int
null_sync(void *state)
{
	(void)state;
	return 0;
}

/* Commits that wait for nothing: what is left is our own two looks at the clock. */
static int
null_commit(void *state, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	(void)state, (void)err;
	*r = (struct commit_result){.end_b = c->from_b};
	int64_t start = clock_ns() + (int64_t)(c->ramp_s * 1e9), now = clock_ns();
	while ((double)(now - start) < c->window_s * 1e9 && !r->cut && !r->late) {
		int64_t before = now;
		now = clock_ns();
		r->all_commits++;
		r->written_b += c->bs_b;
		if (before >= start) {
			hist_add(lat->both, now - before);
			hist_add(lat->write, now - before);
			r->commits++;
			r->window_ns = now - start;
		}
		r->cut = r->written_b + c->bs_b > c->max_b;
		r->late = c->until_ns > 0 && now >= c->until_ns;
	}
	return 0;
}

const struct engine engine_null = {
	.name = "null",
	.help = "no disk: requests are back at once, to measure this program itself; null:batch=N, "
		"N at a time",
	.simulated = true,
	.depth_max = ENGINE_DEPTH_MAX,
	.open = null_open,
	.close = free,
	.now_ns = null_now_ns,
	.submit = null_submit,
	.reap = null_reap,
	.sync = null_sync,
	.commit = null_commit,
};
