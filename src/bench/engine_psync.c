/*
 * engine_psync.c - pread and pwrite, one at a time: for depth 1 where libaio is not to be had.
 *
 * The call itself waits for the disk, so submission and completion are the same moment: the submit
 * share is near 1 by nature.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/engine.h"

struct psync {
	int fd;
	struct engine_io *done; /* finished inside submit, not yet reaped */
};

static int
psync_open(const struct engine_config *c, void **state, struct err *err)
{
	if (c->args)
		return err_set(err, ERR_USAGE, "engine psync: takes no parameters");
	struct psync *p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(err);
	p->fd = c->fd;
	*state = p;
	return 0;
}

static int64_t
psync_now_ns(void *state)
{
	(void)state;
	return clock_ns();
}

static int
psync_submit(void *state, struct engine_io *const *ios, int n)
{
	struct psync *p = state;
	if (p->done || n < 1)
		return 0;
	struct engine_io *io = ios[0];
	ssize_t moved;
	do {
		moved = io->op == ENGINE_READ ? pread(p->fd, io->data, io->size_b, io->offset_b)
					      : pwrite(p->fd, io->data, io->size_b, io->offset_b);
	} while (moved < 0 && errno == EINTR);
	io->result = moved < 0 ? -errno : moved;
	p->done = io;
	return 1;
}

static int
psync_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	struct psync *p = state;
	struct timespec wait = {timeout_ns / 1000000000, timeout_ns % 1000000000};
	if (!p->done && timeout_ns > 0) /* nothing can come back: until the next arrival */
		return nanosleep(&wait, NULL) == 0 ? 0 : -errno;
	if (!p->done || max < 1)
		return 0;
	done[0] = p->done;
	p->done = NULL;
	return 1;
}

static int
psync_sync(void *state)
{
	struct psync *p = state;
	return fdatasync(p->fd) == 0 ? 0 : -errno;
}

const struct engine engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, depth 1 only",
	.depth_max = 1,
	.open = psync_open,
	.close = free,
	.now_ns = psync_now_ns,
	.submit = psync_submit,
	.reap = psync_reap,
	.sync = psync_sync,
};
