/*
 * audit.c - the findings of an audit, its document, and the tests of a profile in order.
 */
#include "model/audit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"
#include "model/points.h"

static const char *const verdict_table[] = {
	[AUDIT_AGREES] = "agrees",
	[AUDIT_NOTE] = "note",
	[AUDIT_UNTESTED] = "untested",
	[AUDIT_DOUBT] = "doubt",
	[AUDIT_CONTRADICTION] = "contradiction",
};
_Static_assert(sizeof(verdict_table) / sizeof(verdict_table[0]) == AUDIT_VERDICT_COUNT,
	"a word for every verdict");
const struct names audit_verdict_names = {"verdict", verdict_table, AUDIT_VERDICT_COUNT};

#define WORDS(m, req, h) FIELD_TEXT(T, m, req, h)
#define T struct audit_input
static const struct schema_field input_fields[] = {
	WORDS(name, true, "which figure"),
	WORDS(value, true, "the figure with its unit"),
	FIELD_WORD(T, trust, &trust_names, false, "how sure it is"),
	WORDS(source, false, "who says it"),
};
static const struct schema input_schema = SCHEMA_PART(
	"a figure of a test", struct audit_input, input_fields);
#undef T

#define T struct audit_finding
static const struct schema_field finding_fields[] = {
	FIELD_WORD(T, verdict, &audit_verdict_names, true, "what the test says"),
	WORDS(code, true, "stable name of the test"),
	WORDS(subject, true, "the cell or the claim"),
	WORDS(text, true, "the finding in a sentence"),
	WORDS(arithmetic, false, "with the numbers substituted"),
	WORDS(needs, false, "what would have to be true"),
	WORDS(todo, false, "what to do next"),
	FIELD_LIST(T, inputs, n_inputs, &input_schema, false, "the figures that went in"),
};
static const struct schema one_schema = SCHEMA_PART(
	"a finding", struct audit_finding, finding_fields);
#undef T

#define T struct audit
static const struct schema_field audit_fields[] = {
	WORDS(name, true, "what was audited"),
	WORDS(file, false, "its file; absent: a claim of the command line"),
	WORDS(sha256, false, "SHA-256 of that file"),
	WORDS(source, false, "where its figures come from"),
	WORDS(as_of, false, "their date"),
	FIELD_WORD(T, trust, &trust_names, false, "class of its figures"),
	FIELD_COUNT(T, contradictions, true, 0, 1e15, "", "findings that cannot be true"),
	FIELD_COUNT(T, doubts, true, 0, 1e15, "", "findings that are possible but suspect"),
	FIELD_COUNT(T, agreements, true, 0, 1e15, "", "statements that recompute"),
	FIELD_LIST(T, findings, n_findings, &one_schema, false, "worst first"),
};
static const struct schema part_schema = SCHEMA_PART("an audited file", struct audit, audit_fields);
#undef T

#define T struct audit_report
static const struct schema_field report_fields[] = {
	FIELD_COUNT(T, contradictions, true, 0, 1e15, "", "of all files"),
	FIELD_COUNT(T, doubts, true, 0, 1e15, "", "of all files"),
	FIELD_COUNT(T, agreements, true, 0, 1e15, "", "of all files"),
	FIELD_LIST(T, audits, n_audits, &part_schema, true, "one a file or claim"),
};
#undef T

const struct schema audit_schema = SCHEMA_DOCUMENT("tierwise/audit/1",
	"what arithmetic and the vendors' documents say of profiles and published claims",
	struct audit_report, report_fields);

void
audit_init(struct audit *a, struct arena *arena)
{
	*a = (struct audit){.arena = arena, .trust = -1};
}

struct audit_finding *
audit_add(struct audit *a, enum audit_verdict verdict, const char *code, const char *subject)
{
	struct audit_finding *items = arena_grow(
		a->arena, a->findings, a->n_findings, sizeof(*items));
	if (!items) {
		a->failed = true;
		a->lost = (struct audit_finding){0};
		return &a->lost;
	}
	a->findings = items;
	struct audit_finding *f = &items[a->n_findings++];
	*f = (struct audit_finding){
		.verdict = (int)verdict, .code = code, .subject = subject, .text = ""};
	return f;
}

const char *
audit_text(struct audit *a, const char *fmt, ...)
{
	char text[2048];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *kept = arena_strdup(a->arena, text);
	a->failed = a->failed || !kept;
	return kept ? kept : "";
}

void
audit_input(struct audit *a, struct audit_finding *f, const char *name, const char *value,
	int trust, const char *source)
{
	struct audit_input *inputs = arena_grow(a->arena, f->inputs, f->n_inputs, sizeof(*inputs));
	if (!inputs) {
		a->failed = true;
		return;
	}
	f->inputs = inputs;
	inputs[f->n_inputs++] = (struct audit_input){name, value, trust, source};
}

const struct audit_finding *
audit_find(const struct audit *a, const char *code)
{
	for (size_t i = 0; i < a->n_findings; i++) {
		if (strcmp(a->findings[i].code, code) == 0)
			return &a->findings[i];
	}
	return NULL;
}

/* Stable: findings of one verdict keep the order of the tests. */
static void
worst_first(struct audit *a)
{
	for (size_t i = 1; i < a->n_findings; i++) {
		struct audit_finding f = a->findings[i];
		size_t j = i;
		for (; j > 0 && a->findings[j - 1].verdict < f.verdict; j--)
			a->findings[j] = a->findings[j - 1];
		a->findings[j] = f;
	}
}

int
audit_finish(struct audit *a, struct err *err)
{
	if (a->failed)
		return err_nomem(err);
	worst_first(a);
	a->contradictions = a->doubts = a->agreements = 0;
	for (size_t i = 0; i < a->n_findings; i++) {
		int verdict = a->findings[i].verdict;
		a->contradictions += verdict == AUDIT_CONTRADICTION;
		a->doubts += verdict == AUDIT_DOUBT;
		a->agreements += verdict == AUDIT_AGREES;
	}
	return 0;
}

const char *
audit_us(struct audit *a, double us)
{
	char text[32];
	units_latency_fixed_text(us, text);
	return audit_text(a, "%s", text);
}

const char *
audit_count_text(struct audit *a, double count)
{
	char text[32];
	units_count_text(count, text);
	return audit_text(a, "%s", text);
}

const char *
audit_size(struct audit *a, double bytes)
{
	char text[32];
	units_size_text(bytes, text);
	return audit_text(a, "%s", text);
}

const char *
audit_number(struct audit *a, double value)
{
	return fabs(value) < 1000 ? audit_text(a, "%.4g", value)
				  : audit_count_text(a, round(value));
}

/* ---- cells ---- */

const char *
audit_cell_name(struct audit *a, const struct profile_cell *c)
{
	const char *op = c->op < 0 ? "I/O" : names_text(&profile_op_names, c->op);
	const char *size = isnan(c->bs_b) ? "" : audit_text(a, "%s ", audit_size(a, c->bs_b));
	return isnan(c->qd) ? audit_text(a, "%s%s", size, op)
			    : audit_text(a, "%s%s, QD%g", size, op, c->qd);
}

struct audit_finding *
audit_cell_finding(const struct cell_check *k, enum audit_verdict verdict, const char *code)
{
	struct audit_finding *f = audit_add(k->a, verdict, code, k->name);
	if (!isnan(k->c->iops))
		audit_input(k->a, f, "IOPS", audit_number(k->a, k->c->iops), k->trust, k->source);
	else if (!isnan(k->rate))
		audit_input(k->a, f, "throughput", audit_text(k->a, "%.4g MiB/s", k->c->mibps),
			k->trust, k->source);
	if (!isnan(k->c->qd))
		audit_input(k->a, f, "outstanding", audit_text(k->a, "%g", k->c->qd), k->trust,
			k->source);
	if (!isnan(k->c->mean_us))
		audit_input(k->a, f, "mean latency", audit_us(k->a, k->c->mean_us), k->trust,
			k->source);
	return f;
}

static void (*const of_the_fit[])(const struct cell_check *k) = {
	audit_cell_little, audit_cell_light, audit_cell_quota, audit_cell_cache};

static struct cell_check
check_of(const struct profile *p, const struct limits *limits, const struct profile_cell *c,
	struct audit *a)
{
	return (struct cell_check){a, p, limits, c, audit_cell_name(a, c), points_rate(c),
		profile_cell_trust(p, c), c->source ? c->source : p->source};
}

/* Of a mix each side holds an unknown share of the queue. */
static void
test_curve_cell(const struct cell_check *k)
{
	for (size_t i = 0; i < sizeof(of_the_fit) / sizeof(of_the_fit[0]); i++) {
		if (!points_off_curve(k->c))
			of_the_fit[i](k);
	}
}

static void
test_cell(const struct cell_check *k)
{
	const struct profile_cell *c = k->c;
	bool range = isnan(c->p99_us); /* published as a range over runs */
	bool completion = c->percentile_of && strcmp(c->percentile_of, "clat") == 0 &&
			  !(c->submit_frac < 0.02);
	const struct spread s = {c->min_us, c->mean_us, c->p50_us, c->p90_us, c->p95_us,
		range ? c->p99_lo_us : c->p99_us, c->p999_us, c->max_us,
		range ? "p99 of the best run" : NULL, completion};
	test_curve_cell(k);
	audit_cell_deep(k);
	audit_cell_throughput(k);
	/* fio's percentiles are of completion alone where submission blocks */
	if (!(c->submit_frac > 0.5))
		audit_spread(k->a, k->name, &s, k->trust, k->source);
}

void
audit_profile(const struct profile *p, const struct limits *limits, struct audit *a)
{
	a->name = p->name;
	a->source = p->source;
	a->as_of = p->as_of;
	a->trust = p->trust;
	for (size_t i = 0; i < p->n_cells; i++) {
		struct cell_check k = check_of(p, limits, &p->cells[i], a);
		test_cell(&k);
	}
	audit_little_summary(p, a);
	audit_over_cap(p, limits, a);
	audit_sizes(p, a);
	audit_syncs(p, a);
	audit_quality(p, a);
	audit_claims(p, limits, a);
}

void
audit_cells(const struct profile *p, struct findings *out)
{
	struct audit a;
	audit_init(&a, out->arena);
	for (size_t i = 0; i < p->n_cells; i++) {
		if (isnan(p->cells[i].bs_b))
			continue;
		struct cell_check k = check_of(p, NULL, &p->cells[i], &a);
		size_t before = a.n_findings;
		test_curve_cell(&k);
		for (size_t j = before; j < a.n_findings; j++) {
			const struct audit_finding *f = &a.findings[j];
			bool left_out = strcmp(f->code, "quota-limited") != 0 &&
					points_contradictory(p, k.c);
			findings_add(out,
				f->verdict >= AUDIT_DOUBT ? SEVERITY_WARNING : SEVERITY_NOTE,
				f->code, f->todo, "%s: %s%s%s%s%s", f->subject, f->text,
				f->arithmetic ? " (" : "", f->arithmetic ? f->arithmetic : "",
				f->arithmetic ? ")" : "", left_out ? "; left out of the fit" : "");
		}
	}
}
