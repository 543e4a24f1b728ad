#include "bench/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/printable.h"

/* Why `dir` could not be opened as a folder.  It is looked at again only to word the refusal. */
static int
explain_open(const char *dir, const char *shown, int errnum, struct err *err)
{
	struct stat st;
	switch (errnum) {
	case EINTR:
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	case ENOENT:
		return err_set(err, ERR_NOT_FOUND, "%s: no such folder", shown);
	case ELOOP:
	case ENAMETOOLONG:
		return err_set(
			err, ERR_NOT_FOUND, "%s: leads to no folder: %s", shown, strerror(errnum));
	case ENOTDIR:
		break;
	default:
		return err_sys(err, errnum, "%s", shown);
	}
	if (stat(dir, &st) != 0)
		return err_set(err, ERR_NOT_FOUND, "%s: no such folder", shown);
	const char *what = S_ISBLK(st.st_mode)   ? "a block device"
			   : S_ISCHR(st.st_mode) ? "a character device"
			   : S_ISREG(st.st_mode) ? "a file"
						 : "not a folder";
	return err_set(err, ERR_REFUSED,
		"%s: is %s; devices and existing files are never written to: give a folder on the "
		"disk to measure",
		shown, what);
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

/* Whoever mounts may write anything as source: it is believed of a disk filesystem only. */
static bool
find_chain(int fd, const struct mount_entry *m, enum safety_fs fs, struct devchain *chain)
{
	struct stat st;
	unsigned dev_major, dev_minor;
	if (fstat(fd, &st) == 0 && devchain_read("/sys", major(st.st_dev), minor(st.st_dev), chain))
		return true;
	return m && fs == SAFETY_FS_DISK && source_device(m, &dev_major, &dev_minor) &&
	       devchain_read("/sys", dev_major, dev_minor, chain);
}

static int
ask_fs(int fd, struct statfs *fs, struct statvfs *vfs, struct err *err)
{
	if (fstatfs(fd, fs) == 0 && fstatvfs(fd, vfs) == 0)
		return 0;
	return err_sys(err, errno, "asking for the filesystem");
}

/* A backslash makes the next character part of a folder's name (overlayfs). */
static void
drop_backslashes(char *text)
{
	char *to = text;
	for (const char *p = text; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		*to++ = *p;
	}
	*to = '\0';
}

/*
 * An overlay writes to its upper folder: that filesystem is the one to judge.  -1 when this is no
 * overlay, or one whose upper folder cannot be seen from here (a container): what lies at that path
 * here may be another folder.  statfs() of an overlay is that of its upper folder but for the type.
 */
static int
open_overlay_upper(const struct target *t)
{
	char upper[MOUNT_TEXT];
	if (!t->has_mount || strcmp(t->mount.fstype, "overlay") != 0 ||
		!mount_option(t->mount.options, "upperdir", upper, sizeof(upper)) ||
		upper[0] != '/')
		return -1;
	drop_backslashes(upper);
	int fd = open(upper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs own, under;
	if (fd >= 0 && fstatfs(t->dir_fd, &own) == 0 && fstatfs(fd, &under) == 0 &&
		own.f_blocks == under.f_blocks && own.f_bsize == under.f_bsize &&
		own.f_files == under.f_files)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
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
	struct statfs fs;
	const char *name;
	enum safety_fs class = fstatfs(fd, &fs) == 0 ? safety_fs_of((uint32_t)fs.f_type, &name)
						     : SAFETY_FS_UNKNOWN;
	if (find_chain(fd, has_mount ? &m : NULL, class, &root))
		t->root_disk = t->has_device && strcmp(root.disk, t->chain.disk) == 0;
	close(fd);
}

/* What the kernel says about the filesystem of fd. */
static int
describe(struct target *t, int fd, struct err *err)
{
	struct statfs fs = {0};
	struct statvfs vfs = {0};
	int rc = ask_fs(t->dir_fd, &fs, &vfs, err);
	bool read_only = vfs.f_flag & ST_RDONLY; /* the overlay's; next, of what is below it */
	if (rc == 0)
		rc = ask_fs(fd, &fs, &vfs, err);
	if (rc)
		return rc;
	if (read_only || (vfs.f_flag & ST_RDONLY))
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
	t->has_device = find_chain(fd, t->has_mount ? &t->mount : NULL, t->fs_class, &t->chain);
	return 0;
}

/* A whole number that the kernel tells about the device; `otherwise` when it does not. */
static long
device_number(const struct target *t, const char *attribute, long otherwise)
{
	char text[32], *end;
	if (!t->has_device ||
		!devchain_attribute("/sys", t->chain.disk, attribute, text, sizeof(text)))
		return otherwise;
	long v = strtol(text, &end, 10);
	return end == text || v < 0 || v > 1 << 30 ? otherwise : v;
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
	t->logical_b = (uint32_t)device_number(t, "queue/logical_block_size", 0);
	t->rotational = (int)device_number(t, "queue/rotational", -1);
	return 0;
}

/*
 * The path for people, and whether the folder is where nothing is ever written: by that path, or
 * because it is of the same filesystem as /dev, /proc or /sys, mounted elsewhere.
 */
static int
check_place(struct target *t, struct err *err)
{
	static const char *const never[] = {"/dev", "/proc", "/sys"};
	static const char removed[] = " (deleted)";
	struct stat own, root, st;
	int rc = safety_check_path(t->path, err);
	if (rc)
		return rc;
	if (fstat(t->dir_fd, &own) != 0 || stat("/", &root) != 0)
		return err_sys(err, errno, "%s", t->path);
	size_t n = strlen(t->path), end = sizeof(removed) - 1;
	if (own.st_nlink == 0 && n > end && strcmp(t->path + n - end, removed) == 0)
		return err_set(err, ERR_NOT_FOUND, "%.*s: the folder was removed", (int)(n - end),
			t->path);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (stat(never[i], &st) == 0 && st.st_dev == own.st_dev && st.st_dev != root.st_dev)
			return err_set(err, ERR_REFUSED,
				"%s: lies on the filesystem of %s, nothing of which is ever "
				"written to; give a folder on the disk to measure",
				t->path, never[i]);
	}
	return 0;
}

/* The path of the open folder, whatever it was opened by. */
static bool
real_path(struct target *t)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", t->dir_fd);
	ssize_t n = readlink(link, t->path, sizeof(t->path) - 1);
	t->path[n > 0 ? n : 0] = '\0';
	return n > 0 && (size_t)n < sizeof(t->path) - 1 && t->path[0] == '/';
}

int
target_open(const char *dir, const struct safety_allow *allow, struct target *t, struct err *err)
{
	char shown[512];
	memset(t, 0, sizeof(*t));
	t->fd = -1;
	snprintf(shown, sizeof(shown), "%s", dir);
	printable(shown, false);
	/* O_DIRECTORY: a FIFO or device is refused by the kernel before it is opened */
	t->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->dir_fd < 0)
		return explain_open(dir, shown, errno, err);
	int rc = real_path(t)
			 ? check_place(t, err)
			 : err_set(err, ERR_REFUSED, "%s: its real path cannot be told", shown);
	printable(t->path, false);
	if (rc == 0)
		rc = inspect(t, allow, err);
	if (rc)
		target_close(t);
	return rc;
}

/* Remove the name, unless it is another file's by now. */
static int
unlink_own(const struct target *t, const char *name)
{
	struct stat own, st;
	if (fstat(t->fd, &own) != 0 || fstatat(t->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	if (st.st_dev != own.st_dev || st.st_ino != own.st_ino)
		return EEXIST;
	return unlinkat(t->dir_fd, name, 0) == 0 ? 0 : errno;
}

/*
 * Create under a name nobody else can have, and unlink; signals wait so that both happen.  What is
 * left is the moment between the two: SIGKILL then leaves an empty file.
 */
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
	int errnum = t->fd < 0 ? errno : unlink_own(t, name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return errnum ? err_sys(err, errnum, "%s: creating the test file", t->path) : 0;
}

/*
 * The file is what was asked for before a byte goes into it: new, on the mount of the folder, and
 * without a name.  One that somebody gave another name meanwhile would stay.  (NFS and FUSE keep a
 * hidden name until the file is closed.)
 */
static int
check_created(const struct target *t, struct err *err)
{
	struct stat st;
	struct statx dir, file;
	if (fstat(t->fd, &st) != 0 ||
		statx(t->dir_fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &dir) != 0 ||
		statx(t->fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &file) != 0)
		return err_sys(err, errno, "%s: looking at the test file", t->path);
	bool same_mount = !(dir.stx_mask & file.stx_mask & STATX_MNT_ID) ||
			  dir.stx_mnt_id == file.stx_mnt_id;
	bool named = st.st_nlink > 0 && t->fs_class != SAFETY_FS_NETWORK;
	if (S_ISREG(st.st_mode) && st.st_size == 0 && same_mount && !named)
		return 0;
	return err_set(err, ERR_REFUSED,
		"%s: the test file is not a new one of its own%s: not written to", t->path,
		named ? ", somebody gave it another name" : "");
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
		rc = check_created(t, err);
	if (rc == 0)
		rc = make_direct(t, err);
	if (rc && t->fd >= 0) {
		close(t->fd);
		t->fd = -1;
	}
	return rc;
}

int
target_make_buffered(struct target *t, struct err *err)
{
	int flags = fcntl(t->fd, F_GETFL);
	if (flags < 0 || fcntl(t->fd, F_SETFL, flags & ~O_DIRECT) != 0)
		return err_sys(err, errno, "%s: switching direct I/O off", t->path);
	return 0;
}

/* Free and total bytes now; false: nothing is open, or the kernel does not say. */
static bool
space_now(const struct target *t, uint64_t *total_b, uint64_t *free_b)
{
	struct statvfs vfs;
	if (t->fd < 0 || fstatvfs(t->fd, &vfs) != 0)
		return false;
	*total_b = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	*free_b = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	return true;
}

static int
being_filled(const struct target *t, uint64_t free_b, struct err *err)
{
	return err_set(err, ERR_IO,
		"%s: the disk is being filled by others, %.1f GiB are free; the test file is given "
		"back",
		t->path, (double)free_b / 1073741824);
}

int
target_check_space(const struct target *t, struct err *err)
{
	uint64_t total_b, free_b;
	if (!space_now(t, &total_b, &free_b) || !safety_filling(total_b, free_b))
		return 0;
	return being_filled(t, free_b, err);
}

int
target_check_growth(const struct target *t, struct err *err)
{
	uint64_t total_b, free_b;
	if (!space_now(t, &total_b, &free_b) || safety_spare_b(total_b, free_b) > 0)
		return 0;
	return being_filled(t, free_b, err);
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
