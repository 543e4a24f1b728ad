/*
 * source_aws.c - AWS: the regional offer file of EC2 as CSV, one row a price, read a line at a time.
 *
 * The file (300 to 450 MB) begins with some lines about itself ("Publication Date"), then a header that
 * begins with SKU; columns are found by name.  Rules see every column, and "usage": usageType without
 * the region's prefix (EU-, APN1-).  Rows of local zones stand in the same file under their own prefix;
 * rules keep to "Location Type" AWS Region.  A row is of the region asked for by its "Region Code", or in
 * files older than that column by its "Location", which the rules' list of regions names.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "price/csv.h"
#include "price/source.h"

enum { COLUMN_NONE = CSV_FIELDS_MAX, OTHERS_TOLD = 200, OTHERS_MAX = 400 };

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
	OWN_LOCATION,
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
	[OWN_LOCATION] = "Location",
};
_Static_assert(sizeof(own_names) / sizeof(own_names[0]) == OWN_COUNT, "a name per column");

struct offer {
	struct price_run *run;
	struct csv *csv;
	const char *name;
	size_t n_columns; /* of the header; 0: not seen yet */
	size_t own[OWN_COUNT]; /* number of the column */
	size_t of_field[METERS_FIELDS_MAX]; /* COLUMN_NONE: "usage" */
	size_t region_code; /* number of that column; COLUMN_NONE: the file is older than it */
	const struct meter_region *region; /* its names; NULL: not in the rules */
	char published[11]; /* YYYY-MM-DD */
	struct buf others; /* other places seen, each once */
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

/* Without a code in the file, the region must have a name. */
static int
check_region(const struct offer *o, size_t line, struct err *err)
{
	const char *region = o->run->ask->region;
	if (o->region_code != COLUMN_NONE || o->region)
		return 0;
	return err_set(err, ERR_NOT_FOUND,
		"%s:%zu: no column \"Region Code\", and what column \"Location\" calls %s is not "
		"known: add { \"region\": \"%s\", \"locations\": [\"...\"] } to \"regions\" of the "
		"rules (a copy of pricing/meters-aws.json goes in with --meters)",
		o->name, line, region, region);
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
	o->region_code = column(names, n, "Region Code");
	o->n_columns = n;
	return check_region(o, line, err);
}

/* What the row says of its place: the code where the file has it, else the name. */
static const char *
place(const struct offer *o, const char *const *fields)
{
	return fields[o->region_code != COLUMN_NONE ? o->region_code : o->own[OWN_LOCATION]];
}

static bool
is_asked_for(const struct offer *o, const char *const *fields)
{
	const char *text = place(o, fields);
	if (o->region_code != COLUMN_NONE)
		return strcmp(text, o->run->ask->region) == 0;
	for (size_t i = 0; i < o->region->n_locations; i++) {
		if (strcmp(text, o->region->locations[i]) == 0)
			return true;
	}
	return false;
}

/* A price of another place that would have been taken here: counted, the place named once. */
static int
leave_out(struct offer *o, const char *const *fields, const char *const *values, struct err *err)
{
	struct meter_match match;
	char name[80];
	int rc = meters_match(o->run->meters, values, &match, err);
	if (rc || !match.rule)
		return rc;
	snprintf(name, sizeof(name), "\"%.60s\"", place(o, fields));
	o->run->answer->other_rows++;
	if (!strstr(buf_text(&o->others), name) && o->others.len < OTHERS_TOLD)
		buf_printf(&o->others, "%s%s", o->others.len ? ", " : "", name);
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
	int rc = is_asked_for(o, fields) ? price_run_take(run, values, &m, &taken, err)
					 : leave_out(o, fields, values, err);
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
	buf_fini(&o->others);
	buf_init(&o->others, OTHERS_MAX);
	o->n_columns = 0;
	o->run->answer->meters_seen = 0;
	o->run->answer->other_rows = 0;
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
	size_t n = o->run->answer->other_rows;
	if (n && o->run->draft.n_rows == 0)
		return err_set(err, ERR_PRICE,
			"%s: no price of %s in it: its %zu price%s that the rules ask for %s of %s",
			o->name, o->run->ask->region, n, n > 1 ? "s" : "", n > 1 ? "are" : "is",
			buf_text(&o->others));
	if (n)
		findings_add(o->run->findings, SEVERITY_WARNING, "other-region", NULL,
			"%s: %zu price%s of %s left out: %s was asked for", o->name, n,
			n > 1 ? "s" : "", buf_text(&o->others), o->run->ask->region);
	return 0;
}

/* The day of a file that does not say when it was published, which the provider's own do. */
static int
day_of_file(struct offer *o, bool file, struct err *err)
{
	return file && !o->published[0] ? price_run_file_day(o->run, err) : 0;
}

/* A mirror may be old; the provider's own file is asked for today. */
static void
note_source(struct offer *o)
{
	struct price_run *run = o->run;
	if (run->ask->n_from && o->published[0])
		run->read_on = arena_strdup(run->arena, o->published);
	run->source = arena_printf(run->arena, "AWS price list, EC2 offer file %s%s%s, OnDemand",
		strcmp(o->name, "-") == 0 ? "from standard input" : o->name,
		o->published[0] ? ", published " : "", o->published);
}

static int
collect(struct price_run *run, struct err *err)
{
	const struct price_ask *ask = run->ask;
	struct offer o = {.run = run, .region = meters_region(run->meters, ask->region)};
	if (ask->n_from > 1)
		return err_set(
			err, ERR_USAGE, "%zu times --from: the offer is one file", ask->n_from);
	if (!ask->n_from && !run->meters->url)
		return err_set(err, ERR_USAGE, "the rules name no url: say where with --from");
	o.name = ask->n_from ? ask->from[0]
			     : meters_text(run->meters->url, ask->region, run->arena);
	if (!o.name)
		return err_nomem(err);
	buf_init(&o.others, OTHERS_MAX);
	bool file = !fetch_is_url(o.name);
	int rc = csv_open(o.name, on_record, &o, &o.csv, err);
	if (rc == 0)
		rc = file ? price_feed_file(run, o.name, feed_csv, &o, err) : fetch_offer(&o, err);
	rc = rc ? rc : csv_end(o.csv, err);
	rc = rc ? rc : check_end(&o, err);
	csv_close(o.csv);
	run->answer->pages = 1;
	buf_fini(&o.others);
	rc = rc ? rc : day_of_file(&o, file, err);
	note_source(&o);
	return rc;
}

const struct price_source price_source_aws = {
	.provider = "aws", .currency = "USD", .collect = collect};
