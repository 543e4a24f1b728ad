/*
 * Bills: every expected amount is computed by hand in the comment beside it, from the price list of
 * 2026-08-22 and 730 hours a month.
 */
#include "common.h"

static struct arena arena;
static struct limits azure;
static struct price_book we, ne;

static int
setup(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	load_limits(&arena, "pricing/limits-azure.json", &azure);
	load_book(&arena, "pricing/azure-westeurope.json", &we);
	load_book(&arena, "pricing/azure-northeurope.json", &ne);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

/* By family and size, as a user asks; zero means "not said": one disk, one machine, LRS. */
struct row {
	const char *name;
	const struct price_book *book;
	const char *family;
	double gib, iops, mbps, disks, mounts, operations, snapshot_gib;
	const char *redundancy;
	int burst;
	double burst_operations;
	const char *sku; /* expected size */
	size_t lines;
	double total;
	double wasted_gib; /* expected; of all disks */
};

static const struct row rows[] = {
	/* the whole step: 2,500 GiB is between 2,048 and 4,096; 4,096 - 2,500 unused */
	{.name = "P50",
		.book = &we,
		.family = "premium_ssd",
		.gib = 2500,
		.sku = "P50",
		.lines = 1,
		.total = 545.0971,
		.wasted_gib = 1596},
	{.name = "33 GiB",
		.book = &we,
		.family = "premium_ssd",
		.gib = 33,
		.sku = "P6",
		.lines = 1,
		.total = 11.2272,
		.wasted_gib = 31},
	{.name = "129 GiB",
		.book = &we,
		.family = "premium_ssd",
		.gib = 129,
		.sku = "P15",
		.lines = 1,
		.total = 41.811428,
		.wasted_gib = 127},
	{.name = "exact step",
		.book = &ne,
		.family = "premium_ssd",
		.gib = 1024,
		.sku = "P30",
		.lines = 1,
		.total = 135.17},
	{.name = "ZRS",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.redundancy = "ZRS",
		.sku = "P30",
		.lines = 1,
		.total = 222.99},
	/* 4 disks of 300 GiB: P20, 4 x 80.54; 4 x (512 - 300) unused */
	{.name = "stripe of 4",
		.book = &we,
		.family = "premium_ssd",
		.gib = 300,
		.disks = 4,
		.sku = "P20",
		.lines = 1,
		.total = 322.16,
		.wasted_gib = 848},
	/* three machines on one disk: the first mount is the disk's: 148.68 + 2 x 8.541 */
	{.name = "shared by 3",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.mounts = 3,
		.sku = "P30",
		.lines = 2,
		.total = 165.762},
	/* 2 shared disks: 2 x 148.68 + 2 x 2 x 8.541 */
	{.name = "2 shared by 3",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.mounts = 3,
		.disks = 2,
		.sku = "P30",
		.lines = 2,
		.total = 331.524},
	/* premium transactions are included */
	{.name = "premium operations",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.operations = 5e9,
		.sku = "P30",
		.lines = 1,
		.total = 148.68},
	/* 148.68 + 31.949 for switching it on + 20,000,000 / 10,000 x 0.0065 = 13 */
	{.name = "on-demand burst",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.burst = 1,
		.burst_operations = 20e6,
		.sku = "P30",
		.lines = 3,
		.total = 193.629},
	/* a disk on credits bursts for nothing */
	{.name = "credits",
		.book = &we,
		.family = "premium_ssd",
		.gib = 512,
		.sku = "P20",
		.lines = 1,
		.total = 80.54},
	/* 76.80 + 30,000,000 / 10,000 x 0.002 = 6 */
	{.name = "E30 operations",
		.book = &we,
		.family = "standard_ssd",
		.gib = 900,
		.operations = 30e6,
		.sku = "E30",
		.lines = 2,
		.total = 82.8,
		.wasted_gib = 124},
	/* 40.96 + 100,000,000 / 10,000 x 0.0005 = 5 */
	{.name = "S30 operations",
		.book = &we,
		.family = "standard_hdd",
		.gib = 1024,
		.operations = 100e6,
		.sku = "S30",
		.lines = 2,
		.total = 45.96},
	{.name = "S30 idle",
		.book = &we,
		.family = "standard_hdd",
		.gib = 1024,
		.sku = "S30",
		.lines = 1,
		.total = 40.96},
	/* 100 GiB kept = 107.3741824 GB at 0.05 on the hard-disk meter: 148.68 + 5.36870912 */
	{.name = "snapshots",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.snapshot_gib = 100,
		.sku = "P30",
		.lines = 2,
		.total = 154.04870912},
	/* 222.99 + 5.36870912: the ZRS snapshot meter has the same price */
	{.name = "snapshots ZRS",
		.book = &we,
		.family = "premium_ssd",
		.gib = 1024,
		.snapshot_gib = 100,
		.redundancy = "ZRS",
		.sku = "P30",
		.lines = 2,
		.total = 228.35870912},
	/* 64 x 0.00013 x 730: 3,000 IOPS and 125 MB/s come with the disk */
	{.name = "v2 base",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 6.0736},
	/* 100 GiB 9.49; 3,000 IOPS above the free ones x 0.00584 = 17.52; 375 MB/s x 0.04745 =
	 * 17.79375 */
	{.name = "v2 6,000 / 500",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 500,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 44.80375},
	/* the allowance is per disk: 2 x (9.49 + 17.52) */
	{.name = "v2 stripe of 2",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 125,
		.disks = 2,
		.sku = "PremiumV2_LRS",
		.lines = 2,
		.total = 54.02},
	/* no mount fee for v2 */
	{.name = "v2 shared",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.mounts = 4,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 6.0736},
	/* 0.5 GiB asked, 1 billed */
	{.name = "v2 part of a GiB",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 0.5,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 0.0949,
		.wasted_gib = 0.5},
	/* 10.2 GiB asked, 11 billed: 11 x 0.0949 */
	{.name = "v2 whole GiB",
		.book = &we,
		.family = "premium_ssd_v2",
		.gib = 10.2,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 1.0439,
		.wasted_gib = 0.8},
	/* North Europe: 100 x 0.00011 x 730 = 8.03; 3,000 x 0.000007 x 730 = 15.33; 375 x 0.000055
	 * x 730 = 15.05625 */
	{.name = "v2 NE",
		.book = &ne,
		.family = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 500,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 38.41625},
	/* 200 GiB are 200 GiB, not the 256 of the 2022 steps: 200 x 0.000213 x 730 = 31.098; 100
	 * IOPS x 0.000088 x 730 = 6.424; 1 MB/s x 0.000572 x 730 = 0.41756 */
	{.name = "Ultra 200",
		.book = &we,
		.family = "ultra_disk",
		.gib = 200,
		.iops = 100,
		.mbps = 1,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 37.93956},
	/* 1,024 x 0.15549 = 159.22176; 10,000 x 0.06424 = 642.4; 400 x 0.41756 = 167.024 */
	{.name = "Ultra 1,024",
		.book = &we,
		.family = "ultra_disk",
		.gib = 1024,
		.iops = 10000,
		.mbps = 400,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 968.64576},
	/* 2 GiB asked, 4 is the smallest: 4 x 0.15549 + 6.424 + 0.41756 */
	{.name = "Ultra smallest",
		.book = &we,
		.family = "ultra_disk",
		.gib = 2,
		.iops = 100,
		.mbps = 1,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 7.46352,
		.wasted_gib = 2},
};

static void
config_of(const struct row *r, struct disk_config *c)
{
	const struct disk_limit *d = NULL;
	struct err err = {0};
	if (limits_disk_for_size(&azure, r->family, r->gib, &d, &err))
		fail_msg("%s: %s", r->name, err.text);
	disk_config_init(c, d, r->gib, r->redundancy ? r->redundancy : "LRS");
	c->iops = r->iops > 0 ? r->iops : (double)NAN;
	c->mbps = r->mbps > 0 ? r->mbps : (double)NAN;
	c->disks = r->disks > 0 ? r->disks : 1;
	c->mounts = r->mounts > 0 ? r->mounts : 1;
	c->operations_month = r->operations;
	c->snapshot_gib = r->snapshot_gib;
	c->burst = r->burst;
	c->burst_operations_month = r->burst_operations;
}

/* Each line must multiply, and the lines must add up to the total. */
static void
check_sums(const struct bill *bill)
{
	double sum = 0;
	for (size_t i = 0; i < bill->n_lines; i++) {
		const struct bill_line *l = &bill->lines[i];
		assert_close(l->amount, l->quantity * l->unit_price);
		assert_non_null(l->source);
		assert_string_equal(l->as_of, "2026-08-22");
		assert_int_equal(l->trust, TRUST_PUBLISHED);
		sum += l->amount;
	}
	assert_close(sum, bill->total);
}

static void
test_truth_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		config_of(r, &c);
		bill_init(&bill, r->book);
		if (bill_add_disk(&bill, &arena, r->book, &c, "data", &err))
			fail_msg("%s: %s", r->name, err.text);
		if (strcmp(c.disk->sku, r->sku) != 0 || bill.n_lines != r->lines ||
			fabs(bill.total - r->total) > 1e-9 * r->total)
			fail_msg("%s: %s, %zu lines, %.10g; want %s, %zu lines, %.10g", r->name,
				c.disk->sku, bill.n_lines, bill.total, r->sku, r->lines, r->total);
		assert_int_equal(bill.complete, 1);
		assert_close(bill.wasted_gib, r->wasted_gib);
		check_sums(&bill);
	}
}

/* 1,596 of 4,096 GiB unused: that share of 545.0971 is 212.394... */
static void
test_waste(void **state)
{
	(void)state;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	config_of(&rows[0], &c);
	bill_init(&bill, &we);
	assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, NULL, &err), 0);
	assert_close(bill.wasted_amount, 545.0971 * 1596 / 4096);
	/* only the disk is shared out, not the mounts */
	c.mounts = 2;
	bill_init(&bill, &we);
	assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, NULL, &err), 0);
	assert_close(bill.wasted_amount, 545.0971 * 1596 / 4096);
}

static void
test_line_words(void **state)
{
	(void)state;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	config_of(&rows[17], &c);
	assert_string_equal(rows[17].name, "v2 6,000 / 500");
	bill_init(&bill, &we);
	assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, "WAL", &err), 0);
	assert_string_equal(bill.currency, "USD");
	assert_string_equal(bill.lines[0].what, "WAL: PremiumV2_LRS capacity");
	assert_string_equal(bill.lines[0].unit, "GiB");
	assert_string_equal(bill.lines[1].unit, "IOPS above 3,000");
	assert_close(bill.lines[1].quantity, 3000);
	assert_close(bill.lines[1].unit_price, 0.00584);
	assert_string_equal(bill.lines[2].unit, "MB/s above 125");
	assert_close(bill.lines[2].quantity, 375);
	assert_string_equal(bill.lines[2].meter, "Premium LRS Provisioned Throughput (MBps)");
}

static void
test_machines(void **state)
{
	(void)state;
	struct bill bill;
	struct err err = {0};
	bill_init(&bill, &we);
	/* 0.692 x 730 = 505.16 */
	assert_int_equal(bill_add_vm(&bill, &arena, &we, "Standard_E8ds_v5", 1, &err), 0);
	assert_close(bill.total, 505.16);
	/* and two of 1.384 x 730 */
	assert_int_equal(bill_add_vm(&bill, &arena, &we, "Standard_E16ds_v5", 2, &err), 0);
	assert_close(bill.total, 505.16 + 2020.64);
	assert_int_equal(bill.n_lines, 2);
	assert_int_equal(bill.complete, 1);
	check_sums(&bill);
	assert_int_equal(bill_add_vm(&bill, &arena, &we, "Standard_E8ds_v5", 0, &err), ERR_RANGE);
	/* a size nobody has a price for: unknown, not free */
	assert_int_equal(bill_add_vm(&bill, &arena, &we, "Standard_E64ds_v5", 1, &err), 0);
	assert_int_equal(bill.complete, 0);
	assert_int_equal(bill.n_lines, 3);
	assert_true(isnan(bill.lines[2].amount));
	assert_close(bill.total, 505.16 + 2020.64);
	assert_non_null(strstr(err.text, "no price for vm Standard_E64ds_v5"));
}

/* What is not known is a line without amount, and the reason is told. */
static void
test_unknown(void **state)
{
	static const struct {
		struct row row;
		double operations; /* NaN: unknown */
		double total; /* of what is known */
		const char *says;
	} cases[] = {
		/* E1 to E3 have no transaction meter */
		{{.name = "E1", .family = "standard_ssd", .gib = 4}, 1e6, 0.3,
			"no price for standard_ssd E1 LRS operations"},
		{{.name = "E30", .family = "standard_ssd", .gib = 1024}, (double)NAN, 76.8,
			"E30 operations: the quantity is unknown"},
		{{.name = "S30", .family = "standard_hdd", .gib = 1024}, (double)NAN, 40.96,
			"S30 operations: the quantity is unknown"},
		{{.name = "burst",
			 .family = "premium_ssd",
			 .gib = 1024,
			 .burst = 1,
			 .burst_operations = (double)NAN},
			0, 148.68 + 31.949, "P30 burst operations: the quantity is unknown"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		config_of(&cases[i].row, &c);
		c.operations_month = cases[i].operations;
		bill_init(&bill, &we);
		assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, NULL, &err), 0);
		assert_int_equal(bill.complete, 0);
		assert_close(bill.total, cases[i].total);
		assert_true(isnan(bill.lines[bill.n_lines - 1].amount));
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s: \"%s\"", cases[i].row.name, err.text);
	}
}

/* A book without a single price gives lines, not a free disk. */
static void
test_empty_book(void **state)
{
	static const size_t which[] = {0, 11, 17, 24}; /* P50, E30, v2, Ultra */
	static const size_t lines[] = {1, 2, 3, 3};
	struct price_book empty = {.name = "empty",
		.currency = "USD",
		.as_of = "2026-08-22",
		.source = "s",
		.hours_per_month = 730};
	(void)state;
	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		config_of(&rows[which[i]], &c);
		bill_init(&bill, &empty);
		assert_int_equal(bill_add_disk(&bill, &arena, &empty, &c, NULL, &err), 0);
		assert_int_equal(bill.complete, 0);
		assert_int_equal(bill.n_lines, lines[i]);
		for (size_t k = 0; k < bill.n_lines; k++)
			assert_true(isnan(bill.lines[k].amount));
		assert_close(bill.total, 0);
		assert_int_equal(err.code, ERR_PRICE);
	}
}

/* Premium SSD v2 from a book without the zero-priced tiers bills the same. */
static void
test_allowance_without_zero_rows(void **state)
{
	(void)state;
	struct price_book book = we;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	book.rows = arena_array(&arena, we.n_rows, sizeof(*book.rows));
	book.n_rows = 0;
	for (size_t i = 0; i < we.n_rows; i++) {
		if (we.rows[i].price > 0)
			book.rows[book.n_rows++] = we.rows[i];
	}
	assert_true(book.n_rows < we.n_rows);
	config_of(&rows[17], &c);
	bill_init(&bill, &book);
	assert_int_equal(bill_add_disk(&bill, &arena, &book, &c, NULL, &err), 0);
	assert_close(bill.total, 44.80375);
	assert_int_equal(bill.complete, 1);
	/* but a gap above what comes with the disk is an unknown price */
	for (size_t i = 0; i < book.n_rows; i++) {
		if (book.rows[i].tier_min == 3000)
			book.rows[i].tier_min = 5000;
	}
	bill_init(&bill, &book);
	assert_int_equal(bill_add_disk(&bill, &arena, &book, &c, NULL, &err), 0);
	assert_int_equal(bill.complete, 0);
}

/* Graduated prices, AWS io2: 32,000 x 0.065 + 32,000 x 0.0455 + 6,000 x 0.03185 = 2,080 + 1,456 +
 * 191.1; 500 GB at 0.125 per GB of 10^9: 500 GiB = 536.870912 GB. */
static void
test_graduated(void **state)
{
	(void)state;
	struct price_row r[4] = {
		{.item = PRICE_ITEM_CAPACITY, .unit = PRICE_UNIT_GB_MONTH, .price = 0.125},
		{.price = 0.03185, .tier_min = 64000}, {.price = 0.065},
		{.price = 0.0455, .tier_min = 32000}};
	for (size_t i = 0; i < 4; i++) {
		r[i].family = r[i].sku = "io2";
		r[i].trust = -1;
		if (i > 0) {
			r[i].item = PRICE_ITEM_IOPS;
			r[i].unit = PRICE_UNIT_MONTH;
		}
	}
	struct price_book book = {.name = "t",
		.currency = "USD",
		.as_of = "2026-10-06",
		.source = "s",
		.hours_per_month = 730,
		.trust = TRUST_PUBLISHED,
		.rows = r,
		.n_rows = 4};
	struct disk_limit d;
	memset(&d, 0, sizeof(d));
	d.iops_billed = 1;
	d.billing_unit_kib = d.billing_cap_hour = d.billing_cap_least = (double)NAN;
	d.iops_perf_plus = d.mbps_perf_plus = d.mbps_per_gib = (double)NAN;
	d.family = d.sku = "io2";
	d.size_gib_min = 4;
	d.size_gib_max = 65536;
	d.billed_gib = d.iops_base = d.mbps_base = d.mbps_min = d.max_shares = (double)NAN;
	d.iops_min = 100;
	d.iops_max = 256000;
	d.iops_base = 100;
	d.iops_per_gib = 1000;
	d.mbps_base = d.mbps_max = 4000;
	d.mbps_per_iops = (double)NAN;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	disk_config_init(&c, &d, 500, NULL);
	c.iops = 70000;
	c.mbps = 4000;
	c.operations_month = 0;
	bill_init(&bill, &book);
	if (bill_add_disk(&bill, &arena, &book, &c, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bill.n_lines, 4); /* capacity and three tiers; throughput is not bought */
	assert_close(bill.lines[0].amount, 67.108864);
	assert_close(bill.lines[1].amount, 2080);
	assert_close(bill.lines[2].amount, 1456);
	assert_close(bill.lines[3].amount, 191.1);
	assert_int_equal(bill.complete, 1);
}

static void
test_refused(void **state)
{
	static const struct {
		struct row row;
		const char *says;
	} cases[] = {
		{{.name = "HDD has no ZRS",
			 .family = "standard_hdd",
			 .gib = 10,
			 .redundancy = "ZRS"},
			"S4 with redundancy ZRS: offered with LRS"},
		{{.name = "GRS", .family = "premium_ssd", .gib = 10, .redundancy = "GRS"},
			"offered with LRS or ZRS"},
		{{.name = "shares", .family = "premium_ssd", .gib = 256, .mounts = 4},
			"P15 on 4 machines: at most 3 may mount it"},
		{{.name = "HDD is not shared", .family = "standard_hdd", .gib = 10, .mounts = 2},
			"at most 1 may mount it"},
		{{.name = "v2 needs rates", .family = "premium_ssd_v2", .gib = 64},
			"with no IOPS stated: accepted 3,000 to 32,000"},
		{{.name = "v2 IOPS",
			 .family = "premium_ssd_v2",
			 .gib = 64,
			 .iops = 32001,
			 .mbps = 125},
			"with 32001 IOPS: accepted 3,000 to 32,000"},
		{{.name = "v2 MB/s",
			 .family = "premium_ssd_v2",
			 .gib = 64,
			 .iops = 4000,
			 .mbps = 1001},
			"with 1001 MB/s: accepted 125 to 1,000"},
		{{.name = "Ultra IOPS", .family = "ultra_disk", .gib = 8, .iops = 8001, .mbps = 10},
			"accepted 100 to 8,000"},
		{{.name = "Ultra low", .family = "ultra_disk", .gib = 8, .iops = 99, .mbps = 10},
			"accepted 100 to 8,000"},
		{{.name = "P30 IOPS", .family = "premium_ssd", .gib = 1024, .iops = 20000},
			"P30 with 20000 IOPS: it has 5000"},
		{{.name = "no burst",
			 .family = "ultra_disk",
			 .gib = 8,
			 .iops = 100,
			 .mbps = 1,
			 .burst = 1},
			"UltraSSD_LRS cannot burst"},
		{{.name = "credits", .family = "premium_ssd", .gib = 512, .burst = 1},
			"P20 bursts on credits, which are free; on-demand bursting is offered"},
		{{.name = "E credits", .family = "standard_ssd", .gib = 100, .burst = 1},
			"E10 bursts on credits"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		config_of(&cases[i].row, &c);
		bill_init(&bill, &we);
		assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, NULL, &err), ERR_RANGE);
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s: \"%s\"", cases[i].row.name, err.text);
		assert_int_equal(bill.n_lines, 0); /* unchanged */
		assert_close(bill.total, 0);
	}
	/* a size above the step named */
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	const struct disk_limit *p30 = NULL;
	assert_int_equal(limits_disk(&azure, "P30", &p30, &err), 0);
	disk_config_init(&c, p30, 1025, "LRS");
	bill_init(&bill, &we);
	assert_int_equal(bill_add_disk(&bill, &arena, &we, &c, NULL, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "P30 of 1,025 GiB: at most 1,024 GiB"));
}

/* Several prices: an error that lists them, and the bill stays as it was. */
static void
test_ambiguous(void **state)
{
	(void)state;
	struct price_book book = we;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	book.rows = arena_array(&arena, we.n_rows + 1, sizeof(*book.rows));
	memcpy(book.rows, we.rows, we.n_rows * sizeof(*book.rows));
	for (size_t i = 0; i < we.n_rows; i++) {
		if (strcmp(we.rows[i].meter, "P50 LRS Disk") == 0)
			book.rows[we.n_rows] = we.rows[i];
	}
	book.rows[we.n_rows].price = 600;
	book.n_rows = we.n_rows + 1;
	config_of(&rows[0], &c);
	bill_init(&bill, &book);
	assert_int_equal(bill_add_disk(&bill, &arena, &book, &c, NULL, &err), ERR_PRICE);
	assert_non_null(strstr(err.text, "545.0971"));
	assert_non_null(strstr(err.text, "600 USD"));
	assert_int_equal(bill.n_lines, 0);
}

/* The article's prices: whole disks, and a hard disk by the GB: 1,000 GiB = 1,073.741824 GB x
 * 0.023 = 24.696061952. */
static void
test_article(void **state)
{
	static const struct {
		const char *sku;
		double gib, total;
	} want[] = {
		{"P30", 1024, 168},
		{"U30", 1024, 504},
		{"U15", 256, 78.75},
		{"P40", 16384, 336},
		{"Standard HDD", 1000, 24.696061952},
		{"local NVMe", 100, 0},
	};
	(void)state;
	struct limits l;
	struct price_book book;
	load_limits(&arena, "pricing/limits-article-azure-2024.json", &l);
	load_book(&arena, "pricing/article-azure-2024.json", &book);
	assert_string_equal(book.limits, "limits-article-azure-2024.json");
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct disk_limit *d = NULL;
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		assert_int_equal(limits_disk(&l, want[i].sku, &d, &err), 0);
		disk_config_init(&c, d, want[i].gib, "LRS");
		bill_init(&bill, &book);
		if (bill_add_disk(&bill, &arena, &book, &c, NULL, &err))
			fail_msg("%s: %s", want[i].sku, err.text);
		assert_close(bill.total, want[i].total);
		assert_int_equal(bill.complete, 1);
		assert_int_equal(bill.n_lines, 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth_table),
		cmocka_unit_test(test_waste),
		cmocka_unit_test(test_line_words),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_empty_book),
		cmocka_unit_test(test_allowance_without_zero_rows),
		cmocka_unit_test(test_graduated),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_article),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
