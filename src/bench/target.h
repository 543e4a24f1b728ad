/*
 * target.h - the folder to measure and the one file used for it, opened so that nothing else can be
 * touched and nothing stays behind.
 *
 * The folder is opened once; the file has no name (O_TMPFILE), or had one for a moment where the
 * filesystem cannot do that.  All later work goes through the two descriptors, so a path that
 * changes meanwhile leads nowhere, and the end of the process, however it comes, frees the space.
 */
#ifndef BENCH_TARGET_H
#define BENCH_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/devchain.h"
#include "bench/mounts.h"
#include "bench/safety.h"

struct target {
	int dir_fd, fd; /* -1: not open */
	char path[4096]; /* resolved, made printable: for people, nothing is opened by it */
	char fs[64];
	enum safety_fs fs_class;
	bool has_mount, has_device;
	struct mount_entry mount;
	struct devchain chain;
	bool root_disk; /* the disk that / is on */
	bool hung; /* requests never came back: whatever waits for them is not done */
	uint64_t total_b, free_b; /* of the filesystem; free to ordinary users */
	uint32_t dio_mem_b, dio_offset_b; /* direct I/O alignment; 0: not told */
	uint32_t logical_b; /* logical block of the device; 0: not told */
	int rotational; /* flag, as the kernel says; -1: not told */
};

/*
 * Open the folder and check it.  ERR_NOT_FOUND, ERR_IO, ERR_INTERRUPTED, and ERR_REFUSED for
 * anything that is not a folder on a writable disk filesystem (or one allowed by `allow`).  On
 * failure nothing is open.
 */
int target_open(
	const char *dir, const struct safety_allow *allow, struct target *t, struct err *err);

/*
 * Create the file: new, empty, direct I/O, owner only.  `named` forces the way of filesystems
 * without O_TMPFILE (for tests): created exclusively under a name of its own and unlinked at once.
 * ERR_IO; ERR_UNSUPPORTED when the filesystem refuses direct I/O; ERR_REFUSED when what was created
 * is not a file of ours alone (somebody linked or replaced the name).
 */
int target_create(struct target *t, bool named, struct err *err);

/* Through the page cache from here on, as careless benchmarks do. */
int target_make_buffered(struct target *t, struct err *err);

/*
 * Asked while the file grows: ERR_IO when no more than what is to stay free is left (safety_spare_b),
 * so that the file never takes from that, whatever others do meanwhile.
 */
int target_check_growth(const struct target *t, struct err *err);

/* ERR_IO when others have filled the filesystem meanwhile (safety_filling); 0 when nothing is open. */
int target_check_space(const struct target *t, struct err *err);

/* Free the file's blocks and close both. */
void target_close(struct target *t);

#endif /* BENCH_TARGET_H */
