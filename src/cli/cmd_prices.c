/*
 * cmd_prices.c - `tierwise prices list`, `show SKU` and `bill SKU`: which price books there
 * are, what is in one, how old it is.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/prices.h"
#include "cli/prices_change.h"

enum { KEY_PROVIDER = 0x2000, KEY_REGION, KEY_BOOK, KEY_MAX_AGE };

struct arguments {
	struct cli_common common;
	const char *action, *sku;
	const char *provider, *region, *book;
	double max_age_days; /* negative: any age */
	struct prices_bill_options bill;
};

static const struct argp_option options[] = {
	{"provider", KEY_PROVIDER, "NAME", 0, "Only books of this provider", 1},
	{"region", KEY_REGION, "NAME", 0, "Only the book of this region; list shows its prices", 1},
	{"prices", KEY_BOOK, "FILE", 0, "This price book instead of those in the data folder", 1},
	{"book", KEY_BOOK, NULL, OPTION_ALIAS, NULL, 1},
	{"max-price-age", KEY_MAX_AGE, "DAYS", 0, "Exit 6 when a price is older", 1},
	{0},
};

static error_t
add_word(struct arguments *a, const char *word, struct argp_state *state)
{
	if (!a->action)
		a->action = word;
	else if (!a->sku)
		a->sku = word;
	else
		argp_error(state, "\"%s\": one SKU at a time", word);
	return 0;
}

static void
check_words(const struct arguments *a, const struct argp_state *state)
{
	if (!a->action)
		argp_error(state, "say list, show SKU or bill SKU");
	else if (strcmp(a->action, "list") == 0 && a->sku)
		argp_error(state, "list takes no SKU: prices show %s", a->sku);
	else if (strcmp(a->action, "show") == 0 && !a->sku)
		argp_error(state, "show which SKU? for example: prices show P30");
	else if (strcmp(a->action, "bill") == 0 && !a->sku)
		argp_error(
			state, "bill which SKU? for example: prices bill P30 --region westeurope");
	else if (strcmp(a->action, "list") != 0 && strcmp(a->action, "show") != 0 &&
		 strcmp(a->action, "bill") != 0)
		argp_error(state, "\"%s\" is not one of list, show, bill", a->action);
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	struct err err = {0};
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		state->child_inputs[1] = &a->bill;
		return 0;
	case KEY_PROVIDER:
		a->provider = arg;
		return 0;
	case KEY_REGION:
		a->region = arg;
		return 0;
	case KEY_BOOK:
		a->book = arg;
		return 0;
	case KEY_MAX_AGE:
		if (units_parse_count(arg, &a->max_age_days, &err))
			argp_error(state, "--max-price-age %s: a number of days from 0", arg);
		return 0;
	case ARGP_KEY_ARG:
		return add_word(a, arg, state);
	case ARGP_KEY_END:
		check_words(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
add_book(struct arguments *a, struct shelf *shelf, const char *path, struct err *err)
{
	struct shelf_book b = {.path = path};
	int rc = price_book_load(path, &a->common.arena, &b.book, NULL, err);
	if (rc)
		return rc;
	if (a->provider && strcmp(b.book.provider, a->provider) != 0)
		return 0;
	if (a->region && strcmp(b.book.region, a->region) != 0)
		return 0;
	struct shelf_book *books = arena_grow(
		&a->common.arena, shelf->books, shelf->n, sizeof(*books));
	if (!books)
		return err_nomem(err);
	shelf->books = books;
	shelf->books[shelf->n++] = b;
	return 0;
}

/* Price books of the data folder: every document there except limits and rules of meters. */
static int
is_book(const struct dirent *entry)
{
	const char *suffix = strrchr(entry->d_name, '.');
	return suffix && strcmp(suffix, ".json") == 0 &&
	       strncmp(entry->d_name, "limits-", 7) != 0 &&
	       strncmp(entry->d_name, "meters-", 7) != 0;
}

static int
add_all_books(struct arguments *a, struct shelf *shelf, struct err *err)
{
	const char *dir = cli_data_path(&a->common, "pricing", err);
	struct dirent **entries = NULL;
	int n = dir ? scandir(dir, &entries, is_book, alphasort) : 0;
	int rc = dir ? 0 : (int)err->code;
	if (n < 0)
		return err_set(err, ERR_IO, "cannot read %s", dir);
	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(&a->common.arena, "%s/%s", dir, entries[i]->d_name);
		if (rc == 0)
			rc = path ? add_book(a, shelf, path, err) : err_nomem(err);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

static int
fill_shelf(struct arguments *a, struct shelf *shelf, struct err *err)
{
	return a->book ? add_book(a, shelf, a->book, err) : add_all_books(a, shelf, err);
}

/* No book passed the filters: say which there are. */
static int
none_chosen(struct arguments *a, struct err *err)
{
	const char *provider = a->provider ? a->provider : "", *region = a->region ? a->region : "";
	struct shelf all = {NULL, 0};
	struct buf known;
	a->provider = NULL;
	a->region = NULL;
	int rc = fill_shelf(a, &all, err);
	if (rc)
		return rc;
	buf_init(&known, 4096);
	for (size_t i = 0; i < all.n; i++)
		buf_printf(&known, "%s%s %s", i ? ", " : "", all.books[i].book.provider,
			all.books[i].book.region);
	rc = err_set(err, ERR_NOT_FOUND, "no price book for %s%s%s; there are: %s", provider,
		*provider && *region ? " " : "", region, known.len ? buf_text(&known) : "none");
	buf_fini(&known);
	return rc;
}

static int
open_shelf(struct arguments *a, struct shelf *shelf, struct err *err)
{
	int rc = fill_shelf(a, shelf, err);
	return rc || shelf->n ? rc : none_chosen(a, err);
}

/* A list of a provider's region, as against prices somebody wrote down for a purpose. */
static bool
is_region_book(const struct price_book *b)
{
	size_t n = strlen(b->provider);
	return strncmp(b->name, b->provider, n) == 0 && b->name[n] == '-' &&
	       strcmp(b->name + n + 1, b->region) == 0;
}

/* show and bill look into every region; the rest only when asked for by --prices or --region. */
static void
keep_regions(const struct arguments *a, struct shelf *shelf)
{
	size_t kept = 0;
	if (a->book || a->region || strcmp(a->action, "list") == 0)
		return;
	for (size_t i = 0; i < shelf->n; i++) {
		if (is_region_book(&shelf->books[i].book))
			shelf->books[kept++] = shelf->books[i];
	}
	shelf->n = kept;
}

static int
check_ages(
	const struct arguments *a, struct shelf *shelf, struct findings *findings, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < shelf->n && rc == 0; i++) {
		struct shelf_book *b = &shelf->books[i];
		/* in the overview an article's age is a fact, not a fault */
		bool matters = a->book || a->region || is_region_book(&b->book);
		matters = matters && strcmp(a->action, "bill") != 0; /* judged by its own lines */
		rc = price_book_check_age(&b->book, NULL, matters ? a->max_age_days : -1,
			&b->age_days, matters ? findings : NULL, err);
	}
	return rc;
}

static int
list_shelf(struct cli_common *c, const struct shelf *shelf, struct err *err)
{
	static const struct doc_column columns[] = {{"Book", DOC_LEFT}, {"Provider", DOC_LEFT},
		{"Region", DOC_LEFT}, {"Currency", DOC_LEFT}, {"As of", DOC_LEFT},
		{"Age (days)", DOC_RIGHT}, {"Prices", DOC_RIGHT}, {"Trust", DOC_LEFT}};
	struct doc d;
	doc_init(&d, &c->arena, NULL);
	struct doc_table *t = doc_table(&d,
		"Price books; prices list --region NAME shows the prices of one", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < shelf->n; i++) {
		const struct price_book *b = &shelf->books[i].book;
		doc_row(&d, t);
		doc_cell(&d, t, 0, "%s", b->name);
		doc_cell(&d, t, 1, "%s", b->provider);
		doc_cell(&d, t, 2, "%s", b->region);
		doc_cell(&d, t, 3, "%s", b->currency);
		doc_cell(&d, t, 4, "%s", price_book_oldest(b));
		doc_cell(&d, t, 5, "%.0f", shelf->books[i].age_days);
		doc_cell(&d, t, 6, "%zu", b->n_rows);
		doc_cell(&d, t, 7, "%s", names_text(&trust_names, b->trust));
	}
	return cli_output(c, &d, NULL, NULL, err);
}

const char *
prices_decimal(struct arena *a, double number)
{
	char *text = arena_printf(a, "%.10f", number);
	size_t n = text ? strlen(text) : 0;
	while (n > 0 && text[n - 1] == '0')
		text[--n] = '\0';
	if (n > 0 && text[n - 1] == '.')
		text[n - 1] = '\0';
	return text ? text : "";
}

const char *
prices_term_text(struct arena *a, const struct price_row *row)
{
	const char *text = row->term_months > 0
				   ? arena_printf(a, ", all %g months at once", row->term_months)
				   : "";
	return text ? text : "";
}

const char *
prices_unit_text(enum price_unit unit)
{
	switch (unit) {
	case PRICE_UNIT_GIB_MONTH:
		return "GiB-month";
	case PRICE_UNIT_GB_MONTH:
		return "GB-month";
	case PRICE_UNIT_10K:
		return "10K";
	case PRICE_UNIT_GB:
		return "GB";
	case PRICE_UNIT_MONTH:
	case PRICE_UNIT_HOUR:
	case PRICE_UNIT_GIB_HOUR:
	case PRICE_UNIT_GB_HOUR:
	case PRICE_UNIT_1M:
	case PRICE_UNIT_TB:
	case PRICE_UNIT_COUNT:
		break;
	}
	return names_text(&price_unit_names, (int)unit);
}

const char *
prices_item_text(struct arena *a, const struct price_row *row)
{
	char *text = arena_printf(a, "%s%s%s", names_text(&price_item_names, row->item),
		row->term ? ", " : "", row->term ? row->term : "");
	for (char *p = text; p && *p; p++) {
		if (*p == '_')
			*p = ' ';
	}
	return text ? text : "";
}

static void
price_row(
	struct doc *d, struct doc_table *t, const struct price_book *b, const struct price_row *row)
{
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", row->sku ? row->sku : "(all)");
	doc_cell(d, t, 1, "%s", row->redundancy ? row->redundancy : "");
	doc_cell(d, t, 2, "%s", prices_item_text(d->arena, row));
	doc_cell(d, t, 3, "%s", prices_decimal(d->arena, price_row_published(row)));
	doc_cell(d, t, 4, "%s%s",
		row->unit_published ? row->unit_published
				    : names_text(&price_unit_names, row->unit),
		prices_term_text(d->arena, row));
	if (row->tier_min > 0)
		doc_cell(d, t, 5, "%s%s", prices_decimal(d->arena, row->tier_min),
			price_row_is_scaled(row) ? ", normal unit" : "");
	doc_cell(d, t, 6, "%s", prices_decimal(d->arena, price_row_normal(b, row)));
	doc_cell(d, t, 7, "%s", prices_unit_text(price_unit_normal((enum price_unit)row->unit)));
	doc_cell(d, t, 8, "%s", price_row_as_of(b, row));
	doc_cell(d, t, 9, "%s", names_text(&trust_names, price_row_trust(b, row)));
}

/* A table a family, in the order of the book. */
static void
list_families(struct doc *d, const struct price_book *b)
{
	const char *price = arena_printf(d->arena, "Price (%s)", b->currency);
	const char *monthly = arena_printf(d->arena, "Normal (%s)", b->currency);
	const struct doc_column columns[] = {{"SKU", DOC_LEFT}, {"Kept as", DOC_LEFT},
		{"Item", DOC_LEFT}, {price, DOC_RIGHT}, {"Per", DOC_LEFT}, {"Above", DOC_RIGHT},
		{monthly, DOC_RIGHT}, {"Normal unit", DOC_LEFT}, {"As of", DOC_LEFT},
		{"Trust", DOC_LEFT}};
	struct doc_table *t = NULL;
	for (size_t i = 0; i < b->n_rows; i++) {
		const struct price_row *row = &b->rows[i];
		if (i == 0 || strcmp(row->family, b->rows[i - 1].family) != 0)
			t = doc_table(
				d, row->family, columns, sizeof(columns) / sizeof(columns[0]));
		price_row(d, t, b, row);
	}
}

static int
list_book(struct cli_common *c, const struct shelf_book *s, struct err *err)
{
	const struct price_book *b = &s->book;
	struct doc d;
	doc_init(&d, &c->arena, arena_printf(&c->arena, "Prices of %s", b->name));
	doc_paragraph(&d,
		"Provider %s, region %s, currency %s, read %s (%.0f days ago), %g hours a month. "
		"Source: %s.",
		b->provider, b->region, b->currency, price_book_oldest(b), s->age_days,
		b->hours_per_month, b->source);
	if (b->note)
		doc_callout(&d, DOC_NOTE, "%s", b->note);
	list_families(&d, b);
	return cli_output(c, &d, &price_book_schema, b, err);
}

static int
work(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct cli_common *c = &a->common;
	struct shelf shelf = {NULL, 0};
	struct findings findings;
	findings_init(&findings, &c->arena);
	int rc = open_shelf(a, &shelf, err);
	if (rc)
		return rc;
	keep_regions(a, &shelf);
	if (a->sku)
		rc = prices_keep_sellers(c, &shelf, a->sku, err);
	rc = rc ? rc : check_ages(a, &shelf, &findings, err);
	cli_print_findings(c, findings.items, findings.n);
	if (rc)
		return rc;
	a->bill.max_age_days = a->max_age_days;
	if (strcmp(a->action, "bill") == 0)
		return prices_bill(c, &shelf, a->sku, &a->bill, err);
	if (strcmp(a->action, "show") == 0)
		return prices_show(c, &shelf, a->sku, err);
	bool one = shelf.n == 1 && (a->book || a->region);
	return one ? list_book(c, &shelf.books[0], err) : list_shelf(c, &shelf, err);
}

/* Sub-commands with options of their own. */
static int
run_own(int argc, char **argv, int *status)
{
	static char update[] = "tierwise prices update", diff[] = "tierwise prices diff";
	bool is_update = argc > 1 && strcmp(argv[1], "update") == 0;
	bool is_diff = argc > 1 && strcmp(argv[1], "diff") == 0;
	if (is_update || is_diff) {
		argv[1] = is_update ? update : diff;
		*status = (is_update ? prices_update_run : prices_diff_run)(argc - 1, argv + 1);
	}
	return is_update || is_diff;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp},
		{.argp = &prices_bill_argp, .header = "What prices bill is to bill:", .group = 2},
		{0}};
	static const struct argp argp = {.options = options,
		.parser = parse_option,
		.args_doc = "list\nshow SKU\nbill SKU\nupdate PROVIDER REGION\ndiff OLD NEW",
		.doc = "List the price books and what is in one, show what a SKU costs, what it "
		       "can do, and where each number comes from, or bill a configuration by "
		       "meter.\v"
		       "A book whose oldest price is more than 90 days old gives a warning; a "
		       "bill is as old as the oldest price in it. Exit 5 when a price is unknown, "
		       "6 when it is older than --max-price-age. "
		       "prices update --help and prices diff --help list their options.",
		.children = children};
	struct arguments a = {.max_age_days = -1};
	int status = 0;
	if (run_own(argc, argv, &status))
		return status;
	return cli_run(&argp, argc, argv, &a, work);
}

extern const struct command cmd_prices;
const struct command cmd_prices = {
	.name = "prices",
	.args = "list | show SKU | bill SKU | update PROVIDER REGION | diff OLD NEW",
	.summary = "list, show, update and compare price books, bill a configuration",
	.run = run,
};
