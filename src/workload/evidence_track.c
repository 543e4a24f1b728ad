#include "workload/evidence_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct evidence_track *
evidence_add_track(struct evidence *e)
{
	struct evidence_track *all = arena_grow(
		e->arena, e->tracks, e->n_tracks, sizeof(*e->tracks));
	if (!all)
		return NULL;
	e->tracks = all;
	all[e->n_tracks] = (struct evidence_track){0};
	return &all[e->n_tracks++];
}

int
evidence_track_put(struct evidence *e, struct evidence_track *t, double at_s, double value)
{
	double *at = arena_grow(e->arena, t->at_s, t->n, sizeof(*at));
	double *values = arena_grow(e->arena, t->value, t->n, sizeof(*values));
	if (!at || !values)
		return ERR_NOMEM;
	t->at_s = at;
	t->value = values;
	at[t->n] = at_s;
	values[t->n++] = value;
	return 0;
}

int
evidence_track_figure(struct evidence *e, struct evidence_track *t, double at_s,
	struct evidence_figures *figures, size_t line, const char *field, double value)
{
	double v = evidence_figure_value(figures, line, field, value);
	return isnan(v) ? 0 : evidence_track_put(e, t, at_s, value + 0.0);
}

static int
text_order(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int
number_order(double a, double b)
{
	return (a > b) - (a < b);
}

/* 0: both belong to one group. */
static int
group_order(const struct evidence_track *a, const struct evidence_track *b)
{
	int order = text_order(a->host, b->host);
	if (!order)
		order = text_order(a->device, b->device);
	if (!order)
		order = text_order(a->metric, b->metric);
	if (!order)
		order = a->scope - b->scope;
	return order ? order : number_order(a->window_s, b->window_s);
}

static int
by_group(const void *va, const void *vb)
{
	const struct evidence_track *a = *(const struct evidence_track *const *)va;
	const struct evidence_track *b = *(const struct evidence_track *const *)vb;
	int order = group_order(a, b);
	return order ? order : (a > b) - (a < b); /* as read */
}

struct point {
	double at_s, value;
	int column;
	size_t index; /* as read: sorting keeps the order */
};

static int
by_time(const void *va, const void *vb)
{
	const struct point *a = va, *b = vb;
	int order = isnan(a->at_s) || isnan(b->at_s) ? !!isnan(b->at_s) - !!isnan(a->at_s)
						     : number_order(a->at_s, b->at_s);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Whether a point is of a later moment than the one before it; times not known are one moment. */
static bool
is_new(const struct point *points, size_t i)
{
	return i == 0 || (points[i].at_s != points[i - 1].at_s && !isnan(points[i].at_s));
}

/* The points of a group in order of time; *n is set.  NULL when out of memory. */
static struct point *
gather(const struct evidence_track *const *group, size_t n_group, size_t *n)
{
	size_t total = 0;
	for (size_t i = 0; i < n_group; i++)
		total += group[i]->n;
	struct point *points = calloc(total ? total : 1, sizeof(*points));
	*n = 0;
	for (size_t i = 0; points && i < n_group; i++) {
		for (size_t k = 0; k < group[i]->n; k++) {
			points[*n] = (struct point){
				group[i]->at_s[k], group[i]->value[k], group[i]->column, *n};
			(*n)++;
		}
	}
	if (points)
		qsort(points, *n, sizeof(*points), by_time);
	return points;
}

/* Rows of the grid from points in order. */
static void
lay_out(struct evidence_grid *g, const struct point *points, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_new(points, i)) {
			g->at_s[g->n] = points[i].at_s;
			for (size_t c = 0; c < g->n_columns; c++)
				g->value[g->n * g->n_columns + c] = NAN;
			g->n++;
		}
		double *cell = &g->value[(g->n - 1) * g->n_columns + (size_t)points[i].column];
		if (isnan(*cell))
			*cell = points[i].value;
		else if (*cell != points[i].value)
			g->n_twice++;
	}
}

static int
join_group(struct evidence *e, const struct evidence_track *const *group, size_t n_group,
	size_t n_columns, evidence_joined *each, struct err *err)
{
	struct evidence_grid g = {.first = group[0], .n_columns = n_columns};
	size_t n = 0, rows = 0;
	struct point *points = gather(group, n_group, &n);
	for (size_t i = 0; points && i < n; i++)
		rows += is_new(points, i);
	g.at_s = calloc(rows + 1, sizeof(double));
	g.value = calloc((rows + 1) * n_columns, sizeof(double));
	int rc = 0;
	if (points && g.at_s && g.value) {
		lay_out(&g, points, n);
		rc = each(e, &g, err);
	} else {
		rc = err_nomem(err);
	}
	free(points);
	free(g.at_s);
	free(g.value);
	return rc;
}

int
evidence_join(struct evidence *e, const struct evidence_reader *reader, size_t n_columns,
	evidence_joined *each, struct err *err)
{
	const struct evidence_track **mine = calloc(
		e->n_tracks + 1, sizeof(const struct evidence_track *));
	size_t n = 0;
	int rc = mine ? 0 : err_nomem(err);
	for (size_t i = 0; mine && i < e->n_tracks; i++) {
		if (e->tracks[i].reader == reader && e->tracks[i].n)
			mine[n++] = &e->tracks[i];
	}
	if (n)
		qsort(mine, n, sizeof(const struct evidence_track *), by_group);
	for (size_t i = 0, end; i < n && rc == 0; i = end) {
		for (end = i + 1; end < n && group_order(mine[i], mine[end]) == 0;)
			end++;
		rc = join_group(e, &mine[i], end - i, n_columns, each, err);
	}
	free(mine);
	return rc;
}

static int
by_number(const void *a, const void *b)
{
	return number_order(*(const double *)a, *(const double *)b);
}

double
evidence_spacing_s(const double *at_s, size_t n)
{
	double *steps = n > 1 ? calloc(n - 1, sizeof(double)) : NULL;
	if (!steps)
		return NAN;
	for (size_t i = 1; i < n; i++)
		steps[i - 1] = at_s[i] - at_s[i - 1];
	qsort(steps, n - 1, sizeof(double), by_number);
	double middle = steps[(n - 1) / 2];
	free(steps);
	return middle;
}
