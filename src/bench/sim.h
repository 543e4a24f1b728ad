/*
 * sim.h - the law of the simulated disk, and how it is written on the command line:
 * "read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,sigma=0.3,seed=1".
 *
 * A request passes, one after another in time and in the order of arrival:
 *
 *   host's cache -> IOPS tokens -> bytes -> a free slot -> its service time
 *
 * Tokens: one is handed out every 1/iops, a byte every 1/mbps; those not taken are kept for
 * burst_ms (0: not at all).  A request takes ceil(size / unit_kib) tokens and its bytes.  Reads and writes share
 * them; a flush needs none.
 * Credits (burst_ios, burst_mb): full at the start, refilled at iops (mbps), one taken per token
 * (byte); while they last tokens come at burst_iops (burst_mbps; 0: at once).  So a burst from full
 * credits at full rate lasts credits / (burst - base) seconds.  throttle_ms: tokens are given out at
 * the start of slices of that length, those of the slice at once, as the block throttle of Linux
 * does: latencies have two modes, the mean rate is exact.
 *
 * Slots: so many requests (flushes too) are served at once, any number when 0.  The service time is
 *   (read_us, write_us, or seq_us when it starts within 1 MiB of the end of the one before it, then
 *   with size / mbps on top) + kib_us x size + touch_us for a write that reaches beyond all before it,
 * times (1 + drift_frac x minutes since the start), times exp(sigma z), z standard normal: the base
 * is the median and the mean is base x exp(sigma^2 / 2).  At depth q below every cap the rate is
 * q / base; at a cap it is the cap and the latency q / cap (Little).
 *
 * Flush: fsync_us with drift and spread, each on its own, any number in parallel as far as there are
 * slots; one that covers the writes of others saves nothing.  fsync_us 0: no volatile cache; the
 * kernel sends no flush to such a disk and none is counted.  flush_holds 1: what comes during a
 * flush waits for its end, as on a loop device.  append_us: the filesystem's journal commit, on top
 * of the sync of a log that grows; engine.commit only, since a sync alone does not know.
 *
 * Read cache (cache_mib): the 4 KiB blocks read or written last (LRU); a read of nothing but these
 * takes cache_us and neither tokens nor a slot.  Write cache (wcache_mib): a write is acknowledged
 * after wcache_us while no more than so much is dirty; at most SIM_DRAIN_DEPTH writes at a time go
 * from there to the disk in the order they came, by the law above and beside other requests.  When
 * it is full a write waits for room, so writes go at the disk's rate.  From empty it fills in
 * size / (rate in - rate out).  One that is larger than the cache goes past it.  flush_drains 1: a
 * flush waits until as much has reached the disk as was dirty when it came; 0: the cache is safe.
 * The write cache serves no reads.
 *
 * Others (foreign_iops): reads of foreign_kib elsewhere on the disk, Poisson at that rate, at most
 * SIM_FOREIGN_MAX outstanding, more are not made; with foreign_every_s only in the first
 * foreign_on_s of each such time.  They take tokens and slots and are in the counters.
 *
 * compress: requests whose data are zeros but for the stamps take this share of the service time and
 * of the bytes' tokens; in a mixture in proportion.
 *
 * Stored stamps are real: what was written is what is read, unless lose_every or fail_after says
 * otherwise.
 */
#ifndef BENCH_SIM_H
#define BENCH_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { SIM_DRAIN_DEPTH = 32, SIM_FOREIGN_MAX = 128, SIM_SLOTS_MAX = 256 };

struct sim_law {
	double read_us, write_us, fsync_us; /* median service times */
	double append_us; /* on top of the sync of an append */
	double seq_us; /* -1: as any other */
	double kib_us; /* per KiB moved */
	double touch_us; /* on top of the first write of a block, from the file's start on */
	double sigma; /* of the logarithm; 0: constant */
	double drift_frac; /* per minute */
	double slots; /* 0: any number */
	double iops; /* 0: no cap */
	double unit_kib; /* one token pays for so much */
	double burst_ms; /* unused tokens and bytes are kept so long */
	double burst_iops, burst_ios; /* burst_ios 0: no credits */
	double mbps; /* 10^6 bytes/s; 0: no cap */
	double burst_mbps, burst_mb; /* 10^6 bytes; burst_mb 0: no credits */
	double throttle_ms; /* 0: tokens one by one */
	double cache_mib, cache_us; /* cache_mib 0: no read cache */
	double wcache_mib, wcache_us; /* wcache_mib 0: no write cache */
	double flush_drains, flush_holds; /* 0 or 1 */
	double foreign_iops, foreign_kib;
	double foreign_on_s, foreign_every_s; /* foreign_every_s 0: always */
	double compress; /* 1: zeros are as any data */
	double seed;
	double lose_every; /* every n-th write is acknowledged but not stored; 0: none */
	double fail_after; /* requests from the n-th on end with EIO; 0: never */
};

/* A parameter as it is written. */
struct sim_param {
	const char *name;
	size_t offset; /* of the double in struct sim_law */
	double min, max, fallback;
	int whole; /* must be a whole number */
};

extern const struct sim_param sim_params[];
extern const size_t n_sim_params;

/*
 * Parse; NULL or "" gives the defaults: read 250, write 150, fsync 100 us, no caps, no spread, no
 * caches, seed 1.  ERR_PARSE for an unknown or repeated key or a bad number; ERR_RANGE outside the
 * accepted range, or for parameters that do not go together.
 */
int sim_law_parse(const char *text, struct sim_law *law, struct err *err);

#endif /* BENCH_SIM_H */
