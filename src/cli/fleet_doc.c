/*
 * fleet_doc.c - the report of a fleet: how many keep their promises, what they cost together, which need
 * a look, and a row for each.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/recommend_fleet.h"

/* More rows than these are for programs: json holds every one. */
enum { MOST_LOOK = 50, MOST_ROWS = 1000, MOST_WARNINGS = 20 };

static const char *
verdict_of(const struct fleet_row *row)
{
	return row->verdict < 0 ? "no plan" : names_text(&plan_verdict_names, row->verdict);
}

static void
amount_cell(struct doc *d, struct doc_table *t, size_t column, double amount, bool complete)
{
	char text[48];
	units_money_text(amount, 2, text);
	doc_cell(d, t, column, "%s%s", complete ? "" : "at least ", text);
}

/* What the rows of one verdict and currency come to. */
struct sum {
	const char *currency;
	size_t n, n_cost;
	double monthly;
	bool complete;
};

static struct sum
sum_of(const struct fleet *f, int verdict, const char *currency)
{
	struct sum s = {.currency = currency, .complete = true};
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct fleet_row *row = &f->rows[i];
		bool same = row->currency && currency && strcmp(row->currency, currency) == 0;
		if (row->verdict != verdict || (currency && !same))
			continue;
		s.n++;
		if (isnan(row->monthly))
			continue;
		s.n_cost++;
		s.monthly += row->monthly;
		s.complete = s.complete && row->complete == 1;
	}
	return s;
}

/* The currencies of the rows, each once, in the order they come. */
static size_t
currencies(const struct fleet *f, const char **out, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n_rows; i++) {
		const char *currency = f->rows[i].currency;
		bool seen = !currency;
		for (size_t k = 0; k < n && !seen; k++)
			seen = strcmp(out[k], currency) == 0;
		if (!seen && n < most)
			out[n++] = currency;
	}
	return n;
}

static void
put_totals(const struct fleet *f, struct doc *d)
{
	static const struct doc_column columns[] = {{"Verdict", DOC_LEFT}, {"Workloads", DOC_RIGHT},
		{"Currency", DOC_LEFT}, {"A month, all machines", DOC_RIGHT}};
	const char *known[8];
	size_t n = currencies(f, known, sizeof(known) / sizeof(known[0]));
	struct doc_table *t = doc_table(
		d, "Workloads by verdict", columns, sizeof(columns) / sizeof(columns[0]));
	for (int verdict = 0; verdict < PLAN_VERDICT_COUNT; verdict++) {
		for (size_t i = 0; i < n; i++) {
			struct sum s = sum_of(f, verdict, known[i]);
			if (s.n == 0)
				continue;
			doc_row(d, t);
			doc_cell(d, t, 0, "%s", names_text(&plan_verdict_names, verdict));
			doc_cell(d, t, 1, "%zu", s.n);
			doc_cell(d, t, 2, "%s", s.currency);
			if (s.n_cost)
				amount_cell(d, t, 3, s.monthly, s.complete && s.n_cost == s.n);
			else
				doc_cell(d, t, 3, "unknown");
		}
	}
	struct sum none = sum_of(f, -1, NULL);
	if (none.n == 0)
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "no plan");
	doc_cell(d, t, 1, "%zu", none.n);
	doc_cell(d, t, 3, "unknown");
}

static bool
needs_a_look(const struct fleet_row *row)
{
	return row->status != 0 || row->verdict != PLAN_PASS;
}

static const struct doc_column row_columns[] = {{"Line", DOC_RIGHT}, {"Workload", DOC_LEFT},
	{"Verdict", DOC_LEFT}, {"Exit", DOC_RIGHT}, {"A month", DOC_RIGHT}, {"Placement", DOC_LEFT},
	{"Least room", DOC_LEFT}, {"Why", DOC_LEFT}};

static void
put_row(const struct fleet_row *row, struct doc *d, struct doc_table *t)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%lld", (long long)row->line);
	doc_cell(d, t, 1, "%s", row->name ? row->name : "not read");
	doc_cell(d, t, 2, "%s", verdict_of(row));
	doc_cell(d, t, 3, "%lld", (long long)row->status);
	if (!isnan(row->monthly)) {
		char text[48];
		units_money_text(row->monthly, 2, text);
		doc_cell(d, t, 4, "%s%s %s", row->complete == 1 ? "" : "at least ", row->currency,
			text);
	} else {
		doc_cell(d, t, 4, "unknown");
	}
	doc_cell(d, t, 5, "%s%s%s", row->placement ? row->placement : "", row->machine ? "; " : "",
		row->machine ? row->machine : "");
	doc_cell(d, t, 6, "%s", row->tightest ? row->tightest : "");
	doc_cell(d, t, 7, "%s", row->why ? row->why : "");
}

static void
put_rows(const struct fleet *f, bool look, size_t most, const char *caption, struct doc *d)
{
	size_t n = 0;
	struct doc_table *t = NULL;
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct fleet_row *row = &f->rows[i];
		if (look && !needs_a_look(row))
			continue;
		if (!t)
			t = doc_table(d, caption, row_columns,
				sizeof(row_columns) / sizeof(row_columns[0]));
		if (n++ < most)
			put_row(row, d, t);
	}
	if (t)
		t->deep = !look;
	if (n > most)
		doc_paragraph(d, "And %zu more: json holds every row.", n - most);
}

static void
put_warnings(const struct fleet *f, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Warning", DOC_LEFT}, {"Workloads", DOC_RIGHT}, {"First in line", DOC_RIGHT}};
	struct {
		const char *code;
		size_t n;
		int64_t line;
	} found[MOST_WARNINGS] = {0};
	size_t n = 0;
	for (size_t i = 0; i < f->n_rows; i++) {
		for (size_t w = 0; w < f->rows[i].n_warnings; w++) {
			const char *code = f->rows[i].warnings[w];
			size_t k = 0;
			while (k < n && strcmp(found[k].code, code) != 0)
				k++;
			if (k == MOST_WARNINGS)
				continue;
			if (k == n) {
				found[n].code = code;
				found[n++].line = f->rows[i].line;
			}
			found[k].n++;
		}
	}
	if (n == 0)
		return;
	struct doc_table *t = doc_table(d, "Warnings, and how many workloads have them", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t k = 0; k < n; k++) {
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", found[k].code);
		doc_cell(d, t, 1, "%zu", found[k].n);
		doc_cell(d, t, 2, "%lld", (long long)found[k].line);
	}
	doc_paragraph(d,
		"The text of a warning, and the whole plan of a workload: recommend of that "
		"line alone (sed -n LINEp FILE | tierwise recommend -).");
}

void
fleet_report(const struct fleet *f, struct doc *d)
{
	size_t good = 0;
	for (size_t i = 0; i < f->n_rows; i++)
		good += !needs_a_look(&f->rows[i]);
	doc_heading(d, 2, "Decision");
	doc_callout(d, good == f->n_rows ? DOC_PASS : DOC_WARNING,
		"%zu of %zu workloads have a plan that keeps every promise; %zu need a look.", good,
		f->n_rows, f->n_rows - good);
	put_totals(f, d);
	if (good < f->n_rows) {
		doc_heading(d, 2, "To look at");
		put_rows(
			f, true, MOST_LOOK, "Workloads without a plan that keeps every promise", d);
	}
	put_warnings(f, d);
	doc_heading(d, 2, "Workloads");
	put_rows(f, false, MOST_ROWS, "Every workload, in the order of the stream", d);
}
