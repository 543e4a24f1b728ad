#include "model_leave.h"

#include <math.h>

/* Fit what is kept and ask for depth q. */
static bool
predict(const struct sweep *s, const bool *keep, double q, const struct disk_caps *caps,
	struct estimate predicted[])
{
	struct arena a;
	struct disk_model m;
	arena_init(&a, 0);
	int rc = sweep_fit(s, keep, &a, &m);
	for (int i = 0; rc == 0 && i < MODEL_STATISTIC_COUNT; i++)
		rc = disk_latency_at_qd(&m, (enum profile_op)s->op, s->bs_b, q, caps,
			(enum model_statistic)i, &predicted[i], NULL);
	arena_fini(&a);
	return rc == 0;
}

static void
keep_all(const struct sweep *s, bool *keep)
{
	for (size_t i = 0; i < s->n; i++)
		keep[i] = true;
}

bool
leave_one(const struct sweep *s, size_t hidden, struct estimate predicted[])
{
	bool keep[SWEEP_MAX];
	keep_all(s, keep);
	keep[hidden] = false;
	return predict(s, keep, s->qd[hidden], NULL, predicted);
}

void
leave_interior(const struct sweep *s, struct tally t[MODEL_STATISTIC_COUNT])
{
	for (size_t i = 1; i + 1 < s->n; i++) {
		struct estimate e[MODEL_STATISTIC_COUNT];
		bool answered = leave_one(s, i, e);
		for (int k = 0; k < MODEL_STATISTIC_COUNT; k++) {
			if (answered)
				tally_add(&t[k], &e[k], s->us[k][i]);
			else
				t[k].refused++;
		}
	}
}

/* Ask for the hidden points from first to last. */
static void
ask_hidden(const struct sweep *s, const bool *keep, const bool *asked, const struct disk_caps *caps,
	struct tally *t)
{
	for (size_t i = 0; i < s->n; i++) {
		struct estimate e[MODEL_STATISTIC_COUNT];
		if (!asked[i])
			continue;
		if (predict(s, keep, s->qd[i], caps, e))
			tally_add(t, &e[MODEL_MEAN], s->us[MODEL_MEAN][i]);
		else
			t->refused++;
	}
}

void
leave_all_but_four(const struct sweep *s, struct tally *t)
{
	bool keep[SWEEP_MAX], asked[SWEEP_MAX];
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		double q = s->qd[i];
		keep[i] = q == 1 || q == 4 || q == 16 || q == 64;
		asked[i] = !keep[i];
		kept += keep[i];
	}
	if (kept == 4)
		ask_hidden(s, keep, asked, NULL, t);
}

void
leave_above_cap(const struct sweep *s, struct tally *t)
{
	const double no = (double)NAN;
	bool keep[SWEEP_MAX], asked[SWEEP_MAX];
	struct disk_caps caps = {0, no, no, no, no};
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		keep[i] = s->qd[i] <= 8;
		asked[i] = s->qd[i] >= 16;
		kept += keep[i];
		caps.iops = fmax(caps.iops, s->iops[i]);
	}
	if (kept >= 2)
		ask_hidden(s, keep, asked, &caps, t);
}

static int
growth_class(const struct sweep *s, size_t n)
{
	double g = log(s->iops[n - 1] / s->iops[n - 2]) / log(s->qd[n - 1] / s->qd[n - 2]);
	return g < 0.1 ? 0 : g < 0.3 ? 1 : g < 0.6 ? 2 : 3;
}

void
leave_next(const struct sweep *s, struct tally t[GROWTH_CLASSES])
{
	for (size_t next = 5; next < s->n; next++) {
		bool keep[SWEEP_MAX] = {false}, asked[SWEEP_MAX] = {false};
		for (size_t i = 0; i < next; i++)
			keep[i] = true;
		asked[next] = true;
		ask_hidden(s, keep, asked, NULL, &t[growth_class(s, next)]);
	}
}
