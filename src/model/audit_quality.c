/*
 * audit_quality.c - what a measurement says of its own quality.
 */
#include <math.h>
#include <string.h>

#include "model/audit_internal.h"

struct limit_row {
	double value, limit;
	bool above; /* a value above the limit speaks against the figures; else below */
	enum audit_verdict verdict;
	const char *code, *name, *text, *needs, *todo;
};

static void
test_limit(const struct profile *p, const struct limit_row *r, struct audit *a)
{
	if (isnan(r->value) || (r->above ? r->value <= r->limit : r->value >= r->limit))
		return;
	struct audit_finding *f = audit_add(a, r->verdict, r->code, "the measurement");
	f->text = audit_text(a, "%s: %s", r->name, r->text);
	f->arithmetic = audit_text(a, "%.3g %s %.3g", r->value, r->above ? ">" : "<", r->limit);
	f->needs = r->needs;
	f->todo = r->todo;
	audit_input(a, f, r->name, audit_text(a, "%.3g", r->value), p->trust, p->source);
}

static void
test_fields(const struct profile *p, struct audit *a)
{
	const struct profile_quality *q = p->quality;
	static const char idle[] = "measure again when nothing else runs";
	const struct limit_row rows[] = {
		{q->stamps_wrong, 0, true, AUDIT_CONTRADICTION, "lost-writes", "wrong stamps",
			"reads did not bring back what was written",
			"the disk lost acknowledged writes", "do not put data on this disk"},
		{q->foreign_io_frac, 0.10, true, AUDIT_DOUBT, "foreign-io", "share of others' I/O",
			"others used the disk meanwhile",
			"the others' I/O cost the measured one nothing", idle},
		{q->device_ratio, 1.1, true, AUDIT_DOUBT, "device-ratio", "own I/O over device I/O",
			"the device did less than was asked of the file: a cache answered",
			"merged requests explain the difference",
			"use direct I/O and a larger file"},
		{q->steal_frac, 0.05, true, AUDIT_DOUBT, "steal", "processor time stolen",
			"the hypervisor took processor time: latencies hold the wait for it",
			"it was taken between requests", idle},
		{q->written_frac, 0.99, false, AUDIT_DOUBT, "not-written",
			"share of the area written",
			"part of the area was never written: such blocks are read without the disk",
			"the reads hit only written blocks", "fill the file first"},
		{q->page_cached_frac, 0.02, true, AUDIT_DOUBT, "page-cache",
			"share in the page cache", "part of the area sat in this machine's memory",
			"the reads went past the page cache", "use direct I/O"},
		{q->compress_gain, 1.25, true, AUDIT_DOUBT, "compression",
			"speed of zeros over random data",
			"the disk is faster for data that compress",
			"real data are as random as what was written", "plan with random data"},
		{q->client_bound, 0, true, AUDIT_DOUBT, "client-bound",
			"cells bound by this machine",
			"this machine, not the disk, limited some cell",
			"the disk's limit is just there", "measure from a larger machine"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		test_limit(p, &rows[i], a);
}

static void
test_verdict(const struct profile *p, struct audit *a)
{
	const char *verdict = p->quality->verdict;
	if (!verdict)
		return;
	bool clean = strcmp(verdict, "clean") == 0, not_disk = strcmp(verdict, "not-the-disk") == 0;
	struct audit_finding *f = audit_add(a,
		clean      ? AUDIT_AGREES
		: not_disk ? AUDIT_CONTRADICTION
			   : AUDIT_DOUBT,
		"measured-quality", "the measurement");
	f->text = audit_text(a, "its own verdict is %s%s", verdict,
		not_disk ? ": something other than the disk answered" : "");
	f->needs = not_disk ? "the cause named in its findings is absent"
		   : clean  ? NULL
			    : "what disturbed it was without effect on these figures";
	f->todo = clean ? NULL : "read the findings of the measurement; measure again";
	audit_input(a, f, "verdict", verdict, p->trust, p->source);
}

/* What the measurement or the import found, warnings and worse; how many. */
static size_t
keep_findings(const struct profile *p, struct audit *a)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_findings; i++) {
		const struct finding *said = &p->findings[i];
		if (said->severity < SEVERITY_WARNING)
			continue;
		struct audit_finding *f = audit_add(a, AUDIT_DOUBT, said->code, "the measurement");
		f->text = said->text;
		f->todo = said->todo;
		audit_input(
			a, f, "said by", p->tool ? p->tool : "the profile", p->trust, p->source);
		n++;
	}
	return n;
}

void
audit_quality(const struct profile *p, struct audit *a)
{
	if (p->complete == 0) {
		struct audit_finding *f = audit_add(a, AUDIT_DOUBT, "cut-short", "the measurement");
		f->text = "it was cut short: what is missing may have spoken otherwise";
		f->todo = "let it run to its end";
		audit_input(a, f, "complete", "false", p->trust, p->source);
	}
	if (p->quality)
		test_verdict(p, a);
	/* the measurement words what its figures mean; without its words the figures speak */
	if (keep_findings(p, a) == 0 && p->quality)
		test_fields(p, a);
}
