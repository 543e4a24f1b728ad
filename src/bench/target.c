#include "bench/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A folder, by its type: everything else is named and refused. */
static int
check_type(const char *dir, struct err *err)
{
	struct stat st;
	if (stat(dir, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? err_set(err, ERR_NOT_FOUND, "%s: no such folder", dir)
			       : err_sys(err, errno, "%s", dir);
	if (S_ISDIR(st.st_mode))
		return 0;
	const char *what = S_ISBLK(st.st_mode)   ? "a block device"
			   : S_ISCHR(st.st_mode) ? "a character device"
			   : S_ISREG(st.st_mode) ? "a file"
						 : "not a folder";
	return err_set(err, ERR_REFUSED,
		"%s: is %s; devices and existing files are never written to: give a folder on the "
		"disk to measure",
		dir, what);
}

/* The block device a mount without a device number of its own (btrfs) names as its source. */
static bool
source_device(const struct mount_entry *m, unsigned *major, unsigned *minor)
{
	struct stat st;
	if (m->source[0] != '/' || stat(m->source, &st) != 0 || !S_ISBLK(st.st_mode))
		return false;
	*major = major(st.st_rdev);
	*minor = minor(st.st_rdev);
	return true;
}

static bool
find_chain(int fd, const struct mount_entry *m, struct devchain *chain)
{
	struct stat st;
	unsigned dev_major, dev_minor;
	if (fstat(fd, &st) == 0 && devchain_read("/sys", major(st.st_dev), minor(st.st_dev), chain))
		return true;
	return m && source_device(m, &dev_major, &dev_minor) &&
	       devchain_read("/sys", dev_major, dev_minor, chain);
}

/*
 * An overlay writes to its upper folder: that filesystem is the one to judge.  -1 when this is no
 * overlay, or one whose upper folder cannot be seen from here (a container).
 */
static int
open_overlay_upper(const struct target *t)
{
	char upper[MOUNT_TEXT];
	if (!t->has_mount || strcmp(t->mount.fstype, "overlay") != 0 ||
		!mount_option(t->mount.options, "upperdir", upper, sizeof(upper)))
		return -1;
	return open(upper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
find_root_disk(struct target *t)
{
	struct devchain root;
	struct mount_entry m;
	int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	bool has_mount = mount_of_fd(fd, &m);
	if (find_chain(fd, has_mount ? &m : NULL, &root))
		t->root_disk = t->has_device && strcmp(root.disk, t->chain.disk) == 0;
	close(fd);
}

/* What the kernel says about the filesystem of fd. */
static int
describe(struct target *t, int fd, struct err *err)
{
	struct statfs fs;
	struct statvfs vfs;
	if (fstatfs(fd, &fs) != 0 || fstatvfs(fd, &vfs) != 0)
		return err_sys(err, errno, "asking for the filesystem");
	if (vfs.f_flag & ST_RDONLY)
		return err_set(err, ERR_REFUSED, "mounted read-only");
	const char *name;
	/* f_type is signed; the magic numbers have 32 bits */
	t->fs_class = safety_fs_of((uint32_t)fs.f_type, &name);
	const char *known = name ? name : t->has_mount ? t->mount.fstype : "unknown";
	/* /dev mounted elsewhere has the magic of tmpfs */
	if (t->has_mount && strcmp(t->mount.fstype, "devtmpfs") == 0)
		t->fs_class = SAFETY_FS_PSEUDO;
	/* ext2, ext3 and ext4 share a magic: the mount table knows which it is */
	if (t->has_mount && t->fs_class != SAFETY_FS_PSEUDO && *t->mount.fstype)
		known = t->mount.fstype;
	snprintf(t->fs, sizeof(t->fs), "%.63s", known);
	t->total_b = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	t->free_b = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	t->has_device = find_chain(fd, t->has_mount ? &t->mount : NULL, &t->chain);
	return 0;
}

static int
inspect(struct target *t, const struct safety_allow *allow, struct err *err)
{
	t->has_mount = mount_of_fd(t->dir_fd, &t->mount);
	int upper = open_overlay_upper(t);
	int rc = describe(t, upper >= 0 ? upper : t->dir_fd, err);
	if (upper >= 0)
		close(upper);
	if (rc == 0)
		rc = safety_check_fs(t->fs_class, t->fs, t->has_device, allow, err);
	if (rc == 0 && t->has_device)
		rc = safety_check_device(t->chain.disk, allow, err);
	if (rc)
		return err_context(err, "%s", t->path);
	find_root_disk(t);
	return 0;
}

int
target_open(const char *dir, const struct safety_allow *allow, struct target *t, struct err *err)
{
	memset(t, 0, sizeof(*t));
	t->dir_fd = t->fd = -1;
	int rc = check_type(dir, err);
	if (rc)
		return rc;
	/* O_DIRECTORY: should the folder have been swapped for a device or FIFO, this fails */
	t->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->dir_fd < 0)
		return err_sys(err, errno, "%s", dir);
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", t->dir_fd);
	ssize_t n = readlink(link, t->path, sizeof(t->path) - 1);
	if (n <= 0 || (size_t)n >= sizeof(t->path) - 1 || t->path[0] != '/')
		rc = err_set(err, ERR_REFUSED, "%s: its real path cannot be told", dir);
	if (rc == 0)
		rc = safety_check_path(t->path, err);
	if (rc == 0)
		rc = inspect(t, allow, err);
	if (rc)
		target_close(t);
	return rc;
}

/* Create under a name nobody else can have, and unlink; signals wait so that both happen. */
static int
create_named(struct target *t, struct err *err)
{
	uint64_t id;
	char name[64];
	sigset_t all, before;
	if (getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id))
		return err_sys(err, errno, "getrandom");
	snprintf(name, sizeof(name), ".tierwise-%ld-%016llx", (long)getpid(),
		(unsigned long long)id);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	t->fd = openat(t->dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int errnum = t->fd < 0 ? errno : 0;
	if (t->fd >= 0 && unlinkat(t->dir_fd, name, 0) != 0)
		errnum = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return errnum ? err_sys(err, errnum, "%s: creating the test file", t->path) : 0;
}

/* Direct I/O is switched on afterwards: open(O_CREAT | O_DIRECT) can leave a file and still fail. */
static int
make_direct(struct target *t, struct err *err)
{
	struct statx stx;
	bool told = statx(t->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 &&
		    (stx.stx_mask & STATX_DIOALIGN);
	/* 0: none.  ext4 with data=journal takes O_DIRECT all the same, and buffers. */
	if (told && stx.stx_dio_offset_align == 0)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: filesystem %s, mounted as it is, does not do direct I/O; without it "
			"the page cache would be measured",
			t->path, t->fs);
	int flags = fcntl(t->fd, F_GETFL);
	if (flags < 0 || fcntl(t->fd, F_SETFL, flags | O_DIRECT) != 0)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: filesystem %s does not do direct I/O (%s); without it the page cache "
			"would be measured",
			t->path, t->fs, strerror(errno));
	if (told) {
		t->dio_mem_b = stx.stx_dio_mem_align;
		t->dio_offset_b = stx.stx_dio_offset_align;
	}
	return 0;
}

int
target_create(struct target *t, bool named, struct err *err)
{
	int rc = 0;
	if (!named)
		t->fd = openat(t->dir_fd, ".", O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	if (t->fd < 0 && !named && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)
		return err_sys(err, errno, "%s: creating the test file", t->path);
	if (t->fd < 0)
		rc = create_named(t, err);
	if (rc == 0)
		rc = make_direct(t, err);
	if (rc && t->fd >= 0) {
		close(t->fd);
		t->fd = -1;
	}
	return rc;
}

int
target_check_space(const struct target *t, struct err *err)
{
	struct statvfs vfs;
	if (t->fd < 0 || fstatvfs(t->fd, &vfs) != 0)
		return 0;
	uint64_t free_b = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	if (!safety_filling((uint64_t)vfs.f_blocks * vfs.f_frsize, free_b))
		return 0;
	return err_set(err, ERR_IO,
		"%s: the disk is being filled by others, %.1f GiB are free; the test file is given "
		"back",
		t->path, (double)free_b / 1073741824);
}

void
target_close(struct target *t)
{
	if (t->fd >= 0) {
		/* frees the blocks at once; should it fail, closing frees them as well */
		if (!t->hung)
			(void)!ftruncate(t->fd, 0);
		close(t->fd);
	}
	if (t->dir_fd >= 0)
		close(t->dir_fd);
	t->dir_fd = t->fd = -1;
}
