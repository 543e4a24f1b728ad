/*
 * scratch.h - a folder of its own for a test, and mounts that nobody else sees and that end with the
 * test: the program moves into a mount namespace of its own where it may.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* True when mounts can be made from here on, seen by this process alone. */
static inline bool
scratch_own_mounts(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* Entries of a folder, "." and ".." not counted; -1: cannot be read. */
static inline int
scratch_entries(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;
	if (!d)
		return -1;
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

/*
 * A loop device on an open file, gone when its last user has closed it; its descriptor, or -1.
 * The node's name goes to `path`.
 */
static inline int
scratch_loop(int file_fd, char path[64])
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd = -1;
	for (int i = 0; i < 8 && fd < 0 && control >= 0; i++) { /* others take free ones, too */
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		struct loop_config c = {
			.fd = (uint32_t)file_fd, .info.lo_flags = LO_FLAGS_AUTOCLEAR};
		if (number < 0)
			break;
		snprintf(path, 64, "/dev/loop%d", number);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &c) != 0) {
			close(fd);
			fd = -1;
		}
	}
	if (control >= 0)
		close(control);
	return fd;
}

/* Remove a tree with what is mounted in it; not followed: links. */
static inline void
scratch_remove(const char *path)
{
	struct stat st;
	if (umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
		while (umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
			;
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		chmod(path, 0700);
		DIR *d = opendir(path);
		for (struct dirent *e; d && (e = readdir(d));) {
			char child[4096];
			if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
				continue;
			snprintf(child, sizeof(child), "%s/%.255s", path, e->d_name);
			scratch_remove(child);
		}
		if (d)
			closedir(d);
	}
	remove(path);
}

#endif /* TESTS_SCRATCH_H */
