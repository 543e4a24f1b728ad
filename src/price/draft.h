/*
 * draft.h - a price book while it is gathered from meters: what matched, what matched twice, what is
 * still unknown.
 *
 * Nothing is decided by order or by the lowest price.  The same meter seen again with the same price
 * (pages that overlap) counts once; anything else that wants a row already taken is a conflict, and all
 * conflicts are told.  A price of 0 counts only as the tier below a paid one.
 */
#ifndef PRICE_DRAFT_H
#define PRICE_DRAFT_H

#include "price/book.h"
#include "price/meters.h"

/* A meter as published. */
struct draft_meter {
	const char *id; /* what tells this meter from one of the same name */
	const char *product, *meter, *unit; /* in the provider's words */
	double price; /* per published unit */
	double tier_min; /* as published */
	const char *term; /* NULL: pay as you go */
	double term_months; /* the price is for so many months at once; 0: for one unit of time */
	const char *effective; /* date the price holds from, or NULL */
	const char *note; /* NULL: the rule's */
};

struct draft_row; /* a row and where it came from */
struct draft_part; /* the meter of a part of a rule */

struct draft {
	struct arena *arena;
	const struct meters *meters;
	struct draft_row *rows;
	size_t n_rows, repeated;
	struct draft_part *parts; /* by number of the part among all of the rules */
	bool *found; /* by number of the row among all that the rules can give */
	struct buf conflicts;
	size_t n_conflicts;
};

int draft_init(struct draft *draft, const struct meters *meters, struct arena *a, struct err *err);
void draft_fini(struct draft *draft);
/* Forget every row. */
void draft_restart(struct draft *draft);

/*
 * Add a meter that matched.  ERR_PRICE, naming the meter: a unit the rules do not know or that does not
 * fit the item, a price that is negative or no number.
 */
int draft_add(struct draft *draft, const struct meter_match *match, const struct draft_meter *meter,
	struct err *err);

/*
 * Add the meter of a part: draft_parts.c.  ERR_PRICE as for a whole row, and for a price that depends on
 * the quantity.
 */
struct draft_part *draft_parts_new(struct arena *a, size_t n);
void draft_parts_clear(struct draft_part *parts, size_t n);
int draft_add_part(struct draft *draft, const struct part_match *match,
	const struct draft_meter *meter, struct err *err);
/* Make rows of the rules whose parts are all there; draft_finish() calls it. */
int draft_sum_parts(struct draft *draft, struct err *err);
/* The parts of a rule that no meter gave, "ram" or "core, ram"; "" when the rule has none or all are there. */
void draft_missing_parts(const struct draft *draft, const struct meter_rule *rule, struct buf *out);

/* The published unit and price of a meter make sense for a thing of that name; ERR_PRICE. */
int draft_check_price(const struct draft *draft, const char *name, const struct draft_meter *meter,
	const struct meter_unit **unit, struct err *err);
/* One more conflict, told at the end. */
void draft_conflict(struct draft *draft, const char *text);

/*
 * The rows in the order of the rules into book->rows.  ERR_PRICE for conflicts (all listed), for a meter
 * whose every price is 0, and when there is no row at all.
 */
int draft_finish(struct draft *draft, struct price_book *book, struct err *err);

/* The rows that rules ask for and no meter gave, grouped: "premium_ssd disk ZRS: P1, P2". */
int draft_unknown(struct draft *draft, const char ***texts, size_t *n, struct err *err);

#endif /* PRICE_DRAFT_H */
