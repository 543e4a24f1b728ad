/* What may not be measured: paths, filesystems, devices, space; and the file that leaves nothing. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/safety.h"
#include "bench/target.h"

static void
test_paths(void **state)
{
	(void)state;
	static const char *const never[] = {"/dev", "/dev/shm", "/proc", "/proc/1", "/sys/block"};
	static const char *const fine[] = {"/", "/devel", "/data/dev", "/srv", "/procession/x"};
	struct err err;
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		assert_int_equal(safety_check_path(never[i], &err), ERR_REFUSED);
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		assert_int_equal(safety_check_path(fine[i], &err), 0);
}

static const struct fs_row {
	uint64_t magic;
	bool has_device;
	int plain, with_ram, with_network; /* expected codes */
} fs_rows[] = {
	{EXT4_SUPER_MAGIC, true, 0, 0, 0},
	{XFS_SUPER_MAGIC, true, 0, 0, 0},
	{BTRFS_SUPER_MAGIC, false, 0, 0, 0},
	{TMPFS_MAGIC, false, ERR_REFUSED, 0, ERR_REFUSED},
	{RAMFS_MAGIC, false, ERR_REFUSED, 0, ERR_REFUSED},
	{NFS_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{CIFS_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{SMB2_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{CEPH_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{V9FS_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{FUSE_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, 0},
	{PROC_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, ERR_REFUSED},
	{SYSFS_MAGIC, false, ERR_REFUSED, ERR_REFUSED, ERR_REFUSED},
	{DEVPTS_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, ERR_REFUSED},
	{CGROUP2_SUPER_MAGIC, false, ERR_REFUSED, ERR_REFUSED, ERR_REFUSED},
	{0x12345678, true, 0, 0, 0},
	{0x12345678, false, ERR_REFUSED, ERR_REFUSED, 0},
};

static void
test_filesystems(void **state)
{
	(void)state;
	const struct safety_allow plain = {false, false}, ram = {true, false}, net = {false, true};
	for (size_t i = 0; i < sizeof(fs_rows) / sizeof(fs_rows[0]); i++) {
		const struct fs_row *r = &fs_rows[i];
		const char *name;
		enum safety_fs fs = safety_fs_of(r->magic, &name);
		int a = safety_check_fs(fs, name, r->has_device, &plain, NULL);
		int b = safety_check_fs(fs, name, r->has_device, &ram, NULL);
		int c = safety_check_fs(fs, name, r->has_device, &net, NULL);
		if (a != r->plain || b != r->with_ram || c != r->with_network)
			fail_msg("magic %#llx: %d %d %d", (unsigned long long)r->magic, a, b, c);
	}
}

static void
test_devices(void **state)
{
	(void)state;
	const struct safety_allow plain = {false, false}, ram = {true, false};
	assert_int_equal(safety_check_device("zram0", &plain, NULL), ERR_REFUSED);
	assert_int_equal(safety_check_device("ram3", &plain, NULL), ERR_REFUSED);
	assert_int_equal(safety_check_device("zram0", &ram, NULL), 0);
	assert_int_equal(safety_check_device("vda", &plain, NULL), 0);
	assert_int_equal(safety_check_device("rambo", &plain, NULL), 0);
}

static void
test_space(void **state)
{
	(void)state;
	const uint64_t gib = (uint64_t)1 << 30;
	assert_int_equal(safety_spare_b(10 * gib, 5 * gib), 3 * gib); /* 2 GiB stay */
	assert_int_equal(safety_spare_b(100 * gib, 30 * gib), 20 * gib); /* 10 % stay */
	assert_int_equal(safety_spare_b(100 * gib, 10 * gib), 0);
	assert_int_equal(safety_spare_b(100 * gib, 0), 0);
	assert_int_equal(safety_spare_b(gib, gib), 0);
	/* in the middle of a run: others may take half of what stays, not more */
	assert_false(safety_filling(10 * gib, gib));
	assert_true(safety_filling(10 * gib, gib - 1));
	assert_false(safety_filling(100 * gib, 5 * gib));
	assert_true(safety_filling(100 * gib, 5 * gib - 1));
}

static char dir[64];

static int
make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "safety.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

static void
test_refusals(void **state)
{
	(void)state;
	char file[96], fifo[96], link[96], node[96];
	snprintf(file, sizeof(file), "%s/file", dir);
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(node, sizeof(node), "%s/node", dir);
	int fd = open(file, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("/dev", link), 0);
	bool has_node = mknod(node, S_IFBLK | 0600, makedev(7, 0)) == 0; /* root only */
	const struct {
		const char *path;
		int code;
		const char *says;
	} rows[] = {
		{"/dev", ERR_REFUSED, "nothing under /dev"},
		{link, ERR_REFUSED, "nothing under /dev"}, /* by what it is, not by its name */
		{"/proc", ERR_REFUSED, "nothing under /proc"},
		{"/proc/self/fd", ERR_REFUSED, "nothing under /proc"},
		{"/sys", ERR_REFUSED, "nothing under /sys"},
		{"/dev/null", ERR_REFUSED, "a character device"},
		{file, ERR_REFUSED, "is a file"},
		{fifo, ERR_REFUSED, "not a folder"},
		{"/no/such/folder", ERR_NOT_FOUND, "no such folder"},
		{has_node ? node : file, ERR_REFUSED, has_node ? "a block device" : "is a file"},
	};
	const struct safety_allow all = {true, true}; /* even with everything allowed */
	static struct target t;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = {0};
		int rc = target_open(rows[i].path, &all, &t, &err);
		if (rc != rows[i].code || !strstr(err.text, rows[i].says))
			fail_msg("%s: code %d, \"%s\"", rows[i].path, rc, err.text);
		assert_int_equal(t.dir_fd, -1);
	}
	unlink(node);
	unlink(link);
	unlink(fifo);
	unlink(file);
}

static int
entries(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n - 2;
}

/* Both ways of creating: direct I/O, no name, owner only, nothing to see while it is open. */
static void
test_file(void **state)
{
	(void)state;
	static struct target t;
	const struct safety_allow none = {false, false};
	struct err err = {0};
	for (int named = 0; named < 2; named++) {
		int rc = target_open(dir, &none, &t, &err);
		if (rc == ERR_REFUSED) {
			print_message("skipped: %s\n", err.text);
			skip();
		}
		assert_int_equal(rc, 0);
		assert_int_equal(target_create(&t, named, &err), 0);
		struct stat st;
		assert_int_equal(fstat(t.fd, &st), 0);
		assert_int_equal(st.st_nlink, 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		assert_true(fcntl(t.fd, F_GETFL) & O_DIRECT);
		assert_true(fcntl(t.fd, F_GETFD) & FD_CLOEXEC);
		assert_int_equal(entries(dir), 0);
		target_close(&t);
		assert_int_equal(t.fd, -1);
		assert_int_equal(entries(dir), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_filesystems),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_space),
		cmocka_unit_test_setup_teardown(test_refusals, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_file, make_dir, remove_dir),
	};
	return cmocka_run_group_tests_name("safety", tests, NULL, NULL);
}
