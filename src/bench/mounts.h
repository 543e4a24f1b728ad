/*
 * mounts.h - the mount a file lies on, from /proc/self/mountinfo (proc(5)).
 */
#ifndef BENCH_MOUNTS_H
#define BENCH_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOUNT_TEXT = 4096 };

struct mount_entry {
	uint64_t id;
	unsigned major, minor;
	char point[MOUNT_TEXT], fstype[64], source[MOUNT_TEXT];
	/* Per mount, then per filesystem: "rw,relatime,discard".  As written there, not decoded;
	 * without the lower folders of an overlay. */
	char options[MOUNT_TEXT];
};

/* The mount with that id in the text of mountinfo; \040 and the like are decoded (not in options). */
bool mount_parse(const char *text, uint64_t id, struct mount_entry *m);

/* The mount of an open file, by the kernel's mount id (Linux 5.8) or else by device number. */
bool mount_of_fd(int fd, struct mount_entry *m);

/* The value of key= in such an option text, decoded; false when absent or too long. */
bool mount_option(const char *options, const char *key, char *value, size_t size);

#endif /* BENCH_MOUNTS_H */
