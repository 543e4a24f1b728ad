#include "bench/sim_commit.h"

#include <assert.h>
#include <errno.h>

static const double NS_S = 1e9;

enum { RAMP_SHARE = 4 }; /* of the blocks there are, at most so much of it for the ramp */

struct writer {
	struct sim_request request;
	uint64_t turns; /* overwrite: blocks begun of its part */
	bool warm; /* has done a commit */
	bool counts; /* the commit in progress began in the window */
	int64_t start_ns, written_ns; /* of the commit in progress */
};

struct run {
	struct sim_disk *disk;
	const struct commit_config *c;
	const struct commit_lat *lat;
	struct commit_result *r;
	struct writer writers[COMMIT_WRITERS_MAX];
	unsigned active, warm, owed; /* owed: cooling, commits that count and are not yet done */
	uint64_t taken, blocks; /* begun; at most */
	uint64_t part_blocks; /* overwrite: of each writer */
	int64_t ramp_end_ns, window_start_ns; /* window_start_ns < 0: still in the ramp */
	bool cooling; /* the window is over, the load is kept up until what began in it is done */
	bool over; /* no new commits */
};

/* The window is open. */
static bool
in_window(const struct run *g)
{
	return g->window_start_ns >= 0 && !g->cooling && !g->over;
}

static bool
in_one(const struct commit_config *c)
{
	return c->mode == PROFILE_SYNC_ODSYNC || c->mode == PROFILE_SYNC_ODSYNC_DIRECT;
}

/* Where the writer's next block goes. */
static int64_t
place(struct run *g, struct writer *w)
{
	uint64_t block = g->taken++;
	if (g->c->pattern == PROFILE_OVERWRITE) {
		assert(g->part_blocks > 0);
		uint64_t part = (uint64_t)(w - g->writers) * g->part_blocks;
		block = part + w->turns++ % g->part_blocks;
	}
	return g->c->from_b + (int64_t)(block * g->c->bs_b);
}

/* The writer's next commit, or its end. */
static void
begin(struct run *g, struct writer *w)
{
	if (!g->over && g->taken == g->blocks) {
		g->r->cut = !g->cooling;
		g->over = true;
	}
	if (g->over) {
		g->active--;
		return;
	}
	w->counts = in_window(g);
	w->start_ns = sim_disk_now_ns(g->disk);
	w->request = (struct sim_request){
		.op = SIM_WRITE, .offset_b = place(g, w), .size_b = g->c->bs_b, .owner = w};
	sim_disk_submit(g->disk, &w->request);
}

static void
sync(struct run *g, struct writer *w)
{
	double append_us = sim_disk_law(g->disk)->append_us;
	w->written_ns = sim_disk_now_ns(g->disk);
	w->request = (struct sim_request){.op = SIM_FLUSH,
		.more_us = g->c->pattern == PROFILE_APPEND ? append_us : 0,
		.owner = w};
	sim_disk_submit(g->disk, &w->request);
}

static void
add_latency(const struct run *g, const struct writer *w, int64_t now)
{
	const struct commit_lat *lat = g->lat;
	hist_add(lat->both, now - w->start_ns);
	hist_add(lat->write, (in_one(g->c) ? now : w->written_ns) - w->start_ns);
	if (!in_one(g->c))
		hist_add(lat->sync, now - w->written_ns);
}

/* A commit more in the window, which it may end. */
static void
account_window(struct run *g, int64_t now)
{
	struct commit_result *r = g->r;
	r->commits++;
	r->window_ns = now - g->window_start_ns;
	if ((double)r->window_ns < g->c->window_s * NS_S && !r->late)
		return;
	g->over = r->late;
	g->cooling = true;
	for (unsigned i = 0; i < g->c->writers; i++)
		g->owed += g->writers[i].counts;
	g->over |= g->owed == 0;
}

/* After the window. */
static void
account_cooling(struct run *g, bool counts, int64_t now)
{
	int64_t cooled_ns = now - g->window_start_ns - g->r->window_ns;
	g->owed -= counts;
	if (g->owed == 0 || cooled_ns >= g->r->window_ns)
		g->over = true;
}

/* A commit is over.  It may begin or end the window. */
static void
account(struct run *g, struct writer *w)
{
	int64_t now = sim_disk_now_ns(g->disk);
	bool counts = w->counts;
	w->counts = false;
	g->r->all_commits++;
	g->warm += !w->warm;
	w->warm = true;
	if (counts)
		add_latency(g, w, now);
	if (g->over)
		return;
	bool ramp_over = now >= g->ramp_end_ns || g->taken >= g->blocks / RAMP_SHARE;
	if (in_window(g))
		account_window(g, now);
	else if (g->cooling)
		account_cooling(g, counts, now);
	else if (ramp_over && g->warm == g->c->writers)
		g->window_start_ns = now;
}

/* The writer's request is back: on to the next step. */
static int
step(struct run *g, struct writer *w, struct err *err)
{
	if (w->request.failed) {
		g->active--;
		g->over = true;
		return err_sys(err, EIO, "write of %zu bytes at offset %lld", g->c->bs_b,
			(long long)w->request.offset_b);
	}
	if (w->request.op == SIM_WRITE) {
		g->r->written_b += g->c->bs_b;
		sync(g, w);
		return 0;
	}
	account(g, w);
	begin(g, w);
	return 0;
}

static int
set_bounds(struct run *g, struct err *err)
{
	const struct commit_config *c = g->c;
	uint64_t area = c->end_b > c->from_b ? (uint64_t)(c->end_b - c->from_b) / c->bs_b : 0;
	g->blocks = c->max_b / c->bs_b;
	if (c->pattern == PROFILE_APPEND && area < g->blocks)
		g->blocks = area;
	g->part_blocks = area / c->writers;
	if (c->pattern == PROFILE_OVERWRITE && g->part_blocks == 0)
		return err_set(err, ERR_RANGE, "area of %llu blocks: too small for %u writers",
			(unsigned long long)area, c->writers);
	return 0;
}

static void
start(struct run *g)
{
	int64_t now = sim_disk_now_ns(g->disk);
	g->ramp_end_ns = now + (int64_t)(g->c->ramp_s * NS_S);
	g->window_start_ns = g->c->ramp_s > 0 ? -1 : now;
	g->active = g->c->writers;
	for (unsigned i = 0; i < g->c->writers; i++)
		begin(g, &g->writers[i]);
}

int
sim_commit(struct sim_disk *d, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	assert(c->writers >= 1 && c->writers <= COMMIT_WRITERS_MAX && c->bs_b > 0);
	struct run g = {.disk = d, .c = c, .lat = lat, .r = r};
	*r = (struct commit_result){.end_b = c->from_b};
	int rc = set_bounds(&g, err);
	if (rc)
		return rc;
	start(&g);
	while (g.active > 0) {
		bool timed = c->until_ns > 0 && !g.over && !r->late;
		struct sim_request *done = sim_disk_next(d, timed ? c->until_ns : INT64_MAX);
		if (!done) {
			r->late = !g.cooling;
			g.over = !in_window(&g); /* which the next completion ends */
			continue;
		}
		int one = step(&g, done->owner, rc ? NULL : err); /* the first of several */
		rc = rc ? rc : one;
	}
	if (c->pattern == PROFILE_APPEND)
		r->end_b = c->from_b + (int64_t)(g.taken * c->bs_b);
	return rc;
}
