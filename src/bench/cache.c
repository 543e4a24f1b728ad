/*
 * cache.c - whether something between this program and the disk answers reads: blocks of the area
 * read at random for the first time, the same once more, and blocks of the part that was written
 * first and so has left a cache first.  All one at a time.
 */
#include <math.h>

#include "bench/phase.h"

enum {
	READS = 500,
	READS_MIN = 30,
	EARLY_SHARE = 16, /* the part written first is one of so many */
};

static const double LEAST_S = 0.25; /* less time holds too few reads to tell, and others need it */
static const double COLD_FRAC = 0.4; /* of the time; as much again for the same reads */
/* Hits can be told from misses where the warm reads are that much faster on average. */
static const double APART = 1.5;

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "cache");
}

struct reads {
	uint64_t n; /* 0: not known */
	double mean_us, p50_us, p90_us;
};

/*
 * Up to `most` reads in [0, end_b), for `seconds` at most.  Latencies stay in `lat`.
 */
static int
read_some(struct disk *d, int64_t end_b, uint64_t most, double seconds, struct hist *lat,
	struct reads *out, struct err *err)
{
	struct load_config c = {.read_frac = 1,
		.bs_b = PLAN_BLOCK_B,
		.qd = 1,
		.end_b = end_b - end_b % PLAN_BLOCK_B,
		.window_s = seconds,
		.max_b = UINT64_MAX,
		.max_ios = most,
		.verify = true,
		.until_ns = disk_phase_end_ns(d)};
	struct load_result r;
	int resumed = disk_resumed(d);
	hist_init(lat);
	*out = (struct reads){.mean_us = NAN, .p50_us = NAN, .p90_us = NAN};
	int rc = load_run(&d->load, &c, (struct hist *[2]){lat, NULL}, &r, err);
	d->verified += r.verified;
	d->mismatched += r.mismatched;
	bool whole = disk_resumed(d) == resumed;
	d->suspended += !whole;
	if (rc || !whole || lat->n < READS_MIN)
		return rc;
	out->n = lat->n;
	out->mean_us = hist_mean_ns(lat) / 1000;
	out->p50_us = hist_quantile_ns(lat, 0.5) / 1000;
	out->p90_us = hist_quantile_ns(lat, 0.9) / 1000;
	return 0;
}

/* Share of the values at or below. */
static double
share_below(const struct hist *h, double ns)
{
	uint64_t n = 0;
	for (size_t i = 0; i <= hist_bin((int64_t)ns); i++)
		n += h->bins[i];
	return h->n ? (double)n / (double)h->n : (double)NAN;
}

static int
keep(struct disk *d, const struct reads *cold, const struct reads *warm, const struct reads *early,
	const struct hist *cold_lat, struct err *err)
{
	struct profile_cache *p = arena_alloc(d->arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	profile_cache_clear(p);
	p->reads = (double)(warm->n ? warm->n : cold->n);
	p->cold_p50_us = cold->p50_us;
	p->warm_p50_us = warm->p50_us;
	p->early_p50_us = early->p50_us;
	if (cold->n && warm->n)
		p->warm_over_cold = cold->p50_us / warm->p50_us;
	if (cold->n && warm->n && cold->mean_us > APART * warm->mean_us)
		p->hit_frac = share_below(cold_lat, warm->p90_us * 1000);
	d->cache = p;
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	struct hist *lat = d->scratch[0], *other = d->scratch[1];
	struct reads cold, warm = {0}, early = {0};
	double seconds = d->phase_s * COLD_FRAC;
	int64_t area_b = d->area_b, early_b = area_b / EARLY_SHARE;
	struct rng order = d->load.rng, after;
	*more = false;
	if (area_b < (int64_t)PLAN_BLOCK_B * PLAN_AREA_PER_QD || d->phase_s < LEAST_S) {
		findings_add(&d->findings, SEVERITY_NOTE, "no-cache-test", "give more --time",
			"no blocks were read twice: there was too little time, or area");
		return 0;
	}
	int rc = read_some(d, area_b, READS, seconds, lat, &cold, err);
	if (rc || cold.n == 0)
		return rc;
	after = d->load.rng;
	d->load.rng = order; /* the same blocks in the same order */
	rc = read_some(d, area_b, cold.n, disk_phase_left_s(d), other, &warm, err);
	d->load.rng = after;
	if (rc == 0)
		rc = read_some(d, early_b, READS, disk_phase_left_s(d), other, &early, err);
	int kept = keep(d, &cold, &warm, &early, lat, rc ? NULL : err);
	return rc ? rc : kept;
}

const struct phase phase_cache = {
	.title = "the same reads twice",
	.time_s = 6,
	.wanted = wanted,
	.step = step,
};
