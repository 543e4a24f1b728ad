/*
 * search_ilp.c - the joint search and the same choice as an integer program, for tests/bench/search_ilp.sh to
 * give to GLPK.
 *
 * Usage: search_ilp SOURCE VOLUMES TPS COMMIT_MS TX_MS SIZE LP   a case of search_case.h
 *        search_ilp tight SEED LP                              16 volumes, caps that bind
 *
 * Writes the program to LP (CPLEX format): a binary for each machine and for each item of each volume on
 * it, one item of a volume where its machine is taken, caps as rows.  The promises of transactions are no
 * linear rows: items that break one beside the best of every other volume are left out, which is the whole
 * of it when then even the worst together keep it.  Prints "exact 1" if so, "exact 0" where the program
 * is a relaxation, with the cost the search finds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "search_case.h"

enum { TIGHT_VOLUMES = 16, TIGHT_ITEMS = 12, TIGHT_MACHINES = 3, TIGHT_CAPS = 3 };

static double
seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *
room(struct arena *a, size_t n, size_t size)
{
	void *p = arena_array(a, n ? n : 1, size);
	if (!p) {
		fprintf(stderr, "search_ilp: out of memory\n");
		exit(1);
	}
	return p;
}

/* ---- promises by leaving items out ---- */

static void
raise(double to[SEARCH_QUALITIES], const double from[SEARCH_QUALITIES])
{
	for (size_t q = 0; q < SEARCH_QUALITIES; q++)
		to[q] = fmax(to[q], from[q]);
}

/* Largest over the joint volumes of their least. */
static void
best_of(const struct search_problem *p, const struct search_volume *volumes,
	double best[SEARCH_QUALITIES])
{
	memset(best, 0, SEARCH_QUALITIES * sizeof(*best));
	for (size_t v = 0; v < p->n_joint; v++) {
		double least[SEARCH_QUALITIES];
		for (size_t q = 0; q < SEARCH_QUALITIES; q++)
			least[q] = INFINITY;
		for (size_t i = 0; i < volumes[v].n; i++) {
			for (size_t q = 0; q < SEARCH_QUALITIES; q++)
				least[q] = fmin(least[q], volumes[v].items[i].quality[q]);
		}
		raise(best, least);
	}
}

/* Leave out what breaks a promise; true: what is left cannot break one. */
static bool
leave_out(const struct search_problem *p, size_t machine, struct search_volume *volumes,
	struct arena *a)
{
	double best[SEARCH_QUALITIES], worst[SEARCH_QUALITIES] = {0};
	bool empty = false;
	best_of(p, volumes, best);
	for (size_t v = 0; v < p->n_joint; v++) {
		struct search_item *kept = room(a, volumes[v].n, sizeof(*kept));
		size_t n = 0;
		for (size_t i = 0; i < volumes[v].n; i++) {
			double quality[SEARCH_QUALITIES];
			memcpy(quality, best, sizeof(quality));
			raise(quality, volumes[v].items[i].quality);
			if (!p->joint(p->ctx, machine, quality))
				continue;
			raise(worst, volumes[v].items[i].quality);
			kept[n++] = volumes[v].items[i];
		}
		volumes[v] = (struct search_volume){kept, n};
		empty = empty || n == 0;
	}
	return p->n_joint == 0 || empty || p->joint(p->ctx, machine, worst);
}

static struct search_problem
linear(const struct search_problem *p, struct arena *a, bool *exact)
{
	struct search_problem out = *p;
	struct search_machine *machines = room(a, p->n_machines, sizeof(*machines));
	*exact = true;
	for (size_t m = 0; m < p->n_machines; m++) {
		struct search_volume *volumes = room(a, p->n_volumes, sizeof(*volumes));
		memcpy(volumes, p->machines[m].volumes, p->n_volumes * sizeof(*volumes));
		machines[m] = p->machines[m];
		machines[m].volumes = volumes;
		if (p->joint && !leave_out(p, m, volumes, a))
			*exact = false;
	}
	out.machines = machines;
	out.n_joint = 0;
	out.joint = NULL;
	return out;
}

/* ---- the file ---- */

static void
put_objective(const struct search_problem *p, FILE *f)
{
	fprintf(f, "Minimize\n cost: 0 zero\n");
	for (size_t m = 0; m < p->n_machines; m++) {
		fprintf(f, " + %.17g y_%zu\n", p->machines[m].cost, m);
		for (size_t v = 0; v < p->n_volumes; v++) {
			for (size_t i = 0; i < p->machines[m].volumes[v].n; i++)
				fprintf(f, " + %.17g x_%zu_%zu_%zu\n",
					p->machines[m].volumes[v].items[i].cost, m, v, i);
		}
	}
}

static void
put_cap(const struct search_problem *p, size_t m, size_t c, FILE *f)
{
	double cap = p->machines[m].cap[c];
	if (isinf(cap))
		return;
	fprintf(f, " cap_%zu_%zu: - %.17g y_%zu\n", m, c, cap, m);
	for (size_t v = 0; v < p->n_volumes; v++) {
		for (size_t i = 0; i < p->machines[m].volumes[v].n; i++) {
			double use = p->machines[m].volumes[v].items[i].use[c];
			if (use > 0)
				fprintf(f, " + %.17g x_%zu_%zu_%zu\n", use, m, v, i);
		}
	}
	fprintf(f, " <= 0\n");
}

static void
put_rows(const struct search_problem *p, FILE *f)
{
	fprintf(f, "Subject To\n one: 0 zero\n");
	for (size_t m = 0; m < p->n_machines; m++)
		fprintf(f, " + y_%zu\n", m);
	fprintf(f, " = 1\n");
	for (size_t m = 0; m < p->n_machines; m++) {
		for (size_t v = 0; v < p->n_volumes; v++) {
			fprintf(f, " item_%zu_%zu: - y_%zu\n", m, v, m);
			for (size_t i = 0; i < p->machines[m].volumes[v].n; i++)
				fprintf(f, " + x_%zu_%zu_%zu\n", m, v, i);
			fprintf(f, " = 0\n");
		}
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			put_cap(p, m, c, f);
	}
}

static void
put(const struct search_problem *p, const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(1);
	}
	put_objective(p, f);
	put_rows(p, f);
	fprintf(f, "Binary\n");
	for (size_t m = 0; m < p->n_machines; m++) {
		fprintf(f, " y_%zu\n", m);
		for (size_t v = 0; v < p->n_volumes; v++) {
			for (size_t i = 0; i < p->machines[m].volumes[v].n; i++)
				fprintf(f, " x_%zu_%zu_%zu\n", m, v, i);
		}
	}
	fprintf(f, "End\n");
	if (fclose(f)) {
		perror(path);
		exit(1);
	}
}

/* ---- cases ---- */

/* What uses less of three caps costs more, and every cap holds about half of what the cheapest use. */
static struct search_problem
tight(uint64_t seed, struct arena *a)
{
	struct rng r;
	rng_seed(&r, seed);
	struct search_machine *machines = room(a, TIGHT_MACHINES, sizeof(*machines));
	for (size_t m = 0; m < TIGHT_MACHINES; m++) {
		struct search_volume *volumes = room(a, TIGHT_VOLUMES, sizeof(*volumes));
		machines[m] = (struct search_machine){
			.cost = 300 + 40 * (double)m, .volumes = volumes};
		for (size_t c = 0; c < SEARCH_CAPS; c++)
			machines[m].cap[c] = c < TIGHT_CAPS ? 850 + 30 * (double)m : INFINITY;
		for (size_t v = 0; v < TIGHT_VOLUMES; v++) {
			struct search_item *items = room(a, TIGHT_ITEMS, sizeof(*items));
			volumes[v] = (struct search_volume){items, TIGHT_ITEMS};
			for (size_t i = 0; i < TIGHT_ITEMS; i++) {
				items[i].cost = 300 + (double)rng_below(&r, 6000) / 100;
				for (size_t c = 0; c < TIGHT_CAPS; c++) {
					items[i].use[c] = 1 + (double)rng_below(&r, 100);
					items[i].cost -= items[i].use[c];
				}
			}
		}
	}
	return (struct search_problem){
		.machines = machines, .n_machines = TIGHT_MACHINES, .n_volumes = TIGHT_VOLUMES};
}

static int
compare(const struct search_problem *p, struct arena *a, const char *path)
{
	struct search_result r;
	struct err err = {0};
	bool exact;
	double start = seconds();
	if (search_solve(p, a, &r, &err)) {
		fprintf(stderr, "search_ilp: %s\n", err.text);
		return 1;
	}
	double took = seconds() - start;
	struct search_problem as_rows = linear(p, a, &exact);
	size_t columns = p->n_machines;
	for (size_t m = 0; m < p->n_machines; m++) {
		for (size_t v = 0; v < p->n_volumes; v++)
			columns += as_rows.machines[m].volumes[v].n;
	}
	put(&as_rows, path);
	printf("exact %d found %d cost %.9f seconds %.6f nodes %zu columns %zu\n", exact, r.found,
		r.cost, took, r.counts.visited, columns);
	return 0;
}

int
main(int argc, char **argv)
{
	static struct search_case s;
	if (argc == 4 && strcmp(argv[1], "tight") == 0) {
		struct arena a;
		arena_init(&a, 0);
		struct search_problem p = tight(strtoull(argv[2], NULL, 10), &a);
		int rc = compare(&p, &a, argv[3]);
		arena_fini(&a);
		return rc;
	}
	if (argc != 8) {
		fprintf(stderr, "usage: search_ilp SOURCE VOLUMES TPS COMMIT_MS TX_MS SIZE LP | "
				"tight SEED LP\n");
		return 2;
	}
	const struct search_ask ask = {.volumes = strtoul(argv[2], NULL, 10),
		.tps = strtod(argv[3], NULL),
		.commit_p99_ms = strtod(argv[4], NULL),
		.tx_p99_ms = strtod(argv[5], NULL),
		.size = strtod(argv[6], NULL)};
	search_case_init(&s, argv[1], &ask);
	const struct choose_filter filter = {.relaxed = 0};
	const struct search_problem *p;
	struct err err = {0};
	if (chooser_problem(&s.chooser, &filter, &p, &err)) {
		fprintf(stderr, "search_ilp: %s\n", err.text);
		return 1;
	}
	int rc = compare(p, &s.arena, argv[7]);
	search_case_fini(&s);
	return rc;
}
