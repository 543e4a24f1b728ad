/* Whole files: what a failed write leaves behind, limits, special files, digests. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
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

/* What is kept in a cache appears whole as well, and nothing but a file is replaced by it. */
static void
test_keep(void **state)
{
	(void)state;
	char path[128], link[128];
	struct err err = {0};
	struct buf text;
	snprintf(path, sizeof(path), "%s/page", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	buf_init(&text, 100);
	buf_put(&text, "one");
	assert_int_equal(file_keep(path, &text, &err), 0);
	expect(path, "one");
	buf_put(&text, " and two");
	assert_int_equal(file_keep(path, &text, &err), 0);
	expect(path, "one and two");
	assert_int_equal(entries(), 1);
	assert_int_equal(symlink(path, link), 0);
	buf_put(&text, " and three");
	assert_int_equal(file_keep(link, &text, &err), ERR_REFUSED);
	expect(path, "one and two");
	assert_int_equal(file_keep(folder, &text, &err), ERR_REFUSED);
	assert_int_equal(entries(), 2);
	buf_fini(&text);
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
test_mode(void **state)
{
	(void)state;
	static const mode_t masks[] = {0, 022, 077};
	char path[128];
	struct err err = {0};
	struct stat st;
	snprintf(path, sizeof(path), "%s/file", folder);
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		mode_t before = umask(masks[i]);
		assert_int_equal(put(path, "new", &err), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0666 & ~masks[i]);
		assert_int_equal(chmod(path, 0), 0);
		assert_int_equal(put(path, "newer", &err), 0); /* what is there keeps its mode */
		umask(before);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0);
		assert_int_equal(unlink(path), 0);
	}
}

static void
test_names(void **state)
{
	(void)state;
	char path[512], bytes[300];
	struct err err = {0};
	memset(bytes, 'x', sizeof(bytes));
	for (int n = 254; n <= 256; n++) { /* 255 is the longest */
		snprintf(path, sizeof(path), "%s/%.*s", folder, n, bytes);
		assert_int_equal(file_probe(path, &err), n <= 255 ? 0 : ERR_IO);
		for (int again = 0; again < 2; again++)
			assert_int_equal(put(path, "text", &err), n <= 255 ? 0 : ERR_IO);
		assert_int_equal(entries(), n <= 255);
		unlink(path);
	}
	int s = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	assert_int_equal(bind(s, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(file_probe(address.sun_path, &err), ERR_IO);
	assert_int_equal(put(address.sun_path, "text", &err), ERR_IO);
	close(s);
}

/* Killed at any moment while it writes: the whole new file, or nothing; never one beside it. */
static void
test_killed(void **state)
{
	(void)state;
	enum { TEXT = 1 << 16, KILLS = 40 };
	char path[128], *text = malloc(TEXT + 1);
	struct err err = {0};
	struct buf b;
	int whole = 0;
	assert_non_null(text);
	memset(text, 't', TEXT);
	text[TEXT] = '\0';
	snprintf(path, sizeof(path), "%s/file", folder);
	for (int i = 0; i < KILLS; i++) {
		int ready[2];
		assert_int_equal(pipe(ready), 0);
		pid_t pid = fork();
		if (pid == 0) {
			if (write(ready[1], "x", 1) == 1 && put(path, text, &err) == 0)
				pause();
			_exit(1);
		}
		char c;
		assert_int_equal(read(ready[0], &c, 1), 1);
		usleep((useconds_t)(i * i * 40)); /* 0 to 60 ms */
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		close(ready[0]);
		close(ready[1]);
		assert_int_equal(entries(), file_exists(path));
		if (!file_exists(path))
			continue;
		whole++;
		buf_init(&b, 0);
		assert_int_equal(file_read(path, &b, &err), 0);
		assert_int_equal(b.len, TEXT);
		buf_fini(&b);
		assert_int_equal(unlink(path), 0);
	}
	print_message("%d of %d were whole when they were killed\n", whole, KILLS);
	free(text);
}

/* Swaps what "out" leads to while it is being written.  Nothing outside the test's folder. */
static atomic_bool swapper_stop;

static void *
swapper(void *arg)
{
	(void)arg;
	for (int i = 0; !swapper_stop; i = (i + 1) % 3) {
		char name[16];
		snprintf(name, sizeof(name), "to-%d", i);
		renameat2(AT_FDCWD, "out", AT_FDCWD, name, RENAME_EXCHANGE);
	}
	return NULL;
}

static void
test_swapped(void **state)
{
	(void)state;
	pthread_t thread;
	struct err err = {0};
	struct stat st;
	char text[16], *here = getcwd(NULL, 0), memory[] = "/dev/shm/tw-file-XXXXXX";
	int written = 0;
	bool fast = mkdtemp(memory) != NULL; /* syncs cost nothing there: many more tries */
	assert_int_equal(chdir(fast ? memory : folder), 0);
	assert_int_equal(put("victim", "precious", &err), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	int victim = open("victim", O_RDONLY), fifo = open("fifo", O_RDWR | O_NONBLOCK);
	assert_true(victim >= 0 && fifo >= 0);
	bool has_node = mknod("node", S_IFCHR | 0600, makedev(1, 3)) == 0; /* another /dev/null */
	assert_int_equal(symlink("victim", "out"), 0);
	assert_int_equal(symlink("fifo", "to-0"), 0);
	assert_int_equal(symlink(has_node ? "node" : "fifo", "to-1"), 0);
	assert_int_equal(symlink("new", "to-2"), 0); /* to nothing, at first */
	assert_int_equal(pthread_create(&thread, NULL, swapper, NULL), 0);
	for (int i = 0; i < (fast ? 20000 : 300); i++) {
		written += put("out", "new", &err) == 0;
		while (read(fifo, text, sizeof(text)) > 0)
			;
	}
	swapper_stop = true;
	pthread_join(thread, NULL);
	assert_true(written > 0);
	/* the victim was replaced, not opened; what is no file is still there */
	assert_int_equal(pread(victim, text, sizeof(text), 0), 8);
	assert_memory_equal(text, "precious", 8);
	assert_int_equal(fstat(fifo, &st), 0);
	assert_int_equal(st.st_nlink, 1);
	assert_int_equal(lstat("fifo", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	if (has_node) {
		assert_int_equal(lstat("node", &st), 0);
		assert_true(S_ISCHR(st.st_mode));
	}
	close(victim);
	close(fifo);
	static const char *const names[] = {
		"victim", "fifo", "node", "new", "out", "to-0", "to-1", "to-2"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	assert_int_equal(chdir(here), 0);
	if (fast) /* nothing else is left */
		assert_int_equal(rmdir(memory), 0);
	free(here);
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
		CASE(test_keep),
		CASE(test_probe),
		CASE(test_failure_leaves_the_old_file),
		CASE(test_unwritable_folder),
		CASE(test_full_device),
		CASE(test_block_device_is_refused),
		CASE(test_mode),
		CASE(test_names),
		CASE(test_killed),
		CASE(test_swapped),
		CASE(test_read_limits),
		cmocka_unit_test(test_sha256),
	};
	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
