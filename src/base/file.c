#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
file_read(const char *path, struct buf *text, struct err *err)
{
	bool from_stdin = strcmp(path, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	int rc = 0;
	char block[65536];
	for (;;) {
		ssize_t n = read(fd, block, sizeof(block));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_sys(err, errno, "%s", path);
		if (n <= 0)
			break;
		buf_putn(text, block, (size_t)n);
		if (text->failed) {
			rc = err_set(err, ERR_RANGE,
				"%s: larger than %zu bytes, the most read here", path, text->max);
			break;
		}
	}
	if (!from_stdin)
		close(fd);
	return rc;
}

static int
write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Sync the folder so that the rename itself survives a crash; best effort. */
static void
sync_folder(const char *path)
{
	char *folder = strdup(path);
	if (!folder)
		return;
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

/* A regular file is replaced; a FIFO or /dev/stdout or a terminal is written to directly. */
static int
write_special(const char *path, const struct buf *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	int errnum = write_all(fd, buf_text(text), text->len);
	if (close(fd) != 0 && errnum == 0)
		errnum = errno;
	return errnum ? err_sys(err, errnum, "%s", path) : 0;
}

/* Replace the regular file `path`, or make it: written beside it, synced, renamed. */
static int
write_aside(const char *path, mode_t mode, const struct buf *text, struct err *err)
{
	size_t size = strlen(path) + sizeof(".XXXXXX");
	char *aside = malloc(size);
	if (!aside)
		return err_nomem(err);
	snprintf(aside, size, "%s.XXXXXX", path);
	int fd = mkostemp(aside, O_CLOEXEC);
	int errnum = fd < 0 ? errno : write_all(fd, buf_text(text), text->len);
	if (fd >= 0) {
		if (errnum == 0 && (fchmod(fd, mode) != 0 || fsync(fd) != 0))
			errnum = errno;
		if (close(fd) != 0 && errnum == 0)
			errnum = errno;
		if (errnum == 0 && rename(aside, path) != 0)
			errnum = errno;
		if (errnum != 0)
			unlink(aside);
	}
	free(aside);
	if (errnum)
		return err_sys(err, errnum, "%s: not written", path);
	sync_folder(path);
	return 0;
}

int
file_write(const char *path, const struct buf *text, struct err *err)
{
	if (buf_check(text, err))
		return err_context(err, "%s", path);
	if (strcmp(path, "-") == 0) {
		int errnum = write_all(STDOUT_FILENO, buf_text(text), text->len);
		return errnum ? err_sys(err, errnum, "standard output") : 0;
	}
	struct stat st;
	if (stat(path, &st) != 0)
		return write_aside(path, 0644, text, err);
	if (S_ISBLK(st.st_mode))
		return err_set(err, ERR_REFUSED, "%s: is a block device, not written to", path);
	if (!S_ISREG(st.st_mode))
		return write_special(path, text, err);
	/* a link (/dev/stdout is one) keeps pointing: what it points to is replaced */
	char *target = realpath(path, NULL);
	if (!target)
		return err_sys(err, errno, "%s", path);
	int rc = write_aside(target, st.st_mode & 0777, text, err);
	free(target);
	return rc;
}

static int
probe_aside(const char *path)
{
	size_t size = strlen(path) + sizeof(".XXXXXX");
	char *aside = malloc(size);
	if (!aside)
		return ENOMEM;
	snprintf(aside, size, "%s.XXXXXX", path);
	int fd = mkostemp(aside, O_CLOEXEC), errnum = fd < 0 ? errno : 0;
	if (fd >= 0) {
		close(fd);
		unlink(aside);
	}
	free(aside);
	return errnum;
}

int
file_probe(const char *path, struct err *err)
{
	struct stat st;
	int errnum = 0;
	if (strcmp(path, "-") == 0)
		return 0;
	if (stat(path, &st) != 0) {
		/* a name that ends in a slash or is empty can be no file */
		size_t n = strlen(path);
		bool name = n > 0 && path[n - 1] != '/';
		errnum = errno != ENOENT ? errno : name ? probe_aside(path) : ENOENT;
	} else if (S_ISDIR(st.st_mode)) {
		errnum = EISDIR;
	} else if (S_ISBLK(st.st_mode)) {
		return err_set(err, ERR_REFUSED, "%s: is a block device, not written to", path);
	} else if (!S_ISREG(st.st_mode)) {
		errnum = access(path, W_OK) != 0 ? errno : 0;
	} else {
		char *target = realpath(path, NULL);
		errnum = target ? probe_aside(target) : errno;
		free(target);
	}
	return errnum ? err_sys(err, errnum, "%s: cannot be written", path) : 0;
}

void
file_sha256(const char *bytes, size_t n, char hex[FILE_SHA256_TEXT])
{
	struct sha256_ctx ctx;
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_init(&ctx);
	sha256_update(&ctx, n, (const uint8_t *)bytes);
	sha256_digest(&ctx, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

bool
file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}
