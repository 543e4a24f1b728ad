/*
 * light.c - a disk without its wall: the base latency of a tier, for other sizes of the same tier.
 */
#include <math.h>

#include "model/disk.h"

/* The curve at its lightest measured depth: flat until a cap given from outside. */
static struct model_curve
flat(const struct model_curve *c)
{
	const double none = (double)NAN;
	struct model_curve f = *c;
	f.form = MODEL_FORM_CONSTANT;
	f.c_us = f.c_lo_us = f.c_hi_us = none;
	f.g = f.g_lo = f.g_hi = none;
	f.wall_iops = f.wall_lo_iops = f.wall_hi_iops = f.x_inf_iops = none;
	f.wall_reached = 0;
	f.knee_qd = f.efficient_qd = none;
	f.cov = NULL;
	f.n_cov = 0;
	f.n_qd = f.n_qd > 0;
	f.n_iops = f.n_iops > 0;
	f.n_mean_us = f.n_mean_us > 0;
	f.n_p50_us = f.n_p50_us > 0;
	f.n_p99_us = f.n_p99_us > 0;
	f.n_p999_us = f.n_p999_us > 0;
	return f;
}

int
disk_model_light(
	const struct disk_model *m, struct arena *a, struct disk_model *light, struct err *err)
{
	*light = *m;
	light->curves = arena_array(a, m->n_curves, sizeof(*light->curves));
	if (!light->curves)
		return err_nomem(err);
	light->n_curves = 0;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		/* a rate without a depth has no light end; a deep point alone is not one */
		if (!isnan(c->l1_us) && c->n_qd > 0 && c->qd[0] <= 2)
			light->curves[light->n_curves++] = flat(c);
	}
	light->sizes = arena_array(a, m->n_sizes, sizeof(*light->sizes));
	if (m->n_sizes && !light->sizes)
		return err_nomem(err);
	light->n_sizes = 0;
	for (size_t i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].qd == 1) /* deeper ones are walls */
			light->sizes[light->n_sizes++] = m->sizes[i];
	light->mixes = NULL;
	light->n_mixes = 0;
	light->loads = NULL;
	light->n_loads = 0;
	light->quota_iops = light->quota_mbps = (double)NAN;
	light->quota_write_iops = light->quota_write_mbps = (double)NAN;
	return 0;
}
