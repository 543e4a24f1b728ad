#include "profile/fio_put.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"

static const double ns_per_us = 1000, kib = 1024;

/* `"name": `, with the comma when it is not the first of its object. */
static void
member(struct buf *out, const char *name)
{
	if (out->len && out->text[out->len - 1] != '{')
		buf_put(out, ", ");
	json_put_string(out, name);
	buf_put(out, ": ");
}

/* fio writes 0 for what it did not record. */
static double
or_zero(double v)
{
	return isfinite(v) ? v : 0;
}

void
fio_put_whole(struct buf *out, const char *name, double v)
{
	member(out, name);
	buf_printf(out, "%.0f", or_zero(v));
}

void
fio_put_number(struct buf *out, const char *name, double v)
{
	member(out, name);
	json_put_number(out, or_zero(v));
}

void
fio_put_text(struct buf *out, const char *name, const char *text)
{
	member(out, name);
	json_put_string(out, text);
}

__attribute__((format(printf, 3, 4))) void
fio_put_option(struct buf *out, const char *name, const char *fmt, ...)
{
	char text[64];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fio_put_text(out, name, text);
}

void
fio_put_open(struct buf *out, const char *name, const char *indent)
{
	if (out->len && out->text[out->len - 1] != '{')
		buf_putc(out, ',');
	buf_printf(out, "\n%s\"%s\": {", indent, name);
}

static const double percents[FIO_PERCENTILES] = {50, 90, 95, 99, 99.9};

static struct fio_latency
no_latency(void)
{
	const double nan = (double)NAN;
	return (struct fio_latency){
		nan, nan, nan, nan, nan, {nan, nan, nan, nan, nan}, NULL, NULL, 0};
}

static void
put_percentiles(struct buf *out, const struct fio_latency *l)
{
	bool any = false;
	for (size_t i = 0; i < FIO_PERCENTILES; i++)
		any = any || !isnan(l->percentile_us[i]);
	if (!any)
		return;
	member(out, "percentile");
	buf_putc(out, '{');
	for (size_t i = 0; i < FIO_PERCENTILES; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%f", percents[i]);
		if (!isnan(l->percentile_us[i]))
			fio_put_whole(out, name, l->percentile_us[i] * ns_per_us);
	}
	buf_putc(out, '}');
}

/* Bins that fall on the same nanosecond are one: a name must not come twice. */
static void
put_bins(struct buf *out, const struct fio_latency *l)
{
	if (l->n_bins == 0)
		return;
	member(out, "bins");
	buf_putc(out, '{');
	for (size_t i = 0; i < l->n_bins;) {
		double at_ns = round(l->bins_us[i] * ns_per_us), count = 0;
		for (; i < l->n_bins && round(l->bins_us[i] * ns_per_us) <= at_ns; i++)
			count += l->bins_n[i];
		char name[32];
		snprintf(name, sizeof(name), "%.0f", at_ns);
		fio_put_whole(out, name, count);
	}
	buf_putc(out, '}');
}

void
fio_put_latency(struct buf *out, const char *name, const struct fio_latency *l)
{
	member(out, name);
	buf_putc(out, '{');
	fio_put_whole(out, "min", l->min_us * ns_per_us);
	fio_put_whole(out, "max", l->max_us * ns_per_us);
	fio_put_number(out, "mean", l->mean_us * ns_per_us);
	fio_put_number(out, "stddev", l->sd_us * ns_per_us);
	fio_put_whole(out, "N", isnan(l->mean_us) ? 0 : l->n);
	put_percentiles(out, l);
	put_bins(out, l);
	buf_putc(out, '}');
}

/* The rate over the run as fio samples it: here a sample is a slice. */
static void
put_rates(struct buf *out, const struct fio_direction *s)
{
	double least = NAN, most = NAN, sum = 0, square = 0, n = (double)s->n_slices;
	for (size_t i = 0; i < s->n_slices; i++) {
		least = fmin(least, s->slice_iops[i]);
		most = fmax(most, s->slice_iops[i]);
		sum += s->slice_iops[i];
	}
	for (size_t i = 0; i < s->n_slices; i++)
		square += pow(s->slice_iops[i] - sum / n, 2);
	fio_put_whole(out, "iops_min", least);
	fio_put_whole(out, "iops_max", most);
	fio_put_number(out, "iops_mean", n > 0 ? sum / n : 0);
	fio_put_number(out, "iops_stddev", n > 1 ? sqrt(square / (n - 1)) : 0);
	fio_put_whole(out, "iops_samples", n);
}

void
fio_put_direction(struct buf *out, const char *name, const struct fio_direction *s)
{
	fio_put_open(out, name, "    ");
	fio_put_whole(out, "io_bytes", s->n * s->bs_b);
	fio_put_whole(out, "io_kbytes", floor(s->n * s->bs_b / kib));
	fio_put_whole(out, "bw_bytes", s->iops * s->bs_b);
	fio_put_whole(out, "bw", floor(s->iops * s->bs_b / kib));
	fio_put_number(out, "iops", s->iops);
	fio_put_whole(out, "runtime", s->runtime_s * 1000);
	fio_put_whole(out, "total_ios", s->n);
	fio_put_whole(out, "short_ios", 0);
	fio_put_whole(out, "drop_ios", 0);
	fio_put_latency(out, "slat_ns", &s->slat);
	fio_put_latency(out, "clat_ns", &s->clat);
	fio_put_latency(out, "lat_ns", &s->lat);
	put_rates(out, s);
	buf_putc(out, '}');
}

struct fio_direction
fio_direction_none(void)
{
	const double nan = (double)NAN;
	return (struct fio_direction){
		nan, nan, nan, nan, NULL, 0, no_latency(), no_latency(), no_latency()};
}
