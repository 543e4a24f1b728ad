/*
 * commit_cost DIR MODE PATTERN BLOCK_B WRITERS SECONDS [AREA_MIB] - commits per second of
 * commit_run() on a real disk, for commit_beside.sh.  The file has no name; overwrite: AREA_MIB
 * (default 64) of it are written first, append: it grows from nothing, or from AREA_MIB when given.
 *
 * One line: commits per second, p50, p99, mean of the write, mean of the sync (us; 0: none).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/commit.h"
#include "bench/engine.h"
#include "bench/load.h"
#include "bench/target.h"

enum { LAY_B = 1 << 20 };

static struct target target;
static struct load load;
static struct hist both, part_write, part_sync;

static int
lay(int64_t area_b, struct err *err)
{
	struct load_config c = {.bs_b = LAY_B,
		.qd = 1,
		.sequential = true,
		.end_b = area_b,
		.window_s = 3600,
		.max_b = UINT64_MAX};
	struct load_result r;
	if (area_b == 0)
		return 0;
	int rc = load_run(&load, &c, (struct hist *const[2]){NULL, &both}, &r, err);
	if (rc == 0 && r.all_b != (uint64_t)area_b) /* else overwriting would fill holes */
		rc = err_set(err, ERR_IO, "only %llu of %lld bytes of the area were written",
			(unsigned long long)r.all_b, (long long)area_b);
	return rc;
}

static int
measure(const struct commit_config *c, struct err *err)
{
	const struct commit_lat lat = {&both, &part_write, &part_sync};
	struct commit_result r;
	int rc = lay(c->pattern == PROFILE_APPEND ? c->from_b : c->end_b, err);
	hist_init(&both);
	hist_init(&part_write);
	hist_init(&part_sync);
	if (rc == 0)
		rc = commit_run(&load, target.fd, c, &lat, &r, err);
	if (rc || r.commits == 0)
		return rc ? rc : err_set(err, ERR_INCONCLUSIVE, "no commits");
	printf("%.1f %.1f %.1f %.1f %.1f\n", (double)r.commits * 1e9 / (double)r.window_ns,
		hist_quantile_ns(&both, 0.5) / 1000, hist_quantile_ns(&both, 0.99) / 1000,
		hist_mean_ns(&part_write) / 1000,
		part_sync.n ? hist_mean_ns(&part_sync) / 1000 : 0);
	return 0;
}

static int
run(char **argv, int64_t area_mib, struct err *err)
{
	const struct safety_allow none = {false, false};
	struct engine_run er = {0};
	const char *args;
	struct commit_config c = {.mode = names_find(&profile_sync_mode_names, argv[2]),
		.pattern = names_find(&profile_pattern_names, argv[3]),
		.bs_b = strtoul(argv[4], NULL, 10),
		.writers = (unsigned)strtoul(argv[5], NULL, 10),
		.window_s = strtod(argv[6], NULL),
		.ramp_s = 0.1,
		.max_b = UINT64_MAX};
	if (c.mode < 0 || c.pattern < 0 || c.bs_b == 0 || c.writers == 0)
		return err_set(err, ERR_USAGE, "%s %s %s %s", argv[2], argv[3], argv[4], argv[5]);
	bool append = c.pattern == PROFILE_APPEND;
	int64_t area_b = area_mib << 20;
	c.from_b = append ? area_b : 0;
	c.end_b = append ? INT64_MAX / 2 : area_b;
	int rc = engine_find("psync", &er.engine, &args, err);
	if (rc == 0)
		rc = target_open(argv[1], &none, &target, err);
	if (rc)
		return rc;
	rc = target_create(&target, false, err);
	struct engine_config ec = {.fd = target.fd, .depth = 1};
	if (rc == 0)
		rc = er.engine->open(&ec, &er.state, err);
	uint64_t seed = (uint64_t)clock_ns();
	if (rc == 0)
		rc = load_init(&load, er, (struct load_seeds){seed, seed}, NULL, err);
	if (rc == 0) {
		rc = measure(&c, err);
		load_fini(&load);
	}
	if (er.state)
		er.engine->close(er.state);
	target_close(&target);
	return rc;
}

int
main(int argc, char **argv)
{
	struct err err = {0};
	if (argc < 7) {
		fprintf(stderr,
			"commit_cost DIR MODE PATTERN BLOCK_B WRITERS SECONDS [AREA_MIB]\n");
		return 2;
	}
	bool append = strcmp(argv[3], "append") == 0;
	int64_t area_mib = argc > 7 ? strtol(argv[7], NULL, 10) : append ? 0 : 64;
	if (run(argv, area_mib, &err)) {
		fprintf(stderr, "commit_cost: %s\n", err.text);
		return 1;
	}
	return 0;
}
