/*
 * sector.c - what block sizes do to latency: smaller than a physical block, and from one measured
 * size to another.
 */
#include <math.h>

#include "base/units.h"
#include "model/predict.h"
#include "model/sizes.h"

enum { MAX_SIZES = 64 };

static const double flash_page_b = 4096; /* flash and disks of today, whatever they state */
static const double logical_b = 512; /* no request is a part of this */
static const double rmw_local = 0.6; /* models.md section 2: 0.58 to 0.76 on local flash */

static bool
is_write(int op)
{
	return op == PROFILE_OP_RANDWRITE || op == PROFILE_OP_WRITE;
}

double
sizes_block_b(const struct profile *p)
{
	const struct profile_environment *e = p->environment;
	return fmax(flash_page_b, e ? e->physical_block_b : (double)NAN); /* fmax skips NaN */
}

/* Writes below the physical block over those at it, of one depth: the geometric mean of n sizes. */
static double
rmw_of(const struct model_size *s, double block_b, size_t *n)
{
	double whole = (double)NAN, sum = 0;
	*n = 0;
	for (size_t i = 0; i < s->n_bs_b; i++)
		if (s->bs_b[i] == block_b)
			whole = s->iops[i];
	for (size_t i = 0; i < s->n_bs_b && !isnan(whole); i++) {
		if (s->bs_b[i] >= block_b)
			continue;
		sum += log(s->iops[i] / whole);
		(*n)++;
	}
	return *n ? exp(sum / (double)*n) : (double)NAN;
}

static void
say_slow(const struct disk_model *m, struct findings *out)
{
	char block[32];
	units_size_text(m->physical_block_b, block);
	findings_add(out, SEVERITY_WARNING, "sub-sector",
		"keep the writes of log and data multiples of the physical block",
		"writes smaller than %s reach %.2f of its rate: the device reads and writes back "
		"the "
		"whole block",
		block, m->rmw_frac);
}

void
sizes_subsector(const struct profile *p, struct disk_model *m, struct findings *out)
{
	size_t best = 0;
	for (size_t i = 0; i < m->n_sizes; i++) {
		size_t n;
		const struct model_size *s = &m->sizes[i];
		double frac = rmw_of(s, m->physical_block_b, &n);
		if (s->op != PROFILE_OP_RANDWRITE || n <= best)
			continue;
		best = n;
		m->rmw_frac = frac;
		m->rmw_trust = s->trust;
	}
	if (best && m->rmw_frac < 0.8)
		say_slow(m, out);
	bool local = p->device >= 0 && p->device != PROFILE_DEVICE_CLOUD &&
		     p->device != PROFILE_DEVICE_NETWORK;
	if (best || !local)
		return;
	m->rmw_frac = rmw_local;
	m->rmw_trust = TRUST_ASSUMED;
}

static const struct model_size *
at_depth_one(const struct disk_model *m, int op)
{
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].op == op && m->sizes[i].qd == 1 && m->sizes[i].n_bs_b > 0)
			return &m->sizes[i];
	return NULL;
}

/* Known points of a statistic among sizes within [lo, hi]. */
struct known {
	double bs_b[MAX_SIZES], us[MAX_SIZES];
	size_t n;
};

static void
known_points(const struct model_size *s, enum model_statistic stat, double lo, double hi,
	struct known *k)
{
	const double *const columns[] = {[MODEL_MEAN] = s->mean_us,
		[MODEL_P50] = s->p50_us,
		[MODEL_P99] = s->p99_us,
		[MODEL_P999] = s->p999_us};
	const size_t counts[] = {[MODEL_MEAN] = s->n_mean_us,
		[MODEL_P50] = s->n_p50_us,
		[MODEL_P99] = s->n_p99_us,
		[MODEL_P999] = s->n_p999_us};
	k->n = 0;
	for (size_t i = 0; i < s->n_bs_b && i < counts[stat] && k->n < MAX_SIZES; i++) {
		if (s->bs_b[i] < lo || s->bs_b[i] > hi || !(columns[stat][i] > 0))
			continue;
		k->bs_b[k->n] = s->bs_b[i];
		k->us[k->n++] = columns[stat][i];
	}
}

/* Interpolated between at least `least` points, or a point itself; NaN outside them. */
static double
between(const struct known *k, double bs_b, size_t least)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->bs_b[i] == bs_b)
			return k->us[i];
	if (k->n < least || k->n < 2 || bs_b < k->bs_b[0] || bs_b > k->bs_b[k->n - 1])
		return (double)NAN;
	return predict_interpolate(k->bs_b, k->us, k->n, bs_b);
}

/* Whole blocks: interpolated between five sizes; the mean also by the law. */
static double
whole_us(const struct model_size *s, enum model_statistic stat, double bs_b)
{
	struct known k;
	double from = isnan(s->block_b) ? 0 : s->block_b;
	known_points(s, stat, from, INFINITY, &k);
	double us = between(&k, bs_b, 5);
	if (!isnan(us) || stat != MODEL_MEAN)
		return us;
	double law = 1e6 / sizes_law(s, bs_b);
	if (k.n < 5)
		return law;
	size_t end = bs_b < k.bs_b[0] ? 0 : k.n - 1;
	return k.us[end] * law * 1e-6 * sizes_law(s, k.bs_b[end]);
}

static bool
is_partial(const struct disk_model *m, int op, double bs_b)
{
	return is_write(op) && fmod(bs_b, logical_b) == 0 && fmod(bs_b, m->physical_block_b) != 0;
}

/* A write that is no whole number of blocks: as measured, else whole blocks and one read more. */
static double
partial_us(const struct disk_model *m, const struct model_size *s, enum model_statistic stat,
	double bs_b)
{
	struct known k;
	double block = m->physical_block_b;
	known_points(s, stat, 0, bs_b < block ? block : (double)INFINITY, &k);
	double us = between(&k, bs_b, bs_b < block ? 2 : MAX_SIZES);
	if (!isnan(us) || stat != MODEL_MEAN)
		return us;
	double read_back = whole_us(s, stat, block) * (1 / m->rmw_frac - 1);
	return whole_us(s, stat, block * ceil(bs_b / block)) + read_back;
}

static double
time_us(const struct disk_model *m, const struct model_size *s, int op, enum model_statistic stat,
	double bs_b)
{
	return is_partial(m, op, bs_b) ? partial_us(m, s, stat, bs_b) : whole_us(s, stat, bs_b);
}

static int
exact_trust(const struct model_size *s, double bs_b)
{
	for (size_t i = 0; i < s->n_bs_b; i++)
		if (s->bs_b[i] == bs_b)
			return s->trust;
	return -1;
}

/* From measured sizes; false: they do not say. */
static bool
by_sizes(const struct disk_model *m, const struct model_size *s, int op, double from_b, double to_b,
	struct size_shift *shift)
{
	double mean = time_us(m, s, op, MODEL_MEAN, to_b) - time_us(m, s, op, MODEL_MEAN, from_b);
	int exact = exact_trust(s, to_b);
	if (s->n_bs_b < 5 && exact < 0 && !is_partial(m, op, to_b))
		/* the law at both ends: its error at one of them is no difference of sizes */
		mean = 1e6 / sizes_law(s, to_b) - 1e6 / sizes_law(s, from_b);
	if (isnan(mean))
		return false;
	shift->known = true;
	shift->exact_trust = exact;
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		double us = stat == MODEL_MEAN
				    ? mean
				    : time_us(m, s, op, (enum model_statistic)stat, to_b) -
					      time_us(m, s, op, (enum model_statistic)stat, from_b);
		shift->us[stat] = isnan(us) ? mean : us;
	}
	return true;
}

static int
penalty_unknown(const struct disk_model *m, double bs_b, struct err *err)
{
	char size[32], block[32];
	units_size_text(bs_b, size);
	units_size_text(m->physical_block_b, block);
	return err_set(err, ERR_UNSUPPORTED,
		"%s: writes of %s were not measured, and smaller than %s they may cost a read "
		"each (up to 15 times the time was seen on cloud disks): measure them (tierwise "
		"bench)",
		m->name ? m->name : "the model", size, block);
}

int
sizes_shift(const struct disk_model *m, int op, double from_b, double to_b, double light_us,
	struct size_shift *shift, struct err *err)
{
	const struct model_size *s = at_depth_one(m, op);
	*shift = (struct size_shift){
		.exact_trust = -1, .partial = is_partial(m, op, to_b), .trust = TRUST_DERIVED};
	if (shift->partial && m->rmw_trust > TRUST_DERIVED)
		shift->trust = m->rmw_trust;
	if (s && by_sizes(m, s, op, from_b, to_b, shift))
		return 0;
	if (!shift->partial)
		return 0;
	if (isnan(m->rmw_frac))
		return to_b < m->physical_block_b ? penalty_unknown(m, to_b, err) : 0;
	shift->known = true;
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++)
		shift->us[stat] = light_us * (1 / m->rmw_frac - 1);
	return 0;
}

double
sizes_smaller(const struct disk_model *m, int op, double bs_b)
{
	return is_partial(m, op, bs_b) ? m->rmw_frac : 1;
}
