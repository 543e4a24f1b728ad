/*
 * Tier and machine limits: values by hand from the provider's tables, ceilings at several sizes,
 * superseded rows never found.
 */
#include "common.h"

static struct arena arena;
static struct limits azure;

static int
setup(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	load_limits(&arena, "pricing/limits-azure.json", &azure);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

static const struct disk_limit *
disk(const char *sku)
{
	const struct disk_limit *d = NULL;
	struct err err = {0};
	if (limits_disk(&azure, sku, &d, &err))
		fail_msg("%s", err.text);
	return d;
}

static void
test_fixed_sizes(void **state)
{
	static const struct {
		const char *sku;
		double gib, iops, mbps;
	} rows[] = {
		{"P1", 4, 120, 25},
		{"P6", 64, 240, 50},
		{"P15", 256, 1100, 125},
		{"P20", 512, 2300, 150},
		{"P30", 1024, 5000, 200},
		{"P40", 2048, 7500, 250},
		{"P80", 32767, 20000, 900},
		{"E1", 4, 500, 60},
		{"E80", 32767, 6000, 750},
		{"S4", 32, 500, 60},
		{"S60", 8192, 1300, 300},
		{"S80", 32767, 2000, 500},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct disk_limit *d = disk(rows[i].sku);
		assert_false(disk_limit_is_provisioned(d));
		assert_close(d->billed_gib, rows[i].gib);
		assert_close(disk_limit_iops(d, rows[i].gib), rows[i].iops);
		assert_close(disk_limit_base_mbps(d), rows[i].mbps);
		assert_close(disk_limit_mbps(d, rows[i].iops), rows[i].mbps);
	}
}

/* Premium SSD v2: min(80,000, max(3,000, 500 x GiB)) IOPS, min(2,000, 0.25 x IOPS) MB/s.
 * Ultra: min(400,000, 1,000 x GiB) IOPS, min(10,000, 0.25 x IOPS) MB/s. */
static void
test_provisioned_ceilings(void **state)
{
	static const struct {
		const char *sku;
		double gib, iops, mbps;
	} rows[] = {
		{"PremiumV2_LRS", 1, 3000, 750}, /* 500 x 1 is below the base; 0.25 x 3,000 */
		{"PremiumV2_LRS", 6, 3000, 750}, /* 500 x 6 equals the base */
		{"PremiumV2_LRS", 7, 3500, 875},
		{"PremiumV2_LRS", 16, 8000, 2000}, /* 0.25 x 8,000 reaches the cap */
		{"PremiumV2_LRS", 100, 50000, 2000},
		{"PremiumV2_LRS", 160, 80000, 2000},
		{"PremiumV2_LRS", 65536, 80000, 2000},
		{"UltraSSD_LRS", 4, 4000, 1000},
		{"UltraSSD_LRS", 40, 40000, 10000},
		{"UltraSSD_LRS", 256, 256000, 10000},
		{"UltraSSD_LRS", 400, 400000, 10000},
		{"UltraSSD_LRS", 1024, 400000, 10000},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct disk_limit *d = disk(rows[i].sku);
		assert_true(disk_limit_is_provisioned(d));
		assert_true(isnan(d->billed_gib));
		double iops = disk_limit_iops(d, rows[i].gib);
		assert_close(iops, rows[i].iops);
		assert_close(disk_limit_mbps(d, iops), rows[i].mbps);
	}
	assert_close(disk_limit_mbps(disk("PremiumV2_LRS"), 3000), 750);
	assert_close(disk_limit_base_mbps(disk("PremiumV2_LRS")), 125);
	/* 0.25 x 100 = 25, more than the 1 that comes with the disk */
	assert_close(disk_limit_mbps(disk("UltraSSD_LRS"), 100), 25);
}

/* MiB of 2^20 come out as MB of 10^6: 1,000 MiB/s = 1,048.576 MB/s. */
static void
test_mebibytes(void **state)
{
	(void)state;
	struct disk_limit d = {.iops_base = 3000,
		.iops_max = 16000,
		.iops_per_gib = 500,
		.mbps_base = 125,
		.mbps_max = 1000,
		.mbps_per_iops = 0.25,
		.mbps_unit = LIMITS_MIB};
	assert_close(disk_limit_base_mbps(&d), 131.072);
	assert_close(disk_limit_mbps(&d, 16000), 1048.576);
	assert_close(disk_limit_mbps(&d, 3000), 750 * 1.048576);
	/* 0.25 x 100 = 25 is less than what comes with the disk */
	assert_close(disk_limit_mbps(&d, 100), 131.072);
}

static void
test_size_steps(void **state)
{
	static const struct {
		const char *family;
		double gib;
		const char *sku; /* NULL: the text of the error */
		const char *says;
	} rows[] = {
		{"premium_ssd", 1, "P1", NULL},
		{"premium_ssd", 4, "P1", NULL},
		{"premium_ssd", 4.5, "P2", NULL},
		{"premium_ssd", 33, "P6", NULL},
		{"premium_ssd", 128, "P10", NULL},
		{"premium_ssd", 129, "P15", NULL},
		{"premium_ssd", 2500, "P50", NULL},
		{"premium_ssd", 32767, "P80", NULL},
		{"premium_ssd", 32768, NULL,
			"premium_ssd of 32,768 GiB: the largest disk is P80 "
			"with 32,767 GiB"},
		{"standard_ssd", 900, "E30", NULL},
		{"standard_hdd", 10, "S4", NULL},
		{"standard_hdd", 3000, "S50", NULL},
		{"premium_ssd_v2", 100, "PremiumV2_LRS", NULL},
		{"ultra_disk", 65536, "UltraSSD_LRS", NULL},
		{"ultra_disk", 65537, NULL, "UltraSSD_LRS with 65,536 GiB"},
		{"premium_ssd", 0, NULL, "premium_ssd of 0 GiB: more than 0"},
		{"premium_ssd", -5, NULL, "more than 0"},
		{"premium_sdd", 10, NULL, "no disk family \"premium_sdd\""},
		{"local_temp_disk", 10, NULL, "no disk family \"local_temp_disk\" with sizes"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct disk_limit *d = NULL;
		struct err err = {0};
		int rc = limits_disk_for_size(&azure, rows[i].family, rows[i].gib, &d, &err);
		if (rows[i].sku) {
			assert_int_equal(rc, 0);
			assert_string_equal(d->sku, rows[i].sku);
			continue;
		}
		assert_true(rc == ERR_RANGE || rc == ERR_NOT_FOUND);
		if (!strstr(err.text, rows[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, rows[i].says);
	}
}

static void
test_superseded_are_no_candidates(void **state)
{
	(void)state;
	size_t old = 0;
	for (size_t i = 0; i < azure.n_disks; i++) {
		const struct disk_limit *row = &azure.disks[i], *found = NULL;
		struct err err = {0};
		if (row->superseded != 1)
			continue;
		old++;
		assert_int_equal(limits_disk(&azure, row->sku, &found, &err), ERR_NOT_FOUND);
		for (int gib = 1; gib < 70000; gib *= 2) {
			if (limits_disk_for_size(&azure, row->family, gib, &found, &err) == 0)
				assert_true(found->superseded != 1);
		}
	}
	assert_int_equal(old, 2); /* Premium SSD v2 before 2026, Ultra of 2022 */
	/* an old row that would fit more tightly than the current one */
	struct disk_limit disks[] = {
		{.family = "f", .sku = "old", .size_gib_max = 64, .superseded = 1},
		{.family = "f", .sku = "new", .size_gib_max = 128, .superseded = -1},
	};
	const struct limits two = {.provider = "x", .as_of = "y", .disks = disks, .n_disks = 2};
	const struct disk_limit *found = NULL;
	assert_int_equal(limits_disk_for_size(&two, "f", 32, &found, NULL), 0);
	assert_string_equal(found->sku, "new");
}

static void
test_machines(void **state)
{
	(void)state;
	const struct vm_limit *vm = NULL;
	struct err err = {0};
	assert_int_equal(limits_vm(&azure, "Standard_E8ds_v5", &vm, &err), 0);
	assert_close(vm->uncached_iops, 12800);
	assert_close(vm->uncached_mbps, 290);
	assert_close(vm->uncached_burst_iops, 20000);
	assert_close(vm->temp_disk_gib, 300);
	assert_close(vm->max_data_disks, 16);
	assert_close(vm->vcpus, 8);
	assert_true(isnan(vm->ultra_iops)); /* no separate column: uncached_iops holds */
	/* two rows, by controller: SCSI first */
	assert_int_equal(limits_vm(&azure, "Standard_E8bds_v5", &vm, &err), 0);
	assert_string_equal(vm->interface, "SCSI");
	assert_close(vm->uncached_iops, 24200);
	assert_close(vm->ultra_iops, 32400);
	size_t rows = 0;
	for (size_t i = 0; i < azure.n_vms; i++) {
		const struct vm_limit *m = &azure.vms[i];
		if (strcmp(m->sku, "Standard_E8bds_v5") != 0)
			continue;
		rows++;
		if (strcmp(m->interface, "NVMe") == 0) {
			assert_close(m->uncached_iops, 33000);
			assert_close(m->uncached_mbps, 930);
			assert_close(m->ultra_iops, 44200);
		}
	}
	assert_int_equal(rows, 2);
	/* only an NVMe row */
	assert_int_equal(limits_vm(&azure, "Standard_E112ibds_v5", &vm, &err), 0);
	assert_close(vm->ultra_iops, 400000);
	assert_int_equal(limits_vm(&azure, "E8ds_v5", &vm, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "did you mean \"Standard_E8ds_v5\"?"));
	assert_int_equal(limits_vm(&azure, "Standard_E8ds_v4", &vm, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "did you mean \"Standard_E8ds_v5\"?"));
}

static void
test_unknown_disk(void **state)
{
	(void)state;
	const struct disk_limit *d = NULL;
	struct err err = {0};
	assert_int_equal(limits_disk(&azure, "UltraSDD_LRS", &d, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "did you mean \"UltraSSD_LRS\"?"));
	assert_int_equal(limits_disk(&azure, "gp3", &d, &err), ERR_NOT_FOUND);
	assert_null(d);
}

#define HEAD "{\"schema\": \"tierwise/limits/1\", \"provider\": \"x\", \"as_of\": \"2026-01-01\","
#define DISK "{\"family\": \"f\", \"sku\": \"A\""

static void
test_bad_documents(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *says;
	} rows[] = {
		{HEAD "\"source\": \"s\", \"disks\": [" DISK "}]}", 0, NULL},
		{HEAD "\"disks\": []}", ERR_PARSE, "\"source\" is missing"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK "},\n" DISK "}]}", ERR_RANGE,
			":2:24: two rows for disk \"A\" (numbers 1 and 2"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"iops_base\": -1}]}", ERR_RANGE,
			"iops_base: -1, accepted: 0 to 1e+12 IOPS"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"io_unit_kib\": 0}]}", ERR_RANGE,
			"io_unit_kib: 0, accepted: 0.001 to 1e+12 KiB"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"iops_bse\": 1}]}", ERR_PARSE,
			"unknown key \"iops_bse\", did you mean \"iops_base\"?"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"size_gib_min\": 9, \"size_gib_max\": 8}]}",
			ERR_RANGE, "size_gib_max: 8 is below size_gib_min 9"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"size_gib_max\": 8, \"billed_gib\": 4}]}",
			ERR_RANGE, "billed_gib: 4 is below size_gib_max 8"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"iops_max\": 1e13}]}", ERR_RANGE,
			"iops_max: "},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"iops_base\": 5000, \"iops_max\": 500}]}",
			ERR_RANGE, ":1:138: iops_base: 5000 is above iops_max 500"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"mbps_base\": 200, \"mbps_max\": 20}]}",
			ERR_RANGE, "mbps_base: 200 is above mbps_max 20"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"billing_cap_least\": 2, \"billing_cap_hour\": 1}]}",
			ERR_RANGE, "billing_cap_least: 2 is above billing_cap_hour 1"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"restore_mbps_min\": 700, \"restore_mbps_max\": 135}]}",
			ERR_RANGE, "restore_mbps_min: 700 is above restore_mbps_max 135"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"restore_mbps_min\": 0}]}",
			ERR_RANGE, "restore_mbps_min"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"restore_as_of\": \"2026-13-01\"}]}",
			ERR_RANGE, "restore_as_of: \"2026-13-01\""},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"superseded\": true, \"superseded_by\": \"B\"}]}",
			ERR_RANGE, "superseded_by: no current disk \"B\" in this document"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"superseded_by\": \"A\"}]}",
			ERR_RANGE, "superseded_by: only for a row with \"superseded\": true"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      "}, {\"family\": \"f\", \"sku\": \"B\","
		      " \"superseded\": true, \"superseded_by\": \"A\", \"valid_until\": "
		      "\"2025\"}]}",
			ERR_RANGE, "valid_until: \"2025\""},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK
		      ", \"performance_tiers\": [\"A\", \"C\"]}]}",
			ERR_RANGE, "performance_tiers: no current disk \"C\" in this document"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"mbps_unit\": \"mb\"}]}",
			ERR_RANGE, "\"mb\" is not a throughput unit"},
		{HEAD "\"source\": \"s\", \"disks\": [" DISK ", \"as_of\": \"2026-02-30\"}]}",
			ERR_RANGE, "as_of: \"2026-02-30\""},
		{HEAD "\"source\": \"s\", \"disks\": [], \"vms\": [{\"sku\": \"M\"}, {\"sku\": "
		      "\"M\"}]}",
			ERR_RANGE, "two rows for machine \"M\""},
		{HEAD "\"source\": \"s\", \"disks\": [], \"vms\": [{\"sku\": \"M\"}, {\"sku\": "
		      "\"M\", \"interface\": \"NVMe\"}]}",
			0, NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[64];
		struct limits l;
		struct err err = {0};
		write_temporary(rows[i].text, path);
		int rc = limits_load(path, &arena, &l, NULL, &err);
		unlink(path);
		if (rc != rows[i].code || (rc && !strstr(err.text, rows[i].says)))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
	}
}

static void
test_article(void **state)
{
	(void)state;
	struct limits l;
	const struct disk_limit *d = NULL;
	struct err err = {0};
	load_limits(&arena, "pricing/limits-article-azure-2024.json", &l);
	assert_int_equal(limits_disk(&l, "P30", &d, &err), 0);
	assert_close(disk_limit_iops(d, 1024), 20000);
	assert_int_equal(limits_disk(&l, "U30", &d, &err), 0);
	assert_close(disk_limit_iops(d, 1024), 160000);
	assert_close(disk_limit_base_mbps(d), 2000);
	assert_int_equal(limits_disk(&l, "U15", &d, &err), 0);
	assert_close(disk_limit_iops(d, 256), 25000);
	assert_true(isnan(disk_limit_base_mbps(d))); /* not stated */
	assert_int_equal(limits_disk(&l, "P40", &d, &err), 0);
	assert_close(d->billed_gib, 16384);
	assert_close(disk_limit_iops(d, 16384), 40000);
	for (size_t i = 0; i < l.n_disks; i++)
		assert_int_equal(l.disks[i].verified, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_sizes),
		cmocka_unit_test(test_provisioned_ceilings),
		cmocka_unit_test(test_mebibytes),
		cmocka_unit_test(test_size_steps),
		cmocka_unit_test(test_superseded_are_no_candidates),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_unknown_disk),
		cmocka_unit_test(test_bad_documents),
		cmocka_unit_test(test_article),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
