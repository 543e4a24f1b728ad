#include "bench/lies.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

static const double HOLE_MAX = 0.01, CACHED_MAX = 0.02, IN_CACHE = 0.90, GAIN_MAX = 1.25;
static const double GAIN_LEAST_MAX = 1.1, FOREIGN_MAX = 0.10, WARM_MAX = 2, CLIENT_MAX = 0.90,
		    WAIT_MAX = 0.50;
static const double HELD_MAX = 0.10, HIT_MAX = 0.10;
/* A rate that is at a limit: control groups let a little more or less through. */
static const double LIMIT_LO = 0.93, LIMIT_HI = 1.05;

void
lies_clear(struct lies_seen *s)
{
	*s = (struct lies_seen){.area_b = NAN,
		.cached_frac = NAN,
		.compress_gain = NAN,
		.compress_least = NAN,
		.foreign_frac = NAN,
		.repeated = NAN,
		.limits = {NAN, NAN, NAN, NAN, NAN},
		.client_frac = NAN,
		.wait_frac = NAN,
		.held_frac = NAN};
}

static bool
memory(const struct lies_seen *s, struct buf *text)
{
	if (!s->memory)
		return false;
	buf_printf(text, "%s is memory: these figures are of no disk", s->memory);
	return true;
}

static double
share(uint64_t part_b, double area_b)
{
	return area_b > 0 ? (double)part_b / area_b : 0;
}

static bool
sparse(const struct lies_seen *s, struct buf *text)
{
	double hole = s->extents ? share(s->extents->hole_b, s->area_b) : 0;
	if (!(hole > HOLE_MAX))
		return false;
	buf_printf(text,
		"%.0f %% of the test area (%.0f MiB) are holes, blocks that the file does not "
		"have; "
		"reads of them never reach the disk and the first write of each is slower",
		100 * hole, s->area_b / UNITS_MIB);
	return true;
}

static bool
unwritten(const struct lies_seen *s, struct buf *text)
{
	double frac = s->extents ? share(s->extents->unwritten_b, s->area_b) : 0;
	if (!(frac > HOLE_MAX))
		return false;
	buf_printf(text,
		"%.0f %% of the test area (%.0f MiB) were reserved and never written; the "
		"filesystem answers reads of them with zeros and without the disk",
		100 * frac, s->area_b / UNITS_MIB);
	return true;
}

static bool
buffered(const struct lies_seen *s, struct buf *text)
{
	/* memory has its own sentence: all of it is cache */
	if (s->memory || !(s->cached_frac > CACHED_MAX))
		return false;
	buf_printf(text,
		"%.0f %% of the test area (%.0f MiB) lay in this machine's page cache, where "
		"direct I/O leaves nothing: memory answered with the disk",
		100 * s->cached_frac, s->area_b / UNITS_MIB);
	return true;
}

static bool
in_cache(const struct lies_seen *s, struct buf *text)
{
	if (s->memory || !(s->cached_frac >= IN_CACHE))
		return false;
	buf_printf(text,
		"the file is smaller than the cache: %.0f %% of its %.0f MiB were in memory, so "
		"reads hardly needed the disk",
		100 * s->cached_frac, s->area_b / UNITS_MIB);
	return true;
}

static bool
compressible(const struct lies_seen *s, struct buf *text)
{
	/* the lower end of the ratio's interval, too: noise alone does not do that */
	if (!(s->compress_gain > GAIN_MAX) || !(s->compress_least > GAIN_LEAST_MAX))
		return false;
	buf_printf(text,
		"zeros were written %.1f times as fast as random data: the device or the "
		"filesystem "
		"compresses; all figures here are of data that cannot be compressed",
		s->compress_gain);
	return true;
}

static bool
foreign(const struct lies_seen *s, struct buf *text)
{
	if (!(s->foreign_frac > FOREIGN_MAX))
		return false;
	buf_printf(text,
		"others did %.0f %% of the load on %s meanwhile (%.0f slices were repeated)",
		100 * s->foreign_frac, s->device ? s->device : "the disk",
		isnan(s->repeated) ? 0 : s->repeated);
	return true;
}

static bool
at_limit(double rate, double limit)
{
	return rate >= LIMIT_LO * limit && rate <= LIMIT_HI * limit;
}

/* A load whose rate is a limit of a control group; NULL: none. */
static const struct profile_cell *
limited_cell(const struct lies_seen *s)
{
	for (size_t i = 0; s->p && i < s->p->n_cells; i++) {
		const struct profile_cell *c = &s->p->cells[i];
		bool read = c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_READ;
		double iops = read ? s->limits.riops : s->limits.wiops;
		double bytes = read ? s->limits.rbps : s->limits.wbps;
		/* the rate of a schedule is nobody's limit, and a mix has two */
		if (!isnan(c->asked_iops) || !isnan(c->mix_read_frac))
			continue;
		if (at_limit(c->iops, iops) || at_limit(c->iops * c->bs_b, bytes))
			return c;
	}
	return NULL;
}

static const char *
op_text(int op)
{
	static const char *const text[PROFILE_OP_COUNT] = {
		"random reads", "random writes", "sequential reads", "sequential writes"};
	return text[op];
}

static bool
quota(const struct lies_seen *s, struct buf *text)
{
	char size[32], rate[32];
	for (size_t i = 0; s->p && i < s->p->n_knees; i++) {
		const struct profile_knee *k = &s->p->knees[i];
		if (!k->limit || strcmp(k->limit, "throttle") != 0)
			continue;
		buf_printf(text, "%s: %s", op_text(k->op), k->why);
		return true;
	}
	const struct profile_cell *c = limited_cell(s);
	if (!c)
		return false;
	units_size_text(c->bs_b, size);
	units_count_text(c->iops, rate);
	buf_printf(text,
		"%s of %s at depth %.0f: quota-limited: %s a second are just what a control group "
		"allows on this device, so the group was measured and not the disk",
		op_text(c->op), size, c->qd, rate);
	return true;
}

/* Reads of the area at random hit it, too; else it only holds what was used just before. */
static bool
cache_mixes(const struct lies_seen *s)
{
	return s->cache && s->cache->hit_frac > HIT_MAX;
}

static bool
host_cache(const struct lies_seen *s, struct buf *text)
{
	char cold[32], warm[32];
	double first_us = s->cache ? fmax(s->cache->cold_p50_us, s->cache->early_p50_us)
				   : (double)NAN;
	if (!s->cache || !(first_us > WARM_MAX * s->cache->warm_p50_us))
		return false;
	units_latency_text(first_us, cold);
	units_latency_text(s->cache->warm_p50_us, warm);
	buf_printf(text,
		"blocks read for the first time took %s, the same again %s: a cache of the host, "
		"the controller or the disk answers what was used lately",
		cold, warm);
	if (cache_mixes(s))
		buf_printf(text, ", and %.0f %% of first reads: the figures of reads are a mixture",
			100 * s->cache->hit_frac);
	return true;
}

static bool
client(const struct lies_seen *s, struct buf *text)
{
	bool busy = s->client_frac >= CLIENT_MAX, waits = s->wait_frac >= WAIT_MAX,
	     held = s->held_frac > HELD_MAX;
	if (busy)
		buf_printf(text,
			"%s: this program was on a processor or waiting for one %.0f %% of the "
			"time, so the disk may do more",
			s->client_cell, 100 * s->client_frac);
	else if (waits)
		buf_printf(text,
			"this program waited for a processor %.0f %% of the time, behind others: "
			"the disk may do more, and latencies are partly this machine's",
			100 * s->wait_frac);
	if (held)
		buf_printf(text,
			"%s%s: this program used up its control group's processor quota in %.0f %% "
			"of the periods, so the disk may do more",
			busy || waits ? "; " : "", s->held_cell, 100 * s->held_frac);
	return busy || waits || held;
}

static const char not_the_disk[] = "not-the-disk", contaminated[] = "contaminated";

const struct lie lies[] = {
	{"memory", SEVERITY_ERROR, not_the_disk, NULL, "give a folder on the disk to measure",
		memory},
	{"sparse", SEVERITY_ERROR, not_the_disk, NULL,
		"write the file before it is measured, as is done by default", sparse},
	{"unwritten", SEVERITY_ERROR, not_the_disk, NULL,
		"write the file before it is measured, as is done by default", unwritten},
	{"buffered", SEVERITY_ERROR, not_the_disk, NULL,
		"measure with direct I/O, on a filesystem that does it", buffered},
	{"in-cache", SEVERITY_ERROR, not_the_disk, NULL,
		"measure with direct I/O, or a file several times as large as memory", in_cache},
	{"compressible", SEVERITY_WARNING, NULL, NULL,
		"expect more of data that compress; do not compare with benchmarks that write "
		"zeros",
		compressible},
	{"foreign-io", SEVERITY_WARNING, contaminated, NULL, "measure again while the disk is idle",
		foreign},
	{"quota-limited", SEVERITY_WARNING, not_the_disk, NULL,
		"lift the limit, or measure outside the control group, to see the disk", quota},
	{"host-cache", SEVERITY_WARNING, not_the_disk, cache_mixes,
		"measure an area (--size) several times as large as that cache", host_cache},
	{"client-bound", SEVERITY_WARNING, NULL, NULL,
		"measure from a machine with faster or idle processors to see more", client},
};

const size_t n_lies = sizeof(lies) / sizeof(lies[0]);

const char *
lies_find(const struct lies_seen *s, struct findings *f)
{
	const char *verdict = NULL;
	for (size_t i = 0; i < n_lies; i++) {
		struct buf text;
		buf_init(&text, 4096);
		if (lies[i].seen(s, &text)) {
			findings_add(f, lies[i].severity, lies[i].code, lies[i].todo, "%s",
				buf_text(&text));
			bool voids = !lies[i].voids || lies[i].voids(s);
			if (lies[i].verdict && voids && verdict != not_the_disk)
				verdict = lies[i].verdict;
		}
		buf_fini(&text);
	}
	return verdict;
}
