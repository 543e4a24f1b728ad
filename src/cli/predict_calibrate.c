#include "cli/predict_calibrate.h"

#include <math.h>

#include "base/file.h"
#include "workload/evidence.h"
#include "workload/run.h"

static int
read_one(struct cli_common *c, const char *path, struct evidence *e, struct err *err)
{
	static const struct evidence_options how = {.day_first = -1, .utc_offset_s = (double)NAN};
	struct buf text;
	int rc = cli_keep_input(c, path, err);
	if (rc)
		return rc;
	buf_init(&text, 0);
	rc = file_read(path, &text, err);
	const char *kept = rc ? NULL : arena_strndup(&c->arena, buf_text(&text), text.len);
	size_t n = text.len;
	buf_fini(&text);
	if (rc)
		return rc;
	if (!kept)
		return err_nomem(err);
	const struct evidence_input in = {path, kept, n, &how};
	return evidence_text(e, &in, NULL, err);
}

static int
read_runs(struct cli_common *c, const struct cli_texts *runs, struct evidence *e, struct err *err)
{
	evidence_init(e, &c->arena);
	for (size_t i = 0; i < runs->n; i++) {
		int rc = read_one(c, runs->items[i], e, err);
		if (rc)
			return rc;
	}
	return evidence_finish(e, err);
}

/* Cores busy in the mean of what vmstat or sar saw; NaN: nobody looked, or the cores are not known. */
static double
busy_cores(const struct evidence *e, double cores)
{
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < e->n_cpus; i++) {
		for (size_t k = 0; k < e->cpus[i].n; k++) {
			if (isnan(e->cpus[i].busy_frac[k]))
				continue;
			sum += e->cpus[i].busy_frac[k];
			n++;
		}
	}
	return n ? cores * sum / (double)n : (double)NAN;
}

/* Clients and their servers take turns, a core each; the rest is what the server does besides. */
static const double cores_per_client = 1.25;
static const double near_us = 1000; /* a cheapest statement below this is work, not a network */

/* What vmstat saw, unless the clients of the run cannot have kept so many cores busy. */
static double
cores_of_run(
	const struct evidence_calibration *m, struct predict_database *p, const struct evidence *e)
{
	double busy = busy_cores(e, p->input.tx.cores);
	if (!(busy > cores_per_client * m->clients))
		return busy;
	findings_add(&p->findings, SEVERITY_WARNING, "not-of-this-run",
		"give what vmstat or sar saw while the run ran",
		"--run: %.3g cores were busy, %.3g ms a transaction, but %g clients at %.1f TPS "
		"with %.3g ms wait that long in all: the processors are not of this run, and are "
		"left out",
		busy, 1e3 * busy / m->tps, m->clients, m->tps, m->mean_us / 1e3);
	return NAN;
}

/* Time of a transaction that its statements spend on the network, ms; 0: not seen. */
static double
network_ms(const struct evidence_calibration *m)
{
	struct evidence_shares s;
	if (!evidence_run_shares(m->run, &s) || !(s.round_trip_us >= near_us))
		return 0;
	return s.round_trip_us * (double)s.statements / 1e3;
}

/* Round trips are a pause of the client to the server: no processor works in them. */
static void
take_off_network(const struct evidence_calibration *m, struct predict_database *p,
	struct calibrate_run *run, struct db_input *in)
{
	double ms = network_ms(m);
	if (!(ms > 0) || !(ms < run->mean_ms))
		return;
	run->mean_ms -= ms;
	run->p50_ms = run->p99_ms = NAN; /* of both together */
	in->tx.think_ms = (isnan(in->tx.think_ms) ? 0 : in->tx.think_ms) + ms;
	findings_add(&p->findings, SEVERITY_NOTE, "round-trips", NULL,
		"--run: %.3g of %.3g ms a transaction are round trips of its statements over the "
		"network: taken as the client's pause (think_ms), not as processor time",
		ms, m->mean_us / 1e3);
}

static struct calibrate_run
run_of(const struct evidence_calibration *m, struct predict_database *p, const struct evidence *e)
{
	const struct workload_transactions *t = p->workload.transactions;
	bool reads_given = t && !isnan(t->page_reads_per_tx);
	return (struct calibrate_run){.clients = m->clients,
		.tps = m->tps,
		.mean_ms = m->mean_us / 1000,
		.p50_ms = m->run->p50_us / 1000,
		.p99_ms = m->run->p99_us / 1000,
		.busy_cores = cores_of_run(m, p, e),
		.storage_cores = (double)NAN,
		.reads_per_tx = reads_given ? t->page_reads_per_tx : m->page_reads_per_tx,
		.writes_per_tx = t ? t->page_writes_per_tx : (double)NAN,
		.flushes_per_tx = 1 / m->commits_per_flush,
		.log_kib_per_tx = m->log_bytes_per_tx / 1024};
}

static void
put_residual(
	struct doc *d, struct doc_table *t, const char *what, const struct calibrate_residual *r)
{
	if (isnan(r->measured))
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", what);
	doc_cell(d, t, 1, "%.4g", r->measured);
	if (isnan(r->modelled)) {
		doc_cell(d, t, 2, "unknown");
		return;
	}
	doc_cell(d, t, 2, "%.4g", r->modelled);
	doc_cell(d, t, 3, "%+.1f", 100 * (r->modelled / r->measured - 1));
}

static void
put_residuals(const struct calibrate_result *r, struct doc *d)
{
	static const struct doc_column columns[] = {{"of the run", DOC_LEFT},
		{"measured", DOC_RIGHT}, {"modelled", DOC_RIGHT}, {"difference (%)", DOC_RIGHT}};
	struct doc_table *t = doc_table(d, "The run, and what the calibrated model says of it",
		columns, sizeof(columns) / sizeof(columns[0]));
	put_residual(d, t, "TPS", &r->tps);
	put_residual(d, t, "mean (ms)", &r->mean_ms);
	put_residual(d, t, "p50 (ms)", &r->p50_ms);
	put_residual(d, t, "p99 (ms)", &r->p99_ms);
	put_residual(d, t, "processor (ms a transaction)", &r->cpu_ms);
	put_residual(d, t, "flushes a transaction", &r->flushes_per_tx);
}

static void
put_member(struct buf *out, const char *name, double value)
{
	if (!isnan(value))
		buf_printf(out, "%s\"%s\": %.6g", out->len ? ", " : "", name, value);
}

/* What to write into the workload. */
static void
put_snippet(const struct db_transaction *tx, struct doc *d)
{
	struct buf text;
	buf_init(&text, 0);
	put_member(&text, "cpu_ms_per_tx", tx->cpu_ms);
	put_member(&text, "cpu_ms_per_io", tx->io_cpu_ms);
	put_member(&text, "core_sharing", tx->core_sharing);
	put_member(&text, "page_reads_per_tx", tx->page_reads);
	put_member(&text, "miss_frac", tx->miss_frac);
	put_member(&text, "prefetch_frac", tx->prefetch_frac);
	put_member(&text, "wal_kib_per_tx", tx->log_kib);
	put_member(&text, "think_ms", tx->think_ms);
	doc_paragraph(d, "For \"transactions\" of the workload: { %s }", buf_text(&text));
	buf_fini(&text);
}

int
predict_calibrate(struct cli_common *c, const struct cli_texts *runs, struct predict_database *p,
	struct doc *d, struct err *err)
{
	struct evidence e;
	struct evidence_calibration m;
	struct calibrate_result r;
	int rc = read_runs(c, runs, &e, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < e.findings.n; i++) {
		const struct finding *f = &e.findings.items[i];
		findings_add(
			&p->findings, (enum severity)f->severity, f->code, f->todo, "%s", f->text);
	}
	if (!evidence_calibrate(&e, &m))
		return err_set(err, ERR_RANGE,
			"--run: no closed-loop run with its rate and clients: give the summary of "
			"pgbench or sysbench without -R");
	struct calibrate_run run = run_of(&m, p, &e);
	struct db_input in = p->input;
	in.tx.clients = run.clients;
	in.tx.target_tps = (double)NAN;
	if (!isnan(m.scale) && isnan(in.tx.hot_rows))
		in.tx.hot_rows = m.scale; /* TPC-B-like: each transaction updates a branch */
	take_off_network(&m, p, &run, &in);
	rc = calibrate(&in, &run, &r, err);
	if (rc)
		return err_context(err, "--run");
	double clients = p->input.tx.clients, target = p->input.tx.target_tps;
	p->input.tx = r.tx;
	p->input.tx.clients = clients;
	p->input.tx.target_tps = target;
	doc_heading(d, 2, "Calibration");
	doc_paragraph(d,
		"%.1f TPS with %g clients: %.3f ms of processor a transaction, by %s; %.3g page "
		"reads "
		"of it reach the disk.",
		run.tps, run.clients, r.tx.cpu_ms,
		r.by_latency ? "what its latency has beyond the disks" : "the cores that were busy",
		r.tx.page_reads * (isnan(r.tx.miss_frac) ? 1 : r.tx.miss_frac));
	put_residuals(&r, d);
	put_snippet(&r.tx, d);
	return 0;
}
