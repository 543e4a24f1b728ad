/*
 * Machine sizes out of the providers' tools.  The documents are cut down from what the tools print;
 * figures: Standard_E8ds_v5 as documented (12,800 IOPS, 290 MB/s uncached), r6i.2xlarge shaped as
 * DescribeInstanceTypes answers (baseline and maximum).
 */
#include "common.h"
#include "price/machines.h"

static struct arena arena;
static struct limits azure, aws;

static int
setup(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
	arena_init(&arena, 0);
	load_limits(&arena, "pricing/limits-azure.json", &azure);
	load_limits(&arena, "pricing/limits-aws.json", &aws);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_fini(&arena);
	return 0;
}

static int
read_text(const char *text, struct limits *limits, struct machines_read *r, struct err *err)
{
	char path[64], sha256[65];
	write_temporary(text, path);
	int rc = machines_read(path, &arena, limits, r, sha256, err);
	unlink(path);
	return rc;
}

#define CAP(n, v) "{\"name\": \"" n "\", \"value\": \"" v "\"}"

static const char azure_list[] =
	"[{\"resourceType\": \"disks\", \"name\": \"Premium_LRS\"},"
	"{\"resourceType\": \"virtualMachines\", \"name\": \"Standard_X64s_v9\", \"family\": "
	"\"standardXSv9Family\","
	" \"locations\": [\"westeurope\"], \"capabilities\": [" CAP("vCPUs", "64") "," CAP(
		"vCPUsAvailable", "32") "," CAP("MemoryGB", "432") "," CAP("MaxDataDiskCount",
		"32") "," CAP("PremiumIO", "True") "," CAP("HyperVGenerations",
		"V1,V2") "," CAP("CombinedTempDiskAndCachedIOPS",
		"128000") "," CAP("CombinedTempDiskAndCachedReadBytesPerSecond",
		"1073741824") "," CAP("UncachedDiskIOPS",
		"80000") "," CAP("UncachedDiskBytesPerSecond",
		"1258291200") "," CAP("UltraSSDAvailable",
		"True") "]},"
			"{\"resourceType\": \"virtualMachines\", \"name\": \"Standard_E8ds_v5\", "
			"\"capabilities\": [" CAP("UncachedDiskIOPS", "12900") "," CAP(
				"UncachedDiskBytesPerSecond", "290000000") "]}]";

static void
test_azure(void **state)
{
	(void)state;
	struct limits l = azure;
	struct machines_read r;
	struct err err = {0};
	const struct vm_limit *vm = NULL, *old = NULL;
	if (read_text(azure_list, &l, &r, &err))
		fail_msg("%s", err.text);
	assert_int_equal(r.sizes, 2);
	assert_int_equal(r.added, 1);
	assert_int_equal(r.changed, 1);
	assert_int_equal(limits_vm(&l, "Standard_X64s_v9", &vm, &err), 0);
	assert_close(vm->vcpus, 32); /* half of them switched off: the reservation counts 64 */
	assert_close(vm->vcpus_billed, 64);
	assert_close(vm->ram_gib, 432);
	assert_close(vm->max_data_disks, 32);
	assert_close(vm->uncached_iops, 80000);
	assert_close(vm->uncached_mbps, 1258.2912); /* 1,200 MiB/s in MB of 10^6 */
	assert_close(vm->cached_iops, 128000);
	assert_close(vm->cached_mbps, 1073.741824);
	assert_int_equal(vm->premium_storage, 1);
	assert_non_null(strstr(vm->premium_v2_support, "yes, derived from PremiumIO"));
	assert_true(isnan(vm->ultra_iops));
	assert_string_equal(vm->family, "standardXSv9Family");
	assert_string_equal(vm->as_of, "2026-12-01");
	/* the file's figure over the shipped one, what it does not state is kept */
	assert_int_equal(limits_vm(&l, "Standard_E8ds_v5", &vm, &err), 0);
	assert_int_equal(limits_vm(&azure, "Standard_E8ds_v5", &old, &err), 0);
	assert_close(vm->uncached_iops, 12900);
	assert_close(old->uncached_iops, 12800);
	assert_close(vm->uncached_mbps, 290);
	assert_close(vm->vcpus, old->vcpus);
	assert_close(vm->temp_disk_gib, old->temp_disk_gib);
	assert_string_equal(vm->premium_v2_support, old->premium_v2_support);
	assert_int_equal(l.n_vms, azure.n_vms + 1);
	/* two controllers, one figure in the file: that of NVMe is left alone */
	const char text[] = "[{\"name\": \"Standard_E8bds_v5\", \"capabilities\": [" CAP(
		"UncachedDiskIOPS", "1") "]}]";
	if (read_text(text, &l, &r, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < l.n_vms; i++) {
		if (strcmp(l.vms[i].sku, "Standard_E8bds_v5") != 0)
			continue;
		bool nvme = strcmp(l.vms[i].interface, "NVMe") == 0;
		assert_close(l.vms[i].uncached_iops, nvme ? 33000 : 1);
	}
}

static const char aws_list[] = "{\"InstanceTypes\": [{\"InstanceType\": \"r6i.2xlarge\", "
			       "\"VCpuInfo\": {\"DefaultVCpus\": 8},"
			       "\"MemoryInfo\": {\"SizeInMiB\": 65536}, \"EbsInfo\": "
			       "{\"EbsOptimizedSupport\": \"default\","
			       "\"EbsOptimizedInfo\": {\"BaselineBandwidthInMbps\": 2500, "
			       "\"BaselineThroughputInMBps\": 312.5,"
			       "\"BaselineIops\": 12000, \"MaximumBandwidthInMbps\": 10000, "
			       "\"MaximumThroughputInMBps\": 1250.0,"
			       "\"MaximumIops\": 40000}, \"NvmeSupport\": \"required\"}},"
			       "{\"InstanceType\": \"x9.big\", \"VCpuInfo\": {\"DefaultVCpus\": "
			       "4}, \"MemoryInfo\": {\"SizeInMiB\": 512}}]}";

static void
test_aws(void **state)
{
	(void)state;
	struct limits l = aws;
	struct machines_read r;
	struct err err = {0};
	const struct vm_limit *vm = NULL;
	if (read_text(aws_list, &l, &r, &err))
		fail_msg("%s", err.text);
	assert_int_equal(limits_vm(&l, "r6i.2xlarge", &vm, &err), 0);
	assert_close(vm->uncached_iops, 12000);
	assert_close(vm->uncached_mbps, 312.5);
	assert_close(vm->uncached_burst_iops, 40000);
	assert_close(vm->uncached_burst_mbps, 1250);
	assert_close(vm->burst_seconds, 1800);
	assert_int_equal(limits_vm(&l, "x9.big", &vm, &err), 0);
	assert_close(vm->ram_gib, 0.5);
	assert_true(isnan(vm->uncached_iops)); /* not stated: unknown, not nothing */
}

static void
test_refused(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *says;
	} cases[] = {
		{"", ERR_PARSE, "empty, a JSON document was expected"},
		{"[{\"resourceType\": \"virtualMachines\", \"name\": \"A\", \"capabilities\": [",
			ERR_PARSE, ":1:"},
		{"{}", ERR_PARSE, ":1:1: neither the list of `az vm list-skus` nor"},
		{"[]", ERR_PARSE, ":1:1: no machine size in it"},
		{"[{\"resourceType\": \"disks\", \"name\": \"P30\"}]", ERR_PARSE,
			"no machine size"},
		{"[\n{\"capabilities\": []}]", ERR_PARSE, ":2:1: a size with \"name\" expected"},
		{"[{\"name\": \"A\"}]", ERR_PARSE, ":1:2: A: a list \"capabilities\" expected"},
		{"[{\"name\": \"A\", \"capabilities\": [7]}]", ERR_PARSE,
			"a capability with \"name\" and \"value\" expected"},
		{"[{\"name\": \"A\", \"capabilities\": [\n" CAP("UncachedDiskIOPS", "lots") "]}]",
			ERR_RANGE,
			":2:39: UncachedDiskIOPS: \"lots\", accepted: a number from 0 to 1e+08"},
		{"[{\"name\": \"A\", \"capabilities\": [" CAP("UncachedDiskIOPS", "-5") "]}]",
			ERR_RANGE, "UncachedDiskIOPS: \"-5\""},
		{"[{\"name\": \"A\", \"capabilities\": [" CAP(
			 "UncachedDiskBytesPerSecond", "1e13") "]}]",
			ERR_RANGE, "accepted: a number from 0 to 1e+12"},
		{"[{\"name\": \"A\", \"capabilities\": [" CAP("UncachedDiskIOPS", "nan") "]}]",
			ERR_RANGE, "\"nan\""},
		{"[{\"name\": \"A\", \"capabilities\": [" CAP("PremiumIO", "perhaps") "]}]",
			ERR_RANGE, "PremiumIO: \"perhaps\", accepted: \"True\" or \"False\""},
		{"[{\"name\": \"A\", \"capabilities\": [" CAP(
			 "UncachedDiskIOPS", "5") "]},\n"
						  "{\"name\": \"A\", \"capabilities\": [" CAP(
							  "UncachedDiskIOPS", "6") "]}]",
			ERR_RANGE, ":2:1: A is in the file twice, with different figures"},
		{"{\"InstanceTypes\": [{\"InstanceType\": \"m\"}]}", ERR_RANGE,
			"machine sizes of aws, but the limits are of azure"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct limits l = azure;
		struct machines_read r;
		struct err err = {0};
		int rc = read_text(cases[i].text, &l, &r, &err);
		if (rc != cases[i].code || !strstr(err.text, cases[i].says))
			fail_msg("%s: %d \"%s\"", cases[i].text, rc, err.text);
		assert_ptr_equal(l.vms, azure.vms);
	}
	struct limits l = aws;
	struct machines_read r;
	struct err err = {0};
	const char bad[] =
		"{\"InstanceTypes\": [{\"InstanceType\": \"m\", \"EbsInfo\": {\"EbsOptimizedInfo\":"
		"{\"BaselineIops\": -1}}}]}";
	assert_int_equal(read_text(bad, &l, &r, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "EbsInfo.EbsOptimizedInfo.BaselineIops: -1, accepted"));
}

/* The same size listed for two regions is one size. */
static void
test_listed_by_region(void **state)
{
	(void)state;
	const char text[] = "[{\"name\": \"A\", \"locations\": [\"x\"], \"capabilities\": [" CAP(
		"UncachedDiskIOPS", "5") "]}, {\"name\": \"A\", \"locations\": [\"y\"], "
					 "\"capabilities\": [" CAP("UncachedDiskIOPS", "5") "," CAP(
						 "UltraSSDAvailable", "False") "]}]";
	struct limits l = azure;
	struct machines_read r;
	struct err err = {0};
	if (read_text(text, &l, &r, &err))
		fail_msg("%s", err.text);
	assert_int_equal(r.sizes, 1);
	assert_int_equal(r.added, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_azure),
		cmocka_unit_test(test_aws),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_listed_by_region),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
