/*
 * predict_doc.c - the answers of `tierwise predict`: a row for each point and statistic, what the
 * disk does there, and why a point has no answer.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/predict_parts.h"

/* One thing asked: a block size under a load. */
struct load {
	double bs_b;
	double qd, iops; /* one of them, NaN for the other; both NaN: a durable write */
};

struct answers {
	const struct predict_asked *asked;
	const struct disk_model *model;
	struct doc *doc;
	struct doc_table *table, *loads;
	bool several_sizes, several_loads;
	struct predict_verdicts *verdicts; /* on --sla */
	size_t n; /* points with an answer */
	struct err first; /* the first reason for none */
};

static int
ask(const struct answers *w, const struct load *l, enum model_statistic stat, struct estimate *e,
	struct err *err)
{
	const struct predict_asked *a = w->asked;
	if (a->sync)
		return disk_sync_latency(w->model, l->bs_b, stat, e, err);
	if (isnan(l->iops))
		return disk_latency_at_qd(
			w->model, (enum profile_op)a->op, l->bs_b, l->qd, &a->caps, stat, e, err);
	return disk_latency_at_rate(
		w->model, (enum profile_op)a->op, l->bs_b, l->iops, &a->caps, stat, e, err);
}

static int
wall_of(const struct answers *w, const struct load *l, struct estimate *wall)
{
	return disk_wall(
		w->model, (enum profile_op)w->asked->op, l->bs_b, &w->asked->caps, wall, NULL);
}

/* "QD8" "3,000 IOPS" */
static const char *
load_text(const struct answers *w, const struct load *l)
{
	char rate[32];
	if (!isnan(l->qd))
		return arena_printf(w->doc->arena, "%.10g", l->qd);
	units_count_text(l->iops, rate);
	return arena_printf(w->doc->arena, "%s", rate);
}

/* Block size and load in front of a row, when there are several. */
static size_t
put_point(const struct answers *w, struct doc_table *t, const struct load *l)
{
	size_t column = 0;
	char size[32];
	doc_row(w->doc, t);
	if (w->several_sizes) {
		units_size_text(l->bs_b, size);
		doc_cell(w->doc, t, column++, "%s", size);
	}
	if (w->several_loads)
		doc_cell(w->doc, t, column++, "%s", load_text(w, l));
	return column;
}

static void
put_estimate(const struct answers *w, const struct load *l, int stat, const struct estimate *e)
{
	char value[32], lo[32], hi[32];
	units_latency_text(e->value, value);
	units_latency_text(e->lo, lo);
	units_latency_text(e->hi, hi);
	size_t at = put_point(w, w->table, l);
	doc_cell(w->doc, w->table, at++, "%s", names_text(&model_statistic_names, stat));
	doc_cell(w->doc, w->table, at++, "%s", value);
	doc_cell(w->doc, w->table, at++, "%s to %s", lo, hi);
	doc_cell(w->doc, w->table, at++, "%s", names_text(&model_how_names, e->how));
	doc_cell(w->doc, w->table, at, "%s", names_text(&trust_names, e->trust));
}

/* At a rate beyond the wall latency grows without end: no promise is kept. */
static bool
beyond_wall(const struct answers *w, const struct load *l)
{
	struct estimate wall;
	return !isnan(l->iops) && wall_of(w, l, &wall) == 0 && l->iops >= wall.value;
}

/* How long until the latency that was given is passed, at a rate beyond the wall: the queue grows by
 * rate / wall - 1 seconds each second from the latency just below it. */
static void
add_overload(const struct answers *w, const struct load *l, struct err *why)
{
	struct estimate wall, before;
	int stat = w->asked->stat < 0 ? MODEL_P99 : w->asked->stat;
	if (isnan(w->asked->sla_us) || isnan(l->iops) || wall_of(w, l, &wall) ||
		l->iops <= wall.value)
		return;
	struct load light = {l->bs_b, (double)NAN, 0.95 * wall.value};
	if (ask(w, &light, (enum model_statistic)stat, &before, NULL))
		return;
	char sla[32], after[32], text[sizeof(why->text)];
	double seconds = (w->asked->sla_us - before.value) * 1e-6 / (l->iops / wall.value - 1);
	units_latency_text(w->asked->sla_us, sla);
	units_latency_text(1e6 * fmax(0, seconds), after);
	memcpy(text, why->text, sizeof(text));
	err_set(why, why->code, "%s; %s of %s is exceeded after %s", text,
		names_text(&model_statistic_names, stat), sla, seconds > 0 ? after : "no time");
}

/* The reason with the option it came from, and which options would help. */
static void
put_refusal(struct answers *w, const struct load *l, struct err *why)
{
	const struct predict_asked *a = w->asked;
	bool held = false;
	for (size_t i = 0; i < w->model->n_curves; i++)
		held = held || w->model->curves[i].op == a->op;
	if (why->code == ERR_RANGE)
		add_overload(w, l, why);
	if (why->code == ERR_UNSUPPORTED && held && !a->sync && isnan(a->caps.iops)) {
		char text[sizeof(why->text)];
		memcpy(text, why->text, sizeof(text));
		err_set(why, why->code, "%s (--sku NAME, or --sku-iops and --sku-mbps)", text);
	}
	if (!isnan(l->qd))
		err_context(why, "--qd %.10g", l->qd);
	else if (!isnan(l->iops))
		err_context(why, "--iops %.10g", l->iops);
	if (w->first.code == ERR_OK)
		w->first = *why;
	size_t at = put_point(w, w->table, l);
	doc_cell(w->doc, w->table, at, "%s", "all");
	doc_cell(w->doc, w->table, at + 1, "%s", "unknown");
	doc_cell(w->doc, w->table, at + 3, "%s",
		why->code == ERR_RANGE ? "no steady state" : "refused");
	enum doc_tone tone = why->code == ERR_RANGE && beyond_wall(w, l) && !isnan(a->sla_us)
				     ? DOC_FAIL
				     : DOC_UNKNOWN;
	doc_callout(w->doc, tone, "%s", why->text);
	if (!isnan(a->sla_us) && (tone == DOC_FAIL || why->code == ERR_UNSUPPORTED))
		predict_verdict(w->verdicts, tone, arena_strdup(w->doc->arena, why->text));
}

/* Which of several points: "8", "16 KiB, 8"; empty where there is one. */
static const char *
point_text(const struct answers *w, const struct load *l)
{
	char size[32];
	units_size_text(l->bs_b, size);
	const char *text = arena_printf(w->doc->arena, "%s%s%s", w->several_sizes ? size : "",
		w->several_sizes && w->several_loads ? ", " : "",
		w->several_loads ? load_text(w, l) : "");
	return text ? text : "";
}

static void
put_sla(const struct answers *w, const struct load *l)
{
	struct estimate e;
	char sla[32], value[32];
	int stat = w->asked->stat < 0 ? MODEL_P99 : w->asked->stat;
	if (isnan(w->asked->sla_us) || ask(w, l, (enum model_statistic)stat, &e, NULL))
		return;
	units_latency_text(w->asked->sla_us, sla);
	units_latency_text(e.value, value);
	bool pass = e.value <= w->asked->sla_us,
	     sure = pass ? e.hi <= w->asked->sla_us : e.lo > w->asked->sla_us;
	const char *at = point_text(w, l);
	const char *text = arena_printf(w->doc->arena, "%s of %s against %s%s%s%s",
		names_text(&model_statistic_names, stat), value, sla,
		sure ? "" : ", which lies within the interval", *at ? ", at " : "", at);
	const char *verdict = pass ? "PASS" : "FAIL";
	doc_paragraph(w->doc, "%s%s%s: %s of %s against %s%s.", verdict, *at ? " at " : "", at,
		names_text(&model_statistic_names, stat), value, sla,
		sure ? "" : ", which lies within the interval");
	predict_verdict(w->verdicts, pass ? DOC_PASS : DOC_FAIL, text);
}

/* What the disk does there: a row when there are several points. */
static void
put_load_row(const struct answers *w, const struct load *l)
{
	struct estimate mean, wall;
	char iops[32], mbps[32], limit[32];
	if (ask(w, l, MODEL_MEAN, &mean, NULL))
		return;
	double rate = isnan(l->iops) ? 1e6 * l->qd / mean.value : l->iops;
	bool known = wall_of(w, l, &wall) == 0;
	units_count_text(rate, iops);
	units_count_text(rate * l->bs_b / UNITS_MB, mbps);
	units_count_text(known ? wall.value : (double)NAN, limit);
	size_t at = put_point(w, w->loads, l);
	doc_cell(w->doc, w->loads, at++, "%.3g", rate * mean.value * 1e-6);
	doc_cell(w->doc, w->loads, at++, "%s", iops);
	doc_cell(w->doc, w->loads, at++, "%s", mbps);
	doc_cell(w->doc, w->loads, at++, "%s", limit);
	if (known)
		doc_cell(w->doc, w->loads, at, "%.0f %%", 100 * rate / wall.value);
}

/* The same for a single point, as a sentence. */
static void
put_load(const struct answers *w, const struct load *l)
{
	struct estimate mean, wall;
	char rate[32], limit[32];
	bool known = wall_of(w, l, &wall) == 0;
	units_count_text(known ? wall.value : (double)NAN, limit);
	if (!isnan(l->qd) && ask(w, l, MODEL_MEAN, &mean, NULL) == 0) {
		units_count_text(1e6 * l->qd / mean.value, rate);
		if (known)
			doc_paragraph(w->doc, "QD%.10g gives %s IOPS; the wall is at %s IOPS.",
				l->qd, rate, limit);
		else
			doc_paragraph(w->doc,
				"QD%.10g gives %s IOPS; the wall was not reached, so it is not "
				"known.",
				l->qd, rate);
	} else if (!isnan(l->iops) && known) {
		units_count_text(l->iops, rate);
		doc_paragraph(w->doc, "%s IOPS are %.0f %% of the wall of %s IOPS.", rate,
			100 * l->iops / wall.value, limit);
	}
}

/* As fast as it can, and more than any disk of the family is sold with: the wall was not seen. */
static void
put_beyond_sold(const struct answers *w, const struct load *l)
{
	const struct predict_asked *a = w->asked;
	const struct predict_family *f = &a->family;
	struct estimate mean;
	char rate[32], most[32], qd[32];
	double disks = fmax(1, a->caps.stripe); /* fmax skips NaN */
	bool asked = !a->sync && !isnan(l->qd) && f->sku && isnan(a->caps.iops);
	if (!asked || ask(w, l, MODEL_MEAN, &mean, NULL))
		return;
	double iops = 1e6 * l->qd / mean.value;
	if (iops <= disks * f->iops)
		return;
	units_count_text(iops, rate);
	units_count_text(f->iops, most);
	units_count_text(l->qd, qd);
	doc_callout(w->doc, DOC_WARNING,
		"%s IOPS at QD%s are more than %s%s is sold with: at most %s IOPS (%s; limits of "
		"%s); the latency above leaves that out. Name the disk with --sku.",
		rate, qd, disks > 1 ? "each disk of this stripe of " : "any ", f->title, most,
		f->sku, f->as_of ? f->as_of : "unknown date");
}

/* A cell at the depth that was asked for, which contradicted itself: the fit does not know it. */
static void
put_left_out(const struct answers *w, const struct load *l)
{
	const struct predict_asked *a = w->asked;
	char size[32];
	if (a->sync || isnan(l->qd))
		return;
	units_size_text(l->bs_b, size);
	const char *cell = arena_printf(w->doc->arena, "%s %s, QD%.10g: ", size,
		names_text(&profile_op_names, a->op), l->qd);
	for (size_t i = 0; cell && i < w->model->n_findings; i++) {
		const struct finding *f = &w->model->findings[i];
		if (f->text && strncmp(f->text, cell, strlen(cell)) == 0 &&
			strstr(f->text, "left out of the fit"))
			doc_callout(w->doc, DOC_WARNING, "%s. Next: %s.", f->text,
				f->todo ? f->todo : "measure it");
	}
}

/* One point: its statistics, or why there are none. */
static void
answer(struct answers *w, const struct load *l)
{
	const struct predict_asked *a = w->asked;
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		struct estimate e;
		struct err why = {0};
		if (a->stat >= 0 && stat != a->stat)
			continue;
		if (ask(w, l, (enum model_statistic)stat, &e, &why)) {
			put_refusal(w, l, &why);
			return;
		}
		put_estimate(w, l, stat, &e);
	}
	w->n++;
	if (w->loads)
		put_load_row(w, l);
	put_beyond_sold(w, l);
	put_left_out(w, l);
	put_sla(w, l);
}

/* "durable write", "durable write (overwrite, fdatasync)" */
static const char *
sync_text(const struct answers *w)
{
	int mode = -1, pattern = -1;
	if (!disk_sync_kind(w->model, w->asked->bs_b.items[0], &mode, &pattern))
		return "durable write";
	const char *how = pattern < 0 ? "" : names_text(&profile_pattern_names, pattern);
	return arena_printf(w->doc->arena, "durable write (%s%s%s)", how,
		*how && mode >= 0 ? ", " : "",
		mode < 0 ? *how ? "" : "how is not said"
			 : names_text(&profile_sync_mode_names, mode));
}

/* A log that grows waits for more than one that is written over: both figures. */
static void
put_append(const struct answers *w)
{
	const struct predict_asked *a = w->asked;
	enum model_statistic stat = a->stat < 0 ? MODEL_MEAN : (enum model_statistic)a->stat;
	const char *list = "";
	for (size_t i = 0; i < a->bs_b.n; i++) {
		struct estimate e;
		char size[32], us[32];
		if (!disk_sync_append(w->model, a->bs_b.items[i], stat, &e))
			continue;
		units_size_text(a->bs_b.items[i], size);
		units_latency_text(e.value, us);
		list = arena_printf(w->doc->arena, "%s%s%s %s", list, *list ? ", " : "", size, us);
	}
	if (*list)
		doc_paragraph(w->doc,
			"This is a write over bytes that are there, as of a log that is recycled "
			"or preallocated. "
			"Appended to a growing file (%s): %s.",
			names_text(&model_statistic_names, (int)stat), list);
}

static void
tables(struct answers *w)
{
	const struct predict_asked *a = w->asked;
	struct arena *arena = w->doc->arena;
	struct doc_column columns[8];
	size_t n = 0;
	char size[32];
	units_size_text(a->bs_b.items[0], size);
	const char *op = a->sync ? sync_text(w) : names_text(&profile_op_names, a->op);
	const char *name = w->model->name ? w->model->name : "model";
	if (w->several_sizes)
		columns[n++] = (struct doc_column){"Block size", DOC_RIGHT};
	if (w->several_loads)
		columns[n++] = (struct doc_column){a->qd.n ? "Queue depth" : "IOPS", DOC_RIGHT};
	size_t points = n;
	columns[n++] = (struct doc_column){"Statistic", DOC_LEFT};
	columns[n++] = (struct doc_column){"Latency", DOC_RIGHT};
	columns[n++] = (struct doc_column){"95 % interval", DOC_RIGHT};
	columns[n++] = (struct doc_column){"How", DOC_LEFT};
	columns[n++] = (struct doc_column){"Trust", DOC_LEFT};
	w->table = doc_table(w->doc,
		w->several_sizes ? arena_printf(arena, "%s, %s", name, op)
				 : arena_printf(arena, "%s, %s %s", name, size, op),
		columns, n);
	if (points == 0 || a->sync)
		return;
	n = points;
	columns[n++] = (struct doc_column){"Outstanding", DOC_RIGHT};
	columns[n++] = (struct doc_column){"Rate, IOPS", DOC_RIGHT};
	columns[n++] = (struct doc_column){"MB/s", DOC_RIGHT};
	columns[n++] = (struct doc_column){"Wall, IOPS", DOC_RIGHT};
	columns[n++] = (struct doc_column){"Of the wall", DOC_RIGHT};
	w->loads = doc_table(w->doc, "What the disk does there", columns, n);
}

/* A block size the disk was not asked for: say so, and what would replace the guess. */
static void
put_other_size(const struct answers *w, double bs_b)
{
	const struct predict_asked *a = w->asked;
	bool any = false;
	char size[32];
	for (size_t i = 0; i < w->model->n_curves; i++) {
		any = any || w->model->curves[i].op == a->op;
		if (w->model->curves[i].op == a->op && w->model->curves[i].bs_b == bs_b)
			return;
	}
	units_size_text(bs_b, size);
	if (any)
		doc_paragraph(w->doc,
			"The model holds no %s of %s: this is computed from the sizes it holds. "
			"fio results of this size, read with tierwise import, replace the guess.",
			names_text(&profile_op_names, a->op), size);
}

static void
put_notes(const struct answers *w)
{
	const struct predict_asked *a = w->asked;
	if (a->sync) {
		put_append(w);
		return;
	}
	for (size_t i = 0; i < a->bs_b.n; i++) {
		if (a->caps.stripe > 1 && a->bs_b.items[i] > a->caps.strip_b) {
			doc_paragraph(w->doc,
				"An I/O larger than the strip is served by several disks at once: "
				"theory, for aligned I/O and independent disks.");
			break;
		}
	}
	for (size_t i = 0; i < a->bs_b.n; i++)
		if (!(a->caps.stripe > 1 && a->bs_b.items[i] > a->caps.strip_b))
			put_other_size(w, a->bs_b.items[i]);
}

int
predict_answers(const struct predict_asked *a, const struct disk_model *m, struct doc *d,
	struct predict_verdicts *verdicts, struct err *err)
{
	const double no = (double)NAN;
	const struct predict_list *loads = a->qd.n ? &a->qd : &a->iops;
	struct answers w = {.asked = a,
		.model = m,
		.doc = d,
		.verdicts = verdicts,
		.several_sizes = a->bs_b.n > 1,
		.several_loads = loads->n > 1};
	tables(&w);
	for (size_t i = 0; i < a->bs_b.n; i++) {
		struct load l = {a->bs_b.items[i], no, no};
		if (a->sync)
			answer(&w, &l);
		for (size_t k = 0; k < loads->n; k++) {
			*(a->qd.n ? &l.qd : &l.iops) = loads->items[k];
			answer(&w, &l);
		}
	}
	if (w.n == 0 && verdicts->n == 0) {
		if (err)
			*err = w.first;
		return (int)w.first.code;
	}
	if (w.n && !w.several_sizes && !w.several_loads && !a->sync)
		put_load(&w, &(struct load){a->bs_b.items[0], a->qd.n ? a->qd.items[0] : no,
				     a->iops.n ? a->iops.items[0] : no});
	put_notes(&w);
	return 0;
}
