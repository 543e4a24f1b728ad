#include "workload/provider_metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEAD_B = 1 << 16 };

double
provider_value(int how, double value, double period_s)
{
	switch (how) {
	case PROVIDER_TOTAL:
		return value / period_s;
	case PROVIDER_MS:
		return value / 1e3;
	case PROVIDER_PERCENT:
		return value / 100;
	case PROVIDER_PERCENT_LEFT:
		return 1 - value / 100;
	case PROVIDER_FLAG:
		return value > 0;
	default:
		return value;
	}
}

static int
by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The most frequent of ascending steps above 0, the shortest of those; NaN when there is none. */
static double
usual(const double *step, size_t n)
{
	double best = NAN;
	size_t most = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && step[end] == step[i];)
			end++;
		if (step[i] > 0 && end - i > most) {
			most = end - i;
			best = step[i];
		}
	}
	return best;
}

double
provider_step_s(const struct evidence_track *t)
{
	double *at = t->n > 1 ? calloc(t->n, sizeof(double)) : NULL;
	if (!at)
		return NAN;
	memcpy(at, t->at_s, t->n * sizeof(double));
	qsort(at, t->n, sizeof(double), by_number);
	for (size_t i = 0; i + 1 < t->n; i++)
		at[i] = at[i + 1] - at[i];
	qsort(at, t->n - 1, sizeof(double), by_number);
	double step = usual(at, t->n - 1);
	free(at);
	return step;
}

bool
provider_track_done(struct evidence_track *t, int how, double period_s, double otherwise_s)
{
	if (!(period_s > 0))
		period_s = provider_step_s(t);
	if (!(period_s > 0))
		period_s = otherwise_s;
	if (!(period_s > 0) || !isfinite(period_s)) {
		t->n = 0;
		return false;
	}
	t->window_s = period_s;
	for (size_t i = 0; i < t->n; i++) {
		t->at_s[i] += period_s;
		t->value[i] = provider_value(how, t->value[i], period_s);
	}
	return true;
}

static double
larger(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : fmax(a, b);
}

static double
mean_us(double seconds, double operations, double mean_s)
{
	if (isfinite(mean_s))
		return mean_s * 1e6;
	return operations > 0 ? seconds / operations * 1e6 : (double)NAN;
}

static void
fill(struct evidence_sample *s, const double v[PROVIDER_COLUMNS])
{
	s->read_iops = v[PROVIDER_READS];
	s->write_iops = v[PROVIDER_WRITES];
	s->read_bytes_s = v[PROVIDER_READ_BYTES];
	s->write_bytes_s = v[PROVIDER_WRITE_BYTES];
	s->read_us = mean_us(v[PROVIDER_READ_S], v[PROVIDER_READS], v[PROVIDER_READ_MEAN_S]);
	s->write_us = mean_us(v[PROVIDER_WRITE_S], v[PROVIDER_WRITES], v[PROVIDER_WRITE_MEAN_S]);
	s->any_us = v[PROVIDER_ANY_MEAN_S] * 1e6;
	s->queue = v[PROVIDER_QUEUE];
	if (isfinite(v[PROVIDER_IDLE]))
		s->active_frac = fmin(fmax(1 - v[PROVIDER_IDLE], 0), 1);
	s->consumed_frac = v[PROVIDER_CONSUMED];
	s->exceeded = larger(v[PROVIDER_EXCEEDED_IOPS], v[PROVIDER_EXCEEDED_BYTES]);
}

static int
cpu_of(struct evidence *e, const struct evidence_grid *g, const char *source, struct err *err)
{
	struct evidence_cpu *cpu = evidence_add_cpu(e);
	if (!cpu)
		return err_nomem(err);
	cpu->source = source;
	cpu->file = g->first->file;
	cpu->end_s = arena_array(e->arena, g->n, sizeof(double));
	cpu->busy_frac = arena_array(e->arena, g->n, sizeof(double));
	if (!cpu->end_s || !cpu->busy_frac)
		return err_nomem(err);
	for (size_t i = 0; i < g->n; i++) {
		cpu->end_s[i] = g->at_s[i];
		cpu->busy_frac[i] = g->value[i * g->n_columns + PROVIDER_CPU];
	}
	cpu->n = g->n;
	return 0;
}

/* Idle time longer than the period says that the statistic is not a sum, or the period not as thought. */
static void
check_idle(struct evidence *e, const struct evidence_grid *g)
{
	size_t n = 0;
	for (size_t i = 0; i < g->n; i++)
		n += g->value[i * g->n_columns + PROVIDER_IDLE] > 1.01;
	if (n)
		findings_add(&e->findings, SEVERITY_WARNING, "idle-time",
			"check the period, and that the statistic is Sum",
			"%s: %s: in %zu periods the idle time is longer than the period of %.4g s",
			g->first->file, g->first->device ? g->first->device : "machine", n,
			g->first->window_s);
}

static int
series_of(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	const char *source = g->first->reader->name;
	if (g->first->column == PROVIDER_CPU)
		return cpu_of(e, g, source, err);
	struct evidence_series *s = evidence_add_series(e);
	if (!s)
		return err_nomem(err);
	s->host = g->first->host;
	s->device = g->first->device;
	s->file = g->first->file;
	s->metric = g->first->metric;
	s->scope = g->first->scope;
	s->before_cache = g->first->before_cache;
	s->source = source;
	s->resolution_s = g->first->window_s;
	size_t index = e->n_series - 1;
	for (size_t i = 0; i < g->n; i++) {
		struct evidence_sample *sample = evidence_add_sample(e, &e->series[index]);
		if (!sample)
			return err_nomem(err);
		sample->end_s = g->at_s[i];
		sample->dt_s = g->first->window_s;
		fill(sample, &g->value[i * g->n_columns]);
		if (isfinite(sample->active_frac))
			e->series[index].active_known = true;
	}
	check_idle(e, g);
	if (g->n_twice)
		findings_add(&e->findings, SEVERITY_WARNING, "value-twice",
			"give each answer once, and one volume at a time",
			"%s: %s: %zu periods have two different values; the first is kept", s->file,
			s->device ? s->device : "machine", g->n_twice);
	return 0;
}

int
provider_finish(struct evidence *e, const struct evidence_reader *reader, struct err *err)
{
	return evidence_join(e, reader, PROVIDER_COLUMNS, series_of, err);
}

bool
provider_head_has(const struct evidence_input *in, const char *word)
{
	size_t n = in->n < HEAD_B ? in->n : HEAD_B, len = strlen(word);
	for (size_t i = 0; i + len <= n; i++) {
		if (strncasecmp(in->text + i, word, len) == 0)
			return true;
	}
	return false;
}

bool
provider_is_json(const struct evidence_input *in)
{
	size_t i = 0;
	while (i < in->n && strchr(" \t\r\n", in->text[i]) && in->text[i])
		i++;
	return i < in->n && (in->text[i] == '{' || in->text[i] == '[');
}
