/*
 * meters.h - which published meter becomes which row of a price book: the document
 * "tierwise/meters/1" (pricing/meters-<provider>.json).
 *
 * A rule names the texts of a meter whole: nothing is matched by a prefix, a part or the lowest price,
 * so "P30 LRS Disk Mount" is never "P30 LRS Disk".  {sku} and {redundancy} in a text stand for each
 * entry of the rule's lists.  Old and new names of one meter stand side by side in "is".  What a
 * published unit means is said here, too: one provider's "GB" is 10^9 bytes, another's 2^30.
 */
#ifndef PRICE_METERS_H
#define PRICE_METERS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/schema.h"
#include "price/book.h"

enum { METERS_FIELDS_MAX = 32 };

/* The field is one of these texts, exactly. */
struct meter_test {
	const char *field;
	const char **is;
	size_t n_is;
	/* Set by meters_load(): number of the field among those of struct meters, places in a text. */
	size_t index;
	bool has_places;
};

struct meter_unit {
	const char *published;
	int unit; /* enum price_unit */
	double per; /* how many of our unit one published unit is (default 1) */
};

/*
 * One meter of a thing that is sold by its parts: a machine by its processors and its memory.  The row's
 * price is the sum over the parts of price and quantity.
 */
struct meter_part {
	const char *part; /* "core", "ram": for messages */
	int unit; /* enum price_unit its meter must have */
	double *quantities; /* one for each SKU of the rule */
	size_t n_quantities;
	struct meter_test *where; /* all of them */
	size_t n_where;
};

struct meter_rule {
	const char *family;
	int item; /* enum price_item */
	const char **skus;
	size_t n_skus; /* 0: the row has none */
	const char **redundancies;
	size_t n_redundancies; /* 0: the row has none */
	const char *term; /* of each row; NULL: pay as you go, or as the source says */
	struct meter_test *where; /* all of them; none: the rule has parts */
	size_t n_where;
	struct meter_part *parts;
	size_t n_parts;
	double tier_min; /* where the provider says it in its documents only; NaN: as published */
	int optional; /* flag: a region without it is nothing to mention */
	const char *note; /* of each row */
};

/* A region as the provider's lists call it where they do not give its code. */
struct meter_region {
	const char *region;
	const char **locations; /* any of these texts, exactly: old and new names */
	size_t n_locations;
};

struct meters {
	const char *provider, *as_of, *source;
	const char *url; /* where to ask; {region} stands for the region */
	const char **queries; /* filters, each asked for by itself */
	size_t n_queries;
	struct meter_unit *units;
	size_t n_units;
	struct meter_region *regions;
	size_t n_regions;
	struct meter_rule *rules;
	size_t n_rules;
	/* The fields that rules look at, each once: set by meters_load(). */
	const char *fields[METERS_FIELDS_MAX];
	size_t n_fields;
};

extern const struct schema meters_schema;

int meters_load(const char *path, struct arena *a, struct meters *meters, struct err *err);
int meters_read(struct jval root, struct arena *a, struct meters *meters, struct err *err);

struct meter_match {
	const struct meter_rule *rule; /* NULL: no rule wants this meter */
	const char *sku, *redundancy; /* of the row, or NULL */
	size_t row; /* number of the row among all that rules can give, from 0 */
};

/*
 * values[i] is the text of fields[i], "" when it has none.  ERR_PRICE when two rules want one meter:
 * the rules are at fault.
 */
int meters_match(const struct meters *meters, const char *const *values, struct meter_match *match,
	struct err *err);

struct part_match {
	const struct meter_rule *rule; /* NULL: no part wants this meter */
	const struct meter_part *part;
	size_t number; /* of the part among all, from 0 */
};

/* The same for the parts of rules, which meters_match() leaves out. */
int meters_match_part(const struct meters *meters, const char *const *values,
	struct part_match *match, struct err *err);

/* How many parts the rules have together. */
size_t meters_parts(const struct meters *meters);

/* Whether rules ask for a row with this family, SKU, redundancy and item, at whatever term. */
bool meters_ask_for(const struct meters *meters, const struct price_row *row);

/* How many rows the rules can give, and what number `row` among them is. */
size_t meters_rows(const struct meters *meters);
void meters_row(const struct meters *meters, size_t row, struct meter_match *match);

size_t meters_rule_rows(const struct meter_rule *rule);

/* NULL when the unit is not in the list. */
const struct meter_unit *meters_unit(const struct meters *meters, const char *published);

/* NULL when the region is not in the list. */
const struct meter_region *meters_region(const struct meters *meters, const char *region);

/* Copy of a text with {region} replaced. */
const char *meters_text(const char *text, const char *region, struct arena *a);

#endif /* PRICE_METERS_H */
