/*
 * predict_mix.c - `tierwise predict --op mix --read PERCENT`: how much random I/O of both directions a
 * disk or a stripe carries, and what a rate is of it.
 */
#include <math.h>

#include "base/units.h"
#include "cli/predict_parts.h"

static int
total(const struct predict_asked *a, const struct disk_model *m, double bs_b, struct estimate *e,
	struct err *err)
{
	const struct disk_caps *c = &a->caps;
	/* without caps a measured mix needs no wall of either side */
	bool any = !isnan(c->iops) || !isnan(c->mbps) || c->stripe > 1;
	return disk_mix_wall(m, bs_b, a->read_frac, any ? c : NULL, e, err);
}

/* A rate beside the wall: its share, or how fast the backlog grows. */
static void
put_rate(const struct predict_asked *a, struct doc *d, double bs_b, double rate,
	const struct estimate *wall)
{
	char size[32], asked[32], excess[32], growth[32];
	units_size_text(bs_b, size);
	units_count_text(rate, asked);
	units_count_text(rate - wall->value, excess);
	units_latency_text(1e6 * (rate / wall->value - 1), growth);
	if (rate < wall->value)
		doc_paragraph(d, "%s IOPS of %s, %g %% of them reads, are %.0f %% of that.", asked,
			size, 100 * a->read_frac, 100 * rate / wall->value);
	else if (rate - wall->value < 0.5)
		doc_callout(d, DOC_FAIL,
			"%s IOPS of %s, %g %% of them reads, are all of that: there is no room "
			"left "
			"and no steady state, the queue grows without bound",
			asked, size, 100 * a->read_frac);
	else
		doc_callout(d, DOC_FAIL,
			"%s IOPS of %s, %g %% of them reads, are at or beyond that: there is no "
			"steady state, the backlog grows by %s I/O every second and the latency by "
			"%s",
			asked, size, 100 * a->read_frac, excess, growth);
}

int
predict_mix(
	const struct predict_asked *a, const struct disk_model *m, struct doc *d, struct err *err)
{
	static const struct doc_column columns[] = {{"Block size", DOC_RIGHT}, {"Reads", DOC_RIGHT},
		{"Most, IOPS", DOC_RIGHT}, {"95 % interval", DOC_RIGHT}, {"How", DOC_LEFT},
		{"Trust", DOC_LEFT}};
	struct doc_table *t = doc_table(d,
		arena_printf(d->arena, "%s, random reads and writes together",
			m->name ? m->name : "model"),
		columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < a->bs_b.n; i++) {
		struct estimate e;
		char size[32], most[32], lo[32], hi[32];
		int rc = total(a, m, a->bs_b.items[i], &e, err);
		if (rc)
			return err_context(err, "--op mix");
		units_size_text(a->bs_b.items[i], size);
		units_count_text(e.value, most);
		units_count_text(e.lo, lo);
		units_count_text(e.hi, hi);
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", size);
		doc_cell(d, t, 1, "%g %%", 100 * a->read_frac);
		doc_cell(d, t, 2, "%s", most);
		doc_cell(d, t, 3, "%s to %s", lo, hi);
		doc_cell(d, t, 4, "%s", names_text(&model_how_names, e.how));
		doc_cell(d, t, 5, "%s", names_text(&trust_names, e.trust));
		for (size_t k = 0; k < a->iops.n; k++)
			put_rate(a, d, a->bs_b.items[i], a->iops.items[k], &e);
	}
	doc_paragraph(
		d, "How long one I/O of a mix takes is not modelled: measure it (tierwise bench).");
	return 0;
}
