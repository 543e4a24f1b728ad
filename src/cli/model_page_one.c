/*
 * model_page_one.c - what an architect reads: what the disk is, one I/O at a time, where it saturates,
 * what a commit takes, what is doubtful and what to do about it.
 */
#include <math.h>
#include <string.h>

#include "cli/model_parts.h"

static const double usual_block_b = 4096;

/* The curve to show first: 4 KiB, else the smallest block; NULL: none of this operation. */
static const struct model_curve *
main_curve(const struct disk_model *m, int op)
{
	const struct model_curve *best = NULL;
	for (size_t i = 0; i < m->n_curves; i++) {
		const struct model_curve *c = &m->curves[i];
		if (c->op == op && !isnan(c->l1_us) &&
			(!best || (best->bs_b != usual_block_b &&
					  (c->bs_b == usual_block_b || c->bs_b < best->bs_b))))
			best = c;
	}
	return best;
}

/* A commit of one writer and of a pattern (-1: one that does not say): by fdatasync and of 8 KiB
 * where that is known. */
static const struct model_sync *
commit_of(const struct disk_model *m, int pattern)
{
	const struct model_sync *best = NULL;
	int best_score = -1;
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		bool one = isnan(s->writers) || s->writers == 1;
		int score = 2 * (s->mode == PROFILE_SYNC_FDATASYNC) + (s->bs_b == 8192);
		if (!one || s->pattern != pattern || isnan(fmax(s->mean_us, s->p99_us)) ||
			score <= best_score)
			continue;
		best = s;
		best_score = score;
	}
	return best;
}

/* Most logs are recycled: what overwriting takes comes first. */
static const struct model_sync *
main_sync(const struct disk_model *m)
{
	static const int order[] = {PROFILE_OVERWRITE, -1, PROFILE_APPEND};
	const struct model_sync *s = NULL;
	for (size_t i = 0; !s && i < sizeof(order) / sizeof(order[0]); i++)
		s = commit_of(m, order[i]);
	return s;
}

static void
put_origin(const struct model_part *b)
{
	const struct disk_model *m = b->m;
	bool own = m->trust == TRUST_MEASURED && !m->source;
	doc_paragraph(b->d, "%s%s%s%s%s.%s%s%s",
		own         ? ""
		: m->source ? m->source
			    : "source not stated",
		own ? "" : "; ", names_text(&trust_names, m->trust), m->as_of ? ", as of " : "",
		m->as_of ? m->as_of : "", m->family ? " Stands for the tier " : "",
		m->family ? m->family : "", m->family ? "." : "");
}

/* "one 4 KiB randread at a time takes 68.2 us; 612,000 IOPS at most, from 42 outstanding on" */
static const char *
sentence(const struct model_part *b, const struct model_curve *c)
{
	struct doc *d = b->d;
	const char *one = model_text(d, "one %s at a time takes %s", model_curve_name(d, c),
		model_us(d, model_light(b, c).value));
	if (c->wall_reached && isnan(c->knee_qd))
		return model_text(
			d, "%s, and it saturates at %s IOPS", one, model_about(d, c->x_inf_iops));
	if (c->wall_reached)
		return model_text(d,
			"%s, and from %.0f outstanding on the disk gives %s IOPS and more only "
			"wait "
			"longer",
			one, ceil(c->knee_qd), model_about(d, c->x_inf_iops));
	if (model_flat(c))
		return model_text(d, "%s, and more outstanding brings no more than %s IOPS", one,
			model_about(d, c->x_inf_iops));
	if (c->n_qd > 1)
		return model_text(d, "%s; at %g outstanding it gave %s IOPS and still grew", one,
			c->qd[c->n_qd - 1], model_about(d, c->x_inf_iops));
	return model_text(d, "%s; nothing is known about load", one);
}

/* The rate one writer reaches. */
static double
commits_per_s(const struct model_sync *s)
{
	return isnan(s->syncs_per_s) ? 1e6 / s->mean_us : s->syncs_per_s;
}

static void
put_verdict(const struct model_part *b)
{
	struct doc *d = b->d;
	const struct disk_model *m = b->m;
	bool known = m->trust == TRUST_MEASURED || m->trust == TRUST_IMPORTED;
	const struct model_curve *read = main_curve(m, PROFILE_OP_RANDREAD);
	const struct model_curve *write = main_curve(m, PROFILE_OP_RANDWRITE);
	const struct model_sync *s = main_sync(m);
	const char *text = "", *gap = "";
	if (read) {
		text = sentence(b, read);
		gap = "; ";
	}
	if (write) {
		text = model_text(d, "%s%s%s", text, gap, sentence(b, write));
		gap = "; ";
	}
	if (s)
		text = model_text(d, "%s%sa commit takes %s%s", text, gap,
			model_us(d, isnan(s->mean_us) ? s->p99_us : s->mean_us),
			isnan(s->mean_us) ? " (p99)" : "");
	const struct model_sync *grows = commit_of(m, PROFILE_APPEND);
	if (grows && grows != s && !isnan(grows->mean_us))
		text = model_text(
			d, "%s, %s where the log grows", text, model_us(d, grows->mean_us));
	if (*text == '\0')
		text = "only rates are known, no latency";
	doc_callout(d, known ? DOC_NOTE : DOC_WARNING, "%c%s.%s",
		*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, text + (*text != '\0'),
		known ? ""
		      : " These figures are not measured: tierwise bench on a disk of this kind "
			"replaces them.");
}

/* ---- key figures ---- */

static void
tile(struct doc *d, struct doc_table *t, const char *what, const char *value, const char *note)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", what);
	doc_cell(d, t, 1, "%s", value);
	doc_cell(d, t, 2, "%s", note);
}

static const char *
interval(struct doc *d, double lo, double hi, const char *(*text)(struct doc *d, double v))
{
	return isnan(lo) || isnan(hi) ? ""
				      : model_text(d, "; 95 %% %s to %s", text(d, lo), text(d, hi));
}

static void
put_curve_tiles(const struct model_part *b, struct doc_table *t, const struct model_curve *c)
{
	struct doc *d = b->d;
	if (!c)
		return;
	const char *name = model_curve_name(d, c);
	struct estimate light = model_light(b, c);
	tile(d, t, model_text(d, "Light latency, %s", name), model_us(d, light.value),
		model_text(d, "one outstanding%s; %s", interval(d, light.lo, light.hi, model_us),
			names_text(&trust_names, c->trust)));
	const char *efficient = isnan(c->efficient_qd)
					? ""
					: model_text(d, "; 1.5 x the light latency at depth %s",
						  model_depth(d, c->efficient_qd));
	const char *knee = isnan(c->knee_qd) ? "no knee: latency grows with each request"
					     : model_text(d, "saturates at depth %s",
						       model_depth(d, c->knee_qd));
	if (c->wall_reached)
		tile(d, t, model_text(d, "Most IOPS, %s", name),
			model_text(d, "%s IOPS", model_about(d, c->x_inf_iops)),
			model_text(d, "%s%s%s", knee, efficient,
				interval(d, c->wall_lo_iops, c->wall_hi_iops, model_count)));
	else if (c->n_qd > 1)
		tile(d, t, model_text(d, "Most IOPS, %s", name), "wall not reached",
			model_text(d, "at least %s IOPS, seen at depth %g%s",
				model_about(d, c->x_inf_iops), c->qd[c->n_qd - 1], efficient));
	double depth = model_sla_depth(b, c, model_last_depth(c));
	if (isnan(depth))
		return;
	struct estimate e;
	double q = fmax(depth, 1);
	bool ok = disk_latency_at_qd(b->m, (enum profile_op)c->op, c->bs_b, q, NULL, MODEL_MEAN, &e,
			  NULL) == 0;
	tile(d, t, model_text(d, "p99 within %g ms, %s", b->sla_p99_ms, name),
		depth < 1 ? "FAIL" : model_text(d, "PASS to depth %.0f", floor(1.001 * depth)),
		depth < 1 ? "over it already with one outstanding"
		: ok      ? model_text(d, "which is %s IOPS%s", model_about(d, 1e6 * q / e.value),
                               depth >= model_last_depth(c) ? ", the deepest load known" : "")
			  : "");
}

static void
put_commit_tile(struct doc *d, struct doc_table *t, const struct model_sync *s)
{
	if (!s)
		return;
	const char *p99 = isnan(s->p99_us) || isnan(s->mean_us)
				  ? ""
				  : model_text(d, "; p99 %s", model_us(d, s->p99_us));
	tile(d, t,
		model_text(d, "Commit, %s%s%s%s%s",
			s->pattern < 0 ? "" : names_text(&profile_pattern_names, s->pattern),
			s->pattern < 0 ? "" : " + ", names_text(&profile_sync_mode_names, s->mode),
			isnan(s->bs_b) ? "" : " of ",
			isnan(s->bs_b) ? "" : model_size_text(d, s->bs_b)),
		model_us(d, isnan(s->mean_us) ? s->p99_us : s->mean_us),
		isnan(s->mean_us) ? model_text(d, "p99; %s", names_text(&trust_names, s->trust))
				  : model_text(d, "one writer, %s a second at most%s; %s",
					    model_count(d, round(commits_per_s(s))), p99,
					    names_text(&trust_names, s->trust)));
}

static void
put_tiles(const struct model_part *b)
{
	static const struct doc_column columns[] = {
		{"Figure", DOC_LEFT}, {"Value", DOC_RIGHT}, {"Note", DOC_LEFT}};
	struct doc *d = b->d;
	const struct model_sync *s = main_sync(b->m);
	const struct model_curve *read = main_curve(b->m, PROFILE_OP_RANDREAD);
	const struct model_curve *write = main_curve(b->m, PROFILE_OP_RANDWRITE);
	if (!s && !read && !write)
		return;
	struct doc_table *t = doc_table(d, "Key figures", columns, 3);
	t->tiles = true;
	put_curve_tiles(b, t, read);
	put_curve_tiles(b, t, write);
	put_commit_tile(d, t, s);
	const struct model_sync *grows = commit_of(b->m, PROFILE_APPEND);
	put_commit_tile(d, t, grows == s ? NULL : grows);
}

/* ---- what is doubtful, what to do ---- */

static void
put_doubts(const struct model_part *b)
{
	enum { MOST = 6 };
	const char *items[MOST + 1];
	size_t n = 0, all = 0;
	for (size_t i = 0; i < b->m->n_findings; i++) {
		const struct finding *f = &b->m->findings[i];
		if (f->severity < SEVERITY_WARNING)
			continue;
		if (all++ < MOST)
			items[n++] = model_text(b->d, "%s [%s]. Next: %s.", f->text, f->code,
				f->todo ? f->todo : "nothing");
	}
	if (n == 0)
		return;
	if (all > MOST)
		items[n++] = model_text(b->d, "and %zu more, below", all - MOST);
	doc_paragraph(b->d, "What is doubtful, and what to do about it:");
	doc_list(b->d, items, n);
}

void
model_put_page_one(const struct model_part *b)
{
	put_origin(b);
	put_verdict(b);
	put_tiles(b);
	put_doubts(b);
}
