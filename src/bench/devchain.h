/*
 * devchain.h - the block devices under a filesystem, from sysfs: "dm-0 < vda2 < vda".
 */
#ifndef BENCH_DEVCHAIN_H
#define BENCH_DEVCHAIN_H

#include <stdbool.h>

enum { DEVCHAIN_NAME = 64 };

struct devchain {
	char top[DEVCHAIN_NAME]; /* what the filesystem sees */
	char disk[DEVCHAIN_NAME]; /* the whole disk at the bottom; below a fork (RAID), the fork */
	char text[512];
	bool forked; /* several devices below `disk` */
};

/* sys_root is "/sys" (tests bring their own).  False: no such device there. */
bool devchain_read(const char *sys_root, unsigned major, unsigned minor, struct devchain *chain);

/* First line of sys_root/class/block/DEVICE/ATTRIBUTE, without trailing space; false: unreadable. */
bool devchain_attribute(
	const char *sys_root, const char *device, const char *attribute, char *text, unsigned size);

#endif /* BENCH_DEVCHAIN_H */
