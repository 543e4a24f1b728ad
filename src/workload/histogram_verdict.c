#include "workload/histogram_verdict.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

/* The worst part of its time, among those with enough operations to have such a percentile. */
static void
find_worst(const struct evidence_histogram *h, double p, struct histogram_verdict *out)
{
	out->worst = (struct histogram_at){NAN, NAN, NAN};
	out->worst_dt_s = NAN;
	for (size_t i = 0; i < h->n_windows; i++) {
		struct histogram_at one = histogram_window_at(h, i, p);
		if (h->windows[i].count[h->n - 1] * (1 - p) < 1 || !(one.us >= 0))
			continue;
		if (!(one.us <= out->worst.us)) {
			out->worst = one;
			out->worst_dt_s = h->windows[i].dt_s;
		}
	}
}

static void
find_ends(const struct evidence_histogram *h, double limit_us, struct histogram_verdict *out)
{
	double total = histogram_count(h), before = 0, low = 0;
	out->within_least = 0;
	out->within_most = 1;
	for (size_t i = 0; i < h->n; i++) {
		if (h->edge_us[i] <= limit_us)
			out->within_least = h->count[i] / total;
		else if (low <= limit_us)
			out->within_most = h->count[i] / total;
		if (h->count[i] > before && isnan(out->fastest_us))
			out->fastest_us = low;
		before = h->count[i];
		low = h->edge_us[i];
	}
	out->slowest = histogram_worst(h, &out->n_slowest);
}

void
histogram_judge(const struct evidence_histogram *h, double p, double limit_us,
	struct histogram_verdict *out)
{
	*out = (struct histogram_verdict){
		.at = histogram_at(h, p), .median = histogram_at(h, 0.5), .fastest_us = NAN};
	out->ratio = out->at.us / limit_us;
	out->fails = out->at.us > limit_us;
	out->fails_surely = out->fails && out->at.low_us >= limit_us;
	out->fails_always = out->fails_surely && out->median.low_us >= limit_us;
	find_worst(h, p, out);
	find_ends(h, limit_us, out);
}

static void
at_text(struct histogram_at a, char text[160])
{
	char us[32], low[32], high[32];
	units_latency_text(a.us, us);
	units_latency_text(a.low_us, low);
	units_latency_text(a.high_us, high);
	if (isinf(a.high_us))
		snprintf(text, 160, "at least %s, the last edge of the histogram", low);
	else
		snprintf(text, 160, "%s (between %s and %s)", us, low, high);
}

/* A bucket alone. */
static void
span_text(struct histogram_at a, char text[160])
{
	char low[32], high[32];
	units_latency_text(a.low_us, low);
	units_latency_text(a.high_us, high);
	if (isinf(a.high_us))
		snprintf(text, 160, "more than %s, the last edge of the histogram", low);
	else
		snprintf(text, 160, "between %s and %s", low, high);
}

/* Text and what to do for a percentile over its limit. */
static void
say_failure(const struct evidence_histogram *h, const struct histogram_verdict *v, const char *what,
	struct findings *out)
{
	char median[160], slowest[160], share[40];
	at_text(v->median, median);
	span_text(v->slowest, slowest);
	snprintf(share, sizeof(share), "%.2g %%", v->within_most * 100);
	if (v->fails_always)
		findings_add(out, SEVERITY_ERROR, "commit-class",
			"another class of disk for the log, one with a lower latency of a single "
			"write; more "
			"IOPS on this class do not lower it",
			"%s: %s; fails by %.1f times.  Even the best case of its bucket misses, "
			"and so does "
			"that of the median, %s; at most %s are within: the class of disk, not a "
			"burst",
			h->name, what, v->ratio, median, share);
	else
		findings_add(out, SEVERITY_ERROR, v->fails_surely ? "commit-tail" : "commit-edge",
			v->fails_surely ? "find what comes in bursts (a checkpoint, a backup, a "
					  "cap) before "
					  "another class is bought"
					: "a histogram with finer buckets around the limit, or "
					  "tierwise bench of "
					  "the disk",
			"%s: %s; fails by %.1f times%s.  The median is %s: most are well, a part "
			"is not",
			h->name, what, v->ratio,
			v->fails_surely ? ", even in the best case of its bucket"
					: ", though not in the best case of its bucket",
			median);
	char fastest[32];
	units_latency_text(v->fastest_us, fastest);
	findings_add(out, SEVERITY_NOTE, "commit-slowest", NULL, "%s: the slowest %.0f took %s%s%s",
		h->name, v->n_slowest, slowest, v->fastest_us > 0 ? ", nothing less than " : "",
		v->fastest_us > 0 ? fastest : "");
}

void
histogram_say(const struct evidence_histogram *h, double p, double limit_us, struct findings *out)
{
	struct histogram_verdict v;
	char found[160], limit[32], high[32], worst[160], what[320];
	histogram_judge(h, p, limit_us, &v);
	if (isnan(v.at.us)) {
		findings_add(out, SEVERITY_NOTE, "histogram-empty", NULL, "%s: nothing was counted",
			h->name);
		return;
	}
	at_text(v.at, found);
	at_text(v.worst, worst);
	units_latency_text(limit_us, limit);
	snprintf(what, sizeof(what), "p%g of %.0f operations is %s, the limit %s", p * 100,
		histogram_count(h), found, limit);
	units_latency_text(v.at.high_us, high);
	if (v.fails)
		say_failure(h, &v, what, out);
	else if (v.at.high_us > limit_us)
		findings_add(out, SEVERITY_NOTE, "commit-within",
			"a histogram with finer buckets around the limit",
			"%s: %s: within, though the bucket reaches %s", h->name, what, high);
	else
		findings_add(
			out, SEVERITY_NOTE, "commit-within", NULL, "%s: %s: within", h->name, what);
	if (v.worst.us > v.at.us)
		findings_add(out,
			v.worst.us > limit_us && !v.fails ? SEVERITY_WARNING : SEVERITY_NOTE,
			"commit-window", NULL, "%s: p%g of the worst %.4g s is %s", h->name,
			p * 100, v.worst_dt_s, worst);
}
