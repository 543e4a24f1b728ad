/*
 * source_gcp.c - Google Cloud: saved pages of the Cloud Billing Catalog (services/6F81-5844-456A/skus), or
 * the catalogue itself when the user gives its address with a key.
 *
 * A page is {"skus": [...], "nextPageToken": "..."}; a list is whole when its last page has no token.
 * A price is units + nanos of a tiered rate; the unit is a code (GiBy.mo).  Descriptions end with
 * " in PLACE" in some regions and not in others, so rules see the description without it ("what");
 * which region a SKU is for is told by serviceRegions alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "price/items.h"
#include "price/source.h"

enum { WHAT_MAX = 200, NOTE_MAX = 160, PAGE_MAX_B = 64 << 20 };

struct page {
	struct price_run *run;
	struct items *items;
	const char *name;
	char quoted_region[80]; /* "us-central1" with its quotes: most SKUs do not hold it */
};

static bool
is_in_region(struct jval sku, const char *region)
{
	struct jval r = json_first(json_get(sku, "serviceRegions"));
	for (; r.node; r = json_next(r)) {
		const char *text = json_text(r);
		if (text && strcmp(text, region) == 0)
			return true;
	}
	return false;
}

/* Length of a text without a " for 1 Year" or " for 3 Years" at its end. */
static size_t
without_term(const char *text, size_t n)
{
	static const char *const ends[] = {
		" for 1 Year", " for 1 Years", " for 3 Year", " for 3 Years"};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t length = strlen(ends[i]);
		if (n > length && strncmp(text + n - length, ends[i], length) == 0)
			return n - length;
	}
	return n;
}

/* Places are words: "Iowa", "Salt Lake City".  "Iowa - Confidential Mode" says more than where. */
static bool
is_place(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool dash = i + 3 <= n && strncmp(text + i, " - ", 3) == 0;
		if (dash || (text[i] >= '0' && text[i] <= '9'))
			return false;
	}
	return n > 0 && text[0] >= 'A' && text[0] <= 'Z';
}

/* The description without its last " in PLACE", and without the term of a commitment behind it. */
static void
strip_place(const char *description, char what[WHAT_MAX])
{
	size_t n = strlen(description), end = without_term(description, n);
	for (size_t i = end; i-- > 0;) {
		if (strncmp(description + i, " in ", 4) != 0)
			continue;
		if (i + 4 < end && is_place(description + i + 4, end - i - 4))
			n = i;
		break;
	}
	n = n < WHAT_MAX ? n : WHAT_MAX - 1;
	memcpy(what, description, n);
	what[n] = '\0';
}

static const char *
text_of(struct jval object, const char *key)
{
	const char *text = json_text(json_get(object, key));
	return text ? text : "";
}

/* A number that may be written as a string, as 64-bit ones are. */
static double
number_of(struct jval v)
{
	const char *text = json_text(v);
	char *end = NULL;
	if (!text)
		return json_number(v);
	double number = strtod(text, &end);
	return end != text && *end == '\0' ? number : (double)NAN;
}

/* units and nanos are left out when they are 0. */
static double
price_of(struct jval rate)
{
	struct jval price = json_get(rate, "unitPrice");
	struct jval units = json_get(price, "units"), nanos = json_get(price, "nanos");
	double whole = units.node ? number_of(units) : 0, part = nanos.node ? number_of(nanos) : 0;
	return price.node ? whole + part * 1e-9 : (double)NAN;
}

static const char *
field(struct jval sku, const char *name, const char *what)
{
	if (strcmp(name, "what") == 0)
		return what;
	const char *text = json_text(json_get(sku, name));
	return text ? text : text_of(json_get(sku, "category"), name);
}

/*
 * The tiers of a rate.  A free first tier that is counted over a whole account is no property of a disk:
 * the paid price holds from the first unit, and the row says so.
 */
static int
take_rates(struct page *p, struct jval sku, struct jval expression, const char *const *values,
	bool per_account, struct err *err)
{
	struct draft_meter m = {.id = text_of(sku, "skuId"),
		.product = text_of(json_get(sku, "category"), "serviceDisplayName"),
		.meter = text_of(sku, "description"),
		.unit = text_of(expression, "usageUnit")};
	char note[NOTE_MAX] = "";
	int rc = 0;
	struct jval rate = json_first(json_get(expression, "tieredRates"));
	for (; rate.node && rc == 0; rate = json_next(rate)) {
		struct jval start = json_get(rate, "startUsageAmount");
		const char *currency = text_of(json_get(rate, "unitPrice"), "currencyCode");
		bool taken = false;
		m.tier_min = start.node ? number_of(start) : 0;
		m.price = price_of(rate);
		if (per_account && m.tier_min <= 0 && m.price <= 0 && json_next(rate).node)
			continue;
		if (per_account && m.tier_min > 0 && !note[0]) {
			snprintf(note, sizeof(note),
				"the first %g units of an account are free; not counted here",
				m.tier_min);
			m.note = note;
			m.tier_min = 0;
		}
		if (*currency && strcmp(currency, p->run->currency) != 0)
			return err_set(err, ERR_PRICE, "%s: \"%.80s\" is priced in %.10s, not %s",
				p->name, m.meter, currency, p->run->currency);
		rc = price_run_take(p->run, values, &m, &taken, err);
		if (!taken)
			break;
	}
	return rc;
}

/* A meter of a part has one price: what is in front of the first free units of an account is no machine's. */
static int
take_part(struct page *p, struct jval sku, struct jval expression, const struct part_match *part,
	struct err *err)
{
	struct jval rate = json_first(json_get(expression, "tieredRates"));
	struct jval start = json_get(rate, "startUsageAmount");
	const char *currency = text_of(json_get(rate, "unitPrice"), "currencyCode");
	struct draft_meter m = {.id = text_of(sku, "skuId"),
		.product = text_of(json_get(sku, "category"), "serviceDisplayName"),
		.meter = text_of(sku, "description"),
		.unit = text_of(expression, "usageUnit"),
		.price = price_of(rate),
		.tier_min = start.node ? number_of(start) : 0};
	if (*currency && strcmp(currency, p->run->currency) != 0)
		return err_set(err, ERR_PRICE, "%s: \"%.80s\" is priced in %.10s, not %s", p->name,
			m.meter, currency, p->run->currency);
	if (json_count(json_get(expression, "tieredRates")) > 1)
		return err_set(err, ERR_PRICE, "%s: \"%.80s\" has %zu prices, one was expected",
			p->name, m.meter, json_count(json_get(expression, "tieredRates")));
	return draft_add_part(&p->run->draft, part, &m, err);
}

static int
take_sku(struct page *p, struct jval sku, struct err *err)
{
	const char *values[METERS_FIELDS_MAX];
	char what[WHAT_MAX];
	struct meter_match match;
	struct jval info = json_first(json_get(sku, "pricingInfo"));
	struct jval expression = json_get(info, "pricingExpression");
	strip_place(text_of(sku, "description"), what);
	for (size_t i = 0; i < p->run->meters->n_fields; i++)
		values[i] = field(sku, p->run->meters->fields[i], what);
	struct part_match part = {.rule = NULL};
	int rc = meters_match(p->run->meters, values, &match, err);
	if (rc == 0 && !match.rule)
		rc = meters_match_part(p->run->meters, values, &part, err);
	if (rc || (!match.rule && !part.rule))
		return rc;
	if (json_count(json_get(expression, "tieredRates")) == 0)
		return err_set(err, ERR_PRICE, "%s: \"%.80s\" has no price", p->name,
			text_of(sku, "description"));
	if (part.rule)
		return take_part(p, sku, expression, &part, err);
	struct jval aggregation = json_get(info, "aggregationInfo");
	bool per_account = strcmp(text_of(aggregation, "aggregationLevel"), "ACCOUNT") == 0;
	return take_rates(p, sku, expression, values, per_account, err);
}

static int
on_sku(void *ctx, const char *text, size_t n, size_t number, struct err *err)
{
	struct page *p = ctx;
	struct json_doc *doc = NULL;
	char name[300];
	p->run->answer->meters_seen++;
	/* an escape could spell the region in another way; without one the text must hold it */
	if (!memmem(text, n, p->quoted_region, strlen(p->quoted_region)) && !memchr(text, '\\', n))
		return 0;
	snprintf(name, sizeof(name), "%.200s, SKU %zu", p->name, number);
	int rc = json_parse(name, text, n, &doc, err);
	if (rc == 0 && is_in_region(json_root(doc), p->run->ask->region))
		rc = take_sku(p, json_root(doc), err);
	json_free(doc);
	return rc;
}

static int
feed_items(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct page *p = ctx;
	return items_put(p->items, bytes, n, err);
}

/* One page from a file, or from text when there is some.  *token: what asks for the next, "" at the end. */
static int
read_page(struct page *p, const struct buf *text, const char **token, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = items_open(p->name, "skus", on_sku, p, &p->items, err);
	if (rc == 0 && text)
		rc = items_put(p->items, buf_text(text), text->len, err);
	else if (rc == 0)
		rc = price_feed_file(p->run, p->name, feed_items, p, err);
	rc = rc ? rc : items_end(p->items, err);
	if (rc == 0) {
		const struct buf *envelope = items_envelope(p->items);
		rc = json_parse(p->name, buf_text(envelope), envelope->len, &doc, err);
	}
	const char *next = rc == 0 ? text_of(json_root(doc), "nextPageToken") : "";
	next = arena_strdup(p->run->arena, next);
	*token = next ? next : "";
	json_free(doc);
	items_close(p->items);
	p->run->answer->pages++;
	return rc || next ? rc : err_nomem(err);
}

static void
page_init(struct page *p, struct price_run *run, const char *name)
{
	*p = (struct page){.run = run, .name = name};
	snprintf(p->quoted_region, sizeof(p->quoted_region), "\"%.70s\"", run->ask->region);
}

static int
read_files(struct price_run *run, struct err *err)
{
	const char *token = "";
	int rc = price_run_file_day(run, err);
	for (size_t i = 0; i < run->ask->n_from && rc == 0; i++) {
		struct page p;
		page_init(&p, run, run->ask->from[i]);
		rc = read_page(&p, NULL, &token, err);
	}
	if (rc == 0 && *token)
		rc = err_set(err, ERR_PRICE,
			"%s ends with a nextPageToken: the list is not whole; save the next page "
			"too and name every page with --from",
			run->ask->from[run->ask->n_from - 1]);
	return rc;
}

/* The address of the page that a token asks for. */
static const char *
page_url(struct price_run *run, const char *token)
{
	const char *base = run->ask->from[0], *encoded = price_url_encode(run->arena, token);
	if (!*token || !encoded)
		return *token ? NULL : base;
	return arena_printf(
		run->arena, "%s%cpageToken=%s", base, strchr(base, '?') ? '&' : '?', encoded);
}

static int
ask_page(struct price_run *run, struct fetch *f, const char **token, struct err *err)
{
	struct buf text;
	struct page p;
	const char *url = page_url(run, *token), *before = *token;
	page_init(&p, run,
		arena_printf(run->arena, "%.*s, page %zu", (int)strcspn(run->ask->from[0], "?"),
			run->ask->from[0], run->answer->pages + 1));
	if (!url || !p.name)
		return err_nomem(err);
	buf_init(&text, PAGE_MAX_B);
	struct fetch_sink sink = {fetch_put_text, fetch_restart_text, &text};
	int rc = fetch_get(f, url, &sink, NULL, err);
	rc = rc ? rc : read_page(&p, &text, token, err);
	run->answer->read_mb += (double)text.len / 1e6;
	buf_fini(&text);
	if (rc == 0 && **token && strcmp(*token, before) == 0)
		rc = err_set(err, ERR_NET, "%s: the token of the next page is its own", p.name);
	if (rc == 0 && **token && run->answer->pages >= run->ask->pages_max)
		rc = err_set(err, ERR_NET,
			"%s: more than %zu pages; if the list is that long, raise --max-pages",
			p.name, run->ask->pages_max);
	return rc;
}

static int
ask_pages(struct price_run *run, struct err *err)
{
	struct fetch *f = NULL;
	struct fetch_how how = run->ask->how;
	const char *token = "";
	how.max_b = PAGE_MAX_B;
	how.same_host = how.hide_query = true;
	int rc = fetch_open(&how, &f, err);
	if (!f)
		return rc;
	do
		rc = ask_page(run, f, &token, err);
	while (rc == 0 && *token);
	fetch_close(f);
	return rc;
}

static int
collect(struct price_run *run, struct err *err)
{
	const struct price_ask *ask = run->ask;
	if (ask->n_from == 0)
		return err_set(err, ERR_USAGE,
			"the catalogue needs a key of yours: give %s with --from, or save its "
			"pages "
			"and name each with --from FILE",
			run->meters->url ? run->meters->url : "its address");
	bool url = fetch_is_url(ask->from[0]);
	run->source = arena_printf(run->arena,
		"Google Cloud Billing Catalog, Compute Engine, %s, usageType OnDemand, Commit1Yr "
		"and Commit3Yr",
		url ? "by its interface" : "saved pages");
	return url ? ask_pages(run, err) : read_files(run, err);
}

const struct price_source price_source_gcp = {
	.provider = "gcp", .currency = "USD", .collect = collect};
