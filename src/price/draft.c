#include "price/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CONFLICTS_TOLD = 6 };

struct draft_row {
	struct price_row row;
	size_t number; /* among all that the rules can give */
	const char *id;
};

int
draft_init(struct draft *draft, const struct meters *meters, struct arena *a, struct err *err)
{
	*draft = (struct draft){.arena = a, .meters = meters};
	buf_init(&draft->conflicts, 4096);
	draft->found = arena_array(a, meters_rows(meters) + 1, sizeof(*draft->found));
	draft->parts = draft_parts_new(a, meters_parts(meters));
	return draft->found && draft->parts ? 0 : err_nomem(err);
}

void
draft_fini(struct draft *draft)
{
	buf_fini(&draft->conflicts);
}

void
draft_restart(struct draft *draft)
{
	memset(draft->found, 0, meters_rows(draft->meters) * sizeof(*draft->found));
	draft_parts_clear(draft->parts, meters_parts(draft->meters));
	draft->rows = NULL;
	draft->n_rows = draft->n_conflicts = draft->repeated = 0;
	draft->conflicts.len = 0;
}

/* "premium_ssd P30 LRS disk" */
static void
put_match(struct buf *out, const struct meter_match *m)
{
	buf_printf(out, "%s%s%s%s%s %s", m->rule->family, m->sku ? " " : "", m->sku ? m->sku : "",
		m->redundancy ? " " : "", m->redundancy ? m->redundancy : "",
		names_text(&price_item_names, m->rule->item));
}

static int
refuse_named(const char *name, const struct draft_meter *meter, const char *what, struct err *err)
{
	return err_set(err, ERR_PRICE, "%s: meter \"%.80s\" of \"%.80s\" %s", name, meter->meter,
		meter->product, what);
}

static int
refuse(const struct meter_match *match, const struct draft_meter *meter, const char *what,
	struct err *err)
{
	struct buf row;
	buf_init(&row, 512);
	put_match(&row, match);
	int rc = refuse_named(buf_text(&row), meter, what, err);
	buf_fini(&row);
	return rc;
}

int
draft_check_price(const struct draft *draft, const char *name, const struct draft_meter *meter,
	const struct meter_unit **unit, struct err *err)
{
	char what[160];
	if (!isfinite(meter->price) || meter->price < 0) {
		snprintf(
			what, sizeof(what), "costs %g: a number from 0 was expected", meter->price);
		return refuse_named(name, meter, what, err);
	}
	if (!isfinite(meter->tier_min) || meter->tier_min < 0) {
		snprintf(what, sizeof(what), "has a price from %g units on: 0 or more expected",
			meter->tier_min);
		return refuse_named(name, meter, what, err);
	}
	*unit = meters_unit(draft->meters, meter->unit);
	if (*unit)
		return 0;
	snprintf(what, sizeof(what), "is priced per \"%.60s\", a unit the rules do not know",
		meter->unit);
	return refuse_named(name, meter, what, err);
}

static int
check_meter(const struct draft *d, const struct meter_match *match, const struct draft_meter *meter,
	const struct meter_unit **unit, struct err *err)
{
	char what[160];
	struct buf row;
	buf_init(&row, 512);
	put_match(&row, match);
	int rc = draft_check_price(d, buf_text(&row), meter, unit, err);
	buf_fini(&row);
	if (rc || !*unit ||
		price_item_takes(
			(enum price_item)match->rule->item, (enum price_unit)(*unit)->unit))
		return rc;
	snprintf(what, sizeof(what), "is priced per \"%.60s\", which does not fit what it is",
		meter->unit);
	return refuse(match, meter, what, err);
}

/* The published number is decimal and short; dividing must not leave a tail of binary dust. */
static double
per_unit(double price, double per)
{
	char text[40];
	snprintf(text, sizeof(text), "%.12g", price / per);
	return strtod(text, NULL);
}

static bool
same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool
same_number(double a, double b)
{
	return !(a < b) && !(a > b);
}

static void
tell_conflict(struct draft *d, const struct meter_match *match, const struct draft_row *a,
	const struct draft_row *b)
{
	if (d->n_conflicts++ >= CONFLICTS_TOLD)
		return;
	buf_put(&d->conflicts, d->n_conflicts > 1 ? "; " : "");
	put_match(&d->conflicts, match);
	buf_printf(&d->conflicts,
		"%s%s: \"%.60s\" of \"%.60s\" %.10g (%.80s) and \"%.60s\" of \"%.60s\" %.10g "
		"(%.80s)",
		a->row.term ? ", " : "", a->row.term ? a->row.term : "", a->row.meter,
		a->row.product, a->row.price, a->id, b->row.meter, b->row.product, b->row.price,
		b->id);
}

/* Whether the row is there already, told when it says something else. */
static bool
is_taken(struct draft *d, const struct meter_match *match, const struct draft_row *new)
{
	for (size_t i = 0; i < d->n_rows; i++) {
		const struct draft_row *r = &d->rows[i];
		if (r->number != new->number || !same_text(r->row.term, new->row.term) ||
			!same_number(r->row.tier_min, new->row.tier_min))
			continue;
		if (same_text(r->id, new->id) && same_number(r->row.price, new->row.price))
			d->repeated++;
		else
			tell_conflict(d, match, r, new);
		return true;
	}
	return false;
}

/* "2018-05-01T00:00:00Z" -> "2018-05-01"; NULL for anything that is no day. */
static const char *
day_of(struct arena *a, const char *text)
{
	int64_t days = 0;
	char *day = text && strlen(text) >= 10 ? arena_strndup(a, text, 10) : NULL;
	return day && clock_parse_date(day, &days, NULL) == 0 ? day : NULL;
}

int
draft_add(struct draft *draft, const struct meter_match *match, const struct draft_meter *meter,
	struct err *err)
{
	struct arena *a = draft->arena;
	const struct meter_rule *rule = match->rule;
	const struct meter_unit *unit = NULL;
	int rc = check_meter(draft, match, meter, &unit, err);
	if (rc || !unit)
		return rc;
	const char *note = meter->note ? meter->note : rule->note;
	/* a free first tier is the allowance itself, which the paid one begins above */
	bool ours = meter->tier_min <= 0 && meter->price > 0 && !isnan(rule->tier_min);
	struct draft_row r = {.number = match->row};
	price_row_clear(&r.row);
	r.row.family = rule->family;
	r.row.sku = match->sku;
	r.row.redundancy = match->redundancy;
	r.row.item = rule->item;
	r.row.unit = unit->unit;
	r.row.price = per_unit(meter->price, unit->per);
	r.row.published_per = unit->per < 1 || unit->per > 1 ? unit->per : (double)NAN;
	r.row.tier_min = ours ? rule->tier_min : meter->tier_min;
	r.row.term = meter->term ? meter->term : rule->term;
	r.row.term_months = meter->term_months > 0 ? meter->term_months : (double)NAN;
	r.row.meter = meter->meter;
	r.row.product = meter->product;
	r.id = meter->id;
	if (is_taken(draft, match, &r))
		return 0;
	r.row.term = r.row.term ? arena_strdup(a, r.row.term) : NULL;
	r.row.product = arena_strdup(a, meter->product);
	r.row.meter = arena_strdup(a, meter->meter);
	r.row.unit_published = arena_strdup(a, meter->unit);
	r.row.note = note ? arena_strdup(a, note) : NULL;
	r.row.effective = day_of(a, meter->effective);
	r.id = arena_strdup(a, meter->id);
	struct draft_row *rows = arena_grow(a, draft->rows, draft->n_rows, sizeof(*rows));
	if (!rows || !r.row.product || !r.row.meter || !r.row.unit_published || !r.id)
		return err_nomem(err);
	rows[draft->n_rows++] = r;
	draft->rows = rows;
	draft->found[match->row] = true;
	return 0;
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct draft_row *a = pa, *b = pb;
	int c = (a->number > b->number) - (a->number < b->number);
	c = c ? c : strcmp(a->row.term ? a->row.term : "", b->row.term ? b->row.term : "");
	return c ? c : (a->row.tier_min > b->row.tier_min) - (a->row.tier_min < b->row.tier_min);
}

/* The rows are sorted: the last tier of a meter is followed by another meter, or by nothing. */
static int
check_free(const struct draft *d, struct err *err)
{
	for (size_t i = 0; i < d->n_rows; i++) {
		const struct draft_row *r = &d->rows[i], *next = r + 1;
		bool last = i + 1 == d->n_rows || next->number != r->number ||
			    !same_text(next->row.term, r->row.term);
		struct meter_match match;
		if (!last || r->row.price > 0)
			continue;
		meters_row(d->meters, r->number, &match);
		return refuse(&match,
			&(struct draft_meter){.meter = r->row.meter, .product = r->row.product},
			"costs 0 with no paid tier above: taken for a fault, not for a gift", err);
	}
	return 0;
}

void
draft_conflict(struct draft *draft, const char *text)
{
	if (draft->n_conflicts++ < CONFLICTS_TOLD)
		buf_printf(&draft->conflicts, "%s%s", draft->n_conflicts > 1 ? "; " : "", text);
}

int
draft_finish(struct draft *draft, struct price_book *book, struct err *err)
{
	int summed = draft_sum_parts(draft, err);
	if (summed)
		return summed;
	if (draft->n_conflicts)
		return err_set(err, ERR_PRICE, "%zu row%s with several prices: %s%s",
			draft->n_conflicts, draft->n_conflicts > 1 ? "s" : "",
			buf_text(&draft->conflicts),
			draft->n_conflicts > CONFLICTS_TOLD ? "; and more" : "");
	if (draft->n_rows == 0)
		return err_set(err, ERR_PRICE, "no meter that a rule asks for was found");
	qsort(draft->rows, draft->n_rows, sizeof(*draft->rows), compare_rows);
	int rc = check_free(draft, err);
	struct price_row *rows = arena_array(draft->arena, draft->n_rows, sizeof(*rows));
	if (rc || !rows)
		return rc ? rc : err_nomem(err);
	for (size_t i = 0; i < draft->n_rows; i++)
		rows[i] = draft->rows[i].row;
	book->rows = rows;
	book->n_rows = draft->n_rows;
	return 0;
}

/* The group of a row is the same rule and redundancy; each begins with what they share. */
static bool
same_group(const struct meter_match *a, const struct meter_match *b)
{
	return a->rule == b->rule && same_text(a->redundancy, b->redundancy);
}

static const char *
group_text(struct draft *d, size_t first, size_t *next)
{
	struct meter_match head, m;
	struct buf out;
	size_t n = meters_rows(d->meters), listed = 0, i = first;
	meters_row(d->meters, first, &head);
	buf_init(&out, 8192);
	buf_printf(&out, "%s %s%s%s%s%s", head.rule->family,
		names_text(&price_item_names, head.rule->item), head.redundancy ? " " : "",
		head.redundancy ? head.redundancy : "", head.rule->term ? ", " : "",
		head.rule->term ? head.rule->term : "");
	for (; i < n; i++) {
		meters_row(d->meters, i, &m);
		if (!same_group(&head, &m))
			break;
		if (!d->found[i] && m.sku)
			buf_printf(&out, "%s%s", listed++ ? ", " : ": ", m.sku);
	}
	*next = i;
	draft_missing_parts(d, head.rule, &out);
	const char *text = arena_strdup(d->arena, buf_text(&out));
	buf_fini(&out);
	return text;
}

int
draft_unknown(struct draft *draft, const char ***texts, size_t *n, struct err *err)
{
	size_t rows = meters_rows(draft->meters);
	*texts = NULL;
	*n = 0;
	for (size_t i = 0; i < rows;) {
		struct meter_match m;
		meters_row(draft->meters, i, &m);
		if (draft->found[i] || m.rule->optional == 1) {
			i++;
			continue;
		}
		const char *text = group_text(draft, i, &i);
		const char **grown = arena_grow(draft->arena, *texts, *n, sizeof(*grown));
		if (!text || !grown)
			return err_nomem(err);
		grown[(*n)++] = text;
		*texts = grown;
	}
	return 0;
}
