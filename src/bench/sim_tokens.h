/*
 * sim_tokens.h - a token bucket of the simulated disk: so many a second, some saved up, handed out
 * at once or in slices.
 *
 * Times are nanoseconds of virtual time, in double since a token may cost a fraction of one.
 */
#ifndef BENCH_SIM_TOKENS_H
#define BENCH_SIM_TOKENS_H

struct sim_tokens {
	double cost_ns; /* of a token; 0: no limit */
	double saved_ns; /* what can be saved up, as time */
	double slice_ns; /* 0: no slices */
	double next_ns; /* when the tokens handed out so far are paid for */
};

/* A full bucket.  per_s 0: no limit; saved_s: tokens of so long are kept when nobody takes them;
 * slice_ms 0: none. */
void sim_tokens_init(struct sim_tokens *t, double per_s, double saved_s, double slice_ms);

/*
 * Take n tokens for a request that asks at at_ns, in the order of the calls; when it may go on.  One
 * that finds a token goes on at once and those after it wait until all n are paid for.  With slices
 * the tokens of a whole slice are there at its start.
 */
double sim_tokens_take(struct sim_tokens *t, double at_ns, double n);

#endif /* BENCH_SIM_TOKENS_H */
