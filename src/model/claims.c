/*
 * claims.c - published statements tested by arithmetic: one function a kind, a row each in the
 * table at the end.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"

const char *
claim_words(const struct profile_claim *c)
{
	return c->text ? c->text : c->id ? c->id : c->kind;
}

struct audit_finding *
claim_finding(const struct claim_check *k, enum audit_verdict verdict, const char *code)
{
	return audit_add(k->a, verdict, code, claim_words(k->c));
}

void
claim_input(
	const struct claim_check *k, struct audit_finding *f, const char *name, const char *value)
{
	audit_input(k->a, f, name, value, k->p->trust, k->c->source ? k->c->source : k->p->source);
}

static const char *
number(const struct claim_check *k, double value)
{
	return audit_number(k->a, value);
}

static const char *
us(const struct claim_check *k, double value)
{
	return audit_us(k->a, value);
}

/* A sum: what it is called, in figures, its result, how far off is still agreement. */
struct sum {
	const char *what, *unit;
	double computed, tolerance;
	const char *needs; /* for the claimed result to be right */
};

/* "what = x, as published (y)", or "published as y". */
static struct audit_finding *
compare(const struct claim_check *k, const struct sum *s)
{
	double claimed = k->c->claimed;
	const char *is = number(k, s->computed), *said = number(k, claimed);
	bool agrees = isnan(claimed) || fabs(s->computed - claimed) <= s->tolerance;
	struct audit_finding *f = claim_finding(k,
		isnan(claimed) ? AUDIT_NOTE
		: agrees       ? AUDIT_AGREES
			       : AUDIT_CONTRADICTION,
		isnan(claimed) ? "claim-computed"
		: agrees       ? "claim-agrees"
			       : "claim-contradicts");
	f->arithmetic = audit_text(k->a, "%s = %s%s", s->what, is, s->unit);
	if (isnan(claimed)) {
		f->text = audit_text(k->a, "computed: %s%s", is, s->unit);
		return f;
	}
	f->text = agrees ? audit_text(k->a, "recomputes: %s%s, as published (%s%s)", is, s->unit,
				   said, s->unit)
			 : audit_text(k->a, "the figures give %s%s, published as %s%s", is, s->unit,
				   said, s->unit);
	claim_input(k, f, "claimed", audit_text(k->a, "%s%s", said, s->unit));
	if (agrees)
		return f;
	f->needs = s->needs;
	f->todo = "use the computed value";
	return f;
}

/* Whether the numbers a kind needs are there; says which are not. */
static bool
complete(const struct claim_check *k, const double *values, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isnan(values[i]))
			continue;
		struct audit_finding *f = claim_finding(k, AUDIT_UNTESTED, "claim-incomplete");
		f->text = audit_text(k->a, "a claim of kind %s lacks %s", k->c->kind, names[i]);
		f->todo = "add the member to the profile";
		claim_input(k, f, names[i], "unknown");
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
	double in_flight = k->c->iops * k->c->latency_us * 1e-6, ratio = in_flight / k->c->qd;
	const char *iops = number(k, k->c->iops), *latency = us(k, k->c->latency_us);
	struct audit_finding *f;
	if (ratio < 0.90 || ratio > 1.10) {
		f = claim_finding(k, AUDIT_CONTRADICTION, "little-law");
		f->text = audit_text(k->a, "%s IOPS at %s mean %s outstanding, not %g", iops,
			latency, number(k, in_flight), k->c->qd);
		f->arithmetic = audit_text(k->a, "outstanding = IOPS x latency = %s x %s = %s",
			iops, latency, number(k, in_flight));
		f->needs = audit_text(k->a, "%s outstanding, or a mean of %s, or %s IOPS",
			number(k, in_flight), us(k, 1e6 * k->c->qd / k->c->iops),
			number(k, 1e6 * k->c->qd / k->c->latency_us));
		f->todo = "look for a wrong depth, a per-job mean or a unit error";
		claim_input(k, f, "outstanding", audit_text(k->a, "%g", k->c->qd));
	} else if (isnan(k->c->claimed) && !isnan(k->c->qd)) {
		f = claim_finding(k, AUDIT_AGREES, "claim-agrees");
		f->text = audit_text(k->a,
			"recomputes: %s outstanding, within 10 %% of the %g stated",
			number(k, in_flight), k->c->qd);
		f->arithmetic = audit_text(k->a, "outstanding = %s IOPS x %s = %s", iops, latency,
			number(k, in_flight));
		claim_input(k, f, "outstanding", audit_text(k->a, "%g", k->c->qd));
	} else {
		const struct sum s = {audit_text(k->a, "outstanding = %s IOPS x %s", iops, latency),
			"", in_flight, 0.015 * fabs(k->c->claimed),
			audit_text(k->a, "a mean of %s, or %s IOPS",
				us(k, 1e6 * k->c->claimed / k->c->iops),
				number(k, 1e6 * k->c->claimed / k->c->latency_us))};
		f = compare(k, &s);
	}
	claim_input(k, f, "IOPS", iops);
	claim_input(k, f, "latency", latency);
}

static void
put_change(const struct claim_check *k, struct audit_finding *f)
{
	claim_input(k, f, "before", number(k, k->c->before));
	claim_input(k, f, "after", number(k, k->c->after));
}

/* after / before, against "x times". */
static void
times(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	const struct sum s = {
		audit_text(k->a, "%s / %s", number(k, k->c->after), number(k, k->c->before)),
		" times", k->c->after / k->c->before, 0.015 * fabs(k->c->claimed),
		audit_text(k->a, "%s instead of %s, or %s instead of %s",
			number(k, k->c->claimed * k->c->before), number(k, k->c->after),
			number(k, k->c->after / k->c->claimed), number(k, k->c->before))};
	put_change(k, compare(k, &s));
}

/* after against before in per cent; rounding to whole per cents is agreement. */
static void
change(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	double ratio = k->c->after / k->c->before, claimed = 1 + k->c->claimed / 100;
	const struct sum s = {
		audit_text(k->a, "%s -> %s is %.4g times: %.4g - 1", number(k, k->c->before),
			number(k, k->c->after), ratio, ratio),
		" %", 100 * (ratio - 1), 0.5 + 0.001 * fabs(k->c->claimed),
		audit_text(k->a, "%s instead of %s, or %s instead of %s",
			number(k, claimed * k->c->before), number(k, k->c->after),
			number(k, k->c->after / claimed), number(k, k->c->before))};
	put_change(k, compare(k, &s));
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
	struct audit_finding *f = claim_finding(k, agrees ? AUDIT_AGREES : AUDIT_CONTRADICTION,
		agrees ? "claim-agrees" : "claim-contradicts");
	f->text = audit_text(k->a,
		"with a fixed number of clients %+.0f %% TPS means %+.0f %% latency, and %+.0f %% "
		"latency means %+.0f %% TPS%s",
		k->c->before, 100 * (1 / rate - 1), k->c->after, 100 * (1 / latency - 1),
		agrees ? "" : "; both cannot be true");
	f->arithmetic = audit_text(k->a,
		"clients = TPS x latency, so the product stays 1: %.4g x %.4g = %.4g; 1 / %.4g = "
		"%.4g; 1 / %.4g = %.4g",
		rate, latency, rate * latency, rate, 1 / rate, latency, 1 / latency);
	if (!agrees) {
		f->needs = audit_text(
			k->a, "%.4g times as many clients in the second run", rate * latency);
		f->todo = "ask whether the number of clients was the same";
	}
	claim_input(k, f, "change of TPS", audit_text(k->a, "%+g %%", k->c->before));
	claim_input(k, f, "change of latency", audit_text(k->a, "%+g %%", k->c->after));
}

/* Dependent reads one after another. */
static void
chain(const struct claim_check *k)
{
#define NEEDED "count", "latency_us"
	if (!NEEDS(k, k->c->count, k->c->latency_us))
		return;
#undef NEEDED
	const struct sum s = {
		audit_text(k->a, "%g dependent reads x %s", k->c->count, us(k, k->c->latency_us)),
		" ms", k->c->count * k->c->latency_us * 1e-3, 0.015 * fabs(k->c->claimed),
		audit_text(k->a, "reads of %s, or %s of them",
			us(k, 1e3 * k->c->claimed / k->c->count),
			number(k, 1e3 * k->c->claimed / k->c->latency_us))};
	struct audit_finding *f = compare(k, &s);
	claim_input(k, f, "reads", number(k, k->c->count));
	claim_input(k, f, "latency of one", us(k, k->c->latency_us));
}

/* A percentile multiplied as if it were a mean. */
static void
percentile_as_mean(const struct claim_check *k, const char *latency)
{
	if (!k->c->statistic || strcmp(k->c->statistic, "mean") == 0)
		return;
	struct audit_finding *f = claim_finding(k, AUDIT_DOUBT, "percentile-as-mean");
	f->text = audit_text(k->a, "%s is a %s, multiplied as if it were a mean: an upper bound",
		latency, k->c->statistic);
	f->arithmetic = audit_text(
		k->a, "sum of latencies = count x mean; count x %s is more", k->c->statistic);
	f->needs = audit_text(k->a, "every sync takes %s", latency);
	f->todo = "multiply the mean; it is lower";
	claim_input(k, f, k->c->statistic, latency);
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
	const char *latency = audit_text(k->a, "%g us", k->c->latency_us);
	const char *what = audit_text(k->a, "%s commits/s x %s", number(k, k->c->count), latency);
	const struct sum s = {what, " s of sync per second", busy, 0.015 * fabs(k->c->claimed),
		audit_text(k->a, "a sync of %s", us(k, 1e6 * k->c->claimed / k->c->count))};
	struct audit_finding *f = compare(k, &s);
	claim_input(k, f, "commits a second", number(k, k->c->count));
	claim_input(k, f, "latency of a sync", latency);
	f = claim_finding(k, busy > 1 ? AUDIT_DOUBT : AUDIT_AGREES, "commit-budget");
	f->arithmetic = audit_text(k->a, "%s = %.3g s of sync per second, %s 1", what, busy,
		busy > 1 ? "more than" : "at most");
	claim_input(k, f, "commits a second", number(k, k->c->count));
	claim_input(k, f, "latency of a sync", latency);
	if (busy > 1) {
		f->text = audit_text(k->a,
			"impossible one at a time: needs group commit of at least %.3g commits a "
			"flush",
			busy);
		f->needs = audit_text(k->a,
			"each flush carries at least %.3g commits, or a sync takes at most %s",
			busy, us(k, 1e6 / k->c->count));
		f->todo = "count on group commit only where clients commit at the same time";
	} else {
		f->text = "possible one at a time";
	}
	percentile_as_mean(k, latency);
}

/* A published rate that is the seller's quota: what it hides. */
static void
quota_claim(const struct claim_check *k)
{
#define NEEDED "iops", "qd"
	if (!NEEDS(k, k->c->iops, k->c->qd))
		return;
#undef NEEDED
	const char *iops = number(k, k->c->iops), *base = "";
	if (!isnan(k->c->latency_us))
		base = audit_text(k->a, "; base latency %s", us(k, k->c->latency_us));
	struct audit_finding *f = claim_finding(k, AUDIT_NOTE, "quota-limited");
	f->text = audit_text(k->a, "%g/%s = %s at QD%g is limited by quota, not by the device%s",
		k->c->qd, iops, us(k, 1e6 * k->c->qd / k->c->iops), k->c->qd, base);
	f->arithmetic = audit_text(k->a, "outstanding / IOPS = %g / %s = %s", k->c->qd, iops,
		us(k, 1e6 * k->c->qd / k->c->iops));
	f->todo = "judge the device by its latency at depth 1, its capacity by the quota";
	claim_input(k, f, "IOPS", iops);
	claim_input(k, f, "outstanding", number(k, k->c->qd));
}

/* pgbench -S runs SELECTs only. */
static void
select_only(const struct claim_check *k)
{
	const char *s = k->c->command ? strstr(k->c->command, " -S") : NULL;
	bool selects = s && (s[3] == '\0' || s[3] == ' ');
	if (!selects && !(k->c->command && strstr(k->c->command, "--select-only")))
		return;
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "select-only");
	f->text = audit_text(k->a,
		"\"%s\" is select-only (-S): it writes nothing, so it cannot be a write-heavy "
		"phase",
		k->c->command);
	f->arithmetic = "writes of pgbench -S: 0 per transaction; of its default script: 4 "
			"statements and a commit";
	f->needs = "the command that ran was another one, without -S";
	f->todo = "repeat with the default TPC-B-like script or -N";
	claim_input(k, f, "command", k->c->command);
}

/* The same quantity given twice. */
static void
stated_twice(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	double more = fmax(k->c->before, k->c->after), less = fmin(k->c->before, k->c->after);
	double apart = 100 * (more / less - 1);
	if (apart < 5)
		return;
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "stated-twice");
	f->text = audit_text(k->a, "%s is %g in one place and %g in another, %.0f %% apart",
		k->c->statistic ? k->c->statistic : "the same figure", k->c->before, k->c->after,
		apart);
	f->arithmetic = audit_text(k->a, "%g / %g = %.3g", more, less, more / less);
	f->needs = "two different runs or loads, and the text does not say so";
	f->todo = "use neither without a measurement";
	put_change(k, f);
}

/* Bandwidth that jumps between two block sizes: the smaller is the strip (models.md section 2). */
static void
strip(const struct claim_check *k)
{
#define NEEDED "before", "after"
	if (!NEEDS(k, k->c->before, k->c->after))
		return;
#undef NEEDED
	const char *small = audit_size(k->a, k->c->before), *large = audit_size(k->a, k->c->after);
	const char *said = audit_size(k->a, k->c->claimed), *stated = "";
	bool agrees = isnan(k->c->claimed) || k->c->claimed == k->c->before;
	if (!isnan(k->c->claimed))
		stated = audit_text(k->a, agrees ? "; stated %s" : "; but stated %s", said);
	struct audit_finding *f = claim_finding(
		k, agrees ? AUDIT_AGREES : AUDIT_CONTRADICTION, "strip");
	f->text = audit_text(k->a,
		"bandwidth jumps between %s and %s with one I/O outstanding: larger I/O is served "
		"by several disks, so the strip is likely %s%s",
		small, large, small, stated);
	f->arithmetic = audit_text(k->a,
		"disks that serve one I/O = ceil(size / strip): %s / %s = 1, %s / %s = %s", small,
		small, large, small, number(k, ceil(k->c->after / k->c->before)));
	if (!agrees)
		f->needs = audit_text(k->a, "the jump lies above %s, not above %s", said, small);
	f->todo = "compare with the array's configuration";
	claim_input(k, f, "last size before the jump", small);
	claim_input(k, f, "first size after it", large);
	if (!isnan(k->c->claimed))
		claim_input(k, f, "strip stated", said);
}

/* A turn of the platter, for the prior of a hard disk. */
static void
rotation(const struct claim_check *k)
{
#define NEEDED "count (rpm)"
	if (!NEEDS(k, k->c->count))
		return;
#undef NEEDED
	const char *rpm = number(k, k->c->count);
	const struct sum s = {audit_text(k->a, "half a turn at %s rpm (a full one takes %.3g ms)",
				      rpm, 60e3 / k->c->count),
		" ms", 30e3 / k->c->count, 0.015 * fabs(k->c->claimed),
		audit_text(k->a, "%s rpm", number(k, 30e3 / k->c->claimed))};
	claim_input(k, compare(k, &s), "rpm", rpm);
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

static void
unknown_kind(const struct claim_check *k, size_t n)
{
	const char *near = names_nearest(k->c->kind, audit_claim_kinds, n, sizeof(char *));
	struct audit_finding *f = claim_finding(k, AUDIT_UNTESTED, "claim-kind");
	f->text = audit_text(k->a, "kind \"%s\" is not known%s%s%s", k->c->kind,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	f->todo = "models/README.md lists the kinds";
	claim_input(k, f, "kind", k->c->kind);
}

void
audit_claims(const struct profile *p, const struct limits *limits, struct audit *a)
{
	size_t n = sizeof(kinds) / sizeof(kinds[0]);
	for (size_t i = 0; i < p->n_claims; i++) {
		struct claim_check k = {p, limits, &p->claims[i], a};
		size_t at = 0;
		while (at < n && strcmp(kinds[at].kind, k.c->kind) != 0)
			at++;
		if (at < n)
			kinds[at].check(&k);
		else
			unknown_kind(&k, n);
	}
}
