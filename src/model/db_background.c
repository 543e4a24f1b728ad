/*
 * db_background.c - what an engine does to its volumes beside the transactions: write-back of
 * dirty pages, page images in the log, compaction (models.md 4.2, 4.3).
 */
#include "model/db_internal.h"

#include <math.h>

/* Seconds after a checkpoint whose page images count as "right after it": models.md 4.2. */
static const double after_s = 15;

/* Distinct pages that `changes` changes of pages reach when there are `pages` of them (NaN: each
 * change another page). */
static double
distinct(double pages, double changes)
{
	return isnan(pages) ? changes : pages * -expm1(-changes / pages);
}

/* Page images a transaction: the first change of a page after a checkpoint is logged whole. */
static double
images(const struct db_case *c, double tps)
{
	const struct engine *e = c->in->engine;
	if (!(e->full_page_writes > 0) || !(c->page_writes > 0))
		return 0;
	double interval = isnan(e->checkpoint_s) ? after_s : e->checkpoint_s;
	double span = c->after ? fmin(after_s, interval) : interval;
	if (tps <= 0)
		return c->page_writes;
	return distinct(c->in->tx.dirty_pages, c->page_writes * tps * span) / (tps * span);
}

/* Pages written back a second.  With checkpoints each dirty page once an interval, over the share
 * of it that the write-back takes; else each change, as pages leave the cache. */
static double
write_back(const struct db_case *c, double tps)
{
	const struct engine *e = c->in->engine;
	double factor = isnan(e->page_writes_factor) ? 1 : e->page_writes_factor;
	double changes = c->page_writes * tps;
	if (isnan(e->checkpoint_s))
		return factor * changes;
	double share = e->completion_target > 0 ? e->completion_target : 1;
	return factor * distinct(c->in->tx.dirty_pages, changes * e->checkpoint_s) /
	       (share * e->checkpoint_s);
}

/* Flushes and compaction of an LSM: WA counts the log once and the flush once. */
static void
merges(const struct db_case *c, double tps, struct db_background *out)
{
	double wa = c->in->engine->write_amplification;
	double ingest_mibps = tps * c->log_kib / 1024;
	out->data.write_mibps = ingest_mibps * fmax(0, wa - 1);
	out->data.read_mibps = ingest_mibps * fmax(0, wa - 2);
	double kib = c->in->engine->merge_io_kib;
	out->io_kib = kib > 0 ? kib : 256;
}

void
db_background(const struct db_case *c, double rate, struct db_background *out)
{
	const struct engine *e = c->in->engine;
	double tps = 1e3 * rate;
	*out = (struct db_background){.log_kib = c->log_kib, .io_kib = e->page_kib};
	out->data.io_kib = e->page_kib;
	if (c->fast)
		return;
	if (isnan(e->write_amplification)) {
		out->log_kib += images(c, tps) * e->page_kib;
		out->data.write_iops = write_back(c, tps);
	} else {
		merges(c, tps, out);
	}
}

struct db_load
db_load_sum(const struct db_load *a, const struct db_load *b)
{
	double na = a->read_iops + a->write_iops, nb = b->read_iops + b->write_iops;
	double kib = na + nb > 0 ? (na * a->io_kib + nb * b->io_kib) / (na + nb) : a->io_kib;
	return (struct db_load){.read_iops = a->read_iops + b->read_iops,
		.write_iops = a->write_iops + b->write_iops,
		.io_kib = kib,
		.read_mibps = a->read_mibps + b->read_mibps,
		.write_mibps = a->write_mibps + b->write_mibps};
}
