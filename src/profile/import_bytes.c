#include "profile/import_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static int
hold(struct import_bytes *s, struct err *err)
{
	buf_init(&s->held, (size_t)IMPORT_PIPE_MAX_MIB << 20);
	int rc = file_read(s->path, &s->held, err);
	s->text = buf_text(&s->held);
	s->size = s->held.len;
	return rc;
}

int
import_bytes_open(struct import_bytes *s, const char *path, struct err *err)
{
	struct stat st;
	*s = (struct import_bytes){.path = path, .fd = -1};
	if (strcmp(path, "-") == 0)
		return hold(s, err);
	/* only what is a regular file is opened here: opening a FIFO twice would lose its writer */
	if (stat(path, &st) != 0)
		return err_sys(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return hold(s, err);
	s->fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st) != 0)
		return err_sys(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "%s: became another file meanwhile", path);
	if (st.st_size == 0) /* as files of /proc say */
		return hold(s, err);
	s->size = (uint64_t)st.st_size;
	if (s->size > (uint64_t)IMPORT_FILE_MAX_MIB << 20)
		return err_set(err, ERR_RANGE, "%s: larger than %d MiB, the most read here", path,
			IMPORT_FILE_MAX_MIB);
	return 0;
}

void
import_bytes_text(struct import_bytes *s, const char *text, size_t n)
{
	*s = (struct import_bytes){.path = "", .fd = -1, .text = text, .size = n};
}

void
import_bytes_close(struct import_bytes *s)
{
	if (s->fd >= 0)
		close(s->fd);
	buf_fini(&s->held);
	s->fd = -1;
}

int
import_bytes_read(const struct import_bytes *s, uint64_t at, char *to, size_t n, struct err *err)
{
	if (s->text) {
		if (n)
			memcpy(to, s->text + at, n);
		return 0;
	}
	while (n > 0) {
		ssize_t got = pread(s->fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, errno, "%s", s->path);
		if (got == 0)
			return err_set(
				err, ERR_IO, "%s: became shorter while it was read", s->path);
		to += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}
