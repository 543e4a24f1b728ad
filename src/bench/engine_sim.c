/*
 * engine_sim.c - a disk with a known law in virtual time: its clock moves only when somebody waits.
 *
 * Sixty simulated seconds take as long as the arithmetic does.  Same law and seed, same results.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "bench/engine.h"
#include "bench/payload.h"
#include "bench/sim.h"

enum { NS_US = 1000 };

struct pending {
	struct engine_io *io;
	int64_t due_ns;
};

struct sim {
	struct sim_law law;
	struct rng rng;
	double now_ns, iops_free_ns,
		bytes_free_ns; /* when each token queue lets the next through */
	struct pending pending[ENGINE_DEPTH_MAX];
	int n_pending;
	uint64_t requests, writes;
	uint64_t *stamps; /* what is stored: the first 8 bytes of each ENGINE_STAMP_B */
	size_t n_stamps;
};

static int
sim_open(const struct engine_config *c, void **state, struct err *err)
{
	struct sim_law law;
	int rc = sim_law_parse(c->args, &law, err);
	if (rc)
		return rc;
	struct sim *s = calloc(1, sizeof(*s));
	if (!s)
		return err_nomem(err);
	s->law = law;
	rng_seed(&s->rng, (uint64_t)law.seed);
	s->n_stamps = c->size_b > 0 ? (size_t)c->size_b / ENGINE_STAMP_B : 0;
	s->stamps = calloc(s->n_stamps + 1, sizeof(*s->stamps));
	if (!s->stamps) {
		free(s);
		return err_nomem(err);
	}
	*state = s;
	return 0;
}

static void
sim_close(void *state)
{
	struct sim *s = state;
	free(s->stamps);
	free(s);
}

static int64_t
sim_now_ns(void *state)
{
	const struct sim *s = state;
	return llround(s->now_ns);
}

static double
service_ns(struct sim *s, double base_us)
{
	double spread = s->law.sigma > 0 ? exp(s->law.sigma * rng_normal(&s->rng)) : 1;
	return base_us * NS_US * spread;
}

/* When a request of that size is through both token queues. */
static double
admit_ns(struct sim *s, size_t size_b)
{
	double at = s->now_ns;
	if (s->law.iops > 0) {
		at = fmax(at, s->iops_free_ns);
		s->iops_free_ns = at + 1e9 / s->law.iops;
	}
	if (s->law.mbps > 0) {
		at = fmax(at, s->bytes_free_ns);
		s->bytes_free_ns = at + (double)size_b * 1e9 / (s->law.mbps * 1e6);
	}
	return at;
}

/* Move the stamps between the request's data and the store; beyond the store reads give zeros. */
static void
move_stamps(struct sim *s, const struct engine_io *io)
{
	bool lost = io->op == ENGINE_WRITE && s->law.lose_every > 0 &&
		    fmod((double)++s->writes, s->law.lose_every) == 0;
	char *data = io->data;
	size_t at = payload_to_stamp_b(io->offset_b);
	for (; at < io->size_b; at += ENGINE_STAMP_B) {
		size_t i = ((size_t)io->offset_b + at) / ENGINE_STAMP_B;
		uint64_t stamp = i < s->n_stamps ? s->stamps[i] : 0;
		if (io->op == ENGINE_READ)
			memcpy(data + at, &stamp, sizeof(stamp));
		else if (!lost && i < s->n_stamps)
			memcpy(&s->stamps[i], data + at, sizeof(stamp));
	}
}

static int
sim_submit(void *state, struct engine_io *const *ios, int n)
{
	struct sim *s = state;
	int taken = 0;
	for (; taken < n && s->n_pending < ENGINE_DEPTH_MAX; taken++) {
		struct engine_io *io = ios[taken];
		double base = io->op == ENGINE_READ ? s->law.read_us : s->law.write_us;
		double due = admit_ns(s, io->size_b) + service_ns(s, base);
		bool fails = s->law.fail_after > 0 && (double)++s->requests >= s->law.fail_after;
		io->result = fails ? -EIO : (int64_t)io->size_b;
		if (!fails)
			move_stamps(s, io);
		s->pending[s->n_pending++] = (struct pending){io, llround(due)};
	}
	return taken;
}

static int64_t
earliest_ns(const struct sim *s)
{
	int64_t at = INT64_MAX;
	for (int i = 0; i < s->n_pending; i++) {
		if (s->pending[i].due_ns < at)
			at = s->pending[i].due_ns;
	}
	return at;
}

static int
sim_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	struct sim *s = state;
	int64_t at = earliest_ns(s), limit = sim_now_ns(s) + timeout_ns;
	s->now_ns = fmax(s->now_ns, (double)(at < limit ? at : limit));
	int n = 0;
	for (int i = 0; i < s->n_pending && n < max;) {
		if ((double)s->pending[i].due_ns > s->now_ns) {
			i++;
			continue;
		}
		done[n++] = s->pending[i].io;
		s->pending[i] = s->pending[--s->n_pending];
	}
	return n;
}

static int
sim_sync(void *state)
{
	struct sim *s = state;
	s->now_ns += service_ns(s, s->law.fsync_us);
	return 0;
}

const struct engine engine_sim = {
	.name = "sim",
	.help = "a simulated disk in virtual time, "
		"sim:read_us=N,write_us=N,fsync_us=N,iops=N,mbps=N,sigma=N,seed=N",
	.simulated = true,
	.depth_max = ENGINE_DEPTH_MAX,
	.open = sim_open,
	.close = sim_close,
	.now_ns = sim_now_ns,
	.submit = sim_submit,
	.reap = sim_reap,
	.sync = sim_sync,
};
