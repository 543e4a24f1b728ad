/*
 * db_volume.h - volumes of constant latency, or of a latency that grows with the load, for tests of
 * the database model.
 */
#ifndef TESTS_MODEL_DB_VOLUME_H
#define TESTS_MODEL_DB_VOLUME_H

#include <math.h>

#include "model/db.h"

struct steady_volume {
	double read_us, read_p99_us, flush_us, flush_p99_us;
	double spread; /* half width of the intervals, relative */
	double iops, mibps; /* caps; 0: none known */
	double us_per_mib; /* of a flush */
	double pole; /* share of the caps a read's latency grows with: R / (1 - pole used); 0: constant */
};

static inline double
steady_used(void *ctx, const struct db_load *at, const char **what)
{
	const struct steady_volume *v = ctx;
	double ios = at->read_iops + at->write_iops;
	double mibps = ios * at->io_kib / 1024 + at->read_mibps + at->write_mibps;
	double by_ios = v->iops > 0 ? ios / v->iops : (double)NAN;
	double by_bytes = v->mibps > 0 ? mibps / v->mibps : (double)NAN;
	*what = by_bytes > by_ios || isnan(by_ios) ? "MB/s" : "IOPS";
	return fmax(by_ios, by_bytes);
}

static inline struct estimate
steady_estimate(const struct steady_volume *v, double us)
{
	return (struct estimate){
		us, us * (1 - v->spread), us * (1 + v->spread), TRUST_MEASURED, MODEL_INTERPOLATED};
}

static inline int
steady_read(void *ctx, const struct db_load *at, enum model_statistic stat, struct estimate *us,
	struct err *err)
{
	const struct steady_volume *v = ctx;
	const char *what;
	double used = v->pole > 0 ? v->pole * steady_used(ctx, at, &what) : 0;
	double light = stat == MODEL_P99 ? v->read_p99_us : v->read_us;
	if (isnan(light))
		return err_set(err, ERR_UNSUPPORTED, "the read latency is not known");
	if (used >= 1)
		return err_set(err, ERR_RANGE, "more than the volume carries");
	*us = steady_estimate(v, light / (1 - used));
	return 0;
}

static inline int
steady_flush(void *ctx, const struct db_load *at, double bytes, enum model_statistic stat,
	struct estimate *us, struct err *err)
{
	const struct steady_volume *v = ctx;
	const char *what;
	double used = v->pole > 0 ? v->pole * steady_used(ctx, at, &what) : 0;
	double one = stat == MODEL_P99 ? v->flush_p99_us : v->flush_us;
	if (isnan(one))
		return err_set(err, ERR_UNSUPPORTED, "the commit latency is not known");
	if (used >= 1)
		return err_set(err, ERR_RANGE, "more than the volume carries");
	*us = steady_estimate(v, (one + v->us_per_mib * bytes / 1048576) / (1 - used));
	return 0;
}

static inline struct db_volume
steady(struct steady_volume *v)
{
	return (struct db_volume){steady_read, steady_flush, steady_used, v};
}

/* Group commit, 8 KiB pages, nothing else. */
static inline struct engine
plain_engine(void)
{
	const double no = (double)NAN;
	return (struct engine){.name = "plain",
		.title = "plain",
		.commit = ENGINE_COMMIT_GROUP,
		.flushes_per_group = 1,
		.commit_delay_us = 0,
		.loss_window_ms = no,
		.page_kib = 8,
		.log_base_kib = 0.5,
		.full_page_writes = 0,
		.page_writes_factor = 1,
		.checkpoint_s = no,
		.completion_target = no,
		.write_amplification = no,
		.read_amplification = no,
		.merge_io_kib = no,
		.merge_share = no};
}

/* Clients, CPU ms and page reads; the rest is unknown. */
static inline struct db_input
plain_input(const struct engine *e, double clients, double cpu_ms, double page_reads,
	const struct db_volume *log, const struct db_volume *data)
{
	struct db_input in = {.engine = e, .log = log, .data = data};
	db_transaction_clear(&in.tx);
	in.tx.clients = clients;
	in.tx.cpu_ms = cpu_ms;
	in.tx.page_reads = page_reads;
	return in;
}

#endif /* TESTS_MODEL_DB_VOLUME_H */
