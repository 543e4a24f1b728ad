/*
 * prices_update.c - `tierwise prices update PROVIDER REGION`: a fresh price book from the provider, a
 * mirror or saved answers, in the place of the old one only when nothing speaks against it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/prices_change.h"
#include "price/source.h"

enum {
	KEY_CURRENCY = 0x2200,
	KEY_FROM,
	KEY_ACCEPT,
	KEY_MAX_CHANGE,
	KEY_REPLACE,
	KEY_AS_OF,
	KEY_METERS,
	KEY_WORK,
	KEY_FRESH,
	KEY_RETRIES,
	KEY_RETRY_WAIT,
	KEY_STALL,
	KEY_MAX_PAGES,
};

enum { UNKNOWN_TOLD = 200, PAGES_MAX = 2000 };

struct arguments {
	struct cli_common common;
	const char *provider;
	struct price_ask ask;
	struct cli_texts from;
	const char *meters, *work;
	double max_change_frac;
	bool accept, replace;
	/* where the book goes, and what it is compared with: what is there, else the data folder's */
	const char *path, *old_path; /* old_path NULL: nothing to compare with */
	struct price_book old;
	struct meters rules;
	size_t n_carried; /* rows of the old book that the rules do not ask for */
};

static const struct argp_option options[] = {
	{"currency", KEY_CURRENCY, "CODE", 0, "Prices in this currency (default USD)", 1},
	{"from", KEY_FROM, "FILE|URL", 0,
		"A mirror, or saved answers, instead of the provider; files may repeat; - is "
		"standard "
		"input, with --as-of",
		1},
	{"as-of", KEY_AS_OF, "DATE", 0,
		"Day the saved answers were read, not after today (default: what the file says, "
		"else "
		"its time stamp)",
		1},
	{"meters", KEY_METERS, "FILE", 0,
		"Rules from meters to rows (default pricing/meters-PROVIDER.json)", 1},
	{"replace", KEY_REPLACE, NULL, 0,
		"Without -o: put the book in the place of the one in the data folder", 2},
	{"max-change", KEY_MAX_CHANGE, "SHARE", 0,
		"Largest change of a price that is taken as it is: 0 to 1, or percent as 20% "
		"(default 20%)",
		2},
	{"accept-drift", KEY_ACCEPT, NULL, 0,
		"Take rows that are gone, other units, larger changes and an older list, too", 2},
	{"work", KEY_WORK, "DIR", 0,
		"Keep the pages of an interrupted walk here (default ~/.cache/tierwise)", 3},
	{"fresh", KEY_FRESH, NULL, 0, "Do not use pages kept before", 3},
	{"retries", KEY_RETRIES, "N", 0,
		"Further tries after 429, 5xx and broken connections (default 4)", 3},
	{"retry-wait", KEY_RETRY_WAIT, "TIME", 0,
		"Wait before the second try, then twice that, unless the service asks for another "
		"(default 5s)",
		3},
	{"stall", KEY_STALL, "TIME", 0,
		"Give a try up after this long with less than 100 bytes a second (default 20s)", 3},
	{"max-pages", KEY_MAX_PAGES, "N", 0, "Most pages of one walk (default 2000)", 3},
	{0},
};

/* --- the command line */

static error_t
add_word(struct arguments *a, const char *word, struct argp_state *state)
{
	if (!a->provider)
		a->provider = word;
	else if (!a->ask.region)
		a->ask.region = word;
	else
		argp_error(state, "\"%s\": one region at a time", word);
	return 0;
}

static double
parse_number(const char *option, const char *arg, double low, double high, struct argp_state *state)
{
	double number = 0;
	if (units_parse_count(arg, &number, NULL) || number < low || number > high)
		argp_error(state, "%s %s: a number from %g to %g", option, arg, low, high);
	return number;
}

static double
parse_time(const char *option, const char *arg, struct argp_state *state)
{
	double seconds = 0;
	if (units_parse_seconds(arg, &seconds, NULL) || seconds > 3600)
		argp_error(state, "%s %s: a time up to 1h, as 5s or 2m", option, arg);
	return seconds;
}

/* "20%" or "0.2"; a bare 20 would be 2000 %, which nobody means. */
static double
parse_share(const char *arg, struct argp_state *state)
{
	char *end = NULL;
	double share = strtod(arg, &end);
	bool percent = end != arg && strcmp(end, "%") == 0;
	bool bad = end == arg || (*end && !percent) || !(share >= 0) || !isfinite(share);
	if (bad || (!percent && share > 1))
		argp_error(state,
			"--max-change %s: a number from 0 to 1, or percent with the sign: 0.2 or "
			"20%%",
			arg);
	return percent ? share / 100 : share;
}

static const char *
parse_currency(const char *arg, struct argp_state *state)
{
	bool good = strlen(arg) == 3;
	for (size_t i = 0; good && i < 3; i++)
		good = arg[i] >= 'A' && arg[i] <= 'Z';
	if (!good)
		argp_error(state, "--currency %s: a code of three capitals, as EUR", arg);
	return arg;
}

static const char *
parse_date(const char *arg, struct argp_state *state)
{
	int64_t days = 0;
	char today[11];
	if (strlen(arg) != 10 || clock_parse_date(arg, &days, NULL))
		argp_error(state, "--as-of %s: a calendar date YYYY-MM-DD", arg);
	clock_date_text(clock_epoch_s(), today);
	if (strcmp(arg, today) > 0)
		argp_error(state, "--as-of %s: a date up to today, %s", arg, today);
	return arg;
}

/* The region goes into a filter and an address: only what regions are made of. */
static void
check_words(const struct arguments *a, const struct argp_state *state)
{
	struct buf known;
	if (!a->ask.region)
		argp_error(state, "say which: prices update PROVIDER REGION");
	buf_init(&known, 200);
	if (a->provider && !price_source_find(a->provider, &known))
		argp_error(state, "\"%s\": prices come from %s", a->provider, buf_text(&known));
	buf_fini(&known);
	const char *region = a->ask.region ? a->ask.region : "";
	size_t n = strspn(region, "abcdefghijklmnopqrstuvwxyz0123456789-");
	if (region[n] || n == 0 || n > 64)
		argp_error(state,
			"region \"%s\": small letters, digits and dashes, as westeurope or "
			"eu-west-1",
			region);
}

static error_t
parse_patience(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	struct fetch_how *how = &a->ask.how;
	switch (key) {
	case KEY_WORK:
		a->work = arg;
		return 0;
	case KEY_FRESH:
		a->ask.fresh = true;
		return 0;
	case KEY_RETRIES:
		how->retries = (int)parse_number("--retries", arg, 0, 20, state);
		return 0;
	case KEY_RETRY_WAIT:
		how->wait_s = parse_time("--retry-wait", arg, state);
		return 0;
	case KEY_STALL:
		how->stall_s = (int)ceil(parse_time("--stall", arg, state));
		return 0;
	case KEY_MAX_PAGES:
		a->ask.pages_max = (size_t)parse_number("--max-pages", arg, 1, 1e6, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_CURRENCY:
		a->ask.currency = parse_currency(arg, state);
		return 0;
	case KEY_FROM:
		return cli_add_text(&a->common, &a->from, arg);
	case KEY_AS_OF:
		a->ask.as_of = parse_date(arg, state);
		return 0;
	case KEY_METERS:
		a->meters = arg;
		return 0;
	case KEY_REPLACE:
		a->replace = true;
		return 0;
	case KEY_MAX_CHANGE:
		a->max_change_frac = parse_share(arg, state);
		return 0;
	case KEY_ACCEPT:
		a->accept = true;
		return 0;
	case ARGP_KEY_ARG:
		return add_word(a, arg, state);
	case ARGP_KEY_END:
		check_words(a, state);
		return 0;
	default:
		return parse_patience(key, arg, state);
	}
}

/* --- where the book goes */

static const char *
book_name(struct arguments *a)
{
	const char *currency = a->ask.currency;
	bool usual = !currency || strcmp(currency, "USD") == 0;
	return arena_printf(&a->common.arena, "%s-%s%s%s", a->provider, a->ask.region,
		usual ? "" : "-", usual ? "" : currency);
}

/* -o FILE, else the data folder; a book that is there is touched only when that was asked for. */
static int
choose_path(struct arguments *a, struct err *err)
{
	struct cli_common *c = &a->common;
	if (c->outputs.n > 1)
		return err_set(
			err, ERR_USAGE, "%zu times -o: the book goes to one file", c->outputs.n);
	if (c->outputs.n == 1) {
		a->path = c->outputs.items[0];
		c->outputs.n = 0; /* what is left to print is the report */
		int format = render_format_of(a->path);
		if (format >= 0 && format != RENDER_JSON)
			return err_set(err, ERR_USAGE,
				"-o %s: a price book is JSON; the report of what changed goes to "
				"standard output, --format chooses how",
				a->path);
		return 0;
	}
	a->path = cli_data_path(c, arena_printf(&c->arena, "pricing/%s.json", book_name(a)), err);
	if (!a->path)
		return (int)err->code;
	if (file_exists(a->path) && !a->replace)
		return err_set(err, ERR_REFUSED,
			"%s is there: --replace puts the new book in its place, -o FILE leaves it",
			a->path);
	return 0;
}

static bool
is_same_list(const struct arguments *a, const struct price_book *book)
{
	return strcmp(book->provider, a->provider) == 0 && strcmp(book->region, a->ask.region) == 0;
}

/* A list that has lost a part should be noticed wherever it goes: by the book in use. */
static void
load_used(struct arguments *a)
{
	struct err ignored = {0};
	struct cli_common *c = &a->common;
	const char *path = cli_data_path(
		c, arena_printf(&c->arena, "pricing/%s.json", book_name(a)), &ignored);
	if (path && file_exists(path) && !price_book_load(path, &c->arena, &a->old, NULL, NULL) &&
		is_same_list(a, &a->old))
		a->old_path = path;
}

/* A regular file that is there must be a book of the same thing. */
static int
load_old(struct arguments *a, struct err *err)
{
	struct stat st;
	if (strcmp(a->path, "-") == 0 || stat(a->path, &st) != 0 || !S_ISREG(st.st_mode) ||
		st.st_size == 0) {
		load_used(a);
		return 0;
	}
	int rc = price_book_load(a->path, &a->common.arena, &a->old, NULL, err);
	if (rc)
		return err_context(err, "%s is there and is not touched", a->path);
	if (!is_same_list(a, &a->old))
		return err_set(err, ERR_REFUSED, "%s is a book of %s %s, not touched", a->path,
			a->old.provider, a->old.region);
	a->old_path = a->path;
	return 0;
}

/* "FILE is left as it was" */
static const char *
untouched(struct arguments *a)
{
	bool there = a->old_path && strcmp(a->old_path, a->path) == 0;
	const char *text = arena_printf(
		&a->common.arena, "%s is %s", a->path, there ? "left as it was" : "not written");
	return text ? text : a->path;
}

/* $XDG_CACHE_HOME/tierwise, ~/.cache/tierwise; NULL without a home. */
static const char *
work_dir(struct arguments *a)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (a->work)
		return a->work;
	if (cache && *cache == '/')
		return arena_printf(&a->common.arena, "%s/tierwise", cache);
	return home && *home == '/' ? arena_printf(&a->common.arena, "%s/.cache/tierwise", home)
				    : NULL;
}

/* file:// is a file. */
static int
choose_from(struct arguments *a, struct err *err)
{
	for (size_t i = 0; i < a->from.n; i++) {
		if (strncmp(a->from.items[i], "file://", 7) == 0)
			a->from.items[i] += 7;
		if (fetch_is_url(a->from.items[i]) && a->from.n > 1)
			return err_set(err, ERR_USAGE, "--from: one URL, or files");
	}
	a->ask.from = a->from.items;
	a->ask.n_from = a->from.n;
	return 0;
}

static void
say(void *ctx, const char *line)
{
	cli_note(ctx, "%s", line);
}

/* --- what is told */

static void
put_unknown(struct doc *d, const struct price_answer *answer)
{
	if (answer->n_unknown == 0)
		return;
	doc_heading(d, 2, "Unknown");
	doc_paragraph(d,
		"No meter was published for these; they have no row, and a bill that needs one "
		"says so.");
	size_t n = answer->n_unknown < UNKNOWN_TOLD ? answer->n_unknown : UNKNOWN_TOLD;
	doc_list(d, answer->unknown, n);
}

static void
put_head(struct doc *d, const struct arguments *a, const struct price_answer *answer)
{
	const struct price_book *b = &answer->book;
	doc_paragraph(d, "%zu rows of %zu meters seen, %s, prices of %s. Source: %s.",
		b->n_rows - a->n_carried, answer->meters_seen, b->currency, b->as_of, b->source);
	if (a->n_carried)
		doc_paragraph(d,
			"%zu rows of %s that no rule asks for stay as they were read, each with "
			"its "
			"day and source.",
			a->n_carried, a->old_path);
	if (answer->pages_kept)
		doc_paragraph(d, "%zu of %zu pages were kept from a walk that was interrupted.",
			answer->pages_kept, answer->pages);
	if (a->old_path)
		doc_paragraph(d, "Compared with %s, prices of %s.", a->old_path,
			price_book_oldest(&a->old));
}

static int
print(struct arguments *a, struct doc *d, struct err *err)
{
	if (strcmp(a->path, "-") == 0)
		return 0; /* standard output is the book */
	return cli_output(&a->common, d, NULL, NULL, err);
}

/* The old book stays: every row that speaks against the new one is told. */
static int
refuse(struct arguments *a, struct doc *d, const struct price_diff *diff,
	const struct buf *families, size_t n, struct err *err)
{
	prices_change_doc(d, diff, a->max_change_frac);
	int rc = print(a, d, err);
	if (rc)
		return rc;
	return err_set(err, ERR_REFUSED,
		"%s: %zu row%s changed more than is taken without a look (%.600s); look at the "
		"table, then --accept-drift",
		untouched(a), n, n > 1 ? "s" : "", buf_text(families));
}

static int
write_book(struct arguments *a, struct doc *d, const struct price_answer *answer, struct err *err)
{
	struct buf text;
	buf_init(&text, 0);
	price_book_put(&answer->book, &text);
	int rc = file_write(a->path, &text, err);
	buf_fini(&text);
	if (rc)
		return rc;
	if (strcmp(a->path, "-") != 0)
		cli_note(&a->common, "wrote %s", a->path);
	put_unknown(d, answer);
	return print(a, d, err);
}

/* An older list is no refresh. */
static int
check_order(struct arguments *a, const struct price_book *now, struct err *err)
{
	if (a->accept || strcmp(now->as_of, a->old.as_of) >= 0)
		return 0;
	return err_set(err, ERR_REFUSED,
		"%s: the list is of %s, older than %s of %s; --as-of when the date is wrong, "
		"--accept-drift to take it all the same",
		untouched(a), now->as_of, a->old_path, a->old.as_of);
}

/* A row of the old book with what it had from the book's head. */
static struct price_row
carried_row(const struct price_book *old, const struct price_row *row)
{
	struct price_row copy = *row;
	copy.as_of = price_row_as_of(old, row);
	copy.source = price_row_source(old, row);
	copy.trust = price_row_trust(old, row);
	return copy;
}

/*
 * What no rule asks for was not looked for: it is not lost, and stays as it was read, with its day and
 * source.
 */
static int
carry_over(struct arguments *a, struct price_book *now, struct err *err)
{
	struct arena *arena = &a->common.arena;
	if (!a->old_path || strcmp(a->old.currency, now->currency) != 0)
		return 0;
	struct price_row *rows = arena_array(arena, now->n_rows + a->old.n_rows + 1, sizeof(*rows));
	if (!rows)
		return err_nomem(err);
	memcpy(rows, now->rows, now->n_rows * sizeof(*rows));
	for (size_t i = 0; i < a->old.n_rows; i++) {
		const struct price_row *row = &a->old.rows[i];
		if (!meters_ask_for(&a->rules, row) && !price_diff_counterpart(now, row))
			rows[now->n_rows + a->n_carried++] = carried_row(&a->old, row);
	}
	now->rows = rows;
	now->n_rows += a->n_carried;
	return a->n_carried ? price_book_check(now, arena, err) : 0;
}

static int
compare_and_write(struct arguments *a, const struct price_answer *answer, struct err *err)
{
	struct doc d;
	struct price_diff diff;
	struct buf families;
	int rc = 0;
	doc_init(&d, &a->common.arena,
		arena_printf(&a->common.arena, "Prices of %s", answer->book.name));
	put_head(&d, a, answer);
	if (!a->old_path)
		return write_book(a, &d, answer, err);
	rc = check_order(a, &answer->book, err);
	if (rc)
		return rc;
	rc = price_diff(&a->old, &answer->book, &a->common.arena, &diff, err);
	if (rc)
		return err_context(err, "%s", untouched(a));
	buf_init(&families, 4096);
	size_t n = price_drift(&diff, a->max_change_frac, &families);
	if (n && !a->accept) {
		rc = refuse(a, &d, &diff, &families, n, err);
	} else {
		if (diff.n == 0)
			doc_paragraph(&d, "No price changed%s.",
				prices_units_text(&a->common.arena, &diff));
		prices_change_doc(&d, &diff, -1);
		rc = write_book(a, &d, answer, err);
	}
	buf_fini(&families);
	return rc;
}

static int
work(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct cli_common *c = &a->common;
	struct price_answer answer;
	struct findings findings;
	findings_init(&findings, &c->arena);
	int rc = choose_from(a, err);
	rc = rc ? rc : choose_path(a, err);
	rc = rc ? rc : load_old(a, err);
	rc = rc ? rc : file_probe(a->path, err);
	if (rc)
		return rc;
	const char *rules = a->meters;
	if (!rules)
		rules = cli_data_path(
			c, arena_printf(&c->arena, "pricing/meters-%s.json", a->provider), err);
	rc = rules ? meters_load(rules, &c->arena, &a->rules, err) : (int)err->code;
	if (rc == 0 && strcmp(a->rules.provider, a->provider) != 0)
		rc = err_set(err, ERR_RANGE, "%s: rules for %s, not %s", rules, a->rules.provider,
			a->provider);
	if (rc)
		return rc;
	a->ask.work_dir = work_dir(a);
	a->ask.how.say = say;
	a->ask.how.say_ctx = c;
	rc = price_collect(&a->rules, &a->ask, &c->arena, &findings, &answer, err);
	cli_print_findings(c, findings.items, findings.n);
	rc = rc ? rc : carry_over(a, &answer.book, err);
	if (rc)
		return err_context(err, "%s", untouched(a));
	return compare_and_write(a, &answer, err);
}

int
prices_update_run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "PROVIDER REGION",
		.doc = "Ask a provider (azure, aws; gcp with your key in --from) for its list "
		       "prices "
		       "in a region, or read saved answers, and write a price book: to -o FILE, or "
		       "to the "
		       "data folder.\v"
		       "Nothing is written unless the list is whole and each row has one price. A "
		       "book that is there stays when the new one is older, loses rows, changes a "
		       "unit or moves a price by more than --max-change. Proxies and certificate "
		       "authorities come from the environment (https_proxy, no_proxy, "
		       "SSL_CERT_FILE, CURL_CA_BUNDLE).",
		.children = children};
	struct arguments a = {.max_change_frac = 0.20};
	fetch_how_init(&a.ask.how);
	a.ask.pages_max = PAGES_MAX;
	return cli_run(&argp, argc, argv, &a, work);
}
