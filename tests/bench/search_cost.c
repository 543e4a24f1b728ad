/*
 * search_cost.c - one joint search over all Azure tiers and 10 machine sizes, for tests/bench/search_cost.sh
 * to time and count.
 *
 * Usage: search_cost SOURCE VOLUMES TPS COMMIT_MS TX_MS SIZE TURNS.  TPS 0: no transaction profile, and
 * nothing is decided together; "nan" promises nothing.  Prints one line of words and figures.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "search_case.h"

static double
seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
print(const struct search_case *s, const struct choice *choice, double made_s, double each_s)
{
	const struct search_counts *n = &choice->counts;
	size_t offered = 0, undominated = 0, left = 0;
	for (size_t v = 0; v < s->chooser.set.n; v++) {
		offered += n->volumes[v].offered;
		undominated += n->volumes[v].undominated;
		left += n->volumes[v].left;
	}
	printf("candidates_s %.4f search_s %.6f found %d cost %.6f bound %.6f machines %zu "
	       "offered %zu undominated %zu left %zu nodes %zu cut_cost %zu cut_cap %zu cut_seen "
	       "%zu "
	       "cut_joint %zu asked %zu predictions %zu\n",
		made_s, each_s, choice->found, choice->monthly, n->root_bound, n->machines, offered,
		undominated, left, n->visited, n->cut_by_cost, n->cut_by_cap, n->cut_by_seen,
		n->cut_by_joint, n->asked, s->chooser.n_predictions);
}

int
main(int argc, char **argv)
{
	static struct search_case s;
	if (argc != 8) {
		fprintf(stderr,
			"usage: search_cost SOURCE VOLUMES TPS COMMIT_MS TX_MS SIZE TURNS\n");
		return 2;
	}
	const struct search_ask ask = {.volumes = strtoul(argv[2], NULL, 10),
		.tps = strtod(argv[3], NULL),
		.commit_p99_ms = strtod(argv[4], NULL),
		.tx_p99_ms = strtod(argv[5], NULL),
		.size = strtod(argv[6], NULL)};
	long turns = strtol(argv[7], NULL, 10);
	double start = seconds();
	search_case_init(&s, argv[1], &ask);
	double made = seconds() - start;
	struct choose_filter filter = {.relaxed = 0};
	struct choice choice = {.found = false};
	struct err err = {0};
	start = seconds();
	for (long i = 0; i < turns; i++) {
		if (chooser_solve(&s.chooser, &filter, &choice, &err)) {
			fprintf(stderr, "search_cost: %s\n", err.text);
			return 1;
		}
	}
	print(&s, &choice, made, (seconds() - start) / (double)turns);
	search_case_fini(&s);
	return 0;
}
