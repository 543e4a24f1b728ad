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

/* How far the kernel reads ahead on the device, 0: not at all; NaN: it does not tell. */
double environment_read_ahead_kib(const struct target *t);

/*
 * The provider of a virtual machine ("aws", "azure", "gcp", ...: the words of price books where
 * they have one), from the firmware's texts in `dmi` (usually /sys/class/dmi/id); NULL: none of
 * those known.
 */
const char *environment_cloud(const char *dmi);

/* Mean cost of one clock read, over a thousand. */
double environment_clock_ns(void);

struct environment_loop {
	const char *file; /* the loop device is made of it; NULL: the disk is no loop device */
	bool cached; /* read and written through the page cache */
	bool memory; /* the file lies in memory */
};

/* Text lives in the arena. */
void environment_loop_file(const struct target *t, struct arena *a, struct environment_loop *loop);

/* What is memory below the folder ("filesystem tmpfs", "device zram0"), in the arena; NULL: nothing
 * that can be seen. */
const char *environment_memory(const struct target *t, struct arena *a);

#endif /* BENCH_ENVIRONMENT_H */
