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
	*disk = (struct db_disk){
		.caps = {no, no, no, no, no}, .machine = {no, no, 0, 0, NULL}, .io_kib = no};
}

static double
wall(const struct db_disk *d, enum profile_op op, double kib)
{
	struct estimate iops;
	return disk_wall(d->model, op, kib * UNITS_KIB, &d->caps, &iops, NULL) == 0 ? iops.value
										    : (double)NAN;
}

static void
walls_at(struct db_disk *d, double io_kib)
{
	if (d->io_kib == io_kib)
		return;
	d->io_kib = io_kib;
	d->read_wall_iops = wall(d, PROFILE_OP_RANDREAD, io_kib);
	d->write_wall_iops = wall(d, PROFILE_OP_RANDWRITE, io_kib);
	d->stream_read_iops = wall(d, PROFILE_OP_RANDREAD, STREAM_KIB);
	d->stream_write_iops = wall(d, PROFILE_OP_RANDWRITE, STREAM_KIB);
}

/* A share of a wall that is not known counts as none; whether any is known is the caller's question. */
static double
share(double rate, double of)
{
	return rate > 0 && of > 0 ? rate / of : 0;
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
	walls_at(d, at->io_kib);
	tighten(&t, units(at, d->caps.io_unit_kib), disks * d->caps.iops, "IOPS of the disk");
	tighten(&t, bytes_mbps(at), disks * d->caps.mbps, "MB/s of the disk");
	if (!isnan(d->read_wall_iops) || !isnan(d->write_wall_iops)) {
		bool sold = !isnan(d->caps.iops) || !isnan(d->caps.mbps);
		double random = share(at->read_iops, d->read_wall_iops) +
				share(at->write_iops, d->write_wall_iops);
		double streams = share(at->read_mibps * stream_iops, d->stream_read_iops) +
				 share(at->write_mibps * stream_iops, d->stream_write_iops);
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

int
db_disk_latency(struct db_disk *d, enum profile_op op, const struct db_load *at,
	enum model_statistic stat, struct estimate *us, struct err *err)
{
	double bs_b = at->io_kib * UNITS_KIB;
	const char *what = NULL;
	double used = db_disk_used(d, at, &what);
	double rate = op == PROFILE_OP_RANDREAD ? d->read_wall_iops : d->write_wall_iops;
	if (used >= 1)
		return err_set(err, ERR_RANGE,
			"%s: at or beyond its wall, the load takes %.0f %% of the %s",
			d->what ? d->what : "the disk", 100 * used, what);
	if (isnan(used) || isnan(rate))
		rate = at->read_iops + at->write_iops;
	else
		rate *= fmin(used, MOST_USED);
	if (rate > 0)
		return disk_latency_at_rate(d->model, op, bs_b, rate, &d->caps, stat, us, err);
	return disk_latency_at_qd(d->model, op, bs_b, 1, &d->caps, stat, us, err);
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
