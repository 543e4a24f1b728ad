#include "model/predict.h"

#include <math.h>

#include "base/buf.h"
#include "base/units.h"
#include "model/ratio.h"
#include "model/sizes.h"
#include "model/stripe.h"

const double predict_noise = 1.09;

enum { MAX_POINTS = 64 };

/* The mean's curve times a constant ratio. */
static const double ratio_error[] = {
	[MODEL_MEAN] = 1.24, [MODEL_P50] = 1.57, [MODEL_P99] = 1.77, [MODEL_P999] = 2.0};
_Static_assert(sizeof(ratio_error) / sizeof(ratio_error[0]) == MODEL_STATISTIC_COUNT, "all");

double
predict_cap(const struct disk_caps *caps, double bs_b)
{
	if (!caps)
		return (double)NAN;
	double unit_b = caps->io_unit_kib * UNITS_KIB;
	double counted = isnan(unit_b) ? 1 : ceil(bs_b / unit_b);
	return fmin(caps->iops / counted, caps->mbps * UNITS_MB / bs_b); /* fmin skips NaN */
}

static bool
is_read(int op)
{
	return op == PROFILE_OP_RANDREAD || op == PROFILE_OP_READ;
}

double
predict_quota(const struct disk_model *m, int op, double bs_b)
{
	const double no = (double)NAN;
	struct disk_caps quota = {m->quota_iops, m->quota_mbps, no, no, no};
	if (!is_read(op) && !isnan(m->quota_write_iops))
		quota.iops = m->quota_write_iops;
	if (!is_read(op) && !isnan(m->quota_write_mbps))
		quota.mbps = m->quota_write_mbps;
	return predict_cap(&quota, bs_b);
}

/* Sequential I/O of these disks is not slower than random I/O: the only stand-in there is. */
static int
stand_in(int op)
{
	return is_read(op) ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE;
}

static const struct model_curve *
nearest_curve(const struct disk_model *m, int op, double bs_b)
{
	const struct model_curve *best = NULL;
	double best_rank = INFINITY;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op || isnan(c->l1_us))
			continue;
		/* without depth 1 the light latency is not in it: only when nothing else is */
		double rank = fabs(log(c->bs_b / bs_b)) + (c->n_qd && c->qd[0] > 1 ? 100 : 0);
		/* of another size the shape over depth counts: two depths may both be at the wall */
		rank += c->bs_b != bs_b && c->n_qd < 5 ? 10 : 0;
		if (rank < best_rank) {
			best_rank = rank;
			best = c;
		}
	}
	return best;
}

static void
weaken(struct view *v, int trust)
{
	v->trust = trust > v->trust ? trust : v->trust;
}

/* The block size asked for instead of the curve's. */
static int
shift_to_size(struct view *v, struct err *err)
{
	struct size_shift shift;
	v->exact_trust = -1;
	if (v->curve->bs_b == v->bs_b)
		return 0;
	int rc = sizes_shift(
		v->model, v->curve->op, v->curve->bs_b, v->bs_b, v->curve->l1_us, &shift, err);
	if (rc)
		return rc;
	v->other_size = true;
	v->exact_trust = shift.exact_trust;
	v->partial = shift.partial;
	weaken(v, shift.known ? shift.trust : TRUST_ASSUMED);
	double least = shift.exact_trust < 0 ? -0.5 * v->curve->l1_us : -(double)INFINITY;
	for (int i = 0; i < MODEL_STATISTIC_COUNT; i++)
		v->shift_us[i] = fmax(shift.us[i], least);
	return 0;
}

/* "it holds randread, write" */
static int
no_data(const struct disk_model *m, int op, struct err *err)
{
	struct buf held;
	buf_init(&held, 256);
	for (int other = 0; other < PROFILE_OP_COUNT; other++)
		if (nearest_curve(m, other, 4096) || predict_has_wall(m, other))
			buf_printf(&held, "%s%s", held.len ? ", " : "",
				names_text(&profile_op_names, other));
	int rc = err_set(err, ERR_UNSUPPORTED,
		"%s has no %s data (it holds %s): measure it (tierwise bench) or import a run",
		m->name ? m->name : "the model", names_text(&profile_op_names, op),
		held.len ? buf_text(&held) : "no latency at all");
	buf_fini(&held);
	return rc;
}

/* p99 over p50 of one I/O alone, of the size with the most depths: one number for all sizes and depths, so
 * that the slowest part keeps the order of the parts over them. */
static double
light_spread(const struct view *v)
{
	struct view base = *v;
	bool assumed;
	base.curve = v->surface->base->curve;
	for (int i = 0; i < MODEL_STATISTIC_COUNT; i++)
		base.shift_us[i] = 0;
	double p99 = predict_light_ratio(&base, MODEL_P99, &assumed);
	return fmax(1, p99 / predict_light_ratio(&base, MODEL_P50, &assumed));
}

/* The largest part of an I/O over the strips of several disks: the first disk's. */
static double
part_b(const struct disk_caps *caps, double bs_b, double spans)
{
	if (!(spans > 1))
		return bs_b;
	double round_b = caps->strip_b * caps->stripe, rounds = floor(bs_b / round_b);
	return rounds * caps->strip_b + fmin(bs_b - rounds * round_b, caps->strip_b);
}

int
predict_view(const struct disk_model *m, enum profile_op op, double bs_b,
	const struct disk_caps *caps, struct view *v, struct surface *s, struct err *err)
{
	*v = (struct view){.model = m,
		.op = (int)op,
		.caps = caps,
		.spans = stripe_spans(caps, bs_b),
		.share = 1,
		.alone = 1,
		.slowest = 1};
	v->bs_b = part_b(caps, bs_b, v->spans);
	v->curve = nearest_curve(m, (int)op, v->bs_b);
	if (!v->curve && stand_in((int)op) != (int)op) {
		v->curve = nearest_curve(m, stand_in((int)op), v->bs_b);
		v->other_op = true;
	}
	if (!v->curve && !predict_has_wall(m, (int)op))
		return no_data(m, (int)op, err);
	if (v->curve) {
		v->trust = v->curve->trust;
		if (v->other_op)
			weaken(v, TRUST_ASSUMED);
		int rc = shift_to_size(v, err);
		if (rc)
			return rc;
	}
	v->cap_iops = fmin(predict_cap(caps, v->bs_b), predict_quota(m, (int)op, v->bs_b));
	if (caps && caps->stripe > 1)
		v->share = v->spans / caps->stripe;
	if (v->curve && s) {
		surface_build(s, v);
		v->surface = s;
		v->slowest = stripe_slowest_mean(v->spans, light_spread(v));
	}
	return 0;
}

int
predict_needs_latency(const struct view *v, enum profile_op op, struct err *err)
{
	if (v->curve)
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: only a rate of %s is known, not how long one takes: measure it (tierwise "
		"bench) or import a run",
		v->model->name ? v->model->name : "the model",
		names_text(&profile_op_names, (int)op));
}

static const double *
column(const struct model_curve *c, enum model_statistic stat, size_t *n)
{
	const double *const columns[] = {[MODEL_MEAN] = c->mean_us,
		[MODEL_P50] = c->p50_us,
		[MODEL_P99] = c->p99_us,
		[MODEL_P999] = c->p999_us};
	const size_t counts[] = {[MODEL_MEAN] = c->n_mean_us,
		[MODEL_P50] = c->n_p50_us,
		[MODEL_P99] = c->n_p99_us,
		[MODEL_P999] = c->n_p999_us};
	*n = counts[stat] < c->n_qd ? counts[stat] : c->n_qd;
	return columns[stat];
}

size_t
predict_known(const struct model_curve *c, enum model_statistic stat, double *qd, double *us,
	size_t limit)
{
	size_t n, kept = 0;
	const double *values = column(c, stat, &n);
	for (size_t i = 0; i < n && kept < limit; i++) {
		if (!(values[i] > 0))
			continue;
		qd[kept] = c->qd[i];
		us[kept++] = values[i];
	}
	return kept;
}

double
predict_light_ratio(const struct view *v, enum model_statistic stat, bool *assumed)
{
	const struct model_curve *c = v->curve;
	double qd[MAX_POINTS], us[MAX_POINTS], q_mean[MAX_POINTS], mean[MAX_POINTS];
	size_t n = predict_known(c, stat, qd, us, MAX_POINTS);
	size_t m = predict_known(c, MODEL_MEAN, q_mean, mean, MAX_POINTS);
	*assumed = false;
	for (size_t i = 0; n && i < m; i++)
		if (q_mean[i] == qd[0])
			return (us[0] + v->shift_us[stat]) / (mean[i] + v->shift_us[MODEL_MEAN]);
	*assumed = stat != MODEL_MEAN;
	return ratio_of(v->model->device, c->op, stat, false).value;
}

static void
set_band(struct estimate *e, double half)
{
	e->lo = isnan(half) ? (double)NAN : e->value * exp(-half);
	e->hi = isnan(half) ? (double)NAN : e->value * exp(half);
}

/* The last measured point over the curve there: the curve goes on from what was seen, so that
 * neither latency nor throughput steps back where the data end. */
static double
edge_ratio(const struct model_curve *c, double q)
{
	double qd[MAX_POINTS], us[MAX_POINTS];
	size_t n = predict_known(c, MODEL_MEAN, qd, us, MAX_POINTS);
	if (n == 0)
		return 1;
	size_t end = q < qd[0] ? 0 : n - 1;
	return us[end] / curve_mean_us(c, qd[end]);
}

static struct estimate
mean_outside(const struct view *v, double q)
{
	const struct model_curve *c = v->curve;
	struct estimate e = {.trust = v->trust, .how = MODEL_EXTRAPOLATED};
	double last = c->n_qd ? c->qd[c->n_qd - 1] : 1, first = c->n_qd ? c->qd[0] : 1;
	e.value = curve_mean_us(c, q) * edge_ratio(c, q);
	double beyond = q > last ? log(q / last) : q < first ? log(first / q) : 0;
	if (c->form == MODEL_FORM_TWO && c->wall_reached) {
		beyond = 0; /* between two known ends */
		e.how = MODEL_CURVE;
	}
	double half = curve_half_width(c, q);
	half = fmax(isnan(half) ? curve_two_half_width : half, predict_scatter(c, MODEL_MEAN));
	/* one doubling beyond the data is off by about 12 % (models.md 1.2) */
	set_band(&e, half + 0.17 * beyond);
	/* The wall may be no higher than what was seen. */
	if (!c->wall_reached && q > last && c->x_inf_iops > 0)
		e.hi = fmax(e.hi, 1e6 * q / c->x_inf_iops);
	return e;
}

/* A percentile outside its measured depths: the mean there times the ratio at the last depth. */
static struct estimate
percentile_outside(const struct view *v, enum model_statistic stat, const double *qd,
	const double *us, size_t n, double q)
{
	struct estimate e = predict_uncapped(v, MODEL_MEAN, q);
	if (n == 0) {
		bool full = v->curve->wall_reached && q > v->curve->knee_qd;
		struct ratio r = ratio_of(v->model->device, v->curve->op, stat, full);
		e.lo *= r.lo;
		e.hi *= r.hi;
		e.value *= r.value;
		e.trust = TRUST_ASSUMED;
		e.how = e.how == MODEL_INTERPOLATED ? MODEL_CURVE : e.how;
		return e;
	}
	size_t end = q < qd[0] ? 0 : n - 1;
	double ratio = us[end] / predict_uncapped(v, MODEL_MEAN, qd[end]).value;
	double half = fmax(log(ratio_error[stat]), predict_scatter(v->curve, stat));
	e.value *= ratio;
	e.lo = fmin(e.lo * ratio, e.value * exp(-half));
	e.hi = fmax(e.hi * ratio, e.value * exp(half));
	e.how = e.how == MODEL_CURVE ? MODEL_CURVE : MODEL_EXTRAPOLATED;
	return e;
}

static struct estimate
one_statistic(const struct view *v, enum model_statistic stat, double q)
{
	double qd[MAX_POINTS], us[MAX_POINTS];
	size_t n = predict_known(v->curve, stat, qd, us, MAX_POINTS);
	if (n && q >= qd[0] && q <= qd[n - 1])
		return predict_between(v, stat, qd, us, n, q);
	return stat == MODEL_MEAN ? mean_outside(v, q) : percentile_outside(v, stat, qd, us, n, q);
}

struct estimate
predict_uncapped(const struct view *v, enum model_statistic stat, double qd)
{
	double q = fmax(qd, 1);
	struct estimate e = one_statistic(v, stat, q);
	/* percentiles are ordered: interpolating each alone may cross them */
	for (int lower = MODEL_P50; lower < (int)stat; lower++) {
		double below = one_statistic(v, (enum model_statistic)lower, q).value;
		if (below > e.value) {
			e.value = below;
			e.hi = fmax(e.hi, below);
		}
	}
	return e;
}

/* A size between others was off by 10 to 27 % when left out, by the law by 15 to 17 % (models.md
 * 2), 95th percentiles; each doubling beyond the swept sizes adds what one beyond depths does. */
static double
size_half_width(const struct model_size *s, double bs_b, bool inside)
{
	double first = s->bs_b[0], last = s->bs_b[s->n_bs_b - 1];
	double beyond = bs_b > last ? log(bs_b / last) : bs_b < first ? log(first / bs_b) : 0;
	double residual = isnan(s->residual_frac) ? 0 : 2 * s->residual_frac;
	return (inside ? log(1.15) : fmax(log(1.17), residual)) + 0.17 * beyond;
}

static const struct model_size *
sweep_at(const struct view *v, double qd)
{
	for (size_t i = 0; i < v->model->n_sizes; i++) {
		const struct model_size *s = &v->model->sizes[i];
		if (s->op == v->curve->op && s->qd == qd && s->n_bs_b > 1)
			return s;
	}
	return NULL;
}

bool
predict_by_sizes(const struct view *v, double qd, struct estimate *mean)
{
	const struct model_size *s = sweep_at(v, qd);
	if (!s || v->other_op || v->partial)
		return false;
	/* two sizes, or bytes alone, say nothing of what a smaller I/O takes */
	if (v->bs_b < s->bs_b[0] && (s->n_bs_b < 3 || isnan(s->i0_iops)))
		return false;
	bool within = v->bs_b >= s->bs_b[0] && v->bs_b <= s->bs_b[s->n_bs_b - 1];
	bool inside = within && s->n_bs_b >= 5;
	*mean = (struct estimate){.value = 1e6 * qd / sizes_iops(s, v->bs_b),
		.trust = within ? s->trust : TRUST_ASSUMED,
		.how = inside   ? MODEL_INTERPOLATED
		       : within ? MODEL_CURVE
				: MODEL_EXTRAPOLATED};
	set_band(mean, size_half_width(s, v->bs_b, inside));
	return true;
}

static struct estimate
ordered(const struct view *v, enum model_statistic stat, double load, predict_one *one)
{
	struct estimate e = one(v, stat, load);
	for (int lower = MODEL_P50; lower < (int)stat; lower++) {
		struct estimate below = one(v, (enum model_statistic)lower, load);
		e.value = fmax(e.value, below.value);
		if (isnan(e.lo) || isnan(e.hi))
			continue; /* unknown ends stay so */
		e.lo = fmax(e.lo, below.lo); /* fmax skips NaN */
		e.hi = fmax(e.hi, below.hi);
	}
	e.hi = fmax(e.hi, e.value);
	return e;
}

struct estimate
predict_whole(const struct view *v, enum model_statistic stat, double load, predict_one *one)
{
	if (!(v->spans > 1))
		return ordered(v, stat, load, one);
	struct estimate parts[MODEL_STATISTIC_COUNT];
	for (int i = 0; i < MODEL_STATISTIC_COUNT; i++)
		parts[i] = ordered(v, (enum model_statistic)i, load, one);
	return stripe_slowest(parts, stat, v->spans, v->slowest);
}
