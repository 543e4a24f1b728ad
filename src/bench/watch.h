/*
 * watch.h - what the machine did while a slice ran: the device's counters, stolen and own processor
 * time.  An engine with counters of its own is asked for them; of a simulated one the processor says
 * nothing.
 */
#ifndef BENCH_WATCH_H
#define BENCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/client.h"
#include "bench/diskstats.h"
#include "bench/engine.h"

struct watch {
	const char *device; /* kernel name; NULL: not known, or a simulation */
	const struct engine_run *run;
	bool has_disk;
	struct diskstats disk;
	double steal_ticks, idle_ticks, cpu_ticks; /* of all processors */
	double own_cpu_s;
	struct client client;
	int64_t at_ns;
};

struct watch_result {
	struct diskstats_share share; /* NaN: not known */
	double steal_frac, own_cpu_s, wall_s; /* NaN: not known */
	double busy_frac; /* of all processor time, whoever used it; NaN: not known */
	struct client_share client; /* of this thread */
	double flushes; /* of the device; NaN: not counted by this kernel */
};

/* Look now; `device` and `run` must be set. */
void watch_begin(struct watch *w);
/* Look again; own_ios and own_b: what we moved between the two. */
struct watch_result watch_end(const struct watch *w, uint64_t own_ios, uint64_t own_b);

/* Share of the next `seconds` in which the device had I/O outstanding; NaN when not known. */
double watch_busy_frac(const char *device, double seconds);

/*
 * Keep the processors out of deep sleep: /dev/cpu_dma_latency held at 0, since waking an idle core
 * adds up to 0.1 ms to a read at depth 1.  The descriptor to close, or -1 when not allowed.
 */
int watch_stay_awake(void);

#endif /* BENCH_WATCH_H */
