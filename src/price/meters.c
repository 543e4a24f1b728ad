#include "price/meters.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

#define R struct meter_rule
#define M struct meters

static const struct schema_field test_fields[] = {
	FIELD_TEXT(struct meter_test, field, true, "name of a field of the provider's answer"),
	FIELD_TEXTS(struct meter_test, is, n_is, true,
		"its whole text is one of these; {sku} and {redundancy} stand for the row's"),
};
static const struct schema test_schema = SCHEMA_PART("test", struct meter_test, test_fields);

static const struct schema_field unit_fields[] = {
	FIELD_TEXT(struct meter_unit, published, true, "unit in the provider's words"),
	FIELD_WORD(struct meter_unit, unit, &price_unit_names, true, "unit of the price book"),
	FIELD_NUMBER(struct meter_unit, per, false, 1e-6, 1e9, "",
		"how many of our unit it is: the price is divided by it (default 1)"),
};
static const struct schema unit_schema = SCHEMA_PART(
	"published unit", struct meter_unit, unit_fields);

static const struct schema_field region_fields[] = {
	FIELD_TEXT(struct meter_region, region, true, "code of the region, as eu-west-1"),
	FIELD_TEXTS(struct meter_region, locations, n_locations, true,
		"what the list calls it where it does not give the code: one of these, whole"),
};
static const struct schema region_schema = SCHEMA_PART(
	"region", struct meter_region, region_fields);

static const struct schema_field part_fields[] = {
	FIELD_TEXT(struct meter_part, part, true, "what it is, as core or ram"),
	FIELD_WORD(struct meter_part, unit, &price_unit_names, true,
		"unit its meter must have; of the first part: that of the row"),
	FIELD_NUMBERS(struct meter_part, quantities, n_quantities, true, 0, 1e6, "",
		"how many of them each SKU has, in the order of skus"),
	FIELD_LIST(struct meter_part, where, n_where, &test_schema, true, "all must hold"),
};
static const struct schema part_schema = SCHEMA_PART("part", struct meter_part, part_fields);

static const struct schema_field rule_fields[] = {
	FIELD_TEXT(R, family, true, "family of the row"),
	FIELD_WORD(R, item, &price_item_names, true, "what the meter charges for"),
	FIELD_TEXTS(R, skus, n_skus, false, "one row for each; absent: the row has no SKU"),
	FIELD_TEXTS(R, redundancies, n_redundancies, false,
		"one row for each; absent: the row has none"),
	FIELD_TEXT(R, term, false, "commitment of each row; absent: pay as you go"),
	FIELD_LIST(R, where, n_where, &test_schema, false, "all must hold"),
	FIELD_LIST(R, parts, n_parts, &part_schema, false,
		"instead of where: the price is the sum of these meters, each times its quantity"),
	FIELD_NUMBER(R, tier_min, false, 0, SCHEMA_ANY, "",
		"first unit the price applies to, where only the provider's documents say so"),
	FIELD_FLAG(R, optional, "a region without it is not mentioned"),
	FIELD_TEXT(R, note, false, "note of each row"),
};
static const struct schema rule_schema = SCHEMA_PART("rule", R, rule_fields);

static const struct schema_field fields[] = {
	FIELD_TEXT(M, provider, true, "azure, aws or gcp"),
	FIELD_TEXT(M, as_of, true, "date the names were read, YYYY-MM-DD"),
	FIELD_TEXT(M, source, true, "where the names were read"),
	FIELD_TEXT(M, url, false, "where prices are asked for; {region} stands for the region"),
	FIELD_TEXTS(M, queries, n_queries, false, "filters, each asked for by itself"),
	FIELD_LIST(M, units, n_units, &unit_schema, true, "what published units mean"),
	FIELD_LIST(M, regions, n_regions, &region_schema, false,
		"names of regions, where the provider's lists may lack the code"),
	FIELD_LIST(M, rules, n_rules, &rule_schema, true, "one rule a kind of meter"),
};

const struct schema meters_schema = SCHEMA_DOCUMENT("tierwise/meters/1",
	"Which meter of a provider becomes which row of a price book", M, fields);

/* Places of a text: {sku}, {redundancy}. */
static const char *
slot_of(const char *text, const char *sku, const char *redundancy, size_t *length)
{
	static const char sku_word[] = "{sku}", redundancy_word[] = "{redundancy}";
	if (strncmp(text, sku_word, sizeof(sku_word) - 1) == 0) {
		*length = sizeof(sku_word) - 1;
		return sku;
	}
	if (strncmp(text, redundancy_word, sizeof(redundancy_word) - 1) == 0) {
		*length = sizeof(redundancy_word) - 1;
		return redundancy;
	}
	return NULL;
}

/* Whether the whole value is the text with its places filled in. */
static bool
is_text(const char *text, const char *value, const char *sku, const char *redundancy)
{
	while (*text) {
		size_t length = 0;
		const char *filler = *text == '{' ? slot_of(text, sku, redundancy, &length) : NULL;
		if (!filler) {
			if (*text++ != *value++)
				return false;
			continue;
		}
		size_t n = strlen(filler);
		if (strncmp(value, filler, n) != 0)
			return false;
		text += length;
		value += n;
	}
	return *value == '\0';
}

static bool
holds(const struct meter_test *test, const char *value, const char *sku, const char *redundancy)
{
	for (size_t i = 0; i < test->n_is; i++) {
		if (is_text(test->is[i], value, sku, redundancy))
			return true;
	}
	return false;
}

static size_t
at_least_one(size_t n)
{
	return n ? n : 1;
}

size_t
meters_rule_rows(const R *r)
{
	return at_least_one(r->n_skus) * at_least_one(r->n_redundancies);
}

/* Row i of a rule: redundancies outside, SKUs inside, as books are written. */
static void
rule_row(const R *r, size_t i, struct meter_match *match)
{
	size_t skus = at_least_one(r->n_skus);
	match->rule = r;
	match->sku = r->n_skus ? r->skus[i % skus] : NULL;
	match->redundancy = r->n_redundancies ? r->redundancies[i / skus] : NULL;
}

static bool
row_holds(const R *r, const struct meter_match *row, const char *const *values)
{
	const char *sku = row->sku ? row->sku : "";
	const char *redundancy = row->redundancy ? row->redundancy : "";
	for (size_t i = 0; i < r->n_where; i++) {
		if (!holds(&r->where[i], values[r->where[i].index], sku, redundancy))
			return false;
	}
	return true;
}

/* Tests without places first: most meters fail one of them. */
static bool
may_hold(const R *r, const char *const *values)
{
	for (size_t i = 0; i < r->n_where; i++) {
		const struct meter_test *t = &r->where[i];
		if (!t->has_places && !holds(t, values[t->index], "", ""))
			return false;
	}
	return true;
}

static int
two_rules(const struct meter_match *a, const struct meter_match *b, const char *const *values,
	const struct meters *m, struct err *err)
{
	struct buf text;
	buf_init(&text, 600);
	for (size_t i = 0; i < m->n_fields; i++)
		buf_printf(&text, "%s%s \"%.60s\"", i ? ", " : "", m->fields[i], values[i]);
	int rc = err_set(err, ERR_PRICE,
		"a meter is wanted by two rules, %s %s and %s %s: %s; correct the rules",
		a->rule->family, names_text(&price_item_names, a->rule->item), b->rule->family,
		names_text(&price_item_names, b->rule->item), buf_text(&text));
	buf_fini(&text);
	return rc;
}

int
meters_match(const struct meters *meters, const char *const *values, struct meter_match *match,
	struct err *err)
{
	struct meter_match found = {.rule = NULL};
	size_t first = 0;
	for (size_t k = 0; k < meters->n_rules; k++) {
		const R *r = &meters->rules[k];
		size_t n = meters_rule_rows(r);
		for (size_t i = 0; r->n_parts == 0 && may_hold(r, values) && i < n; i++) {
			struct meter_match row = {.row = first + i};
			rule_row(r, i, &row);
			if (!row_holds(r, &row, values))
				continue;
			if (found.rule)
				return two_rules(&found, &row, values, meters, err);
			found = row;
		}
		first += n;
	}
	*match = found;
	return 0;
}

static bool
part_holds(const struct meter_part *part, const char *const *values)
{
	for (size_t i = 0; i < part->n_where; i++) {
		if (!holds(&part->where[i], values[part->where[i].index], "", ""))
			return false;
	}
	return true;
}

int
meters_match_part(const struct meters *meters, const char *const *values, struct part_match *match,
	struct err *err)
{
	struct part_match found = {.rule = NULL};
	size_t number = 0;
	for (size_t k = 0; k < meters->n_rules; k++) {
		const R *r = &meters->rules[k];
		for (size_t i = 0; i < r->n_parts; i++, number++) {
			if (!part_holds(&r->parts[i], values))
				continue;
			if (found.rule)
				return two_rules(&(struct meter_match){.rule = found.rule},
					&(struct meter_match){.rule = r}, values, meters, err);
			found = (struct part_match){r, &r->parts[i], number};
		}
	}
	*match = found;
	return 0;
}

size_t
meters_parts(const struct meters *meters)
{
	size_t n = 0;
	for (size_t k = 0; k < meters->n_rules; k++)
		n += meters->rules[k].n_parts;
	return n;
}

static bool
equal_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool
meters_ask_for(const struct meters *meters, const struct price_row *row)
{
	for (size_t k = 0; k < meters->n_rules; k++) {
		const R *r = &meters->rules[k];
		if (r->item != row->item || strcmp(r->family, row->family) != 0)
			continue;
		for (size_t i = 0; i < meters_rule_rows(r); i++) {
			struct meter_match m;
			rule_row(r, i, &m);
			if (equal_texts(m.sku, row->sku) &&
				equal_texts(m.redundancy, row->redundancy))
				return true;
		}
	}
	return false;
}

size_t
meters_rows(const struct meters *meters)
{
	size_t n = 0;
	for (size_t k = 0; k < meters->n_rules; k++)
		n += meters_rule_rows(&meters->rules[k]);
	return n;
}

void
meters_row(const struct meters *meters, size_t row, struct meter_match *match)
{
	size_t first = 0, k = 0;
	while (row - first >= meters_rule_rows(&meters->rules[k]))
		first += meters_rule_rows(&meters->rules[k++]);
	match->row = row;
	rule_row(&meters->rules[k], row - first, match);
}

const struct meter_unit *
meters_unit(const struct meters *meters, const char *published)
{
	for (size_t i = 0; i < meters->n_units; i++) {
		if (strcmp(meters->units[i].published, published) == 0)
			return &meters->units[i];
	}
	return NULL;
}

const struct meter_region *
meters_region(const struct meters *meters, const char *region)
{
	for (size_t i = 0; i < meters->n_regions; i++) {
		if (strcmp(meters->regions[i].region, region) == 0)
			return &meters->regions[i];
	}
	return NULL;
}

const char *
meters_text(const char *text, const char *region, struct arena *a)
{
	static const char word[] = "{region}";
	const char *at = strstr(text, word);
	if (!at)
		return text;
	const char *rest = meters_text(at + sizeof(word) - 1, region, a);
	return rest ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, region, rest) : NULL;
}

/* A place that is misspelt would never match, and a row be called unknown for ever. */
static int
check_texts(struct jval v, struct meter_test *test, const R *rule, struct err *err)
{
	test->has_places = false;
	for (size_t i = 0; i < test->n_is; i++) {
		const char *p = strchr(test->is[i], '{');
		test->has_places |= p != NULL;
		for (; p; p = strchr(p + 1, '{')) {
			size_t length;
			const char *filler = slot_of(p, rule->n_skus ? "s" : NULL,
				rule->n_redundancies ? "r" : NULL, &length);
			if (!filler)
				return json_fail(v, err, ERR_RANGE,
					"is: \"%.80s\", accepted places: {sku} with skus, "
					"{redundancy} with redundancies",
					test->is[i]);
		}
	}
	return 0;
}

/* Number of the field, added to the list when it is new. */
static int
add_field(struct jval v, M *m, struct meter_test *test, struct err *err)
{
	for (size_t i = 0; i < m->n_fields; i++) {
		if (strcmp(m->fields[i], test->field) == 0) {
			test->index = i;
			return 0;
		}
	}
	if (m->n_fields == METERS_FIELDS_MAX)
		return json_fail(v, err, ERR_RANGE, "field: the rules look at more than %d fields",
			METERS_FIELDS_MAX);
	test->index = m->n_fields;
	m->fields[m->n_fields++] = test->field;
	return 0;
}

static int
check_tests(
	struct jval where, M *m, struct meter_test *tests, size_t n, const R *rule, struct err *err)
{
	struct jval t = json_first(where);
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0; i++, t = json_next(t)) {
		rc = add_field(t, m, &tests[i], err);
		rc = rc ? rc : check_texts(t, &tests[i], rule, err);
	}
	return rc;
}

/* Parts belong to machines by the hour; {sku} in their texts stands for nothing, as one serves all SKUs. */
static int
check_part(struct jval v, M *m, const R *r, size_t i, struct err *err)
{
	struct meter_part *part = &r->parts[i];
	static const R no_lists = {.n_skus = 0};
	if (part->n_where == 0)
		return json_fail(v, err, ERR_RANGE, "where: empty, every meter would match");
	if (part->n_quantities != r->n_skus)
		return json_fail(json_get(v, "quantities"), err, ERR_RANGE,
			"quantities: %zu, accepted: one for each of the %zu skus",
			part->n_quantities, r->n_skus);
	if (i == 0 && !price_item_takes((enum price_item)r->item, (enum price_unit)part->unit))
		return json_fail(json_get(v, "unit"), err, ERR_RANGE,
			"unit: the first part gives the unit of the row, and \"%s\" cannot be per "
			"\"%s\"",
			names_text(&price_item_names, r->item),
			names_text(&price_unit_names, part->unit));
	return check_tests(json_get(v, "where"), m, part->where, part->n_where, &no_lists, err);
}

static int
check_rule(struct jval v, M *m, R *r, struct err *err)
{
	if (r->n_parts && (r->n_where || r->n_skus == 0 || r->n_redundancies))
		return json_fail(json_get(v, "parts"), err, ERR_RANGE,
			"parts: only in a rule with skus, without where and redundancies");
	if (r->n_where == 0 && r->n_parts == 0)
		return json_fail(v, err, ERR_RANGE, "where: empty, every meter would match");
	int rc = check_tests(json_get(v, "where"), m, r->where, r->n_where, r, err);
	struct jval part = json_first(json_get(v, "parts"));
	for (size_t i = 0; i < r->n_parts && rc == 0; i++, part = json_next(part))
		rc = check_part(part, m, r, i, err);
	return rc;
}

int
meters_read(struct jval root, struct arena *a, struct meters *meters, struct err *err)
{
	M m = {.n_fields = 0};
	int64_t days;
	int rc = schema_read(&meters_schema, root, a, &m, err);
	if (rc)
		return rc;
	if (clock_parse_date(m.as_of, &days, NULL))
		rc = json_fail(json_get(root, "as_of"), err, ERR_RANGE,
			"as_of: \"%.40s\", accepted: a calendar date YYYY-MM-DD", m.as_of);
	for (size_t i = 0; i < m.n_units; i++) {
		if (isnan(m.units[i].per))
			m.units[i].per = 1;
	}
	struct jval v = json_first(json_get(root, "rules"));
	for (size_t i = 0; i < m.n_rules && rc == 0; i++, v = json_next(v))
		rc = check_rule(v, &m, &m.rules[i], err);
	if (rc == 0)
		*meters = m;
	return rc;
}

int
meters_load(const char *path, struct arena *a, struct meters *meters, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc == 0)
		rc = meters_read(json_root(doc), a, meters, err);
	json_free(doc);
	return rc;
}
