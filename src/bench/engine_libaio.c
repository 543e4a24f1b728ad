/*
 * engine_libaio.c - Linux native asynchronous I/O: the real queue of the block layer.
 *
 * Only honest with O_DIRECT: on a buffered file io_submit() blocks, which the submit share shows.
 */
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/engine.h"

struct aio {
	struct iocb cb[ENGINE_DEPTH_MAX]; /* one per slot; all but op, data and place set once */
	io_context_t ctx;
	int fd;
};

_Static_assert((int)ENGINE_READ == (int)IO_CMD_PREAD && (int)ENGINE_WRITE == (int)IO_CMD_PWRITE,
	"the operation is the kernel's number");

static int
aio_open(const struct engine_config *c, void **state, struct err *err)
{
	if (c->args)
		return err_set(err, ERR_USAGE, "engine libaio: takes no parameters");
	struct aio *a = calloc(1, sizeof(*a));
	if (!a)
		return err_nomem(err);
	a->fd = c->fd;
	for (int i = 0; i < ENGINE_DEPTH_MAX; i++)
		io_prep_pread(&a->cb[i], c->fd, NULL, 0, 0); /* what no request changes */
	int rc = io_setup((int)c->depth, &a->ctx);
	if (rc < 0) {
		free(a);
		return err_set(err, ERR_UNSUPPORTED, "io_setup for %u requests: %s%s", c->depth,
			strerror(-rc),
			rc == -EAGAIN ? " (/proc/sys/fs/aio-max-nr is used up)" : "");
	}
	*state = a;
	return 0;
}

static void
aio_close(void *state)
{
	struct aio *a = state;
	io_destroy(a->ctx);
	free(a);
}

static int64_t
aio_now_ns(void *state)
{
	(void)state;
	return clock_ns();
}

static int
aio_submit(void *state, struct engine_io *const *ios, int n)
{
	struct aio *a = state;
	struct iocb *list[ENGINE_DEPTH_MAX];
	for (int i = 0; i < n; i++) {
		struct engine_io *io = ios[i];
		struct iocb *cb = &a->cb[io->slot];
		cb->aio_lio_opcode = (short)io->op;
		cb->u.c.buf = io->data;
		cb->u.c.nbytes = io->size_b;
		cb->u.c.offset = io->offset_b;
		cb->data = io;
		list[i] = cb;
	}
	/* as io_submit(), without the three functions of two libraries between it and the kernel */
	long taken = syscall(SYS_io_submit, a->ctx, (long)n, list);
	if (taken >= 0)
		return (int)taken;
	return errno == EAGAIN ? 0 : -errno;
}

static int
aio_reap(void *state, struct engine_io **done, int max, int64_t timeout_ns)
{
	struct aio *a = state;
	struct io_event events[ENGINE_DEPTH_MAX];
	struct timespec wait = {timeout_ns / 1000000000, timeout_ns % 1000000000};
	int n = io_getevents(
		a->ctx, 1, max < ENGINE_DEPTH_MAX ? max : ENGINE_DEPTH_MAX, events, &wait);
	for (int i = 0; i < n; i++) {
		done[i] = events[i].data;
		/* res is unsigned long but carries -errno (libaio.h) */
		done[i]->result = (int64_t)events[i].res;
	}
	return n;
}

static int
aio_sync(void *state)
{
	struct aio *a = state;
	return fdatasync(a->fd) == 0 ? 0 : -errno;
}

const struct engine engine_libaio = {
	.name = "libaio",
	.help = "Linux native asynchronous I/O (default)",
	.depth_max = ENGINE_DEPTH_MAX,
	.open = aio_open,
	.close = aio_close,
	.now_ns = aio_now_ns,
	.submit = aio_submit,
	.reap = aio_reap,
	.sync = aio_sync,
};
