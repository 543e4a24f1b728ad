/*
 * db_tail.c - from means to percentiles of a transaction and its commit.
 *
 * The parts of a transaction are independent, so that their excesses of p99 over the mean add as
 * squares; p50 and p95 are those of the lognormal distribution with that mean and p99.
 *
 *   commit  its own flushes, and the rest of the one it finds under way (uniform, probability u)
 *   reads   their number varies: 1.6 sqrt(r) reads (2.33 sqrt(r (1 - miss)) where the miss ratio is
 *           known and that is less), and each read
 *   bursts  reads that meet a burst of background writes, as in a Poisson number of them
 *   CPU     1.2 of the service time, 2 of the wait for a core
 *   rows    sessions before one at S rows: all ways to spread them over the rows are equally likely
 *           (closed network of equal servers), which has a far longer tail than a binomial
 * Checked against PostgreSQL on disks of known latency: tests/bench/pgbench_truth.
 */
#include "model/db_internal.h"

#include <math.h>

static const double z99 = 2.3263478740408408, z95 = 1.6448536269514722;

double
db_lognormal_sigma(double p99_over_mean)
{
	if (isnan(p99_over_mean))
		return (double)NAN;
	double ln = log(fmax(1, p99_over_mean)), inside = z99 * z99 - 2 * ln;
	return inside > 0 ? z99 - sqrt(inside) : z99;
}

static double
square(double x)
{
	return x * x;
}

/*
 * p99 of a commit that finds a flush under way with probability u.  The rest of that flush is
 * uniform in 0 .. F: its 99th percentile is F (1 - 0.01 / u).  Where every commit waits (u = 1) own
 * p99 + F is the safer of the two.
 */
static double
commit_p99(double own, double u, double flush, double mean)
{
	double rest = u > 0.01 ? flush * (1 - 0.01 / u) : 0;
	double over_own = fmax(0, own - flush), over_rest = fmax(0, rest - u * flush / 2);
	double joint = mean + sqrt(square(over_own) + square(over_rest));
	return isnan(own) ? own : fmax(own + u * flush, joint);
}

/* p99 of one I/O over its mean, ms; NaN: not known.  Codes other than "not known" are errors. */
static int
excess(int rc, const struct estimate *p99, const struct estimate *mean, double *over)
{
	*over = rc ? (double)NAN : fmax(0, p99->value - mean->value) / 1e3;
	return rc == ERR_UNSUPPORTED || rc == ERR_RANGE ? 0 : rc;
}

static int
flush_excess(const struct db_case *c, const struct db_state *s, double *over, struct err *err)
{
	struct estimate p99 = {.value = (double)NAN};
	const struct db_volume *v = c->in->log;
	int rc = v->flush(v->ctx, &s->flush_at, s->flush_bytes, MODEL_P99, &p99, err);
	rc = excess(rc, &p99, &s->flush_us, over);
	if (c->in->shared && s->burst_frac > 0.01)
		*over = hypot(*over, fmax(0, s->burst - s->flush));
	return rc;
}

static int
commit_tail(const struct db_case *c, const struct db_state *s, double *p99, struct err *err)
{
	*p99 = 0;
	if (s->commit <= 0)
		return 0;
	double over;
	int rc = flush_excess(c, s, &over, err);
	over *= sqrt(db_groups(c));
	double own = s->group + over, mean = s->commit - s->remote;
	double u = fmin(1, s->rate * s->group);
	*p99 = c->clients > 1 && !(c->hot_rows <= 1) ? commit_p99(own, u, s->group, mean)
						     : fmax(own, mean + over);
	if (c->remote) {
		double late, sigma = db_lognormal_sigma(1 + over / s->flush);
		db_remote_extra(c->remote, s->flush, sigma, &late);
		*p99 = s->commit + hypot(*p99 - mean, fmax(0, late - s->remote));
	}
	return rc;
}

static int
reads_square(const struct db_case *c, const struct db_state *s, const struct db_answer *a,
	double *sum, struct err *err)
{
	*sum = 0;
	double r = c->awaited * (1 - c->host_hit);
	if (r <= 0 || c->fast)
		return 0;
	struct estimate p99 = {.value = (double)NAN};
	double each = a->parts.reads_ms / c->awaited, over, miss = c->in->tx.miss_frac;
	const struct db_volume *v = c->in->data;
	int rc = v->read(v->ctx, &s->read_at, MODEL_P99, &p99, err);
	rc = excess(rc, &p99, &s->read_us, &over);
	/* no more than all sessions are before it: a volume at its cap is asked by nobody else */
	double all = s->people / (s->rate * c->reads * (1 - c->host_hit));
	over = !c->open && over > all ? all : over;
	each = c->open ? each : fmin(each, all);
	double count = isnan(miss) ? 1.6 : fmin(1.6, z99 * sqrt(1 - miss));
	*sum = r * (square(count * each) + square(over));
	if (r * s->burst_frac > 0.01)
		*sum += r * s->burst_frac * square(z99 * s->burst);
	return rc;
}

/* Sessions before one at its row that only one in a hundred has more of; `others` over `rows`. */
static double
row_queue_p99(double others, double rows)
{
	if (rows <= 1)
		return others;
	if (others > 1000)
		return (others + rows - 1) * -expm1(log(0.01) / (rows - 1));
	double p = 1, k = 0;
	while (k < others) {
		double q = p * (others - k) / (others - k + rows - 1);
		if (q <= 0.01)
			return k +
			       (others - k > 1 ? log(0.01 / p) / log(q / p) : (p - 0.01) / (p - q));
		p = q;
		k++;
	}
	return others;
}

static double
lock_excess(const struct db_case *c, const struct db_state *s, const struct db_answer *a)
{
	double others = s->people - 1, lock = a->parts.lock_ms;
	if (isnan(c->hot_rows) || others <= 0 || lock <= 0)
		return 0;
	if (c->open) /* exponential */
		return lock * (-log(0.01) - 1);
	double mean = others / c->hot_rows;
	return fmax(0, row_queue_p99(others, c->hot_rows) / mean - 1) * lock;
}

static double
pool_excess(const struct db_case *c, const struct db_state *s, const struct db_answer *a)
{
	if (a->parts.pool_ms <= 0)
		return 0;
	if (c->open)
		return a->parts.pool_ms * (-log(0.01) - 1);
	return z99 * a->parts.pool_ms / sqrt(fmax(1, c->clients - s->people));
}

static void
set_latency(struct db_latency *l, double mean, double p99, int trust)
{
	const double no = (double)NAN;
	double sigma = mean > 0 ? db_lognormal_sigma(p99 / mean) : 0;
	double middle = mean * exp(-sigma * sigma / 2);
	struct estimate e = {mean, no, no, trust, MODEL_CURVE};
	l->mean_ms = l->p50_ms = l->p95_ms = l->p99_ms = e;
	l->p50_ms.value = middle;
	l->p95_ms.value = fmin(middle * exp(sigma * z95), p99);
	l->p99_ms.value = p99;
}

int
db_tail(const struct db_case *c, const struct db_state *s, struct db_answer *a, struct err *err)
{
	double commit, reads;
	int rc = commit_tail(c, s, &commit, err);
	if (rc == 0)
		rc = reads_square(c, s, a, &reads, err);
	if (rc)
		return rc;
	double mean = a->parts.cycle_ms - a->parts.think_ms;
	double sum = square(commit - s->commit) + reads + square(1.2 * s->cpu) +
		     square(2 * s->core_wait) + square(lock_excess(c, s, a)) +
		     square(pool_excess(c, s, a));
	double late = a->parts.commit_ms - s->commit; /* what a full log volume adds */
	set_latency(&a->commit, a->parts.commit_ms, commit + late, s->trust);
	set_latency(&a->tx, mean, mean + sqrt(sum), s->trust);
	return 0;
}
