/*
 * source.h - current prices from a provider: one file source_NAME.c each, one row in source.c.
 *
 * A source walks what the provider publishes (pages, a file of lines, a catalogue), hands each meter to
 * the rules (price/meters.h) and ends with a price book or an error; never with part of a list.
 */
#ifndef PRICE_SOURCE_H
#define PRICE_SOURCE_H

#include "base/finding.h"
#include "price/draft.h"
#include "price/fetch.h"

struct price_ask {
	const char *region;
	const char *currency; /* ISO 4217; NULL: the provider's own */
	const char *const *from; /* files or one URL instead of the provider's address */
	size_t n_from;
	const char
		*as_of; /* day the prices were read, YYYY-MM-DD; NULL: today, or as the file says */
	const char *work_dir; /* pages of an interrupted walk are kept here; NULL: nowhere */
	bool fresh; /* pages kept before are not used */
	size_t pages_max; /* most pages of one walk */
	struct fetch_how how;
};

struct price_answer {
	struct price_book book;
	const char **unknown; /* what the rules ask for and nobody published */
	size_t n_unknown;
	size_t meters_seen, rows_taken; /* meters of any kind, and those that became a row */
	size_t pages, pages_kept; /* all, and those taken from an interrupted walk */
	size_t other_rows; /* prices the rules want, of other places than the one asked for: left out */
	bool file_day; /* the book's day is the time stamp of a file */
	double read_mb; /* 10^6 bytes of answers and files */
};

/* Everything a source needs; `arena` is that of the answer. */
struct price_run {
	const struct price_ask *ask;
	const struct meters *meters;
	struct arena *arena;
	struct draft draft;
	struct findings *findings;
	struct price_answer *answer;
	const char *today; /* YYYY-MM-DD: what is in force */
	const char *read_on; /* YYYY-MM-DD: the book's as_of, set by the source */
	const char *currency; /* of the rows, set by the source */
	const char *source; /* sentence for the book, set by the source */
};

struct price_source {
	const char *provider;
	const char *currency; /* when none is asked for */
	int (*collect)(struct price_run *run, struct err *err);
};

extern const struct price_source price_source_azure, price_source_aws, price_source_gcp;

/* NULL when there is none; `known` (may be NULL) receives "azure, aws or gcp". */
const struct price_source *price_source_find(const char *provider, struct buf *known);

/*
 * Prices of ask->region by the rules, as a book named PROVIDER-REGION that passes every check of
 * price_book_load().  Warnings go to findings.  ERR_NET, ERR_IO, ERR_PARSE, ERR_RANGE, ERR_PRICE
 * (nothing matched, several matched, a unit or price that makes no sense).
 */
int price_collect(const struct meters *meters, const struct price_ask *ask, struct arena *a,
	struct findings *findings, struct price_answer *answer, struct err *err);

/* --- for sources */

typedef int price_feed(void *ctx, const char *bytes, size_t n, struct err *err);

/* Hand a file ("-": standard input) to feed() in pieces. */
int price_feed_file(
	struct price_run *run, const char *path, price_feed *feed, void *ctx, struct err *err);

/* YYYY-MM-DD on which the file was last written, in the arena; NULL when it cannot be told. */
const char *price_file_day(struct arena *a, const char *path);

/*
 * Set run->read_on to the day of the oldest of the files that were given, as their time stamps say.
 * ERR_USAGE when one has none that tells (standard input, a pipe) and ask->as_of is not given: nobody
 * knows how old it is.
 */
int price_run_file_day(struct price_run *run, struct err *err);

/* "a b'c" -> "a%20b%27c", in the arena; NULL: out of memory. */
const char *price_url_encode(struct arena *a, const char *text);

/* Match one meter by its fields (values[i] belongs to meters->fields[i]) and add it when a rule wants
 * it.  *taken tells which. */
int price_run_take(struct price_run *run, const char *const *values,
	const struct draft_meter *meter, bool *taken, struct err *err);

/* What a book on a disk must pass: ERR_RANGE and so on, as price_book_load(). */
int price_book_check(struct price_book *book, struct arena *a, struct err *err);

/* The book as JSON, a row a line so that a change reads as a diff. */
void price_book_put(const struct price_book *book, struct buf *out);

#endif /* PRICE_SOURCE_H */
