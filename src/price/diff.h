/*
 * diff.h - what changed between two price books, and whether a fresh one may take the place of the old.
 */
#ifndef PRICE_DIFF_H
#define PRICE_DIFF_H

#include "base/arena.h"
#include "base/err.h"
#include "price/book.h"

enum price_change_kind {
	PRICE_CHANGE_PRICE, /* the same thing, another price; in units that compare */
	PRICE_CHANGE_UNIT, /* the same thing in another unit: the prices do not compare */
	PRICE_CHANGE_ADDED,
	PRICE_CHANGE_REMOVED,
	PRICE_CHANGE_COUNT
};
extern const struct names price_change_names; /* price unit added removed */

struct price_change {
	enum price_change_kind kind;
	const struct price_row *old, *now; /* NULL where there is none */
	/*
	 * What was compared: the prices as published when both are per the same unit, else both in the
	 * unit they have in common (price_unit_normal()).  NaN for other kinds.
	 */
	double before, after;
	bool normalised;
	double delta; /* after - before */
	double frac; /* delta / old; NaN also when the old price is 0 */
};

struct price_diff {
	const struct price_book *old, *now;
	struct price_change *items; /* in the order of the new book, then what is gone */
	size_t n, n_kind[PRICE_CHANGE_COUNT], n_same;
	size_t n_units; /* of the same: published per another unit, and no other price for that */
};

/* ERR_RANGE when the books are of different providers or currencies: nothing compares. */
int price_diff(const struct price_book *old, const struct price_book *now, struct arena *a,
	struct price_diff *diff, struct err *err);

/* The row of `book` for the same thing as `row`, or NULL. */
const struct price_row *price_diff_counterpart(
	const struct price_book *book, const struct price_row *row);

/*
 * Whether a change is drift, which a refresh must not take silently: a row is gone, its unit is another,
 * or its price moved by more than max_frac of the old one, or from 0.
 */
bool price_change_is_drift(const struct price_change *change, double max_frac);

/* How many changes are drift; *text receives a sentence about them, by family. */
size_t price_drift(const struct price_diff *diff, double max_frac, struct buf *text);

#endif /* PRICE_DIFF_H */
