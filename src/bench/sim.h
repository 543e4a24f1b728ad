/*
 * sim.h - the law of the simulated disk, and how it is written on the command line:
 * "read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,sigma=0.3,seed=1".
 *
 * A request first passes two token queues one after another in time (IOPS, then bytes): each lets
 * one through every 1/iops and every bytes/mbps, without burst.  Then it takes its own service
 * time: base x exp(sigma z), z standard normal, so the base is the median and the mean is base x
 * exp(sigma^2 / 2).  Any number are served at once.  At depth q below the cap the rate is q / base;
 * at the cap the latency is q / cap (Little).  A sync takes fsync_us with the same spread.
 *
 * Stored stamps are real: what was written is what is read, unless lose_every or fail_after says
 * otherwise.
 */
#ifndef BENCH_SIM_H
#define BENCH_SIM_H

#include <stdint.h>

#include "base/err.h"

struct sim_law {
	double read_us, write_us, fsync_us; /* median service times */
	double iops; /* 0: no cap */
	double mbps; /* 10^6 bytes/s; 0: no cap */
	double sigma; /* of the logarithm; 0: constant */
	double seed;
	double lose_every; /* every n-th write is acknowledged but not stored; 0: none */
	double fail_after; /* requests from the n-th on end with EIO; 0: never */
};

/*
 * Parse; NULL or "" gives the defaults (read 250, write 150, fsync 100 us, no caps, no spread, seed
 * 1).  ERR_PARSE for an unknown or repeated key or a bad number, ERR_RANGE outside the accepted
 * range.
 */
int sim_law_parse(const char *text, struct sim_law *law, struct err *err);

#endif /* BENCH_SIM_H */
