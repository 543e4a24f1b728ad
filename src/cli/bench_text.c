#include "cli/bench_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { SHORT = 32 };

static const char too_few[] = "N too small";

const char *
bench_text(struct doc *d, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *kept = arena_strdup(d->arena, text);
	d->failed = d->failed || !kept;
	return kept ? kept : "";
}

/* A value as its unit's function writes it; "-" for one that is not known. */
static const char *
shown(struct doc *d, double v, void (*text_of)(double v, char text[SHORT]))
{
	char text[SHORT];
	if (isnan(v))
		return "-";
	text_of(v, text);
	return bench_text(d, "%s", text);
}

const char *
bench_count(struct doc *d, double v)
{
	return shown(d, v, units_count_text);
}

const char *
bench_range(struct doc *d, double v, double lo, double hi)
{
	if (isnan(v) || isnan(lo) || isnan(hi))
		return bench_count(d, v);
	return bench_text(
		d, "%s (%s-%s)", bench_count(d, v), bench_count(d, lo), bench_count(d, hi));
}

const char *
bench_latency(struct doc *d, double us)
{
	return shown(d, us, units_latency_text);
}

/* Three digits, never an exponent. */
static const char *
digits(struct doc *d, double v)
{
	return bench_text(d, v >= 999.5 ? "%.0f" : "%.3g", v);
}

const char *
bench_latency_range(struct doc *d, double us, double lo, double hi)
{
	if (isnan(us) || isnan(lo) || isnan(hi))
		return bench_latency(d, us);
	/* the ends are in the unit of the value */
	double unit = us < 999.5 ? 1 : us < 999.5e3 ? 1e3 : 1e6;
	return bench_text(
		d, "%s (%s-%s)", bench_latency(d, us), digits(d, lo / unit), digits(d, hi / unit));
}

/* Whether fewer than 10 of n samples lie above a percentile. */
static bool
is_too_few(double n, double percent)
{
	return n * (100 - percent) < 10 * 100 * (1 - 1e-9);
}

const char *
bench_percentile(struct doc *d, double us, double n, double percent)
{
	return isnan(us) && is_too_few(n, percent) ? too_few : bench_latency(d, us);
}

const char *
bench_percentile_range(struct doc *d, const double us[3], double n, double percent)
{
	return isnan(us[0]) && is_too_few(n, percent) ? too_few
						      : bench_latency_range(d, us[0], us[1], us[2]);
}

const char *
bench_size(struct doc *d, double size_b)
{
	return shown(d, size_b, units_size_text);
}

/* Two decimals near 1, where they matter, or as many as the width of the interval needs. */
static const char *
factor(struct doc *d, double v, double width)
{
	if (v < 0.095)
		return bench_text(d, "%.2g", v);
	int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	while (decimals < 4 && width < 2 * pow(10, -decimals))
		decimals++;
	return bench_text(d, "%.*f", decimals, v);
}

const char *
bench_interval(struct doc *d, double lo, double hi)
{
	if (isnan(lo) || isnan(hi))
		return "-";
	if (isinf(hi))
		return bench_text(d, "over %s", factor(d, lo, hi));
	return bench_text(d, "%s-%s", factor(d, lo, hi - lo), factor(d, hi, hi - lo));
}

const char *
bench_ratio(struct doc *d, double v, double lo, double hi)
{
	if (isnan(v))
		return "-";
	if (isnan(lo) || isnan(hi))
		return bench_text(d, "%sx", factor(d, v, (double)INFINITY));
	return bench_text(d, "%sx (%s)", factor(d, v, hi - lo), bench_interval(d, lo, hi));
}

const char *
bench_percent(struct doc *d, double frac)
{
	if (isnan(frac))
		return "-";
	double percent = 100 * frac;
	return bench_text(d, fabs(percent) < 9.95 ? "%.2g %%" : "%.0f %%", percent);
}

/* Mean of the part of v that column i of `width` stands for. */
static double
mean_of_part(const double *v, size_t n, size_t i, size_t width)
{
	size_t from = i * n / width, to = (i + 1) * n / width, known = 0;
	double sum = 0;
	for (size_t k = from; k < to; k++) {
		if (isnan(v[k]))
			continue;
		sum += v[k];
		known++;
	}
	return known ? sum / (double)known : (double)NAN;
}

const char *
bench_sparkline(struct doc *d, const double *v, size_t n, size_t width)
{
	enum { LEVELS = 8, BYTES = 3 }; /* U+2581 .. U+2588 */
	char text[256 * BYTES + 1];
	size_t columns = n < width ? n : width, len = 0;
	double most = 0;
	if (columns > 256)
		columns = 256;
	for (size_t i = 0; i < columns; i++)
		most = fmax(most, mean_of_part(v, n, i, columns));
	for (size_t i = 0; i < columns && most > 0; i++) {
		double part = mean_of_part(v, n, i, columns);
		if (isnan(part)) {
			text[len++] = ' ';
			continue;
		}
		double level = fmin(LEVELS - 1, floor(part / most * LEVELS));
		memcpy(text + len, "\u2581", BYTES);
		text[len + 2] = (char)(text[len + 2] + (int)level);
		len += BYTES;
	}
	text[len] = '\0';
	return bench_text(d, "%s", text);
}

void
bench_row(struct doc *d, struct doc_table *t, const char *const *cells, size_t n)
{
	doc_row(d, t);
	for (size_t i = 0; i < n; i++)
		doc_cell(d, t, i, "%s", cells[i]);
}
