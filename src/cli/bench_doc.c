#include "cli/bench_doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_compare.h"
#include "cli/bench_parts.h"

static const double usual_block_b = 4096;

bool
bench_is_random(const struct profile_cell *c)
{
	return (c->op == PROFILE_OP_RANDREAD || c->op == PROFILE_OP_RANDWRITE) &&
	       isnan(c->mix_read_frac) && isnan(c->asked_iops);
}

bool
bench_is_ladder(const struct bench_part *b, const struct profile_cell *c)
{
	return bench_is_random(c) && c->bs_b == b->ladder_b;
}

static size_t
count_size(const struct profile *p, double bs_b)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_cells; i++)
		n += bench_is_random(&p->cells[i]) && p->cells[i].bs_b == bs_b;
	return n;
}

/* 4 KiB where it was measured, else the size with the most cells. */
static double
ladder_block(const struct profile *p)
{
	double best_b = NAN;
	size_t most = 1;
	if (count_size(p, usual_block_b) > 0)
		return usual_block_b;
	for (size_t i = 0; i < p->n_cells; i++) {
		size_t n = count_size(p, p->cells[i].bs_b);
		if (n > most) {
			most = n;
			best_b = p->cells[i].bs_b;
		}
	}
	return best_b;
}

static int
compare(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) - isnan(a); /* absent first */
	return (a > b) - (a < b);
}

static int
by_load(const void *x, const void *y)
{
	const struct profile_cell *a = *(const struct profile_cell *const *)x;
	const struct profile_cell *b = *(const struct profile_cell *const *)y;
	int order = a->op - b->op;
	order = order ? order : compare(a->bs_b, b->bs_b);
	order = order ? order : compare(a->asked_iops, b->asked_iops);
	order = order ? order : compare(a->qd, b->qd);
	return order ? order : (a > b) - (a < b);
}

const struct profile_cell **
bench_cells(const struct bench_part *b, bench_pick *pick, size_t *n)
{
	const struct profile_cell **cells = arena_array(
		b->d->arena, b->p->n_cells + 1, sizeof(const struct profile_cell *));
	*n = 0;
	b->d->failed = b->d->failed || !cells;
	for (size_t i = 0; cells && i < b->p->n_cells; i++) {
		if (pick(b, &b->p->cells[i]))
			cells[(*n)++] = &b->p->cells[i];
	}
	if (*n > 1)
		qsort(cells, *n, sizeof(const struct profile_cell *), by_load);
	return cells;
}

const struct profile_cell *
bench_ladder_at(const struct bench_part *b, int op, double qd)
{
	for (size_t i = 0; i < b->p->n_cells; i++) {
		const struct profile_cell *c = &b->p->cells[i];
		if (bench_is_ladder(b, c) && c->op == op && c->qd == qd)
			return c;
	}
	return NULL;
}

/* ---- the verdict ---- */

static const struct {
	const char *verdict;
	enum doc_tone tone;
	const char *means;
} verdicts[] = {
	{"clean", DOC_PASS, "the disk itself was measured, and it was steady"},
	{"noisy", DOC_WARNING, "the figures are ranges: plan with their lower ends"},
	{"contaminated", DOC_WARNING,
		"others used the disk meanwhile: measure again when it is idle"},
	{"not-the-disk", DOC_FAIL,
		"something other than the disk answered: do not use these figures"},
};

/* How many findings are more than notes, and the first of the worst. */
static const char *
doubts(struct doc *d, const struct profile *p)
{
	const struct finding *worst = NULL;
	size_t n = 0;
	for (size_t i = 0; i < p->n_findings; i++) {
		const struct finding *f = &p->findings[i];
		if (f->severity <= SEVERITY_NOTE || !f->text)
			continue;
		n++;
		if (!worst || f->severity > worst->severity)
			worst = f;
	}
	if (!worst)
		return "";
	const char *severity = names_text(&severity_names, worst->severity);
	return n == 1 ? bench_text(d, " One %s: %s.", severity, worst->text)
		      : bench_text(d, " %zu findings, the first %s: %s.", n, severity, worst->text);
}

static const char *
trust_text(const struct profile *p)
{
	return p->trust >= 0 ? names_text(&trust_names, p->trust) : "unknown";
}

static void
put_verdict(struct doc *d, const struct profile *p)
{
	const char *word = p->quality ? p->quality->verdict : NULL;
	enum doc_tone tone = DOC_UNKNOWN;
	const char *means = "no verdict: not measured by tierwise bench";
	for (size_t i = 0; word && i < BENCH_COUNT(verdicts); i++) {
		if (strcmp(word, verdicts[i].verdict) == 0) {
			tone = verdicts[i].tone;
			means = verdicts[i].means;
		}
	}

	if (p->complete == 0 && tone == DOC_PASS)
		tone = DOC_WARNING;
	doc_callout(d, tone, "%s: verdict: %s%s: %s.%s Trust: %s.%s", p->name ? p->name : "disk",
		word ? word : "none", p->complete == 0 ? ", incomplete" : "", means,
		p->complete == 0 ? " The run was cut short." : "", trust_text(p), doubts(d, p));
}

/* ---- key figures ---- */

static void
put_figure(
	struct doc *d, struct doc_table *t, const char *what, const char *value, const char *note)
{
	bench_row(d, t, (const char *const[]){what, value, note}, 3);
}

static void
put_capacities(const struct bench_part *b, struct doc_table *t)
{
	struct doc *d = b->d;
	for (size_t i = 0; i < b->p->n_knees; i++) {
		const struct profile_knee *k = &b->p->knees[i];
		const char *interval = isnan(k->iops_lo) || isnan(k->iops_hi)
					       ? ""
					       : bench_text(d, ", 95 %% %s to %s",
							 bench_count(d, k->iops_lo),
							 bench_count(d, k->iops_hi));
		put_figure(d, t,
			bench_text(d, "capacity, %s %s", names_text(&profile_op_names, k->op),
				bench_size(d, k->bs_b)),
			bench_text(d, "%s IOPS", bench_capacity(d, k, false)),
			bench_text(d, "from depth %s on%s; %s", bench_count(d, k->qd), interval,
				bench_limit_words(k->limit)));
	}
}

/* The median, or the mean where samples are too few for that. */
static const char *
typical(struct doc *d, double p50_us, double mean_us)
{
	return isnan(p50_us) ? bench_text(d, "%s mean", bench_latency(d, mean_us))
			     : bench_text(d, "%s p50", bench_latency(d, p50_us));
}

static void
put_light(const struct bench_part *b, struct doc_table *t, int op)
{
	const struct profile_cell *c = bench_ladder_at(b, op, 1);
	if (!c)
		return;
	put_figure(b->d, t,
		bench_text(b->d, "one %s %s at a time", names_text(&profile_op_names, op),
			bench_size(b->d, c->bs_b)),
		typical(b->d, c->p50_us, c->mean_us),
		bench_text(b->d, "p99 %s; n = %s", bench_percentile(b->d, c->p99_us, c->n, 99),
			bench_count(b->d, c->n)));
}

/* The commit to show of a pattern: one writer, by fdatasync and of 8 KiB where that was measured. */
static const struct profile_sync *
usual_commit(const struct profile *p, int pattern)
{
	const struct profile_sync *best = NULL;
	int best_score = -1;
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *s = &p->syncs[i];
		int score = 4 * (isnan(s->writers) || s->writers == 1) +
			    2 * (s->mode == PROFILE_SYNC_FDATASYNC) + (s->bs_b == 8192);
		if (s->pattern == pattern && score > best_score) {
			best = s;
			best_score = score;
		}
	}
	return best;
}

static void
put_commit(struct doc *d, struct doc_table *t, const struct profile_sync *s)
{
	if (!s)
		return;
	put_figure(d, t,
		bench_text(d, "one commit (%s%s%s, %s)",
			s->pattern >= 0 ? names_text(&profile_pattern_names, s->pattern) : "",
			s->pattern >= 0 ? " + " : "", names_text(&profile_sync_mode_names, s->mode),
			bench_size(d, s->bs_b)),
		typical(d, s->p50_us, s->mean_us),
		bench_text(d, "p99 %s; n = %s", bench_percentile(d, s->p99_us, s->n, 99),
			bench_count(d, s->n)));
}

static void
put_key_figures(const struct bench_part *b)
{
	static const struct doc_column columns[] = {
		{"Figure", DOC_LEFT}, {"Value", DOC_RIGHT}, {"Note", DOC_LEFT}};
	if (b->p->n_cells + b->p->n_syncs == 0)
		return;
	struct doc_table *t = doc_table(b->d,
		bench_text(b->d, "Key figures of %s", b->p->name ? b->p->name : "the disk"),
		columns, BENCH_COUNT(columns));
	t->tiles = true;
	put_capacities(b, t);
	put_light(b, t, PROFILE_OP_RANDREAD);
	put_light(b, t, PROFILE_OP_RANDWRITE);
	/* a log that is recycled, as most are; one that grows; one that does not say */
	put_commit(b->d, t, usual_commit(b->p, PROFILE_OVERWRITE));
	put_commit(b->d, t, usual_commit(b->p, PROFILE_APPEND));
	put_commit(b->d, t, usual_commit(b->p, -1));
}

/* ---- the whole ---- */

static void
put_sections(const struct bench_part *b)
{
	bench_put_where(b);
	bench_put_capacity(b);
	bench_put_ladder(b);
	bench_put_sizes(b);
	bench_put_sequential(b);
	bench_put_commits(b);
	bench_put_mix(b);
	bench_put_open(b);
	bench_put_first_write(b);
	bench_put_hold(b);
	bench_put_cache(b);
	bench_put_readahead(b);
	if (b->p->n_findings == 0)
		return;
	doc_heading(b->d, b->level, "Findings");
	doc_findings(b->d, "What a reader must know", b->p->findings, b->p->n_findings);
}

void
bench_docs(struct doc *d, const struct profile *p, size_t n, bool together)
{
	for (size_t i = 0; i < n; i++) {
		const struct bench_part b = {d, &p[i], 2, ladder_block(&p[i])};
		put_verdict(d, &p[i]);
		put_key_figures(&b);
	}
	for (size_t i = 1; i < n; i++)
		bench_compare(d, &p[0], &p[i], together);
	for (size_t i = 0; i < n; i++) {
		const struct bench_part b = {d, &p[i], n > 1 ? 3 : 2, ladder_block(&p[i])};
		if (n > 1)
			doc_heading(d, 2, "%s", p[i].name ? p[i].name : "disk");
		put_sections(&b);
	}
}

void
bench_doc(struct doc *d, const struct profile *p)
{
	bench_docs(d, p, 1, false);
}
