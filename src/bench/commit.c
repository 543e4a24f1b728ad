/*
 * commit.c - writers that each write a block and make it durable, on a real file.
 *
 * All writers share one struct run behind one mutex.  A writer takes it once a commit: it hands in
 * the commit it has done and gets the place of the next, so ramp, window, budget and end of the file
 * are decided in one order, and what is counted is exact.  Times are taken outside of it.
 *
 * A disk that hangs: a thread inside a write or sync cannot be ended, not even by a signal.  Several
 * writers are given up after SILENT_NS without a commit (STOP_DRAIN_NS after a stop): their threads
 * keep memory and descriptors of their own, which are never released.  One writer is the calling
 * thread and returns when the disk does.
 */
#include "bench/commit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/load.h"
#include "bench/payload.h"

enum { STACK_B = 256 << 10, RAMP_SHARE = 4, SECTOR_B = 512, PAGE_B = 4096 };

static const int64_t POLL_NS = 100000000;
static const int64_t SILENT_NS = 60000000000; /* no commit for so long: give up */
static const int64_t STOP_DRAIN_NS = 5000000000;

/* How a mode writes, and what it calls after that. */
static const struct mode {
	int write_flags; /* of pwritev2() */
	bool buffered; /* on a descriptor of its own, O_DSYNC and through the page cache */
	int (*sync)(int fd); /* NULL: durable when the write returns */
	const char *sync_name;
} modes[] = {
	[PROFILE_SYNC_FSYNC] = {.sync = fsync, .sync_name = "fsync"},
	[PROFILE_SYNC_FDATASYNC] = {.sync = fdatasync, .sync_name = "fdatasync"},
	[PROFILE_SYNC_ODSYNC] = {.buffered = true},
	/* the same to the kernel as O_DSYNC on the descriptor, for this one write */
	[PROFILE_SYNC_ODSYNC_DIRECT] = {.write_flags = RWF_DSYNC},
};
_Static_assert(sizeof(modes) / sizeof(modes[0]) == PROFILE_SYNC_COUNT, "a row for each mode");

struct run;

struct writer {
	struct run *run;
	unsigned index;
	pthread_t thread;
	bool warm; /* has done a commit */
	bool counts; /* the commit in work began in the window */
	bool ended; /* will touch nothing any more */
	struct payload payload;
	char *data;
	uint64_t turns; /* overwrite: blocks done of its part */
	int64_t offset_b; /* of the block in work */
	int64_t start_ns, written_ns, end_ns; /* of the commit in work */
	uint64_t written_b;
	struct hist both, write, sync; /* of the window */
};

/* COOLING: what began in the window is not yet done, and the load is kept up until it is. */
enum phase { RAMP, WINDOW, COOLING, OVER };

struct run {
	struct commit_config c;
	const struct mode *mode;
	const volatile sig_atomic_t
		*stop; /* asked by the calling thread only; NULL: by the watch */
	int fd; /* its own */
	int wake_fd; /* several writers: readable when all have ended; else -1 */
	char *data; /* of all writers */
	uint64_t part_blocks; /* overwrite: of each writer */

	pthread_mutex_t mutex; /* for all below */
	enum phase phase;
	bool ending; /* no new commits */
	unsigned running, warm; /* writers */
	unsigned owed; /* COOLING: commits that count and are not yet done */
	uint64_t taken, blocks; /* handed out; at most */
	int64_t now_ns, ramp_end_ns, window_start_ns, window_end_ns;
	bool cut, late;
	uint64_t commits, all_commits; /* of the window; of all */
	int code; /* of the first failure */
	struct err err;

	struct writer writers[]; /* c.writers */
};

static void
note_failure(struct run *o, int code, const struct err *e)
{
	o->ending = true;
	o->phase = OVER;
	if (o->code)
		return;
	o->code = code;
	o->err = *e;
}

static void
fail(struct run *o, int code, const struct err *e)
{
	pthread_mutex_lock(&o->mutex);
	note_failure(o, code, e);
	pthread_mutex_unlock(&o->mutex);
}

static void
note_interrupted(struct run *o)
{
	struct err e;
	note_failure(o, err_set(&e, ERR_INTERRUPTED, "interrupted"), &e);
}

static void
end_run(struct run *o)
{
	o->phase = OVER;
	o->ending = true;
}

/* The commit that ended the window is taken in; those in work that began in it are still to come. */
static void
begin_cooling(struct run *o)
{
	o->phase = COOLING;
	o->owed = 0;
	for (unsigned i = 0; i < o->c.writers; i++)
		o->owed += o->writers[i].counts;
	if (o->owed == 0)
		end_run(o);
}

/* A commit more in the window, which it may end, or after it. */
static void
account_window(struct run *o, bool counts)
{
	int64_t window_ns = o->window_end_ns - o->window_start_ns;
	if (o->phase == COOLING) {
		o->owed -= counts;
		if (o->owed == 0 || o->now_ns - o->window_end_ns >= window_ns)
			end_run(o);
		return;
	}
	o->commits++;
	o->window_end_ns = o->now_ns;
	if ((double)(o->now_ns - o->window_start_ns) >= o->c.window_s * 1e9)
		begin_cooling(o);
}

/* Take in the commit that a writer has done; whether its latency counts. */
static bool
account(struct run *o, struct writer *w)
{
	bool counts = w->counts;
	w->counts = false;
	o->all_commits++;
	o->warm += !w->warm;
	w->warm = true;
	/* handed in after one that ended later: it was not seen before that */
	o->now_ns = w->end_ns > o->now_ns ? w->end_ns : o->now_ns;
	bool over = o->now_ns >= o->ramp_end_ns || o->taken >= o->blocks / RAMP_SHARE;
	if (o->phase == WINDOW || o->phase == COOLING) {
		account_window(o, counts);
	} else if (o->phase == RAMP && over && o->warm == o->c.writers) {
		o->phase = WINDOW;
		o->window_start_ns = o->window_end_ns = o->now_ns;
	}
	return counts;
}

/* The place of a writer's next block, or false: there is to be none. */
static bool
reserve(struct run *o, struct writer *w)
{
	if (o->stop && *o->stop)
		note_interrupted(o);
	if (o->ending)
		return false;
	bool late = o->c.until_ns > 0 && o->now_ns >= o->c.until_ns;
	if (late || o->taken == o->blocks) {
		/* the others end their commits, fewer at a time than asked for: no rate any more */
		o->late = late && o->phase != COOLING;
		o->cut = !late && o->phase != COOLING;
		end_run(o);
		return false;
	}
	uint64_t block = o->taken++;
	if (o->c.pattern == PROFILE_OVERWRITE)
		block = w->index * o->part_blocks + w->turns++ % o->part_blocks;
	w->offset_b = o->c.from_b + (int64_t)(block * o->c.bs_b);
	w->counts = o->phase == WINDOW;
	return true;
}

static bool
next(struct writer *w, bool done)
{
	struct run *o = w->run;
	pthread_mutex_lock(&o->mutex);
	bool counts = done && account(o, w), more = reserve(o, w);
	pthread_mutex_unlock(&o->mutex);
	if (counts) {
		hist_add(&w->both, w->end_ns - w->start_ns);
		hist_add(&w->write, w->written_ns - w->start_ns);
		if (o->mode->sync)
			hist_add(&w->sync, w->end_ns - w->written_ns);
	}
	return more;
}

static bool
go_on(const struct run *o)
{
	return errno == EINTR && !(o->stop && *o->stop);
}

static int
write_failed(const struct writer *w, int errnum, struct err *e)
{
	const struct run *o = w->run;
	if (errnum == EINTR)
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	if (o->mode->write_flags && (errnum == EOPNOTSUPP || errnum == ENOSYS))
		return err_set(e, ERR_UNSUPPORTED,
			"the kernel or the filesystem has no direct write that is durable by "
			"itself (RWF_DSYNC): %s",
			strerror(errnum));
	return err_sys(
		e, errnum, "write of %zu bytes at offset %lld", o->c.bs_b, (long long)w->offset_b);
}

/* Write and make durable; the three moments are set. */
static int
write_block(struct writer *w, struct err *e)
{
	const struct run *o = w->run;
	struct iovec part = {.iov_base = w->data, .iov_len = o->c.bs_b};
	ssize_t n;
	w->start_ns = clock_ns();
	do {
		n = o->mode->write_flags
			    ? pwritev2(o->fd, &part, 1, w->offset_b, o->mode->write_flags)
			    : pwrite(o->fd, w->data, o->c.bs_b, w->offset_b);
	} while (n < 0 && go_on(o));
	if (n < 0)
		return write_failed(w, errno, e);
	w->written_ns = w->end_ns = clock_ns();
	w->written_b += (uint64_t)n;
	if (n == (ssize_t)o->c.bs_b)
		return 0;
	return err_set(e, ERR_IO,
		"write at offset %lld: only %zd of %zu bytes (the space or a size limit is used "
		"up)",
		(long long)w->offset_b, n, o->c.bs_b);
}

static int
sync_block(struct writer *w, struct err *e)
{
	const struct run *o = w->run;
	int rc;
	do {
		rc = o->mode->sync(o->fd);
	} while (rc != 0 && go_on(o));
	if (rc != 0 && errno == EINTR)
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	if (rc != 0)
		return err_sys(e, errno, "%s after the write at offset %lld", o->mode->sync_name,
			(long long)w->offset_b);
	w->end_ns = clock_ns();
	return 0;
}

static void
write_on(struct writer *w)
{
	struct run *o = w->run;
	struct err e;
	for (bool more = next(w, false); more; more = next(w, true)) {
		payload_refresh(&w->payload, w->data, o->c.bs_b, w->offset_b);
		int rc = write_block(w, &e);
		if (rc == 0 && o->mode->sync)
			rc = sync_block(w, &e);
		if (rc) {
			fail(o, rc, &e);
			break;
		}
	}
	pthread_mutex_lock(&o->mutex);
	w->ended = true;
	bool last = --o->running == 0;
	pthread_mutex_unlock(&o->mutex);
	if (last && o->wake_fd >= 0)
		(void)!write(o->wake_fd, &(uint64_t){1}, sizeof(uint64_t));
}

static void *
thread_main(void *writer)
{
	write_on(writer);
	return NULL;
}

/*
 * Wait until all threads have ended, or for as long as it is of use; whether they have.  Signals are
 * let through here and nowhere else.  What time this process did not run (SIGSTOP) is no silence.
 */
static bool
watch(struct run *o, const struct load *l, const sigset_t *signals)
{
	struct pollfd wake = {.fd = o->wake_fd, .events = POLLIN};
	const struct timespec poll_time = {.tv_nsec = POLL_NS};
	uint64_t seen = 0;
	int64_t silent_ns = 0, from_ns = clock_ns();
	bool stopped = false;
	for (;;) {
		ppoll(&wake, 1, &poll_time, signals);
		int64_t now = clock_ns(), passed_ns = now - from_ns;
		from_ns = now;
		silent_ns += passed_ns < POLL_NS ? passed_ns : POLL_NS;
		pthread_mutex_lock(&o->mutex);
		bool stop_now = !stopped && load_stopped(l);
		if (stop_now)
			note_interrupted(o);
		if (stop_now || (!stopped && o->all_commits != seen))
			silent_ns = 0;
		stopped = stopped || stop_now;
		seen = o->all_commits;
		bool over = o->running == 0;
		if (!over && silent_ns >= (stopped ? STOP_DRAIN_NS : SILENT_NS)) {
			struct err e;
			note_failure(o,
				err_set(&e, ERR_IO, "no commit came back for %d s",
					(int)(SILENT_NS / 1000000000)),
				&e);
			pthread_mutex_unlock(&o->mutex);
			return false;
		}
		pthread_mutex_unlock(&o->mutex);
		if (over)
			return true;
	}
}

/* From now on writers get places. */
static void
start(struct run *o, unsigned running)
{
	o->running = running;
	o->now_ns = clock_ns();
	o->ramp_end_ns = o->now_ns + (int64_t)(o->c.ramp_s * 1e9);
	o->window_start_ns = o->window_end_ns = o->now_ns;
	o->phase = o->c.ramp_s > 0 ? RAMP : WINDOW;
}

/* How many threads could be made; they wait for the mutex. */
static unsigned
make_threads(struct run *o)
{
	pthread_attr_t attr;
	unsigned n = 0;
	int failed = pthread_attr_init(&attr);
	if (!failed) {
		pthread_attr_setstacksize(&attr, STACK_B);
		for (; !failed && n < o->c.writers; n += !failed)
			failed = pthread_create(
				&o->writers[n].thread, &attr, thread_main, &o->writers[n]);
		pthread_attr_destroy(&attr);
	}
	if (failed) {
		struct err e;
		note_failure(o,
			err_set(&e, ERR_UNSUPPORTED, "only %u of %u writers could be started: %s",
				n, o->c.writers, strerror(failed)),
			&e);
	}
	return n;
}

/*
 * One thread per writer; the mutex is held while they are made, so they start together.  Whether
 * all are over.
 */
static bool
run_threads(struct run *o, const struct load *l)
{
	/* those five are of the thread that does it: a debugger or sanitizer wants to see them */
	static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
	sigset_t blocked, before;
	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&blocked, own[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	pthread_mutex_lock(&o->mutex);
	unsigned n = make_threads(o);
	start(o, n);
	pthread_mutex_unlock(&o->mutex);
	bool over = n == 0 || watch(o, l, &before);
	for (unsigned i = 0; i < n; i++) {
		if (over)
			pthread_join(o->writers[i].thread, NULL);
		else
			pthread_detach(o->writers[i].thread);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return over;
}

static void
run_free(struct run *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->wake_fd >= 0)
		close(o->wake_fd);
	pthread_mutex_destroy(&o->mutex);
	free(o->data);
	free(o);
}

/*
 * A descriptor of the run's own, so that a thread left behind cannot meet another file under the
 * number.  The file has no name: what is opened again is the kernel's link to it.
 */
static int
open_file(struct run *o, int fd, struct err *err)
{
	char path[32];
	struct stat was, is;
	if (!o->mode->buffered) {
		o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		return o->fd >= 0 ? 0 : err_sys(err, errno, "another descriptor of the file");
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o->fd = open(path, O_WRONLY | O_DSYNC | O_CLOEXEC);
	if (o->fd < 0)
		return err_set(err, ERR_UNSUPPORTED,
			"the file cannot be opened again for writes through the page cache: %s: %s",
			path, strerror(errno));
	if (fstat(fd, &was) != 0 || fstat(o->fd, &is) != 0 || was.st_dev != is.st_dev ||
		was.st_ino != is.st_ino)
		return err_set(err, ERR_UNSUPPORTED,
			"%s leads to another file: no writes through the page cache", path);
	return 0;
}

static int
set_bounds(struct run *o, struct err *err)
{
	const struct commit_config *c = &o->c;
	uint64_t area_blocks = c->end_b > c->from_b ? (uint64_t)(c->end_b - c->from_b) / c->bs_b
						    : 0;
	o->blocks = c->max_b / c->bs_b;
	if (c->pattern == PROFILE_APPEND) {
		o->blocks = area_blocks < o->blocks ? area_blocks : o->blocks;
		return 0;
	}
	o->part_blocks = area_blocks / c->writers;
	if (o->part_blocks == 0)
		return err_set(err, ERR_RANGE, "area of %llu blocks: too small for %u writers",
			(unsigned long long)area_blocks, c->writers);
	return 0;
}

static int
prepare(struct run *o, struct load *l, int fd, struct err *err)
{
	const struct commit_config *c = &o->c;
	int rc = set_bounds(o, err);
	if (rc == 0)
		rc = open_file(o, fd, err);
	if (rc)
		return rc;
	if (c->writers > 1) {
		o->wake_fd = eventfd(0, EFD_CLOEXEC);
		if (o->wake_fd < 0)
			return err_sys(err, errno, "eventfd");
	} else {
		o->stop = l->stop;
	}
	size_t stride_b = (c->bs_b + PAGE_B - 1) / PAGE_B * PAGE_B;
	o->data = aligned_alloc(PAGE_B, c->writers * stride_b);
	if (!o->data)
		return err_nomem(err);
	for (unsigned i = 0; i < c->writers; i++) {
		struct writer *w = &o->writers[i];
		w->run = o;
		w->index = i;
		w->data = o->data + i * stride_b;
		payload_init(&w->payload, rng_next(&l->payload.rng), l->payload.run_id);
		payload_fill(&w->payload, w->data, c->bs_b, c->from_b);
		hist_init(&w->both);
		hist_init(&w->write);
		hist_init(&w->sync);
	}
	return 0;
}

/* What the writers did; of those left behind (over: none) nothing is known but the places taken. */
static void
gather(struct run *o, bool over, const struct commit_lat *lat, struct commit_result *r)
{
	struct stat st;
	pthread_mutex_lock(&o->mutex);
	r->window_ns = o->window_end_ns - o->window_start_ns;
	r->commits = o->commits;
	r->all_commits = o->all_commits;
	r->cut = o->cut;
	r->late = o->late;
	for (unsigned i = 0; i < o->c.writers; i++) {
		const struct writer *w = &o->writers[i];
		if (!w->ended)
			continue;
		r->written_b += w->written_b;
		hist_merge(lat->both, &w->both);
		hist_merge(lat->write, &w->write);
		hist_merge(lat->sync, &w->sync);
	}
	if (!over)
		r->written_b = o->taken * o->c.bs_b;
	pthread_mutex_unlock(&o->mutex);
	if (o->c.pattern != PROFILE_APPEND)
		return;
	r->end_b = o->c.from_b + (int64_t)(o->taken * o->c.bs_b);
	if (over && fstat(o->fd, &st) == 0) /* it may have failed at the last */
		r->end_b = st.st_size;
}

static int
run_file(struct load *l, int fd, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	if (load_stopped(l))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	struct run *o = calloc(1, sizeof(*o) + c->writers * sizeof(o->writers[0]));
	if (!o)
		return err_nomem(err);
	o->c = *c;
	o->mode = &modes[c->mode];
	o->fd = o->wake_fd = -1;
	pthread_mutex_init(&o->mutex, NULL);
	int rc = prepare(o, l, fd, err);
	if (rc) {
		run_free(o);
		return rc;
	}
	bool over = true;
	if (c->writers > 1) {
		over = run_threads(o, l);
	} else {
		start(o, 1);
		write_on(&o->writers[0]);
	}
	gather(o, over, lat, r);
	rc = o->code;
	if (rc && err)
		*err = o->err;
	l->stuck = !over;
	if (!over)
		return rc;
	/* later direct I/O is not to meet pages of this file; all of them are on the disk */
	if (o->mode->buffered)
		posix_fadvise(o->fd, 0, 0, POSIX_FADV_DONTNEED);
	run_free(o);
	return rc;
}

int
commit_run(struct load *l, int fd, const struct commit_config *c, const struct commit_lat *lat,
	struct commit_result *r, struct err *err)
{
	assert(c->mode >= 0 && c->mode < PROFILE_SYNC_COUNT && !l->stuck);
	assert(c->writers >= 1 && c->writers <= COMMIT_WRITERS_MAX);
	assert(c->bs_b > 0 && c->bs_b % SECTOR_B == 0 && c->from_b % SECTOR_B == 0);
	const struct engine *engine = l->run.engine;
	*r = (struct commit_result){.end_b = c->from_b};
	if (engine->commit)
		return engine->commit(l->run.state, c, lat, r, err);
	if (fd < 0)
		return err_set(err, ERR_UNSUPPORTED, "engine %s: no commits by several writers",
			engine->name);
	return run_file(l, fd, c, lat, r, err);
}
