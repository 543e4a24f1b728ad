#include "model/db_disk.h"

#include <math.h>

#include "base/units.h"

#define STREAM_KIB 1024.0 /* one I/O of a stream */
/* at most this share is asked of a curve: beyond it there is no steady state, which the caller says */
#define MOST_USED 0.999

void
db_disk_clear(struct db_disk *disk)
{
	const double no = (double)NAN;
	*disk = (struct db_disk){.caps = {no, no, no, no, no}, .machine = {no, no, 0, 0, NULL}};
}

/* ---- what was asked before ---- */

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool
same_caps(const struct disk_caps *a, const struct disk_caps *b)
{
	return same(a->iops, b->iops) && same(a->mbps, b->mbps) &&
	       same(a->io_unit_kib, b->io_unit_kib) && same(a->stripe, b->stripe) &&
	       same(a->strip_b, b->strip_b);
}

/* Answers of another model, or under other caps, are forgotten: the first thing of every question. */
static void
forget_others(struct db_disk *d)
{
	struct db_disk_memory *m = &d->memory;
	if (m->model != d->model || !same_caps(&m->caps, &d->caps))
		*m = (struct db_disk_memory){.model = d->model, .caps = d->caps};
}

static double
wall(struct db_disk *d, enum profile_op op, double io_kib)
{
	struct db_disk_memory *m = &d->memory;
	struct estimate iops;
	if (!d->model)
		return (double)NAN;
	for (size_t i = 0; i < DB_DISK_WALLS; i++) {
		if (m->walls[i].io_kib == io_kib && m->walls[i].op == (int)op)
			return m->walls[i].iops;
	}
	bool known = disk_wall(d->model, op, io_kib * UNITS_KIB, &d->caps, &iops, NULL) == 0;
	struct db_disk_wall *w = &m->walls[m->next_walls];
	m->next_walls = (m->next_walls + 1) % DB_DISK_WALLS;
	*w = (struct db_disk_wall){(int)op, io_kib, known ? iops.value : (double)NAN};
	return w->iops;
}

/* At a rate; 0: alone.  What failed is asked again, for its reason. */
static int
ask(struct db_disk *d, enum profile_op op, double io_kib, double rate, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	struct db_disk_memory *m = &d->memory;
	double bs_b = io_kib * UNITS_KIB;
	for (size_t i = 0; i < DB_DISK_TOLD; i++) {
		const struct db_disk_told *t = &m->told[i];
		if (t->io_kib == io_kib && t->rate == rate && t->op == (int)op &&
			t->stat == (int)stat) {
			*us = t->us;
			return 0;
		}
	}
	int rc = rate > 0 ? disk_latency_at_rate(d->model, op, bs_b, rate, &d->caps, stat, us, err)
			  : disk_latency_at_qd(d->model, op, bs_b, 1, &d->caps, stat, us, err);
	if (rc)
		return rc;
	m->told[m->next_told] = (struct db_disk_told){(int)op, (int)stat, io_kib, rate, *us};
	m->next_told = (m->next_told + 1) % DB_DISK_TOLD;
	return 0;
}

/* ---- answers ---- */

/* A wall that nothing comes near is not asked for. */
static double
wall_for(struct db_disk *d, enum profile_op op, double io_kib, double rate)
{
	return rate > 0 ? wall(d, op, io_kib) : (double)NAN;
}

/* A share of a wall that is not known counts as none; whether any is known is the caller's question. */
static double
share(double rate, double of)
{
	return rate > 0 && of > 0 ? rate / of : 0;
}

static bool
has_wall(struct db_disk *d, double io_kib)
{
	return !isnan(wall(d, PROFILE_OP_RANDREAD, io_kib)) ||
	       !isnan(wall(d, PROFILE_OP_RANDWRITE, io_kib));
}

struct tightest {
	double used;
	const char *what;
};

static void
tighten(struct tightest *t, double need, double cap, const char *what)
{
	if (!(cap > 0))
		return;
	double used = need / cap;
	if (isnan(t->used) ||
		used > t->used * (1 + 1e-9)) { /* a cap is named before a wall that is it */
		t->used = used;
		t->what = what;
	}
}

static double
bytes_mbps(const struct db_load *at)
{
	double random = (at->read_iops + at->write_iops) * at->io_kib * UNITS_KIB;
	return (random + (at->read_mibps + at->write_mibps) * UNITS_MIB) / UNITS_MB;
}

/* I/Os as the seller counts them. */
static double
units(const struct db_load *at, double unit_kib)
{
	double pieces = unit_kib > 0 ? ceil(at->io_kib / unit_kib) : 1;
	double stream = unit_kib > 0 ? ceil(STREAM_KIB / unit_kib) : 1;
	return (at->read_iops + at->write_iops) * pieces +
	       (at->read_mibps + at->write_mibps) * UNITS_MIB / (STREAM_KIB * UNITS_KIB) * stream;
}

double
db_disk_used(struct db_disk *d, const struct db_load *at, const char **what)
{
	const double stream_iops = UNITS_MIB / (STREAM_KIB * UNITS_KIB);
	struct tightest t = {(double)NAN, NULL};
	double disks = d->caps.stripe > 1 ? d->caps.stripe : 1;
	forget_others(d);
	tighten(&t, units(at, d->caps.io_unit_kib), disks * d->caps.iops, "IOPS of the disk");
	tighten(&t, bytes_mbps(at), disks * d->caps.mbps, "MB/s of the disk");
	const double kib = at->io_kib;
	double read = wall_for(d, PROFILE_OP_RANDREAD, kib, at->read_iops);
	double write = wall_for(d, PROFILE_OP_RANDWRITE, kib, at->write_iops);
	if (!isnan(read) || !isnan(write) || has_wall(d, kib)) {
		bool sold = !isnan(d->caps.iops) || !isnan(d->caps.mbps);
		double reads = at->read_mibps * stream_iops, writes = at->write_mibps * stream_iops;
		double random = share(at->read_iops, read) + share(at->write_iops, write);
		double streams = share(reads, wall_for(d, PROFILE_OP_RANDREAD, STREAM_KIB, reads)) +
				 share(writes,
					 wall_for(d, PROFILE_OP_RANDWRITE, STREAM_KIB, writes));
		/* two quotas are independent: a stream fills the one of bytes, below */
		tighten(&t, sold ? fmax(random, streams) : random + streams, 1,
			"reads and writes of the disk");
	}
	const struct db_machine *m = &d->machine;
	tighten(&t, m->other_iops + units(at, d->caps.io_unit_kib), m->iops, "IOPS of the machine");
	tighten(&t, m->other_mbps + bytes_mbps(at), m->mbps, "MB/s of the machine");
	if (what)
		*what = t.what;
	return t.used;
}

static int
no_latency(const struct db_disk *d, struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, "%s: its latency is not known: measure it",
		d->what ? d->what : "the disk");
}

int
db_disk_latency(struct db_disk *d, enum profile_op op, const struct db_load *at,
	enum model_statistic stat, struct estimate *us, struct err *err)
{
	const char *what = NULL;
	double used = db_disk_used(d, at, &what);
	double rate = wall(d, op == PROFILE_OP_RANDREAD ? op : PROFILE_OP_RANDWRITE, at->io_kib);
	if (used >= 1)
		return err_set(err, ERR_RANGE,
			"%s: at or beyond its wall, the load takes %.0f %% of the %s",
			d->what ? d->what : "the disk", 100 * used, what);
	if (!d->model)
		return no_latency(d, err);
	if (isnan(used) || isnan(rate))
		rate = at->read_iops + at->write_iops;
	else
		rate *= fmin(used, MOST_USED);
	return ask(d, op, at->io_kib, fmax(rate, 0), stat, us, err);
}

/* How much slower a write is at the load than alone; 1 where the model does not say. */
static double
slowed(struct db_disk *d, const struct db_load *at, enum model_statistic stat)
{
	struct estimate loaded = {0}, alone = {0};
	struct db_load none = {.io_kib = at->io_kib};
	if (db_disk_latency(d, PROFILE_OP_RANDWRITE, at, stat, &loaded, NULL) != 0 ||
		db_disk_latency(d, PROFILE_OP_RANDWRITE, &none, stat, &alone, NULL) != 0)
		return 1;
	return fmax(1, loaded.value / alone.value);
}

int
db_disk_flush(struct db_disk *d, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	const char *what = NULL;
	double used = db_disk_used(d, at, &what);
	if (used >= 1)
		return err_set(err, ERR_RANGE,
			"%s: at or beyond its wall, the load takes %.0f %% of the %s",
			d->what ? d->what : "the disk", 100 * used, what);
	if (!d->model)
		return no_latency(d, err);
	int rc = disk_sync_latency(d->model, bytes, stat, us, err);
	if (rc)
		return rc;
	double times = at->read_iops + at->write_iops > 0 ? slowed(d, at, stat) : 1;
	us->value *= times;
	us->lo *= times;
	us->hi *= times;
	return 0;
}

static double
used_frac(void *ctx, const struct db_load *at, const char **what)
{
	return db_disk_used(ctx, at, what);
}

static int
read_us(void *ctx, const struct db_load *at, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	return db_disk_latency(ctx, PROFILE_OP_RANDREAD, at, stat, us, err);
}

static int
flush_us(void *ctx, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	return db_disk_flush(ctx, at, bytes, stat, us, err);
}

struct db_volume
db_disk_volume(struct db_disk *disk)
{
	return (struct db_volume){
		.read = read_us, .flush = flush_us, .used_frac = used_frac, .ctx = disk};
}
