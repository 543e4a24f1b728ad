/* Control groups and firmware texts, from trees made here in the form of the kernel's documents
 * (cgroup-v2.rst, cgroup-v1/blkio-controller.rst, scheduler/sched-bwc.rst). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "bench/environment.h"
#include "bench/limits.h"

/* Layout of cgroups(7): hierarchy:controllers:path. */
static void
test_cgroup_path(void **state)
{
	(void)state;
	static const char mixed[] = "9:name=systemd:/init\n7:blkio:/box/a:b\n2:cpu,cpuacct:/\n"
				    "0::/user.slice\n";
	char path[32];
	assert_true(limits_cgroup_path(mixed, "blkio", path, sizeof(path)));
	assert_string_equal(path, "/box/a:b");
	assert_true(limits_cgroup_path(mixed, "cpuacct", path, sizeof(path)));
	assert_string_equal(path, "/");
	assert_true(limits_cgroup_path(mixed, "", path, sizeof(path)));
	assert_string_equal(path, "/user.slice");
	assert_false(limits_cgroup_path(mixed, "blk", path, sizeof(path)));
	assert_false(limits_cgroup_path(mixed, "io", path, sizeof(path)));
	assert_false(limits_cgroup_path(mixed, "", path, 5));
	assert_false(limits_cgroup_path("7:blkio:/x\n", "", path, sizeof(path)));
	assert_false(limits_cgroup_path("garbage\n7:blkio\n:", "blkio", path, sizeof(path)));
}

static char tree[64];

/* Write a file of the tree with the folders above it. */
static void
put(const char *path, const char *text)
{
	char full[512];
	snprintf(full, sizeof(full), "%s/%s", tree, path);
	for (char *p = full + strlen(tree) + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int
make_tree(void **state)
{
	(void)state;
	snprintf(tree, sizeof(tree), "limits.XXXXXX");
	return mkdtemp(tree) ? 0 : -1;
}

static int
remove_tree(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", tree);
	return system(command);
}

static const struct devchain chain = {.top = "dm-0", .disk = "vda"};

static void
put_devices(void)
{
	put("sys/class/block/vda/dev", "254:0\n");
	put("sys/class/block/dm-0/dev", "253:0\n");
}

static bool
same(double a, double b)
{
	return fabs(a - b) < 1e-9 || (isnan(a) && isnan(b));
}

static void
expect_limits(const struct limits *l, const struct limits *want)
{
	if (!same(l->processors, want->processors) || !same(l->riops, want->riops) ||
		!same(l->wiops, want->wiops) || !same(l->rbps, want->rbps) ||
		!same(l->wbps, want->wbps))
		fail_msg("processors %g riops %g wiops %g rbps %g wbps %g", l->processors, l->riops,
			l->wiops, l->rbps, l->wbps);
}

/* Version 2: every group above binds too, the tightest counts; on the disk and the mapped device. */
static void
test_v2(void **state)
{
	(void)state;
	struct limits l;
	put_devices();
	put("proc/self/cgroup", "0::/db.slice/pg.service\n");
	put("sys/fs/cgroup/cgroup.controllers", "cpu io memory\n");
	put("sys/fs/cgroup/db.slice/cpu.max", "150000 100000\n");
	put("sys/fs/cgroup/db.slice/io.max", "8:0 rbps=1 wbps=1 riops=1 wiops=1\n"
					     "254:0 rbps=max wbps=1048576 riops=700 wiops=max\n");
	put("sys/fs/cgroup/db.slice/pg.service/cpu.max", "max 100000\n");
	put("sys/fs/cgroup/db.slice/pg.service/io.max",
		"253:0 rbps=max wbps=4194304 riops=500 wiops=max\n");
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){1.5, 500, NAN, NAN, 1048576});
	/* no device known */
	limits_read(tree, NULL, &l);
	expect_limits(&l, &(struct limits){1.5, NAN, NAN, NAN, NAN});
	/* 25:0 and 254:01 are other devices */
	put("sys/fs/cgroup/db.slice/io.max", "25:0 riops=1\n254:01 riops=1\n1254:0 riops=1\n");
	put("sys/fs/cgroup/db.slice/pg.service/io.max", "");
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){1.5, NAN, NAN, NAN, NAN});
}

/* Version 1: I/O limits bind the group alone, processor quotas also those below. */
static void
test_v1(void **state)
{
	(void)state;
	struct limits l;
	put_devices();
	put("proc/self/cgroup", "4:blkio:/a/b\n3:cpu,cpuacct:/a/b\n0::/\n");
	put("sys/fs/cgroup/blkio/cgroup.procs", "");
	put("sys/fs/cgroup/blkio/a/blkio.throttle.read_iops_device", "254:0 100\n");
	put("sys/fs/cgroup/blkio/a/b/blkio.throttle.read_iops_device", "8:0 3\n254:0 800\n");
	put("sys/fs/cgroup/blkio/a/b/blkio.throttle.write_bps_device", "254:0 2097152\n");
	put("sys/fs/cgroup/blkio/a/b/blkio.throttle.write_iops_device", "");
	put("sys/fs/cgroup/cpu,cpuacct/cgroup.procs", "");
	put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n");
	put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	put("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
	put("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){0.5, 800, NAN, NAN, 2097152});
}

/*
 * A container without a namespace for groups: the path is the host's, what is mounted is only the
 * container's part of it.
 */
static void
test_container(void **state)
{
	(void)state;
	struct limits l;
	put_devices();
	put("proc/self/cgroup", "4:blkio:/docker/c1\n3:cpu:/docker/c1/inner\n");
	put("sys/fs/cgroup/blkio/cgroup.procs", "");
	put("sys/fs/cgroup/blkio/blkio.throttle.write_iops_device", "254:0 90\n");
	put("sys/fs/cgroup/cpu/cgroup.procs", "");
	put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
	put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	put("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "20000\n");
	put("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){0.2, NAN, 90, NAN, NAN});
}

static void
test_nothing(void **state)
{
	(void)state;
	struct limits l;
	struct limits_held h;
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){NAN, NAN, NAN, NAN, NAN});
	limits_held_read(tree, &h);
	assert_true(
		isnan(h.periods) && isnan(h.held_periods) && isnan(h.held_s) && isnan(h.io_wait_s));
	/* malformed: no limit, no crash */
	put_devices();
	put("proc/self/cgroup", "0::/x\n3:cpu:/x\n4:blkio:/x\n:\n0\n");
	put("sys/fs/cgroup/cgroup.controllers", "");
	put("sys/fs/cgroup/x/cpu.max", "max\n");
	put("sys/fs/cgroup/x/io.max", "254:0\n254:0 riops= wiops=x rbps=-4\n");
	put("sys/fs/cgroup/cpu/cgroup.procs", "");
	put("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "50000\n"); /* no period */
	limits_read(tree, &chain, &l);
	expect_limits(&l, &(struct limits){NAN, NAN, NAN, NAN, NAN});
}

static void
test_held_v2(void **state)
{
	(void)state;
	struct limits_held h;
	put("proc/self/cgroup", "0::/a/b\n");
	put("sys/fs/cgroup/cgroup.controllers", "cpu io\n");
	put("sys/fs/cgroup/cpu.stat", "usage_usec 9\nuser_usec 5\nsystem_usec 4\n"); /* the top */
	put("sys/fs/cgroup/a/cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 40\n"
					"throttled_usec 2500000\nnr_bursts 3\nburst_usec 7\n");
	put("sys/fs/cgroup/a/b/cpu.stat",
		"usage_usec 9\nnr_periods 20\nnr_throttled 2\nthrottled_usec 500000\n");
	put("sys/fs/cgroup/a/b/io.stat",
		"8:0 rbytes=1 wbytes=2 cost.vrate=100.00 cost.usage=5 cost.wait=1500000\n"
		"254:0 rbytes=1 cost.wait=250000 cost.indelay=250000\n");
	limits_held_read(tree, &h);
	assert_true(same(h.periods, 120) && same(h.held_periods, 42) && same(h.held_s, 3));
	assert_true(same(h.io_wait_s, 2));
}

static void
test_held_v1(void **state)
{
	(void)state;
	struct limits_held h;
	put("proc/self/cgroup", "3:cpu:/a\n0::/\n");
	put("sys/fs/cgroup/cpu/cgroup.procs", "");
	put("sys/fs/cgroup/cpu/a/cpu.stat",
		"nr_periods 10\nnr_throttled 5\nthrottled_time 750000000\n");
	limits_held_read(tree, &h);
	assert_true(same(h.periods, 10) && same(h.held_periods, 5) && same(h.held_s, 0.75));
	assert_true(isnan(h.io_wait_s));
}

static void
test_text(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	const struct limits l = {2, 500, NAN, NAN, 1048576}, none = {2, NAN, NAN, NAN, NAN};
	assert_string_equal(limits_io_text(&l, &a), "riops=500 wbps=1048576");
	assert_null(limits_io_text(&none, &a));
	arena_fini(&a);
	/* never more than there are */
	assert_true(limits_processors(&none) >= 1 && limits_processors(&none) <= 2);
	assert_true(limits_processors(&(struct limits){.processors = 0.25}) == 0.25);
	assert_true(limits_processors(&(struct limits){.processors = NAN}) >= 1);
}

static const struct cloud_row {
	const char *file, *text;
	const char *cloud; /* NULL: none */
} cloud_rows[] = {
	{"chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n", "azure"},
	{"chassis_asset_tag", "7783-7084\n", NULL},
	{"sys_vendor", "Microsoft Corporation\n", NULL}, /* Hyper-V anywhere */
	{"sys_vendor", "Amazon EC2\n", "aws"},
	{"bios_version", "4.2.amazon\n", "aws"},
	{"product_name", "Google Compute Engine\n", "gcp"},
	{"sys_vendor", "QEMU\n", NULL},
	{"product_name", "Alibaba Cloud ECS\n", "alibaba"},
};

static void
test_cloud(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cloud_rows) / sizeof(cloud_rows[0]); i++) {
		const struct cloud_row *r = &cloud_rows[i];
		char name[64], folder[128];
		snprintf(name, sizeof(name), "dmi%zu/%s", i, r->file);
		put(name, r->text);
		snprintf(folder, sizeof(folder), "%s/dmi%zu", tree, i);
		const char *cloud = environment_cloud(folder);
		if (cloud != r->cloud && (!cloud || !r->cloud || strcmp(cloud, r->cloud) != 0))
			fail_msg("%s: %s", r->text, cloud ? cloud : "none");
	}
	assert_null(environment_cloud("nowhere"));
	assert_true(environment_clock_ns() > 0);
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cgroup_path),
		WITH_TREE(test_v2),
		WITH_TREE(test_v1),
		WITH_TREE(test_container),
		WITH_TREE(test_nothing),
		WITH_TREE(test_held_v2),
		WITH_TREE(test_held_v1),
		cmocka_unit_test(test_text),
		WITH_TREE(test_cloud),
	};
	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
