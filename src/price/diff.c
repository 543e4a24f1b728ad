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
add(struct price_diff *d, struct arena *a, enum price_change_kind kind, const struct price_row *old,
	const struct price_row *now, struct err *err)
{
	struct price_change *items = arena_grow(a, d->items, d->n, sizeof(*items));
	if (!items)
		return err_nomem(err);
	struct price_change c = {kind, old, now, (double)NAN, (double)NAN};
	if (kind == PRICE_CHANGE_PRICE) {
		c.delta = now->price - old->price;
		c.frac = old->price > 0 ? c.delta / old->price : (double)NAN;
	}
	items[d->n++] = c;
	d->items = items;
	d->n_kind[kind]++;
	return 0;
}

/* Both come from decimal text, so that a difference below this is none. */
static bool
same_price(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static int
compare(struct price_diff *d, struct arena *a, const struct price_row *now, struct err *err)
{
	const struct price_row *old = price_diff_counterpart(d->old, now);
	if (!old)
		return add(d, a, PRICE_CHANGE_ADDED, NULL, now, err);
	if (old->unit != now->unit)
		return add(d, a, PRICE_CHANGE_UNIT, old, now, err);
	if (!same_price(old->price, now->price))
		return add(d, a, PRICE_CHANGE_PRICE, old, now, err);
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
			rc = add(&d, a, PRICE_CHANGE_REMOVED, &old->rows[i], NULL, err);
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

static const char *
family_of(const struct price_change *c)
{
	return c->old ? c->old->family : c->now->family;
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
		n_kind[c->kind]++;
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
