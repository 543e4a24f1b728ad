#include "advise/chance.h"

#include <math.h>
#include <stdlib.h>

#include "advise/spread.h"
#include "base/rng.h"

#define FAR 3.0 /* standard deviations covered on either side */
#define WORST 3.0 /* ln of the factor by which a promise is missed: further makes no difference */
#define BEST (-12.0)

const struct advise_model *
chance_profile(const struct build *b, const struct candidate *c)
{
	const struct advise_input *in = b->c->in;
	for (size_t i = 0; i < in->n_models && c->latency.model; i++) {
		const struct advise_model *m = &in->models[i];
		if (m->model == c->latency.model || m->light == c->latency.model)
			return m;
	}
	return NULL;
}

bool
chance_matters(const struct build *b, size_t v)
{
	int role = b->c->set.volumes[v].volume->role;
	return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

static double
widest(const struct latency *l)
{
	const struct estimate *all[] = {&l->read_mean, &l->read_p99, &l->write_mean, &l->write_p99,
		&l->commit_mean, &l->commit_p99};
	double sigma = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		sigma = fmax(sigma, spread_sigma(all[i], l->model->trust, 1));
	return sigma;
}

static void
put_axes(const struct build *b, const struct choice *choice, struct chance *out)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = choice->at[v];
		const struct advise_model *m = chance_matters(b, v) ? chance_profile(b, c) : NULL;
		out->axis_of[v] = -1;
		if (!m)
			continue;
		size_t axis = 0;
		while (axis < out->n_axes && out->profile[axis] != m)
			axis++;
		if (axis == CHANCE_AXES)
			axis--; /* shares the last one's error */
		if (axis == out->n_axes)
			out->profile[out->n_axes++] = m;
		out->axis_of[v] = (int)axis;
		out->sigma[axis] = fmax(out->sigma[axis], widest(&c->latency));
	}
	static const size_t nodes[CHANCE_AXES + 1] = {1, 13, 9, 7};
	out->n_nodes = nodes[out->n_axes];
}

static size_t
grid_size(const struct chance *ch)
{
	size_t n = 1;
	for (size_t i = 0; i < ch->n_axes; i++)
		n *= ch->n_nodes;
	return n;
}

static double
node_z(const struct chance *ch, size_t node)
{
	return ch->n_nodes > 1 ? FAR * (2.0 * (double)node / (double)(ch->n_nodes - 1) - 1) : 0;
}

/* A choice whose latencies can be moved: the candidates are copies. */
struct moved {
	struct build b;
	struct candidate copies[SEARCH_MAX_VOLUMES];
	double z[SEARCH_MAX_VOLUMES];
};

static void
move_latencies(const struct choice *choice, struct moved *m)
{
	for (size_t v = 0; v < m->b.c->set.n; v++) {
		struct latency *l = &m->copies[v].latency;
		const struct latency *from = &choice->at[v]->latency;
		if (!from->model)
			continue;
		int trust = from->model->trust;
		l->read_p99 = spread_at(&from->read_p99, trust, m->z[v]);
		l->write_p99 = spread_at(&from->write_p99, trust, m->z[v]);
		l->commit_p99 = spread_at(&from->commit_p99, trust, m->z[v]);
	}
}

/* The promises when each disk is off by m->z. */
static void
predict_moved(struct moved *m, const struct choice *choice, struct promise rows[PROMISE_LATENCY])
{
	struct err gap = {0};
	move_latencies(choice, m);
	int rc = chooser_tx_off(m->b.c, choice->option, choice->at, m->z, &m->b.tx, &gap);
	m->b.has_tx = rc == 0;
	m->b.tx_gap = rc ? "" : NULL;
	if (rc == 0)
		chooser_ceiling(m->b.c, choice->option, choice->at, &m->b.tx);
	build_latency_promises(&m->b, rows);
}

/* ln(predicted / limit), the other way about for a rate; BEST to WORST. */
static double
gap_of(const struct promise *p)
{
	double value = p->predicted.value;
	if (p->lost || isnan(value)) /* with a figure at its value: no steady state here */
		return WORST;
	double over = p->at_least ? p->limit / value : value / p->limit;
	if (!(p->limit > 0))
		return value <= p->limit ? BEST : WORST;
	double ln = over > 0 ? log(over) : BEST;
	return fmin(WORST, fmax(BEST, ln));
}

static void
put_node(const struct promise rows[PROMISE_LATENCY], size_t node, struct chance *out)
{
	for (size_t i = 0; i < PROMISE_LATENCY; i++) {
		if (out->gap[i])
			out->gap[i][node] = gap_of(&rows[i]);
	}
}

static int
put_grid(struct moved *m, const struct choice *choice, struct chance *out, struct err *err)
{
	struct promise rows[PROMISE_LATENCY];
	size_t n = grid_size(out);
	predict_moved(m, choice, rows);
	for (size_t i = 0; i < PROMISE_LATENCY; i++) {
		if (isnan(rows[i].limit))
			continue;
		out->promised |= 1U << i;
		if (isnan(rows[i].predicted.value) && !rows[i].lost)
			continue;
		out->known |= 1U << i;
		out->gap[i] = arena_array(m->b.arena, n, sizeof(double));
		if (!out->gap[i])
			return err_nomem(err);
	}
	if (!out->known)
		return 0;
	for (size_t node = 0; node < n; node++) {
		double z[CHANCE_AXES];
		for (size_t axis = 0, left = node; axis < out->n_axes; axis++) {
			z[axis] = node_z(out, left % out->n_nodes);
			left /= out->n_nodes;
		}
		for (size_t v = 0; v < m->b.c->set.n; v++)
			m->z[v] = out->axis_of[v] < 0 ? 0 : z[out->axis_of[v]];
		predict_moved(m, choice, rows);
		put_node(rows, node, out);
	}
	return 0;
}

/* Latin hypercube: every axis takes each of the equally likely values once, in an order of its own. */
static int
put_draws(struct arena *a, struct chance *out, struct err *err)
{
	struct rng rng;
	out->draws = arena_array(a, CHANCE_DRAWS, sizeof(*out->draws));
	if (!out->draws)
		return err_nomem(err);
	rng_seed(&rng, 1);
	for (size_t i = 0; i < CHANCE_DRAWS / 2; i++) {
		double z = spread_quantile(((double)i + 0.5) / CHANCE_DRAWS);
		for (size_t k = 0; k < CHANCE_AXES; k++) {
			out->draws[i][k] = z;
			out->draws[CHANCE_DRAWS - 1 - i][k] = -z;
		}
	}
	for (size_t k = 0; k < CHANCE_AXES; k++) {
		for (size_t i = CHANCE_DRAWS - 1; i > 0; i--) {
			size_t j = rng_below(&rng, i + 1);
			double z = out->draws[i][k];
			out->draws[i][k] = out->draws[j][k];
			out->draws[j][k] = z;
		}
	}
	return 0;
}

int
chance_of(struct build *b, const struct choice *choice, struct chance *out, struct err *err)
{
	*out = (struct chance){.n_nodes = 1};
	struct moved *m = arena_alloc(b->arena, sizeof(*m));
	if (!m)
		return err_nomem(err);
	*m = (struct moved){.b = *b};
	m->b.choice = *choice;
	for (size_t v = 0; v < b->c->set.n; v++) {
		m->copies[v] = *choice->at[v];
		m->b.choice.at[v] = &m->copies[v];
	}
	put_axes(b, choice, out);
	if (b->chance)
		out->draws = b->chance->draws;
	int rc = out->draws ? 0 : put_draws(b->arena, out, err);
	return rc ? rc : put_grid(m, choice, out, err);
}

/* ---- the grid read between its nodes ---- */

/* Where on the grid the other axes are: the corner below, and how far from it. */
struct place {
	size_t below[CHANCE_AXES];
	double part[CHANCE_AXES];
};

static void
put_place(const struct chance *ch, const double z[CHANCE_AXES], struct place *p)
{
	for (size_t i = 0; i < ch->n_axes && i < CHANCE_AXES; i++) {
		double at = (fmin(FAR, fmax(-FAR, z[i])) / FAR + 1) / 2 * (double)(ch->n_nodes - 1);
		double low = fmin(floor(at), (double)ch->n_nodes - 2);
		p->below[i] = (size_t)low;
		p->part[i] = at - low;
	}
}

/* One promise at a node of `axis`, the others where they are. */
static double
gap_at(const struct chance *ch, const double *gap, size_t axis, size_t node, const struct place *p)
{
	double sum = 0;
	for (size_t corner = 0; corner < (size_t)1 << ch->n_axes; corner++) {
		double weight = 1;
		size_t index = 0, step = 1;
		if (corner >> axis & 1)
			continue; /* the axis itself is at a node */
		for (size_t i = 0; i < ch->n_axes; i++, step *= ch->n_nodes) {
			size_t up = corner >> i & 1;
			weight *= i == axis ? 1 : up ? p->part[i] : 1 - p->part[i];
			index += step * (i == axis ? node : p->below[i] + up);
		}
		if (weight > 0)
			sum += weight * gap[index];
	}
	return sum;
}

static bool
holds(double gap)
{
	return gap <= 1e-9; /* as a verdict: a limit that is just reached is kept */
}

/* Up to which z of the axis one promise holds. */
static double
crossing(const struct chance *ch, const double *gap, size_t axis, const struct place *p)
{
	double below = gap_at(ch, gap, axis, 0, p);
	if (!holds(below))
		return -(double)INFINITY;
	for (size_t node = 1; node < ch->n_nodes; node++) {
		double above = gap_at(ch, gap, axis, node, p);
		double z = node_z(ch, node - 1);
		if (!holds(above))
			return z -
			       fmin(0, below) / (above - fmin(0, below)) * (node_z(ch, node) - z);
		below = above;
	}
	return (double)INFINITY;
}

static double
all_crossing(const struct chance *ch, unsigned rows, size_t axis, const double z[CHANCE_AXES])
{
	struct place p = {.below = {0}};
	double first = (double)INFINITY;
	put_place(ch, z, &p);
	for (size_t i = 0; i < PROMISE_LATENCY; i++) {
		if (rows >> i & 1U && ch->gap[i])
			first = fmin(first, crossing(ch, ch->gap[i], axis, &p));
	}
	return first;
}

size_t
chance_crossings(const struct chance *ch, unsigned rows, size_t axis, double z[CHANCE_DRAWS + 1])
{
	const double centre[CHANCE_AXES] = {0};
	z[0] = all_crossing(ch, rows, axis, centre);
	if (ch->n_axes < 2) {
		z[1] = z[0];
		return 1;
	}
	for (size_t i = 0; i < CHANCE_DRAWS; i++)
		z[i + 1] = all_crossing(ch, rows, axis, ch->draws[i]);
	return CHANCE_DRAWS;
}

/* The value of one promise with every axis at z. */
static double
gap_anywhere(const struct chance *ch, const double *gap, const double z[CHANCE_AXES])
{
	struct place p = {.below = {0}};
	put_place(ch, z, &p);
	double low = gap_at(ch, gap, 0, p.below[0], &p);
	return low + p.part[0] * (gap_at(ch, gap, 0, p.below[0] + 1, &p) - low);
}

static int
ascending(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

bool
chance_interval(const struct chance *ch, size_t row, double *lo, double *hi)
{
	double gaps[CHANCE_DRAWS], z[CHANCE_AXES] = {0};
	const double *gap = ch->gap[row];
	if (!gap || ch->n_axes == 0)
		return false;
	if (ch->n_axes == 1) {
		z[0] = -SPREAD_95;
		double quick = gap_anywhere(ch, gap, z);
		z[0] = SPREAD_95;
		double slow = gap_anywhere(ch, gap, z);
		*lo = fmin(quick, slow);
		*hi = fmax(quick, slow);
		return *lo > BEST && *hi < WORST;
	}
	for (size_t i = 0; i < CHANCE_DRAWS; i++)
		gaps[i] = gap_anywhere(ch, gap, ch->draws[i]);
	qsort(gaps, CHANCE_DRAWS, sizeof(*gaps), ascending);
	*lo = gaps[CHANCE_DRAWS / 40];
	*hi = gaps[CHANCE_DRAWS - 1 - CHANCE_DRAWS / 40];
	return *lo > BEST && *hi < WORST;
}

unsigned
chance_open(const struct chance *ch)
{
	unsigned rows = 0;
	size_t n = grid_size(ch);
	for (size_t i = 0; i < PROMISE_LATENCY; i++) {
		for (size_t node = 0; ch->known >> i & 1U && node < n; node++) {
			if (holds(ch->gap[i][node]))
				rows |= 1U << i;
		}
	}
	return rows;
}

double
chance_holds(const struct chance *ch, unsigned rows)
{
	double z[CHANCE_DRAWS + 1], sum = 0;
	if (ch->n_axes == 0) {
		for (size_t i = 0; i < PROMISE_LATENCY; i++) {
			if (rows >> i & 1U && ch->gap[i] && !holds(ch->gap[i][0]))
				return 0;
		}
		return 1;
	}
	size_t n = chance_crossings(ch, rows, 0, z);
	for (size_t i = 1; i <= n; i++)
		sum += spread_normal(fmin(z[i], FAR)); /* no further was looked */
	return sum / (double)n;
}
