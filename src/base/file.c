#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
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

/* The folder of `path`, opened once, and the name in it; -1 with errno. */
static int
open_folder(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	*name = slash ? slash + 1 : path;
	if (!slash)
		return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
	if (!folder)
		return -1;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int errnum = errno;
	free(folder);
	errno = errnum;
	return fd;
}

/* A FIFO or /dev/stdout or a terminal is written to directly, unless it is another thing by now. */
static int
write_special(const char *path, const struct buf *text, struct err *err)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	int errnum = fstat(fd, &st) != 0 ? errno : 0;
	if (errnum == 0 && !S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_REFUSED,
			"%s: became another file meanwhile, not written to", path);
	}
	if (errnum == 0)
		errnum = write_all(fd, buf_text(text), text->len);
	if (close(fd) != 0 && errnum == 0)
		errnum = errno;
	return errnum ? err_sys(err, errnum, "%s", path) : 0;
}

enum { ASIDE_MAX = 256 };

/* A file to be: in the folder of what it will replace, without a name where the filesystem can. */
struct aside {
	int folder, fd;
	const char *name; /* to be */
	char temporary[ASIDE_MAX];
	bool named; /* as `temporary` */
};

static void
aside_fini(struct aside *a)
{
	if (a->named)
		unlinkat(a->folder, a->temporary, 0);
	if (a->fd >= 0)
		close(a->fd);
	if (a->folder >= 0)
		close(a->folder);
}

static int
aside_open_named(struct aside *a)
{
	a->fd = openat(a->folder, a->temporary,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	a->named = a->fd >= 0;
	return a->fd < 0 ? errno : 0;
}

/* 0 or an errno value; aside_fini() in both cases.  The mode is that of a new file by the umask. */
static int
aside_init(struct aside *a, const char *path)
{
	uint64_t id;
	*a = (struct aside){.fd = -1};
	a->folder = open_folder(path, &a->name);
	if (a->folder < 0 || getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id))
		return errno;
	snprintf(a->temporary, sizeof(a->temporary), "%.200s.%016llx", a->name,
		(unsigned long long)id);
	a->fd = openat(a->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (a->fd >= 0)
		return 0;
	return errno == EOPNOTSUPP || errno == EISDIR ? aside_open_named(a) : errno;
}

static int
link_as(const struct aside *a, const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", a->fd);
	return linkat(AT_FDCWD, path, a->folder, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/*
 * Whether what has the name may be replaced: the file that was looked at (`old`), or, where there was
 * none, a file or a link to nothing.  A link that changed meanwhile may have led to a device.
 */
static int
check_replaced(const struct aside *a, const struct stat *old)
{
	struct stat st;
	if (fstatat(a->folder, a->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? 0 : errno;
	if (old)
		return st.st_dev == old->st_dev && st.st_ino == old->st_ino ? 0 : ESTALE;
	return S_ISREG(st.st_mode) || S_ISLNK(st.st_mode) ? 0 : EEXIST;
}

/* Let it appear under its name, in place of what has that name. */
static int
aside_place(struct aside *a, const struct stat *old)
{
	int errnum = a->named ? EEXIST : link_as(a, a->name);
	if (errnum == 0)
		return 0;
	if (errnum == EEXIST)
		errnum = check_replaced(a, old);
	if (errnum == 0 && !a->named) {
		errnum = link_as(a, a->temporary);
		a->named = errnum == 0;
	}
	if (errnum)
		return errnum;
	if (renameat(a->folder, a->temporary, a->folder, a->name) != 0)
		return errno;
	a->named = false;
	return 0;
}

/* Replace the regular file `path`, which is `old`, or make it (NULL). */
static int
write_aside(const char *path, const struct stat *old, const struct buf *text, bool sync,
	struct err *err)
{
	struct aside a;
	int errnum = aside_init(&a, path);
	/* what has no name gets one through /proc; without that it has one from the beginning */
	if (errnum == 0 && !a.named && access("/proc/self/fd", X_OK) != 0) {
		close(a.fd);
		errnum = aside_open_named(&a);
	}
	if (errnum == 0)
		errnum = write_all(a.fd, buf_text(text), text->len);
	if (errnum == 0 && old && fchmod(a.fd, old->st_mode & 0777) != 0)
		errnum = errno;
	if (errnum == 0 && sync && fsync(a.fd) != 0)
		errnum = errno;
	if (errnum == 0)
		errnum = aside_place(&a, old);
	if (errnum == 0 && sync)
		fsync(a.folder); /* so that the name survives a crash; best effort */
	aside_fini(&a);
	return errnum ? err_sys(err, errnum, "%s: not written", path) : 0;
}

int
file_keep(const char *path, const struct buf *text, struct err *err)
{
	struct stat st;
	if (buf_check(text, err))
		return err_context(err, "%s", path);
	if (lstat(path, &st) != 0)
		return write_aside(path, NULL, text, false, err);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_REFUSED, "%s: is no file, not written to", path);
	return write_aside(path, &st, text, false, err);
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
		return write_aside(path, NULL, text, true, err);
	if (S_ISBLK(st.st_mode))
		return err_set(err, ERR_REFUSED, "%s: is a block device, not written to", path);
	if (!S_ISREG(st.st_mode))
		return write_special(path, text, err);
	/* a link (/dev/stdout is one) keeps pointing: what it points to is replaced */
	char *target = realpath(path, NULL);
	if (!target)
		return err_sys(err, errno, "%s", path);
	int rc = write_aside(target, &st, text, true, err);
	free(target);
	return rc;
}

static int
probe_aside(const char *path)
{
	struct aside a;
	int errnum = aside_init(&a, path);
	aside_fini(&a);
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
	} else if (S_ISSOCK(st.st_mode)) {
		errnum = ENXIO;
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
