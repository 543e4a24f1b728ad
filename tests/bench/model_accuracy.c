/*
 * model_accuracy.c - what the model's predictions are worth on real disks: prints one table, and
 * fails when a figure is worse than its limit.
 *
 *     TIERWISE_SHARED=../shared model_accuracy
 *
 * Each line hides measured points, fits the rest as `fit` does, asks as `predict` does and compares:
 * median and 95th percentile of |predicted / measured - 1|, share of measurements within the 95 %
 * intervals.  Nothing is random and nothing is timed.  "published" is what the method's own study
 * measured on the same data; limits are the accepted errors.  Exit 77 without the data.
 */
#include <math.h>
#include <stdio.h>

#include "csv.h"
#include "model_leave.h"
#include "model_other.h"

/* What is accepted, in %; NaN: only printed. */
struct limit {
	double median, tail;
};

static const struct limit none = {(double)NAN, (double)NAN};

static const double least_inside = 93;

/* false when a limit is exceeded. */
static bool
line(const char *what, struct tally *t, const char *published, struct limit limit)
{
	double median = 100 * tally_quantile(t, 0.5), tail = 100 * tally_quantile(t, 0.95);
	double coverage = 100 * tally_coverage(t);
	bool bad = median > limit.median || tail > limit.tail;
	char accepted[64] = "";
	if (!isnan(limit.median))
		snprintf(accepted, sizeof(accepted), "%.3g / %.3g", limit.median, limit.tail);
	char inside[16] = ""; /* a law without an interval has none inside */
	if (t->inside)
		snprintf(inside, sizeof(inside), "%.1f", coverage);
	printf("%-52s %5zu %7.2f %7.1f %7s  %-12s %-14s %s", what, t->n, median, tail, inside,
		published, accepted,
		isnan(limit.median) ? ""
		: bad               ? "MISSED"
				    : "met");
	if (t->refused)
		printf(" (%zu refused)", t->refused);
	putchar('\n');
	tally_free(t);
	return !bad;
}

static bool
inside_line(const char *what, const struct tally *t)
{
	double coverage = 100 * tally_coverage(t);
	bool met = coverage >= least_inside;
	printf("%-52s %5zu %7s %7s %7.1f  %-12s %-14s %s\n", what, t->n, "", "", coverage, "", "93",
		met ? "met" : "MISSED");
	return met;
}

/* The experiments on one group of sweeps. */
struct group {
	struct tally left[MODEL_STATISTIC_COUNT], four, cap, next[GROWTH_CLASSES];
	size_t sweeps;
};

static void
run(const struct sweep *s, struct group *g)
{
	g->sweeps++;
	leave_interior(s, g->left);
	leave_all_but_four(s, &g->four);
	leave_above_cap(s, &g->cap);
	leave_next(s, g->next);
}

/* The accepted errors are of published clean sweeps; known: see tests/bench/README.md. */
static const struct limit mean_limit = {2.4, 24};
static const struct limit p99_limit = {6.2, 36};
static const struct limit four_limit = {3.0, 23};

static bool
clean_lines(struct group *g, bool gated)
{
	bool ok = inside_line("  left-out means within their intervals", &g->left[MODEL_MEAN]);
	ok &= inside_line("  left-out p99 within their intervals", &g->left[MODEL_P99]);
	ok &= line("  mean, one depth left out", &g->left[MODEL_MEAN], "2.4 / 24",
		gated ? mean_limit : none);
	ok &= line("  p50, one depth left out", &g->left[MODEL_P50], "3.8 / 46", none);
	ok &= line("  p99, one depth left out", &g->left[MODEL_P99], "6.2 / 36",
		gated ? p99_limit : none);
	ok &= line("  p999, one depth left out", &g->left[MODEL_P999], "6.2 / 81", none);
	ok &= line("  mean, from depths 1, 4, 16, 64", &g->four, "3.0 / 23",
		gated ? four_limit : none);
	ok &= line("  mean from 16 up, cap known, from depths to 8", &g->cap, "0.8 / 22", none);
	ok &= line("  mean, next depth, throughput growing < 0.1", &g->next[0], "1.5", none);
	ok &= line("  mean, next depth, growing 0.1 to 0.3", &g->next[1], "9.2", none);
	ok &= line("  mean, next depth, growing 0.3 to 0.6", &g->next[2], "11.8", none);
	ok &= line("  mean, next depth, growing > 0.6", &g->next[3], "5.6", none);
	return ok;
}

static bool
other_lines(struct group *g)
{
	bool ok = inside_line("  left-out means within their intervals", &g->left[MODEL_MEAN]);
	ok &= inside_line("  left-out p99 within their intervals", &g->left[MODEL_P99]);
	line("  mean, one depth left out", &g->left[MODEL_MEAN], "4.6 / 46", none);
	line("  p50, one depth left out", &g->left[MODEL_P50], "", none);
	line("  p99, one depth left out", &g->left[MODEL_P99], "", none);
	line("  p999, one depth left out", &g->left[MODEL_P999], "", none);
	line("  mean, from depths 1, 4, 16, 64", &g->four, "", none);
	line("  mean from 16 up, cap known, from depths to 8", &g->cap, "", none);
	for (int i = 0; i < GROWTH_CLASSES; i++)
		tally_free(&g->next[i]);
	return ok;
}

static bool
groups(const char *what, const struct sweep_list *list, bool gated)
{
	struct group clean = {0}, rest = {0};
	for (size_t i = 0; i < list->n; i++)
		run(&list->items[i], sweep_is_clean(&list->items[i]) ? &clean : &rest);
	printf("%s: %zu clean sweeps\n", what, clean.sweeps);
	bool ok = clean_lines(&clean, gated);
	printf("%s: %zu that are not clean\n", what, rest.sweeps);
	return other_lines(&rest) && ok;
}

static bool
sizes_and_rates(void)
{
	struct size_tallies sata = {0}, nvme = {0};
	struct rate_tallies rates = {0};
	if (!other_sizes(&sata, &nvme) || !other_rates(&rates))
		return false;
	printf("Block sizes, one left out\n");
	line("  SATA SSD, predicted", &sata.path, "2.5 / 9.7", none);
	line("  SATA SSD, the law alone", &sata.law, "4.3 / 14.5", none);
	line("  NVMe from 4 KiB, predicted", &nvme.path, "3.7 / 27", none);
	line("  NVMe from 4 KiB, the law alone", &nvme.law, "2.3 / 17", none);
	printf("Reads at a rate, one rate left out, median latency\n");
	line("  predicted from the closed loop of the others", &rates.path, "1.2 / 7.3", none);
	line("  L0/(1 - c rate) fitted to the others", &rates.law, "1.2 / 7.3", none);
	return true;
}

int
main(void)
{
	static const char *const files[] = {"fixtures/curves/qd_sweeps_fioplot.csv",
		"fixtures/curves/qd_sweeps_nvme.csv", "fixtures/curves/bs_sweeps.csv",
		"fixtures/curves/openloop_diskplorer_decoded.csv", "fixtures/fio/ORIGIN.md"};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!csv_available(files[i]))
			return 77;
	struct sweep_list published = {0}, imported = {0};
	if (!sweeps_from_csv(files[0], &published) || !sweeps_from_csv(files[1], &published) ||
		!sweeps_from_fio("fixtures/fio", &imported))
		return 1;
	printf("%-52s %5s %7s %7s %7s  %-12s %-14s\n", "error, %", "n", "median", "95th", "inside",
		"published", "limit");
	bool ok = groups("Published sweeps", &published, true);
	ok = groups("fio results, imported", &imported, false) && ok;
	ok = sizes_and_rates() && ok;
	sweeps_free(&published);
	sweeps_free(&imported);
	return ok ? 0 : 1;
}
