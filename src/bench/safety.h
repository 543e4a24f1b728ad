/*
 * safety.h - what is never measured, and how much may be written.  Pure decisions: target.c asks
 * the kernel, these functions judge the answers.
 */
#ifndef BENCH_SAFETY_H
#define BENCH_SAFETY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum safety_fs {
	SAFETY_FS_DISK,
	SAFETY_FS_RAM, /* tmpfs, ramfs: measures memory */
	SAFETY_FS_NETWORK, /* network and FUSE: another machine or process answers */
	SAFETY_FS_PSEUDO, /* proc, sysfs and the like: files are switches */
	SAFETY_FS_UNKNOWN,
};

struct safety_allow {
	bool ram, network; /* --allow-ram, --allow-network */
};

/* Class and name of a filesystem by the magic number of statfs(2). */
enum safety_fs safety_fs_of(uint64_t magic, const char **name);

/* ERR_REFUSED for a resolved path that is or lies under /dev, /proc or /sys. */
int safety_check_path(const char *resolved, struct err *err);

/* ERR_REFUSED for a class that is not allowed; has_device: a block device is known below it. */
int safety_check_fs(enum safety_fs fs, const char *name, bool has_device,
	const struct safety_allow *allow, struct err *err);

/* ERR_REFUSED for a block device that is memory (zram, ram). */
int safety_check_device(const char *name, const struct safety_allow *allow, struct err *err);

/*
 * Bytes that may be written so that max(10 % of total, 2 GiB) stay free; 0 when none.  The test file
 * is sized by it and stops growing when it is 0: it never takes from what is to stay free.
 */
uint64_t safety_spare_b(uint64_t total_b, uint64_t free_b);

/*
 * Somebody else fills the disk: not even half of what is to stay free is left, and the test file is
 * given back.  (Half: what is to stay free is there for others to use, a little of it for a while is
 * no reason to lose a measurement.)
 */
bool safety_filling(uint64_t total_b, uint64_t free_b);

#endif /* BENCH_SAFETY_H */
