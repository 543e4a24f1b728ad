/* The folder and its file when the tree around them is strange or changes meanwhile. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/json.h"
#include "bench/target.h"
#include "unit/bench/scratch.h"

static char root[4096];
static bool can_mount, measurable;
static struct target t;
static const struct safety_allow none = {false, false}, all = {true, true};

static int
begin(void **state)
{
	(void)state;
	static char name[] = "target.XXXXXX";
	struct err err;
	if (!mkdtemp(name) || !realpath(name, root) || chdir(root) != 0)
		return -1;
	can_mount = scratch_own_mounts();
	measurable = target_open(root, &none, &t, &err) == 0;
	if (measurable)
		target_close(&t);
	else
		print_message("%s\n", err.text);
	return 0;
}

static int
finish(void **state)
{
	(void)state;
	if (chdir(root) != 0)
		return -1;
	scratch_remove(root);
	return access(root, F_OK) == 0 ? -1 : 0;
}

#define NEED(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			print_message("skipped: no " #condition "\n");                             \
			skip();                                                                    \
		}                                                                                  \
	} while (0)

static int
open_code(const char *path, const struct safety_allow *allow, struct err *err)
{
	*err = (struct err){0};
	int rc = target_open(path, allow, &t, err);
	if (rc)
		assert_int_equal(t.dir_fd, -1);
	return rc;
}

static void
expect(const char *path, const struct safety_allow *allow, int code, const char *says)
{
	struct err err;
	int rc = open_code(path, allow, &err);
	if (rc != code || (says && !strstr(err.text, says)))
		fail_msg("%s: code %d, expected %d: \"%s\"", path, rc, code, err.text);
	if (rc == 0)
		target_close(&t);
}

/* One line that a terminal shows as it is. */
static void
assert_line(const char *text)
{
	size_t left = strlen(text);
	assert_true(left > 0);
	while (left > 0) {
		size_t n = json_utf8_length(text, left);
		if (n == 0 || (unsigned char)*text < ' ' || *text == 0x7F ||
			(n == 2 && memcmp(text, "\xC2\xA0", 2) < 0) ||
			(n == 3 && memcmp(text, "\xE2\x80\xAE", 3) == 0))
			fail_msg("byte 0x%02x", (unsigned char)*text);
		text += n;
		left -= n;
	}
}

/* line feed, tab, escape sequence, DEL, a C1 control, not UTF-8, right-to-left override */
static const char *const nasty[] = {"a\nrm -rf", "t\tab", "e\033]0;x\a\033[2J", "d\x7F",
	"c\302\2332J", "u\xFF\xC3", "r\xE2\x80\xAEtxt", "\xE2\x80"};

static void
test_names(void **state)
{
	(void)state;
	struct err err;
	for (size_t i = 0; i < sizeof(nasty) / sizeof(nasty[0]); i++) {
		assert_int_equal(open_code(nasty[i], &none, &err), ERR_NOT_FOUND);
		assert_line(err.text);
		int fd = open(nasty[i], O_CREAT | O_WRONLY, 0600);
		assert_true(fd >= 0);
		close(fd);
		assert_int_equal(open_code(nasty[i], &none, &err), ERR_REFUSED);
		assert_line(err.text);
		assert_int_equal(unlink(nasty[i]), 0);
		assert_int_equal(mkdir(nasty[i], 0700), 0);
		int rc = open_code(nasty[i], &none, &err);
		if (measurable)
			assert_int_equal(rc, 0);
		if (rc == 0) {
			assert_line(t.path);
			target_close(&t);
		}
		assert_int_equal(rmdir(nasty[i]), 0);
	}
	/* a good name stays as it is */
	assert_int_equal(mkdir("na\xC3\xAFve (deleted)", 0700), 0);
	if (measurable) {
		assert_int_equal(open_code("na\xC3\xAFve (deleted)", &none, &err), 0);
		assert_non_null(strstr(t.path, "/na\xC3\xAFve (deleted)"));
		target_close(&t);
	}
}

static void
test_long_paths(void **state)
{
	(void)state;
	enum { LEVELS = 20 };
	char name[256], text[8192];
	memset(name, 'x', 255);
	name[255] = '\0';
	assert_int_equal(mkdir("long", 0700), 0);
	assert_int_equal(chdir("long"), 0);
	for (int i = 0; i < LEVELS; i++) {
		assert_int_equal(mkdir(name, 0700), 0);
		assert_int_equal(chdir(name), 0);
	}
	/* what cannot be named cannot be judged by where it lies */
	expect(".", &all, ERR_REFUSED, "real path cannot be told");
	for (int i = 0; i < LEVELS; i++) {
		assert_int_equal(chdir(".."), 0);
		assert_int_equal(rmdir(name), 0);
	}
	assert_int_equal(chdir(root), 0);
	memset(text, '/', sizeof(text));
	text[0] = '.';
	text[sizeof(text) - 1] = '\0';
	expect(text, &none, ERR_NOT_FOUND, "leads to no folder");
	memset(text, 'x', sizeof(text) - 1);
	expect(text, &none, ERR_NOT_FOUND, "leads to no folder");
	assert_int_equal(symlink("b", "a"), 0);
	assert_int_equal(symlink("a", "b"), 0);
	expect("a", &none, ERR_NOT_FOUND, "leads to no folder");
	expect("", &none, ERR_NOT_FOUND, "no such folder");
}

static void
test_removed(void **state)
{
	(void)state;
	char path[4200];
	assert_int_equal(mkdir("gone", 0700), 0);
	assert_int_equal(chdir("gone"), 0);
	snprintf(path, sizeof(path), "%s/gone", root);
	assert_int_equal(rmdir(path), 0);
	expect(".", &none, ERR_NOT_FOUND, "was removed");
	assert_int_equal(chdir(root), 0);
}

/* The file is the owner's and usable whatever the mask is. */
static void
test_umask(void **state)
{
	(void)state;
	NEED(measurable);
	static const mode_t masks[] = {0, 022, 0777};
	char *block = aligned_alloc(4096, 4096);
	assert_non_null(block);
	memset(block, 7, 4096);
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		for (int named = 0; named < 2; named++) {
			struct err err;
			struct stat st;
			mode_t before = umask(masks[i]);
			assert_int_equal(open_code(".", &none, &err), 0);
			assert_int_equal(target_create(&t, named, &err), 0);
			umask(before);
			assert_int_equal(fstat(t.fd, &st), 0);
			assert_int_equal(st.st_mode & 0777, 0600 & ~masks[i]);
			assert_int_equal(pwrite(t.fd, block, 4096, 0), 4096);
			assert_int_equal(pread(t.fd, block, 4096, 0), 4096);
			target_close(&t);
		}
	}
	free(block);
}

/* What happens to the path after the folder was opened changes nothing. */
static void
test_path_changes(void **state)
{
	(void)state;
	NEED(measurable);
	struct err err;
	struct stat folder, file, victim, later;
	for (int named = 0; named < 2; named++) {
		assert_int_equal(mkdir("given", 0700), 0);
		assert_int_equal(mkdir("victim", 0700), 0);
		assert_int_equal(stat("victim", &victim), 0);
		assert_int_equal(open_code("given", &none, &err), 0);
		assert_int_equal(rename("given", "moved"), 0);
		assert_int_equal(symlink("victim", "given"), 0);
		assert_int_equal(target_create(&t, named, &err), 0);
		assert_int_equal(stat("victim", &later), 0);
		assert_memory_equal(&victim.st_mtim, &later.st_mtim, sizeof(victim.st_mtim));
		assert_int_equal(scratch_entries("moved"), 0);
		target_close(&t);
		assert_int_equal(unlink("given"), 0);
		assert_int_equal(rmdir("moved"), 0);
		assert_int_equal(rmdir("victim"), 0);
	}
	NEED(can_mount);
	for (int named = 0; named < 2; named++) {
		assert_int_equal(mkdir("given", 0700), 0);
		assert_int_equal(stat("given", &folder), 0);
		assert_int_equal(open_code("given", &none, &err), 0);
		assert_int_equal(mount("none", "given", "tmpfs", 0, "size=64k"), 0);
		assert_int_equal(target_create(&t, named, &err), 0);
		assert_int_equal(fstat(t.fd, &file), 0);
		assert_int_equal(file.st_dev, folder.st_dev);
		assert_int_equal(scratch_entries("given"), 0);
		target_close(&t);
		assert_int_equal(umount("given"), 0);
		assert_int_equal(rmdir("given"), 0);
	}
	/* the mount goes away or becomes read-only under the open folder */
	for (int named = 0; named < 2; named++) {
		assert_int_equal(mkdir("given", 0700), 0);
		assert_int_equal(mount(".", "given", NULL, MS_BIND, NULL), 0);
		assert_int_equal(open_code("given", &none, &err), 0);
		assert_int_equal(
			mount("none", "given", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), 0);
		assert_int_equal(target_create(&t, named, &err), ERR_IO);
		assert_non_null(strstr(err.text, "Read-only"));
		target_close(&t);
		expect("given", &all, ERR_REFUSED, "read-only");
		assert_int_equal(mount("none", "given", NULL, MS_REMOUNT | MS_BIND, NULL), 0);
		assert_int_equal(open_code("given", &none, &err), 0);
		assert_int_equal(umount2("given", MNT_DETACH), 0);
		assert_int_equal(target_create(&t, named, &err), 0);
		target_close(&t);
		assert_int_equal(rmdir("given"), 0);
	}
}

static void
test_system_mounts(void **state)
{
	(void)state;
	NEED(can_mount);
	static const char *const from[] = {"/dev", "/proc", "/sys", "/dev/pts"};
	assert_int_equal(mkdir("here", 0700), 0);
	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
		if (mount(from[i], "here", NULL, MS_BIND, NULL) != 0)
			continue;
		expect("here", &all, ERR_REFUSED, NULL);
		assert_int_equal(umount("here"), 0);
	}
	/* a /dev that is a plain tmpfs, as in containers, and lies elsewhere, too */
	assert_int_equal(mount("none", "here", "tmpfs", 0, "size=64k"), 0);
	expect("here", &none, ERR_REFUSED, "memory, not a disk");
	expect("here", &all, 0, NULL);
	assert_int_equal(mkdir("here/sub", 0700), 0);
	if (mount("here", "/dev", NULL, MS_BIND, NULL) == 0) {
		expect("here", &all, ERR_REFUSED, "filesystem of /dev");
		expect("here/sub", &all, ERR_REFUSED, "filesystem of /dev");
		assert_int_equal(umount("/dev"), 0);
	}
	assert_int_equal(umount("here"), 0);
	/* a source is what whoever mounts writes there */
	struct err err;
	assert_int_equal(mount("/dev/vda", "here", "tmpfs", 0, "size=64k"), 0);
	assert_int_equal(open_code("here", &all, &err), 0);
	assert_false(t.has_device);
	target_close(&t);
	assert_int_equal(umount("here"), 0);
	assert_int_equal(rmdir("here"), 0);
}

/* Mount an overlay at "over" with its upper folder at `upper`; false: the kernel cannot. */
static bool
mount_overlay(const char *upper, const char *work)
{
	char options[1024];
	mkdir("lower", 0700);
	mkdir("over", 0700);
	snprintf(options, sizeof(options), "lowerdir=lower,upperdir=%s,workdir=%s", upper, work);
	return mount("overlay", "over", "overlay", 0, options) == 0;
}

static void
test_overlay(void **state)
{
	(void)state;
	NEED(can_mount);
	NEED(measurable);
	struct err err;
	struct devchain below;
	char upper[4200], work[4200];
	assert_int_equal(open_code(".", &none, &err), 0);
	below = t.chain;
	bool has_device = t.has_device;
	target_close(&t);
	/* named by an absolute path with a space, a comma (escaped for mount) and a line feed in it */
	assert_int_equal(mkdir("up a,b\nc", 0700), 0);
	assert_int_equal(mkdir("work", 0700), 0);
	snprintf(upper, sizeof(upper), "%s/up a\\,b\nc", root);
	snprintf(work, sizeof(work), "%s/work", root);
	NEED(mount_overlay(upper, work));
	if (open_code("over", &none, &err))
		fail_msg("%s", err.text);
	assert_int_equal(t.has_device, has_device);
	assert_string_equal(t.chain.disk, below.disk);
	int rc = target_create(&t, false, &err);
	if (rc != 0 && rc != ERR_UNSUPPORTED)
		fail_msg("%d: %s", rc, err.text);
	assert_int_equal(scratch_entries("up a,b\nc"), 0);
	target_close(&t);
	assert_int_equal(scratch_entries("up a,b\nc"), 0);
	/* that path shows another folder now, as a container may: nothing is known */
	assert_int_equal(mount("none", "up a,b\nc", "tmpfs", 0, "size=64k"), 0);
	expect("over", &none, ERR_REFUSED, "shows no block device");
	assert_int_equal(umount("up a,b\nc"), 0);
	assert_int_equal(umount("over"), 0);
	/* memory below */
	assert_int_equal(mkdir("ram", 0700), 0);
	assert_int_equal(mount("/dev/vda", "ram", "tmpfs", 0, "size=1m"), 0);
	assert_int_equal(mkdir("ram/up", 0700), 0);
	assert_int_equal(mkdir("ram/work", 0700), 0);
	snprintf(upper, sizeof(upper), "%s/ram/up", root);
	snprintf(work, sizeof(work), "%s/ram/work", root);
	assert_true(mount_overlay(upper, work));
	expect("over", &none, ERR_REFUSED, "memory, not a disk");
	/* a name relative to who knows where: not believed, although it is right */
	assert_int_equal(umount("over"), 0);
	assert_true(mount_overlay("ram/up", "ram/work"));
	expect("over", &none, ERR_REFUSED, NULL);
	assert_int_equal(umount("over"), 0);
	assert_int_equal(umount("ram"), 0);
}

/* Somebody who may write to the folder and waits for the name to show. */
static atomic_bool thief_stop;
static atomic_int thief_links;

static void *
thief(void *arg)
{
	char last[256] = "";
	(void)arg;
	while (!thief_stop) {
		DIR *d = opendir("shared");
		for (struct dirent *e; d && (e = readdir(d));) {
			char from[300], to[64];
			snprintf(from, sizeof(from), "shared/%s", e->d_name);
			snprintf(to, sizeof(to), "stolen/%d", thief_links);
			if (strncmp(e->d_name, ".tierwise-", 10) != 0 ||
				strcmp(e->d_name, last) == 0 || link(from, to) != 0)
				continue;
			snprintf(last, sizeof(last), "%s", e->d_name);
			thief_links++;
		}
		if (d)
			closedir(d);
	}
	return NULL;
}

static void
test_thief(void **state)
{
	(void)state;
	NEED(measurable);
	pthread_t thread;
	int refused = 0;
	assert_int_equal(mkdir("shared", 0777), 0);
	assert_int_equal(mkdir("stolen", 0777), 0);
	assert_int_equal(pthread_create(&thread, NULL, thief, NULL), 0);
	for (int i = 0; i < 20000 && refused < 3; i++) {
		struct err err;
		struct stat st;
		assert_int_equal(open_code("shared", &none, &err), 0);
		int rc = target_create(&t, true, &err);
		if (rc == 0) {
			assert_int_equal(fstat(t.fd, &st), 0);
			assert_int_equal(st.st_nlink, 0);
		} else {
			assert_int_equal(rc, ERR_REFUSED);
			assert_int_equal(t.fd, -1);
			refused++;
		}
		target_close(&t);
	}
	thief_stop = true;
	pthread_join(thread, NULL);
	/* every name it got is one that was refused, and holds nothing */
	assert_int_equal(thief_links, refused);
	assert_int_equal(scratch_entries("shared"), 0);
	assert_int_equal(scratch_entries("stolen"), refused);
	for (int i = 0; i < refused; i++) {
		char name[64];
		struct stat st;
		snprintf(name, sizeof(name), "stolen/%d", i);
		assert_int_equal(stat(name, &st), 0);
		assert_int_equal(st.st_size, 0);
	}
	if (refused == 0)
		print_message("the thief was never fast enough\n");
}

static void
test_buffered(void **state)
{
	(void)state;
	NEED(measurable);
	struct err err;
	assert_int_equal(open_code(".", &none, &err), 0);
	assert_int_equal(target_create(&t, false, &err), 0);
	assert_true(fcntl(t.fd, F_GETFL) & O_DIRECT);
	assert_int_equal(target_make_buffered(&t, &err), 0);
	assert_false(fcntl(t.fd, F_GETFL) & O_DIRECT);
	assert_int_equal(pwrite(t.fd, "odd", 3, 1), 3);
	target_close(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_long_paths),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_umask),
		cmocka_unit_test(test_path_changes),
		cmocka_unit_test(test_system_mounts),
		cmocka_unit_test(test_overlay),
		cmocka_unit_test(test_thief),
		cmocka_unit_test(test_buffered),
	};
	return cmocka_run_group_tests_name("target", tests, begin, finish);
}
