/*
 * tx.c - the database on a choice of disks: latencies in, transactions out, and the rate at which a
 * cap of the choice is full (choose.h).
 */
#include <math.h>

#include "advise/choose.h"
#include "base/units.h"

/* A prediction remembered by what it depends on. */
struct tx_memo {
	double cores, flush_mean, flush_p99, read_mean, read_p99;
	int rc;
	struct db_scalar_result result;
	struct err err;
	/* the promise it breaks under `relaxed`, remembered too: the search asks very often */
	bool judged;
	unsigned relaxed;
	struct breach breach;
};

static bool
has_wal(const struct chooser *c)
{
	for (size_t i = 0; i < c->set.n; i++) {
		if (c->set.volumes[i].volume->role == WORKLOAD_WAL)
			return true;
	}
	return false;
}

/* The slower of two latencies; NaN (unknown) wins. */
static struct estimate
slower(const struct estimate *a, const struct estimate *b)
{
	return isnan(b->value) || b->value > a->value ? *b : *a;
}

static const struct estimate none = {
	.value = 0, .lo = 0, .hi = 0, .trust = TRUST_MEASURED, .how = MODEL_CURVE};

/* The latencies a transaction meets on a choice. */
static void
gather(const struct chooser *c, const struct candidate *const *at, struct db_scalar_input *in)
{
	bool first_read = true, first_flush = true;
	bool wal = has_wal(c);
	for (size_t i = 0; i < c->set.n; i++) {
		int role = c->set.volumes[i].volume->role;
		const struct latency *l = at[i] ? &at[i]->latency : NULL;
		if (!l)
			continue;
		if (role == WORKLOAD_DATA || role == WORKLOAD_INDEX) {
			in->read_mean_us = first_read ? l->read_mean
						      : slower(&in->read_mean_us, &l->read_mean);
			in->read_p99_us = first_read ? l->read_p99
						     : slower(&in->read_p99_us, &l->read_p99);
			first_read = false;
		}
		if (role == WORKLOAD_WAL || (!wal && role == WORKLOAD_DATA)) {
			in->flush_mean_us = first_flush
						    ? l->commit_mean
						    : slower(&in->flush_mean_us, &l->commit_mean);
			in->flush_p99_us = first_flush ? l->commit_p99
						       : slower(&in->flush_p99_us, &l->commit_p99);
			first_flush = false;
		}
	}
}

static int
check_known(const struct db_scalar_input *in, struct err *err)
{
	if (!latency_known(&in->flush_mean_us))
		return err_set(err, ERR_UNSUPPORTED, "the commit latency of the log is not known");
	if (!latency_known(&in->flush_p99_us))
		return err_set(err, ERR_UNSUPPORTED, "the commit p99 of the log is not known");
	if (in->page_reads_per_tx > 0 && !latency_known(&in->read_mean_us))
		return err_set(
			err, ERR_UNSUPPORTED, "the read latency of the data volume is not known");
	if (in->page_reads_per_tx > 0 && !latency_known(&in->read_p99_us))
		return err_set(
			err, ERR_UNSUPPORTED, "the read p99 of the data volume is not known");
	return 0;
}

/* The model's input for a choice.  ERR_UNSUPPORTED: a latency is not known. */
static int
fill_input(const struct chooser *c, size_t option, const struct candidate *const *at,
	struct db_scalar_input *in, struct err *err)
{
	if (c->tx_gap)
		return err_set(err, ERR_UNSUPPORTED, "%s", c->tx_gap);
	const struct demand_tx *tx = &c->set.tx;
	const struct vm_limit *vm = c->options[option].vm;
	*in = (struct db_scalar_input){.clients = tx->clients,
		.cores = vm ? vm->vcpus : (double)NAN,
		.cpu_ms_per_tx = tx->cpu_ms,
		.page_reads_per_tx = tx->page_reads,
		.target_tps = tx->target_tps,
		.sync_commit = 1,
		.flush_mean_us = none,
		.flush_p99_us = none,
		.read_mean_us = none,
		.read_p99_us = none};
	gather(c, at, in);
	if (in->page_reads_per_tx <= 0)
		in->read_mean_us = in->read_p99_us = none;
	return check_known(in, err);
}

int
chooser_tx(struct chooser *c, size_t option, const struct candidate *const *at,
	struct findings *findings, struct db_scalar_result *out, struct err *err)
{
	struct db_scalar_input in = {0};
	int rc = fill_input(c, option, at, &in, err);
	return rc ? rc : db_scalar_solve(&in, findings, out, err);
}

static bool
same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

/* chooser_tx() remembered: many choices share their latencies. */
static struct tx_memo *
remembered(struct chooser *c, size_t option, const struct candidate *const *at)
{
	struct db_scalar_input key = {.flush_mean_us = none,
		.flush_p99_us = none,
		.read_mean_us = none,
		.read_p99_us = none};
	gather(c, at, &key);
	double cores = c->options[option].vm ? c->options[option].vm->vcpus : (double)NAN;
	for (size_t i = 0; i < c->n_memo; i++) {
		struct tx_memo *m = &c->memo[i];
		if (same_number(m->cores, cores) &&
			same_number(m->flush_mean, key.flush_mean_us.value) &&
			same_number(m->flush_p99, key.flush_p99_us.value) &&
			same_number(m->read_mean, key.read_mean_us.value) &&
			same_number(m->read_p99, key.read_p99_us.value))
			return m;
	}
	struct tx_memo *memo = arena_grow(c->arena, c->memo, c->n_memo, sizeof(*memo));
	if (!memo)
		return NULL;
	c->memo = memo;
	struct tx_memo *m = &memo[c->n_memo++];
	*m = (struct tx_memo){.cores = cores,
		.flush_mean = key.flush_mean_us.value,
		.flush_p99 = key.flush_p99_us.value,
		.read_mean = key.read_mean_us.value,
		.read_p99 = key.read_p99_us.value};
	m->rc = chooser_tx(c, option, at, NULL, &m->result, &m->err);
	return m;
}

static const struct breach no_breach = {.constraint = -1,
	.need = (double)NAN,
	.have = (double)NAN,
	.best = (double)NAN,
	.margin_frac = (double)NAN};

/* What cannot be promised because the prediction is not known. */
static struct breach
unknown_breach(struct chooser *c, const struct tx_memo *m, enum constraint_id id)
{
	struct breach b = no_breach;
	b.applies = b.broken = true;
	b.constraint = (int)id;
	b.text = arena_printf(c->arena,
		"%s, so %s cannot be promised; measure one with tierwise bench", m->err.text,
		id == CONSTRAINT_TX_P99       ? "the transaction p99"
		: id == CONSTRAINT_COMMIT_P99 ? "the commit p99"
					      : "the rate");
	return b;
}

/* Does anything depend on the prediction?  An unknown prediction keeps no promise. */
struct breach
chooser_tx_breach(
	struct chooser *c, size_t option, const struct candidate *const *at, unsigned relaxed)
{
	const struct workload_sla *sla = c->in->workload->sla;
	bool tps = !isnan(c->set.tx.target_tps) && !(relaxed & CONSTRAINT_BIT(CONSTRAINT_TPS));
	bool tx = sla && !isnan(sla->tx_p99_ms) && !(relaxed & CONSTRAINT_BIT(CONSTRAINT_TX_P99));
	bool commit = sla && !isnan(sla->commit_p99_ms) &&
		      !(relaxed & CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99));
	if (c->tx_gap || !(tps || tx || commit))
		return no_breach;
	static const struct tx_memo no_memory = {.err = {.text = "out of memory"}};
	enum constraint_id id = tx       ? CONSTRAINT_TX_P99
				: commit ? CONSTRAINT_COMMIT_P99
					 : CONSTRAINT_TPS;
	struct tx_memo *m = remembered(c, option, at);
	if (!m)
		return unknown_breach(c, &no_memory, id);
	if (!m->judged || m->relaxed != relaxed)
		m->breach = m->rc ? unknown_breach(c, m, id)
				  : constraint_tx_check(sla, c->set.tx.target_tps, &m->result,
					    relaxed, c->arena);
	m->judged = true;
	m->relaxed = relaxed;
	return m->breach;
}

/* ---- the rate at which a cap is full ---- */

struct ceiling {
	double tps;
	const char *what;
};

static void
lower(struct ceiling *c, double tps, const char *what)
{
	if (tps < c->tps) {
		c->tps = tps;
		c->what = what;
	}
}

/* Rate at which `cap` is full when `fixed` of it is always used and `growing` at the target. */
static double
full_at(double target, double cap, double fixed, double growing)
{
	return growing > 0 && !isnan(cap) ? target * fmax(0, cap - fixed) / growing
					  : (double)INFINITY;
}

static bool
grows(const struct demand *d)
{
	int role = d->volume->role;
	return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

/* I/Os that do not grow with the transactions: streams, and everything of other roles. */
static double
fixed_units(const struct demand *d, const struct candidate *c)
{
	struct demand stream = *d;
	if (grows(d))
		stream.read_iops = stream.write_iops = 0;
	double units = demand_units(&stream, c->disk->io_unit_kib, (double)NAN);
	return isnan(units) ? 0 : units;
}

static void
disk_ceilings(const struct chooser *c, const struct candidate *const *at, struct ceiling *out)
{
	double target = c->set.tx.target_tps;
	for (size_t v = 0; v < c->set.n; v++) {
		const struct demand *d = &c->set.volumes[v];
		if (!grows(d))
			continue;
		double fixed = fixed_units(d, at[v]);
		/* a single log writer shares flushes instead: see flush_ceiling() */
		if (!d->one_writer)
			lower(out, full_at(target, at[v]->iops, fixed, at[v]->units - fixed),
				arena_printf(c->arena, "IOPS of the %s disks", d->label));
		lower(out, full_at(target, at[v]->mbps, d->stream_mbps, d->mbps - d->stream_mbps),
			arena_printf(c->arena, "MB/s of the %s disks", d->label));
	}
}

static void
machine_ceilings(const struct chooser *c, size_t option, const struct candidate *const *at,
	struct ceiling *out)
{
	const struct vm_limit *vm = c->options[option].vm;
	double cap[CAP_COUNT], iops = 0, fixed_iops = 0, mbps = 0, fixed_mbps = 0;
	constraint_machine_caps(vm, 0, cap);
	for (size_t v = 0; v < c->set.n && vm; v++) {
		const struct demand *d = &c->set.volumes[v];
		if (at[v]->place == PLACE_LOCAL || isnan(at[v]->units))
			continue;
		double fixed = fixed_units(d, at[v]);
		double stream = grows(d) ? d->stream_mbps : d->mbps;
		iops += at[v]->units - fixed;
		fixed_iops += fixed;
		mbps += d->mbps - stream;
		fixed_mbps += stream;
	}
	double target = c->set.tx.target_tps;
	lower(out, full_at(target, cap[CAP_REMOTE_IOPS], fixed_iops, iops), "IOPS of the machine");
	lower(out, full_at(target, cap[CAP_REMOTE_MBPS], fixed_mbps, mbps), "MB/s of the machine");
}

/* The log disk lets no more flushes through than its IOPS: then a flush takes that long. */
static void
flush_ceiling(
	struct chooser *c, size_t option, const struct candidate *const *at, struct ceiling *out)
{
	struct db_scalar_input in = {0};
	if (fill_input(c, option, at, &in, NULL))
		return;
	double slowest = in.flush_mean_us.value;
	for (size_t v = 0; v < c->set.n; v++) {
		const struct demand *d = &c->set.volumes[v];
		if (d->one_writer && at[v]->iops > 0)
			slowest = fmax(slowest, 1e6 / at[v]->iops);
	}
	if (slowest <= in.flush_mean_us.value)
		return;
	in.flush_p99_us.value = fmax(in.flush_p99_us.value, slowest);
	in.flush_mean_us.value = in.flush_mean_us.lo = in.flush_mean_us.hi = slowest;
	struct db_scalar_result r;
	if (db_scalar_solve(&in, NULL, &r, NULL) == 0)
		lower(out, r.max_tps, "IOPS of the log disk");
}

const char *
chooser_ceiling(struct chooser *c, size_t option, const struct candidate *const *at,
	struct db_scalar_result *r)
{
	struct ceiling least = {(double)INFINITY, NULL};
	if (isnan(c->set.tx.target_tps))
		return NULL;
	disk_ceilings(c, at, &least);
	struct ceiling machine = {(double)INFINITY, NULL};
	machine_ceilings(c, option, at, &machine);
	lower(&least, machine.tps, machine.what);
	flush_ceiling(c, option, at, &least);
	if (least.tps >= r->max_tps)
		return NULL;
	r->max_tps = least.tps;
	r->max_tps_lo = fmin(r->max_tps_lo, least.tps);
	r->max_tps_hi = fmin(r->max_tps_hi, least.tps);
	/* an infinitely fast disk still hangs on this machine */
	r->fast_disk_tps = fmin(r->fast_disk_tps, machine.tps);
	r->fast_disk_gain_frac = (r->fast_disk_tps - r->max_tps) / r->max_tps;
	return least.what;
}
