/*
 * source.c - the table of sources and what they share.
 */
#include "price/source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"

static const struct price_source *const sources[] = {
	&price_source_azure,
	&price_source_aws,
	&price_source_gcp,
};
enum { N_SOURCES = sizeof(sources) / sizeof(sources[0]), PIECE_B = 1 << 16 };

const struct price_source *
price_source_find(const char *provider, struct buf *known)
{
	for (size_t i = 0; i < N_SOURCES; i++) {
		if (strcmp(sources[i]->provider, provider) == 0)
			return sources[i];
	}
	for (size_t i = 0; i < N_SOURCES && known; i++)
		buf_printf(known, "%s%s",
			i == 0              ? ""
			: i + 1 < N_SOURCES ? ", "
					    : " or ",
			sources[i]->provider);
	return NULL;
}

int
price_feed_file(
	struct price_run *run, const char *path, price_feed *feed, void *ctx, struct err *err)
{
	bool from_stdin = strcmp(path, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	char *piece = malloc(PIECE_B);
	int rc = piece ? 0 : err_nomem(err);
	if (fd < 0)
		rc = err_sys(err, errno, "%s", path);
	while (rc == 0) {
		ssize_t n = read(fd, piece, PIECE_B);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_sys(err, errno, "%s", path);
		if (n <= 0)
			break;
		run->answer->read_mb += (double)n / 1e6;
		rc = feed(ctx, piece, (size_t)n, err);
	}
	free(piece);
	if (fd >= 0 && !from_stdin)
		close(fd);
	return rc;
}

const char *
price_file_day(struct arena *a, const char *path)
{
	struct stat st;
	char text[11];
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	clock_date_text((int64_t)st.st_mtime, text);
	return arena_strdup(a, text);
}

int
price_run_file_day(struct price_run *run, struct err *err)
{
	const struct price_ask *ask = run->ask;
	const char *oldest = NULL;
	for (size_t i = 0; i < ask->n_from; i++) {
		const char *path = ask->from[i], *day = price_file_day(run->arena, path);
		bool from_stdin = strcmp(path, "-") == 0;
		bool dateless = from_stdin || (!day && access(path, F_OK) == 0);
		if (dateless && !ask->as_of)
			return err_set(err, ERR_USAGE,
				"%s: nothing tells when these prices were read, and today would be "
				"a guess: "
				"--as-of YYYY-MM-DD says it",
				from_stdin ? "standard input" : path);
		if (day && (!oldest || strcmp(day, oldest) < 0))
			oldest = day; /* a list is as old as its oldest part */
	}
	run->answer->file_day = oldest != NULL;
	if (oldest)
		run->read_on = oldest;
	return 0;
}

const char *
price_url_encode(struct arena *a, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~";
	struct buf out;
	buf_init(&out, 1 << 16);
	for (const char *p = text; *p; p++) {
		if (strchr(plain, *p))
			buf_putc(&out, *p);
		else
			buf_printf(&out, "%%%02X", (unsigned char)*p);
	}
	const char *copy = out.failed ? NULL : arena_strdup(a, buf_text(&out));
	buf_fini(&out);
	return copy;
}

int
price_run_take(struct price_run *run, const char *const *values, const struct draft_meter *meter,
	bool *taken, struct err *err)
{
	struct meter_match match;
	int rc = meters_match(run->meters, values, &match, err);
	*taken = rc == 0 && match.rule != NULL;
	return *taken ? draft_add(&run->draft, &match, meter, err) : rc;
}

/* What a reader assumes needs no words: a price that holds from the first unit. */
static struct price_row *
plain_rows(const struct price_book *book)
{
	struct price_row *rows = malloc((book->n_rows + 1) * sizeof(*rows));
	for (size_t i = 0; i < book->n_rows && rows; i++) {
		rows[i] = book->rows[i];
		if (rows[i].tier_min <= 0 && rows[i].price > 0)
			rows[i].tier_min = (double)NAN;
	}
	return rows;
}

/*
 * schema_write() puts each field on its own line; a row of a book is short enough for one.  A line end
 * inside a text is written as \n, so every real one is layout.
 */
void
price_book_put(const struct price_book *book, struct buf *out)
{
	struct buf wide;
	struct price_book plain = *book;
	plain.rows = plain_rows(book);
	buf_init(&wide, 0);
	if (plain.rows)
		schema_write(&price_book_schema, &plain, &wide);
	for (const char *p = buf_text(&wide); *p; p++) {
		bool deep = *p == '\n' && strncmp(p + 1, "      ", 6) == 0;
		bool closes = *p == '\n' && strncmp(p + 1, "    }", 5) == 0;
		if (!deep && !closes) {
			buf_putc(out, *p);
			continue;
		}
		buf_putc(out, ' ');
		p += deep ? 6 : 4;
	}
	out->failed |= wide.failed || !plain.rows;
	free(plain.rows);
	buf_fini(&wide);
}

int
price_book_check(struct price_book *book, struct arena *a, struct err *err)
{
	struct buf text;
	struct json_doc *doc = NULL;
	buf_init(&text, 0);
	price_book_put(book, &text);
	int rc = buf_check(&text, err);
	rc = rc ? rc : json_parse("the new book", buf_text(&text), text.len, &doc, err);
	rc = rc ? rc : price_book_read(json_root(doc), a, book, err);
	json_free(doc);
	buf_fini(&text);
	return rc;
}

static int
make_book(struct price_run *run, struct err *err)
{
	struct price_answer *answer = run->answer;
	const struct price_ask *ask = run->ask;
	struct price_book *book = &answer->book;
	schema_clear(&price_book_schema, book);
	bool usual = strcmp(run->currency, "USD") == 0;
	book->name = arena_printf(run->arena, "%s-%s%s%s", run->meters->provider, ask->region,
		usual ? "" : "-", usual ? "" : run->currency);
	book->provider = run->meters->provider;
	book->region = ask->region;
	book->currency = run->currency;
	book->as_of = ask->as_of ? ask->as_of : run->read_on;
	book->source = run->source;
	book->trust = TRUST_PUBLISHED;
	book->hours_per_month = 730;
	int rc = draft_finish(&run->draft, book, err);
	answer->rows_taken = book->n_rows;
	if (rc == 0 && (!book->name || !book->source))
		rc = err_nomem(err);
	rc = rc ? rc : draft_unknown(&run->draft, &answer->unknown, &answer->n_unknown, err);
	return rc ? rc : price_book_check(book, run->arena, err);
}

int
price_collect(const struct meters *meters, const struct price_ask *ask, struct arena *a,
	struct findings *findings, struct price_answer *answer, struct err *err)
{
	const struct price_source *source = price_source_find(meters->provider, NULL);
	char today[11];
	if (!source)
		return err_set(err, ERR_NOT_FOUND, "no source of prices for provider \"%.40s\"",
			meters->provider);
	clock_date_text(clock_epoch_s(), today);
	*answer = (struct price_answer){.n_unknown = 0};
	struct price_run run = {
		.ask = ask,
		.meters = meters,
		.arena = a,
		.findings = findings,
		.answer = answer,
		.today = arena_strdup(a, today),
		.currency = ask->currency ? ask->currency : source->currency,
	};
	run.read_on = run.today;
	int rc = run.today ? draft_init(&run.draft, meters, a, err) : err_nomem(err);
	if (rc)
		return rc;
	rc = source->collect(&run, err);
	if (rc == 0 && answer->file_day && !ask->as_of)
		findings_add(findings, SEVERITY_WARNING, "date-of-file",
			"--as-of YYYY-MM-DD says better",
			"prices of %s: the date is taken from the file's time stamp", run.read_on);
	rc = rc ? rc : make_book(&run, err);
	draft_fini(&run.draft);
	return rc;
}
