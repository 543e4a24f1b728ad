/*
 * plan_bill.c - the bill: a chart of who costs what, and every line by meter.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

enum part { PART_CAPACITY, PART_IOPS, PART_THROUGHPUT, PART_MACHINE, PART_OTHER, PART_COUNT };

static const char *const part_names[] = {
	[PART_CAPACITY] = "capacity",
	[PART_IOPS] = "IOPS",
	[PART_THROUGHPUT] = "MB/s",
	[PART_MACHINE] = "machine",
	[PART_OTHER] = "other",
};
_Static_assert(sizeof(part_names) / sizeof(part_names[0]) == PART_COUNT, "a name for every part");

/* What a line pays for, by the unit it counts (price/bill.h writes these words). */
static enum part
part_of(const struct bill_line *line)
{
	static const struct {
		const char *word;
		enum part part;
	} units[] = {
		{"IOPS", PART_IOPS},
		{"MB/s", PART_THROUGHPUT},
		{"MiB/s", PART_THROUGHPUT},
		{"machine", PART_MACHINE},
		{"VM", PART_MACHINE},
		{"disk", PART_CAPACITY},
		{"GiB", PART_CAPACITY},
		{"GB", PART_CAPACITY},
	};
	for (size_t i = 0; line->unit && i < DOC_COUNT(units); i++) {
		if (strstr(line->unit, units[i].word))
			return units[i].part;
	}
	return PART_OTHER;
}

/* Whose line it is: the label before the colon, else the whole text. */
static size_t
label_length(const char *what)
{
	const char *colon = strchr(what, ':');
	return colon ? (size_t)(colon - what) : strlen(what);
}

struct groups {
	const char **labels;
	size_t n;
	double *amounts; /* PART_COUNT per label; NaN: an amount of it is unknown */
};

static size_t
group_of(struct doc *d, struct groups *g, const char *what)
{
	size_t length = label_length(what);
	for (size_t i = 0; i < g->n; i++) {
		if (strlen(g->labels[i]) == length && strncmp(g->labels[i], what, length) == 0)
			return i;
	}
	const char *label = arena_strndup(d->arena, what, length);
	d->failed = d->failed || !label;
	g->labels[g->n] = label ? label : "";
	return g->n++;
}

/* Sums by label and part; false when out of memory. */
static bool
collect(const struct bill *bill, struct doc *d, struct groups *g)
{
	g->labels = arena_array(d->arena, bill->n_lines, sizeof(*g->labels));
	g->amounts = arena_array(d->arena, bill->n_lines * PART_COUNT, sizeof(*g->amounts));
	g->n = 0;
	if (!g->labels || !g->amounts) {
		d->failed = true;
		return false;
	}
	for (size_t i = 0; i < bill->n_lines; i++) {
		const struct bill_line *line = &bill->lines[i];
		size_t at = group_of(d, g, plan_or_unknown(line->what));
		g->amounts[at * PART_COUNT + (size_t)part_of(line)] += line->amount;
	}
	return true;
}

static bool
has_part(const struct groups *g, size_t part)
{
	for (size_t i = 0; i < g->n; i++) {
		double v = g->amounts[i * PART_COUNT + part];
		if (isnan(v) || fabs(v) > 0)
			return true;
	}
	return false;
}

static struct doc_table *
chart_table(const struct plan *p, struct doc *d, const struct groups *g, const size_t *parts,
	size_t n_parts)
{
	struct doc_column columns[PART_COUNT + 2] = {{"Volume", DOC_LEFT}};
	for (size_t i = 0; i < n_parts; i++)
		columns[i + 1] = (struct doc_column){part_names[parts[i]], DOC_RIGHT};
	columns[n_parts + 1] = (struct doc_column){"total", DOC_RIGHT};
	const char *caption = arena_printf(d->arena, "Cost by volume, all machines (%s a month)",
		plan_or_unknown(p->currency));
	struct doc_table *t = doc_data_table(d, caption ? caption : "", columns, n_parts + 2);
	for (size_t i = 0; i < g->n; i++) {
		double total = 0;
		bool partial = false;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", g->labels[i]);
		for (size_t j = 0; j < n_parts; j++) {
			double v = g->amounts[i * PART_COUNT + parts[j]];
			doc_cell(d, t, j + 1, "%s",
				fabs(v) > 0 || isnan(v) ? plan_amount(d, v) : "-");
			partial = partial || isnan(v);
			total += isnan(v) ? 0 : v;
		}
		doc_cell(d, t, n_parts + 1, "%s%s", partial ? "at least " : "",
			plan_amount(d, total));
	}
	return t;
}

/* The finding of the chart: who costs most. */
static const char *
chart_title(const struct plan *p, struct doc *d, const struct groups *g)
{
	size_t most = 0;
	double sum = 0, largest = 0;
	for (size_t i = 0; i < g->n; i++) {
		double total = 0;
		for (size_t j = 0; j < PART_COUNT; j++) {
			double v = g->amounts[i * PART_COUNT + j];
			total += isnan(v) ? 0 : v;
		}
		sum += total;
		if (total > largest) {
			largest = total;
			most = i;
		}
	}
	if (!(sum > 0))
		return "No amount of the bill is known";
	const char *text = arena_printf(d->arena, "%s costs most: %s of %s a month (%s)",
		g->labels[most], plan_money(d, p, largest), plan_money(d, p, sum),
		plan_percent(d, largest / sum));
	d->failed = d->failed || !text;
	return text ? text : "";
}

static void
put_chart(const struct plan *p, struct doc *d)
{
	struct groups g;
	size_t parts[PART_COUNT], n_parts = 0;
	if (!collect(p->bill, d, &g) || g.n == 0)
		return;
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (has_part(&g, i))
			parts[n_parts++] = i;
	}
	struct doc_figure *f = doc_figure(d, DOC_CHART_COST, chart_title(p, d, &g));
	f->description =
		"Bars: what each volume and the machines cost a month, split by what is charged.";
	f->x_title = arena_printf(d->arena, "%s a month", plan_or_unknown(p->currency));
	f->labels = g.labels;
	f->n_labels = g.n;
	for (size_t j = 0; j < n_parts; j++) {
		double *y = arena_array(d->arena, g.n, sizeof(*y));
		struct doc_series *s = doc_series(d, f, part_names[parts[j]], DOC_MARK_BAR, g.n);
		for (size_t i = 0; y && i < g.n; i++)
			y[i] = g.amounts[i * PART_COUNT + parts[j]];
		d->failed = d->failed || !y;
		s->y = y;
	}
	f->data = chart_table(p, d, &g, parts, n_parts);
}

enum { WHAT, METER, QUANTITY, UNIT, PRICE, AMOUNT, SOURCE, AS_OF, TRUST, N_COLUMNS };

static void
put_lines(const struct plan *p, struct doc *d)
{
	const char *price = arena_printf(
		d->arena, "Unit price (%s a month)", plan_or_unknown(p->bill->currency));
	const char *amount = arena_printf(
		d->arena, "Amount (%s a month)", plan_or_unknown(p->bill->currency));
	const struct doc_column columns[N_COLUMNS] = {
		[WHAT] = {"Line", DOC_LEFT},
		[METER] = {"Meter", DOC_LEFT},
		[QUANTITY] = {"Quantity", DOC_RIGHT},
		[UNIT] = {"Unit", DOC_LEFT},
		[PRICE] = {price ? price : "", DOC_RIGHT},
		[AMOUNT] = {amount ? amount : "", DOC_RIGHT},
		[SOURCE] = {"Source", DOC_LEFT},
		[AS_OF] = {"Date", DOC_LEFT},
		[TRUST] = {"Price is", DOC_LEFT},
	};
	struct doc_table *t = doc_table(d, "Bill by meter, all machines", columns, N_COLUMNS);
	for (size_t i = 0; i < p->bill->n_lines; i++) {
		const struct bill_line *l = &p->bill->lines[i];
		doc_row(d, t);
		doc_cell(d, t, WHAT, "%s", plan_or_unknown(l->what));
		doc_cell(d, t, METER, "%s", l->meter ? l->meter : plan_or_unknown(l->sku));
		doc_cell(d, t, QUANTITY, "%s", plan_count(d, l->quantity));
		doc_cell(d, t, UNIT, "%s", l->unit ? l->unit : "");
		doc_cell(d, t, PRICE, "%s", plan_small_money(d, l->unit_price));
		if (isnan(l->amount_low))
			doc_cell(d, t, AMOUNT, "%s", plan_amount(d, l->amount));
		else
			doc_cell(d, t, AMOUNT, "%s to %s", plan_amount(d, l->amount_low),
				plan_amount(d, l->amount));
		doc_cell(d, t, SOURCE, "%s", plan_or_unknown(l->source));
		doc_cell(d, t, AS_OF, "%s", plan_or_unknown(l->as_of));
		doc_cell(d, t, TRUST, "%s", names_text(&trust_names, l->trust));
	}
	doc_row(d, t);
	doc_cell(d, t, WHAT, "Total");
	bool interval = !isnan(p->bill->total_low);
	doc_cell(d, t, AMOUNT, "%s%s%s%s%s", p->bill->complete == 1 ? "" : "at least ",
		interval ? plan_amount(d, p->bill->total_low) : "", interval ? " to " : "",
		plan_amount(d, p->bill->total), p->bill->complete == 1 ? "" : ", incomplete");
}

/* Why amounts are intervals, each reason once. */
static void
put_notes(const struct plan *p, struct doc *d)
{
	for (size_t i = 0; i < p->bill->n_lines; i++) {
		const struct bill_line *l = &p->bill->lines[i];
		bool said = !l->note;
		for (size_t k = 0; k < i && !said; k++)
			said = p->bill->lines[k].note &&
			       strcmp(p->bill->lines[k].note, l->note) == 0;
		if (!said)
			doc_callout(d, DOC_NOTE, "%s: %s.", plan_or_unknown(l->what), l->note);
	}
}

void
plan_bill(const struct plan *p, struct doc *d)
{
	doc_heading(d, 2, "Bill");
	if (!p->bill || p->bill->n_lines == 0) {
		doc_callout(d, DOC_UNKNOWN, "The plan has no bill: %s.", plan_no_bill(p));
		return;
	}
	if (p->cost && p->cost->basis)
		doc_paragraph(d, "Unit costs: %s", p->cost->basis);
	put_chart(p, d);
	put_lines(p, d);
	put_notes(p, d);
	if (p->bill->wasted_gib > 0)
		doc_paragraph(d,
			"Paid but not asked for, because sizes come in steps: %s GiB, %s a month.",
			plan_count(d, p->bill->wasted_gib),
			plan_money(d, p, p->bill->wasted_amount));
	if (p->bill->hourly > 0)
		doc_paragraph(d,
			"%s of it is metered by the hour and counted for %g hours; a month of 31 "
			"days "
			"(744 h) comes to %s.",
			plan_money(d, p, p->bill->hourly), p->bill->hours,
			plan_money(d, p, bill_total_at(p->bill, 744)));
}
