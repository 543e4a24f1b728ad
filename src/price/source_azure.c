/*
 * source_azure.c - Azure: the Retail Prices interface, page by page, or saved answers of it.
 *
 * An answer is {"BillingCurrency", "Items": [...], "NextPageLink", "Count"}.  Pages are followed until
 * one has no link.  What is known to go wrong and is met here: a full page whose link is empty although
 * more exists (2023-03-10; asked for again with $skip), links that lead nowhere or round in circles, a
 * filter value that is misspelt (an empty answer, not an error), tiers in any order, numbers written as
 * strings (before 2021-07), rows that are not in force yet or no more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "price/items.h"
#include "price/pages.h"
#include "price/source.h"

enum { PAGE_MAX_B = 16 << 20, PAGE_SIZE_OLD = 100, PAGE_SIZE = 1000, ID_MAX = 200, TERM_MAX = 60 };

/* What is around the items of a page. */
struct envelope {
	const char *link; /* of the next page, in the arena; NULL: none */
	size_t n; /* items */
};

/* All pages of one filter, or all saved files. */
struct walk {
	struct price_run *run;
	const char *url; /* of the page at hand; NULL: a file */
	const char *name; /* of the page or file, for messages: a URL with its filter is too long */
	const char *day; /* YYYY-MM-DD: prices in force on it are taken */
	char quoted_region[80];
	struct items *items;
	bool hashed; /* page_hash is wanted */
	uint64_t page_hash; /* of the page's items */
	uint64_t *hashes; /* of the pages before */
	size_t n_hashes;
	const char **urls; /* asked for so far */
	size_t n_urls;
	size_t query; /* number of the filter, from 1 */
	size_t n_items;
};

/* --- items */

static const char *
text_of(struct jval item, const char *key)
{
	const char *text = json_text(json_get(item, key));
	return text ? text : "";
}

static double
number_of(struct jval item, const char *key, double absent)
{
	struct jval v = json_get(item, key);
	const char *text = json_text(v);
	char *end = NULL;
	if (json_type(v) == JSON_ABSENT || json_type(v) == JSON_NULL)
		return absent;
	if (!text)
		return json_number(v);
	double number = strtod(text, &end);
	return end != text && *end == '\0' ? number : (double)NAN;
}

static bool
is_in_force(const struct walk *w, struct jval item)
{
	const char *start = text_of(item, "effectiveStartDate");
	const char *end = text_of(item, "effectiveEndDate");
	return !(*start && strncmp(start, w->day, 10) > 0) &&
	       !(*end && strncmp(end, w->day, 10) < 0);
}

static int
check_item(const struct walk *w, struct jval item, struct err *err)
{
	const char *meter = text_of(item, "meterName"), *currency = text_of(item, "currencyCode");
	double retail = number_of(item, "retailPrice", (double)NAN);
	double unit = number_of(item, "unitPrice", retail);
	if (strcmp(currency, w->run->currency) != 0)
		return err_set(err, ERR_PRICE,
			"\"%.80s\" is priced in \"%.10s\", %s was asked for; some regions are "
			"priced in USD only",
			meter, currency, w->run->currency);
	if (retail < unit || retail > unit)
		return err_set(err, ERR_PRICE,
			"\"%.80s\" has two prices, retailPrice %.10g and unitPrice %.10g", meter,
			retail, unit);
	return 0;
}

/* "1 Year" -> "1 year savings plan"; the price is per unit, as that of the item. */
static int
take_savings_plans(struct walk *w, struct jval item, const struct meter_match *match,
	const struct draft_meter *meter, struct err *err)
{
	struct draft_meter m = *meter;
	struct jval plan = json_first(json_get(item, "savingsPlan"));
	int rc = 0;
	for (; plan.node && rc == 0; plan = json_next(plan)) {
		char term[TERM_MAX];
		snprintf(term, sizeof(term), "%.30s savings plan", text_of(plan, "term"));
		for (char *p = term; *p; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		m.term = term;
		m.price = number_of(plan, "retailPrice", (double)NAN);
		rc = draft_add(&w->run->draft, match, &m, err);
	}
	return rc;
}

/*
 * A reservation is sold under the meter of what it is for, and its price is the total of the term although
 * the unit stays "1/Month" or "1 Hour".  It is for whole disks and machines; terms without a month's price
 * beside them (5 and 10 years) are left out.
 */
static bool
is_reservation(struct jval item, const struct meter_rule *rule, const char **term, double *months)
{
	static const struct {
		const char *published, *term;
		double months;
	} terms[] = {{"1 Year", "1 year reservation", 12}, {"3 Years", "3 years reservation", 36}};
	const char *published = text_of(item, "reservationTerm");
	if (rule->item != PRICE_ITEM_DISK && rule->item != PRICE_ITEM_VM)
		return false;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (strcmp(published, terms[i].published) != 0)
			continue;
		*term = terms[i].term;
		*months = terms[i].months;
		return true;
	}
	return false;
}

/* Whether the item is of a kind that is read: consumption without a term, or a reservation with one. */
static bool
is_wanted(struct jval item, bool *reserved)
{
	const char *type = text_of(item, "type");
	*reserved = strcmp(type, "Reservation") == 0;
	return *reserved ||
	       (strcmp(type, "Consumption") == 0 && !*text_of(item, "reservationTerm"));
}

static int
take_item(struct walk *w, struct jval item, struct err *err)
{
	const struct meters *rules = w->run->meters;
	const char *values[METERS_FIELDS_MAX];
	struct meter_match match;
	char id[ID_MAX];
	bool reserved;
	if (strcmp(text_of(item, "armRegionName"), w->run->ask->region) != 0 ||
		!is_wanted(item, &reserved) || !is_in_force(w, item))
		return 0;
	for (size_t i = 0; i < rules->n_fields; i++)
		values[i] = text_of(item, rules->fields[i]);
	int rc = meters_match(rules, values, &match, err);
	if (rc || !match.rule)
		return rc;
	snprintf(id, sizeof(id), "skuId %.80s, meterId %.80s", text_of(item, "skuId"),
		text_of(item, "meterId"));
	struct draft_meter m = {
		.id = id,
		.product = text_of(item, "productName"),
		.meter = text_of(item, "meterName"),
		.unit = text_of(item, "unitOfMeasure"),
		.price = number_of(item, "retailPrice", (double)NAN),
		.tier_min = number_of(item, "tierMinimumUnits", 0),
		.effective = text_of(item, "effectiveStartDate"),
	};
	if (reserved && !is_reservation(item, match.rule, &m.term, &m.term_months))
		return 0;
	rc = check_item(w, item, err);
	rc = rc ? rc : draft_add(&w->run->draft, &match, &m, err);
	rc = rc || reserved ? rc : take_savings_plans(w, item, &match, &m, err);
	return rc ? err_context(err, "%s", w->name) : 0;
}

/* FNV-1a, 64 bits. */
static uint64_t
hash_more(uint64_t hash, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001B3ULL;
	return hash;
}

static int
on_item(void *ctx, const char *text, size_t n, size_t number, struct err *err)
{
	struct walk *w = ctx;
	struct json_doc *doc = NULL;
	char name[500];
	w->run->answer->meters_seen++;
	if (w->hashed)
		w->page_hash = hash_more(w->page_hash, text, n);
	/* an escape could spell the region in another way; without one the text must hold it */
	if (!memmem(text, n, w->quoted_region, strlen(w->quoted_region)) && !memchr(text, '\\', n))
		return 0;
	snprintf(name, sizeof(name), "%.400s, item %zu", w->name, number);
	int rc = json_parse(name, text, n, &doc, err);
	rc = rc ? rc : take_item(w, json_root(doc), err);
	json_free(doc);
	return rc;
}

/* --- what is around them */

static int
read_envelope(struct walk *w, struct envelope *e, struct err *err)
{
	const struct buf *text = items_envelope(w->items);
	struct json_doc *doc = NULL;
	int rc = json_parse(w->name, buf_text(text), text->len, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	double count = number_of(root, "Count", (double)items_count(w->items));
	const char *link = text_of(root, "NextPageLink");
	e->n = items_count(w->items);
	e->link = *link ? arena_strdup(w->run->arena, link) : NULL;
	if (count < (double)e->n || count > (double)e->n)
		rc = err_set(err, ERR_PARSE, "%s: Count says %g items, there are %zu", w->name,
			count, e->n);
	json_free(doc);
	return rc;
}

static bool
is_full(size_t n)
{
	return n == PAGE_SIZE || n == PAGE_SIZE_OLD;
}

/* --- saved answers */

static int
feed_items(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct walk *w = ctx;
	return items_put(w->items, bytes, n, err);
}

static int
read_file(struct walk *w, struct envelope *e, struct err *err)
{
	int rc = items_open(w->name, "Items", on_item, w, &w->items, err);
	rc = rc ? rc : price_feed_file(w->run, w->name, feed_items, w, err);
	rc = rc ? rc : items_end(w->items, err);
	rc = rc ? rc : read_envelope(w, e, err);
	items_close(w->items);
	w->run->answer->pages++;
	return rc;
}

static int
read_files(struct price_run *run, struct walk *w, struct err *err)
{
	struct envelope e = {.n = 0};
	int rc = price_run_file_day(run, err);
	w->day = run->ask->as_of ? run->ask->as_of : run->read_on;
	for (size_t i = 0; i < run->ask->n_from && rc == 0; i++) {
		w->name = run->ask->from[i];
		rc = read_file(w, &e, err);
	}
	if (rc)
		return rc;
	if (e.link)
		return err_set(err, ERR_PRICE,
			"%s ends with a link to another page: the list is not whole; save that "
			"page too (%.200s) and name every page with --from",
			w->name, e.link);
	if (is_full(e.n))
		return err_set(err, ERR_PRICE,
			"%s: exactly %zu items and no link to more is how a list that was cut off "
			"looks; save the answer for $skip=%zu too, an empty one if there are no "
			"more, and name it with --from",
			w->name, e.n, e.n);
	run->source = arena_printf(run->arena,
		"Azure Retail Prices API, saved answers, priceType Consumption and Reservation, "
		"currency %s",
		run->currency);
	return 0;
}

/* --- pages */

/* The address without filter: what was asked for, with the version of the interface from the rules. */
static const char *
base_url(const struct price_run *run)
{
	const char *own = run->meters->url, *version = own ? strchr(own, '?') : NULL;
	const char *from = run->ask->n_from ? run->ask->from[0] : own;
	bool plain = from && !strchr(from, '?');
	return arena_printf(run->arena, "%s%s", from ? from : "",
		!plain    ? ""
		: version ? version
			  : "?");
}

static const char *
query_url(const struct price_run *run, const char *base, const char *query)
{
	const char *filter = meters_text(query, run->ask->region, run->arena);
	filter = filter ? price_url_encode(run->arena, filter) : NULL;
	char last = base[strlen(base) - 1];
	return filter ? arena_printf(run->arena, "%s%scurrencyCode='%s'&$filter=%s", base,
				last == '?' || last == '&' ? "" : "&", run->currency, filter)
		      : NULL;
}

/* An answer as text: kept from a walk that was interrupted, or asked for. */
static int
get_page(struct walk *w, struct fetch *f, struct pages *pages, struct buf *text, long *status,
	bool *kept, struct err *err)
{
	*kept = pages_get(pages, w->url, text);
	*status = *kept ? 200 : 0;
	if (*kept)
		return 0;
	struct fetch_sink sink = {fetch_put_text, fetch_restart_text, text};
	return fetch_get(f, w->url, &sink, status, err);
}

static int
parse_page(struct walk *w, const struct buf *text, struct envelope *e, struct err *err)
{
	w->page_hash = 0xCBF29CE484222325ULL;
	int rc = items_open(w->name, "Items", on_item, w, &w->items, err);
	rc = rc ? rc : items_put(w->items, buf_text(text), text->len, err);
	rc = rc ? rc : items_end(w->items, err);
	rc = rc ? rc : read_envelope(w, e, err);
	items_close(w->items);
	return rc;
}

/* A page with the very items of one before: the links go round. */
static int
check_hash(struct walk *w, const struct envelope *e, struct err *err)
{
	for (size_t i = 0; i < w->n_hashes && e->n > 0; i++) {
		if (w->hashes[i] == w->page_hash)
			return err_set(err, ERR_NET,
				"%s: page %zu has the same %zu items as page %zu: the pages go "
				"round in circles",
				w->name, w->n_hashes + 1, e->n, i + 1);
	}
	uint64_t *hashes = arena_grow(w->run->arena, w->hashes, w->n_hashes, sizeof(*hashes));
	if (!hashes)
		return err_nomem(err);
	hashes[w->n_hashes++] = w->page_hash;
	w->hashes = hashes;
	return 0;
}

static int
read_page(struct walk *w, struct fetch *f, struct pages *pages, struct envelope *e, long *status,
	struct err *err)
{
	struct buf text;
	bool kept = false;
	buf_init(&text, PAGE_MAX_B);
	int rc = get_page(w, f, pages, &text, status, &kept, err);
	rc = rc ? rc : parse_page(w, &text, e, err);
	rc = rc ? rc : check_hash(w, e, err);
	if (rc == 0 && !kept)
		pages_put(pages, w->url, &text);
	if (rc && kept)
		pages_drop(pages, w->url);
	w->run->answer->pages++;
	w->run->answer->pages_kept += kept;
	w->run->answer->read_mb += (double)text.len / 1e6;
	w->n_items += e->n;
	buf_fini(&text);
	return rc;
}

/* Take the link for the next page, unless it leads astray. */
static int
follow(struct walk *w, const char *first, const char *link, struct err *err)
{
	if (!fetch_same_host(first, link))
		return err_set(err, ERR_NET,
			"%s: the link to the next page leads to another host (%.200s), which is "
			"not followed; a mirror must rewrite its links",
			w->name, link);
	for (size_t i = 0; i < w->n_urls; i++) {
		if (strcmp(w->urls[i], link) == 0)
			return err_set(err, ERR_NET,
				"%s: the link to the next page leads back to page %zu", w->name,
				i + 1);
	}
	if (w->n_urls >= w->run->ask->pages_max)
		return err_set(err, ERR_NET,
			"%s: more than %zu pages and still a link to another; if the list is that "
			"long, raise --max-pages",
			w->name, w->run->ask->pages_max);
	const char **urls = arena_grow(w->run->arena, w->urls, w->n_urls, sizeof(*urls));
	if (!urls)
		return err_nomem(err);
	urls[w->n_urls++] = link;
	w->urls = urls;
	w->url = link;
	w->name = arena_printf(w->run->arena, "%.*s, filter %zu, page %zu",
		(int)strcspn(first, "?"), first, w->query, w->n_urls);
	return w->name ? 0 : err_nomem(err);
}

/*
 * A full page without a link: the interface is asked for what would follow.  Nothing, or status 400 as
 * one crawler saw, and the list was whole; items, and the link was lost.
 */
static int
probe(struct walk *w, struct fetch *f, struct pages *pages, const char *first, struct envelope *e,
	struct err *err)
{
	struct err reason = {0};
	long status = 0;
	size_t before = w->n_items;
	e->link = arena_printf(w->run->arena, "%s&$skip=%zu", first, before);
	if (!e->link)
		return err_nomem(err);
	int rc = follow(w, first, e->link, err);
	if (rc)
		return rc;
	*e = (struct envelope){.n = 0};
	rc = read_page(w, f, pages, e, &status, &reason);
	if (status == 400)
		return 0;
	if (rc)
		return err_set(err, ERR_NET,
			"a page of exactly %zu items had no link to more, which is how a list that "
			"was cut off looks, and asking for more failed: %.600s",
			before, reason.text);
	if (e->n > 0)
		findings_add(w->run->findings, SEVERITY_WARNING, "price-link-lost", NULL,
			"the interface left out the link after %zu items; %zu more were found by "
			"asking",
			before, e->n);
	return 0;
}

static int
walk_query(struct walk *w, struct fetch *f, struct pages *pages, const char *first, bool must,
	struct err *err)
{
	struct envelope e = {.link = first};
	int rc = 0;
	while (rc == 0 && e.link) {
		const char *link = e.link;
		long status;
		rc = follow(w, first, link, err);
		rc = rc ? rc : read_page(w, f, pages, &e, &status, err);
		if (rc == 0 && e.n == 0 && e.link)
			rc = err_set(err, ERR_NET,
				"%s: an empty page with a link to another: not a whole list",
				w->name);
		while (rc == 0 && !e.link && is_full(e.n))
			rc = probe(w, f, pages, first, &e, err);
	}
	if (rc == 0 && w->n_items == 0 && must)
		rc = err_set(err, ERR_PRICE,
			"%s: the answer is empty: nothing is sold in \"%s\"; give the region as "
			"the provider spells it, for example westeurope",
			w->name, w->run->ask->region);
	return rc;
}

static int
walk_queries(struct price_run *run, const struct walk *start, struct fetch *f, struct pages *pages,
	struct err *err)
{
	const char *base = base_url(run);
	const struct meters *m = run->meters;
	int rc = 0;
	if (!base)
		return err_nomem(err);
	if (!*base || !m->n_queries)
		return err_set(err, ERR_USAGE, "the rules name no url or no queries");
	for (size_t i = 0; i < m->n_queries && rc == 0; i++) {
		struct walk w = *start; /* each query has its own pages */
		w.query = i + 1;
		const char *url = query_url(run, base, m->queries[i]);
		rc = url ? walk_query(&w, f, pages, url, i == 0, err) : err_nomem(err);
	}
	run->source = arena_printf(run->arena,
		"Azure Retail Prices API, %s, priceType Consumption and Reservation, currency %s",
		base, run->currency);
	return rc;
}

static int
ask_pages(struct price_run *run, struct walk *w, struct err *err)
{
	struct fetch *f = NULL;
	struct fetch_how how = run->ask->how;
	struct pages pages;
	pages_init(&pages, run->ask->work_dir, run->ask->fresh, run->arena);
	w->day = run->today;
	w->hashed = true;
	how.max_b = PAGE_MAX_B;
	how.same_host = true;
	int rc = fetch_open(&how, &f, err);
	rc = rc ? rc : walk_queries(run, w, f, &pages, err);
	fetch_close(f);
	if (rc == 0)
		pages_remove(&pages);
	return rc;
}

static int
collect(struct price_run *run, struct err *err)
{
	struct walk w = {.run = run};
	bool files = run->ask->n_from && !fetch_is_url(run->ask->from[0]);
	snprintf(w.quoted_region, sizeof(w.quoted_region), "\"%.70s\"", run->ask->region);
	if (!files && run->ask->n_from > 1)
		return err_set(
			err, ERR_USAGE, "%zu times --from: one URL, or files", run->ask->n_from);
	return files ? read_files(run, &w, err) : ask_pages(run, &w, err);
}

const struct price_source price_source_azure = {
	.provider = "azure", .currency = "USD", .collect = collect};
