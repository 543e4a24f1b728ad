#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "report/html.h"
#include "report/process.h"
#include "report/svg.h"

enum { TIMEOUT_S = 20, MAX_SERIES = 32, MAX_POINTS = 2000 };

/* The input of gnuplot while it is written: data blocks, arrays and numbers, then the script. */
struct plot {
	const struct doc_figure *figure;
	bool linear; /* axes; logarithmic ones have no room for 0 */
	struct buf text;
	const char *items[512];
	struct svg_texts texts;
	char totals[64][48]; /* text of the bars' totals and of the wider segments */
	size_t n_totals;
};

/* A string of gnuplot that stands for text of the document. */
static void
put_string(struct plot *p, const char *text)
{
	if (!text || p->texts.n == sizeof(p->items) / sizeof(p->items[0])) {
		buf_put(&p->text, "''");
		return;
	}
	p->items[p->texts.n++] = text;
	buf_putc(&p->text, '\'');
	svg_placeholder(&p->text, &p->texts, p->texts.n - 1);
	buf_putc(&p->text, '\'');
}

static void
set_string(struct plot *p, const char *variable, const char *text)
{
	buf_printf(&p->text, "%s = ", variable);
	put_string(p, text);
	buf_putc(&p->text, '\n');
}

/* gnuplot's arrays start at 1 and cannot be empty. */
static void
declare(struct plot *p, const char *array, size_t n)
{
	buf_printf(&p->text, "array %s[%zu]\n", array, n ? n : 1);
}

static size_t
count_marks(const struct doc_figure *f, enum doc_mark mark)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n_series; i++)
		n += f->series[i].mark == mark && f->series[i].n > 0;
	return n;
}

/* Least and largest of the drawn values; untouched when there are none.  Axes are logarithmic, where
 * what is not above zero cannot be drawn, or linear from zero. */
struct extent {
	double x_min, x_max, y_min, y_max, measured_max;
};

static bool
has_room(const struct plot *p, double v)
{
	return isfinite(v) && (p->linear ? v >= 0 : v > 0);
}

static void
widen(const struct plot *p, double v, double *min, double *max)
{
	if (!has_room(p, v))
		return;
	*min = isnan(*min) || v < *min ? v : *min;
	*max = isnan(*max) || v > *max ? v : *max;
}

static struct extent
extent_of(const struct plot *p)
{
	const struct doc_figure *f = p->figure;
	const double nan = (double)NAN;
	struct extent e = {nan, nan, nan, nan, nan};
	double ignored = nan;
	for (size_t i = 0; i < f->n_series; i++) {
		const struct doc_series *s = &f->series[i];
		for (size_t j = 0; j < s->n; j++) {
			if (s->x)
				widen(p, s->x[j], &e.x_min, &e.x_max);
			if (s->y)
				widen(p, s->y[j], &e.y_min, &e.y_max);
			if (s->y2)
				widen(p, s->y2[j], &e.y_min, &e.y_max);
			if (s->x && s->mark == DOC_MARK_POINTS)
				widen(p, s->x[j], &ignored, &e.measured_max);
		}
	}
	return e;
}

static bool
drawable(const struct plot *p, const struct doc_series *s, size_t j)
{
	return has_room(p, s->x[j]) && has_room(p, s->y[j]) && (!s->y2 || has_room(p, s->y2[j]));
}

/* All series of one mark in one data block, two empty lines apart: `index` finds them. */
static void
put_block(struct plot *p, const char *name, enum doc_mark mark)
{
	buf_printf(&p->text, "$%s << END_OF_DATA\n", name);
	for (size_t i = 0; i < p->figure->n_series; i++) {
		const struct doc_series *s = &p->figure->series[i];
		if (s->mark != mark || s->n == 0 || !s->x || !s->y)
			continue;
		for (size_t j = 0; j < s->n && j < MAX_POINTS; j++) {
			if (drawable(p, s, j))
				buf_printf(&p->text, "%.6g %.6g %.6g\n", s->x[j], s->y[j],
					s->y2 ? s->y2[j] : s->y[j]);
		}
		buf_put(&p->text, "\n\n");
	}
	buf_put(&p->text, "END_OF_DATA\n");
}

/* NAME_n, and per series NAME_name[i], NAME_dash[i], NAME_at[i] (where a straight line stands). */
static void
put_series(struct plot *p, const char *name, enum doc_mark mark)
{
	char variable[64];
	size_t n = count_marks(p->figure, mark), k = 0;
	buf_printf(&p->text, "%s_n = %zu\n", name, n);
	static const char *const arrays[] = {"name", "dash", "at"};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		snprintf(variable, sizeof(variable), "%s_%s", name, arrays[i]);
		declare(p, variable, n);
	}
	for (size_t i = 0; i < p->figure->n_series; i++) {
		const struct doc_series *s = &p->figure->series[i];
		if (s->mark != mark || s->n == 0)
			continue;
		k++;
		snprintf(variable, sizeof(variable), "%s_name[%zu]", name, k);
		set_string(p, variable, s->name);
		const double *at = mark == DOC_MARK_VLINE ? s->x : s->y;
		buf_printf(&p->text, "%s_dash[%zu] = %d\n%s_at[%zu] = %.6g\n", name, k,
			s->dashed ? 2 : 1, name, k, at && isfinite(at[0]) ? at[0] : -1.0);
	}
}

static void
put_marks_of(struct plot *p)
{
	put_block(p, "lines", DOC_MARK_LINE);
	put_block(p, "points", DOC_MARK_POINTS);
	put_block(p, "bands", DOC_MARK_BAND);
	put_series(p, "line", DOC_MARK_LINE);
	put_series(p, "point", DOC_MARK_POINTS);
	put_series(p, "band", DOC_MARK_BAND);
	put_series(p, "hline", DOC_MARK_HLINE);
	put_series(p, "vline", DOC_MARK_VLINE);
}

static int
put_latency(struct plot *p, struct err *err)
{
	struct extent e = extent_of(p);
	if (isnan(e.x_min) || isnan(e.y_min))
		return err_set(err, ERR_UNSUPPORTED, "no point with a depth and a latency");
	put_marks_of(p);
	buf_printf(&p->text, "x_min = %.6g\nx_max = %.6g\ny_min = %.6g\ny_max = %.6g\n", e.x_min,
		e.x_max > e.x_min ? e.x_max : e.x_min * 2, e.y_min / 1.3, e.y_max * 1.5);
	buf_printf(&p->text, "measured_max = %.6g\n", isnan(e.measured_max) ? -1 : e.measured_max);
	return 0;
}

static int
put_time(struct plot *p, struct err *err)
{
	p->linear = true;
	struct extent e = extent_of(p);
	if (isnan(e.x_max) || isnan(e.y_max))
		return err_set(err, ERR_UNSUPPORTED, "no point with a time and a rate");
	put_marks_of(p);
	buf_printf(&p->text, "x_max = %.6g\ny_max = %.6g\n", e.x_max > 0 ? e.x_max : 1,
		e.y_max > 0 ? e.y_max * 1.15 : 1);
	return 0;
}

static int
put_front(struct plot *p, struct err *err)
{
	struct extent e = extent_of(p);
	if (isnan(e.x_min) || isnan(e.y_min))
		return err_set(err, ERR_UNSUPPORTED, "no plan with a cost and a latency");
	put_marks_of(p);
	double room = e.x_max > e.x_min ? (e.x_max - e.x_min) * 0.08 : e.x_max * 0.1;
	buf_printf(&p->text, "x_min = %.6g\nx_max = %.6g\ny_min = %.6g\ny_max = %.6g\n",
		fmax(0, e.x_min - room), e.x_max + room, e.y_min / 1.25, e.y_max * 1.25);
	return 0;
}

/* A figure of the chart as text that lives as long as the plot. */
static const char *
money(struct plot *p, double amount, const char *lead)
{
	if (p->n_totals == sizeof(p->totals) / sizeof(p->totals[0]))
		return NULL;
	char *text = p->totals[p->n_totals++], number[48];
	units_money_text(amount, amount < 100 ? 2 : 0, number);
	snprintf(text, sizeof(p->totals[0]), "%s%.30s", lead, number);
	return text;
}

struct bars {
	double end[MAX_SERIES]; /* of each bar so far */
	bool partial[MAX_SERIES]; /* an amount is unknown */
	double longest;
};

static struct bars
measure_bars(const struct doc_figure *f)
{
	struct bars b = {.longest = 0};
	for (size_t j = 0; j < f->n_labels; j++) {
		for (size_t i = 0; i < f->n_series; i++) {
			const struct doc_series *s = &f->series[i];
			if (s->mark != DOC_MARK_BAR || j >= s->n || !s->y)
				continue;
			b.partial[j] = b.partial[j] || isnan(s->y[j]);
			if (s->y[j] > 0 && isfinite(s->y[j]))
				b.end[j] += s->y[j];
		}
		b.longest = b.end[j] > b.longest ? b.end[j] : b.longest;
	}
	return b;
}

/* The segments of one series: where they start and end on each bar; those wide enough carry their
 * amount. */
static void
put_segments(struct plot *p, const struct doc_series *s, const struct bars *all, double *at,
	size_t *n_marks)
{
	for (size_t j = 0; j < s->n && j < p->figure->n_labels; j++) {
		double v = s->y[j];
		if (!(v > 0) || !isfinite(v))
			continue;
		buf_printf(&p->text, "%.6g %.6g %zu\n", at[j], at[j] + v, j + 1);
		at[j] += v;
		*n_marks += v > all->longest * 0.08;
	}
	buf_put(&p->text, "\n\n");
}

static void
put_marks(struct plot *p, const struct bars *all, size_t n_marks)
{
	double at[MAX_SERIES] = {0};
	size_t k = 0;
	declare(p, "mark_x", n_marks);
	declare(p, "mark_y", n_marks);
	declare(p, "mark_text", n_marks);
	for (size_t i = 0; i < p->figure->n_series; i++) {
		const struct doc_series *s = &p->figure->series[i];
		if (s->mark != DOC_MARK_BAR || !s->y)
			continue;
		for (size_t j = 0; j < s->n && j < p->figure->n_labels; j++) {
			double v = s->y[j];
			if (!(v > 0) || !isfinite(v))
				continue;
			at[j] += v;
			if (v <= all->longest * 0.08 || v >= all->end[j])
				continue; /* narrow, or the only one: the total says it */
			k++;
			buf_printf(&p->text, "mark_x[%zu] = %.6g\nmark_y[%zu] = %zu\n", k,
				at[j] - v / 2, k, j + 1);
			char variable[32];
			snprintf(variable, sizeof(variable), "mark_text[%zu]", k);
			set_string(p, variable, money(p, v, ""));
		}
	}
	buf_printf(&p->text, "mark_n = %zu\n", k);
}

static int
put_cost(struct plot *p, struct err *err)
{
	const struct doc_figure *f = p->figure;
	if (f->n_labels == 0 || f->n_labels > MAX_SERIES || f->n_series > MAX_SERIES)
		return err_set(err, ERR_UNSUPPORTED, "%zu bars of %zu parts: 1 to %d can be drawn",
			f->n_labels, f->n_series, MAX_SERIES);
	struct bars b = measure_bars(f);
	if (b.longest <= 0)
		return err_set(err, ERR_UNSUPPORTED, "no known amount");
	double at[MAX_SERIES] = {0};
	size_t n_marks = 0;
	char variable[32];
	buf_put(&p->text, "$bars << END_OF_DATA\n");
	for (size_t i = 0; i < f->n_series; i++) {
		if (f->series[i].mark == DOC_MARK_BAR && f->series[i].n && f->series[i].y)
			put_segments(p, &f->series[i], &b, at, &n_marks);
	}
	buf_put(&p->text, "END_OF_DATA\n");
	put_series(p, "part", DOC_MARK_BAR);
	buf_printf(&p->text, "bar_n = %zu\nlongest = %.6g\n", f->n_labels, b.longest);
	declare(p, "bar_name", f->n_labels);
	declare(p, "bar_end", f->n_labels);
	declare(p, "bar_total", f->n_labels);
	for (size_t j = 0; j < f->n_labels; j++) {
		snprintf(variable, sizeof(variable), "bar_name[%zu]", j + 1);
		set_string(p, variable, f->labels[j]);
		buf_printf(&p->text, "bar_end[%zu] = %.6g\n", j + 1, b.end[j]);
		snprintf(variable, sizeof(variable), "bar_total[%zu]", j + 1);
		set_string(p, variable, money(p, b.end[j], b.partial[j] ? "at least " : ""));
	}
	put_marks(p, &b, n_marks);
	return 0;
}

static int
put_margin(struct plot *p, struct err *err)
{
	const struct doc_figure *f = p->figure;
	struct extent e = extent_of(p);
	char variable[32];
	if (f->n_labels == 0 || f->n_labels > MAX_SERIES || isnan(e.y_min))
		return err_set(err, ERR_UNSUPPORTED, "%zu rows: 1 to %d with a value can be drawn",
			f->n_labels, MAX_SERIES);
	put_marks_of(p);
	buf_printf(&p->text, "row_n = %zu\nvalue_min = %.6g\nvalue_max = %.6g\n", f->n_labels,
		e.y_min / 1.25, e.y_max * 1.25);
	declare(p, "row_name", f->n_labels);
	for (size_t j = 0; j < f->n_labels; j++) {
		snprintf(variable, sizeof(variable), "row_name[%zu]", j + 1);
		set_string(p, variable, f->labels[j]);
	}
	return 0;
}

static const struct {
	const char *script;
	int (*put)(struct plot *p, struct err *err);
} kinds[] = {
	[DOC_CHART_LATENCY] = {"latency.gp", put_latency},
	[DOC_CHART_COST] = {"cost.gp", put_cost},
	[DOC_CHART_TIME] = {"time.gp", put_time},
	[DOC_CHART_FRONT] = {"front.gp", put_front},
	[DOC_CHART_MARGIN] = {"margin.gp", put_margin},
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == DOC_CHART_COUNT, "a row for every chart");

static int
put_script(struct plot *p, const char *data_dir, struct err *err)
{
	char path[4096];
	const char *script = kinds[p->figure->kind].script;
	if (!data_dir || (size_t)snprintf(path, sizeof(path), "%s/reports/charts/%s", data_dir,
				 script) >= sizeof(path))
		return err_set(err, ERR_IO, "no data folder with reports/charts/%s", script);
	return file_read(path, &p->text, err);
}

/* The picture with its name and description, scaled by its viewBox. */
static void
wrap(const struct doc_figure *f, size_t id, const char *view_box, const char *body, struct buf *out)
{
	buf_printf(out,
		"<svg role=\"img\" aria-labelledby=\"c%zu-t c%zu-d\" viewBox=\"%s\" "
		"class=\"chart\" fill=\"none\">\n<title id=\"c%zu-t\">",
		id, id, view_box, id);
	html_text(out, f->title ? f->title : "chart", HTML_MAX_TEXT);
	buf_printf(out, "</title>\n<desc id=\"c%zu-d\">", id);
	html_text(out, f->description ? f->description : "The table that follows has the numbers.",
		HTML_MAX_TEXT);
	buf_printf(out, "</desc>\n%s</svg>\n", body);
}

static int
draw(struct plot *p, size_t id, const char *data_dir, struct buf *out, struct err *err)
{
	static const char *const gnuplot[] = {"gnuplot", "-d", NULL}; /* -d: no start-up files */
	const struct doc_figure *f = p->figure;
	char view_box[64];
	struct buf drawn, body;
	buf_init(&drawn, (size_t)2 << 20);
	buf_init(&body, (size_t)2 << 20);
	set_string(p, "x_title", f->x_title ? f->x_title : "");
	set_string(p, "y_title", f->y_title ? f->y_title : "");
	int rc = kinds[f->kind].put(p, err);
	if (rc == 0)
		rc = put_script(p, data_dir, err);
	if (rc == 0)
		rc = buf_check(&p->text, err);
	if (rc == 0)
		rc = process_run(gnuplot, &p->text, TIMEOUT_S, &drawn, err);
	if (rc == 0)
		rc = svg_rewrite(buf_text(&drawn), &p->texts, view_box, &body, err);
	if (rc == 0)
		wrap(f, id, view_box, buf_text(&body), out);
	buf_fini(&drawn);
	buf_fini(&body);
	return rc;
}

int
chart_svg(const struct doc_figure *f, size_t id, const char *data_dir, struct buf *out,
	struct err *err)
{
	if ((unsigned int)f->kind >= DOC_CHART_COUNT || f->n_series > MAX_SERIES)
		return err_set(err, ERR_UNSUPPORTED, "chart of kind %d with %zu series",
			(int)f->kind, f->n_series);
	struct plot p = {.figure = f};
	p.texts.items = p.items;
	buf_init(&p.text, (size_t)1 << 20);
	int rc = draw(&p, id, data_dir, out, err);
	buf_fini(&p.text);
	return rc;
}
