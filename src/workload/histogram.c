#include "workload/histogram.h"

#include <math.h>
#include <stdio.h>

double
histogram_count(const struct evidence_histogram *h)
{
	return h->n ? h->count[h->n - 1] : 0;
}

double
histogram_quantile_us(const struct evidence_histogram *h, double p, bool *beyond)
{
	double rank = p * histogram_count(h), below = 0, from = 0;
	*beyond = false;
	if (histogram_count(h) <= 0)
		return NAN;
	for (size_t i = 0; i < h->n; i++) {
		double in = h->count[i] - below;
		if (h->count[i] >= rank && in > 0) {
			*beyond = isinf(h->edge_us[i]);
			return *beyond ? from : from + (h->edge_us[i] - from) * (rank - below) / in;
		}
		below = h->count[i];
		from = h->edge_us[i];
	}
	*beyond = true;
	return from;
}

void
histogram_worst(const struct evidence_histogram *h, double *from_us, double *to_us)
{
	double below = 0, from = 0;
	*from_us = *to_us = NAN;
	for (size_t i = 0; i < h->n; i++) {
		if (h->count[i] > below) {
			*from_us = from;
			*to_us = h->edge_us[i];
		}
		below = h->count[i];
		from = h->edge_us[i];
	}
}

void
histogram_quantile_text(const struct evidence_histogram *h, double p, char text[48])
{
	bool beyond;
	double ms = histogram_quantile_us(h, p, &beyond) / 1000;
	text[0] = '\0';
	if (!isnan(ms))
		snprintf(text, 48, "%s%.*f", beyond ? ">= " : "", ms < 1 ? 4 : 2, ms);
}

void
histogram_worst_text(const struct evidence_histogram *h, char text[48])
{
	double from, to;
	histogram_worst(h, &from, &to);
	text[0] = '\0';
	if (isinf(to))
		snprintf(text, 48, ">= %.6g", from / 1000);
	else if (!isnan(to))
		snprintf(text, 48, "%.6g to %.6g", from / 1000, to / 1000);
}
