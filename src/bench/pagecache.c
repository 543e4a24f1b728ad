#include "bench/pagecache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same number on every architecture, as of all calls added since Linux 5.0. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

enum { WINDOW_B = 64 << 20 };

/* As in the kernel's include/uapi/linux/mman.h; glibc does not have them yet. */
struct range {
	uint64_t off, len;
};

struct counts {
	uint64_t cached, dirty, writeback, evicted, recently_evicted; /* pages */
};

static uint64_t
page_b(void)
{
	long n = sysconf(_SC_PAGESIZE);
	return n > 0 ? (uint64_t)n : 4096;
}

static uint64_t
pages_of(uint64_t bytes)
{
	return (bytes + page_b() - 1) / page_b();
}

int
pagecache_by_cachestat(int fd, uint64_t area_b, struct pagecache *p, struct err *err)
{
	struct range r = {0, area_b};
	struct counts c = {0};
	if (area_b == 0)
		return err_set(err, ERR_RANGE, "no area to ask for");
	if (syscall(SYS_cachestat, fd, &r, &c, 0) != 0) {
		if (errno == EBADF || errno == EFAULT)
			return err_sys(err, errno, "cachestat");
		/* ENOSYS; EPERM under a filter of system calls; EOPNOTSUPP */
		return err_set(err, ERR_UNSUPPORTED, "the kernel does not count cached pages");
	}
	double all = (double)pages_of(area_b);
	/* a large folio across the end of the area may count whole */
	p->cached_frac = fmin(1, (double)c.cached / all);
	p->dirty_frac = fmin(1, (double)(c.dirty + c.writeback) / all);
	return 0;
}

/* Resident pages of one window. */
static int
count_window(
	int fd, uint64_t from_b, size_t size_b, unsigned char *flags, uint64_t *n, struct err *err)
{
	/* mapping alone reads nothing in */
	void *at = mmap(NULL, size_b, PROT_READ, MAP_SHARED, fd, (off_t)from_b);
	if (at == MAP_FAILED && errno == EBADF)
		return err_sys(err, errno, "mapping the test file");
	if (at == MAP_FAILED)
		return err_set(err, ERR_UNSUPPORTED, "the test file cannot be mapped");
	int failed = mincore(at, size_b, flags) != 0 ? errno : 0;
	munmap(at, size_b);
	if (failed)
		return err_sys(err, failed, "mincore");
	for (uint64_t i = 0; i < pages_of(size_b); i++)
		*n += flags[i] & 1;
	return 0;
}

int
pagecache_by_mincore(int fd, uint64_t area_b, struct pagecache *p, struct err *err)
{
	uint64_t cached = 0;
	int rc = 0;
	if (area_b == 0)
		return err_set(err, ERR_RANGE, "no area to ask for");
	unsigned char *flags = malloc(pages_of(WINDOW_B));
	if (!flags)
		return err_nomem(err);
	for (uint64_t at = 0; at < area_b && rc == 0; at += WINDOW_B) {
		uint64_t left = area_b - at;
		rc = count_window(
			fd, at, left < WINDOW_B ? (size_t)left : WINDOW_B, flags, &cached, err);
	}
	free(flags);
	if (rc == 0) {
		p->cached_frac = (double)cached / (double)pages_of(area_b);
		p->dirty_frac = NAN;
	}
	return rc;
}

int
pagecache_read(int fd, uint64_t area_b, struct pagecache *p, struct err *err)
{
	int rc = pagecache_by_cachestat(fd, area_b, p, err);
	return rc == ERR_UNSUPPORTED ? pagecache_by_mincore(fd, area_b, p, err) : rc;
}
