/*
 * environment.h - where a measurement runs: what makes two profiles comparable or not.
 */
#ifndef BENCH_ENVIRONMENT_H
#define BENCH_ENVIRONMENT_H

#include "base/arena.h"
#include "bench/target.h"
#include "profile/profile.h"

/* What can be read; the rest stays absent.  Text lives in the arena. */
void environment_read(const struct target *t, struct arena *a, struct profile_environment *e);

/* Kind of device as far as the kernel tells: enum profile_device, -1 when it does not. */
int environment_device_kind(const struct target *t, const struct profile_environment *e);

/*
 * Limits of a control group on this device that would be measured instead of the disk
 * ("rbps=1048576 riops=max ..."), or NULL.  Versions 1 and 2, mounted where they usually are.
 */
const char *environment_io_limit(const struct target *t, struct arena *a);

/* The group of a controller ("": version 2) in the text of /proc/self/cgroup; false: none. */
bool environment_cgroup_path(const char *text, const char *controller, char *path, size_t size);

/*
 * The file a loop device is made of, NULL when the disk is none; *cached: it is read and written
 * through the page cache, or lies in memory, so that no disk need answer.
 */
const char *environment_loop_file(const struct target *t, struct arena *a, bool *cached);

#endif /* BENCH_ENVIRONMENT_H */
