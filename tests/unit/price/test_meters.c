/*
 * Meters and the rules that want them: whole texts, old names and new, look-alikes that must not match,
 * and what the draft of a book makes of them.
 */
#include "base/json.h"
#include "common.h"
#include "price/draft.h"

static void
load_rules(struct arena *a, const char *provider, struct meters *m)
{
	struct err err = {0};
	const char *path = arena_printf(a, "pricing/meters-%s.json", provider);
	if (meters_load(source_path(a, path), a, m, &err))
		fail_msg("%s", err.text);
	assert_string_equal(m->provider, provider);
}

/* What the rules make of a meter of Azure: "family sku redundancy item", or "" for none. */
static void
match_azure(const struct meters *m, const char *product, const char *sku, const char *meter,
	const char *arm, char text[200])
{
	const char *values[METERS_FIELDS_MAX];
	struct meter_match match;
	struct err err = {0};
	for (size_t i = 0; i < m->n_fields; i++) {
		const char *f = m->fields[i];
		values[i] = strcmp(f, "productName") == 0  ? product
			    : strcmp(f, "skuName") == 0    ? sku
			    : strcmp(f, "meterName") == 0  ? meter
			    : strcmp(f, "armSkuName") == 0 ? arm
							   : "";
	}
	if (meters_match(m, values, &match, &err))
		fail_msg("%s", err.text);
	text[0] = '\0';
	if (match.rule)
		snprintf(text, 200, "%s %s %s %s", match.rule->family, match.sku ? match.sku : "-",
			match.redundancy ? match.redundancy : "-",
			names_text(&price_item_names, match.rule->item));
}

/* Names from the recorded answers of 2022-04 and 2026-08. */
static const struct {
	const char *product, *sku, *meter, *arm, *row;
} azure[] = {
	{"Premium SSD Managed Disks", "P30 LRS", "P30 LRS Disk", "", "premium_ssd P30 LRS disk"},
	{"Premium SSD Managed Disks", "P30 ZRS", "P30 ZRS Disk", "", "premium_ssd P30 ZRS disk"},
	{"Premium SSD Managed Disks", "P80 LRS", "P80 Disks", "Premium_SSD_Managed_Disks_P80",
		"premium_ssd P80 LRS disk"},
	{"Premium SSD Managed Disks", "P30 LRS", "P30 LRS Disk Mount", "",
		"premium_ssd P30 LRS mount"},
	{"Premium SSD Managed Disks", "P3 LRS", "P30 LRS Disk", "", ""},
	{"Premium SSD Managed Disks", "P30 LRS", "P30 LRS Disk ", "", ""},
	{"Premium SSD Managed Disks", "P30 LRS", "p30 LRS Disk", "", ""},
	{"Premium SSD Managed Disks", "P30 ZRS", "P30 LRS Disk", "", ""},
	{"Premium SSD Managed Disks", "P31 LRS", "P31 LRS Disk", "", ""},
	{"Premium Page Blob", "P30 LRS", "P30 LRS Disk", "", ""},
	{"Premium Page Blob", "P4 LRS", "P4 Disks", "", ""},
	{"Premium SSD Managed Disks", "Snapshots LRS", "LRS Snapshots", "",
		"premium_ssd - LRS snapshot"},
	{"Standard SSD Managed Disks", "Snapshots LRS", "Snapshots LRS Snapshots", "",
		"standard_ssd - LRS snapshot"},
	{"Standard HDD Managed Disks", "Snapshots LRS", "LRS Snapshots", "",
		"standard_hdd - LRS snapshot"},
	{"Standard SSD Managed Disks", "E4 LRS", "E4 LRS Disk Operations", "",
		"standard_ssd E4 LRS operations"},
	{"Standard SSD Managed Disks", "Confidential Compute Encryption LRS",
		"Confidential Compute Encryption LRS Provisioned Capacity", "", ""},
	{"Azure Premium SSD v2", "Premium LRS", "Premium LRS Provisioned IOPS", "",
		"premium_ssd_v2 PremiumV2_LRS LRS iops"},
	{"Ultra Disks", "Ultra LRS", "Ultra LRS Reservation per vCPU Provisioned", "",
		"ultra_disk UltraSSD_LRS LRS vcpu_reservation"},
	{"Virtual Machines Edsv5 Series", "E8ds v5", "E8ds v5", "Standard_E8ds_v5",
		"vm Standard_E8ds_v5 - vm"},
	{"Virtual Machines Edsv5 Series", "E8ds v5 Spot", "E8ds v5 Spot", "Standard_E8ds_v5", ""},
	{"Virtual Machines Edsv5 Series", "E8ds v5 Low Priority", "E8ds v5 Low Priority",
		"Standard_E8ds_v5", ""},
	{"Virtual Machines Edsv5 Series Windows", "E8ds v5", "E8ds v5", "Standard_E8ds_v5", ""},
	{"General Block Blob v2", "Cool LRS", "Cool LRS Data Stored", "", "blob Cool LRS blob"},
	{"General Block Blob v2", "Cool LRS", "Cool LRS Early Delete", "", ""},
};

static void
test_azure(void **state)
{
	(void)state;
	struct arena a;
	struct meters m;
	arena_init(&a, 0);
	load_rules(&a, "azure", &m);
	for (size_t i = 0; i < sizeof(azure) / sizeof(azure[0]); i++) {
		char row[200];
		match_azure(&m, azure[i].product, azure[i].sku, azure[i].meter, azure[i].arm, row);
		if (strcmp(row, azure[i].row) != 0)
			fail_msg("%s / %s: \"%s\", wanted \"%s\"", azure[i].product, azure[i].meter,
				row, azure[i].row);
	}
	arena_fini(&a);
}

/* Every row number gives the rule, SKU and redundancy that a match of it has. */
static void
test_rows(void **state)
{
	(void)state;
	static const char *const providers[] = {"azure", "aws", "gcp"};
	struct arena a;
	arena_init(&a, 0);
	for (size_t p = 0; p < 3; p++) {
		struct meters m;
		size_t sum = 0;
		load_rules(&a, providers[p], &m);
		for (size_t k = 0; k < m.n_rules; k++)
			sum += (m.rules[k].n_skus ? m.rules[k].n_skus : 1) *
			       (m.rules[k].n_redundancies ? m.rules[k].n_redundancies : 1);
		assert_int_equal(meters_rows(&m), sum);
		for (size_t i = 0; i < sum; i++) {
			struct meter_match match;
			meters_row(&m, i, &match);
			assert_non_null(match.rule);
			assert_int_equal(match.row, i);
			assert_true((match.sku != NULL) == (match.rule->n_skus > 0));
		}
	}
	arena_fini(&a);
}

static const struct {
	const char *rules, *says;
} bad_rules[] = {
	{"{\"family\":\"f\",\"item\":\"disk\",\"where\":[]}", "every meter would match"},
	{"{\"family\":\"f\",\"item\":\"disk\",\"where\":[{\"field\":\"x\",\"is\":[\"{sku}\"]}]}",
		"{sku} with skus"},
	{"{\"family\":\"f\",\"item\":\"disk\",\"skus\":[\"a\"],\"where\":[{\"field\":\"x\",\"is\":["
	 "\"{"
	 "size}\"]}]}",
		"accepted places"},
	{"{\"family\":\"f\",\"item\":\"disc\",\"where\":[{\"field\":\"x\",\"is\":[\"a\"]}]}",
		"disk"},
};

static int
read_rules(struct arena *a, const char *rules, struct meters *m, struct err *err)
{
	struct json_doc *doc = NULL;
	const char *text = arena_printf(a,
		"{\"schema\":\"tierwise/meters/1\",\"provider\":\"azure\",\"as_of\":\"2026-08-22\","
		"\"source\":\"s\",\"units\":[{\"published\":\"1/Month\",\"unit\":\"month\"},"
		"{\"published\":\"100\",\"unit\":\"10k\",\"per\":0.01},"
		"{\"published\":\"GiBps\",\"unit\":\"month\",\"per\":1024}],\"rules\":[%s]}",
		rules);
	int rc = json_parse("rules", text, strlen(text), &doc, err);
	rc = rc ? rc : meters_read(json_root(doc), a, m, err);
	json_free(doc);
	return rc;
}

static void
test_bad_rules(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(bad_rules) / sizeof(bad_rules[0]); i++) {
		struct meters m;
		struct err err = {0};
		assert_int_not_equal(read_rules(&a, bad_rules[i].rules, &m, &err), 0);
		if (!strstr(err.text, bad_rules[i].says))
			fail_msg("%s: %s", bad_rules[i].rules, err.text);
	}
	arena_fini(&a);
}

#define RULE(family, item, text)                                                                   \
	"{\"family\":\"" family "\",\"item\":\"" item                                              \
	"\",\"where\":[{\"field\":\"name\",\"is\":[\"" text "\"]}]}"

static void
test_two_rules(void **state)
{
	(void)state;
	struct arena a;
	struct meters m;
	struct meter_match match;
	struct err err = {0};
	const char *values[] = {"x"};
	arena_init(&a, 0);
	assert_int_equal(
		read_rules(&a, RULE("a", "disk", "x") "," RULE("b", "mount", "x"), &m, &err), 0);
	assert_int_equal(meters_match(&m, values, &match, &err), ERR_PRICE);
	assert_non_null(strstr(err.text, "a disk and b mount"));
	arena_fini(&a);
}

/* Meters of one rule, and how the draft ends. */
struct draft_case {
	const char *item;
	struct draft_meter meters[3];
	int rc; /* of the first draft_add() that fails, else of draft_finish() */
	const char *says;
	size_t n_rows;
};

#define METER(i, u, p, t)                                                                          \
	{                                                                                          \
		.id = (i), .product = "P", .meter = "M", .unit = (u), .price = (p),                \
		.tier_min = (t)                                                                    \
	}

static const struct draft_case drafts[] = {
	{"disk", {METER("a", "1/Month", 5, 0)}, 0, "", 1},
	{"disk", {METER("a", "1/Month", 5, 0), METER("a", "1/Month", 5, 0)}, 0, "", 1},
	{"disk", {METER("a", "1/Month", 5, 0), METER("b", "1/Month", 5, 0)}, ERR_PRICE,
		"f disk: \"M\" of \"P\" 5 (a) and \"M\" of \"P\" 5 (b)", 0},
	{"disk", {METER("a", "1/Month", 5, 0), METER("a", "1/Month", 6, 0)}, ERR_PRICE, "5 (a) and",
		0},
	{"disk",
		{METER("a", "1/Month", 5, 0), METER("b", "1/Month", 6, 0),
			METER("c", "1/Month", 7, 0)},
		ERR_PRICE, "7 (c)", 0},
	{"disk", {METER("a", "1/Month", 0, 0)}, ERR_PRICE, "costs 0 with no paid tier", 0},
	{"iops", {METER("a", "1/Month", 2, 3000), METER("a", "1/Month", 0, 0)}, 0, "", 2},
	{"iops", {METER("a", "1/Month", 0, 3000), METER("a", "1/Month", 0, 0)}, ERR_PRICE,
		"costs 0", 0},
	{"disk", {METER("a", "1/Year", 5, 0)}, ERR_PRICE,
		"\"1/Year\", a unit the rules do not know", 0},
	{"disk", {METER("a", "100", 5, 0)}, ERR_PRICE, "does not fit", 0},
	{"disk", {METER("a", "1/Month", -5, 0)}, ERR_PRICE, "costs -5", 0},
	{"disk", {METER("a", "1/Month", 5, -1)}, ERR_PRICE, "from -1 units on", 0},
	{"disk", {{.id = NULL}}, ERR_PRICE, "no meter that a rule asks for", 0},
};

static void
run_draft(const struct draft_case *c)
{
	struct arena a;
	struct meters m;
	struct draft d;
	struct price_book book = {.n_rows = 0};
	struct meter_match match;
	struct err err = {0};
	const char *values[] = {"x"};
	arena_init(&a, 0);
	const char *rule = strcmp(c->item, "iops") == 0 ? RULE("f", "iops", "x")
							: RULE("f", "disk", "x");
	assert_int_equal(read_rules(&a, rule, &m, &err), 0);
	assert_int_equal(meters_match(&m, values, &match, &err), 0);
	assert_int_equal(draft_init(&d, &m, &a, &err), 0);
	int rc = 0;
	for (size_t i = 0; i < 3 && rc == 0 && c->meters[i].id; i++)
		rc = draft_add(&d, &match, &c->meters[i], &err);
	rc = rc ? rc : draft_finish(&d, &book, &err);
	if (rc != c->rc || !strstr(err.text, c->says))
		fail_msg("%s %g: %d \"%s\", wanted %d \"%s\"", c->item, c->meters[0].price, rc,
			err.text, c->rc, c->says);
	assert_int_equal(book.n_rows, c->n_rows);
	if (book.n_rows == 2)
		assert_true(book.rows[0].tier_min < book.rows[1].tier_min);
	draft_fini(&d);
	arena_fini(&a);
}

static void
test_draft(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++)
		run_draft(&drafts[i]);
}

/* 45.056 per GiB/s is 0.044 per MiB/s: the very number, no dust in the last bit. */
static void
test_units(void **state)
{
	(void)state;
	struct arena a;
	struct meters m;
	struct draft d;
	struct price_book book;
	struct meter_match match;
	struct err err = {0};
	const char *values[] = {"x"};
	const struct draft_meter meter = METER("a", "GiBps", 45.056, 0);
	arena_init(&a, 0);
	assert_int_equal(read_rules(&a, RULE("f", "throughput", "x"), &m, &err), 0);
	assert_int_equal(meters_match(&m, values, &match, &err), 0);
	assert_int_equal(draft_init(&d, &m, &a, &err), 0);
	assert_int_equal(draft_add(&d, &match, &meter, &err), 0);
	assert_int_equal(draft_finish(&d, &book, &err), 0);
	assert_true(!(book.rows[0].price < 0.044) && !(book.rows[0].price > 0.044));
	draft_fini(&d);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_azure),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_bad_rules),
		cmocka_unit_test(test_two_rules),
		cmocka_unit_test(test_draft),
		cmocka_unit_test(test_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
