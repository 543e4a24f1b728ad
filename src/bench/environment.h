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

/* Limits of control groups on this device (limits.h), or NULL. */
const char *environment_io_limit(const struct target *t, struct arena *a);

/*
 * The provider of a virtual machine ("aws", "azure", "gcp", ...: the words of price books where
 * they have one), from the firmware's texts in `dmi` (usually /sys/class/dmi/id); NULL: none of
 * those known.
 */
const char *environment_cloud(const char *dmi);

/* Mean cost of one clock read, over a thousand. */
double environment_clock_ns(void);

/*
 * The file a loop device is made of, NULL when the disk is none; *cached: it is read and written
 * through the page cache, or lies in memory, so that no disk need answer.
 */
const char *environment_loop_file(const struct target *t, struct arena *a, bool *cached);

#endif /* BENCH_ENVIRONMENT_H */
