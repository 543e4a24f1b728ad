/*
 * claims.c - published statements tested by arithmetic: one function a kind, a row each in the
 * table at the end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"

const char *
claim_words(const struct profile_claim *c)
{
	return c->text ? c->text : c->id ? c->id : c->kind;
}

void
claim_compare(const struct claim_check *k, const char *what, double computed, const char *unit,
	double tolerance)
{
	char is[32], said[32];
	audit_number_text(computed, is);
	audit_number_text(k->c->claimed, said);
	if (isnan(k->c->claimed))
		findings_add(k->out, SEVERITY_NOTE, "claim-computed", NULL, "%s: %s = %s%s",
			claim_words(k->c), what, is, unit);
	else if (fabs(computed - k->c->claimed) <= tolerance)
		findings_add(k->out, SEVERITY_NOTE, "claim-agrees", NULL,
			"%s: %s = %s%s, as published (%s%s)", claim_words(k->c), what, is, unit,
			said, unit);
	else
		findings_add(k->out, SEVERITY_WARNING, "claim-contradicts",
			"use the computed value", "%s: %s = %s%s, published as %s%s",
			claim_words(k->c), what, is, unit, said, unit);
}

/* Whether the numbers a kind needs are there; says which are not. */
static bool
complete(const struct claim_check *k, const double *values, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isnan(values[i]))
			continue;
		findings_add(k->out, SEVERITY_WARNING, "claim-incomplete",
			"add the member to the profile", "claim \"%s\" of kind %s lacks %s",
			claim_words(k->c), k->c->kind, names[i]);
		return false;
	}
	return true;
}

#define NEEDS(k, ...)                                                                              \
	complete((k), (const double[]){__VA_ARGS__}, (const char *const[]){NEEDED},                \
		sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* outstanding = IOPS x latency; with a depth, both must agree within 10 %. */
static void
outstanding(const struct claim_check *k)
{
#define NEEDED "iops", "latency_us"
	if (!NEEDS(k, k->c->iops, k->c->latency_us))
		return;
#undef NEEDED
	double in_flight = k->c->iops * k->c->latency_us * 1e-6;
	char what[128], iops[32], latency[32], qd[32];
	units_count_text(k->c->iops, iops);
	audit_latency_text(k->c->latency_us, latency);
	audit_number_text(in_flight, qd);
	snprintf(what, sizeof(what), "%s IOPS at %s mean outstanding I/O", iops, latency);
	double ratio = in_flight / k->c->qd;
	if (ratio < 0.90 || ratio > 1.10)
		findings_add(k->out, SEVERITY_WARNING, "little-law",
			"look for a wrong depth, a per-job mean or a unit error",
			"%s: %s IOPS at %s mean %s outstanding, not %g", claim_words(k->c), iops,
			latency, qd, k->c->qd);
	else
		claim_compare(k, what, in_flight, "", 0.015 * fabs(k->c->claimed));
}

/* after / before, against "x times". */
static void
times(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	char what[96], before[32], after[32];
	audit_number_text(k->c->before, before);
	audit_number_text(k->c->after, after);
	snprintf(what, sizeof(what), "%s / %s", after, before);
	claim_compare(k, what, k->c->after / k->c->before, " times", 0.015 * fabs(k->c->claimed));
}

/* after against before in per cent; rounding to whole per cents is agreement. */
static void
change(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	char what[128], before[32], after[32];
	double ratio = k->c->after / k->c->before;
	audit_number_text(k->c->before, before);
	audit_number_text(k->c->after, after);
	snprintf(what, sizeof(what), "%s -> %s is %.4g times, change", before, after, ratio);
	claim_compare(k, what, 100 * (ratio - 1), " %", 0.5 + 0.001 * fabs(k->c->claimed));
}

/* With a fixed number of clients TPS x latency = clients: one change fixes the other. */
static void
closed_loop(const struct claim_check *k)
{
#define NEEDED "before (change of TPS, %)", "after (change of latency, %)"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	double rate = 1 + k->c->before / 100, latency = 1 + k->c->after / 100;
	bool agrees = fabs(rate * latency - 1) < 0.05;
	findings_add(k->out, agrees ? SEVERITY_NOTE : SEVERITY_WARNING,
		agrees ? "claim-agrees" : "claim-contradicts",
		agrees ? NULL : "ask whether the number of clients was the same",
		"%s: with a fixed number of clients TPS x latency is constant: %+.0f %% TPS means "
		"%+.0f %% latency, and %+.0f %% latency means %+.0f %% TPS%s",
		claim_words(k->c), k->c->before, 100 * (1 / rate - 1), k->c->after,
		100 * (1 / latency - 1), agrees ? "" : "; both cannot be true");
}

/* Dependent reads one after another. */
static void
chain(const struct claim_check *k)
{
#define NEEDED "count", "latency_us"
	if (!NEEDS(k, k->c->count, k->c->latency_us))
		return;
#undef NEEDED
	char what[96], latency[32];
	audit_latency_text(k->c->latency_us, latency);
	snprintf(what, sizeof(what), "%g dependent reads x %s", k->c->count, latency);
	claim_compare(
		k, what, k->c->count * k->c->latency_us * 1e-3, " ms", 0.015 * fabs(k->c->claimed));
}

/* Commits a second times the time of one sync: above 1 they must share. */
static void
commit_budget(const struct claim_check *k)
{
#define NEEDED "count", "latency_us"
	if (!NEEDS(k, k->c->count, k->c->latency_us))
		return;
#undef NEEDED
	double busy = k->c->count * k->c->latency_us * 1e-6;
	char what[128], commits[32], latency[32];
	units_count_text(k->c->count, commits);
	snprintf(latency, sizeof(latency), "%g us", k->c->latency_us);
	snprintf(what, sizeof(what), "%s commits/s x %s", commits, latency);
	claim_compare(k, what, busy, " s of sync per second", 0.015 * fabs(k->c->claimed));
	if (busy > 1)
		findings_add(k->out, SEVERITY_WARNING, "commit-budget",
			"count on group commit only where clients commit at the same time",
			"%s: %s is impossible one at a time: needs group commit of at least %.3g "
			"commits a flush",
			claim_words(k->c), what, busy);
	else
		findings_add(k->out, SEVERITY_NOTE, "commit-budget", NULL,
			"%s: %s is possible one at a time", claim_words(k->c), what);
	if (k->c->statistic && strcmp(k->c->statistic, "mean") != 0)
		findings_add(k->out, SEVERITY_WARNING, "percentile-as-mean",
			"multiply the mean; it is lower",
			"%s: %s is a %s, multiplied as if it were a mean: an upper bound",
			claim_words(k->c), latency, k->c->statistic);
}

/* A published rate that is the seller's quota: what it hides. */
static void
quota_claim(const struct claim_check *k)
{
#define NEEDED "iops", "qd"
	if (!NEEDS(k, k->c->iops, k->c->qd))
		return;
#undef NEEDED
	char iops[32], wait[32], base[32];
	units_count_text(k->c->iops, iops);
	audit_latency_text(1e6 * k->c->qd / k->c->iops, wait);
	audit_latency_text(k->c->latency_us, base);
	findings_add(k->out, SEVERITY_NOTE, "quota-limited",
		"judge the device by its latency at depth 1, its capacity by the quota",
		"%s: %g/%s = %s at QD%g is limited by quota, not by the device%s%s",
		claim_words(k->c), k->c->qd, iops, wait, k->c->qd,
		isnan(k->c->latency_us) ? "" : "; base latency ",
		isnan(k->c->latency_us) ? "" : base);
}

/* pgbench -S runs SELECTs only. */
static void
select_only(const struct claim_check *k)
{
	const char *s = k->c->command ? strstr(k->c->command, " -S") : NULL;
	bool selects = s && (s[3] == '\0' || s[3] == ' ');
	if (!selects && !(k->c->command && strstr(k->c->command, "--select-only")))
		return;
	findings_add(k->out, SEVERITY_WARNING, "select-only",
		"repeat with the default TPC-B-like script or -N",
		"%s: \"%s\" is select-only (-S): it writes nothing, so it cannot be a write-heavy "
		"phase",
		claim_words(k->c), k->c->command);
}

/* The same quantity given twice. */
static void
stated_twice(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	double apart = 100 *
		       (fmax(k->c->before, k->c->after) / fmin(k->c->before, k->c->after) - 1);
	if (apart < 5)
		return;
	findings_add(k->out, SEVERITY_WARNING, "stated-twice", "use neither without a measurement",
		"%s: %s is %g in one place and %g in another, %.0f %% apart", claim_words(k->c),
		k->c->statistic ? k->c->statistic : "the same figure", k->c->before, k->c->after,
		apart);
}

/* Bandwidth that jumps between two block sizes: the smaller is the strip (models.md section 2). */
static void
strip(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	char small[32], large[32], said[32];
	units_size_text(k->c->before, small);
	units_size_text(k->c->after, large);
	units_size_text(k->c->claimed, said);
	bool agrees = isnan(k->c->claimed) || k->c->claimed == k->c->before;
	findings_add(k->out, agrees ? SEVERITY_NOTE : SEVERITY_WARNING, "strip",
		"compare with the array's configuration",
		"%s: bandwidth jumps between %s and %s with one I/O outstanding: larger I/O is "
		"served by several disks, so the strip is likely %s%s%s",
		claim_words(k->c), small, large, small,
		isnan(k->c->claimed) ? ""
		: agrees             ? "; stated "
				     : "; but stated ",
		isnan(k->c->claimed) ? "" : said);
}

/* A turn of the platter, for the prior of a hard disk. */
static void
rotation(const struct claim_check *k)
{
#define NEEDED "count (rpm)"
	if (!NEEDS(k, k->c->count))
		return;
#undef NEEDED
	char what[96], rpm[32];
	units_count_text(k->c->count, rpm);
	snprintf(what, sizeof(what), "half a turn at %s rpm (a full one takes %.3g ms)", rpm,
		60e3 / k->c->count);
	claim_compare(k, what, 30e3 / k->c->count, " ms", 0.015 * fabs(k->c->claimed));
}

static const struct {
	const char *kind;
	void (*check)(const struct claim_check *k);
} kinds[] = {
	{"outstanding", outstanding},
	{"times", times},
	{"change", change},
	{"closed-loop", closed_loop},
	{"chain", chain},
	{"commit-budget", commit_budget},
	{"quota", quota_claim},
	{"select-only", select_only},
	{"stated-twice", stated_twice},
	{"strip", strip},
	{"rotation", rotation},
	{"label", claim_label},
	{"bandwidth", claim_bandwidth},
	{"price-per-gib", claim_price_per_gib},
	{"vm-cap", claim_vm_cap},
	{"vm-temp", claim_vm_temp},
};

const char *const audit_claim_kinds[] = {"outstanding", "times", "change", "closed-loop", "chain",
	"commit-budget", "quota", "select-only", "stated-twice", "strip", "rotation", "label",
	"bandwidth", "price-per-gib", "vm-cap", "vm-temp", NULL};
_Static_assert(sizeof(audit_claim_kinds) / sizeof(audit_claim_kinds[0]) ==
		       sizeof(kinds) / sizeof(kinds[0]) + 1,
	"a name for every kind");

void
audit_claims(const struct profile *p, const struct limits *limits, struct findings *out)
{
	size_t n = sizeof(kinds) / sizeof(kinds[0]);
	for (size_t i = 0; i < p->n_claims; i++) {
		struct claim_check k = {p, limits, &p->claims[i], out};
		size_t at = 0;
		while (at < n && strcmp(kinds[at].kind, k.c->kind) != 0)
			at++;
		if (at < n) {
			kinds[at].check(&k);
			continue;
		}
		const char *near = names_nearest(k.c->kind, audit_claim_kinds, n, sizeof(char *));
		findings_add(out, SEVERITY_WARNING, "claim-kind", "see models/README.md",
			"claim \"%s\": kind \"%s\" is not known%s%s%s", claim_words(k.c), k.c->kind,
			near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	}
}
