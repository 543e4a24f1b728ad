/*
 * prices_diff.c - `tierwise prices diff OLD NEW`: what changed between two price books, and what that
 * does to a plan.
 */
#include <math.h>
#include <string.h>

#include "advise/plan.h"
#include "base/file.h"
#include "cli/money_doc.h"
#include "cli/prices.h"
#include "cli/prices_change.h"
#include "price/fetch.h"
#include "price/reprice.h"

enum { KEY_PLAN = 0x2100 };

#define N(columns) (sizeof(columns) / sizeof((columns)[0]))

struct arguments {
	struct cli_common common;
	const char *books[2];
	size_t n;
	const char *plan;
};

static const struct argp_option options[] = {
	{"plan", KEY_PLAN, "FILE", 0, "What it does to the monthly bill of this plan, line by line",
		1},
	{0},
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_PLAN:
		a->plan = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->n == N(a->books))
			argp_error(state, "\"%s\": two books are compared", arg);
		a->books[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->n < N(a->books))
			argp_error(state, "two books are compared: prices diff OLD NEW");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const char *
prices_book_path(struct cli_common *c, const char *name, struct err *err)
{
	if (fetch_is_url(name) || strchr(name, '/') || strchr(name, '.') || file_exists(name))
		return name;
	const char *path = cli_data_path(c, arena_printf(&c->arena, "pricing/%s.json", name), err);
	if (path && !file_exists(path)) {
		err_set(err, ERR_NOT_FOUND,
			"no price book \"%.80s\": neither a file nor one of the data folder (%s)",
			name, path);
		return NULL;
	}
	return path;
}

static const char *
unit_of(const struct price_row *row)
{
	return row->unit_published ? row->unit_published : names_text(&price_unit_names, row->unit);
}

/* Family, SKU, redundancy, item: the first four columns. */
static void
put_row_names(struct doc *d, struct doc_table *t, const struct price_row *row)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", row->family);
	doc_cell(d, t, 1, "%s", row->sku ? row->sku : "(all)");
	doc_cell(d, t, 2, "%s", row->redundancy ? row->redundancy : "");
	if (row->tier_min > 0)
		doc_cell(d, t, 3, "%s above %s", prices_item_text(d->arena, row),
			prices_decimal(d->arena, row->tier_min));
	else
		doc_cell(d, t, 3, "%s", prices_item_text(d->arena, row));
}

static const char *
signed_decimal(struct arena *a, double number)
{
	const char *text = prices_decimal(a, number);
	return number > 0 ? arena_printf(a, "+%s", text) : text;
}

static void
put_price_change(struct doc *d, struct doc_table *t, const struct price_change *c)
{
	put_row_names(d, t, c->now);
	/* as published, like the unit beside it */
	bool scaled = !c->normalised && price_row_is_scaled(c->now);
	double per = scaled ? c->now->published_per : 1;
	doc_cell(d, t, 4, "%s", prices_decimal(d->arena, c->before * per));
	doc_cell(d, t, 5, "%s", prices_decimal(d->arena, c->after * per));
	if (c->normalised)
		doc_cell(d, t, 6, "%s (%s, now %s)",
			prices_unit_text(price_unit_normal((enum price_unit)c->now->unit)),
			unit_of(c->old), unit_of(c->now));
	else
		doc_cell(d, t, 6, "%s", unit_of(c->now));
	doc_cell(d, t, 7, "%s", signed_decimal(d->arena, c->delta * per));
	if (isnan(c->frac))
		doc_cell(d, t, 8, "from 0");
	else
		doc_cell(d, t, 8, "%+.2f", c->frac * 100);
}

static void
put_unit_change(struct doc *d, struct doc_table *t, const struct price_change *c)
{
	put_row_names(d, t, c->now);
	doc_cell(d, t, 4, "%s", prices_decimal(d->arena, price_row_published(c->old)));
	doc_cell(d, t, 5, "%s", unit_of(c->old));
	doc_cell(d, t, 6, "%s", prices_decimal(d->arena, price_row_published(c->now)));
	doc_cell(d, t, 7, "%s", unit_of(c->now));
}

static void
put_lone_row(struct doc *d, struct doc_table *t, const struct price_change *c)
{
	const struct price_row *row = c->now ? c->now : c->old;
	put_row_names(d, t, row);
	doc_cell(d, t, 4, "%s", prices_decimal(d->arena, price_row_published(row)));
	doc_cell(d, t, 5, "%s", unit_of(row));
	doc_cell(d, t, 6, "%s", row->meter ? row->meter : "");
}

static struct doc_table *
change_table(struct doc *d, enum price_change_kind kind, size_t n, const char *currency)
{
	static const char *const captions[PRICE_CHANGE_COUNT] = {
		[PRICE_CHANGE_PRICE] = "Prices that changed",
		[PRICE_CHANGE_UNIT] = "Units that changed",
		[PRICE_CHANGE_ADDED] = "Added",
		[PRICE_CHANGE_REMOVED] = "Removed",
	};
	const char *old = arena_printf(d->arena, "Old (%s)", currency);
	const char *now = arena_printf(d->arena, "New (%s)", currency);
	const char *price = arena_printf(d->arena, "Price (%s)", currency);
	const struct doc_column prices[] = {{"Family", DOC_LEFT}, {"SKU", DOC_LEFT},
		{"Kept as", DOC_LEFT}, {"Item", DOC_LEFT}, {old, DOC_RIGHT}, {now, DOC_RIGHT},
		{"Per", DOC_LEFT}, {"Change", DOC_RIGHT}, {"%", DOC_RIGHT}};
	const struct doc_column units[] = {{"Family", DOC_LEFT}, {"SKU", DOC_LEFT},
		{"Kept as", DOC_LEFT}, {"Item", DOC_LEFT}, {old, DOC_RIGHT}, {"Per", DOC_LEFT},
		{now, DOC_RIGHT}, {"Per", DOC_LEFT}};
	const struct doc_column rows[] = {{"Family", DOC_LEFT}, {"SKU", DOC_LEFT},
		{"Kept as", DOC_LEFT}, {"Item", DOC_LEFT}, {price, DOC_RIGHT}, {"Per", DOC_LEFT},
		{"Meter", DOC_LEFT}};
	const char *caption = arena_printf(d->arena, "%s (%zu)", captions[kind], n);
	if (kind == PRICE_CHANGE_PRICE)
		return doc_table(d, caption, prices, N(prices));
	if (kind == PRICE_CHANGE_UNIT)
		return doc_table(d, caption, units, N(units));
	return doc_table(d, caption, rows, N(rows));
}

void
prices_change_doc(struct doc *d, const struct price_diff *diff, double max_frac)
{
	static void (*const put[PRICE_CHANGE_COUNT])(
		struct doc *, struct doc_table *, const struct price_change *) = {
		[PRICE_CHANGE_PRICE] = put_price_change,
		[PRICE_CHANGE_UNIT] = put_unit_change,
		[PRICE_CHANGE_ADDED] = put_lone_row,
		[PRICE_CHANGE_REMOVED] = put_lone_row,
	};
	for (int kind = 0; kind < PRICE_CHANGE_COUNT; kind++) {
		struct doc_table *t = NULL;
		size_t n = 0;
		for (size_t i = 0; i < diff->n; i++)
			n += (int)diff->items[i].kind == kind &&
			     (max_frac < 0 || price_change_is_drift(&diff->items[i], max_frac));
		for (size_t i = 0; i < diff->n; i++) {
			const struct price_change *c = &diff->items[i];
			if ((int)c->kind != kind ||
				(max_frac >= 0 && !price_change_is_drift(c, max_frac)))
				continue;
			if (!t)
				t = change_table(d, c->kind, n, diff->now->currency);
			put[kind](d, t, c);
		}
	}
}

static void
put_line(struct doc *d, struct doc_table *t, const struct repriced_line *l)
{
	const struct bill_line *line = l->line;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", line->what);
	doc_cell(d, t, 1, "%s",
		isnan(line->quantity) ? "unknown" : prices_decimal(d->arena, line->quantity));
	doc_cell(d, t, 2, "%s", line->unit);
	doc_cell(d, t, 3, "%s", money_text(d, line->amount, 2));
	doc_cell(d, t, 4, "%s", money_text(d, l->amount, 2));
	if (!isnan(l->amount) && !isnan(line->amount))
		doc_cell(d, t, 5, "%+.2f", l->amount - line->amount);
	doc_cell(d, t, 6, "%s", l->why ? l->why : "");
}

/* The lower ends: the least quantity at either price; the same as the totals without an interval. */
static void
lower_ends(const struct repriced *r, double *old, double *now)
{
	*old = r->old_total;
	*now = r->total;
	for (size_t i = 0; i < r->n; i++) {
		const struct bill_line *line = r->lines[i].line;
		if (isnan(line->amount_low) || !(line->amount > 0))
			continue;
		*old -= line->amount - line->amount_low;
		if (!isnan(r->lines[i].amount))
			*now -= r->lines[i].amount * (1 - line->amount_low / line->amount);
	}
}

/* "12.00", "10.00 to 12.00", "at least 10.00" */
static const char *
total_text(struct doc *d, double low, double high, bool complete)
{
	const char *least = money_text(d, low, 2);
	if (!complete)
		return arena_printf(d->arena, "at least %s", least);
	return low < high ? arena_printf(d->arena, "%s to %s", least, money_text(d, high, 2))
			  : least;
}

static void
put_plan(struct doc *d, const struct plan *plan, const struct repriced *r)
{
	const char *old = arena_printf(d->arena, "Old (%s)", plan->currency);
	const char *now = arena_printf(d->arena, "New (%s)", plan->currency);
	const struct doc_column columns[] = {{"Line of the bill", DOC_LEFT},
		{"Quantity", DOC_RIGHT}, {"Unit", DOC_LEFT}, {old, DOC_RIGHT}, {now, DOC_RIGHT},
		{"Change", DOC_RIGHT}, {"Unknown because", DOC_LEFT}};
	double old_low, low;
	lower_ends(r, &old_low, &low);
	doc_heading(d, 2, "The plan %s", plan->name ? plan->name : "");
	doc_paragraph(d,
		"Per month: %s %s before, %s %s after%s. The same quantities of the same "
		"meters; whether another choice is cheaper now, recommend tells.",
		total_text(d, old_low, r->old_total, r->old_complete), plan->currency,
		total_text(d, low, r->total, r->complete), plan->currency,
		r->complete ? "" : ", incomplete");
	bool whole = r->complete && r->old_complete;
	if (whole && (old_low < r->old_total || low < r->total))
		doc_paragraph(d,
			"Difference: %+.2f %s a month at the lower ends, %+.2f at the upper.",
			low - old_low, plan->currency, r->total - r->old_total);
	else if (whole && r->old_total > 0)
		doc_paragraph(d, "Difference: %+.2f %s a month (%+.2f %%).",
			r->total - r->old_total, plan->currency,
			(r->total / r->old_total - 1) * 100);
	struct doc_table *t = doc_table(d, "Monthly bill, old and new", columns, N(columns));
	for (size_t i = 0; i < r->n; i++)
		put_line(d, t, &r->lines[i]);
}

/* The plan's lines at both prices.  ERR_PRICE, with the page made, when a new amount is unknown. */
static int
add_plan(struct arguments *a, const struct price_diff *diff, struct doc *d, struct err *unknown,
	struct err *err)
{
	struct plan plan;
	struct repriced r;
	int rc = plan_load(a->plan, &a->common.arena, &plan, NULL, err);
	if (rc)
		return rc;
	if (!plan.bill)
		return err_set(err, ERR_RANGE, "%s: the plan has no bill", a->plan);
	rc = bill_reprice(plan.bill, diff->old, diff->now, &a->common.arena, &r, err);
	if (rc)
		return err_context(err, "%s", a->plan);
	double old_low, low;
	lower_ends(&r, &old_low, &low);
	put_plan(d, &plan, &r);
	if (!r.complete)
		err_set(unknown, ERR_PRICE,
			"%s: the new total is at least %.2f %s, incomplete; the table says why",
			a->plan, low, plan.currency);
	return 0;
}

const char *
prices_units_text(struct arena *a, const struct price_diff *diff)
{
	const char *text = diff->n_units
				   ? arena_printf(a,
					     " (%zu of them per another unit, at the same price "
					     "a month)",
					     diff->n_units)
				   : "";
	return text ? text : "";
}

static void
put_head(struct doc *d, const struct price_diff *diff)
{
	const struct price_book *old = diff->old, *now = diff->now;
	doc_paragraph(d,
		"Old: %s, %s, prices of %s. New: %s, %s, prices of %s. %zu prices changed, %zu "
		"units changed, %zu rows added, %zu removed, %zu the same%s.",
		old->name, old->currency, price_book_oldest(old), now->name, now->currency,
		price_book_oldest(now), diff->n_kind[PRICE_CHANGE_PRICE],
		diff->n_kind[PRICE_CHANGE_UNIT], diff->n_kind[PRICE_CHANGE_ADDED],
		diff->n_kind[PRICE_CHANGE_REMOVED], diff->n_same,
		prices_units_text(d->arena, diff));
	if (old->hours_per_month < now->hours_per_month ||
		old->hours_per_month > now->hours_per_month)
		doc_callout(d, DOC_WARNING, "Hours a month: %g in the old book, %g in the new.",
			old->hours_per_month, now->hours_per_month);
}

static int
work(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct cli_common *c = &a->common;
	struct price_book books[2];
	struct price_diff diff;
	struct doc d;
	struct err unknown = {.code = ERR_OK};
	int rc = 0;
	for (size_t i = 0; i < N(books) && rc == 0; i++) {
		const char *path = prices_book_path(c, a->books[i], err);
		rc = path ? cli_keep_input(c, path, err) : (int)err->code;
		rc = rc ? rc : price_book_load(path, &c->arena, &books[i], NULL, err);
	}
	rc = rc ? rc : price_diff(&books[0], &books[1], &c->arena, &diff, err);
	if (rc)
		return rc;
	doc_init(&d, &c->arena,
		arena_printf(
			&c->arena, "Prices of %s and %s compared", books[0].name, books[1].name));
	put_head(&d, &diff);
	prices_change_doc(&d, &diff, -1);
	rc = a->plan ? cli_keep_input(c, a->plan, err) : 0;
	rc = rc || !a->plan ? rc : add_plan(a, &diff, &d, &unknown, err);
	rc = rc ? rc : cli_output(c, &d, NULL, NULL, err);
	if (rc == 0 && unknown.code) {
		*err = unknown;
		rc = (int)unknown.code;
	}
	return rc;
}

int
prices_diff_run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "OLD NEW",
		.doc = "Show what changed between two price books: rows added and removed, prices "
		       "and units changed. A book is a file, a URL, or the name of one in the data "
		       "folder, as azure-westeurope.\v"
		       "With --plan, exit 5 when a line of its bill has no price in the new book.",
		.children = children};
	struct arguments a = {.n = 0};
	return cli_run(&argp, argc, argv, &a, work);
}
