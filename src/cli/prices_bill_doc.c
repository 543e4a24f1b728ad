#include "cli/prices_bill_doc.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

static const char *
money(struct doc *d, const struct bill *b, double amount)
{
	char text[48];
	units_money_text(amount, 2, text);
	const char *out = arena_printf(d->arena, "%s %s", b->currency, text);
	return out ? out : "";
}

/* What units_count_text() would show as nought is written out: 10 of 10,000 operations are 0.001. */
static const char *
quantity_text(struct arena *a, double quantity)
{
	char text[32];
	if (fabs(quantity) >= 1e-9 && fabs(quantity) < 0.05)
		return prices_decimal(a, quantity);
	if (fabs(quantity) > 0 && fabs(quantity) < 1e-9)
		return arena_printf(a, "%.3g", quantity);
	units_count_text(quantity, text);
	return arena_strdup(a, text);
}

static void
put_line(struct doc *d, struct doc_table *t, const struct bill_line *l, const char *without_term)
{
	const char *term = l->term ? l->term : without_term;
	char low[48], amount[48];
	const char *quantity = quantity_text(d->arena, l->quantity);
	units_money_text(l->amount_low, 2, low);
	units_money_text(l->amount, 2, amount);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s%s%s", l->what, term ? ", " : "", term ? term : "");
	doc_cell(d, t, 1, "%s", l->meter ? l->meter : "");
	doc_cell(d, t, 2, "%s", quantity ? quantity : "");
	doc_cell(d, t, 3, "%s", l->unit);
	doc_cell(d, t, 4, "%s",
		isnan(l->unit_price) ? "unknown" : prices_decimal(d->arena, l->unit_price));
	if (isnan(l->amount_low))
		doc_cell(d, t, 5, "%s", amount);
	else
		doc_cell(d, t, 5, "%s to %s", low, amount);
	doc_cell(d, t, 6, "%s, %s", l->as_of ? l->as_of : "no date",
		names_text(&trust_names, l->trust));
}

static void
put_lines(struct doc *d, const struct bill *b, const char *without_term)
{
	const char *price = arena_printf(d->arena, "Unit price (%s)", b->currency);
	const char *amount = arena_printf(d->arena, "Amount (%s a month)", b->currency);
	const struct doc_column columns[] = {{"Line", DOC_LEFT}, {"Meter", DOC_LEFT},
		{"Quantity", DOC_RIGHT}, {"Unit", DOC_LEFT}, {price, DOC_RIGHT},
		{amount, DOC_RIGHT}, {"As of, trust", DOC_LEFT}};
	struct doc_table *t = doc_table(
		d, "Bill by meter", columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < b->n_lines; i++)
		put_line(d, t, &b->lines[i], without_term);
	char total[48], low[48];
	units_money_text(b->total, 2, total);
	units_money_text(b->total_low, 2, low);
	doc_row(d, t);
	doc_cell(d, t, 0, "Total");
	doc_cell(d, t, 5, "%s%s%s%s%s", b->complete == 1 ? "" : "at least ",
		isnan(b->total_low) ? "" : low, isnan(b->total_low) ? "" : " to ", total,
		b->complete == 1 ? "" : ", incomplete");
}

/* Why more GiB are paid than were asked for. */
static const char *
why_wasted(struct arena *a, const struct limits *l, const struct disk_config *c)
{
	const struct disk_limit *fit = NULL, *d = c->disk;
	char size[32];
	units_count_text(c->size_gib, size);
	bool smaller = !isnan(d->billed_gib) &&
		       limits_disk_for_size(l, d->family, c->size_gib, &fit, NULL) == 0 && fit != d;
	const char *text = smaller ? arena_printf(a, "%s was asked for and %s GiB fit a %s", d->sku,
					     size, fit->sku)
				   : "sizes come in steps";
	return text ? text : "";
}

/* Why intervals, what the steps waste, and how many hours a month has. */
static void
put_remarks(struct doc *d, const struct bill *b, const char *why)
{
	const char *said = NULL;
	char wasted[32];
	for (size_t i = 0; i < b->n_lines; i++) {
		const char *note = b->lines[i].note;
		if (note && (!said || strcmp(said, note) != 0))
			doc_callout(d, DOC_NOTE, "%s: %s.", b->lines[i].what, note);
		said = note ? note : said;
	}
	units_count_text(b->wasted_gib, wasted);
	if (b->wasted_gib > 0)
		doc_paragraph(d, "Paid but not asked for, because %s: %s GiB, %s a month.", why,
			wasted, money(d, b, b->wasted_amount));
	if (b->hourly > 0)
		doc_paragraph(d,
			"%s of it is metered by the hour and counted for %g hours; a month of 31 "
			"days "
			"(744 h) comes to %s, one of 28 (672 h) to %s.",
			money(d, b, b->hourly), b->hours, money(d, b, bill_total_at(b, 744)),
			money(d, b, bill_total_at(b, 672)));
}

static bool
same_or_none(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/*
 * Whether the row is a commitment for what is billed, the disk (at its performance tier) or the machine, and
 * for how many.
 */
static bool
commits(const struct bill_asked *a, const struct price_row *r, double *count)
{
	const struct prices_bill_options *o = a->options;
	if (!r->term || !r->sku)
		return false;
	if (r->item == PRICE_ITEM_VM && o->machine && strcmp(r->sku, o->machine) == 0) {
		*count = o->machines;
		return true;
	}
	if (r->item != PRICE_ITEM_DISK || !a->disk)
		return false;
	const struct disk_limit *d = a->disk->raised ? a->disk->raised : a->disk->disk;
	*count = a->disk->disks;
	return strcmp(r->sku, d->sku) == 0 && strcmp(r->family, d->family) == 0 &&
	       same_or_none(r->redundancy, a->disk->redundancy);
}

static double
usual_price(const struct price_book *b, const struct price_row *committed)
{
	struct price_row key = *committed;
	key.term = NULL;
	for (size_t i = 0; i < b->n_rows; i++) {
		if (price_row_same_thing(&key, &b->rows[i]))
			return price_row_monthly(b, &b->rows[i]);
	}
	return (double)NAN;
}

static struct doc_table *
commitment_table(struct doc *d, const struct price_book *b)
{
	const char *monthly = arena_printf(d->arena, "A month (%s)", b->currency);
	const char *once = arena_printf(d->arena, "Paid at once (%s)", b->currency);
	const struct doc_column columns[] = {{"Commitment", DOC_LEFT}, {"For", DOC_LEFT},
		{monthly, DOC_RIGHT}, {"Less than on demand (%)", DOC_RIGHT}, {once, DOC_RIGHT},
		{"As of, trust", DOC_LEFT}};
	return doc_table(
		d, "Commitments in the book", columns, sizeof(columns) / sizeof(columns[0]));
}

static void
put_commitment(struct doc *d, struct doc_table *t, const struct price_book *b,
	const struct price_row *r, double count)
{
	char monthly[48], once[48], number[32];
	double price = price_row_monthly(b, r), usual = usual_price(b, r);
	units_money_text(count * price, 2, monthly);
	units_money_text(count * r->price, 2, once);
	units_count_text(count, number);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", r->term);
	doc_cell(d, t, 1, "%s x %s", number, r->sku);
	doc_cell(d, t, 2, "%s", monthly);
	if (isnan(usual))
		doc_cell(d, t, 3, "unknown");
	else
		doc_cell(d, t, 3, "%.1f", (1 - price / usual) * 100);
	doc_cell(d, t, 4, "%s", r->term_months > 0 ? once : "-");
	doc_cell(d, t, 5, "%s, %s", price_row_as_of(b, r),
		names_text(&trust_names, price_row_trust(b, r)));
}

/* What the book sells for longer, unless that was what was asked for. */
static void
put_commitments(struct doc *d, const struct bill_asked *a)
{
	struct doc_table *t = NULL;
	for (size_t i = 0; i < a->book->n_rows; i++) {
		const struct price_row *r = &a->book->rows[i];
		double count = 0;
		if (!commits(a, r, &count))
			continue;
		if (!t)
			t = commitment_table(d, a->book);
		put_commitment(d, t, a->book, r, count);
	}
	if (t && !a->options->term)
		doc_paragraph(d, "The total is on demand; --term TEXT, as in the table, takes a "
				 "commitment.");
}

static void
put_terms(struct doc *d, const struct prices_bill_options *o, const struct bill_terms *t)
{
	if (o->term && (!t->disk || !t->machine))
		doc_callout(d, DOC_NOTE, "\"%s\" is sold for the %s only: the %s on demand.",
			o->term, t->disk ? "disk" : "machine", t->disk ? "machine is" : "disk is");
}

void
prices_bill_page(const struct bill_asked *a, const struct bill_terms *terms,
	const struct bill *bill, struct doc *d)
{
	put_lines(d, bill, a->options->term ? "on demand" : NULL);
	put_commitments(d, a);
	put_terms(d, a->options, terms);
	put_remarks(d, bill, a->disk ? why_wasted(d->arena, a->limits, a->disk) : "");
}
