#include "workload/bucket_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bucket_rows {
	struct arena *arena;
	struct bucket_row *rows;
	size_t n;
};

struct bucket_rows *
bucket_rows_new(struct arena *a)
{
	struct bucket_rows *rows = arena_alloc(a, sizeof(*rows));
	if (rows)
		*rows = (struct bucket_rows){.arena = a};
	return rows;
}

bool
bucket_rows_any(const struct bucket_rows *rows)
{
	return rows->n > 0;
}

struct bucket_row *
bucket_rows_add(struct bucket_rows *rows)
{
	struct bucket_row *all = arena_grow(rows->arena, rows->rows, rows->n, sizeof(*all));
	if (!all)
		return NULL;
	rows->rows = all;
	all[rows->n] = (struct bucket_row){.edge_s = NAN};
	return &all[rows->n++];
}

int
bucket_row_put(struct evidence *e, void *row, double at_s, double count)
{
	struct bucket_row *r = row;
	double *at = arena_grow(e->arena, r->at_s, r->n, sizeof(*at));
	double *counts = arena_grow(e->arena, r->count, r->n, sizeof(*counts));
	if (!at || !counts)
		return ERR_NOMEM;
	r->at_s = at;
	r->count = counts;
	at[r->n] = at_s;
	counts[r->n++] = count;
	return 0;
}

static bool
ends(const char *text, size_t n, const char *with)
{
	size_t len = strlen(with);
	return n >= len && memcmp(text + n - len, with, len) == 0;
}

/* Length of a name without the word that Prometheus adds to it. */
static size_t
stem(const char *name)
{
	size_t n = strlen(name);
	if (ends(name, n, "_bucket"))
		return n - strlen("_bucket");
	return ends(name, n, "_sum") ? n - strlen("_sum") : n;
}

/* Microseconds of one unit of the edges: by the name, as the conventions of Prometheus want it. */
static double
unit_us(const char *name)
{
	if (!name)
		return 1e6;
	size_t n = stem(name);
	if (ends(name, n, "_milliseconds") || ends(name, n, "_ms"))
		return 1e3;
	if (ends(name, n, "_microseconds") || ends(name, n, "_us"))
		return 1;
	return ends(name, n, "_seconds") ? 1e6 : (double)NAN;
}

bool
bucket_is_sum(const char *name)
{
	return ends(name, strlen(name), "_sum") && isfinite(unit_us(name));
}

static int
text_order(const char *a, size_t na, const char *b, size_t nb)
{
	int order = memcmp(a, b, na < nb ? na : nb);
	return order ? order : (na > nb) - (na < nb);
}

static int
group_order(const struct bucket_row *a, const struct bucket_row *b)
{
	const char *na = a->name ? a->name : "", *nb = b->name ? b->name : "";
	int order = text_order(na, stem(na), nb, stem(nb));
	return order ? order : strcmp(a->labels, b->labels);
}

/* Edges ascending, the sum last. */
static int
by_group(const void *va, const void *vb)
{
	const struct bucket_row *a = va, *b = vb;
	int order = group_order(a, b);
	if (order || isnan(a->edge_s) || isnan(b->edge_s))
		return order ? order : (isnan(a->edge_s) != 0) - (isnan(b->edge_s) != 0);
	return (a->edge_s > b->edge_s) - (a->edge_s < b->edge_s);
}

/* Why rows are no histogram; NULL when they are one. */
static const char *
fault(const struct bucket_row *row, size_t n, bool per_window)
{
	if (n < 2 || !isinf(row[n - 1].edge_s))
		return "the bucket up to +Inf is missing";
	for (size_t i = 0; i < n; i++) {
		if (row[i].n != row[0].n || row[i].n == 0)
			return "its buckets are known at different times";
		for (size_t k = 0; k < row[i].n; k++) {
			bool timed = isfinite(row[i].at_s[k]);
			if (timed && row[i].at_s[k] != row[0].at_s[k])
				return "its buckets are known at different times";
			if (timed && k && row[i].at_s[k] <= row[i].at_s[k - 1])
				return "its times do not ascend";
			if (!(row[i].count[k] >= 0))
				return "a count is below 0";
			/* a rate is worked out bucket by bucket, and rounded */
			double slack = per_window ? row[i].count[k] * 1e-6 : 0;
			if (i && row[i].count[k] + slack < row[i - 1].count[k])
				return "a bucket holds less than the one before, which it includes";
		}
		if (i && row[i].edge_s == row[i - 1].edge_s)
			return "an edge is there twice";
	}
	return NULL;
}

/* What a counter added from one moment to the next: after a fall, all that it shows. */
static double
added(const struct bucket_row *row, size_t k, bool fell, bool per_window)
{
	return per_window || fell ? row->count[k] : row->count[k] - row->count[k - 1];
}

static int
fill_windows(struct evidence_histogram *h, const struct bucket_row *row, size_t n, bool per_window,
	struct arena *a)
{
	size_t n_windows = row->n - 1;
	h->windows = arena_array(a, n_windows, sizeof(*h->windows));
	if (!h->windows)
		return ERR_NOMEM;
	h->seconds = row->at_s[row->n - 1] - row->at_s[0];
	for (size_t k = 1; k <= n_windows; k++) {
		struct evidence_window *w = &h->windows[k - 1];
		*w = (struct evidence_window){row->at_s[k], row->at_s[k] - row->at_s[k - 1],
			arena_array(a, n, sizeof(double))};
		if (!w->count)
			return ERR_NOMEM;
		bool fell = row[n - 1].count[k] < row[n - 1].count[k - 1];
		for (size_t i = 0; i < n; i++) {
			w->count[i] = added(&row[i], k, fell, per_window);
			h->count[i] += w->count[i];
		}
	}
	h->n_windows = n_windows;
	return 0;
}

static double
sum_of(const struct bucket_row *sum, size_t n_buckets_n, double us)
{
	if (!sum || sum->n == 0 || sum->n != n_buckets_n)
		return NAN;
	double total = sum->n == 1 ? sum->count[0] : 0;
	for (size_t k = 1; k < sum->n; k++)
		total += added(sum, k, sum->count[k] < sum->count[k - 1], false);
	return total * us;
}

static int
make(struct evidence *e, const char *file, const struct bucket_row *row, size_t n,
	const struct bucket_row *sum, bool per_window)
{
	struct evidence_histogram *h = evidence_add_histogram(e);
	struct arena *a = e->arena;
	double us = unit_us(row->name);
	if (!h)
		return ERR_NOMEM;
	h->file = file;
	h->host = row->host ? arena_strdup(a, row->host) : NULL;
	h->name = row->name ? arena_strndup(a, row->name, stem(row->name)) : "histogram";
	h->edge_us = arena_array(a, n, sizeof(double));
	h->count = arena_array(a, n, sizeof(double));
	if (!h->name || !h->edge_us || !h->count || (row->host && !h->host))
		return ERR_NOMEM;
	h->n = n;
	for (size_t i = 0; i < n; i++) {
		h->edge_us[i] = row[i].edge_s * us;
		h->count[i] = row->n == 1 ? row[i].count[0] : 0;
	}
	h->sum_us = per_window ? (double)NAN : sum_of(sum, row->n, us);
	return row->n > 1 ? fill_windows(h, row, n, per_window, a) : 0;
}

static int
group_done(struct evidence *e, const char *file, const struct bucket_row *row, size_t n,
	bool per_window)
{
	size_t n_buckets = n;
	while (n_buckets && isnan(row[n_buckets - 1].edge_s))
		n_buckets--;
	if (n_buckets == 0)
		return 0; /* a summary: a sum, and no buckets */
	const struct bucket_row *sum = n_buckets < n ? &row[n_buckets] : NULL;
	const char *name = row->name ? row->name : "histogram";
	if (isnan(unit_us(row->name))) {
		findings_add(&e->findings, SEVERITY_NOTE, "no-duration", NULL,
			"%s: histogram %.100s is not of durations (name ends in _seconds) and is "
			"not read",
			file, name);
		return 0;
	}
	const char *why = fault(row, n_buckets, per_window);
	if (why) {
		findings_add(&e->findings, SEVERITY_WARNING, "histogram",
			"take it anew, all buckets in one answer",
			"%s: histogram %.100s is left out: %s", file, name, why);
		return 0;
	}
	return make(e, file, row, n_buckets, sum, per_window);
}

int
bucket_rows_done(struct bucket_rows *rows, struct evidence *e, const char *file, bool per_window,
	struct err *err)
{
	if (rows->n)
		qsort(rows->rows, rows->n, sizeof(*rows->rows), by_group);
	for (size_t i = 0, end; i < rows->n; i = end) {
		for (end = i + 1;
			end < rows->n && group_order(&rows->rows[i], &rows->rows[end]) == 0;)
			end++;
		if (group_done(e, file, &rows->rows[i], end - i, per_window))
			return err_nomem(err);
	}
	return 0;
}
