/*
 * readahead.c - buffered sequential reads of a database's page, with the kernel's read-ahead and
 * without: what a scan gains from it.
 *
 * The file is opened once more without O_DIRECT, through /proc, and pieces of it are read in turn
 * the one way and the other, each piece once.  What was read leaves the page cache at once, so that
 * no more than a piece is ever there and later direct reads find none of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bench/environment.h"
#include "bench/pagecache.h"
#include "bench/phase.h"

enum {
	PAGE_B = 8192,
	PIECE_B = 16 << 20,
	PIECE_LEAST_B = 8 * PAGE_B, /* less of a piece is not counted */
	PIECES_MIN = 4,
	DROPS = 50,
};

static const int64_t NS_S = 1000000000;
static const double PIECE_S = 0.25;
static const struct timespec drop_wait = {0, 10000000};

static bool
wanted(const struct disk *d)
{
	return select_phase(d->select, "readahead") && d->target.fd >= 0 && !d->c->buffered &&
	       d->target.has_device && !isnan(environment_read_ahead_kib(&d->target));
}

struct scan {
	int fd; /* not direct */
	int64_t at_b, end_b; /* next piece; end of the area */
	int64_t piece_ns; /* at most */
	double bytes[2], ns[2]; /* without, with read-ahead */
};

/*
 * Take all of it out of the page cache, also what was read ahead of the piece.  A read that is still
 * on its way holds its pages: wait for it.
 */
static void
drop(const struct disk *d, const struct scan *s)
{
	struct pagecache left;
	int64_t seen_b = s->at_b + 2 * (int64_t)PIECE_B; /* nothing is further ahead */
	seen_b = seen_b < s->end_b ? seen_b : s->end_b;
	for (int i = 0; i < DROPS; i++) {
		posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED);
		if (pagecache_read(d->target.fd, (uint64_t)seen_b, &left, NULL) ||
			left.cached_frac <= 0)
			return;
		nanosleep(&drop_wait, NULL);
	}
}

static int
bad_read(ssize_t n, int64_t offset_b, struct err *err)
{
	long long at = offset_b;
	if (n < 0)
		return err_sys(err, errno, "buffered read at offset %lld", at);
	return err_set(
		err, ERR_IO, "buffered read at offset %lld: only %zd of %d bytes", at, n, PAGE_B);
}

static int
read_piece(const struct disk *d, struct scan *s, bool ahead, int64_t size_b, struct err *err)
{
	char page[PAGE_B];
	int64_t done_b = 0, begin = load_now_ns(&d->load), now = begin;
	posix_fadvise(s->fd, 0, 0, ahead ? POSIX_FADV_NORMAL : POSIX_FADV_RANDOM);
	while (done_b < size_b && now - begin < s->piece_ns && !load_stopped(&d->load)) {
		ssize_t n = pread(s->fd, page, sizeof(page), s->at_b + done_b);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof(page))
			return bad_read(n, s->at_b + done_b, err);
		done_b += n;
		now = load_now_ns(&d->load);
	}
	if (done_b >= PIECE_LEAST_B || done_b == size_b) {
		s->bytes[ahead] += (double)done_b;
		s->ns[ahead] += (double)(now - begin);
	}
	return 0;
}

static int
scan(struct disk *d, struct scan *s, struct err *err)
{
	int64_t end_ns = disk_phase_end_ns(d), share_b = d->area_b / 4, piece_b = PIECE_B;
	bool ahead = true;
	int rc = 0, resumed = disk_resumed(d);
	piece_b = share_b < piece_b ? share_b - share_b % PAGE_B : piece_b;
	while (rc == 0 && s->at_b + piece_b <= s->end_b) {
		rc = read_piece(d, s, ahead, piece_b, err);
		drop(d, s);
		s->at_b += piece_b;
		ahead = !ahead;
		bool over = load_now_ns(&d->load) >= end_ns && ahead; /* after a pair */
		if (over || load_stopped(&d->load))
			break;
	}
	if (disk_resumed(d) != resumed) { /* the pieces hold the pause */
		s->ns[0] = s->ns[1] = 0;
		d->suspended++;
	}
	return rc;
}

static double
mibps(const struct scan *s, bool ahead)
{
	return s->ns[ahead] > 0 ? s->bytes[ahead] / 1048576 / (s->ns[ahead] / (double)NS_S)
				: (double)NAN;
}

static int
keep(struct disk *d, const struct scan *s, struct err *err)
{
	if (s->ns[0] <= 0 && s->ns[1] <= 0)
		return 0;
	struct profile_readahead *p = arena_alloc(d->arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	profile_readahead_clear(p);
	p->read_ahead_kib = environment_read_ahead_kib(&d->target);
	p->bs_b = PAGE_B;
	p->on_mibps = mibps(s, true);
	p->off_mibps = mibps(s, false);
	d->readahead = p;
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	char path[64];
	*more = false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", d->target.fd);
	struct scan s = {.fd = open(path, O_RDONLY | O_CLOEXEC), .end_b = d->area_b};
	s.piece_ns = (int64_t)(fmin(PIECE_S, d->phase_s / PIECES_MIN) * (double)NS_S);
	if (s.fd < 0) {
		int why = errno;
		findings_add(&d->findings, SEVERITY_NOTE, "no-readahead", NULL,
			"read-ahead was not measured: the file could not be opened through /proc "
			"(errno %d)",
			why);
		return 0;
	}
	int rc = scan(d, &s, err);
	close(s.fd);
	int kept = keep(d, &s, rc ? NULL : err);
	if (rc == 0 && load_stopped(&d->load))
		rc = err_set(err, ERR_INTERRUPTED, "interrupted");
	return rc ? rc : kept;
}

const struct phase phase_readahead = {
	.title = "scans with and without read-ahead",
	.time_s = 2,
	.wanted = wanted,
	.step = step,
};
