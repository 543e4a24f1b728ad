/*
 * engine_sim.c - a disk with a known law in virtual time: its clock moves only when somebody waits.
 *
 * Here are the data, of which only stamps (and whether a block is zeros) are kept; the law is
 * sim_disk.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/engine.h"
#include "bench/payload.h"
#include "bench/sim.h"
#include "bench/sim_commit.h"
#include "bench/sim_disk.h"

enum { SECTOR_B = 512, SECTORS = ENGINE_STAMP_B / SECTOR_B };

struct sim {
	struct sim_law law;
	struct sim_disk *disk;
	struct sim_request requests[ENGINE_DEPTH_MAX]; /* by slot */
	struct engine_io *back[ENGINE_DEPTH_MAX]; /* completed while a sync was waited for */
	int n_back;
	uint64_t writes;
	size_t n_blocks;
	uint64_t *stamps; /* the first 8 bytes of each ENGINE_STAMP_B */
	unsigned char *zeros; /* each block: nothing but zeros beside the stamp; NULL: not wanted */
};

_Static_assert((int)ENGINE_DEPTH_MAX + 1 <= (int)SIM_CLIENT_MAX, "requests and a sync");
_Static_assert((int)COMMIT_WRITERS_MAX <= (int)SIM_CLIENT_MAX, "one request a writer");

static void
sim_close(void *state)
{
	struct sim *s = state;
	sim_disk_free(s->disk);
	free(s->stamps);
	free(s->zeros);
	free(s);
}

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
	s->n_blocks = c->size_b > 0 ? (size_t)c->size_b / ENGINE_STAMP_B : 0;
	s->stamps = calloc(s->n_blocks + 1, sizeof(*s->stamps));
	s->zeros = law.compress < 1 ? calloc(s->n_blocks + 1, 1) : NULL;
	rc = s->stamps && (s->zeros || law.compress >= 1) ? 0 : err_nomem(err);
	if (rc == 0)
		rc = sim_disk_new(&law, c->size_b, &s->disk, err);
	if (rc) {
		sim_close(s);
		return rc;
	}
	*state = s;
	return 0;
}

static int64_t
sim_now_ns(void *state)
{
	const struct sim *s = state;
	return sim_disk_now_ns(s->disk);
}

/* Move the stamps between the request's data and the store; beyond the store reads give zeros. */
static void
move_stamps(struct sim *s, const struct engine_io *io)
{
	bool lost = io->op == ENGINE_WRITE && s->law.lose_every > 0 &&
		    ++s->writes % (uint64_t)s->law.lose_every == 0;
	char *data = io->data;
	size_t at = payload_to_stamp_b(io->offset_b);
	for (; at < io->size_b; at += ENGINE_STAMP_B) {
		size_t i = ((size_t)io->offset_b + at) / ENGINE_STAMP_B;
		uint64_t stamp = i < s->n_blocks ? s->stamps[i] : 0;
		if (io->op == ENGINE_READ)
			memcpy(data + at, &stamp, sizeof(stamp));
		else if (!lost && i < s->n_blocks)
			memcpy(&s->stamps[i], data + at, sizeof(stamp));
	}
}

/*
 * Whether a sector holds zeros, but for a stamp: a look at two words, since what is written is
 * random throughout, with new bytes in the first of them, or zeros throughout.
 */
static bool
sector_is_zero(const char *sector)
{
	uint64_t words[2];
	memcpy(&words[0], sector + sizeof(uint64_t), sizeof(words[0]));
	memcpy(&words[1], sector + SECTOR_B - sizeof(uint64_t), sizeof(words[1]));
	return words[0] == 0 && words[1] == 0;
}

/* Share of the data that is zeros; what is written is remembered. */
static double
zero_frac(struct sim *s, const struct engine_io *io)
{
	if (!s->zeros)
		return 0;
	size_t sectors = io->size_b / SECTOR_B, zeros = 0;
	for (size_t i = 0; i < sectors; i++) {
		size_t sector = (size_t)io->offset_b / SECTOR_B + i, block = sector / SECTORS;
		unsigned char bit = (unsigned char)(1U << sector % SECTORS), none = 0;
		unsigned char *held = block < s->n_blocks ? &s->zeros[block] : &none;
		bool zero = io->op == ENGINE_READ
				    ? (*held & bit) != 0
				    : sector_is_zero((const char *)io->data + i * SECTOR_B);
		*held = (unsigned char)(zero ? *held | bit : *held & ~bit);
		zeros += zero;
	}
	return sectors ? (double)zeros / (double)sectors : 0;
}

static int
sim_submit(void *state, struct engine_io *const *ios, int n)
{
	struct sim *s = state;
	for (int i = 0; i < n; i++) {
		struct engine_io *io = ios[i];
		struct sim_request *r = &s->requests[io->slot];
		*r = (struct sim_request){.op = io->op == ENGINE_READ ? SIM_READ : SIM_WRITE,
			.offset_b = io->offset_b,
			.size_b = io->size_b,
			.zero_frac = zero_frac(s, io),
			.owner = io};
		sim_disk_submit(s->disk, r);
		io->result = r->failed ? -EIO : (int64_t)io->size_b;
		if (!r->failed)
			move_stamps(s, io);
	}
	return n;
}

static int
sim_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	struct sim *s = state;
	int n = 0;
	while (n < max && s->n_back > 0)
		done[n++] = s->back[--s->n_back];
	int64_t now = sim_now_ns(s), limit_ns = n > 0 ? now : now + timeout_ns;
	while (n < max) {
		const struct sim_request *r = sim_disk_next(s->disk, limit_ns);
		if (!r)
			break;
		done[n++] = r->owner;
		limit_ns = sim_now_ns(s); /* and all that are back by then */
	}
	return n;
}

static int
sim_sync(void *state)
{
	struct sim *s = state;
	struct sim_request sync = {.op = SIM_FLUSH};
	sim_disk_submit(s->disk, &sync);
	for (;;) {
		const struct sim_request *r = sim_disk_next(s->disk, INT64_MAX);
		if (r == &sync)
			return 0;
		s->back[s->n_back++] = r->owner;
	}
}

static int
sim_engine_commit(void *state, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	struct sim *s = state;
	return sim_commit(s->disk, c, lat, r, err);
}

static bool
sim_counters(void *state, struct diskstats *d)
{
	const struct sim *s = state;
	sim_disk_counters(s->disk, d);
	return true;
}

const struct engine engine_sim = {
	.name = "sim",
	.help = "a simulated disk in virtual time, sim:KEY=N,KEY=N...; "
		"service: read_us write_us fsync_us append_us seq_us kib_us touch_us sigma "
		"drift_frac slots; "
		"caps: iops unit_kib mbps burst_ms throttle_ms; "
		"credits: burst_iops burst_ios burst_mbps burst_mb; "
		"caches of the host: cache_mib cache_us wcache_mib wcache_us; "
		"flushes: flush_drains flush_holds; "
		"others: foreign_iops foreign_kib foreign_on_s foreign_every_s; "
		"data: compress lose_every fail_after; seed",
	.simulated = true,
	.depth_max = ENGINE_DEPTH_MAX,
	.open = sim_open,
	.close = sim_close,
	.now_ns = sim_now_ns,
	.submit = sim_submit,
	.reap = sim_reap,
	.sync = sim_sync,
	.commit = sim_engine_commit,
	.counters = sim_counters,
};
