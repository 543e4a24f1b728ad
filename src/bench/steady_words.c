/* A judged series in words, and as the profile keeps it. */
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/units.h"
#include "bench/change.h"
#include "bench/steady.h"

static const double EVEN_CV = 0.03; /* a limit lets through the same in every bucket */
static const double BIG_BLOCK_B = 65536; /* from there on people think in MiB/s */
static const double WARM_S = 60, WARM_LEAST = 0.5;

static bool
writes(const struct steady_about *a)
{
	return a->op == PROFILE_OP_RANDWRITE || a->op == PROFILE_OP_WRITE;
}

static void
rate(struct buf *out, const struct steady_about *a, double per_s)
{
	char text[32];
	bool big = a->bs_b >= BIG_BLOCK_B;
	units_count_text(big ? per_s * a->bs_b / UNITS_MIB : per_s, text);
	buf_printf(out, "%s %s", text, big ? "MiB/s" : "IOPS");
}

static void
from_to(struct buf *out, const struct steady_about *a, double from, double to)
{
	buf_put(out, "from ");
	rate(out, a, from);
	buf_put(out, " to ");
	rate(out, a, to);
}

static void
moved(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	double b = s->ios_before * a->bs_b;
	if (b >= UNITS_GIB)
		buf_printf(out, "%.1f GiB", b / UNITS_GIB);
	else
		buf_printf(out, "%.0f MiB", b / UNITS_MIB);
}

static void
credits(struct buf *out, const struct steady *s)
{
	char text[32];
	units_count_text(s->ios_before, text);
	buf_printf(out, "burst credits used up after %s requests", text);
}

/*
 * A cache and credits look alike from here; a limit lets through the same all the time, a full cache
 * does not.
 */
static void
say_dropped(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	bool even = s->after_cv_frac <= EVEN_CV;
	buf_printf(out, "after %.1f s ", s->change_s);
	from_to(out, a, s->before.value, s->after.value);
	buf_put(out, ": likely ");
	if (!writes(a)) {
		credits(out, s);
		buf_put(out, ", or throttled");
	} else if (a->first_write || !even) {
		buf_put(out, "a write cache full after ");
		moved(out, s, a);
		buf_put(out, ", or ");
		credits(out, s);
	} else {
		credits(out, s);
		buf_put(out, ", a limit from then on; or a write cache full after ");
		moved(out, s, a);
	}
	if (s->change_s >= WARM_S && s->after.value >= WARM_LEAST * s->before.value)
		buf_put(out, "; or the disk throttled itself to stay cool");
}

static void
say_rose(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	buf_printf(out, "after %.1f s ", s->change_s);
	from_to(out, a, s->before.value, s->after.value);
	buf_put(out, ": likely other work on the disk, or work of its own, that ended");
}

static void
say_drifting(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	bool down = s->end_over_start < 1;
	buf_printf(out, "%s steadily to %.0f %% of its start: likely %s", down ? "fell" : "rose",
		100 * s->end_over_start,
		!down       ? "other work on the disk that faded"
		: writes(a) ? "a disk that tidies up more and more behind the writes"
			    : "other work on the disk that grew");
}

static void
say_turns(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	buf_put(out, "to and fro between ");
	rate(out, a, s->low);
	buf_put(out, " and ");
	rate(out, a, s->high);
	buf_printf(out, ", a turn in %.1f s: likely %sa limit that hands out its shares in bursts",
		s->turn_s, writes(a) ? "a write cache that fills and is emptied, or " : "");
}

static void
say_came_back(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	buf_printf(out, "%zu changes that made up for each other, the largest after %.1f s ",
		s->changes, s->change_s);
	from_to(out, a, s->before.value, s->after.value);
	buf_put(out, ": likely other work on the disk, or work of its own");
}

static void
say_rounds(struct buf *out, const struct steady *s)
{
	buf_printf(out,
		"the last five rounds of %.1f s differ by %.0f %% of their average and go %.0f %% "
		"%s; in a steady state at most 20 %% and 10 %%",
		s->round_s, 100 * s->range_frac, fabs(100 * s->slope_frac),
		s->slope_frac < 0 ? "down" : "up");
}

static void
say_noisy(struct buf *out, const struct steady *s, const struct steady_about *a)
{
	if (s->alternates)
		say_turns(out, s, a);
	else if (!isnan(s->hung_s))
		buf_printf(out, "nothing was completed for %.1f s from %.1f s on", s->hung_s,
			s->hung_from_s);
	else if (s->changes)
		say_came_back(out, s, a);
	else if (s->cv_frac > 0.3)
		buf_printf(out, "the rate spreads by %.0f %% about its mean", 100 * s->cv_frac);
	else
		say_rounds(out, s);
}

const char *
steady_why(const struct steady *s, const struct steady_about *about, struct arena *a)
{
	struct buf out;
	buf_init(&out, 0);
	switch (s->verdict) {
	case STEADY_DROPPED:
		say_dropped(&out, s, about);
		break;
	case STEADY_ROSE:
		say_rose(&out, s, about);
		break;
	case STEADY_DRIFTING:
		say_drifting(&out, s, about);
		break;
	case STEADY_NOISY:
		say_noisy(&out, s, about);
		break;
	case STEADY_STABLE:
		buf_printf(&out,
			"no change of a tenth or more: the last five rounds of %.1f s differ by "
			"%.0f %% of their average",
			s->round_s, 100 * s->range_frac);
		break;
	case STEADY_TOO_SHORT:
	case STEADY_COUNT:
		buf_put(&out, "too few completions, or too short, to tell");
		break;
	}
	if (s->verdict != STEADY_NOISY && !isnan(s->hung_s))
		buf_printf(&out, "; nothing was completed for %.1f s from %.1f s on", s->hung_s,
			s->hung_from_s);
	const char *text = out.failed ? NULL : arena_strdup(a, buf_text(&out));
	buf_fini(&out);
	return text;
}

int
steady_series(const struct load_series *series, const struct steady_about *about, struct arena *a,
	struct profile_series *out, struct steady *judged, struct err *err)
{
	struct steady s;
	size_t n = series->n;
	profile_series_clear(out);
	int rc = steady_judge(series->ios, n, series->bucket_s, about->qd, &s, err);
	if (rc)
		return rc;
	double mib = about->bs_b / UNITS_MIB;
	out->op = about->op;
	out->bs_b = about->bs_b;
	out->qd = about->qd;
	out->bucket_s = series->bucket_s;
	out->verdict = names_text(&steady_names, (int)s.verdict);
	out->change_s = s.change_s;
	out->before_mibps = s.before.value * mib;
	out->after_mibps = s.after.value * mib;
	out->end_over_start = s.end_over_start;
	out->written_b = s.ios_before * about->bs_b;
	out->why = steady_why(&s, about, a);
	out->mibps = arena_array(a, n ? n : 1, sizeof(double));
	if (!out->mibps || !out->why)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++)
		out->mibps[i] = (double)series->ios[i] / series->bucket_s * mib;
	out->n_mibps = n;
	if (judged)
		*judged = s;
	return 0;
}

/* What to plan with, and how to see more. */
static const char *
todo(const struct steady *s, const struct steady_about *about, struct buf *out)
{
	switch (s->verdict) {
	case STEADY_DROPPED:
		buf_put(out, "plan with ");
		rate(out, about, s->after.value);
		buf_put(out, "; a longer --time (30m) shows whether it falls further");
		break;
	case STEADY_DRIFTING:
		buf_put(out, "give more --time (30m) until it is steady; until then plan with the "
			     "end");
		break;
	case STEADY_NOISY:
		buf_put(out, "plan with less than the mean; give more --time, or measure while "
			     "nothing else uses the disk");
		break;
	case STEADY_TOO_SHORT:
		buf_put(out, "give more --time");
		break;
	case STEADY_ROSE:
		buf_put(out, "measure again while nothing else uses the disk");
		break;
	case STEADY_STABLE:
	case STEADY_COUNT:
		break;
	}
	return out->failed ? NULL : buf_text(out);
}

void
steady_say(struct findings *f, const char *prefix, const char *what, const struct steady *s,
	const struct steady_about *about, const char *why)
{
	if (s->verdict == STEADY_STABLE)
		return;
	char code[64];
	struct buf next;
	bool note = s->verdict == STEADY_ROSE || s->verdict == STEADY_TOO_SHORT ||
		    (s->verdict == STEADY_DRIFTING && s->end_over_start > 1);
	snprintf(code, sizeof(code), "%s-%s", prefix, names_text(&steady_names, (int)s->verdict));
	buf_init(&next, 0);
	findings_add(f, note ? SEVERITY_NOTE : SEVERITY_WARNING, code, todo(s, about, &next),
		"%s: %s", what, why);
	buf_fini(&next);
}
