/*
 * chart.c - latency against depth of the chosen log and data disks, with the measured points.
 */
#include <math.h>

#include "advise/build.h"
#include "base/units.h"

enum { DEPTHS = 8 }; /* 1, 2, 4 ... 128 */

static const struct model_curve *
nearest_curve(const struct disk_model *m, int op, double bs_b)
{
	const struct model_curve *best = NULL;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op != op)
			continue;
		if (!best || fabs(log(c->bs_b / bs_b)) < fabs(log(best->bs_b / bs_b)))
			best = c;
	}
	return best;
}

static int
fill_series(struct build *b, const struct disk_model *m, const struct disk_caps *caps,
	struct plan_curve *p, struct err *err)
{
	double **series[] = {&p->qd, &p->mean_us, &p->p99_us, &p->lo_us, &p->hi_us};
	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++) {
		*series[i] = arena_array(b->arena, DEPTHS, sizeof(double));
		if (!*series[i])
			return err_nomem(err);
	}
	for (size_t i = 0; i < DEPTHS; i++) {
		double qd = (double)(1U << i);
		struct estimate mean, p99;
		enum profile_op op = (enum profile_op)p->op;
		if (disk_latency_at_qd(m, op, p->bs_b, qd, caps, MODEL_MEAN, &mean, NULL))
			continue;
		if (disk_latency_at_qd(m, op, p->bs_b, qd, caps, MODEL_P99, &p99, NULL))
			p99.value = (double)NAN;
		p->qd[p->n_qd] = qd;
		p->mean_us[p->n_qd] = mean.value;
		p->p99_us[p->n_qd] = p99.value;
		p->lo_us[p->n_qd] = mean.lo;
		p->hi_us[p->n_qd] = mean.hi;
		p->n_qd++;
	}
	p->n_mean = p->n_p99 = p->n_lo = p->n_hi = p->n_qd;
	return 0;
}

static int
add_curve(struct build *b, size_t v, enum profile_op op, double bs_kib, double sla_ms,
	struct err *err)
{
	const struct candidate *c = b->choice.at[v];
	const struct disk_model *m = isnan(bs_kib) ? NULL : c->latency.model;
	const struct model_curve *curve = m ? nearest_curve(m, (int)op, bs_kib * UNITS_KIB) : NULL;
	if (!curve)
		return 0;
	struct disk_caps caps = {.iops = c->iops / c->disks,
		.mbps = c->mbps / c->disks,
		.io_unit_kib = c->disk->io_unit_kib,
		.stripe = c->disks};
	struct plan_curve p = {.volume = b->c->set.volumes[v].label,
		.op = (int)op,
		.bs_b = bs_kib * UNITS_KIB,
		.sla_ms = sla_ms,
		.knee_qd = curve->knee_qd,
		.trust = names_text(&trust_names, curve->trust),
		.source = c->latency.source};
	p.title = arena_printf(b->arena, "%s: %s of %g KiB on %s", p.volume,
		names_text(&profile_op_names, (int)op), bs_kib, candidate_name(c, b->arena));
	int rc = fill_series(b, m, &caps, &p, err);
	if (rc || p.n_qd == 0)
		return rc;
	/* points of another block size are not points of this curve */
	if (fabs(curve->bs_b - p.bs_b) < 1) {
		p.run_qd = curve->qd;
		p.n_run_qd = curve->n_qd;
		p.run_us = curve->mean_us;
		p.n_run_us = curve->n_mean_us;
	}
	struct plan_curve *curves = arena_grow(
		b->arena, b->plan->curves, b->plan->n_curves, sizeof(*curves));
	if (!curves)
		return err_nomem(err);
	b->plan->curves = curves;
	curves[b->plan->n_curves++] = p;
	return 0;
}

int
build_curves(struct build *b, struct err *err)
{
	const struct workload_sla *sla = b->c->in->workload->sla;
	int rc = 0;
	for (size_t v = 0; v < b->c->set.n && rc == 0 && b->choice.found; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		switch ((enum workload_role)d->volume->role) {
		case WORKLOAD_WAL:
			rc = add_curve(b, v, PROFILE_OP_RANDWRITE, d->io_kib,
				sla ? sla->commit_p99_ms : (double)NAN, err);
			break;
		case WORKLOAD_DATA:
		case WORKLOAD_INDEX:
			rc = add_curve(b, v, PROFILE_OP_RANDREAD, d->io_kib,
				sla ? sla->read_p99_ms : (double)NAN, err);
			break;
		case WORKLOAD_TEMP:
		case WORKLOAD_BACKUP:
		case WORKLOAD_ROLE_COUNT:
			break;
		}
	}
	return rc;
}
