#include "model/db_scalar.h"

#include <math.h>
#include <string.h>

#include "model/db.h"

static const char *const term_table[] = {
	[DB_SCALAR_CPU] = "cpu",
	[DB_SCALAR_CLIENTS] = "clients",
	[DB_SCALAR_COMMIT] = "commit",
	[DB_SCALAR_READS] = "reads",
};
_Static_assert(sizeof(term_table) / sizeof(term_table[0]) == DB_SCALAR_COUNT, "every term");
const struct names db_scalar_term_names = {"limiting term", term_table, DB_SCALAR_COUNT};

/* Milliseconds throughout. */
struct work {
	double clients, cores; /* cores NaN: CPU never queues */
	double cpu, reads, read, flush; /* reads a transaction, one read, one flush */
};

/* Where the cycle goes at a rate. */
struct parts {
	double cpu, reads, commit, cycle;
};

/* Erlang C: probability that an arrival waits; a = load in servers, a < m.  m need not be whole:
 * the recursion runs to the next whole number of servers. */
static double
waits(double a, double m)
{
	double b = 1;
	int servers = (int)fmin(ceil(m), 1e6);
	for (int j = 1; j <= servers; j++)
		b = a * b / (j + a * b);
	double rho = a / m;
	return b / (1 - rho * (1 - b));
}

/* Mean time on and before a core at `tps` a millisecond. */
static double
cpu_time(const struct work *w, double tps)
{
	if (isnan(w->cores) || w->clients <= w->cores || w->cpu <= 0)
		return w->cpu;
	double seen = tps * w->cpu * (w->clients - 1) / w->clients;
	if (seen >= w->cores)
		return INFINITY;
	double rho = seen / w->cores;
	return w->cpu + waits(seen, w->cores) * w->cpu / (w->cores * (1 - rho));
}

static struct parts
parts_at(const struct work *w, double tps)
{
	struct parts p = {.cpu = cpu_time(w, tps), .reads = w->reads * w->read};
	double outside = p.cpu + p.reads;
	p.cycle = isinf(outside) ? outside : db_group_commit_cycle(w->clients, outside, w->flush);
	p.commit = isinf(outside) ? 0 : p.cycle - outside;
	return p;
}

/* N / cycle(x) falls with x: bisection.  Per millisecond. */
static double
solve(const struct work *w, struct parts *p)
{
	double lo = 0, hi = w->clients / parts_at(w, 0).cycle;
	if (!isnan(w->cores) && w->cpu > 0)
		hi = fmin(hi, w->cores / w->cpu);
	double top = hi;
	for (int i = 0; i < 200 && hi - lo > 1e-12 * top; i++) {
		double mid = (lo + hi) / 2;
		if (w->clients / parts_at(w, mid).cycle >= mid)
			lo = mid;
		else
			hi = mid;
	}
	*p = parts_at(w, lo);
	return lo;
}

static int
known(const struct estimate *e, const char *what, struct err *err)
{
	if (e->value >= 0 && isfinite(e->value))
		return 0;
	return err_set(err, ERR_RANGE, "%s latency is not known: measure the volume", what);
}

static int
check(const struct db_scalar_input *in, struct err *err)
{
	if (!(in->clients >= 1 && in->clients <= 1e7))
		return err_set(err, ERR_RANGE, "clients %g: 1 .. 10000000", in->clients);
	if (!isnan(in->cores) && !(in->cores > 0))
		return err_set(err, ERR_RANGE, "cores %g: more than 0", in->cores);
	if (in->cpu_ms_per_tx < 0)
		return err_set(
			err, ERR_RANGE, "CPU %g ms a transaction: 0 or more", in->cpu_ms_per_tx);
	if (!(in->page_reads_per_tx >= 0))
		return err_set(err, ERR_RANGE, "page reads %g a transaction: 0 or more",
			in->page_reads_per_tx);
	if (in->target_tps <= 0)
		return err_set(err, ERR_RANGE, "target %g TPS: more than 0", in->target_tps);
	int rc = in->sync_commit ? known(&in->flush_mean_us, "flush", err) : 0;
	if (rc == 0 && in->page_reads_per_tx > 0)
		rc = known(&in->read_mean_us, "read", err);
	return rc;
}

/* at: -1 lower ends of the latencies, 0 values, 1 upper ends. */
static double
pick(const struct estimate *e, int at)
{
	double v = at < 0 ? e->lo : at > 0 ? e->hi : e->value;
	return v / 1000;
}

static struct work
work_of(const struct db_scalar_input *in, int at)
{
	return (struct work){.clients = in->clients,
		.cores = in->cores,
		.cpu = isnan(in->cpu_ms_per_tx) ? 0 : in->cpu_ms_per_tx,
		.reads = in->page_reads_per_tx,
		.read = in->page_reads_per_tx > 0 ? pick(&in->read_mean_us, at) : 0,
		.flush = in->sync_commit ? pick(&in->flush_mean_us, at) : 0};
}

/* Each term alone, transactions a second. */
static void
ceilings(const struct work *w, struct db_scalar_result *out)
{
	const double no = (double)NAN;
	double light = w->cpu + w->reads * w->read + w->flush;
	double flush = w->clients < 2 ? 1 / w->flush : w->clients / (2 * w->flush);
	out->ceiling_tps[DB_SCALAR_CPU] = isnan(w->cores) || w->cpu <= 0 ? no
									 : 1e3 * w->cores / w->cpu;
	out->ceiling_tps[DB_SCALAR_CLIENTS] = light > 0 ? 1e3 * w->clients / light : no;
	out->ceiling_tps[DB_SCALAR_COMMIT] = w->flush > 0 ? 1e3 * flush : no;
	out->ceiling_tps[DB_SCALAR_READS] = w->reads * w->read > 0
						    ? 1e3 * w->clients / (w->reads * w->read)
						    : no;
}

static int
binding(const struct work *w, const struct parts *p, double tps)
{
	if (!isnan(w->cores) && tps * w->cpu >= 0.85 * w->cores)
		return DB_SCALAR_CPU;
	if (p->commit > 0.5 * p->cycle)
		return DB_SCALAR_COMMIT;
	if (p->reads > 0.5 * p->cycle)
		return DB_SCALAR_READS;
	return DB_SCALAR_CLIENTS;
}

/* The parts of one transaction when `tps` (a millisecond) arrive and not all clients are busy. */
static struct parts
open_parts(const struct work *w, double tps, const struct parts *closed)
{
	struct parts p = {.cpu = cpu_time(w, tps), .reads = w->reads * w->read};
	double u = fmin(1, tps * w->flush), others = (w->clients - 1) / w->clients;
	p.commit = fmin(w->flush * (1 + u * others / 2), fmax(closed->commit, w->flush));
	p.cycle = p.cpu + p.reads + p.commit;
	return p;
}

/*
 * Flushes a second.  Open (Poisson) load: after a flush the next starts at once when somebody came
 * meanwhile, else with the next commit: one each F + exp(-rate F) / rate.
 */
static double
flush_rate(const struct work *w, double tps, bool open)
{
	double each = open && w->clients > 1 ? w->flush + exp(-tps * w->flush) / tps : w->flush;
	return 1e3 * fmin(1 / each, tps);
}

static double
excess(const struct estimate *p99, const struct estimate *mean)
{
	double e = (p99->value - mean->value) / 1000;
	return isnan(e) ? (double)NAN : fmax(0, e);
}

static struct estimate
estimate_of(double value, double lo, double hi, int trust)
{
	return (struct estimate){value, lo, hi, trust, MODEL_CURVE};
}

static int
trust_of(const struct db_scalar_input *in)
{
	int trust = TRUST_DERIVED;
	const struct estimate *const used[] = {
		&in->flush_mean_us, &in->flush_p99_us, &in->read_mean_us, &in->read_p99_us};
	bool use[] = {in->sync_commit != 0, in->sync_commit != 0, in->page_reads_per_tx > 0,
		in->page_reads_per_tx > 0};
	for (size_t i = 0; i < 4; i++)
		trust = use[i] && used[i]->trust > trust ? used[i]->trust : trust;
	return trust;
}

/* A value's interval: relative to the value as the latency's is. */
static struct estimate
scaled(double value, const struct estimate *like, int trust)
{
	double lo = value * like->lo / like->value, hi = value * like->hi / like->value;
	return estimate_of(value, lo, hi, trust);
}

/*
 * p99 of a commit in an open load: its own flush, and the rest of the flush it finds under way with
 * probability u.  That rest is uniform in 0 .. F, so its 99th percentile is F (1 - 0.01 / u); the
 * two are independent, so their excesses over the means add as squares.  Where every commit waits
 * (u = 1) own p99 + F is the safer of the two.
 */
static double
commit_p99(double own, double u, double flush, double mean)
{
	double rest = u > 0.01 ? flush * (1 - 0.01 / u) : 0;
	double over_own = fmax(0, own - flush), over_rest = fmax(0, rest - u * flush / 2);
	double joint = mean + sqrt(over_own * over_own + over_rest * over_rest);
	return isnan(own) ? own : fmax(own + u * flush, joint);
}

static void
latencies(const struct db_scalar_input *in, const struct work *w, const struct parts *p, double tps,
	struct db_scalar_result *out)
{
	int trust = trust_of(in);
	double u = fmin(1, tps * w->flush), over_flush = 0, over_read = 0;
	if (in->sync_commit) {
		over_flush = excess(&in->flush_p99_us, &in->flush_mean_us);
		double own = in->flush_p99_us.value / 1000;
		double p99 = w->clients > 1 ? commit_p99(own, u, w->flush, p->commit)
					    : fmax(own, p->commit + over_flush);
		out->commit_mean_ms = scaled(p->commit, &in->flush_mean_us, trust);
		out->commit_p99_ms = scaled(p99, &in->flush_p99_us, trust);
		over_flush = isnan(p99) ? p99 : p99 - p->commit;
	} else {
		out->commit_mean_ms = out->commit_p99_ms = estimate_of(0, 0, 0, trust);
	}
	if (in->page_reads_per_tx > 0)
		over_read = sqrt(w->reads) * excess(&in->read_p99_us, &in->read_mean_us);
	double over_cpu = 3.6 * p->cpu;
	double over = sqrt(over_flush * over_flush + over_read * over_read + over_cpu * over_cpu);
	/* storage's share of the transaction carries its interval */
	double storage = p->cycle > 0 ? (p->commit + p->reads) / p->cycle : 0;
	const struct estimate *like = p->commit >= p->reads ? &in->flush_mean_us
							    : &in->read_mean_us;
	double down = storage > 0 ? 1 - storage * (1 - like->lo / like->value) : 1;
	double up = storage > 0 ? 1 + storage * (like->hi / like->value - 1) : 1;
	out->tx_mean_ms = estimate_of(p->cycle, p->cycle * down, p->cycle * up, trust);
	double tail = p->cycle + over;
	out->tx_p99_ms = estimate_of(tail, tail * down, tail * up, trust);
}

static void
note_thin(const struct db_scalar_input *in, struct findings *f)
{
	if (!f)
		return;
	if (isnan(in->cpu_ms_per_tx))
		findings_add(f, SEVERITY_WARNING, "cpu-unknown",
			"give transactions.cpu_ms_per_tx (busy cores x 1000 / TPS of any run)",
			"CPU a transaction is not known: taken as none, so TPS may be far too "
			"high");
	else if (isnan(in->cores))
		findings_add(f, SEVERITY_NOTE, "cores-unknown", "give vm.sizes",
			"cores are not known: the CPU never queues and bounds nothing");
	findings_add(f, SEVERITY_NOTE, "db-model-limits",
		"measure with the real schema under the backup window",
		"not modelled: checkpoints and full page writes, hot rows, replication, "
		"compaction");
}

int
db_scalar_solve(const struct db_scalar_input *in, struct findings *findings,
	struct db_scalar_result *out, struct err *err)
{
	int rc = check(in, err);
	if (rc)
		return rc;
	struct work w = work_of(in, 0), lo = work_of(in, -1), hi = work_of(in, 1), fast = w;
	if (!(w.cpu + w.reads * w.read + w.flush > 0))
		return err_set(err, ERR_RANGE,
			"a transaction without CPU, reads and a commit takes no time");
	struct parts p, ignored;
	struct db_scalar_result r = {0};
	double tps = solve(&w, &p);
	r.max_tps = 1e3 * tps;
	bool sure = isfinite(lo.read + lo.flush) && isfinite(hi.read + hi.flush);
	r.max_tps_hi = sure && lo.cpu + lo.reads * lo.read + lo.flush > 0
			       ? 1e3 * solve(&lo, &ignored)
			       : (double)NAN;
	r.max_tps_lo = sure ? 1e3 * solve(&hi, &ignored) : (double)NAN;
	r.limit = binding(&w, &p, tps);
	ceilings(&w, &r);
	fast.read = fast.flush = 0;
	r.fast_disk_tps = fast.cpu > 0 ? 1e3 * solve(&fast, &ignored) : (double)NAN;
	r.fast_disk_gain_frac = r.fast_disk_tps / r.max_tps - 1;
	r.at_tps = r.max_tps;
	if (in->target_tps < r.max_tps) {
		r.at_tps = in->target_tps;
		p = open_parts(&w, r.at_tps / 1e3, &p);
	}
	r.flushes_per_s = w.flush > 0 ? flush_rate(&w, r.at_tps / 1e3, r.at_tps < r.max_tps) : 0;
	r.commits_per_flush = r.flushes_per_s > 0 ? r.at_tps / r.flushes_per_s : (double)NAN;
	latencies(in, &w, &p, r.at_tps / 1e3, &r);
	note_thin(in, findings);
	*out = r;
	return 0;
}
