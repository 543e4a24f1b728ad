/*
 * The shipped region books against the recorded answers of the provider's interface: every row must
 * be there with the same price and unit, every disk meter recorded must be shipped, and every size
 * of every tier must be covered.
 */
#include "base/json.h"
#include "common.h"

struct region {
	const char *book, *disks, *vms;
};

static const struct region regions[] = {
	{"pricing/azure-westeurope.json", "azure_disks_westeurope_2026-08-22.json",
		"azure_vm_selected_westeurope_2026-08-22.json"},
	{"pricing/azure-northeurope.json", "azure_disks_northeurope_2026-08-22.json",
		"azure_vm_selected_northeurope_2026-08-22.json"},
	{"pricing/azure-swedencentral.json", "azure_disks_swedencentral_2026-08-22.json", NULL},
	{"pricing/azure-francecentral.json", "azure_disks_francecentral_2026-08-22.json", NULL},
	{"pricing/azure-belgiumcentral.json", "azure_disks_belgiumcentral_2026-08-22.json", NULL},
};
enum { N_REGIONS = sizeof(regions) / sizeof(regions[0]) };

static const char *const premium[] = {"P1", "P2", "P3", "P4", "P6", "P10", "P15", "P20", "P30",
	"P40", "P50", "P60", "P70", "P80"};
static const char *const standard[] = {"E1", "E2", "E3", "E4", "E6", "E10", "E15", "E20", "E30",
	"E40", "E50", "E60", "E70", "E80"};
static const char *const hdd[] = {
	"S4", "S6", "S10", "S15", "S20", "S30", "S40", "S50", "S60", "S70", "S80"};

/* The unit words of the interface, read by hand from the recorded answers. */
static const struct {
	const char *published;
	enum price_unit unit;
} units[] = {
	{"1/Month", PRICE_UNIT_MONTH},
	{"1/Hour", PRICE_UNIT_HOUR},
	{"1 Hour", PRICE_UNIT_HOUR},
	{"1 GiB/Hour", PRICE_UNIT_GIB_HOUR},
	{"1 GB/Hour", PRICE_UNIT_GB_HOUR},
	{"1 GB/Month", PRICE_UNIT_GB_MONTH},
	{"10K", PRICE_UNIT_10K},
	{"10K/Month", PRICE_UNIT_10K},
	{"1 GB", PRICE_UNIT_GB},
	{"1 TB", PRICE_UNIT_TB},
};

/* The recorded answers are not part of the source tree. */
static void
need_recorded(void)
{
	const char *shared = getenv("TIERWISE_SHARED");
	char path[512];
	snprintf(path, sizeof(path), "%s/fixtures/pricing", shared ? shared : "");
	if (!shared || access(path, R_OK) != 0) {
		print_message("skipped: no recorded prices at %s\n", path);
		skip();
	}
}

static struct json_doc *
load_fixture(struct arena *a, const char *name)
{
	struct json_doc *doc = NULL;
	struct err err = {0};
	const char *path = arena_printf(
		a, "%s/fixtures/pricing/%s", getenv("TIERWISE_SHARED"), name);
	if (json_load(path, 0, &doc, &err))
		fail_msg("%s", err.text);
	return doc;
}

static const char *
text(struct jval item, const char *key)
{
	const char *t = json_text(json_get(item, key));
	return t ? t : "";
}

/* The recorded item of a product and meter, whole names; a savings plan needs the item that has
 * one. */
static struct jval
recorded(const struct json_doc *doc, const struct price_row *row)
{
	struct jval found = {NULL, NULL};
	for (struct jval v = json_first(json_root(doc)); v.node; v = json_next(v)) {
		if (strcmp(text(v, "productName"), row->product) != 0 ||
			strcmp(text(v, "meterName"), row->meter) != 0)
			continue;
		if (found.node)
			fail_msg("%s / %s is recorded twice", row->product, row->meter);
		found = v;
	}
	return found;
}

/* The only rows without a recorded price: the free tiers of Premium SSD v2, which the dump dropped.
 */
static bool
is_free_tier(const struct price_row *row)
{
	return strcmp(row->family, "premium_ssd_v2") == 0 && row->tier_min <= 0 &&
	       (row->item == PRICE_ITEM_IOPS || row->item == PRICE_ITEM_THROUGHPUT);
}

static void
check_unit(const struct price_row *row, const char *published)
{
	assert_string_equal(row->unit_published, published);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].published, published) == 0) {
			assert_int_equal(row->unit, units[i].unit);
			return;
		}
	}
	fail_msg("unit \"%s\" of %s is not in the table", published, row->meter);
}

static void
test_every_row_is_recorded(void **state)
{
	(void)state;
	need_recorded();
	for (size_t r = 0; r < N_REGIONS; r++) {
		struct arena a;
		struct price_book book;
		arena_init(&a, 0);
		load_book(&a, regions[r].book, &book);
		struct json_doc *disks = load_fixture(&a, regions[r].disks);
		struct json_doc *vms = regions[r].vms ? load_fixture(&a, regions[r].vms) : NULL;
		size_t compared = 0, free_tiers = 0;
		for (size_t i = 0; i < book.n_rows; i++) {
			const struct price_row *row = &book.rows[i];
			if (is_free_tier(row)) {
				assert_true(row->price <= 0);
				free_tiers++;
				continue;
			}
			bool vm = row->item == PRICE_ITEM_VM;
			assert_true(!vm || vms);
			struct jval item = recorded(vm ? vms : disks, row);
			if (!item.node)
				fail_msg("%s / %s is not recorded", row->product, row->meter);
			const char *price = row->term ? "savingsPlanPrice" : "retailPrice";
			assert_close(row->price, json_number(json_get(item, price)));
			assert_string_equal(text(item, "armRegionName"), book.region);
			check_unit(row, text(item, "unitOfMeasure"));
			assert_int_equal(price_row_trust(&book, row), TRUST_PUBLISHED);
			assert_string_equal(price_row_as_of(&book, row), "2026-08-22");
			compared++;
		}
		print_message("%s: %zu of %zu rows equal the recorded price, %zu free tiers\n",
			book.name, compared, book.n_rows, free_tiers);
		assert_int_equal(free_tiers, 2);
		assert_int_equal(compared, book.n_rows - 2);
		assert_true(compared > (regions[r].vms ? 200 : 179));
		json_free(vms);
		json_free(disks);
		arena_fini(&a);
	}
}

/* "P30 LRS Disk Mount" and its kind, whole names. */
static bool
is_disk_meter(struct jval item)
{
	char sku[8], redundancy[8], rest[32];
	int n = 0;
	if (strcmp(text(item, "productName"), "Premium SSD Managed Disks") != 0 &&
		strcmp(text(item, "productName"), "Standard SSD Managed Disks") != 0 &&
		strcmp(text(item, "productName"), "Standard HDD Managed Disks") != 0)
		return false;
	if (sscanf(text(item, "meterName"), "%7[PES0-9] %7[LZRS] Disk%31[ A-Za-z]%n", sku,
		    redundancy, rest, &n) >= 2 &&
		sku[1] >= '0' && sku[1] <= '9')
		return true;
	return false;
}

static void
test_every_disk_meter_is_shipped(void **state)
{
	(void)state;
	need_recorded();
	for (size_t r = 0; r < N_REGIONS; r++) {
		struct arena a;
		struct price_book book;
		arena_init(&a, 0);
		load_book(&a, regions[r].book, &book);
		struct json_doc *disks = load_fixture(&a, regions[r].disks);
		size_t meters = 0;
		for (struct jval v = json_first(json_root(disks)); v.node; v = json_next(v)) {
			if (!is_disk_meter(v))
				continue;
			size_t rows = 0;
			for (size_t i = 0; i < book.n_rows; i++)
				rows += strcmp(book.rows[i].meter, text(v, "meterName")) == 0 &&
					strcmp(book.rows[i].product, text(v, "productName")) == 0;
			if (rows != 1)
				fail_msg("%s is shipped %zu times", text(v, "meterName"), rows);
			meters++;
		}
		/* P: 14 x 2 redundancies x (disk, mount); E: the same and operations from E4 on (11
		 * sizes); S: 11 x (disk, operations), LRS only: 56 + 56 + 22 + 22 */
		print_message("%s: all %zu recorded disk meters are shipped\n", book.name, meters);
		assert_int_equal(meters, 56 + 56 + 22 + 22);
		json_free(disks);
		arena_fini(&a);
	}
}

/* The key of a row must be what its meter says: the mount is the look-alike of the disk. */
static void
check_key(const struct price_book *book, const char *family, const char *sku,
	const char *redundancy, enum price_item item)
{
	static const char *const tail[PRICE_ITEM_COUNT] = {
		[PRICE_ITEM_DISK] = "Disk",
		[PRICE_ITEM_MOUNT] = "Disk Mount",
		[PRICE_ITEM_OPERATIONS] = "Disk Operations",
	};
	const struct price_row *row = NULL;
	struct err err = {0};
	char meter[64];
	if (price_book_find(book, family, sku, redundancy, item, &row, &err))
		fail_msg("%s", err.text);
	snprintf(meter, sizeof(meter), "%s %s %s", sku, redundancy, tail[item]);
	assert_string_equal(row->meter, meter);
}

static void
test_all_sizes_are_covered(void **state)
{
	static const char *const both[] = {"LRS", "ZRS"};
	(void)state;
	for (size_t r = 0; r < N_REGIONS; r++) {
		struct arena a;
		struct price_book book;
		arena_init(&a, 0);
		load_book(&a, regions[r].book, &book);
		for (size_t i = 0; i < 14; i++) {
			for (size_t k = 0; k < 2; k++) {
				check_key(
					&book, "premium_ssd", premium[i], both[k], PRICE_ITEM_DISK);
				check_key(&book, "premium_ssd", premium[i], both[k],
					PRICE_ITEM_MOUNT);
				check_key(&book, "standard_ssd", standard[i], both[k],
					PRICE_ITEM_DISK);
				check_key(&book, "standard_ssd", standard[i], both[k],
					PRICE_ITEM_MOUNT);
				if (i >= 3)
					check_key(&book, "standard_ssd", standard[i], both[k],
						PRICE_ITEM_OPERATIONS);
			}
		}
		for (size_t i = 0; i < 11; i++) {
			check_key(&book, "standard_hdd", hdd[i], "LRS", PRICE_ITEM_DISK);
			check_key(&book, "standard_hdd", hdd[i], "LRS", PRICE_ITEM_OPERATIONS);
		}
		arena_fini(&a);
	}
}

static void
test_look_alikes(void **state)
{
	(void)state;
	struct arena a;
	struct price_book book;
	arena_init(&a, 0);
	load_book(&a, "pricing/azure-westeurope.json", &book);
	for (size_t i = 0; i < book.n_rows; i++) {
		const struct price_row *row = &book.rows[i];
		bool mount = strstr(row->meter, "Mount") != NULL;
		assert_int_equal(mount, row->item == PRICE_ITEM_MOUNT);
		assert_null(strstr(row->product, "Page Blob"));
		assert_null(strstr(row->product, "Windows"));
		assert_null(strstr(row->meter, "Spot"));
		assert_null(strstr(row->meter, "Low Priority"));
		if (row->item == PRICE_ITEM_VM)
			assert_memory_equal(row->sku, "Standard_", 9);
	}
	arena_fini(&a);
}

/* The tier limits must price: every current fixed size has its disk price, and no price is for a
 * size without limits. */
static void
test_books_and_limits_agree(void **state)
{
	(void)state;
	struct arena a;
	struct limits limits;
	struct price_book book;
	struct err err = {0};
	arena_init(&a, 0);
	load_limits(&a, "pricing/limits-azure.json", &limits);
	load_book(&a, "pricing/azure-northeurope.json", &book);
	size_t steps = 0;
	for (size_t i = 0; i < limits.n_disks; i++) {
		const struct disk_limit *d = &limits.disks[i];
		const struct price_row *row;
		if (isnan(d->billed_gib))
			continue;
		for (size_t k = 0; k < d->n_redundancy; k++) {
			if (price_book_find(&book, d->family, d->sku, d->redundancy[k],
				    PRICE_ITEM_DISK, &row, &err))
				fail_msg("%s", err.text);
			steps++;
		}
	}
	assert_int_equal(steps, 14 * 2 + 14 * 2 + 11);
	for (size_t i = 0; i < book.n_rows; i++) {
		const struct disk_limit *d;
		const struct vm_limit *vm;
		if (book.rows[i].item == PRICE_ITEM_DISK)
			assert_int_equal(limits_disk(&limits, book.rows[i].sku, &d, &err), 0);
		/* the one machine size whose limits nobody has read */
		bool unread = strcmp(book.rows[i].sku ? book.rows[i].sku : "",
				      "Standard_D8ds_v6") == 0;
		if (book.rows[i].item == PRICE_ITEM_VM)
			assert_int_equal(limits_vm(&limits, book.rows[i].sku, &vm, &err),
				unread ? ERR_NOT_FOUND : 0);
	}
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_recorded),
		cmocka_unit_test(test_every_disk_meter_is_shipped),
		cmocka_unit_test(test_all_sizes_are_covered),
		cmocka_unit_test(test_look_alikes),
		cmocka_unit_test(test_books_and_limits_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
