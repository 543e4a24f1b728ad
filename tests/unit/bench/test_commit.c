/* Commits on a real file in the folder of the build: what is counted is what the file shows, bounds
 * hold with many writers, and every way to fail ends all of them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "bench/commit.h"
#include "bench/engine.h"
#include "bench/load.h"
#include "bench/target.h"

enum { BS = 8192, FOUR_B = 4 * BS, SECTOR_B = 512, SKIPPED = 77 };

/* A file, the load that wrote it, and what a run gave. */
struct fixture {
	struct target target;
	struct engine_run run;
	struct load load;
	struct hist both, write, sync;
	struct commit_result r;
	struct err err;
};

static const int64_t HELD_NS = 1500000000;

static struct fixture f;
static volatile sig_atomic_t stop;
static volatile pid_t handler_tid;
static char folder[64];

static const unsigned writer_rows[] = {1, 4, 16};

static int
commit(const struct commit_config *c)
{
	const struct commit_lat lat = {&f.both, &f.write, &f.sync};
	hist_init(&f.both);
	hist_init(&f.write);
	hist_init(&f.sync);
	memset(&f.err, 0, sizeof(f.err));
	memset(&f.r, 0xff, sizeof(f.r));
	return commit_run(&f.load, f.target.fd, c, &lat, &f.r, &f.err);
}

/* Room for `blocks` commits, no limit of time. */
static struct commit_config
config(int mode, int pattern, unsigned writers, uint64_t blocks)
{
	return (struct commit_config){.mode = mode,
		.pattern = pattern,
		.bs_b = BS,
		.writers = writers,
		.end_b = INT64_MAX / 2,
		.window_s = 3600,
		.max_b = blocks * BS};
}

static int64_t
file_size(void)
{
	struct stat st;
	assert_int_equal(fstat(f.target.fd, &st), 0);
	return st.st_size;
}

/* The whole file, past the page cache. */
static char *
read_file(size_t size_b)
{
	char *data = aligned_alloc(ENGINE_STAMP_B, size_b);
	assert_non_null(data);
	assert_int_equal(pread(f.target.fd, data, size_b, 0), size_b);
	return data;
}

static void
lay(int64_t area_b)
{
	struct load_config c = {.bs_b = BS,
		.qd = 1,
		.sequential = true,
		.end_b = area_b,
		.window_s = 3600,
		.max_b = UINT64_MAX};
	struct load_result r;
	assert_int_equal(
		load_run(&f.load, &c, (struct hist *const[2]){NULL, &f.both}, &r, NULL), 0);
	assert_int_equal(file_size(), area_b);
}

static int
compare_sectors(const void *a, const void *b)
{
	return memcmp(a, b, SECTOR_B);
}

/* The stamp of every 4 KiB, random in between, and no two sectors alike. */
static void
check_contents(size_t size_b)
{
	char *data = read_file(size_b);
	struct payload_seen seen = payload_check(&f.load.payload, data, size_b, 0);
	assert_int_equal(seen.stamps, (size_b + ENGINE_STAMP_B - 1) / ENGINE_STAMP_B);
	assert_int_equal(seen.wrong, 0);
	for (size_t i = 0; i < size_b; i += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, data + i, sizeof(word));
		assert_true(word != 0);
	}
	qsort(data, size_b / SECTOR_B, SECTOR_B, compare_sectors);
	for (size_t i = SECTOR_B; i < size_b; i += SECTOR_B)
		assert_memory_not_equal(data + i - SECTOR_B, data + i, SECTOR_B);
	free(data);
}

/* What holds after every run without a failure. */
static void
check_counts(const struct commit_config *c)
{
	bool syncs = c->mode == PROFILE_SYNC_FSYNC || c->mode == PROFILE_SYNC_FDATASYNC;
	/* begun and completed in the window: others at its two ends */
	int64_t ends = (int64_t)f.both.n - (int64_t)f.r.commits;
	assert_true(llabs(ends) <= (int64_t)c->writers);
	assert_int_equal(f.write.n, f.both.n);
	assert_int_equal(f.sync.n, syncs ? f.both.n : 0);
	assert_true(f.both.sum_ns == f.write.sum_ns + f.sync.sum_ns); /* whole numbers below 2^53 */
	assert_true(f.r.commits <= f.r.all_commits);
	assert_int_equal(f.r.written_b, f.r.all_commits * c->bs_b);
	/* a writer has one commit at a time, and one that began in the window may end after it */
	assert_true(f.both.sum_ns <=
		    (double)c->writers *
			    ((double)f.r.window_ns + (f.both.n ? (double)f.both.max_ns : 0)));
}

/* How many threads this process has. */
static int
threads(void)
{
	int n = 0;
	DIR *dir = opendir("/proc/self/task");
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* A thread that was waited for may still be seen for a moment. */
static bool
threads_become(int n)
{
	for (int i = 0; i < 3000 && threads() != n; i++)
		usleep(10000);
	return threads() == n;
}

/* How many of them do not block a signal. */
static int
threads_that_take(int signum)
{
	int n = 0;
	DIR *dir = opendir("/proc/self/task");
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char path[300], line[128];
		unsigned long long mask = 0;
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", e->d_name);
		FILE *status = fopen(path, "re");
		assert_non_null(status);
		while (fgets(line, sizeof(line), status))
			sscanf(line, "SigBlk: %llx", &mask);
		fclose(status);
		n += !(mask >> (signum - 1) & 1);
	}
	closedir(dir);
	return n;
}

static void
need_file(void)
{
	if (f.target.fd < 0)
		skip();
}

/* Blocks of N commits: the file grows by them, whatever the mode and the writers. */
static void
test_append(void **state)
{
	(void)state;
	need_file();
	enum { BLOCKS = 32, SIZE_B = BLOCKS * BS, BEFORE = 3 * ENGINE_STAMP_B };
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
			assert_int_equal(ftruncate(f.target.fd, 0), 0);
			struct commit_config c = config(
				mode, PROFILE_APPEND, writer_rows[i], BLOCKS);
			assert_int_equal(commit(&c), 0);
			check_counts(&c);
			assert_true(f.r.cut && !f.r.late);
			assert_int_equal(f.r.all_commits, BLOCKS);
			/* those in work when the last place was taken may be left out */
			assert_in_range(f.r.commits, BLOCKS - c.writers + 1, BLOCKS);
			assert_int_equal(f.r.end_b, SIZE_B);
			assert_int_equal(file_size(), SIZE_B);
			check_contents(SIZE_B);
			/* and on from an end that is no multiple of the block */
			c.from_b = SIZE_B + ENGINE_STAMP_B;
			assert_int_equal(ftruncate(f.target.fd, c.from_b), 0);
			c.end_b = c.from_b + BEFORE;
			assert_int_equal(commit(&c), 0);
			assert_int_equal(f.r.all_commits, 1); /* of 12 KiB */
			assert_int_equal(file_size(), c.from_b + BS);
		}
	}
}

/* Blocks of any size the disk takes. */
static void
test_sizes(void **state)
{
	(void)state;
	need_file();
	static const size_t sizes[] = {512, 4096, 4608, 16384, 65536};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t least_b = f.target.dio_offset_b ? f.target.dio_offset_b : ENGINE_STAMP_B;
		if (sizes[i] % least_b != 0)
			continue;
		for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
			struct commit_config c = config(mode, PROFILE_APPEND, 3, 0);
			c.bs_b = sizes[i];
			c.max_b = 16 * c.bs_b;
			assert_int_equal(ftruncate(f.target.fd, 0), 0);
			assert_int_equal(commit(&c), 0);
			check_counts(&c);
			assert_int_equal(f.r.all_commits, 16);
			assert_int_equal(file_size(), 16 * c.bs_b);
			check_contents(16 * c.bs_b);
		}
	}
}

static bool
block_equal(const char *a, const char *b, size_t block)
{
	return memcmp(a + block * BS, b + block * BS, BS) == 0;
}

/* Each writer goes round its own part: the size stays, nothing outside the area changes. */
static void
test_overwrite(void **state)
{
	(void)state;
	need_file();
	enum {
		LAID = 70,
		FROM = 3,
		END = 67,
		COMMITS = 70,
		LAID_B = LAID * BS,
		FROM_B = FROM * BS,
		END_B = END * BS
	};
	lay(LAID_B);
	for (int mode = 0; mode < PROFILE_SYNC_COUNT; mode++) {
		for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
			unsigned writers = writer_rows[i];
			struct commit_config c = config(mode, PROFILE_OVERWRITE, writers, COMMITS);
			c.from_b = FROM_B;
			c.end_b = END_B + ENGINE_STAMP_B; /* half a block more is of no use */
			char *before = read_file(LAID_B);
			assert_int_equal(commit(&c), 0);
			check_counts(&c);
			assert_true(f.r.cut);
			assert_int_equal(f.r.all_commits, COMMITS);
			assert_int_equal(file_size(), LAID_B);
			check_contents(LAID_B);
			char *after = read_file(LAID_B);
			size_t part = (END - FROM) / writers, changed = 0;
			for (size_t block = 0; block < LAID; block++) {
				bool same = block_equal(before, after, block);
				changed += !same;
				if (block < FROM || block >= FROM + writers * part) {
					assert_true(same);
				} else if (!same && (block - FROM) % part != 0) {
					/* in order from the start of the part */
					assert_false(block_equal(before, after, block - 1));
				}
			}
			/* even if one writer did them all: it went round */
			assert_in_range(changed, part, writers * part);
			free(before);
			free(after);
		}
	}
}

/* The budget holds to the byte with writers that compete for the last block; so does the end. */
static void
test_bounds(void **state)
{
	(void)state;
	need_file();
	for (unsigned round = 0; round < 6; round++) {
		struct commit_config c = config(
			PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 16, 1 + round * 5);
		c.max_b += BS - 1;
		assert_int_equal(ftruncate(f.target.fd, 0), 0);
		assert_int_equal(commit(&c), 0);
		assert_int_equal(f.r.written_b, (1 + round * 5ULL) * BS);
		assert_int_equal(file_size(), (1 + round * 5ULL) * BS);
		c.max_b = UINT64_MAX;
		c.end_b = (3 + round) * BS - 1;
		assert_int_equal(ftruncate(f.target.fd, 0), 0);
		assert_int_equal(commit(&c), 0);
		assert_true(f.r.cut);
		assert_int_equal(f.r.written_b, (2 + round) * BS);
		assert_int_equal(file_size(), (2 + round) * BS);
	}
	struct commit_config none = config(PROFILE_SYNC_FSYNC, PROFILE_APPEND, 1, 1);
	none.max_b = BS - 1;
	assert_int_equal(commit(&none), 0);
	assert_true(f.r.cut);
	assert_int_equal(f.r.all_commits, 0);
	assert_int_equal(f.r.window_ns, 0);
	struct commit_config small = config(PROFILE_SYNC_FSYNC, PROFILE_OVERWRITE, 4, 1);
	small.end_b = FOUR_B - 1;
	assert_int_equal(commit(&small), ERR_RANGE);
}

/* Ramp, window and until_ns: counts and order only. */
static void
test_window(void **state)
{
	(void)state;
	need_file();
	enum { BLOCKS = 64, SIZE_B = BLOCKS * BS };
	lay(SIZE_B);
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			PROFILE_SYNC_FDATASYNC, PROFILE_OVERWRITE, writer_rows[i], 1);
		c.end_b = SIZE_B;
		c.max_b = UINT64_MAX;
		c.ramp_s = i % 2 ? 1e-9 : 0.05;
		c.window_s = 0.2;
		char *before = read_file(SIZE_B);
		int64_t begin = clock_ns();
		assert_int_equal(commit(&c), 0);
		int64_t took_ns = clock_ns() - begin;
		check_counts(&c);
		assert_true(!f.r.cut && !f.r.late);
		assert_true(f.r.window_ns >= 200000000 &&
			    f.r.window_ns + (int64_t)(c.ramp_s * 1e9) <= took_ns);
		assert_true(f.r.commits > 0);
		/* every writer did one before the window, which begins with one */
		assert_true(f.r.commits + c.writers <= f.r.all_commits);
		char *after = read_file(SIZE_B);
		for (size_t part = 0; part < c.writers; part++)
			assert_false(block_equal(before, after, part * (BLOCKS / c.writers)));
		free(before);
		free(after);
		c.window_s = 3600;
		c.until_ns = clock_ns() + 100000000;
		assert_int_equal(commit(&c), 0);
		assert_true(f.r.late && !f.r.cut);
		assert_true(clock_ns() >= c.until_ns);
		check_counts(&c);
		c.until_ns = clock_ns();
		assert_int_equal(commit(&c), 0);
		assert_true(f.r.late);
		assert_int_equal(f.r.all_commits, 0);
	}
	check_contents(SIZE_B);
}

static void
on_alarm(int signum)
{
	(void)signum;
	handler_tid = gettid();
	stop = 1;
}

static void
stop_in(long ms)
{
	struct sigaction act = {.sa_handler = on_alarm};
	stop = 0;
	handler_tid = 0;
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = ms * 1000}, NULL);
}

/* A signal is handled by the calling thread, and every writer ends the commit it is in. */
static void
test_interrupted(void **state)
{
	(void)state;
	need_file();
	sigset_t before, after;
	int had = threads();
	sigprocmask(SIG_SETMASK, NULL, &before);
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, writer_rows[i], 1);
		c.max_b = UINT64_MAX;
		assert_int_equal(ftruncate(f.target.fd, 0), 0);
		stop_in(150);
		assert_int_equal(commit(&c), ERR_INTERRUPTED);
		assert_int_equal(handler_tid, getpid());
		assert_false(f.load.stuck);
		check_counts(&c);
		assert_int_equal(file_size(), f.r.all_commits * BS);
		assert_int_equal(f.r.end_b, f.r.all_commits * BS);
		/* set before it starts */
		assert_int_equal(commit(&c), ERR_INTERRUPTED);
		assert_int_equal(f.r.all_commits, 0);
		assert_true(threads_become(had));
	}
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int signum = 1; signum < NSIG; signum++)
		assert_int_equal(sigismember(&before, signum), sigismember(&after, signum));
}

/* A limit in the middle of a block: a short write is a failure, with its place. */
static void
test_short_write(void **state)
{
	(void)state;
	need_file();
	enum { FIT = 50, MORE = 2 * FIT, LIMIT_B = FIT * BS + ENGINE_STAMP_B };
	struct rlimit was, limit;
	int had = threads();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = was;
	limit.rlim_cur = LIMIT_B;
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, writer_rows[i], MORE);
		assert_int_equal(ftruncate(f.target.fd, 0), 0);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		int rc = commit(&c);
		setrlimit(RLIMIT_FSIZE, &was);
		assert_int_equal(rc, ERR_IO);
		assert_true(threads_become(had));
		assert_true(file_size() <= (int64_t)limit.rlim_cur);
		assert_int_equal(f.r.end_b, file_size());
		if (c.writers == 1) {
			assert_int_equal(f.r.all_commits, FIT);
			assert_int_equal(f.r.written_b, limit.rlim_cur);
			assert_non_null(strstr(f.err.text, "offset 409600"));
			assert_non_null(strstr(f.err.text, "only 4096 of 8192 bytes"));
			continue;
		}
		assert_true(f.r.all_commits <= FIT);
		assert_true(f.r.written_b <= limit.rlim_cur);
		/* the writer behind the limit may be the first to be told */
		assert_true(strstr(f.err.text, "only 4096 of 8192 bytes") ||
			    strstr(f.err.text, "File too large"));
	}
}

/* Writes through the page cache leave nothing there. */
static void
test_no_pages_left(void **state)
{
	(void)state;
	need_file();
	enum { BLOCKS = 64, SIZE_B = BLOCKS * BS, PAGES = SIZE_B / ENGINE_STAMP_B };
	unsigned char resident[PAGES];
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			PROFILE_SYNC_ODSYNC, PROFILE_APPEND, writer_rows[i], BLOCKS);
		assert_int_equal(ftruncate(f.target.fd, 0), 0);
		assert_int_equal(commit(&c), 0);
		void *map = mmap(NULL, SIZE_B, PROT_READ, MAP_SHARED, f.target.fd, 0);
		assert_ptr_not_equal(map, MAP_FAILED);
		assert_int_equal(mincore(map, SIZE_B, resident), 0);
		munmap(map, SIZE_B);
		for (size_t page = 0; page < PAGES; page++)
			assert_int_equal(resident[page] & 1, 0);
		check_contents(SIZE_B);
	}
}

static int
commit_in_virtual_time(void *state, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	assert_ptr_equal(state, &f);
	hist_add(lat->both, (int64_t)c->bs_b);
	r->commits = 12;
	return err_set(err, ERR_INTERRUPTED, "by the engine");
}

/* An engine without a file does it itself or not at all. */
static void
test_engines(void **state)
{
	(void)state;
	static struct load load;
	const struct engine *sim;
	const char *args;
	struct commit_config c = config(PROFILE_SYNC_FSYNC, PROFILE_APPEND, 4, 10);
	const struct commit_lat lat = {&f.both, &f.write, &f.sync};
	assert_int_equal(engine_find("sim", &sim, &args, NULL), 0);
	struct engine e = *sim;
	load.run = (struct engine_run){&e, &f};
	e.commit = NULL;
	assert_int_equal(commit_run(&load, -1, &c, &lat, &f.r, &f.err), ERR_UNSUPPORTED);
	e.commit = commit_in_virtual_time;
	hist_init(&f.both);
	assert_int_equal(commit_run(&load, -1, &c, &lat, &f.r, &f.err), ERR_INTERRUPTED);
	assert_int_equal(f.r.commits, 12);
	assert_int_equal(f.both.n, 1);
}

/*
 * Failures that need the process changed: each in a child, which says by its exit status whether
 * what it saw is right.
 */
static int child_failed;

static void
expect(bool holds, const char *what, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, line, what, f.err.text);
	child_failed = 1;
}

#define EXPECT(what) expect(what, #what, __LINE__)

static void
in_child(int (*child)(void))
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Answer one system call with `action` from now on; the listener's descriptor, 0, or -1. */
static int
filter(long call, uint32_t action)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
	unsigned flags = action == SECCOMP_RET_USER_NOTIF ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static const struct injected {
	long call;
	int errnum;
	int mode;
	int code;
	const char *text;
} injected_rows[] = {
	{SYS_fdatasync, EIO, PROFILE_SYNC_FDATASYNC, ERR_IO,
		"fdatasync after the write at offset "},
	{SYS_fsync, EIO, PROFILE_SYNC_FSYNC, ERR_IO, "fsync after the write at offset "},
	{SYS_pwrite64, EDQUOT, PROFILE_SYNC_ODSYNC, ERR_IO, "write of 8192 bytes at offset "},
	{SYS_pwritev2, EIO, PROFILE_SYNC_ODSYNC_DIRECT, ERR_IO, "write of 8192 bytes at offset "},
	{SYS_pwritev2, EOPNOTSUPP, PROFILE_SYNC_ODSYNC_DIRECT, ERR_UNSUPPORTED, "RWF_DSYNC"},
	{SYS_pwritev2, ENOSYS, PROFILE_SYNC_ODSYNC_DIRECT, ERR_UNSUPPORTED, "RWF_DSYNC"},
	{SYS_openat, ENOENT, PROFILE_SYNC_ODSYNC, ERR_UNSUPPORTED, "page cache"},
};
static const struct injected *injected;

static int
injected_child(void)
{
	if (filter(injected->call, SECCOMP_RET_ERRNO | (uint32_t)injected->errnum) < 0)
		return SKIPPED;
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			injected->mode, PROFILE_APPEND, writer_rows[i], 1000);
		EXPECT(ftruncate(f.target.fd, 0) == 0);
		EXPECT(commit(&c) == injected->code && f.err.code == (enum err_code)injected->code);
		EXPECT(strstr(f.err.text, injected->text));
		/* the C library makes "not supported" of a call that is not there */
		EXPECT(injected->errnum == ENOSYS ||
			strstr(f.err.text, strerror(injected->errnum)));
		EXPECT(f.r.all_commits == 0 && f.r.commits == 0 && f.both.n == 0);
		/* a write that was not made durable was still made, once by each writer at most */
		bool written = injected->call == SYS_fdatasync || injected->call == SYS_fsync;
		EXPECT(f.r.written_b <= (written ? c.writers * BS : 0));
		EXPECT(f.r.written_b >= (written ? BS : 0));
		EXPECT(f.r.end_b == file_size());
	}
	return child_failed;
}

static void
test_injected(void **state)
{
	(void)state;
	need_file();
	for (size_t i = 0; i < sizeof(injected_rows) / sizeof(injected_rows[0]); i++) {
		injected = &injected_rows[i];
		in_child(injected_child);
	}
}

/* A filesystem of 1 MiB of the child's own. */
static int
full_child(void)
{
	char path[128];
	int had = threads();
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		mount("tmpfs", folder, "tmpfs", 0, "size=1m") != 0) {
		fprintf(stderr, "skipped: no filesystem of one's own: %s\n", strerror(errno));
		return SKIPPED;
	}
	snprintf(path, sizeof(path), "%s/file", folder);
	f.target.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_DIRECT, 0600);
	if (f.target.fd < 0) {
		fprintf(stderr, "skipped: tmpfs takes no direct I/O: %s\n", strerror(errno));
		return SKIPPED;
	}
	for (size_t i = 0; i < sizeof(writer_rows) / sizeof(writer_rows[0]); i++) {
		struct commit_config c = config(
			PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, writer_rows[i], 1000);
		EXPECT(ftruncate(f.target.fd, 0) == 0);
		EXPECT(commit(&c) == ERR_IO);
		EXPECT(strstr(f.err.text, "No space left on device") ||
			strstr(f.err.text, "only "));
		EXPECT(strstr(f.err.text, "offset "));
		EXPECT(f.r.all_commits > 0 && f.r.all_commits <= 128);
		EXPECT(f.r.written_b >= f.r.all_commits * BS && f.r.written_b <= 1 << 20);
		EXPECT(threads_become(had));
	}
	return child_failed;
}

static void
test_full(void **state)
{
	(void)state;
	need_file();
	in_child(full_child);
}

/*
 * A thread that is asked about system calls of this process: those of threads made after the filter
 * wait until it answers.
 */
static struct guard {
	pthread_t thread;
	pthread_mutex_t mutex; /* held until there is a listener */
	pthread_mutex_t release; /* held until the calls may go on */
	int listener;
	uint64_t ids[4];
} guard = {.mutex = PTHREAD_MUTEX_INITIALIZER, .release = PTHREAD_MUTEX_INITIALIZER};

static void
receive(uint64_t *id)
{
	struct seccomp_notif ask = {0};
	if (ioctl(guard.listener, SECCOMP_IOCTL_NOTIF_RECV, &ask) == 0)
		*id = ask.id;
}

/* Let it be done (0) or fail with errnum. */
static void
reply(uint64_t id, int errnum)
{
	struct seccomp_notif_resp answer = {.id = id, .error = -errnum};
	if (errnum == 0)
		answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	(void)ioctl(guard.listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* When four hang, interrupt the process; answer them when released. */
static void *
hold_four(void *unused)
{
	pthread_mutex_lock(&guard.mutex);
	for (int i = 0; i < 4; i++)
		receive(&guard.ids[i]);
	kill(getpid(), SIGALRM);
	pthread_mutex_lock(&guard.release);
	for (int i = 0; i < 4; i++)
		reply(guard.ids[i], 0);
	return unused;
}

/* Let three be done, the fourth not. */
static void *
allow_three(void *unused)
{
	pthread_mutex_lock(&guard.mutex);
	for (int i = 0; i < 4; i++) {
		receive(&guard.ids[i]);
		reply(guard.ids[i], i < 3 ? 0 : EAGAIN);
	}
	return unused;
}

/* Hold the first for HELD_NS, let all others be done; until none come for 5 s. */
static void *
hold_one(void *unused)
{
	uint64_t first = 0;
	int64_t until_ns = 0;
	pthread_mutex_lock(&guard.mutex);
	for (;;) {
		struct pollfd ask = {.fd = guard.listener, .events = POLLIN};
		int n = poll(&ask, 1, first ? 10 : 5000);
		if (n == 0 && !first)
			return unused;
		if (n > 0 && until_ns == 0) {
			receive(&first);
			until_ns = clock_ns() + HELD_NS;
		} else if (n > 0) {
			uint64_t id = 0;
			receive(&id);
			reply(id, 0);
		}
		if (first && clock_ns() >= until_ns) {
			reply(first, 0);
			first = 0;
		}
	}
}

/* The guard is not filtered and handles no signals.  Whether it stands. */
static bool
guard_start(void *(*watch)(void *), long call)
{
	sigset_t all, before;
	pthread_mutex_lock(&guard.mutex);
	pthread_mutex_lock(&guard.release);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(&guard.thread, NULL, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed)
		return false;
	guard.listener = filter(call, SECCOMP_RET_USER_NOTIF);
	if (guard.listener < 0)
		return false;
	pthread_mutex_unlock(&guard.mutex);
	return true;
}

/* Syncs that do not come back: given up 5 s after a stop, and what comes back later does no harm. */
static int
hung_child(void)
{
	if (!guard_start(hold_four, SYS_fdatasync))
		return SKIPPED;
	int had = threads();
	struct sigaction act = {.sa_handler = on_alarm};
	sigaction(SIGALRM, &act, NULL);
	struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 4, 1000);
	int64_t begin_ns = clock_ns();
	EXPECT(commit(&c) == ERR_INTERRUPTED);
	int64_t took_ns = clock_ns() - begin_ns;
	EXPECT(took_ns >= 5000000000 && took_ns < 40000000000);
	EXPECT(handler_tid == getpid() && f.load.stuck);
	EXPECT(f.r.all_commits == 0 && f.r.written_b == FOUR_B && f.r.end_b == FOUR_B);
	EXPECT(threads_become(had + 4));
	EXPECT(threads_that_take(SIGINT) == 1);
	load_fini(&f.load);
	int fd = fcntl(f.target.fd, F_DUPFD_CLOEXEC, 100);
	close(f.target.fd);
	f.target.fd = fd;
	pthread_mutex_unlock(&guard.release);
	pthread_join(guard.thread, NULL);
	EXPECT(threads_become(had - 1));
	EXPECT(file_size() == FOUR_B); /* nothing was written after that */
	return child_failed;
}

static void
test_hung(void **state)
{
	(void)state;
	need_file();
	in_child(hung_child);
}

/* The ramp lasts until every writer has done a commit, and that one does not count. */
static int
slow_child(void)
{
	if (!guard_start(hold_one, SYS_fdatasync))
		return SKIPPED;
	struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 4, 0);
	c.max_b = UINT64_MAX;
	c.ramp_s = 1e-9;
	c.window_s = 1.5 * (double)HELD_NS / 1e9;
	int64_t begin_ns = clock_ns();
	EXPECT(commit(&c) == 0);
	EXPECT(clock_ns() - begin_ns >= HELD_NS + HELD_NS * 3 / 2);
	EXPECT(f.r.commits > 0 && f.both.max_ns < HELD_NS);
	EXPECT(llabs((int64_t)f.both.n - (int64_t)f.r.commits) < 4);
	return child_failed;
}

static void
test_slow(void **state)
{
	(void)state;
	need_file();
	in_child(slow_child);
}

static int
no_threads_child(void)
{
	/* glibc falls back to clone when there is no clone3 */
	if (!guard_start(allow_three, SYS_clone) ||
		filter(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS) < 0)
		return SKIPPED;
	int had = threads();
	struct commit_config c = config(PROFILE_SYNC_FDATASYNC, PROFILE_APPEND, 16, 1000);
	EXPECT(commit(&c) == ERR_UNSUPPORTED);
	EXPECT(strstr(f.err.text, "only 3 of 16 writers"));
	EXPECT(f.r.all_commits == 0 && file_size() == 0 && !f.load.stuck);
	pthread_join(guard.thread, NULL);
	EXPECT(threads_become(had - 1));
	return child_failed;
}

static void
test_no_threads(void **state)
{
	(void)state;
	need_file();
	in_child(no_threads_child);
}

static int
setup(void **state)
{
	(void)state;
	const struct safety_allow none = {false, false};
	const char *args;
	struct err err = {0};
	stop = 0;
	memset(&f, 0, sizeof(f));
	snprintf(folder, sizeof(folder), "commit.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	int rc = target_open(folder, &none, &f.target, &err);
	if (rc == 0)
		rc = target_create(&f.target, false, &err);
	if (rc) {
		print_message("no file for direct I/O: %s\n", err.text);
		f.target.fd = -1;
		return 0;
	}
	engine_find("psync", &f.run.engine, &args, NULL);
	struct engine_config c = {.fd = f.target.fd, .depth = 1};
	if (f.run.engine->open(&c, &f.run.state, NULL) != 0)
		return -1;
	return load_init(&f.load, f.run, (struct load_seeds){1, (uint64_t)clock_ns()}, &stop, NULL);
}

static int
teardown(void **state)
{
	(void)state;
	load_fini(&f.load);
	if (f.run.state)
		f.run.engine->close(f.run.state);
	target_close(&f.target);
	rmdir(folder);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_append, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overwrite, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bounds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_window, setup, teardown),
		cmocka_unit_test_setup_teardown(test_interrupted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_short_write, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_pages_left, setup, teardown),
		cmocka_unit_test_setup_teardown(test_engines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_injected, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hung, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_threads, setup, teardown),
	};
	return cmocka_run_group_tests_name("commit", tests, NULL, NULL);
}
