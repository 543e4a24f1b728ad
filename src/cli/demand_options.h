/*
 * demand_options.h - what the user of `tierwise demand` says beside the evidence: whose volumes the devices are, what
 * was bought, what is asked for.
 */
#ifndef CLI_DEMAND_OPTIONS_H
#define CLI_DEMAND_OPTIONS_H

#include <argp.h>

#include "base/arena.h"
#include "workload/need.h"

/* Only in the options: the arena is the command's. */
struct demand_capacity {
	const char *device;
	double gib;
};

/* What was seen elsewhere: --observed start_transfer_ms=14. */
struct demand_observed {
	const char *name;
	double value;
};

struct demand_options {
	struct arena *arena; /* set before parsing */
	struct need_options need;
	struct need_cap *caps;
	struct need_role *roles;
	struct need_host_cache *host_caches;
	struct demand_capacity *capacities;
	size_t n_capacities;
	struct demand_observed *observed;
	size_t n_observed;
	double p99_limit_us; /* of histograms; NaN: none */
	const char *system, *provider, *region; /* of the workload document; NULL: left out */
	int engine; /* enum workload_engine; -1: left out */
};

void demand_options_init(struct demand_options *o, struct arena *a);

/* Its input is a struct demand_options. */
extern const struct argp demand_options_argp;

/* Joins roles with capacities; ERR_USAGE for a capacity of a device without a role. */
int demand_options_check(struct demand_options *o, struct err *err);

#endif /* CLI_DEMAND_OPTIONS_H */
