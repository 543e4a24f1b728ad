#include "workload/histogram.h"

#include <math.h>
#include <stdio.h>

static double
lower_edge(const struct evidence_histogram *h, size_t i)
{
	return i ? h->edge_us[i - 1] : fmin(0.0, h->edge_us[0]);
}

double
histogram_count(const struct evidence_histogram *h)
{
	return h->n ? h->count[h->n - 1] : 0;
}

double
histogram_mean_us(const struct evidence_histogram *h)
{
	double total = histogram_count(h);
	return total > 0 ? h->sum_us / total : (double)NAN;
}

static struct histogram_at
at(const struct evidence_histogram *h, const double *count, double p)
{
	struct histogram_at out = {NAN, NAN, NAN};
	double total = h->n ? count[h->n - 1] : 0, rank = p * total;
	if (!(total > 0))
		return out;
	size_t i = 0;
	while (i + 1 < h->n && (count[i] < rank || count[i] <= 0))
		i++;
	double before = i ? count[i - 1] : 0, inside = count[i] - before;
	out.low_us = lower_edge(h, i);
	out.high_us = h->edge_us[i];
	if (isinf(out.high_us))
		out.us = out.low_us;
	else
		out.us = out.low_us +
			 (out.high_us - out.low_us) * (inside > 0 ? (rank - before) / inside : 1);
	return out;
}

struct histogram_at
histogram_at(const struct evidence_histogram *h, double p)
{
	return at(h, h->count, p);
}

struct histogram_at
histogram_window_at(const struct evidence_histogram *h, size_t window, double p)
{
	return at(h, h->windows[window].count, p);
}

struct histogram_at
histogram_worst(const struct evidence_histogram *h, double *n)
{
	struct histogram_at out = {NAN, NAN, NAN};
	double below = 0;
	*n = 0;
	for (size_t i = 0; i < h->n; i++) {
		if (h->count[i] > below) {
			out = (struct histogram_at){
				lower_edge(h, i), lower_edge(h, i), h->edge_us[i]};
			*n = h->count[i] - below;
		}
		below = h->count[i];
	}
	return out;
}

void
histogram_quantile_text(const struct evidence_histogram *h, double p, char text[48])
{
	struct histogram_at found = histogram_at(h, p);
	double ms = found.us / 1000;
	text[0] = '\0';
	if (!isnan(ms))
		snprintf(text, 48, "%s%.*f", isinf(found.high_us) ? ">= " : "", ms < 1 ? 4 : 2, ms);
}

void
histogram_worst_text(const struct evidence_histogram *h, char text[48])
{
	double n;
	struct histogram_at worst = histogram_worst(h, &n);
	text[0] = '\0';
	if (isinf(worst.high_us))
		snprintf(text, 48, ">= %.6g", worst.low_us / 1000);
	else if (!isnan(worst.us))
		snprintf(text, 48, "%.6g to %.6g", worst.low_us / 1000, worst.high_us / 1000);
}
