#include "model/calibrate.h"

#include <math.h>

const double calibrate_core_sharing = 0.7;

static int
check(const struct calibrate_run *run, struct err *err)
{
	if (!(run->clients >= 1))
		return err_set(err, ERR_RANGE, "clients %g of the run: at least 1", run->clients);
	if (!(run->tps > 0))
		return err_set(err, ERR_RANGE, "%g TPS of the run: more than 0", run->tps);
	if (run->busy_cores <= 0)
		return err_set(
			err, ERR_RANGE, "busy cores %g of the run: more than 0", run->busy_cores);
	return 0;
}

/* The transaction as the run had it; page reads before caches become a miss ratio. */
static void
fill(const struct db_input *in, const struct calibrate_run *run, struct db_transaction *tx)
{
	*tx = in->tx;
	tx->clients = run->clients;
	tx->target_tps = (double)NAN;
	if (isnan(tx->core_sharing) && !isnan(tx->cores))
		tx->core_sharing = calibrate_core_sharing;
	if (!isnan(run->log_kib_per_tx))
		tx->log_kib = run->log_kib_per_tx;
	if (!isnan(run->reads_per_tx) && tx->page_reads > 0)
		tx->miss_frac = fmin(1, run->reads_per_tx / tx->page_reads);
	else if (!isnan(run->reads_per_tx))
		tx->page_reads = run->reads_per_tx;
	if (isnan(tx->page_writes) && !isnan(run->writes_per_tx))
		tx->page_writes = run->writes_per_tx;
	double ios = (isnan(run->reads_per_tx) ? 0 : run->reads_per_tx) +
		     (isnan(run->writes_per_tx) ? 0 : run->writes_per_tx) +
		     2 * (isnan(run->flushes_per_tx) ? 0 : run->flushes_per_tx);
	if (!isnan(run->storage_cores) && ios > 0)
		tx->io_cpu_ms = 1e3 * run->storage_cores / (run->tps * ios);
}

static int
tps_at(struct db_input *in, double cpu_ms, double *tps, struct err *err)
{
	struct db_result r;
	in->tx.cpu_ms = cpu_ms;
	int rc = db_solve(in, NULL, &r, err);
	if (rc == 0)
		*tps = r.closed.tps.value;
	return rc;
}

/* CPU with which the model runs as fast as the run: TPS falls with it. */
static int
by_latency(struct db_input *in, const struct calibrate_run *run, double *cpu_ms, struct err *err)
{
	double lo = 0, hi = 1e3 * run->clients / run->tps, tps;
	if (!isnan(in->tx.cores))
		hi = fmin(hi, 1e3 * in->tx.cores / run->tps);
	for (int i = 0; i < 60 && hi - lo > 1e-10 * hi; i++) {
		double middle = (lo + hi) / 2;
		int rc = tps_at(in, middle, &tps, err);
		if (rc)
			return rc;
		if (tps > run->tps)
			lo = middle;
		else
			hi = middle;
	}
	*cpu_ms = (lo + hi) / 2;
	return 0;
}

/* Busy cores less what the other cores' work adds. */
static double
by_accounts(const struct db_transaction *tx, const struct calibrate_run *run)
{
	double busy = 1e3 * run->busy_cores / run->tps, others = (run->clients - 1) / run->clients;
	if (isnan(tx->cores) || isnan(tx->core_sharing))
		return busy;
	return busy / (1 + tx->core_sharing * others * fmin(1, run->busy_cores / tx->cores));
}

/* Reads that nobody waits for, when the CPU is `cpu_ms`: TPS grows with them.  *found false: even with
 * all of them ahead the run would be quicker than the model. */
static int
reads_ahead(struct db_input *in, double cpu_ms, const struct calibrate_run *run, bool *found,
	struct err *err)
{
	double lo = 0, hi = 1, tps;
	in->tx.prefetch_frac = 1;
	int rc = tps_at(in, cpu_ms, &tps, err);
	*found = rc == 0 && tps >= run->tps;
	for (int i = 0; rc == 0 && *found && i < 40; i++) {
		in->tx.prefetch_frac = (lo + hi) / 2;
		rc = tps_at(in, cpu_ms, &tps, err);
		if (tps < run->tps)
			lo = in->tx.prefetch_frac;
		else
			hi = in->tx.prefetch_frac;
	}
	return rc;
}

/* Without any CPU the volumes alone are at least 5 % quicker than the run, or it is not the CPU that
 * explains the run. */
static int
latency_tells(struct db_input *in, const struct calibrate_run *run, bool *tells, struct err *err)
{
	double tps;
	int rc = tps_at(in, 1e-6, &tps, err);
	*tells = rc == 0 && tps > 1.05 * run->tps;
	return rc;
}

/* The time of a transaction beyond its volumes and its CPU: nobody works in it (being woken up, the way
 * between client and server), so it is a pause. */
static int
rest_is_pause(struct db_input *in, double cpu_ms, const struct calibrate_run *run, struct err *err)
{
	double given = isnan(in->tx.think_ms) ? 0 : in->tx.think_ms, tps = run->tps;
	double lo = 0, hi = 1e3 * run->clients / run->tps;
	int rc = 0;
	for (int i = 0; rc == 0 && i < 40; i++) {
		in->tx.think_ms = given + (lo + hi) / 2;
		rc = tps_at(in, cpu_ms, &tps, err);
		if (tps > run->tps)
			lo = in->tx.think_ms - given;
		else
			hi = in->tx.think_ms - given;
	}
	return rc;
}

static int
set_cpu(struct db_input *in, const struct calibrate_run *run, struct calibrate_result *r,
	struct err *err)
{
	int rc = latency_tells(in, run, &r->by_latency, err);
	if (rc)
		return rc;
	double cpu = (double)NAN;
	if (r->by_latency)
		rc = by_latency(in, run, &cpu, err);
	else if (!isnan(run->busy_cores))
		cpu = by_accounts(&in->tx, run);
	else
		rc = err_set(err, ERR_RANGE,
			"the run's %g TPS leave no time for a CPU beside its volumes: give its "
			"busy cores, or the profiles of the disks it ran on",
			run->tps);
	in->tx.cpu_ms = cpu;
	double accounts = isnan(run->busy_cores) ? 0 : by_accounts(&in->tx, run);
	if (rc == 0 && r->by_latency && accounts > 0 && accounts < cpu)
		return rest_is_pause(in, accounts, run, err);
	if (rc || !r->by_latency || accounts <= cpu || !(in->tx.page_reads > 0))
		return rc;
	double given = in->tx.prefetch_frac;
	bool found;
	rc = reads_ahead(in, accounts, run, &found, err);
	if (!found) {
		in->tx.cpu_ms = cpu;
		in->tx.prefetch_frac = given;
	}
	return rc;
}

static int
residuals(const struct db_input *in, const struct calibrate_run *run, struct calibrate_result *r,
	struct err *err)
{
	struct db_result m;
	int rc = db_solve(in, NULL, &m, err);
	if (rc)
		return rc;
	const struct db_answer *a = &m.closed;
	double mean = isnan(run->mean_ms) ? 1e3 * run->clients / run->tps : run->mean_ms;
	double busy = a->use[DB_STAGE_CPU].used_frac * in->tx.cores;
	r->tps = (struct calibrate_residual){run->tps, a->tps.value};
	r->mean_ms = (struct calibrate_residual){mean, a->tx.mean_ms.value};
	r->p50_ms = (struct calibrate_residual){run->p50_ms, a->tx.p50_ms.value};
	r->p99_ms = (struct calibrate_residual){run->p99_ms, a->tx.p99_ms.value};
	r->cpu_ms = (struct calibrate_residual){
		1e3 * run->busy_cores / run->tps, 1e3 * busy / a->tps.value};
	r->flushes_per_tx = (struct calibrate_residual){
		run->flushes_per_tx, 1 / a->commits_per_flush};
	r->tx = in->tx;
	return 0;
}

int
calibrate(const struct db_input *in, const struct calibrate_run *run, struct calibrate_result *out,
	struct err *err)
{
	struct db_input own = *in;
	struct calibrate_result r = {0};
	int rc = check(run, err);
	if (rc)
		return rc;
	fill(in, run, &own.tx);
	rc = set_cpu(&own, run, &r, err);
	if (rc == 0)
		rc = residuals(&own, run, &r, err);
	if (rc)
		return rc;
	r.tx.target_tps = in->tx.target_tps;
	*out = r;
	return 0;
}

/* The busy run's TPS by the light run's CPU and a core sharing. */
static int
busy_tps(struct db_input *in, const struct calibrate_result *light, double sharing, double *tps,
	struct err *err)
{
	in->tx.core_sharing = sharing;
	in->tx.io_cpu_ms = light->tx.io_cpu_ms;
	return tps_at(in, light->tx.cpu_ms, tps, err);
}

int
calibrate_pair(const struct db_input *in, const struct calibrate_run *light,
	const struct db_input *busy_in, const struct calibrate_run *busy,
	struct calibrate_result *out, struct err *err)
{
	struct db_input second = *busy_in, first = *in;
	struct calibrate_result r;
	double lo = 0, hi = 3, tps = 0;
	int rc = check(busy, err);
	fill(busy_in, busy, &second.tx);
	for (int i = 0; rc == 0 && i < 40; i++) {
		double middle = (lo + hi) / 2;
		first.tx.core_sharing = middle;
		rc = calibrate(&first, light, &r, err);
		if (rc == 0)
			rc = busy_tps(&second, &r, middle, &tps, err);
		if (rc == 0 && tps > busy->tps)
			lo = middle;
		else
			hi = middle;
	}
	if (rc == 0)
		*out = r;
	return rc;
}
