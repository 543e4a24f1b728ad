/*
 * fit_speed.c - the three-number curve fitted to the shared sweeps as fast as one core can.
 *
 *     fit_speed --problems   a line a sweep: name, depths, latencies, starts, bounds: the same job for
 *                            another solver
 *     fit_speed SECONDS      a line a sweep: name and residual sum of squares; then the number of
 *                            curves fitted in a second
 *
 * Reads $TIERWISE_SHARED.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "csv.h"
#include "model/nls.h"
#include "model_sweeps.h"

static struct form_data
data_of(const struct sweep *s)
{
	return (struct form_data){s->qd, s->us[MODEL_MEAN], s->n};
}

static void
put(const char *key, const double *values, size_t n)
{
	printf("\t%s", key);
	for (size_t i = 0; i < n; i++)
		printf(" %.17g", values[i]);
}

static void
put_problem(const struct sweep *s)
{
	double start[FORM_MAX_STARTS][FORM_MAX_K], lo[FORM_MAX_K], hi[FORM_MAX_K];
	struct form_data d = data_of(s);
	size_t n = form_three.starts(&d, start);
	form_three.bounds(&d, lo, hi);
	printf("%s", s->name);
	put("q", d.x, d.n);
	put("t", d.t, d.n);
	put("lo", lo, form_three.k);
	put("hi", hi, form_three.k);
	for (size_t i = 0; i < n; i++)
		put("start", start[i], form_three.k);
	putchar('\n');
}

static double
fit(const struct sweep *s)
{
	struct nls_problem p = {.form = &form_three, .data = data_of(s)};
	struct nls_result r;
	return nls_fit(&p, &r, NULL) ? (double)NAN : r.rss;
}

static double
now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Curves a second: whole rounds over the sweeps for at least that long. */
static double
speed(const struct sweep_list *list, double seconds)
{
	double start = now_s(), n = 0, end;
	do {
		for (size_t i = 0; i < list->n; i++)
			fit(&list->items[i]);
		n += (double)list->n;
		end = now_s();
	} while (end - start < seconds);
	return n / (end - start);
}

int
main(int argc, char **argv)
{
	struct sweep_list list = {0};
	if (argc != 2) {
		fprintf(stderr, "usage: fit_speed --problems | SECONDS\n");
		return 2;
	}
	if (!csv_available("fixtures/curves/qd_sweeps_nvme.csv"))
		return 77;
	if (!sweeps_from_csv("fixtures/curves/qd_sweeps_fioplot.csv", &list) ||
		!sweeps_from_csv("fixtures/curves/qd_sweeps_nvme.csv", &list))
		return 1;
	if (strcmp(argv[1], "--problems") == 0) {
		for (size_t i = 0; i < list.n; i++)
			put_problem(&list.items[i]);
	} else {
		for (size_t i = 0; i < list.n; i++)
			printf("%s\t%.12g\n", list.items[i].name, fit(&list.items[i]));
		printf("curves per second\t%.6g\n", speed(&list, strtod(argv[1], NULL)));
	}
	sweeps_free(&list);
	return 0;
}
