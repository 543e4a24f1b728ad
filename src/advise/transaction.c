#include "advise/transaction.h"

#include <math.h>

#include "advise/demand.h"
#include "base/units.h"

int
transaction_engine(const struct workload *w, const struct engine_document *d, struct arena *a,
	struct engine *e, struct err *err)
{
	const struct workload_transactions *t = w->transactions;
	int rc = engine_of(d, t ? t->commit : NULL, a, e, err);
	if (rc) {
		err_context(err, "transactions.commit");
		return workload_error_at(w->at.commit, err);
	}
	if (t && !isnan(t->commit_delay_us))
		e->commit_delay_us = t->commit_delay_us;
	if (t && !isnan(t->checkpoint_s))
		e->checkpoint_s = t->checkpoint_s;
	/* reads that miss every cache are those of all files looked at */
	if (t && !isnan(t->page_reads_per_tx) && e->read_amplification > 0)
		e->read_amplification = 1;
	/* measured log bytes hold the page images; how many come right after a checkpoint only the hot pages
	 * tell */
	if (!t || isnan(t->hot_gib))
		e->full_page_writes = 0;
	return 0;
}

/* The value given, or the engine's with a finding; NaN when neither is known. */
static double
or_default(double given, double of_engine, const char *field, const char *unit,
	const struct engine *e, struct findings *f)
{
	if (!isnan(given) || isnan(of_engine))
		return given;
	if (f)
		findings_add(f, SEVERITY_WARNING, "demand-assumed",
			"give it under \"transactions\", from a measured run",
			"%s is not given: %g %s assumed for %s", field, of_engine, unit, e->name);
	return of_engine;
}

static double
number_or(double given, double otherwise)
{
	return isnan(given) ? otherwise : given;
}

/* What a nightly copy reads from the data volumes while users work. */
static double
backup_mibps(const struct workload *w)
{
	double held = 0, copied = 0;
	for (size_t i = 0; i < w->n_volumes; i++) {
		const struct workload_volume *v = &w->volumes[i];
		if (v->role == WORKLOAD_DATA || v->role == WORKLOAD_INDEX)
			held += demand_horizon_gib(w, v);
	}
	for (size_t i = 0; i < w->n_volumes; i++) {
		const struct workload_volume *v = &w->volumes[i];
		if (v->role == WORKLOAD_BACKUP && v->window_hours > 0)
			copied += fmin(demand_horizon_gib(w, v), held) * 1024 /
				  (v->window_hours * 3600);
	}
	return copied > 0 ? copied : (double)NAN;
}

/* Ops-weighted share of the data reads that a host's cache answers; NaN: none given. */
static double
cache_hits(const struct workload *w)
{
	for (size_t i = 0; i < w->n_volumes; i++) {
		const struct workload_volume *v = &w->volumes[i];
		if (v->role == WORKLOAD_DATA && !isnan(v->cache_hit_frac))
			return v->cache_hit_frac;
	}
	return (double)NAN;
}

static void
put_standbys(const struct workload_standbys *s, const struct engine *e, struct db_standby *out)
{
	if (!s)
		return;
	out->count = s->count;
	out->wait_for = e->remote ? number_or(s->needed, 1) : 0;
	out->rtt_us = 1000 * s->rtt_ms;
	out->flush_us = 1000 * s->flush_ms;
	out->apply_tps = s->apply_tps;
}

/* How many a commit waits for, and the way of committing, say the same. */
static int
check_standbys(const struct workload_standbys *s, const struct engine *e, struct err *err)
{
	if (!s)
		return 0;
	if (!e->remote && s->needed >= 1)
		return err_set(err, ERR_RANGE,
			"standbys.needed %g: commit \"%s\" waits for none, accepted: 0, or a way "
			"of "
			"committing that waits (tierwise schema engine)",
			s->needed, e->mode);
	if (e->remote && s->needed < 1)
		return err_set(err, ERR_RANGE,
			"standbys.needed 0: commit \"%s\" waits for one at least, accepted: 1 to "
			"%g",
			e->mode, s->count);
	return 0;
}

static void
put_settings(const struct workload *w, const struct engine *e, struct db_transaction *tx)
{
	const struct workload_transactions *t = w->transactions;
	tx->pool = t->pool;
	tx->target_tps = t->target_tps;
	tx->think_ms = t->think_ms;
	tx->io_cpu_ms = t->cpu_ms_per_io;
	tx->core_sharing = t->core_sharing;
	tx->prefetch_frac = t->prefetch_frac;
	tx->miss_frac = t->miss_frac;
	tx->hot_rows = t->hot_rows;
	tx->host_cache_hit_frac = cache_hits(w);
	if (tx->host_cache_hit_frac > 0)
		tx->host_cache_us = TRANSACTION_HOST_CACHE_US;
	if (e->page_kib > 0)
		tx->dirty_pages = t->hot_gib * UNITS_GIB / (e->page_kib * UNITS_KIB);
	tx->backup_mibps = backup_mibps(w);
	if (w->sla)
		tx->sla_p99_ms = w->sla->tx_p99_ms;
	put_standbys(t->standbys, e, &tx->standby);
}

/* Not given: the engine's, and no less than the pages read, each of which may be changed. */
static double
page_writes(const struct workload_transactions *t, const struct engine *e,
	const struct db_transaction *tx, struct findings *findings)
{
	double least = e->page_writes_per_tx > 0 && isnan(t->page_writes_per_tx)
			       ? transaction_disk_reads(tx, e)
			       : 0;
	double of_engine = isnan(e->page_writes_per_tx) ? e->page_writes_per_tx
							: fmax(e->page_writes_per_tx, least);
	return or_default(
		t->page_writes_per_tx, of_engine, "page_writes_per_tx", "pages", e, findings);
}

/* Log bytes less the page images that the solver adds, of the rate asked for. */
static double
without_images(const struct db_transaction *tx, const struct engine *e)
{
	struct db_input in = {.engine = e, .tx = *tx};
	struct db_loads loads;
	in.tx.log_kib = 0;
	db_loads(&in, isnan(tx->target_tps) ? 1 : tx->target_tps, &loads);
	return fmax(fmin(tx->log_kib, TRANSACTION_LOG_KIB), tx->log_kib - loads.log.io_kib);
}

int
transaction_of(const struct workload *w, const struct engine *e, double cores,
	struct findings *findings, struct db_transaction *tx, struct err *err)
{
	const struct workload_transactions *t = w->transactions;
	db_transaction_clear(tx);
	if (!t)
		return err_set(err, ERR_RANGE,
			"the workload has no \"transactions\": give target_tps or clients");
	if (e->remote && !t->standbys)
		return err_set(err, ERR_RANGE,
			"commit \"%s\" waits for standbys: give transactions.standbys", e->mode);
	int rc = check_standbys(t->standbys, e, err);
	if (rc)
		return rc;
	put_settings(w, e, tx);
	tx->cores = number_or(t->cores, cores);
	tx->clients = or_default(number_or(t->clients, t->pool), TRANSACTION_CLIENTS, "clients",
		"sessions", e, findings);
	tx->cpu_ms = or_default(
		t->cpu_ms_per_tx, e->cpu_ms_per_tx, "cpu_ms_per_tx", "ms", e, findings);
	tx->page_reads = or_default(t->page_reads_per_tx, e->page_reads_per_tx, "page_reads_per_tx",
		"reads", e, findings);
	tx->page_writes = page_writes(t, e, tx, findings);
	tx->log_kib = or_default(
		t->wal_kib_per_tx, e->log_base_kib, "wal_kib_per_tx", "KiB", e, findings);
	if (e->full_page_writes > 0)
		tx->log_kib = without_images(tx, e);
	return 0;
}

bool
transaction_commit_waits(const struct engine *e)
{
	return e->commit == ENGINE_COMMIT_GROUP || e->commit == ENGINE_COMMIT_SINGLE_WRITER;
}

double
transaction_disk_reads(const struct db_transaction *tx, const struct engine *e)
{
	return tx->page_reads * number_or(tx->miss_frac, 1) * number_or(e->read_amplification, 1);
}

double
transaction_write_back(const struct db_transaction *tx, const struct engine *e, double tps)
{
	struct db_input in = {.engine = e, .tx = *tx};
	struct db_loads loads;
	if (!isnan(e->write_amplification) || !(tx->page_writes > 0))
		return 0;
	db_loads(&in, tps, &loads);
	return loads.back.write_iops;
}
