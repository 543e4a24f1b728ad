/* Whole files: what a failed write leaves behind, limits, special files, digests. */
#include <dirent.h>
#include <fcntl.h>
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

#include "base/file.h"

static char folder[64];

static int
make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/tw-file-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	char command[256];
	snprintf(command, sizeof(command), "chmod 700 %s; rm -rf %s", folder, folder);
	return system(command);
}

static size_t
entries(void)
{
	size_t n = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static int
put(const char *path, const char *text, struct err *err)
{
	struct buf b;
	buf_init(&b, 0);
	buf_put(&b, text);
	int rc = file_write(path, &b, err);
	buf_fini(&b);
	return rc;
}

static void
expect(const char *path, const char *text)
{
	struct buf b;
	struct err err = {0};
	buf_init(&b, 0);
	assert_int_equal(file_read(path, &b, &err), 0);
	assert_string_equal(buf_text(&b), text);
	buf_fini(&b);
}

/* /dev/stdout is a link as well: replacing it would break the machine for everybody. */
static void
test_link_stays(void **state)
{
	(void)state;
	char target[128], link[128];
	struct err err = {0};
	struct stat st;
	snprintf(target, sizeof(target), "%s/target", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(put(target, "one", &err), 0);
	assert_int_equal(symlink("target", link), 0);
	assert_int_equal(put(link, "two", &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect(target, "two");
	assert_int_equal(entries(), 2);
	unlink(link);
	unlink(target);
}

static void
test_write_and_replace(void **state)
{
	(void)state;
	char path[128];
	struct err err = {0};
	struct stat st;
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(put(path, "one", &err), 0);
	expect(path, "one");
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(put(path, "two", &err), 0);
	expect(path, "two");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600); /* a private file stays private */
	assert_int_equal(put(path, "", &err), 0);
	expect(path, "");
	assert_int_equal(entries(), 1);
}

/* The answer beforehand is the answer file_write() gives, and asking leaves no trace. */
static void
test_probe(void **state)
{
	(void)state;
	char path[512], fifo[128];
	struct err err = {0};
	struct stat before, after;
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(file_probe(path, &err), 0);
	assert_int_equal(entries(), 0);
	assert_int_equal(put(path, "old", &err), 0);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(file_probe(path, &err), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
	expect(path, "old");
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_probe(fifo, &err), 0); /* nobody reads it: opening would wait */
	assert_int_equal(file_probe("-", &err), 0);
	assert_int_equal(entries(), 2);
	static const char *const bad[] = {
		"", "/", "/none/", "/none/file", "/file/below", "/file/", "/new/"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", *bad[i] ? folder : "", bad[i]);
		if (file_probe(path, &err) != ERR_IO || put(path, "x", &err) != ERR_IO)
			fail_msg("\"%s\": %s", path, err.text);
	}
	/* a name that fits, but not the temporary one beside it */
	int n = snprintf(path, sizeof(path), "%s/", folder);
	memset(path + n, 'x', 252);
	path[n + 252] = '\0';
	assert_int_equal(file_probe(path, &err), ERR_IO);
	assert_int_equal(put(path, "x", &err), ERR_IO);
	assert_int_equal(entries(), 2);
	unlink(fifo);
}

static void
test_failure_leaves_the_old_file(void **state)
{
	(void)state;
	char path[128], longer[512];
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(put(path, "old", &err), 0);
	/* text that did not fit its buffer is never written */
	struct buf b;
	buf_init(&b, 4);
	buf_put(&b, "12345");
	assert_int_equal(file_write(path, &b, &err), ERR_NOMEM);
	assert_non_null(strstr(err.text, path));
	buf_fini(&b);
	expect(path, "old");
	/* a name that is too long */
	int n = snprintf(longer, sizeof(longer), "%s/", folder);
	memset(longer + n, 'x', 300);
	longer[n + 300] = '\0';
	assert_int_equal(put(longer, "new", &err), ERR_IO);
	assert_non_null(strstr(err.text, "File name too long"));
	/* a folder that is not there, a file where a folder should be, a folder itself */
	snprintf(longer, sizeof(longer), "%s/none/file", folder);
	assert_int_equal(put(longer, "new", &err), ERR_IO);
	snprintf(longer, sizeof(longer), "%s/file/below", folder);
	assert_int_equal(put(longer, "new", &err), ERR_IO);
	assert_int_equal(put(folder, "new", &err), ERR_IO);
	assert_int_equal(entries(), 1);
	expect(path, "old");
}

/* The administrator may write anywhere, so the check is for others. */
static void
test_unwritable_folder(void **state)
{
	(void)state;
	char path[128];
	struct err err = {0};
	if (geteuid() == 0) {
		printf("skipped: permissions do not bind the administrator\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(put(path, "old", &err), 0);
	assert_int_equal(chmod(folder, 0500), 0);
	assert_int_equal(put(path, "new", &err), ERR_IO);
	assert_non_null(strstr(err.text, "Permission denied"));
	assert_int_equal(entries(), 1);
	expect(path, "old");
}

static void
test_full_device(void **state)
{
	(void)state;
	struct err err = {0};
	assert_int_equal(put("/dev/full", "text", &err), ERR_IO);
	assert_non_null(strstr(err.text, "No space left on device"));
	assert_int_equal(put("/dev/null", "text", &err), 0);
}

static void
test_block_device_is_refused(void **state)
{
	(void)state;
	char path[128];
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/block", folder);
	/* a node without a driver: nothing could be harmed if this test found a bug */
	if (mknod(path, S_IFBLK | 0600, makedev(240, 0)) != 0) {
		printf("skipped: no right to make a device node\n");
		skip();
	}
	assert_int_equal(put(path, "text", &err), ERR_REFUSED);
	assert_non_null(strstr(err.text, "block device"));
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISBLK(st.st_mode));
	assert_int_equal(entries(), 1);
}

static void
test_read_limits(void **state)
{
	(void)state;
	char path[128];
	struct err err = {0};
	struct buf b;
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(put(path, "12345678", &err), 0);
	buf_init(&b, 8);
	assert_int_equal(file_read(path, &b, &err), 0);
	buf_fini(&b);
	buf_init(&b, 7);
	assert_int_equal(file_read(path, &b, &err), ERR_RANGE);
	assert_non_null(strstr(err.text, "larger than 7 bytes"));
	buf_fini(&b);
	buf_init(&b, 0);
	assert_int_equal(file_read(folder, &b, &err), ERR_IO);
	assert_int_equal(file_read("/nonexistent/file", &b, &err), ERR_IO);
	assert_non_null(strstr(err.text, "/nonexistent/file: No such file"));
	buf_fini(&b);
	assert_true(file_exists(path));
	assert_false(file_exists("/nonexistent/file"));
}

/* Vectors of FIPS 180-2, and the empty text. */
static void
test_sha256(void **state)
{
	(void)state;
	char hex[FILE_SHA256_TEXT];
	file_sha256("", 0, hex);
	assert_string_equal(
		hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	file_sha256("abc", 3, hex);
	assert_string_equal(
		hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	file_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
	assert_string_equal(
		hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_write_and_replace),
		CASE(test_link_stays),
		CASE(test_probe),
		CASE(test_failure_leaves_the_old_file),
		CASE(test_unwritable_folder),
		CASE(test_full_device),
		CASE(test_block_device_is_refused),
		CASE(test_read_limits),
		cmocka_unit_test(test_sha256),
	};
	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
