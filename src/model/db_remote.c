/*
 * db_remote.c - commits that wait for standbys: k of n alike (models.md 4.1).
 *
 * A standby answers after the network and its own flush, lognormal by mean and p99.  The k-th of n
 * answers is an order statistic: its place among the quantiles of one answer has the distribution
 * Beta(k, n - k + 1), taken at 16 points of equal weight.  A commit is there when both that answer
 * and the local flush are.
 */
#include "model/db_internal.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

bool
db_remote_set(const struct db_input *in, struct db_remote *r)
{
	const struct db_standby *s = &in->tx.standby;
	double n = s->count, k = s->wait_for;
	if (!(n >= 1) || !(k >= 1))
		return false;
	k = fmin(k, n);
	*r = (struct db_remote){.rtt = isnan(s->rtt_us) ? 0 : s->rtt_us / 1e3,
		.flush = s->flush_us / 1e3,
		.sigma = db_lognormal_sigma(s->flush_p99_us / s->flush_us)};
	for (int i = 0; i < DB_REMOTE_POINTS; i++) {
		double u = gsl_cdf_beta_Pinv((i + 0.5) / DB_REMOTE_POINTS, k, n - k + 1);
		r->z[i] = gsl_cdf_ugaussian_Pinv(u);
	}
	r->z99 = gsl_cdf_ugaussian_Pinv(gsl_cdf_beta_Pinv(0.99, k, n - k + 1));
	return true;
}

/* One standby's flush at a normal quantile. */
static double
flush_at(const struct db_remote *r, double local, double sigma, double z)
{
	double mean = isnan(r->flush) ? local : r->flush;
	return mean * exp(sigma * z - sigma * sigma / 2);
}

double
db_remote_extra(const struct db_remote *r, double local, double local_sigma, double *p99)
{
	double sigma = isnan(r->sigma) ? local_sigma : r->sigma, sum = 0;
	sigma = isnan(sigma) ? 0 : sigma;
	for (int i = 0; i < DB_REMOTE_POINTS; i++)
		sum += fmax(0, r->rtt + flush_at(r, local, sigma, r->z[i]) - local);
	if (p99)
		*p99 = fmax(0, r->rtt + flush_at(r, local, sigma, r->z99) - local);
	return sum / DB_REMOTE_POINTS;
}
