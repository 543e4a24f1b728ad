/*
 * source_aws.c - AWS: the regional offer file of EC2 as CSV, one row a price, read a line at a time.
 *
 * The file (300 to 450 MB) begins with some lines about itself ("Publication Date"), then a header that
 * begins with SKU; columns are found by name.  Rules see every column, and "usage": usageType without
 * the region's prefix (EU-, APN1-).  Rows of local zones stand in the same file under their own prefix;
 * rules keep to "Location Type" AWS Region.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "price/csv.h"
#include "price/source.h"

enum { COLUMN_NONE = CSV_FIELDS_MAX };

/* The columns a price is read from, whatever the rules look at. */
enum own_column {
	OWN_SKU,
	OWN_RATE_CODE,
	OWN_TERM,
	OWN_EFFECTIVE,
	OWN_START,
	OWN_UNIT,
	OWN_PRICE,
	OWN_CURRENCY,
	OWN_PRODUCT,
	OWN_USAGE,
	OWN_COUNT
};
static const char *const own_names[] = {
	[OWN_SKU] = "SKU",
	[OWN_RATE_CODE] = "RateCode",
	[OWN_TERM] = "TermType",
	[OWN_EFFECTIVE] = "EffectiveDate",
	[OWN_START] = "StartingRange",
	[OWN_UNIT] = "Unit",
	[OWN_PRICE] = "PricePerUnit",
	[OWN_CURRENCY] = "Currency",
	[OWN_PRODUCT] = "Product Family",
	[OWN_USAGE] = "usageType",
};
_Static_assert(sizeof(own_names) / sizeof(own_names[0]) == OWN_COUNT, "a name per column");

struct offer {
	struct price_run *run;
	struct csv *csv;
	const char *name;
	size_t n_columns; /* of the header; 0: not seen yet */
	size_t own[OWN_COUNT]; /* number of the column */
	size_t of_field[METERS_FIELDS_MAX]; /* COLUMN_NONE: "usage" */
	char published[11]; /* YYYY-MM-DD */
};

static size_t
column(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return COLUMN_NONE;
}

static int
read_header(struct offer *o, const char *const *names, size_t n, size_t line, struct err *err)
{
	const struct meters *m = o->run->meters;
	const char *missing = NULL;
	for (size_t i = 0; i < OWN_COUNT; i++) {
		o->own[i] = column(names, n, own_names[i]);
		missing = o->own[i] == COLUMN_NONE ? own_names[i] : missing;
	}
	for (size_t i = 0; i < m->n_fields; i++) {
		o->of_field[i] = column(names, n, m->fields[i]);
		if (o->of_field[i] == COLUMN_NONE && strcmp(m->fields[i], "usage") != 0)
			missing = m->fields[i];
	}
	if (missing)
		return err_set(err, ERR_PARSE,
			"%s:%zu: no column \"%s\": not an EC2 offer file, or its columns have new "
			"names",
			o->name, line, missing);
	o->n_columns = n;
	return 0;
}

/* "EU-EBS:VolumeUsage.gp3" -> "EBS:VolumeUsage.gp3": capitals and digits up to a dash. */
static const char *
without_prefix(const char *usage)
{
	size_t n = strspn(usage, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
	return n >= 2 && usage[n] == '-' ? usage + n + 1 : usage;
}

static double
number_of(const char *text)
{
	char *end = NULL;
	double number = strtod(text, &end);
	return end != text && *end == '\0' ? number : (double)NAN;
}

static int
take_row(struct offer *o, const char *const *fields, size_t line, struct err *err)
{
	const char *values[METERS_FIELDS_MAX];
	struct price_run *run = o->run;
	bool taken = false;
	for (size_t i = 0; i < run->meters->n_fields; i++)
		values[i] = o->of_field[i] == COLUMN_NONE
				    ? without_prefix(fields[o->own[OWN_USAGE]])
				    : fields[o->of_field[i]];
	const struct draft_meter m = {
		.id = fields[o->own[OWN_RATE_CODE]],
		.product = fields[o->own[OWN_PRODUCT]],
		.meter = fields[o->own[OWN_USAGE]],
		.unit = fields[o->own[OWN_UNIT]],
		.price = number_of(fields[o->own[OWN_PRICE]]),
		.tier_min = number_of(fields[o->own[OWN_START]]),
		.effective = fields[o->own[OWN_EFFECTIVE]],
	};
	const char *currency = fields[o->own[OWN_CURRENCY]];
	int rc = price_run_take(run, values, &m, &taken, err);
	if (rc == 0 && taken && strcmp(currency, run->currency) != 0)
		rc = err_set(err, ERR_PRICE, "\"%.80s\" is priced in %.10s, not %s", m.meter,
			currency, run->currency);
	return rc ? err_context(err, "%s:%zu", o->name, line) : 0;
}

/* "2026-10-06T17:24:54Z" or "2026-10-06 17:24:54Z": the day. */
static void
note_publication(struct offer *o, const char *const *fields, size_t n)
{
	if (n >= 2 && strcmp(fields[0], "Publication Date") == 0)
		snprintf(o->published, sizeof(o->published), "%.10s", fields[1]);
}

static int
on_record(void *ctx, const char *const *fields, size_t n, size_t line, struct err *err)
{
	struct offer *o = ctx;
	if (o->n_columns == 0) {
		if (strcmp(fields[0], "SKU") == 0)
			return read_header(o, fields, n, line, err);
		note_publication(o, fields, n);
		return line < 100 ? 0
				  : err_set(err, ERR_PARSE,
					    "%s:%zu: no header that begins with SKU: not an EC2 "
					    "offer file",
					    o->name, line);
	}
	if (n != o->n_columns)
		return err_set(err, ERR_PARSE, "%s:%zu: %zu fields, the header has %zu", o->name,
			line, n, o->n_columns);
	o->run->answer->meters_seen++;
	/* nine rows in ten are reservations */
	return strcmp(fields[o->own[OWN_TERM]], "OnDemand") == 0 ? take_row(o, fields, line, err)
								 : 0;
}

static int
feed_csv(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct offer *o = ctx;
	return csv_put(o->csv, bytes, n, err);
}

static int
put_csv(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct offer *o = ctx;
	o->run->answer->read_mb += (double)n / 1e6;
	return csv_put(o->csv, bytes, n, err);
}

static void
restart(void *ctx)
{
	struct offer *o = ctx;
	csv_restart(o->csv);
	draft_restart(&o->run->draft);
	o->n_columns = 0;
	o->run->answer->meters_seen = 0;
}

static int
fetch_offer(struct offer *o, struct err *err)
{
	struct fetch *f = NULL;
	struct fetch_how how = o->run->ask->how;
	how.max_b = (size_t)8 << 30;
	how.total_s = 0; /* as long as bytes come: half a gigabyte takes its time */
	how.same_host = true;
	int rc = fetch_open(&how, &f, err);
	if (rc == 0)
		rc = fetch_get(f, o->name, &(struct fetch_sink){put_csv, restart, o}, NULL, err);
	fetch_close(f);
	return rc;
}

static int
check_end(const struct offer *o, struct err *err)
{
	if (o->n_columns == 0)
		return err_set(err, ERR_PARSE,
			"%s: no header that begins with SKU: not an EC2 offer file", o->name);
	if (o->run->answer->meters_seen == 0)
		return err_set(err, ERR_PARSE, "%s: a header and no rows: cut off?", o->name);
	return 0;
}

static int
collect(struct price_run *run, struct err *err)
{
	const struct price_ask *ask = run->ask;
	struct offer o = {.run = run};
	if (ask->n_from > 1)
		return err_set(
			err, ERR_USAGE, "%zu times --from: the offer is one file", ask->n_from);
	if (!ask->n_from && !run->meters->url)
		return err_set(err, ERR_USAGE, "the rules name no url: say where with --from");
	o.name = ask->n_from ? ask->from[0]
			     : meters_text(run->meters->url, ask->region, run->arena);
	if (!o.name)
		return err_nomem(err);
	bool file = !fetch_is_url(o.name);
	int rc = csv_open(o.name, on_record, &o, &o.csv, err);
	if (rc == 0)
		rc = file ? price_feed_file(run, o.name, feed_csv, &o, err) : fetch_offer(&o, err);
	rc = rc ? rc : csv_end(o.csv, err);
	rc = rc ? rc : check_end(&o, err);
	csv_close(o.csv);
	run->answer->pages = 1;
	/* a mirror may be old; the provider's own file is asked for today */
	if (ask->n_from && o.published[0])
		run->read_on = arena_strdup(run->arena, o.published);
	else if (file && price_file_day(run->arena, o.name))
		run->read_on = price_file_day(run->arena, o.name);
	run->source = arena_printf(run->arena, "AWS price list, EC2 offer file %s%s%s, OnDemand",
		o.name, o.published[0] ? ", published " : "", o.published);
	return rc;
}

const struct price_source price_source_aws = {
	.provider = "aws", .currency = "USD", .collect = collect};
