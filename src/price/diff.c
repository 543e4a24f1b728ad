#include "price/diff.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

static const char *const kinds[] = {
	[PRICE_CHANGE_PRICE] = "price",
	[PRICE_CHANGE_UNIT] = "unit",
	[PRICE_CHANGE_ADDED] = "added",
	[PRICE_CHANGE_REMOVED] = "removed",
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == PRICE_CHANGE_COUNT, "a name per kind");
const struct names price_change_names = {"change", kinds, PRICE_CHANGE_COUNT};

const struct price_row *
price_diff_counterpart(const struct price_book *book, const struct price_row *row)
{
	for (size_t i = 0; i < book->n_rows; i++) {
		if (price_row_same_thing(&book->rows[i], row))
			return &book->rows[i];
	}
	return NULL;
}

static int
add(struct price_diff *d, struct arena *a, const struct price_change *change, struct err *err)
{
	struct price_change *items = arena_grow(a, d->items, d->n, sizeof(*items));
	if (!items)
		return err_nomem(err);
	struct price_change c = *change;
	bool priced = c.kind == PRICE_CHANGE_PRICE;
	if (!priced)
		c.before = c.after = (double)NAN;
	c.delta = c.after - c.before;
	c.frac = priced && c.before > 0 ? c.delta / c.before : (double)NAN;
	items[d->n++] = c;
	d->items = items;
	d->n_kind[c.kind]++;
	return 0;
}

/* Both come from decimal text, so that a difference below this is none. */
static bool
same_price(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/*
 * Prices an hour are published with nine decimals: over a month, half a unit of the last one is what
 * lies between 0.000054795 an hour and 0.04 a month.
 */
static bool
same_rounded(double a, double b, double hours_per_month)
{
	return fabs(a - b) <= 0.5e-9 * hours_per_month || same_price(a, b);
}

static bool
is_per_hour(const struct price_row *row)
{
	return row->unit != (int)price_unit_normal((enum price_unit)row->unit) &&
	       row->unit != PRICE_UNIT_1M && row->unit != PRICE_UNIT_TB;
}

/* Prices that do not stand side by side as published are compared in the unit they share. */
static int
compare_normal(struct price_diff *d, struct arena *a, struct price_change *c, struct err *err)
{
	c->normalised = true;
	c->before = price_row_normal(d->old, c->old);
	c->after = price_row_normal(d->now, c->now);
	bool hourly = is_per_hour(c->old) != is_per_hour(c->now);
	double hours = fmax(d->old->hours_per_month, d->now->hours_per_month);
	bool same = hourly ? same_rounded(c->before, c->after, hours)
			   : same_price(c->before, c->after);
	if (!same)
		return add(d, a, c, err);
	d->n_same++;
	d->n_units += c->old->unit != c->now->unit;
	return 0;
}

static int
compare(struct price_diff *d, struct arena *a, const struct price_row *now, struct err *err)
{
	const struct price_row *old = price_diff_counterpart(d->old, now);
	struct price_change c = {
		.kind = old ? PRICE_CHANGE_PRICE : PRICE_CHANGE_ADDED, .old = old, .now = now};
	if (!old)
		return add(d, a, &c, err);
	double old_term = old->term_months > 0 ? old->term_months : 0;
	double term = now->term_months > 0 ? now->term_months : 0;
	if (old->unit != now->unit || old_term < term || old_term > term) {
		if (price_unit_normal((enum price_unit)old->unit) ==
			price_unit_normal((enum price_unit)now->unit))
			return compare_normal(d, a, &c, err);
		c.kind = PRICE_CHANGE_UNIT;
		return add(d, a, &c, err);
	}
	c.before = old->price;
	c.after = now->price;
	if (!same_price(old->price, now->price))
		return add(d, a, &c, err);
	d->n_same++;
	return 0;
}

int
price_diff(const struct price_book *old, const struct price_book *now, struct arena *a,
	struct price_diff *diff, struct err *err)
{
	struct price_diff d = {.old = old, .now = now};
	int rc = 0;
	if (strcmp(old->provider, now->provider) != 0)
		return err_set(err, ERR_RANGE, "%s is of %s, %s of %s: nothing compares", old->name,
			old->provider, now->name, now->provider);
	if (strcmp(old->currency, now->currency) != 0)
		return err_set(err, ERR_RANGE,
			"%s is in %s, %s in %s: prices compare in one currency", old->name,
			old->currency, now->name, now->currency);
	for (size_t i = 0; i < now->n_rows && rc == 0; i++)
		rc = compare(&d, a, &now->rows[i], err);
	for (size_t i = 0; i < old->n_rows && rc == 0; i++) {
		if (!price_diff_counterpart(now, &old->rows[i]))
			rc = add(&d, a,
				&(struct price_change){
					.kind = PRICE_CHANGE_REMOVED, .old = &old->rows[i]},
				err);
	}
	if (rc == 0)
		*diff = d;
	return rc;
}

bool
price_change_is_drift(const struct price_change *change, double max_frac)
{
	switch (change->kind) {
	case PRICE_CHANGE_REMOVED:
	case PRICE_CHANGE_UNIT:
		return true;
	case PRICE_CHANGE_PRICE:
		return !(fabs(change->frac) <= max_frac);
	case PRICE_CHANGE_ADDED:
	case PRICE_CHANGE_COUNT:
		break;
	}
	return false;
}

/* A price published per another unit that moved: the unit is the first thing to look at. */
static enum price_change_kind
drift_reason(const struct price_change *c)
{
	bool unit = c->kind == PRICE_CHANGE_PRICE && c->normalised && c->old->unit != c->now->unit;
	return unit ? PRICE_CHANGE_UNIT : c->kind;
}

static const char *
unit_of(const struct price_row *row)
{
	return row->unit_published ? row->unit_published : names_text(&price_unit_names, row->unit);
}

static const char *
family_of(const struct price_change *c)
{
	return c->old ? c->old->family : c->now->family;
}

/* The units of the first change of a family that is drift by its unit: " (1/Month to 1/Hour)". */
static void
put_units(const struct price_diff *d, size_t first, double max_frac, struct buf *text)
{
	for (size_t i = first; i < d->n; i++) {
		const struct price_change *c = &d->items[i];
		if (!price_change_is_drift(c, max_frac) || drift_reason(c) != PRICE_CHANGE_UNIT ||
			strcmp(c->now->family, family_of(&d->items[first])) != 0)
			continue;
		buf_printf(text, " (%s to %s)", unit_of(c->old), unit_of(c->now));
		return;
	}
}

/* How many changes of a family are drift, by kind; 0 for one that an earlier change has counted. */
static size_t
count_family(const struct price_diff *d, size_t first, double max_frac,
	size_t n_kind[PRICE_CHANGE_COUNT])
{
	const char *family = family_of(&d->items[first]);
	size_t n = 0;
	memset(n_kind, 0, PRICE_CHANGE_COUNT * sizeof(n_kind[0]));
	for (size_t i = 0; i < d->n; i++) {
		const struct price_change *c = &d->items[i];
		if (!price_change_is_drift(c, max_frac) || strcmp(family_of(c), family) != 0)
			continue;
		if (i < first)
			return 0;
		n_kind[drift_reason(c)]++;
		n++;
	}
	return n;
}

size_t
price_drift(const struct price_diff *diff, double max_frac, struct buf *text)
{
	size_t total = 0;
	for (size_t i = 0; i < diff->n; i++) {
		size_t n[PRICE_CHANGE_COUNT];
		if (!price_change_is_drift(&diff->items[i], max_frac))
			continue;
		size_t of_family = count_family(diff, i, max_frac, n);
		if (of_family == 0)
			continue;
		buf_printf(text, "%s%s", total ? "; " : "", family_of(&diff->items[i]));
		const char *comma = " ";
		if (n[PRICE_CHANGE_REMOVED]) {
			buf_printf(text, "%sloses %zu row%s", comma, n[PRICE_CHANGE_REMOVED],
				n[PRICE_CHANGE_REMOVED] > 1 ? "s" : "");
			comma = ", ";
		}
		if (n[PRICE_CHANGE_UNIT]) {
			buf_printf(text, "%schanges %zu unit%s", comma, n[PRICE_CHANGE_UNIT],
				n[PRICE_CHANGE_UNIT] > 1 ? "s" : "");
			put_units(diff, i, max_frac, text);
			comma = ", ";
		}
		if (n[PRICE_CHANGE_PRICE])
			buf_printf(text, "%smoves %zu price%s by more than %.4g %%", comma,
				n[PRICE_CHANGE_PRICE], n[PRICE_CHANGE_PRICE] > 1 ? "s" : "",
				max_frac * 100);
		total += of_family;
	}
	return total;
}
