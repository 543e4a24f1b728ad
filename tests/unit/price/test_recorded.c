/*
 * The shipped AWS and GCP books, and the limits of every provider, against the recorded files they
 * were read from: each row must be there with the same number.
 */
#include "base/json.h"
#include "common.h"

static struct json_doc *
load_recorded(struct arena *a, const char *relative)
{
	const char *shared = getenv("TIERWISE_SHARED");
	const char *path = arena_printf(a, "%s/%s", shared ? shared : "", relative);
	struct json_doc *doc = NULL;
	struct err err = {0};
	if (!shared || access(path, R_OK) != 0) {
		print_message("skipped: no %s\n", path);
		skip();
	}
	if (json_load(path, 0, &doc, &err))
		fail_msg("%s", err.text);
	return doc;
}

static bool
is(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static double
ebs_price(struct jval region, const struct price_row *row)
{
	static const double steps[] = {0, 32000, 64000};
	struct jval tier = json_first(json_get(region, "io2_iops_month_tiers"));
	if (row->item == PRICE_ITEM_SNAPSHOT)
		return json_number(json_get(json_get(region, "snapshot_gb_month"), "standard"));
	if (row->item == PRICE_ITEM_CAPACITY)
		return json_number(json_get(json_get(region, "ebs_gb_month"), row->sku));
	if (row->item == PRICE_ITEM_THROUGHPUT)
		return json_number(json_get(region, "gp3_throughput_mibps_month"));
	if (is(row->sku, "gp3"))
		return json_number(json_get(region, "gp3_iops_month"));
	if (is(row->sku, "io1"))
		return json_number(json_get(region, "io1_iops_month"));
	/* [upper end, price] by step */
	for (size_t i = 0; i < 3 && tier.node; i++, tier = json_next(tier)) {
		if (row->tier_min >= steps[i] && row->tier_min <= steps[i])
			return json_number(json_next(json_first(tier)));
	}
	return (double)NAN;
}

static double
ec2_price(const struct json_doc *doc, const char *sku)
{
	struct jval list = json_get(json_root(doc), "instances");
	for (struct jval v = json_first(list); v.node; v = json_next(v)) {
		if (is(json_text(json_get(v, "Instance Type")), sku))
			return strtod(json_text(json_get(v, "price")), NULL);
	}
	return (double)NAN;
}

static void
test_aws(void **state)
{
	(void)state;
	struct arena a;
	struct price_book book;
	arena_init(&a, 0);
	load_book(&a, "pricing/aws-us-east-1.json", &book);
	struct json_doc *ebs = load_recorded(
		&a, "fixtures/pricing/aws_ebs_price_facts_2026-10-06.json");
	struct json_doc *ec2 = load_recorded(
		&a, "fixtures/pricing/aws_ec2_selected_us-east-1_2026-08-06.json");
	struct jval region = json_get(json_get(json_root(ebs), "regions"), "us-east-1");
	size_t volumes = 0, machines = 0;
	for (size_t i = 0; i < book.n_rows; i++) {
		const struct price_row *row = &book.rows[i];
		bool vm = row->item == PRICE_ITEM_VM;
		double want = vm ? ec2_price(ec2, row->sku) : ebs_price(region, row);
		if (!(fabs(row->price - want) <= 1e-12))
			fail_msg("%s: %.10g, recorded %.10g", row->meter, row->price, want);
		volumes += !vm;
		machines += vm;
	}
	/* gp3 3, gp2, io1 2, io2 4, st1, sc1, snapshots */
	assert_int_equal(volumes, 13);
	assert_int_equal(machines, json_count(json_get(json_root(ec2), "instances")));
	print_message("aws-us-east-1: %zu volume and %zu machine prices as recorded\n", volumes,
		machines);
	json_free(ec2);
	json_free(ebs);
	arena_fini(&a);
}

static double
page_price(const struct json_doc *page, const char *name)
{
	for (struct jval v = json_first(json_root(page)); v.node; v = json_next(v)) {
		if (is(json_text(json_get(v, "name")), name))
			return json_number(json_get(v, "usd"));
	}
	return (double)NAN;
}

static double
catalogue_price(const struct json_doc *doc, const struct price_row *row)
{
	const char *key = !row->term ? "hour" : *row->term == '1' ? "month_1y" : "month_3y";
	if (row->item == PRICE_ITEM_VM) {
		struct jval v = json_get(json_get(json_root(doc), "instance"), row->sku);
		return json_number(json_get(json_get(json_get(v, "cost"), "us-central1"), key));
	}
	struct jval list = json_get(json_root(doc), "compute_storage_usd_per_gib_month");
	for (struct jval v = json_first(list); v.node; v = json_next(v)) {
		if (is(json_text(json_get(v, "type")), "pd-snapshot"))
			return json_number(
				json_get(json_get(json_get(v, "cost"), "us-central1"), "month"));
	}
	return (double)NAN;
}

static void
test_gcp(void **state)
{
	(void)state;
	struct arena a;
	struct price_book book;
	arena_init(&a, 0);
	load_book(&a, "pricing/gcp-us-central1.json", &book);
	struct json_doc *page = load_recorded(
		&a, "fixtures/pricing/gcp_disks_hourly_us-central1_2026-08-11.json");
	struct json_doc *catalogue = load_recorded(
		&a, "fixtures/pricing/gcp_gcosts_subset_2026-07-30.json");
	size_t disks = 0;
	for (size_t i = 0; i < book.n_rows; i++) {
		const struct price_row *row = &book.rows[i];
		bool disk = is(row->product, "Compute Engine disk");
		double want = disk ? page_price(page, row->meter) : catalogue_price(catalogue, row);
		if (!(fabs(row->price - want) <= 1e-12))
			fail_msg("%s %s: %.10g, recorded %.10g", row->sku ? row->sku : "",
				row->meter, row->price, want);
		disks += disk;
	}
	/* all of the page but the ten meters of storage pools */
	assert_int_equal(disks, json_count(json_root(page)) - 10);
	print_message("gcp-us-central1: %zu disk prices and %zu others as recorded\n", disks,
		book.n_rows - disks);
	json_free(catalogue);
	json_free(page);
	arena_fini(&a);
}

/* What is priced has limits, and what can be bought has a price: a slip in a name shows here. */
static void
test_books_and_limits_agree(void **state)
{
	static const struct {
		const char *book, *limits;
		size_t disks; /* current and durable */
	} cases[] = {
		{"pricing/aws-us-east-1.json", "pricing/limits-aws.json", 6},
		{"pricing/gcp-us-central1.json", "pricing/limits-gcp.json", 9},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena a;
		struct price_book book;
		struct limits l;
		struct err err = {0};
		size_t disks = 0;
		arena_init(&a, 0);
		load_book(&a, cases[i].book, &book);
		load_limits(&a, cases[i].limits, &l);
		for (size_t k = 0; k < book.n_rows; k++) {
			const struct price_row *row = &book.rows[k];
			const struct disk_limit *d = NULL;
			const struct vm_limit *vm = NULL;
			int rc = row->item == PRICE_ITEM_VM ? limits_vm(&l, row->sku, &vm, &err)
				 : row->sku                 ? limits_disk(&l, row->sku, &d, &err)
							    : 0;
			if (rc || (d && !is(d->family, row->family)))
				fail_msg("%s %s: %s", row->family, row->meter, err.text);
		}
		for (size_t k = 0; k < l.n_disks; k++) {
			const struct disk_limit *d = &l.disks[k];
			const struct price_row *row = NULL;
			const char *kept = d->n_redundancy ? d->redundancy[0] : NULL;
			if (d->superseded == 1 || d->ephemeral == 1)
				continue;
			if (price_book_find(&book, d->family, d->sku, kept, PRICE_ITEM_CAPACITY,
				    &row, &err) ||
				price_book_find(&book, d->snapshot_family, NULL, NULL,
					PRICE_ITEM_SNAPSHOT, &row, &err))
				fail_msg("%s", err.text);
			disks++;
		}
		assert_int_equal(disks, cases[i].disks);
		arena_fini(&a);
	}
}

/* The second-hand book is never taken for a provider's list. */
static void
test_east_us(void **state)
{
	(void)state;
	struct arena a;
	struct price_book book;
	const struct price_row *row = NULL;
	struct err err = {0};
	arena_init(&a, 0);
	load_book(&a, "pricing/secondhand-azure-eastus.json", &book);
	assert_string_not_equal(book.name, "azure-eastus");
	for (size_t i = 0; i < book.n_rows; i++)
		assert_int_equal(price_row_trust(&book, &book.rows[i]), TRUST_ASSUMED);
	assert_int_equal(
		price_book_find(&book, "premium_ssd", "P10", "LRS", PRICE_ITEM_DISK, &row, &err),
		0);
	assert_close(row->price, 19.71);
	/* third-party text is not shipped: P30 is unknown */
	assert_int_equal(
		price_book_find(&book, "premium_ssd", "P30", "LRS", PRICE_ITEM_DISK, &row, &err),
		ERR_PRICE);
	arena_fini(&a);
}

struct column {
	const char *fact;
	size_t offset;
};
#define C(fact, member)                                                                            \
	{                                                                                          \
		fact, offsetof(struct disk_limit, member)                                          \
	}

static const struct column disk_columns[] = {
	C("size_gib_min", size_gib_min),
	C("size_gib_max", size_gib_max),
	C("iops_base", iops_base),
	C("iops_max", iops_max),
	C("iops_min", iops_min),
	C("iops_perf_plus", iops_perf_plus),
	C("mbps_base", mbps_base),
	C("mbps_max", mbps_max),
	C("mbps_min", mbps_min),
	C("mbps_perf_plus", mbps_perf_plus),
	C("burst_iops", burst_iops),
	C("burst_mbps", burst_mbps),
	C("burst_seconds", burst_seconds),
	C("max_shares", max_shares),
};
#undef C

/* A number that differs on purpose, with the reason in the row's note. */
static bool
meant(const char *sku, const char *fact)
{
	/* to 32,000 IOPS; above, 16 KiB per IOPS */
	return is(sku, "io1") && is(fact, "mbps_max");
}

static const struct disk_limit *
row_of(const struct limits *l, const char *sku)
{
	static const struct {
		const char *fact, *shipped;
	} renamed[] = {
		{"instance store (per instance type)", "instance store"},
		{"Standard SSD (cloud_ssd)", "cloud_ssd"},
		{"Ultra Disk (cloud_efficiency)", "cloud_efficiency"},
	};
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		sku = is(sku, renamed[i].fact) ? renamed[i].shipped : sku;
	for (size_t i = 0; i < l->n_disks; i++) {
		if (is(l->disks[i].sku, sku))
			return &l->disks[i];
	}
	return NULL;
}

static void
check_disk(const struct limits *l, struct jval fact)
{
	const char *sku = json_text(json_get(fact, "sku"));
	const struct disk_limit *d = row_of(l, sku);
	if (!d) {
		fail_msg("%s is not in the limits of %s", sku, l->provider);
		return;
	}
	for (size_t k = 0; k < sizeof(disk_columns) / sizeof(disk_columns[0]); k++) {
		const struct column *c = &disk_columns[k];
		double want = json_number(json_get(fact, c->fact));
		double got = *(const double *)(const void *)((const char *)d + c->offset);
		if (isnan(want) || meant(sku, c->fact))
			continue;
		if (!(fabs(got - want) <= 1e-9 * fabs(want)))
			fail_msg("%s: %s %.10g, recorded %.10g", sku, c->fact, got, want);
	}
	bool old = json_bool(json_get(fact, "superseded")) == 1;
	assert_int_equal(d->superseded == 1, old);
	if (old)
		assert_non_null(d->superseded_by);
	assert_non_null(d->source);
	size_t tiers = json_count(json_get(fact, "perf_tier_upgradable_to"));
	assert_int_equal(d->n_performance_tiers, tiers);
}

static void
test_disk_limits(void **state)
{
	static const char *const providers[] = {"azure", "aws", "gcp", "alibaba"};
	struct limits l[4];
	struct arena a;
	(void)state;
	arena_init(&a, 0);
	for (size_t i = 0; i < 4; i++)
		load_limits(&a, arena_printf(&a, "pricing/limits-%s.json", providers[i]), &l[i]);
	struct json_doc *doc = load_recorded(&a, "facts/disk_limits.json");
	size_t n = 0;
	for (struct jval v = json_first(json_root(doc)); v.node; v = json_next(v)) {
		const char *cloud = json_text(json_get(v, "cloud"));
		for (size_t i = 0; i < 4; i++) {
			if (is(cloud, providers[i])) {
				check_disk(&l[i], v);
				n++;
			}
		}
	}
	assert_int_equal(n, json_count(json_root(doc)));
	print_message("%zu rows of disk limits as recorded\n", n);
	json_free(doc);
	arena_fini(&a);
}

static void
check_machine(const struct limits *l, struct jval fact)
{
	const char *sku = json_text(json_get(fact, "sku"));
	const char *interface = json_text(json_get(fact, "remote_disk_interface"));
	const struct vm_limit *found = NULL;
	for (size_t i = 0; i < l->n_vms; i++) {
		const struct vm_limit *m = &l->vms[i];
		bool same = !m->interface || !interface || is(m->interface, interface);
		if (is(m->sku, sku) && same)
			found = m;
	}
	if (!found) {
		fail_msg("%s (%s) is not in the limits", sku, interface ? interface : "-");
		return;
	}
	const struct {
		const char *key;
		double got;
	} cells[] = {{"vcpus", found->vcpus}, {"mem_gib", found->ram_gib},
		{"max_data_disks", found->max_data_disks}, {"uncached_iops", found->uncached_iops},
		{"uncached_mbps", found->uncached_mbps}, {"ultra_pv2_iops", found->ultra_iops},
		{"ultra_pv2_mbps", found->ultra_mbps}, {"temp_read_iops", found->temp_read_iops}};
	for (size_t k = 0; k < sizeof(cells) / sizeof(cells[0]); k++) {
		double want = json_number(json_get(fact, cells[k].key));
		if (!isnan(want) && !(fabs(cells[k].got - want) <= 1e-9 * fabs(want)))
			fail_msg("%s (%s): %s %.10g, recorded %.10g", sku,
				interface ? interface : "-", cells[k].key, cells[k].got, want);
	}
}

static void
test_machine_limits(void **state)
{
	struct limits l;
	struct arena a;
	(void)state;
	arena_init(&a, 0);
	load_limits(&a, "pricing/limits-azure.json", &l);
	struct json_doc *doc = load_recorded(&a, "facts/vm_limits.json");
	size_t n = 0;
	for (struct jval v = json_first(json_root(doc)); v.node; v = json_next(v), n++)
		check_machine(&l, v);
	print_message("%zu rows of machine limits as recorded\n", n);
	json_free(doc);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aws),
		cmocka_unit_test(test_gcp),
		cmocka_unit_test(test_books_and_limits_agree),
		cmocka_unit_test(test_east_us),
		cmocka_unit_test(test_disk_limits),
		cmocka_unit_test(test_machine_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
