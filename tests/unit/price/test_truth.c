/*
 * The billing truth table: what configurations cost by the price lists.  Every row states its
 * arithmetic (`sum`, in months of 730 hours) and where its prices stand (`source`); the totals were
 * worked out from that by hand, and tests/e2e/prices_arithmetic.sh works each sum out once more.
 *
 * WE, NE, SE, FR, BE are Azure westeurope, northeurope, swedencentral, francecentral, belgiumcentral
 * as recorded on 2026-08-22; AWS is the us-east-1 offer file of 2026-10-06 and the machines' page of
 * 2026-08-06; GCP the us-central1 pricing page of 2026-08-11 and catalogue of 2026-07-30; UK the
 * recorded GBP answer for ukwest of 2023-12; KR the recorded reservation of koreasouth.
 */
#include "common.h"

enum book_id { WE, NE, SE, FR, BE, AWS, GCP, ARTICLE, ALIBABA, UK, KR, N_BOOKS };
enum { AZURE_LIMITS, AWS_LIMITS, GCP_LIMITS, ARTICLE_LIMITS, ALIBABA_LIMITS, N_LIMITS };

static const struct {
	const char *path; /* NULL: `text` */
	int limits;
	const char *text;
} books_of[N_BOOKS] = {
	[WE] = {"pricing/azure-westeurope.json", AZURE_LIMITS, NULL},
	[NE] = {"pricing/azure-northeurope.json", AZURE_LIMITS, NULL},
	[SE] = {"pricing/azure-swedencentral.json", AZURE_LIMITS, NULL},
	[FR] = {"pricing/azure-francecentral.json", AZURE_LIMITS, NULL},
	[BE] = {"pricing/azure-belgiumcentral.json", AZURE_LIMITS, NULL},
	[AWS] = {"pricing/aws-us-east-1.json", AWS_LIMITS, NULL},
	[GCP] = {"pricing/gcp-us-central1.json", GCP_LIMITS, NULL},
	[ARTICLE] = {"pricing/article-azure-2024.json", ARTICLE_LIMITS, NULL},
	[ALIBABA] = {"pricing/article-alibaba-2018.json", ALIBABA_LIMITS, NULL},
	/* azure_retail_response_premiumv2_ukwest_gbp.json */
	[UK] = {NULL, AZURE_LIMITS,
		"{\"schema\": \"tierwise/prices/1\", \"name\": \"azure-ukwest\", \"provider\": "
		"\"azure\","
		"\"region\": \"ukwest\", \"currency\": \"GBP\", \"as_of\": \"2023-12-01\","
		"\"source\": \"recorded answer\", \"trust\": \"published\", \"rows\": ["
		"{\"family\": \"premium_ssd_v2\", \"sku\": \"PremiumV2_LRS\", \"redundancy\": "
		"\"LRS\","
		" \"item\": \"capacity\", \"unit\": \"gib_hour\", \"price\": 0.000105},"
		"{\"family\": \"premium_ssd_v2\", \"sku\": \"PremiumV2_LRS\", \"redundancy\": "
		"\"LRS\","
		" \"item\": \"iops\", \"unit\": \"hour\", \"price\": 0},"
		"{\"family\": \"premium_ssd_v2\", \"sku\": \"PremiumV2_LRS\", \"redundancy\": "
		"\"LRS\","
		" \"item\": \"iops\", \"unit\": \"hour\", \"price\": 0.000006, \"tier_min\": 3000},"
		"{\"family\": \"premium_ssd_v2\", \"sku\": \"PremiumV2_LRS\", \"redundancy\": "
		"\"LRS\","
		" \"item\": \"throughput\", \"unit\": \"hour\", \"price\": 0.000052, \"tier_min\": "
		"125},"
		"{\"family\": \"premium_ssd_v2\", \"sku\": \"PremiumV2_LRS\", \"redundancy\": "
		"\"LRS\","
		" \"item\": \"throughput\", \"unit\": \"hour\", \"price\": 0}]}"},
	/* azure_retail_items_raw_2026-08-22.json: the reservation's price is for the year, its unit
	 * of measure nevertheless "1/Month" */
	[KR] = {NULL, AZURE_LIMITS,
		"{\"schema\": \"tierwise/prices/1\", \"name\": \"azure-koreasouth\", \"provider\": "
		"\"azure\","
		"\"region\": \"koreasouth\", \"currency\": \"USD\", \"as_of\": \"2026-08-22\","
		"\"source\": \"recorded answer\", \"trust\": \"published\", \"rows\": ["
		"{\"family\": \"premium_ssd\", \"sku\": \"P80\", \"redundancy\": \"LRS\","
		" \"item\": \"disk\", \"unit\": \"month\", \"price\": 3604.11, \"meter\": \"P80 "
		"LRS Disk\"},"
		"{\"family\": \"premium_ssd\", \"sku\": \"P80\", \"redundancy\": \"LRS\","
		" \"item\": \"disk\", \"unit\": \"month\", \"price\": 41087.0, \"term\": \"1 year "
		"reservation\","
		" \"term_months\": 12, \"meter\": \"P80 LRS Disk\"}]}"},
};

static const char *const limits_of[N_LIMITS] = {
	[AZURE_LIMITS] = "pricing/limits-azure.json",
	[AWS_LIMITS] = "pricing/limits-aws.json",
	[GCP_LIMITS] = "pricing/limits-gcp.json",
	[ARTICLE_LIMITS] = "pricing/limits-article-azure-2024.json",
	[ALIBABA_LIMITS] = "pricing/limits-article-alibaba-2018.json",
};

static struct arena arena;
static struct price_book books[N_BOOKS];
static struct limits limits[N_LIMITS];

/* Zero and NULL mean "not said": one disk, one machine, the first redundancy, no operations. */
struct truth {
	const char *name;
	enum book_id book;
	const char *ask; /* a SKU, or a family */
	double gib, disks, iops, mbps, mibps, mounts;
	double operations, operations_hours, burst_operations, snapshot_gib;
	int burst, snapshot_full, plus;
	const char *redundancy, *snapshot_redundancy, *raise, *term;
	/* the answer */
	const char *sku;
	size_t lines;
	double total;
	const char *sum;
	double low; /* lower end of an interval */
	const char *low_sum;
	double wasted_gib, wasted;
	const char *wasted_sum;
	const char *source;
};

static const struct truth rows[] = {
	/* whole steps */
	{.name = "2,500 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 2500,
		.sku = "P50",
		.lines = 1,
		.total = 545.0971,
		.sum = "545.0971",
		.wasted_gib = 1596,
		.wasted = 212.39623330078125,
		.wasted_sum = "545.0971 * 1596 / 4096",
		.source = "WE P50 LRS Disk"},
	{.name = "33 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 33,
		.sku = "P6",
		.lines = 1,
		.total = 11.2272,
		.sum = "11.2272",
		.wasted_gib = 31,
		.source = "WE P6 LRS Disk"},
	{.name = "129 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 129,
		.sku = "P15",
		.lines = 1,
		.total = 41.811428,
		.sum = "41.811428",
		.wasted_gib = 127,
		.source = "WE P15 LRS Disk"},
	{.name = "1 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 1,
		.sku = "P1",
		.lines = 1,
		.total = 0.78,
		.sum = "0.78",
		.wasted_gib = 3,
		.source = "WE P1 LRS Disk"},
	{.name = "exactly 4 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 4,
		.sku = "P1",
		.lines = 1,
		.total = 0.78,
		.sum = "0.78",
		.source = "WE P1 LRS Disk"},
	{.name = "5 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 5,
		.sku = "P2",
		.lines = 1,
		.total = 1.56,
		.sum = "1.56",
		.wasted_gib = 3,
		.source = "WE P2 LRS Disk"},
	{.name = "1,024 GiB in NE",
		.book = NE,
		.ask = "premium_ssd",
		.gib = 1024,
		.sku = "P30",
		.lines = 1,
		.total = 135.17,
		.sum = "135.17",
		.source = "NE P30 LRS Disk"},
	{.name = "ZRS",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 1024,
		.redundancy = "ZRS",
		.sku = "P30",
		.lines = 1,
		.total = 222.99,
		.sum = "222.99",
		.source = "WE P30 ZRS Disk"},
	{.name = "32,767 GiB",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 32767,
		.sku = "P80",
		.lines = 1,
		.total = 3964.34,
		.sum = "3964.34",
		.source = "WE P80 LRS Disk"},
	{.name = "stripe of 4",
		.book = WE,
		.ask = "premium_ssd",
		.gib = 300,
		.disks = 4,
		.sku = "P20",
		.lines = 1,
		.total = 322.16,
		.sum = "4 * 80.54",
		.wasted_gib = 848,
		.source = "WE P20 LRS Disk"},
	{.name = "ZRS in SE",
		.book = SE,
		.ask = "P30",
		.gib = 1024,
		.redundancy = "ZRS",
		.sku = "P30",
		.lines = 1,
		.total = 223.02,
		.sum = "223.02",
		.source = "SE P30 ZRS Disk"},
	{.name = "P30 in FR",
		.book = FR,
		.ask = "P30",
		.gib = 1024,
		.sku = "P30",
		.lines = 1,
		.total = 163.548,
		.sum = "163.548",
		.source = "FR P30 LRS Disk"},
	{.name = "P20 ZRS in FR",
		.book = FR,
		.ask = "P20",
		.gib = 512,
		.redundancy = "ZRS",
		.sku = "P20",
		.lines = 1,
		.total = 132.87,
		.sum = "132.87",
		.source = "FR P20 ZRS Disk"},
	{.name = "2,049 GiB in BE",
		.book = BE,
		.ask = "premium_ssd",
		.gib = 2049,
		.sku = "P50",
		.lines = 1,
		.total = 545.09675,
		.sum = "545.09675",
		.wasted_gib = 2047,
		.source = "BE P50 LRS Disk"},
	{.name = "idle E30",
		.book = WE,
		.ask = "standard_ssd",
		.gib = 900,
		.sku = "E30",
		.lines = 1,
		.total = 76.8,
		.sum = "76.8",
		.wasted_gib = 124,
		.source = "WE E30 LRS Disk"},
	{.name = "idle S6",
		.book = WE,
		.ask = "standard_hdd",
		.gib = 33,
		.sku = "S6",
		.lines = 1,
		.total = 3.008,
		.sum = "3.008",
		.wasted_gib = 31,
		.source = "WE S6 LRS Disk"},
	{.name = "idle S30 in FR",
		.book = FR,
		.ask = "standard_hdd",
		.gib = 1024,
		.sku = "S30",
		.lines = 1,
		.total = 45.056,
		.sum = "45.056",
		.source = "FR S30 LRS Disk"},
	/* a performance tier above the size bills at that tier; the unused part is that of the size */
	{.name = "512 GiB raised to P50",
		.book = WE,
		.ask = "P20",
		.gib = 512,
		.raise = "P50",
		.sku = "P20",
		.lines = 1,
		.total = 545.0971,
		.sum = "545.0971",
		.source = "WE P50 LRS Disk"},
	{.name = "300 GiB raised to P30",
		.book = WE,
		.ask = "P20",
		.gib = 300,
		.raise = "P30",
		.sku = "P20",
		.lines = 1,
		.total = 148.68,
		.sum = "148.68",
		.wasted_gib = 212,
		.wasted = 33.34859375,
		.wasted_sum = "80.54 * 212 / 512",
		.source = "WE P30 LRS Disk; unused part: WE P20 LRS Disk"},
	{.name = "P60 raised to P80 in NE",
		.book = NE,
		.ask = "P60",
		.gib = 8192,
		.raise = "P80",
		.sku = "P60",
		.lines = 1,
		.total = 3604.11,
		.sum = "3604.11",
		.source = "NE P80 LRS Disk"},
	{.name = "raised and shared",
		.book = WE,
		.ask = "P20",
		.gib = 512,
		.raise = "P40",
		.mounts = 2,
		.sku = "P20",
		.lines = 2,
		.total = 302.0191,
		.sum = "284.9371 + 17.082",
		.source = "WE P40 LRS Disk, P40 LRS Disk Mount"},
	/* performance plus is free */
	{.name = "performance plus",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.plus = 1,
		.iops = 8000,
		.mbps = 300,
		.sku = "P30",
		.lines = 1,
		.total = 148.68,
		.sum = "148.68",
		.source = "WE P30 LRS Disk; no meter for performance plus"},
	/* mounts: from the second machine on */
	{.name = "P30 shared by 3",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.mounts = 3,
		.sku = "P30",
		.lines = 2,
		.total = 165.762,
		.sum = "148.68 + 2 * 8.541",
		.source = "WE P30 LRS Disk, P30 LRS Disk Mount"},
	{.name = "two of them",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.mounts = 3,
		.disks = 2,
		.sku = "P30",
		.lines = 2,
		.total = 331.524,
		.sum = "2 * (148.68 + 2 * 8.541)",
		.source = "WE P30 LRS Disk, P30 LRS Disk Mount"},
	{.name = "P80 ZRS shared by 10",
		.book = WE,
		.ask = "P80",
		.gib = 32767,
		.mounts = 10,
		.redundancy = "ZRS",
		.sku = "P80",
		.lines = 2,
		.total = 8508.62,
		.sum = "5946.41 + 9 * 284.69",
		.source = "WE P80 ZRS Disk, P80 ZRS Disk Mount"},
	{.name = "E30 shared by 5",
		.book = WE,
		.ask = "E30",
		.gib = 1024,
		.mounts = 5,
		.sku = "E30",
		.lines = 2,
		.total = 110.964,
		.sum = "76.8 + 4 * 8.541",
		.source = "WE E30 LRS Disk, E30 LRS Disk Mount"},
	{.name = "v2 shared by 4",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.mounts = 4,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 6.0736,
		.sum = "64 * 0.00013 * 730",
		.source = "WE Premium LRS Provisioned Capacity; no mount meter"},
	/* on-demand bursting: the fee and the transactions */
	{.name = "on-demand burst",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.burst = 1,
		.burst_operations = 20e6,
		.sku = "P30",
		.lines = 3,
		.total = 193.629,
		.sum = "148.68 + 31.949 + 20000000 / 10000 * 0.0065",
		.source = "WE P30 LRS Disk, LRS Burst Enablement, LRS Burst Transactions"},
	{.name = "burst never used",
		.book = NE,
		.ask = "P40",
		.gib = 2048,
		.burst = 1,
		.sku = "P40",
		.lines = 2,
		.total = 288.5367,
		.sum = "259.0457 + 29.491",
		.source = "NE P40 LRS Disk, LRS Burst Enablement"},
	{.name = "three bursting in SE, ZRS",
		.book = SE,
		.ask = "P30",
		.gib = 1024,
		.disks = 3,
		.redundancy = "ZRS",
		.burst = 1,
		.burst_operations = 5e6,
		.sku = "P30",
		.lines = 3,
		.total = 750.288,
		.sum = "3 * (223.02 + 24.576 + 5000000 / 10000 * 0.005)",
		.source = "SE P30 ZRS Disk, ZRS Burst Enablement, ZRS Burst Transactions"},
	/* transactions: premium none, hard disks to the hourly cap, an unknown cap is an interval */
	{.name = "premium operations",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.operations = 5e9,
		.sku = "P30",
		.lines = 1,
		.total = 148.68,
		.sum = "148.68",
		.source = "WE P30 LRS Disk"},
	{.name = "E30 operations",
		.book = WE,
		.ask = "E30",
		.gib = 1024,
		.operations = 30e6,
		.sku = "E30",
		.lines = 2,
		.total = 82.8,
		.sum = "76.8 + 30000000 / 10000 * 0.002",
		.low = 76.8,
		.low_sum = "76.8",
		.source = "WE E30 LRS Disk, E30 LRS Disk Operations; the cap is not known"},
	{.name = "E4 ZRS in NE",
		.book = NE,
		.ask = "E4",
		.gib = 32,
		.operations = 1e6,
		.redundancy = "ZRS",
		.sku = "E4",
		.lines = 2,
		.total = 3.8,
		.sum = "3.6 + 1000000 / 10000 * 0.002",
		.low = 3.6,
		.low_sum = "3.6",
		.source = "NE E4 ZRS Disk, E4 ZRS Disk Operations"},
	{.name = "S4 below its cap",
		.book = WE,
		.ask = "S4",
		.gib = 32,
		.operations = 10e6,
		.sku = "S4",
		.lines = 2,
		.total = 2.036,
		.sum = "1.536 + 10000000 / 10000 * 0.0005",
		.source = "WE S4 LRS Disk, S4 LRS Disk Operations; cap 450,000 an hour"},
	{.name = "S4 at its cap",
		.book = WE,
		.ask = "S4",
		.gib = 32,
		.operations = 1e9,
		.sku = "S4",
		.lines = 2,
		.total = 17.961,
		.sum = "1.536 + 450000 * 730 / 10000 * 0.0005",
		.source = "WE S4 LRS Disk, S4 LRS Disk Operations; techcommunity 4499128"},
	{.name = "S4 at its cap in 100 hours",
		.book = WE,
		.ask = "S4",
		.gib = 32,
		.operations = 1e9,
		.operations_hours = 100,
		.sku = "S4",
		.lines = 2,
		.total = 3.786,
		.sum = "1.536 + 450000 * 100 / 10000 * 0.0005",
		.source = "WE S4 LRS Disk, S4 LRS Disk Operations; techcommunity 4499128"},
	{.name = "S6 at its cap",
		.book = NE,
		.ask = "S6",
		.gib = 64,
		.operations = 1e9,
		.sku = "S6",
		.lines = 2,
		.total = 34.325,
		.sum = "3.008 + 858000 * 730 / 10000 * 0.0005",
		.source = "NE S6 LRS Disk, S6 LRS Disk Operations; techcommunity 4499128"},
	{.name = "S30 below any cap",
		.book = WE,
		.ask = "S30",
		.gib = 1024,
		.operations = 100e6,
		.sku = "S30",
		.lines = 2,
		.total = 45.96,
		.sum = "40.96 + 100000000 / 10000 * 0.0005",
		.source = "WE S30 LRS Disk, S30 LRS Disk Operations; its cap is not below that of "
			  "S6"},
	{.name = "S30 above the least cap",
		.book = WE,
		.ask = "S30",
		.gib = 1024,
		.operations = 1e9,
		.sku = "S30",
		.lines = 2,
		.total = 90.96,
		.sum = "40.96 + 1000000000 / 10000 * 0.0005",
		.low = 72.277,
		.low_sum = "40.96 + 858000 * 730 / 10000 * 0.0005",
		.source = "WE S30 LRS Disk, S30 LRS Disk Operations; its cap is not below that of "
			  "S6"},
	{.name = "S70 at its cap",
		.book = BE,
		.ask = "S70",
		.gib = 16384,
		.operations = 1e12,
		.sku = "S70",
		.lines = 2,
		.total = 4049.86,
		.sum = "655.36 + 93000000 * 730 / 10000 * 0.0005",
		.source = "BE S70 LRS Disk, S70 LRS Disk Operations; techcommunity 4499128"},
	{.name = "S80 below its cap",
		.book = FR,
		.ask = "S80",
		.gib = 32767,
		.operations = 1e9,
		.sku = "S80",
		.lines = 2,
		.total = 1360.72,
		.sum = "1310.72 + 1000000000 / 10000 * 0.0005",
		.source = "FR S80 LRS Disk, S80 LRS Disk Operations"},
	/* snapshots: used data in GB of 10^9; incremental ones on the hard-disk meter */
	{.name = "incremental",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.snapshot_gib = 100,
		.sku = "P30",
		.lines = 2,
		.total = 154.04870912,
		.sum = "148.68 + 107.3741824 * 0.05",
		.source = "WE P30 LRS Disk, Standard HDD LRS Snapshots"},
	{.name = "full",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.snapshot_gib = 100,
		.snapshot_full = 1,
		.sku = "P30",
		.lines = 2,
		.total = 164.249256448,
		.sum = "148.68 + 107.3741824 * 0.145",
		.source = "WE P30 LRS Disk, Premium LRS Snapshots"},
	{.name = "full LRS of a ZRS disk",
		.book = WE,
		.ask = "P30",
		.gib = 1024,
		.redundancy = "ZRS",
		.snapshot_gib = 100,
		.snapshot_full = 1,
		.snapshot_redundancy = "LRS",
		.sku = "P30",
		.lines = 2,
		.total = 238.559256448,
		.sum = "222.99 + 107.3741824 * 0.145",
		.source = "WE P30 ZRS Disk, Premium LRS Snapshots"},
	{.name = "of v2",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.snapshot_gib = 100,
		.sku = "PremiumV2_LRS",
		.lines = 2,
		.total = 11.44230912,
		.sum = "64 * 0.00013 * 730 + 107.3741824 * 0.05",
		.source = "WE Premium LRS Provisioned Capacity, Standard HDD LRS Snapshots"},
	{.name = "in FR",
		.book = FR,
		.ask = "P30",
		.gib = 1024,
		.snapshot_gib = 100,
		.sku = "P30",
		.lines = 2,
		.total = 169.2388316672,
		.sum = "163.548 + 107.3741824 * 0.053",
		.source = "FR P30 LRS Disk, Standard HDD LRS Snapshots"},
	{.name = "full of E30 ZRS",
		.book = WE,
		.ask = "E30",
		.gib = 1024,
		.redundancy = "ZRS",
		.snapshot_gib = 100,
		.snapshot_full = 1,
		.sku = "E30",
		.lines = 2,
		.total = 138.5001975808,
		.sum = "115.2 + 107.3741824 * 0.217",
		.source = "WE E30 ZRS Disk, Standard SSD Snapshots ZRS Snapshots"},
	/* Premium SSD v2: 3,000 IOPS and 125 MB/s with every disk */
	{.name = "v2 base",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 6.0736,
		.sum = "64 * 0.00013 * 730",
		.source = "WE Premium LRS Provisioned Capacity"},
	{.name = "v2 6,000 and 500",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 500,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 44.80375,
		.sum = "(100 * 0.00013 + 3000 * 0.000008 + 375 * 0.000065) * 730",
		.source = "WE Premium LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "v2 stripe of 2",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 125,
		.disks = 2,
		.sku = "PremiumV2_LRS",
		.lines = 2,
		.total = 54.02,
		.sum = "2 * (100 * 0.00013 + 3000 * 0.000008) * 730",
		.source = "WE Premium LRS Provisioned Capacity, IOPS; the allowance is per disk"},
	{.name = "v2 half a GiB",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 0.5,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 0.0949,
		.sum = "1 * 0.00013 * 730",
		.wasted_gib = 0.5,
		.source = "WE Premium LRS Provisioned Capacity"},
	{.name = "v2 in NE",
		.book = NE,
		.ask = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 500,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 38.41625,
		.sum = "(100 * 0.00011 + 3000 * 0.000007 + 375 * 0.000055) * 730",
		.source = "NE Premium LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "v2 at its most in FR",
		.book = FR,
		.ask = "premium_ssd_v2",
		.gib = 160,
		.iops = 80000,
		.mbps = 2000,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 550.74485,
		.sum = "(160 * 0.000127 + 77000 * 0.000008 + 1875 * 0.000063) * 730",
		.source = "FR Premium LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "v2 in BE",
		.book = BE,
		.ask = "premium_ssd_v2",
		.gib = 1024,
		.iops = 3000,
		.mbps = 125,
		.sku = "PremiumV2_LRS",
		.lines = 1,
		.total = 97.1776,
		.sum = "1024 * 0.00013 * 730",
		.source = "BE Premium LRS Provisioned Capacity"},
	{.name = "v2 in pounds",
		.book = UK,
		.ask = "premium_ssd_v2",
		.gib = 100,
		.iops = 6000,
		.mbps = 500,
		.sku = "PremiumV2_LRS",
		.lines = 3,
		.total = 35.04,
		.sum = "(100 * 0.000105 + 3000 * 0.000006 + 375 * 0.000052) * 730",
		.source = "UK Premium LRS Provisioned Capacity, IOPS, Throughput (GBP)"},
	/* Ultra: by the GiB since 2026 (before: 256), nothing included */
	{.name = "Ultra 200",
		.book = WE,
		.ask = "ultra_disk",
		.gib = 200,
		.iops = 100,
		.mbps = 1,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 37.93956,
		.sum = "(200 * 0.000213 + 100 * 0.000088 + 1 * 0.000572) * 730",
		.source = "WE Ultra LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "Ultra 1,024",
		.book = WE,
		.ask = "ultra_disk",
		.gib = 1024,
		.iops = 10000,
		.mbps = 400,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 968.64576,
		.sum = "(1024 * 0.000213 + 10000 * 0.000088 + 400 * 0.000572) * 730",
		.source = "WE Ultra LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "Ultra of 2 GiB is 4",
		.book = WE,
		.ask = "ultra_disk",
		.gib = 2,
		.iops = 100,
		.mbps = 1,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 7.46352,
		.sum = "(4 * 0.000213 + 100 * 0.000088 + 1 * 0.000572) * 730",
		.wasted_gib = 2,
		.source = "WE Ultra LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "Ultra in BE",
		.book = BE,
		.ask = "ultra_disk",
		.gib = 256,
		.iops = 25000,
		.mbps = 1000,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 2100.59544,
		.sum = "(256 * 0.000213 + 25000 * 0.000088 + 1000 * 0.000623) * 730",
		.source = "BE Ultra LRS Provisioned Capacity, IOPS, Throughput"},
	{.name = "Ultra in SE",
		.book = SE,
		.ask = "ultra_disk",
		.gib = 64,
		.iops = 2500,
		.mbps = 100,
		.sku = "UltraSSD_LRS",
		.lines = 3,
		.total = 174.32984,
		.sum = "(64 * 0.000172 + 2500 * 0.000071 + 100 * 0.000503) * 730",
		.source = "SE Ultra LRS Provisioned Capacity, IOPS, Throughput"},
	/* reservations: of the disk alone, the price is for the whole term */
	{.name = "P80 as you go",
		.book = KR,
		.ask = "P80",
		.gib = 32767,
		.sku = "P80",
		.lines = 1,
		.total = 3604.11,
		.sum = "3604.11",
		.source = "KR P80 LRS Disk, Consumption"},
	{.name = "P80 reserved for a year",
		.book = KR,
		.ask = "P80",
		.gib = 32767,
		.term = "1 year reservation",
		.sku = "P80",
		.lines = 1,
		.total = 3423.9166666666665,
		.sum = "41087 / 12",
		.source = "KR P80 LRS Disk, Reservation 1 Year"},
	/* AWS: a GB of a volume is 2^30 bytes; 3,000 IOPS and 125 MiB/s with every gp3 */
	{.name = "gp3 base",
		.book = AWS,
		.ask = "gp3",
		.gib = 100,
		.iops = 3000,
		.mibps = 125,
		.sku = "gp3",
		.lines = 1,
		.total = 8,
		.sum = "100 * 0.08",
		.source = "AWS VolumeUsage.gp3"},
	{.name = "gp3 16,000 and 1,000",
		.book = AWS,
		.ask = "gp3",
		.gib = 1000,
		.iops = 16000,
		.mibps = 1000,
		.sku = "gp3",
		.lines = 3,
		.total = 180,
		.sum = "1000 * 0.08 + 13000 * 0.005 + 875 * 0.04",
		.source = "AWS VolumeUsage.gp3, VolumeP-IOPS.gp3, VolumeP-Throughput.gp3"},
	{.name = "four gp3",
		.book = AWS,
		.ask = "gp3",
		.gib = 500,
		.disks = 4,
		.iops = 4000,
		.mibps = 125,
		.sku = "gp3",
		.lines = 2,
		.total = 180,
		.sum = "4 * (500 * 0.08 + 1000 * 0.005)",
		.source = "AWS VolumeUsage.gp3, VolumeP-IOPS.gp3; the allowance is per volume"},
	{.name = "gp3 with snapshots",
		.book = AWS,
		.ask = "gp3",
		.gib = 100,
		.iops = 3000,
		.mibps = 125,
		.snapshot_gib = 200,
		.sku = "gp3",
		.lines = 2,
		.total = 18,
		.sum = "100 * 0.08 + 200 * 0.05",
		.source = "AWS VolumeUsage.gp3, SnapshotUsage"},
	{.name = "io2 of 70,000",
		.book = AWS,
		.ask = "io2",
		.gib = 500,
		.iops = 70000,
		.sku = "io2",
		.lines = 4,
		.total = 3789.6,
		.sum = "500 * 0.125 + 32000 * 0.065 + 32000 * 0.0455 + 6000 * 0.03185",
		.source = "AWS VolumeUsage.io2, VolumeP-IOPS.io2, .tier2, .tier3"},
	{.name = "io2 at the first step",
		.book = AWS,
		.ask = "io2",
		.gib = 100,
		.iops = 32000,
		.sku = "io2",
		.lines = 2,
		.total = 2092.5,
		.sum = "100 * 0.125 + 32000 * 0.065",
		.source = "AWS VolumeUsage.io2, VolumeP-IOPS.io2"},
	{.name = "io2 of 50,000",
		.book = AWS,
		.ask = "io2",
		.gib = 100,
		.iops = 50000,
		.sku = "io2",
		.lines = 3,
		.total = 2911.5,
		.sum = "100 * 0.125 + 32000 * 0.065 + 18000 * 0.0455",
		.source = "AWS VolumeUsage.io2, VolumeP-IOPS.io2, .tier2"},
	{.name = "io1",
		.book = AWS,
		.ask = "io1",
		.gib = 1000,
		.iops = 10000,
		.sku = "io1",
		.lines = 2,
		.total = 775,
		.sum = "1000 * 0.125 + 10000 * 0.065",
		.source = "AWS VolumeUsage.piops, VolumeP-IOPS.piops"},
	{.name = "gp2",
		.book = AWS,
		.ask = "gp2",
		.gib = 334,
		.sku = "gp2",
		.lines = 1,
		.total = 33.4,
		.sum = "334 * 0.1",
		.source = "AWS VolumeUsage.gp2"},
	{.name = "st1",
		.book = AWS,
		.ask = "st1",
		.gib = 500,
		.sku = "st1",
		.lines = 1,
		.total = 22.5,
		.sum = "500 * 0.045",
		.source = "AWS VolumeUsage.st1"},
	{.name = "st1 of 100 is 125",
		.book = AWS,
		.ask = "st1",
		.gib = 100,
		.sku = "st1",
		.lines = 1,
		.total = 5.625,
		.sum = "125 * 0.045",
		.wasted_gib = 25,
		.source = "AWS VolumeUsage.st1"},
	{.name = "sc1",
		.book = AWS,
		.ask = "sc1",
		.gib = 1000,
		.sku = "sc1",
		.lines = 1,
		.total = 15,
		.sum = "1000 * 0.015",
		.source = "AWS VolumeUsage.sc1"},
	/* GCP: hourly prices of nine decimals; 3,000 IOPS and 140 MiB/s with Hyperdisk Balanced */
	{.name = "Hyperdisk base",
		.book = GCP,
		.ask = "hyperdisk_balanced",
		.gib = 500,
		.iops = 3000,
		.mibps = 140,
		.sku = "hyperdisk-balanced",
		.lines = 1,
		.total = 39.999985,
		.sum = "500 * 0.000109589 * 730",
		.source = "GCP Hyperdisk Balanced provisioned space"},
	{.name = "Hyperdisk 10,000 and 500",
		.book = GCP,
		.ask = "hyperdisk_balanced",
		.gib = 1000,
		.iops = 10000,
		.mibps = 500,
		.sku = "hyperdisk-balanced",
		.lines = 3,
		.total = 129.398486,
		.sum = "(1000 * 0.000109589 + 7000 * 0.000006849 + 360 * 0.000054795) * 730",
		.source = "GCP Hyperdisk Balanced provisioned space, IOPS, throughput"},
	{.name = "Hyperdisk Extreme",
		.book = GCP,
		.ask = "hyperdisk_extreme",
		.gib = 100,
		.iops = 50000,
		.sku = "hyperdisk-extreme",
		.lines = 2,
		.total = 1612.514009,
		.sum = "(100 * 0.000171233 + 50000 * 0.000043836) * 730",
		.source = "GCP Hyperdisk Extreme provisioned space, IOPS"},
	{.name = "pd-ssd",
		.book = GCP,
		.ask = "pd-ssd",
		.gib = 500,
		.sku = "pd-ssd",
		.lines = 1,
		.total = 85.000105,
		.sum = "500 * 0.000232877 * 730",
		.source = "GCP SSD provisioned space"},
	{.name = "pd-ssd in two zones",
		.book = GCP,
		.ask = "pd-ssd",
		.gib = 500,
		.redundancy = "regional",
		.sku = "pd-ssd",
		.lines = 1,
		.total = 169.999845,
		.sum = "500 * 0.000465753 * 730",
		.source = "GCP Regional SSD provisioned space"},
	{.name = "pd-balanced and snapshots",
		.book = GCP,
		.ask = "pd-balanced",
		.gib = 1000,
		.snapshot_gib = 200,
		.sku = "pd-balanced",
		.lines = 2,
		.total = 109.99978,
		.sum = "1000 * 0.000136986 * 730 + 200 * 0.05",
		.source = "GCP Balanced provisioned space, snapshot"},
	{.name = "pd-extreme",
		.book = GCP,
		.ask = "pd-extreme",
		.gib = 500,
		.iops = 20000,
		.sku = "pd-extreme",
		.lines = 2,
		.total = 1362.498645,
		.sum = "(500 * 0.000171233 + 20000 * 0.000089041) * 730",
		.source = "GCP Extreme provisioned space, IOPS"},
	/* published articles: their own prices and their own currency */
	{.name = "article P30",
		.book = ARTICLE,
		.ask = "P30",
		.gib = 1024,
		.sku = "P30",
		.lines = 1,
		.total = 168,
		.sum = "168",
		.source = "article on Premium and Ultra, 2024"},
	{.name = "article U30",
		.book = ARTICLE,
		.ask = "U30",
		.gib = 1024,
		.sku = "U30",
		.lines = 1,
		.total = 504,
		.sum = "504",
		.source = "article on Premium and Ultra, 2024"},
	{.name = "article U15",
		.book = ARTICLE,
		.ask = "U15",
		.gib = 256,
		.sku = "U15",
		.lines = 1,
		.total = 78.75,
		.sum = "78.75",
		.source = "article on Premium and Ultra, 2024"},
	{.name = "article hard disk",
		.book = ARTICLE,
		.ask = "Standard HDD",
		.gib = 1000,
		.sku = "Standard HDD",
		.lines = 1,
		.total = 24.696061952,
		.sum = "1073.741824 * 0.023",
		.source = "article on Premium and Ultra, 2024"},
	{.name = "article ESSD",
		.book = ALIBABA,
		.ask = "ESSD",
		.gib = 1000,
		.sku = "ESSD",
		.lines = 1,
		.total = 1073.741824,
		.sum = "1073.741824 * 1",
		.source = "article on five clouds, 2018: 1 CNY a GB and month"},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Machines.  `ready`: made ready for Ultra, none attached unless said. */
struct machine_truth {
	const char *name;
	enum book_id book;
	const char *sku;
	double count, hours, attached;
	const char *term, *ready;
	size_t lines;
	double total;
	const char *sum, *source;
};

static const struct machine_truth machines[] = {
	{.name = "E8ds_v5",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.lines = 1,
		.total = 505.16,
		.sum = "0.692 * 730",
		.source = "WE E8ds v5"},
	{.name = "three",
		.book = WE,
		.sku = "Standard_E16ds_v5",
		.count = 3,
		.lines = 1,
		.total = 3030.96,
		.sum = "3 * 1.384 * 730",
		.source = "WE E16ds v5"},
	{.name = "savings plan",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.term = "1 year savings plan",
		.lines = 1,
		.total = 346.0346,
		.sum = "0.47402 * 730",
		.source = "WE E8ds v5, savings plan 1 year"},
	{.name = "200 hours",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.hours = 200,
		.lines = 1,
		.total = 138.4,
		.sum = "0.692 * 200",
		.source = "WE E8ds v5"},
	/* a commitment is paid whether the machine runs or not */
	{.name = "200 hours of a savings plan",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.hours = 200,
		.term = "1 year savings plan",
		.lines = 1,
		.total = 346.0346,
		.sum = "0.47402 * 730",
		.source = "WE E8ds v5, savings plan 1 year"},
	{.name = "ready for Ultra, none attached",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.ready = "UltraSSD_LRS",
		.lines = 2,
		.total = 550.712,
		.sum = "0.692 * 730 + 8 * 0.0078 * 730",
		.source = "WE E8ds v5, Ultra LRS Reservation per vCPU Provisioned"},
	{.name = "Ultra attached",
		.book = WE,
		.sku = "Standard_E8ds_v5",
		.count = 1,
		.attached = 1,
		.ready = "UltraSSD_LRS",
		.lines = 1,
		.total = 505.16,
		.sum = "0.692 * 730",
		.source = "WE E8ds v5"},
	{.name = "two of NE, ready",
		.book = NE,
		.sku = "Standard_E16ds_v5",
		.count = 2,
		.ready = "UltraSSD_LRS",
		.lines = 2,
		.total = 2036.992,
		.sum = "2 * (1.28 + 16 * 0.0072) * 730",
		.source = "NE E16ds v5, Ultra LRS Reservation per vCPU Provisioned"},
	{.name = "r6id.2xlarge",
		.book = AWS,
		.sku = "r6id.2xlarge",
		.count = 1,
		.lines = 1,
		.total = 441.504,
		.sum = "0.6048 * 730",
		.source = "AWS r6id.2xlarge"},
	{.name = "n2-highmem-8",
		.book = GCP,
		.sku = "n2-highmem-8",
		.count = 1,
		.lines = 1,
		.total = 382.56088,
		.sum = "0.524056 * 730",
		.source = "GCP n2-highmem-8"},
	{.name = "committed for 3 years",
		.book = GCP,
		.sku = "n2-highmem-8",
		.count = 1,
		.term = "3 year commitment",
		.lines = 1,
		.total = 172.16904,
		.sum = "172.16904",
		.source = "GCP n2-highmem-8, commitment 3 years"},
};
enum { N_MACHINES = sizeof(machines) / sizeof(machines[0]) };

static int
setup(void **state)
{
	(void)state;
	arena_init(&arena, 0);
	for (size_t i = 0; i < N_LIMITS; i++)
		load_limits(&arena, limits_of[i], &limits[i]);
	for (size_t i = 0; i < N_BOOKS; i++) {
		char path[64];
		struct err err = {0};
		if (books_of[i].path) {
			load_book(&arena, books_of[i].path, &books[i]);
			continue;
		}
		write_temporary(books_of[i].text, path);
		if (price_book_load(path, &arena, &books[i], NULL, &err))
			fail_msg("%s", err.text);
		unlink(path);
	}
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

static void
find(const struct truth *r, const struct disk_limit **disk)
{
	const struct limits *l = &limits[books_of[r->book].limits];
	struct err err = {0};
	if (limits_disk(l, r->ask, disk, &err) &&
		limits_disk_for_size(l, r->ask, r->gib, disk, &err))
		fail_msg("%s: %s", r->name, err.text);
}

static void
config_of(const struct truth *r, struct disk_config *c)
{
	const struct disk_limit *d = NULL;
	struct err err = {0};
	find(r, &d);
	const char *first = d->n_redundancy ? d->redundancy[0] : NULL;
	disk_config_init(c, d, r->gib, r->redundancy ? r->redundancy : first);
	c->iops = r->iops > 0 ? r->iops : (double)NAN;
	c->mbps = r->mbps > 0 ? r->mbps : r->mibps > 0 ? r->mibps * 1.048576 : (double)NAN;
	c->disks = r->disks > 0 ? r->disks : 1;
	c->mounts = r->mounts > 0 ? r->mounts : 1;
	c->operations_month = r->operations;
	c->operations_hours = r->operations_hours;
	c->snapshot_gib = r->snapshot_gib;
	c->snapshot_full = r->snapshot_full;
	c->snapshot_redundancy = r->snapshot_redundancy;
	c->burst = r->burst;
	c->burst_operations_month = r->burst_operations;
	c->performance_plus = r->plus;
	c->term = r->term;
	if (r->raise && limits_disk(&limits[AZURE_LIMITS], r->raise, &c->raised, &err))
		fail_msg("%s: %s", r->name, err.text);
}

static bool
close_to(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fmax(1, fabs(want));
}

/* Each line multiplies, has a date and a source, and the lines add up to the total. */
static void
check_lines(const char *name, const struct bill *bill)
{
	double sum = 0, low = 0;
	for (size_t i = 0; i < bill->n_lines; i++) {
		const struct bill_line *l = &bill->lines[i];
		if (!close_to(l->amount, l->quantity * l->unit_price))
			fail_msg("%s: %s: %g x %g is not %g", name, l->what, l->quantity,
				l->unit_price, l->amount);
		assert_non_null(l->source);
		assert_int_equal(strlen(l->as_of), 10);
		sum += l->amount;
		low += isnan(l->amount_low) ? l->amount : l->amount_low;
	}
	assert_true(close_to(sum, bill->total));
	if (!isnan(bill->total_low))
		assert_true(close_to(low, bill->total_low));
}

static void
test_disks(void **state)
{
	(void)state;
	assert_true(N_ROWS >= 60);
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct truth *r = &rows[i];
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		config_of(r, &c);
		bill_init(&bill, &books[r->book]);
		if (bill_add_disk(&bill, &arena, &books[r->book], &c, NULL, &err))
			fail_msg("%s: %s", r->name, err.text);
		if (bill.complete != 1)
			fail_msg("%s: incomplete: %s", r->name, err.text);
		if (strcmp(c.disk->sku, r->sku) != 0 || bill.n_lines != r->lines ||
			!close_to(bill.total, r->total))
			fail_msg("%s: %s, %zu lines, %.10g; want %s, %zu lines, %.10g = %s (%s)",
				r->name, c.disk->sku, bill.n_lines, bill.total, r->sku, r->lines,
				r->total, r->sum, r->source);
		if (r->low > 0 ? !close_to(bill.total_low, r->low) : !isnan(bill.total_low))
			fail_msg("%s: at least %.10g, want %.10g", r->name, bill.total_low, r->low);
		if (!close_to(bill.wasted_gib, r->wasted_gib))
			fail_msg("%s: %g GiB unused", r->name, bill.wasted_gib);
		if (r->wasted > 0 && !close_to(bill.wasted_amount, r->wasted))
			fail_msg("%s: %.10g for them", r->name, bill.wasted_amount);
		check_lines(r->name, &bill);
	}
	print_message("%d configurations of disks\n", (int)N_ROWS);
}

static void
test_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_MACHINES; i++) {
		const struct machine_truth *r = &machines[i];
		const struct limits *l = &limits[books_of[r->book].limits];
		const struct vm_limit *vm = NULL;
		struct machine_config c = {.sku = r->sku,
			.count = r->count,
			.hours = r->hours,
			.term = r->term,
			.attached = r->attached};
		struct bill bill;
		struct err err = {0};
		assert_int_equal(limits_vm(l, r->sku, &vm, &err), 0);
		c.vcpus = vm->vcpus;
		if (r->ready)
			assert_int_equal(limits_disk(l, r->ready, &c.reserves, &err), 0);
		bill_init(&bill, &books[r->book]);
		if (bill_add_machine(&bill, &arena, &books[r->book], &c, &err))
			fail_msg("%s: %s", r->name, err.text);
		if (bill.complete != 1 || bill.n_lines != r->lines ||
			!close_to(bill.total, r->total))
			fail_msg("%s: %zu lines, %.10g; want %zu lines, %.10g = %s (%s)", r->name,
				bill.n_lines, bill.total, r->lines, r->total, r->sum, r->source);
		check_lines(r->name, &bill);
	}
	print_message("%d configurations of machines\n", (int)N_MACHINES);
}

/* A currency is the book's, whatever the provider. */
static void
test_currencies(void **state)
{
	static const struct {
		enum book_id book;
		const char *currency;
	} cases[] = {{WE, "USD"}, {UK, "GBP"}, {ALIBABA, "CNY"}};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bill bill;
		bill_init(&bill, &books[cases[i].book]);
		assert_string_equal(bill.currency, cases[i].currency);
	}
}

/* The month's other hours: only hourly meters scale.  v2 of 64 GiB: 64 x 0.00013 x 744 = 6.19008;
 * P30 with snapshots: nothing is hourly. */
static void
test_other_months(void **state)
{
	(void)state;
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	const struct truth v2 = {.name = "v2",
		.book = WE,
		.ask = "premium_ssd_v2",
		.gib = 64,
		.iops = 3000,
		.mbps = 125,
		.snapshot_gib = 100};
	config_of(&v2, &c);
	bill_init(&bill, &books[WE]);
	assert_int_equal(bill_add_disk(&bill, &arena, &books[WE], &c, NULL, &err), 0);
	assert_close(bill.hours, 730);
	assert_close(bill.hourly, 6.0736);
	assert_close(bill_total_at(&bill, 730), bill.total);
	assert_close(bill_total_at(&bill, 744), 6.19008 + 5.36870912);
	const struct truth p30 = {.name = "P30", .book = WE, .ask = "P30", .gib = 1024};
	config_of(&p30, &c);
	bill_init(&bill, &books[WE]);
	assert_int_equal(bill_add_disk(&bill, &arena, &books[WE], &c, NULL, &err), 0);
	assert_close(bill_total_at(&bill, 744), 148.68);
}

/* Refused, and why; nothing of it is on the bill. */
static void
test_refused(void **state)
{
	static const struct {
		struct truth row;
		const char *says;
	} cases[] = {
		{{.name = "raise too far", .book = WE, .ask = "P20", .gib = 512, .raise = "P60"},
			"P20 with performance tier P60: offered with P30 or P40 or P50"},
		{{.name = "raise down", .book = WE, .ask = "P30", .gib = 1024, .raise = "P20"},
			"P30 with performance tier P20: offered with P40 or P50"},
		{{.name = "no tier above", .book = WE, .ask = "P50", .gib = 4096, .raise = "P60"},
			"P50 with performance tier P60: offered with none"},
		{{.name = "no plus", .book = WE, .ask = "P20", .gib = 512, .plus = 1},
			"P20 has no performance plus"},
		{{.name = "plus not asked for",
			 .book = WE,
			 .ask = "P30",
			 .gib = 1024,
			 .iops = 8000},
			"P30 with 8000 IOPS: it has 5000"},
		{{.name = "more than plus",
			 .book = WE,
			 .ask = "P30",
			 .gib = 1024,
			 .plus = 1,
			 .mbps = 301},
			"P30 with 301 MB/s: it has 300"},
		{{.name = "operations", .book = WE, .ask = "E30", .gib = 1024, .operations = -1},
			"E30 with -1 operations a month: a number from 0 expected"},
		{{.name = "snapshots", .book = WE, .ask = "E30", .gib = 1024, .snapshot_gib = -5},
			"E30 with -5 GiB of snapshots"},
		{{.name = "gp3 for its size",
			 .book = AWS,
			 .ask = "gp3",
			 .gib = 10,
			 .iops = 5001,
			 .mibps = 125},
			"gp3 of 10 GiB with 5001 IOPS: accepted 3,000 to 5,000"},
		{{.name = "gp3 for its IOPS",
			 .book = AWS,
			 .ask = "gp3",
			 .gib = 100,
			 .iops = 3000,
			 .mibps = 751},
			/* 125 x 1.048576 = 131.072, 750 x 1.048576 = 786.432 */
			"accepted 131.072 to 786.432 MB/s of 10^6 (125 to 750 MiB/s)"},
		{{.name = "io2 at most", .book = AWS, .ask = "io2", .gib = 1000, .iops = 256001},
			"accepted 100 to 256,000"},
		{{.name = "io2 throughput",
			 .book = AWS,
			 .ask = "io2",
			 .gib = 100,
			 .iops = 1000,
			 .mibps = 257},
			"MB/s: it has 268.4"},
		{{.name = "gp2 has what its size has",
			 .book = AWS,
			 .ask = "gp2",
			 .gib = 100,
			 .iops = 301},
			"gp2 with 301 IOPS: it has 300"},
		{{.name = "hyperdisk",
			 .book = GCP,
			 .ask = "hyperdisk-balanced",
			 .gib = 100,
			 .iops = 2999,
			 .mibps = 140},
			"with 2999 IOPS: accepted 3,000 to 160,000"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		const struct truth *r = &cases[i].row;
		config_of(r, &c);
		bill_init(&bill, &books[r->book]);
		int rc = bill_add_disk(&bill, &arena, &books[r->book], &c, NULL, &err);
		if (rc != ERR_RANGE || !strstr(err.text, cases[i].says))
			fail_msg("%s: %d \"%s\"", r->name, rc, err.text);
		assert_int_equal(bill.n_lines, 0);
	}
	/* 32,768 GiB is one more than the largest */
	const struct disk_limit *d = NULL;
	struct err err = {0};
	assert_int_equal(
		limits_disk_for_size(&limits[AZURE_LIMITS], "premium_ssd", 32768, &d, &err),
		ERR_RANGE);
	assert_non_null(strstr(err.text, "the largest disk is P80 with 32,767 GiB"));
}

/* Not known is not nothing: a commitment, a machine, a mount nobody has a price for. */
static void
test_unknown(void **state)
{
	static const struct {
		struct truth row;
		double total; /* of what is known */
		const char *says;
	} cases[] = {
		{{.name = "no reservation",
			 .book = WE,
			 .ask = "P30",
			 .gib = 1024,
			 .term = "1 year reservation"},
			0, "has no price for premium_ssd P30 LRS disk, 1 year reservation"},
		{{.name = "mount of io2",
			 .book = AWS,
			 .ask = "io2",
			 .gib = 100,
			 .iops = 1000,
			 .mounts = 2},
			12.5 + 65, "no price for io2 io2 mount"},
		{{.name = "full snapshot of Ultra",
			 .book = WE,
			 .ask = "ultra_disk",
			 .gib = 4,
			 .iops = 100,
			 .mbps = 1,
			 .snapshot_gib = 1,
			 .snapshot_full = 1},
			7.46352, "no price for ultra_disk"},
		{{.name = "East of SE", .book = SE, .ask = "E1", .gib = 4, .operations = 5}, 0.3,
			"no price for standard_ssd E1 LRS operations"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct disk_config c;
		struct bill bill;
		struct err err = {0};
		const struct truth *r = &cases[i].row;
		config_of(r, &c);
		bill_init(&bill, &books[r->book]);
		assert_int_equal(bill_add_disk(&bill, &arena, &books[r->book], &c, NULL, &err), 0);
		assert_int_equal(bill.complete, 0);
		assert_int_equal(err.code, ERR_PRICE);
		if (!close_to(bill.total, cases[i].total) || !strstr(err.text, cases[i].says))
			fail_msg("%s: %.10g \"%s\"", r->name, bill.total, err.text);
	}
	/* how many processors the reservation is for is not known */
	struct machine_config c = {.sku = "Standard_E8ds_v5", .count = 1, .vcpus = (double)NAN};
	struct bill bill;
	struct err err = {0};
	assert_int_equal(limits_disk(&limits[AZURE_LIMITS], "UltraSSD_LRS", &c.reserves, &err), 0);
	bill_init(&bill, &books[WE]);
	assert_int_equal(bill_add_machine(&bill, &arena, &books[WE], &c, &err), 0);
	assert_int_equal(bill.complete, 0);
	assert_close(bill.total, 505.16);
}

/* An unknown load on a disk whose cap is known lies between nothing and the cap: 450,000 x 730 /
 * 10,000 x 0.0005 = 16.425. */
static void
test_unknown_load_under_a_cap(void **state)
{
	(void)state;
	const struct truth r = {.name = "S4", .book = WE, .ask = "S4", .gib = 32};
	struct disk_config c;
	struct bill bill;
	struct err err = {0};
	config_of(&r, &c);
	c.operations_month = (double)NAN;
	bill_init(&bill, &books[WE]);
	assert_int_equal(bill_add_disk(&bill, &arena, &books[WE], &c, NULL, &err), 0);
	assert_int_equal(bill.complete, 1);
	assert_close(bill.total, 1.536 + 16.425);
	assert_close(bill.total_low, 1.536);
	assert_non_null(bill.lines[1].note);
}

/* Kept data: 100 GiB used, 7 daily snapshots, 3 GiB change a day: 100 + 6 x 3; full: 7 x 100. */
static void
test_snapshot_data(void **state)
{
	(void)state;
	assert_close(bill_snapshot_gib(100, 7, 3, false), 118);
	assert_close(bill_snapshot_gib(100, 7, 3, true), 700);
	assert_close(bill_snapshot_gib(100, 1, 3, false), 100);
	assert_close(bill_snapshot_gib(100, 0, 3, false), 0);
}

/* 64 KiB on a hard disk are 4 transactions of 16 KiB, 1 MiB on S70 at most 16, on E30 4 of 256. */
static void
test_billed_operations(void **state)
{
	static const struct {
		const char *sku;
		double io_kib, billed;
	} cases[] = {{"S4", 64, 4}, {"S4", 4, 1}, {"S4", 1024, 64}, {"S70", 1024, 16},
		{"S80", 64, 4}, {"E30", 1024, 4}, {"E30", 256, 1}, {"E30", 257, 2}};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct disk_limit *d = NULL;
		struct err err = {0};
		assert_int_equal(limits_disk(&limits[AZURE_LIMITS], cases[i].sku, &d, &err), 0);
		assert_close(disk_limit_billed_operations(d, cases[i].io_kib), cases[i].billed);
	}
	/* P30, 5,000 IOPS and 200 MB/s: 8,000 IOPS are 3,000 over; 300 MB/s are 100 over, 400 pieces */
	const struct disk_limit *p30 = NULL;
	struct err err = {0};
	assert_int_equal(limits_disk(&limits[AZURE_LIMITS], "P30", &p30, &err), 0);
	assert_close(disk_limit_burst_operations(p30, 8000, 100), 3000);
	assert_close(disk_limit_burst_operations(p30, 5000, 300), 400);
	assert_close(disk_limit_burst_operations(p30, 100, 100), 0);
}

/* What a size has where it is not bought: gp2 3 IOPS a GiB and 128 to 250 MiB/s, st1 40 MiB/s a TiB. */
static void
test_sustained(void **state)
{
	static const struct {
		int limits;
		const char *sku;
		double gib, iops, mibps;
	} cases[] = {
		{AWS_LIMITS, "gp2", 20, 100, 128},
		{AWS_LIMITS, "gp2", 100, 300, 128},
		{AWS_LIMITS, "gp2", 334, 1002, 250},
		{AWS_LIMITS, "gp2", 16384, 16000, 250},
		{AWS_LIMITS, "st1", 2048, 80, 80},
		{AWS_LIMITS, "st1", 16384, 500, 500},
		{AWS_LIMITS, "sc1", 16384, 192, 192},
		{GCP_LIMITS, "pd-ssd", 500, 15000, 240},
		{GCP_LIMITS, "pd-balanced", 500, 3000, 140},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct disk_limit *d = NULL;
		struct err err = {0};
		assert_int_equal(limits_disk(&limits[cases[i].limits], cases[i].sku, &d, &err), 0);
		assert_false(disk_limit_is_provisioned(d));
		assert_close(disk_limit_sustained_iops(d, cases[i].gib), cases[i].iops);
		assert_close(disk_limit_sustained_mbps(d, cases[i].gib), cases[i].mibps * 1.048576);
	}
	/* Azure's fixed sizes have what comes with them */
	const struct disk_limit *p30 = NULL;
	struct err err = {0};
	assert_int_equal(limits_disk(&limits[AZURE_LIMITS], "P30", &p30, &err), 0);
	assert_close(disk_limit_sustained_iops(p30, 1024), 5000);
	assert_close(disk_limit_sustained_mbps(p30, 1024), 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_currencies),
		cmocka_unit_test(test_other_months),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_unknown_load_under_a_cap),
		cmocka_unit_test(test_snapshot_data),
		cmocka_unit_test(test_billed_operations),
		cmocka_unit_test(test_sustained),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
