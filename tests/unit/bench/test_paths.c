/*
 * No existing byte changes: the target is opened by random paths of a tree made to mislead, also
 * while another thread swaps what a path leads to, written to as a measurement does, and closed or
 * killed.  Afterwards every file, device, FIFO and terminal in the tree is compared with before.
 *
 * TIERWISE_PATH_CASES: how many paths (default 300).  TIERWISE_PATH_SEED: other ones.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/rng.h"
#include "bench/target.h"
#include "unit/bench/scratch.h"

enum { DEVICE_B = 1 << 20, BLOCK_B = 4096, PER_TREE = 60, ENTRIES_MAX = 256 };

static char top[PATH_MAX], tree[PATH_MAX + 8];
static bool own_mounts, is_root;
static struct rng rng;
static char *block; /* aligned, what is written */

/* ---- the tree ---------------------------------------------------------------------------------- */

/* Held open: a loop device and what it is made of, a FIFO's and a terminal's other end. */
static struct held {
	int image, device, fifo, terminal;
	char device_path[64];
	bool has_mounts;
} held;

static void
random_bytes(char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
		uint64_t word = rng_next(&rng);
		memcpy(bytes + i, &word, n - i < sizeof(word) ? n - i : sizeof(word));
	}
}

static void
make_file(const char *path, size_t size, mode_t mode)
{
	char *bytes = malloc(size + 1);
	assert_non_null(bytes);
	random_bytes(bytes, size);
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
	free(bytes);
}

static void
make_device(void)
{
	held.device = -1;
	held.image = memfd_create("disk", MFD_CLOEXEC);
	assert_true(held.image >= 0);
	char *bytes = malloc(DEVICE_B);
	assert_non_null(bytes);
	random_bytes(bytes, DEVICE_B);
	assert_int_equal(pwrite(held.image, bytes, DEVICE_B, 0), DEVICE_B);
	free(bytes);
	struct stat st;
	if (is_root)
		held.device = scratch_loop(held.image, held.device_path);
	if (held.device >= 0 && fstat(held.device, &st) == 0)
		assert_int_equal(mknod("block", S_IFBLK | 0600, st.st_rdev), 0);
}

static void
make_specials(void)
{
	assert_int_equal(mkfifo("fifo", 0600), 0);
	held.fifo = open(
		"fifo", O_RDWR | O_NONBLOCK | O_CLOEXEC); /* a reader, so writers find one */
	assert_true(held.fifo >= 0);
	int s = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	assert_int_equal(bind(s, (struct sockaddr *)&address, sizeof(address)), 0);
	close(s);
	if (is_root)
		mknod("full", S_IFCHR | 0600, makedev(1, 7));
	held.terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char *name = held.terminal >= 0 && grantpt(held.terminal) == 0 &&
				     unlockpt(held.terminal) == 0
			     ? ptsname(held.terminal)
			     : NULL;
	if (name)
		assert_int_equal(symlink(name, "to-terminal"), 0);
}

static void
make_links(void)
{
	static const struct {
		const char *to, *name;
	} rows[] = {{"file0", "to-file"}, {"victims", "to-victims"}, {"victims/in", "to-in"},
		{"block", "to-block"}, {"fifo", "to-fifo"}, {"socket", "to-socket"},
		{"full", "to-full"}, {"good", "to-good"}, {"to-good", "to-to-good"},
		{"no/such", "dangling"}, {"nothing", "dangling-here"}, {"ring-b", "ring-a"},
		{"ring-a", "ring-b"}, {"/dev", "to-dev"}, {"/proc/self", "to-proc"},
		{"/sys/block", "to-sys"}, {"/proc/self/cwd", "to-here"}, {".", "self"},
		{"..", "up"}, {"/", "to-root"}, {"good/../victims", "around"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(symlink(rows[i].to, rows[i].name), 0);
}

static void
make_folders(void)
{
	static const char *const folders[] = {"good", "good/sub", "good/sub/deeper", "victims",
		"victims/in", "read-only", "sticky", "sticky/sub", ".tierwise-1", "space in\nname",
		"race", "race/sub", "m-ro", "m-ram", "m-dev", "m-proc", "m-victims"};
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	assert_int_equal(chmod("sticky", 01777), 0);
	if (is_root)
		assert_int_equal(chown("sticky", 65534, 65534), 0);
	held.has_mounts = own_mounts;
	if (!own_mounts)
		return;
	assert_int_equal(mount("victims", "m-ro", NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount("none", "m-ro", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), 0);
	assert_int_equal(mount("victims", "m-victims", NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount("/dev/vda", "m-ram", "tmpfs", 0, "size=1m"), 0);
	assert_int_equal(mount("/dev", "m-dev", NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount("/proc", "m-proc", NULL, MS_BIND, NULL), 0);
	make_file("m-ram/file", 5000, 0600);
}

/* What races: each leads somewhere else, and all are swapped with "slot". */
static const char *const race_names[] = {"slot", "race/dir", "race/to-victims", "race/to-block",
	"race/fifo", "race/file", "race/to-fifo", "race/dangling"};
enum { RACE = sizeof(race_names) / sizeof(race_names[0]) };

static void
make_race(void)
{
	assert_int_equal(mkdir("slot", 0700), 0);
	assert_int_equal(mkdir("slot/in", 0700), 0);
	assert_int_equal(mkdir("race/dir", 0700), 0);
	assert_int_equal(symlink("victims", "race/to-victims"), 0); /* from slot: the tree's */
	assert_int_equal(symlink("block", "race/to-block"), 0);
	assert_int_equal(mkfifo("race/fifo", 0600), 0);
	make_file("race/file", 4097, 0600);
	assert_int_equal(symlink("file1", "race/to-fifo"), 0);
	assert_int_equal(symlink("nowhere", "race/dangling"), 0);
}

static void
make_tree(void)
{
	snprintf(tree, sizeof(tree), "%s/tree", top);
	assert_int_equal(mkdir(tree, 0700), 0);
	assert_int_equal(chdir(tree), 0);
	make_folders();
	for (int i = 0; i < 6; i++) {
		char name[32];
		snprintf(name, sizeof(name), i < 4 ? "file%d" : "victims/file%d", i);
		make_file(name, (size_t)rng_below(&rng, 200000), i % 2 ? 0600 : 0666);
	}
	make_file("victims/in/empty", 0, 0666);
	make_file("read-only/file", 100, 0444);
	make_file(".tierwise-1-00000000000000000", 3000, 0600);
	assert_int_equal(link("file0", "hard"), 0);
	assert_int_equal(link("file0", "good/hard"), 0);
	make_device();
	make_specials();
	make_links();
	make_race();
	assert_int_equal(chmod("read-only", 0555), 0);
}

static void
remove_tree(void)
{
	assert_int_equal(chdir(top), 0);
	close(held.fifo);
	close(held.image);
	if (held.terminal >= 0)
		close(held.terminal);
	if (held.device >= 0)
		close(held.device);
	scratch_remove(tree);
	assert_int_not_equal(access(tree, F_OK), 0);
}

/* ---- what it was, what it is ------------------------------------------------------------------- */

struct entry {
	char path[300], content[FILE_SHA256_TEXT], link[128];
	struct stat st;
};

struct snapshot {
	struct entry entries[ENTRIES_MAX];
	size_t n;
	char device[FILE_SHA256_TEXT];
	int in_fifo, in_terminal;
};

static void
hash_fd(int fd, char hex[FILE_SHA256_TEXT])
{
	static char bytes[DEVICE_B];
	size_t n = 0;
	ssize_t got;
	while (n < sizeof(bytes) && (got = pread(fd, bytes + n, sizeof(bytes) - n, (off_t)n)) > 0)
		n += (size_t)got;
	file_sha256(bytes, n, hex);
}

static void
look(struct snapshot *s, const char *folder)
{
	struct dirent **list;
	int n = scandir(folder, &list, NULL, alphasort);
	assert_true(n >= 0);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		struct entry *e = &s->entries[s->n];
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			assert_true(s->n < ENTRIES_MAX);
			s->n++;
			memset(e, 0, sizeof(*e));
			snprintf(e->path, sizeof(e->path), "%s/%.200s", folder, name);
			assert_int_equal(lstat(e->path, &e->st), 0);
			if (S_ISLNK(e->st.st_mode))
				assert_true(readlink(e->path, e->link, sizeof(e->link) - 1) > 0);
			int fd = S_ISREG(e->st.st_mode)
					 ? open(e->path, O_RDONLY | O_NOATIME | O_CLOEXEC)
					 : -1;
			if (fd >= 0) {
				hash_fd(fd, e->content);
				close(fd);
			}
			bool system = strcmp(name, "m-dev") == 0 || strcmp(name, "m-proc") == 0;
			if (system) /* others come and go there */
				memset(&e->st, 0, sizeof(e->st));
			else if (S_ISDIR(e->st.st_mode))
				look(s, e->path);
		}
		free(list[i]);
	}
	free(list);
}

enum { TERMINAL_MS = 2 };

static struct snapshot *
take(void)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	assert_non_null(s);
	look(s, ".");
	if (held.device >= 0)
		hash_fd(held.device, s->device);
	assert_int_equal(ioctl(held.fifo, FIONREAD, &s->in_fifo), 0);
	if (held.terminal >= 0) {
		/* the kernel carries it over by a thread of its own */
		poll(&(struct pollfd){.fd = held.terminal, .events = POLLIN}, 1, TERMINAL_MS);
		ioctl(held.terminal, FIONREAD, &s->in_terminal);
	}
	return s;
}

/* A folder's own times and size change when a name comes and goes in it; nothing else may. */
static const char *
difference(const struct entry *a, const struct entry *b)
{
	bool folder = S_ISDIR(a->st.st_mode);
	if (a->st.st_ino != b->st.st_ino || a->st.st_dev != b->st.st_dev)
		return "is another file";
	if (a->st.st_mode != b->st.st_mode || a->st.st_uid != b->st.st_uid ||
		a->st.st_gid != b->st.st_gid || a->st.st_rdev != b->st.st_rdev)
		return "has another mode, owner or type";
	if (a->st.st_nlink != b->st.st_nlink)
		return "has other links";
	if (!folder && (a->st.st_size != b->st.st_size || a->st.st_blocks != b->st.st_blocks))
		return "has another size";
	if (strcmp(a->content, b->content) != 0 || strcmp(a->link, b->link) != 0)
		return "has other content";
	if (!folder && memcmp(&a->st.st_mtim, &b->st.st_mtim, sizeof(a->st.st_mtim)) != 0)
		return "was written to";
	return NULL;
}

/* How much is not as it was; the first few are told. */
static int
compare(const struct snapshot *a, const struct snapshot *b, bool tell)
{
	int found = 0;
	size_t i = 0, j = 0;
	while (i < a->n || j < b->n) {
		const char *what = NULL, *path = i < a->n ? a->entries[i].path : b->entries[j].path;
		if (i < a->n && j < b->n && strcmp(a->entries[i].path, b->entries[j].path) == 0) {
			what = difference(&a->entries[i++], &b->entries[j++]);
		} else if (j < b->n) {
			what = "new, or one is missing before it";
			path = b->entries[j].path;
			j++;
		} else {
			what = "missing";
			i++;
		}
		found += what != NULL;
		if (what && tell && found < 5)
			print_message("%s: %s\n", path, what);
	}
	int others = (strcmp(a->device, b->device) != 0) + (a->in_fifo != b->in_fifo) +
		     (a->in_terminal != b->in_terminal);
	if (others && tell)
		print_message("the device, the FIFO or the terminal was written to\n");
	return found + others;
}

/* ---- a racer ----------------------------------------------------------------------------------- */

static atomic_bool race_stop;
static atomic_long race_swaps;

static void *
racer(void *arg)
{
	struct rng own;
	rng_seed(&own, *(uint64_t *)arg);
	int at[RACE]; /* at[i]: which of the originals has name i now */
	for (int i = 0; i < RACE; i++)
		at[i] = i;
	while (!race_stop) {
		int other = 1 + (int)rng_below(&own, RACE - 1);
		if (renameat2(AT_FDCWD, race_names[0], AT_FDCWD, race_names[other],
			    RENAME_EXCHANGE) == 0) {
			int was = at[0];
			at[0] = at[other];
			at[other] = was;
			race_swaps++;
		}
	}
	for (int i = 0; i < RACE; i++) { /* all back to where they were */
		for (int j = i + 1; at[i] != i && j < RACE; j++) {
			if (at[j] == i && renameat2(AT_FDCWD, race_names[i], AT_FDCWD,
						  race_names[j], RENAME_EXCHANGE) == 0) {
				at[j] = at[i];
				at[i] = i;
			}
		}
	}
	return NULL;
}

/* ---- paths and what must come of them ---------------------------------------------------------- */

static const char *const bases[] = {"file0", "file1", "hard", "good/hard", "victims/file4", "block",
	"full", "fifo", "socket", "to-file", "to-victims", "to-in", "to-block", "to-fifo",
	"to-socket", "to-full", "to-good", "to-to-good", "to-terminal", "dangling", "dangling-here",
	"ring-a", "ring-b", "to-dev", "to-dev/shm", "to-dev/pts", "to-proc", "to-proc/fd", "to-sys",
	"to-here", "self", "up/tree", "around", "good", "good/sub", "good/sub/deeper", "victims",
	"victims/in", "read-only", "read-only/file", "sticky", "sticky/sub", ".tierwise-1",
	".tierwise-1-00000000000000000", "space in\nname", "m-ro", "m-ro/in", "m-ram", "m-ram/file",
	"m-dev", "m-dev/null", "m-dev/shm", "m-proc", "m-proc/self/fd", "m-victims", "m-victims/in",
	"slot", "slot/in", "/dev/null", "/dev", "/proc/self/cwd/file0", "/proc/self/cwd/to-block",
	"nothing", "good/nothing", ""};

static const char *const before[] = {"", "", "", "./", "self/", "good/../", "to-here/", "up/tree/",
	".//", "to-good/../", "around/../", "/proc/self/cwd/"};
static const char *const after[] = {"", "", "", "", "/", "/.", "/..", "//", "/../good", "/./."};

static const char *
pick(const char *const *list, size_t n)
{
	return list[rng_below(&rng, n)];
}

#define PICK(list) pick(list, sizeof(list) / sizeof(list[0]))

static void
random_path(char path[512])
{
	const char *base = PICK(bases);
	snprintf(path, 512, "%s%s%s", *base == '/' ? "" : PICK(before), base, PICK(after));
	if (rng_below(&rng, 4) == 0 && *path && *path != '/') {
		char absolute[512];
		snprintf(absolute, sizeof(absolute), "%.200s/%.300s", tree, path);
		snprintf(path, 512, "%s", absolute);
	}
}

static bool
under(const char *path, const char *folder)
{
	size_t n = strlen(folder);
	return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* By other ways than the program's: by stat() and realpath() of a path that nobody swaps. */
static int
expected(const char *path, const struct safety_allow *allow)
{
	struct stat st;
	struct statvfs vfs;
	char real[PATH_MAX], place[PATH_MAX + 32];
	if (stat(path, &st) != 0)
		return ERR_NOT_FOUND;
	if (!S_ISDIR(st.st_mode))
		return ERR_REFUSED;
	if (!realpath(path, real))
		return -1;
	static const char *const system[] = {"/dev", "/proc", "/sys"};
	for (size_t i = 0; i < 3; i++) {
		if (under(real, system[i]))
			return ERR_REFUSED;
	}
	static const char *const mounts[] = {"m-dev", "m-proc", "m-ram"};
	for (size_t i = 0; i < 3 && held.has_mounts; i++) {
		snprintf(place, sizeof(place), "%s/%s", tree, mounts[i]);
		if (!under(real, place))
			continue;
		/* a bind mount shows no other mounts: m-dev/shm is a folder of /dev itself */
		return i == 2 && allow->ram ? 0 : ERR_REFUSED;
	}
	if (statvfs(path, &vfs) != 0)
		return -1;
	return vfs.f_flag & ST_RDONLY ? ERR_REFUSED : 0;
}

/* ---- one case ---------------------------------------------------------------------------------- */

enum end { END_CLOSE, END_FORGET, END_KILL_OPEN, END_KILL_CREATED, END_KILL_WRITTEN, END_COUNT };

struct trial {
	char path[512];
	bool named, raced;
	enum end end;
	struct safety_allow allow;
};

/* As a measurement does: open, create, write here and there, sync, cut. */
static int
use_target(const struct trial *c, struct err *err)
{
	static struct target t;
	int rc = target_open(c->path, &c->allow, &t, err);
	if (c->end == END_KILL_OPEN)
		raise(SIGKILL);
	if (rc == 0)
		rc = target_create(&t, c->named, err);
	if (c->end == END_KILL_CREATED)
		raise(SIGKILL);
	for (int i = 0; i < 3 && rc == 0; i++) {
		off_t at = (off_t)rng_below(&rng, 512) * BLOCK_B;
		if (pwrite(t.fd, block, BLOCK_B, at) != BLOCK_B && errno != ENOSPC)
			rc = err_sys(err, errno, "writing");
	}
	if (c->end == END_KILL_WRITTEN)
		raise(SIGKILL);
	if (c->end == END_CLOSE)
		target_close(&t);
	return rc;
}

/* In a process of its own: what it leaves is what its end leaves. */
static int
run_trial(const struct trial *c, struct err *err)
{
	struct err *shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(shared != MAP_FAILED);
	pid_t pid = fork();
	if (pid == 0)
		_exit(use_target(c, shared));
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	*err = *shared;
	munmap(shared, sizeof(*shared));
	bool killed = c->end >= END_KILL_OPEN;
	assert_int_equal(WIFSIGNALED(status), killed);
	return killed ? -1 : WEXITSTATUS(status);
}

static void
check_code(const struct trial *c, int rc, const struct err *err)
{
	/* ext4 data=journal and the like can have no file with direct I/O; memory may be so, too */
	if (rc == ERR_UNSUPPORTED)
		return;
	if (rc && (!*err->text || strchr(err->text, '\n') || strlen(err->text) > 1000))
		fail_msg("%s: \"%s\" is not one line", c->path, err->text);
	if (c->raced) {
		if (rc != 0 && rc != ERR_REFUSED && rc != ERR_NOT_FOUND)
			fail_msg("%s, raced: code %d, \"%s\"", c->path, rc, err->text);
		return;
	}
	int code = expected(c->path, &c->allow);
	if (rc != code)
		fail_msg("%s: code %d, expected %d: \"%s\"", c->path, rc, code, err->text);
}

static struct counts {
	int opened, refused, killed;
} counts;

/* Some paths of one tree, all raced or none. */
static void
run_tree(int n, bool raced)
{
	pthread_t thread;
	uint64_t seed = rng_next(&rng);
	make_tree();
	struct snapshot *old = take();
	race_stop = false;
	if (raced)
		assert_int_equal(pthread_create(&thread, NULL, racer, &seed), 0);
	for (int i = 0; i < n; i++) {
		struct trial c = {.raced = raced,
			.named = rng_below(&rng, 3) == 0,
			.end = rng_below(&rng, 2) ? END_CLOSE
						  : (enum end)rng_below(&rng, END_COUNT),
			.allow = {.ram = rng_below(&rng, 2), .network = rng_below(&rng, 2)}};
		struct err err = {0};
		if (raced)
			snprintf(c.path, sizeof(c.path), "%s",
				rng_below(&rng, 3) ? "slot" : "slot/in");
		else
			random_path(c.path);
		rng_next(&rng); /* the child's own use of it is not seen here */
		int rc = run_trial(&c, &err);
		if (rc >= 0)
			check_code(&c, rc, &err);
		counts.killed += rc < 0;
		counts.opened += rc == 0;
		counts.refused += rc > 0;
	}
	race_stop = true;
	if (raced)
		pthread_join(thread, NULL);
	struct snapshot *new = take();
	int found = compare(old, new, true);
	free(old);
	free(new);
	assert_int_equal(found, 0);
	assert_int_equal(scratch_entries(top), 1);
	remove_tree();
}

static long
setting(const char *name, long fallback)
{
	const char *text = getenv(name);
	return text && *text ? strtol(text, NULL, 10) : fallback;
}

static void
test_no_byte_changes(void **state)
{
	(void)state;
	static struct target t;
	struct err err;
	const struct safety_allow none = {false, false};
	if (target_open(".", &none, &t, &err)) {
		print_message("skipped: %s\n", err.text);
		skip();
	}
	target_close(&t);
	long left = setting("TIERWISE_PATH_CASES", 300);
	for (int i = 0; left > 0; i++, left -= PER_TREE)
		run_tree(left < PER_TREE ? (int)left : PER_TREE, i % 2);
	print_message("%d opened and written to, %d refused, %d killed; %ld swaps\n", counts.opened,
		counts.refused, counts.killed, (long)race_swaps);
	assert_true(counts.opened > 0 && counts.refused > 0 && counts.killed > 0);
	assert_true(race_swaps > 0);
}

/* ---- the check itself -------------------------------------------------------------------------- */

/* One write of a byte where it must not go; false: there is no such thing on this machine. */
static bool
put_byte(const char *path)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool done = write(fd, "x", 1) == 1;
	fsync(fd);
	if (done && isatty(fd)) /* until it is on the other side, however busy the machine is */
		poll(&(struct pollfd){.fd = held.terminal, .events = POLLIN}, 1, 10000);
	close(fd);
	return done;
}

/* The same byte again, so that only the time of the write is different. */
static bool
put_same_byte(const char *path)
{
	char c;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	bool done = fd >= 0 && pread(fd, &c, 1, 0) == 1 && pwrite(fd, &c, 1, 0) == 1;
	close(fd);
	return done;
}

static bool
replace(const char *path)
{
	char copy[300];
	snprintf(copy, sizeof(copy), "cp -p %s %s.new && mv %s.new %s", path, path, path, path);
	return system(copy) == 0;
}

static bool
make_new(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600); /* follows a dangling link */
	close(fd);
	return fd >= 0;
}

static bool
make_folder(const char *path)
{
	return mkdir(path, 0700) == 0;
}

static bool
link_again(const char *path)
{
	return link(path, "one-more") == 0;
}

static bool
redirect(const char *path)
{
	return unlink(path) == 0 && symlink("elsewhere", path) == 0;
}

static bool
unlink_file(const char *path)
{
	return unlink(path) == 0;
}

static bool
open_up(const char *path)
{
	return chmod(path, 0777) == 0;
}

static const struct sabotage {
	bool (*act)(const char *path);
	const char *path;
} sabotages[] = {{put_byte, "file0"}, {put_byte, "m-victims/in/empty"}, {put_byte, "to-file"},
	{put_byte, "block"}, {put_byte, "to-block"}, {put_byte, "fifo"}, {put_byte, "to-terminal"},
	{put_same_byte, "file1"}, {put_same_byte, "hard"}, {replace, "file2"},
	{make_new, "good/left"}, {make_new, "dangling-here"}, {make_new, "m-ram/left"},
	{make_folder, "sticky/left"}, {link_again, "file3"}, {redirect, "to-good"},
	{unlink_file, "victims/in/empty"}, {open_up, "read-only"}, {open_up, "read-only/file"}};

/* Each harm that the test is about is one that it sees. */
static void
test_check_sees(void **state)
{
	(void)state;
	int tried = 0;
	for (size_t i = 0; i < sizeof(sabotages) / sizeof(sabotages[0]); i++) {
		make_tree();
		struct snapshot *old = take();
		struct timespec tick = {0, 5000000}; /* file times have the grain of a timer tick */
		nanosleep(&tick, NULL);
		bool done = sabotages[i].act(sabotages[i].path);
		struct snapshot *new = take();
		if (done && compare(old, new, false) == 0)
			fail_msg("harm to %s is not seen", sabotages[i].path);
		if (!done && compare(old, new, true) != 0)
			fail_msg("%s: nothing was done, and something is seen", sabotages[i].path);
		tried += done;
		free(old);
		free(new);
		remove_tree();
	}
	print_message("%d kinds of harm, all seen\n", tried);
	assert_true(tried >= 8);
}

static int
begin(void **state)
{
	(void)state;
	static char name[] = "paths.XXXXXX";
	if (!mkdtemp(name) || !realpath(name, top) || chdir(top) != 0)
		return -1;
	is_root = geteuid() == 0;
	own_mounts = is_root && scratch_own_mounts();
	block = aligned_alloc(BLOCK_B, BLOCK_B);
	rng_seed(&rng, (uint64_t)setting("TIERWISE_PATH_SEED", 1));
	if (!block)
		return -1;
	memset(block, 0xA5, BLOCK_B);
	return 0;
}

static int
finish(void **state)
{
	(void)state;
	free(block);
	if (chdir(top) != 0)
		return -1;
	scratch_remove(top);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_sees),
		cmocka_unit_test(test_no_byte_changes),
	};
	return cmocka_run_group_tests_name("paths", tests, begin, finish);
}
