/* What the kernel says in files: diskstats, mountinfo, sysfs; texts as in their documents. */
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

#include "bench/devchain.h"
#include "bench/diskstats.h"
#include "bench/mounts.h"

/* fields: reads merged sectors ms writes merged sectors ms inflight busy weighted, discards 4,
 * flushes 2 */
static const char diskstats_text[] =
	"   7       0 loop0 1 2 3 4 5 6 7 8 9 10 11\n"
	" 254       1 vda1 999 0 999 0 999 0 999 0 0 999 0 0 0 0 0 999 0\n"
	" 254       0 vda 100 5 800 20 250 7 1600 30 0 44 50 6 0 48 1 50 9\n"
	" 259       0 nvme0n1 1 0 8 0 2 0 16 0 0 3 0 0 0 0 0\n";

static void
test_diskstats(void **state)
{
	(void)state;
	struct diskstats d;
	assert_true(diskstats_parse(diskstats_text, "vda", &d));
	assert_int_equal(d.reads, 100);
	assert_int_equal(d.writes, 200); /* 250 less 50 flushes */
	assert_int_equal(d.flushes, 50);
	assert_int_equal(d.sectors, 2400);
	assert_int_equal(d.busy_ms, 44);
	assert_true(d.has_flushes);
	assert_true(diskstats_parse(diskstats_text, "loop0", &d)); /* Linux before 4.18 */
	assert_int_equal(d.busy_ms, 10);
	assert_false(d.has_flushes);
	assert_true(diskstats_parse(diskstats_text, "nvme0n1", &d));
	assert_int_equal(d.writes, 2);
	assert_false(diskstats_parse(diskstats_text, "vd", &d));
	assert_false(diskstats_parse(diskstats_text, "sda", &d));
	assert_false(diskstats_parse("", "vda", &d));
	assert_false(diskstats_parse("254 0 vda 1 2 3\n", "vda", &d));
}

static const struct share_row {
	const char *what;
	uint64_t ios, sectors; /* the device did */
	uint64_t own_ios, own_b;
	double foreign, ratio;
} share_rows[] = {
	{"all our own", 1000, 8000, 1000, 4096000, 0, 1},
	{"split in two", 2000, 8000, 1000, 4096000, 0, 1},
	{"merged", 500, 8000, 1000, 4096000, 0, 1},
	/* 1 request + 16 units of 64 KiB over 1000 + 62.5 + 17 */
	{"one foreign MiB", 1001, 10048, 1000, 4096000, 17.0 / 1079.5, 8000.0 / 10048},
	/* a stream of 25 MiB: 25 x 17 = 425 over 1487.5 */
	{"a foreign stream", 1025, 59200, 1000, 4096000, 425.0 / 1487.5, 8000.0 / 59200},
	{"as many foreign", 2000, 16000, 1000, 4096000, 0.5, 0.5},
	{"a tenth arrives", 100, 800, 1000, 4096000, 0, 10},
	{"nothing arrives", 0, 0, 1000, 4096000, NAN, INFINITY},
	{"nothing at all", 0, 0, 0, 0, NAN, NAN},
};

static bool
same(double a, double b)
{
	return a == b || fabs(a - b) < 1e-12 || (isnan(a) && isnan(b));
}

static void
test_share(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(share_rows) / sizeof(share_rows[0]); i++) {
		const struct share_row *r = &share_rows[i];
		struct diskstats before = {.reads = 7, .writes = 11, .sectors = 13};
		struct diskstats after = {.reads = 7 + r->ios / 2,
			.writes = 11 + r->ios - r->ios / 2,
			.sectors = 13 + r->sectors};
		struct diskstats_share s = diskstats_compare(&before, &after, r->own_ios, r->own_b);
		if (!same(s.foreign_frac, r->foreign) || !same(s.device_ratio, r->ratio))
			fail_msg("%s: foreign %g, ratio %g", r->what, s.foreign_frac,
				s.device_ratio);
	}
}

static const char mountinfo_text[] =
	"27 1 254:0 / / rw,relatime - ext4 /dev/root rw,discard\n"
	"36 35 98:0 /mnt1 /mnt/a\\040b\\134 rw,noatime master:1 shared:2 - ext3 /dev/my\\040disk "
	"rw,errors=continue\n"
	"40 27 0:44 / /over rw - overlay overlay rw,lowerdir=/l1:/l2,upperdir=/up,workdir=/w\n"
	"41 27 0:45 / /short rw - tmpfs none\n"
	"42 27 0:46 / /odd ro - overlay overlay "
	"rw,lowerdir+=/l1,lowerdir+=/l2,upperdir=/a\\054b\\040c,"
	"workdir=/w,rw2\n";

/* Layers of a container fill pages; the options after them are what matters. */
static void
test_long_options(void **state)
{
	(void)state;
	static struct mount_entry m;
	char value[64], *text = malloc(20000);
	assert_non_null(text);
	size_t n = (size_t)sprintf(text, "7 1 0:9 / /m rw - overlay overlay rw,lowerdir=/l");
	while (n < 15000)
		n += (size_t)sprintf(text + n, ":/layer/%zu", n);
	n += (size_t)sprintf(text + n, ",upperdir=/up,workdir=/");
	memset(text + n, 'w', 4200); /* longer than there is room for: left out, not cut */
	strcpy(text + n + 4200, ",last\n");
	assert_true(mount_parse(text, 7, &m));
	assert_string_equal(m.options, "rw,upperdir=/up,last");
	assert_true(mount_option(m.options, "upperdir", value, sizeof(value)));
	assert_false(mount_option(m.options, "workdir", value, sizeof(value)));
	free(text);
}

static void
test_mounts(void **state)
{
	(void)state;
	static struct mount_entry m;
	char value[64];
	assert_true(mount_parse(mountinfo_text, 27, &m));
	assert_string_equal(m.fstype, "ext4");
	assert_string_equal(m.options, "rw,relatime,discard");
	assert_int_equal(m.major, 254);
	assert_true(mount_parse(mountinfo_text, 36, &m));
	assert_string_equal(m.point, "/mnt/a b\\");
	assert_string_equal(m.source, "/dev/my disk");
	assert_string_equal(m.options, "rw,noatime,errors=continue");
	assert_true(mount_parse(mountinfo_text, 40, &m));
	assert_true(mount_option(m.options, "upperdir", value, sizeof(value)));
	assert_string_equal(value, "/up");
	assert_false(mount_option(m.options, "upper", value, sizeof(value)));
	assert_false(mount_option(m.options, "upperdir", value, 3)); /* too long */
	assert_true(mount_parse(mountinfo_text, 41, &m));
	assert_string_equal(m.source, "none");
	assert_string_equal(m.options, "rw");
	assert_true(mount_parse(mountinfo_text, 42, &m));
	assert_string_equal(m.options, "ro,upperdir=/a\\054b\\040c,workdir=/w,rw2");
	assert_true(mount_option(m.options, "upperdir", value, sizeof(value)));
	assert_string_equal(value, "/a,b c");
	assert_false(mount_parse(mountinfo_text, 99, &m));
	assert_false(mount_parse("garbage\n\n - \n", 1, &m));
}

static char tree[64];

static const char *
in_tree(const char *path)
{
	static char full[256];
	snprintf(full, sizeof(full), "%s/%s", tree, path);
	return full;
}

static void
make(const char *path)
{
	char part[256];
	snprintf(part, sizeof(part), "%s", in_tree(path));
	for (char *p = part + strlen(tree) + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(part, 0700);
		*p = '/';
	}
	assert_true(mkdir(part, 0700) == 0 || access(part, F_OK) == 0);
}

static void
point(const char *path, const char *to)
{
	char target[256];
	snprintf(target, sizeof(target), "%s", in_tree(to));
	assert_int_equal(symlink(target, in_tree(path)), 0);
}

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(in_tree(path), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int
make_tree(void **state)
{
	(void)state;
	snprintf(tree, sizeof(tree), "devchain.XXXXXX");
	if (!mkdtemp(tree))
		return -1;
	char *full = realpath(tree, NULL);
	if (!full)
		return -1;
	snprintf(tree, sizeof(tree), "%s", full);
	free(full);
	static const char *const disks[] = {"sda", "sdb"};
	make("class/block");
	make("dev/block");
	for (size_t i = 0; i < 2; i++) {
		char path[64], link[96];
		snprintf(path, sizeof(path), "devices/pci/%s", disks[i]);
		make(path);
		snprintf(link, sizeof(link), "class/block/%s", disks[i]);
		point(link, path);
		snprintf(path, sizeof(path), "devices/pci/%s/%s1", disks[i], disks[i]);
		make(path);
		snprintf(link, sizeof(link), "class/block/%s1", disks[i]);
		point(link, path);
		snprintf(link, sizeof(link), "%s/partition", path);
		put(link, "1\n");
	}
	make("devices/virtual/dm-0/slaves/sda1");
	point("class/block/dm-0", "devices/virtual/dm-0");
	make("devices/virtual/md0/slaves/sda1");
	make("devices/virtual/md0/slaves/sdb1");
	point("class/block/md0", "devices/virtual/md0");
	make("devices/virtual/dm-1/slaves/md0");
	point("class/block/dm-1", "devices/virtual/dm-1");
	point("dev/block/8:1", "devices/pci/sda/sda1");
	point("dev/block/8:0", "devices/pci/sda");
	point("dev/block/253:0", "devices/virtual/dm-0");
	point("dev/block/253:1", "devices/virtual/dm-1");
	put("devices/pci/sda/size", "2048 \n");
	return 0;
}

static int
remove_tree(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", tree);
	return system(command);
}

static const struct chain_row {
	unsigned major, minor;
	const char *text, *top, *disk;
	bool forked;
} chain_rows[] = {
	{8, 0, "sda", "sda", "sda", false},
	{8, 1, "sda1 < sda", "sda1", "sda", false},
	{253, 0, "dm-0 < sda1 < sda", "dm-0", "sda", false},
	{253, 1, "dm-1 < md0 < (sda1, sdb1)", "dm-1", "md0", true},
};

static void
test_devchain(void **state)
{
	(void)state;
	struct devchain c;
	char text[16];
	for (size_t i = 0; i < sizeof(chain_rows) / sizeof(chain_rows[0]); i++) {
		const struct chain_row *r = &chain_rows[i];
		assert_true(devchain_read(tree, r->major, r->minor, &c));
		assert_string_equal(c.text, r->text);
		assert_string_equal(c.top, r->top);
		assert_string_equal(c.disk, r->disk);
		assert_int_equal(c.forked, r->forked);
	}
	assert_false(devchain_read(tree, 0, 55, &c));
	assert_true(devchain_attribute(tree, "sda", "size", text, sizeof(text)));
	assert_string_equal(text, "2048");
	assert_false(devchain_attribute(tree, "sda", "none", text, sizeof(text)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diskstats),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_mounts),
		cmocka_unit_test(test_long_options),
		cmocka_unit_test_setup_teardown(test_devchain, make_tree, remove_tree),
	};
	return cmocka_run_group_tests_name("kernel files", tests, NULL, NULL);
}
