/*
 * evidence_nodetool.c - Cassandra's nodetool tablestats (cfstats): mean latencies of each table since the node
 * started; of what came between two looks when there are two.
 *
 * A table becomes a run for its reads and one for its writes: the time inside the node, not what clients saw.
 */
#include <math.h>
#include <string.h>

#include "workload/evidence_figure.h"
#include "workload/evidence_reader.h"
#include "workload/snapshot.h"
#include "workload/span.h"

enum { SSTABLES_MANY = 20 }; /* more files than a read of a well compacted table meets */

struct reading {
	struct evidence *e;
	const struct evidence_input *in;
	struct span_lines lines;
	struct span keyspace;
	struct evidence_snapshot *s; /* of the table being read; NULL outside */
	size_t n, cut;
	struct evidence_figures figures; /* values that are none */
};

static const char *const labels[] = {"Local read count", "Local read latency", "Local write count",
	"Local write latency", "SSTable count", "Space used by snapshots (total)",
	"Space used (total)", "Pending flushes"};

static int
start_table(struct reading *r, struct span name, struct err *err)
{
	const char *kind = arena_printf(
		r->e->arena, "table %.*s.%.*s", SPAN_SAID(r->keyspace), SPAN_SAID(span_trim(name)));
	r->s = kind ? evidence_add_snapshot(r->e) : NULL;
	if (!r->s)
		return err_nomem(err);
	r->s->reader = &evidence_nodetool;
	r->s->kind = kind;
	r->s->file = r->in->name;
	r->s->line = r->lines.number;
	r->n++;
	return 0;
}

static int
read_line(struct reading *r, struct span line, struct err *err)
{
	struct span rest = line;
	if (line.n && !r->lines.whole && line.text[0] != '-') {
		r->cut++;
		return 0;
	}
	if (span_eat(&rest, "Keyspace :") || span_eat(&rest, "Keyspace:")) {
		r->keyspace = span_trim(rest);
		r->s = NULL;
		return 0;
	}
	if (span_eat(&rest, "Table:") || span_eat(&rest, "Table (index):"))
		return start_table(r, rest, err);
	for (size_t i = 0; r->s && i < sizeof(labels) / sizeof(labels[0]); i++) {
		rest = line;
		if (!span_eat(&rest, labels[i]) || !span_eat(&rest, ":"))
			continue;
		struct span value = span_word(&rest);
		struct span unit = span_trim(rest);
		if (unit.n && span_has(span_of(labels[i]), "latency") && !span_is(unit, "ms") &&
			!span_is(unit, "ms."))
			return err_set(err, ERR_PARSE, "%s:%zu: %s in \"%.*s\", accepted: ms",
				r->in->name, r->lines.number, labels[i], SPAN_SAID(unit));
		/* NaN is how it prints the mean of nothing */
		struct evidence_word label = {labels[i], strlen(labels[i])};
		if (!span_is(value, "NaN") &&
			isnan(evidence_figure(&r->figures, r->lines.number, label,
				(struct evidence_word){value.text, value.n})))
			return 0;
		return snapshot_put(r->e, r->s, labels[i], value, err);
	}
	return 0;
}

static int
read_text(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct reading r = {.e = out, .in = in, .keyspace = {"", 0}};
	struct span line;
	int rc = 0;
	span_lines_init(&r.lines, in->text, in->n);
	while (rc == 0 && span_next_line(&r.lines, &line))
		rc = read_line(&r, line, err);
	if (rc)
		return rc;
	if (r.n == 0)
		return err_set(err, ERR_PARSE,
			"%s:%zu: no table in this nodetool tablestats; give its whole output",
			in->name, r.lines.number);
	evidence_figures_say(&r.figures, in->name, &out->findings);
	if (r.cut)
		findings_add(&out->findings, SEVERITY_WARNING, "rows-cut", "take the look again",
			"%s:%zu: the last line has no end and is left out", in->name,
			r.lines.number);
	return 0;
}

static bool
probe(const struct evidence_input *in)
{
	struct span text = {in->text, in->n < 1 << 16 ? in->n : 1 << 16};
	return span_has(text, "Keyspace") &&
	       (span_has(text, "Local read latency") || span_has(text, "SSTable count"));
}

/* Operations between the looks and their mean; since the start with one look. */
struct between {
	double n, mean_us;
};

static struct between
difference(const struct evidence_snapshot *first, const struct evidence_snapshot *last,
	const char *count, const char *latency)
{
	double n1 = snapshot_number(last, count), m1 = snapshot_number(last, latency) * 1e3;
	double n0 = first ? snapshot_number(first, count) : 0;
	double m0 = first && n0 > 0 ? snapshot_number(first, latency) * 1e3 : 0;
	double n = n1 - n0;
	return (struct between){n, n > 0 ? (n1 * m1 - n0 * m0) / n : (double)NAN};
}

static int
add_run(struct evidence *e, const struct evidence_snapshot *s, const char *what, struct between b,
	struct err *err)
{
	if (!(b.n > 0) || isnan(b.mean_us))
		return 0;
	struct evidence_run *run = evidence_add_run(e);
	const char *label = arena_printf(e->arena, "%s %s", s->kind, what);
	if (!run || !label)
		return err_nomem(err);
	run->source = "nodetool";
	run->file = s->file;
	run->label = label;
	run->n = b.n;
	run->mean_us = fmax(b.mean_us, 0); /* means are rounded */
	run->seen_mean_us = NAN;
	return 0;
}

static void
say_table(struct evidence *e, const struct evidence_snapshot *s, bool fell)
{
	double files = snapshot_number(s, "SSTable count");
	double kept = snapshot_number(s, "Space used by snapshots (total)");
	double all = snapshot_number(s, "Space used (total)");
	struct findings *f = &e->findings;
	if (fell)
		findings_add(f, SEVERITY_ERROR, "counters-reset",
			"take two looks without a restart of the node between them",
			"%s: counts of %s fell between the looks: the node restarted", s->file,
			s->kind);
	if (files > SSTABLES_MANY)
		findings_add(f, SEVERITY_WARNING, "read-amplification",
			"let compaction catch up before sizing for reads",
			"%s: %s has %.0f SSTables: a read may touch many of them", s->file, s->kind,
			files);
	if (kept > 0 && all > 0)
		findings_add(f, SEVERITY_NOTE, "snapshot-space",
			"clear old snapshots, or size for them",
			"%s: snapshots hold %.1f GiB beside the %.1f GiB of %s", s->file,
			kept / 1073741824, all / 1073741824, s->kind);
}

/* The look before number `at` of the same table, or NULL. */
static const struct evidence_snapshot *
earlier(const struct evidence *e, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (e->snapshots[i].reader == &evidence_nodetool &&
			strcmp(e->snapshots[i].kind, e->snapshots[at].kind) == 0)
			return &e->snapshots[i];
	return NULL;
}

static bool
is_last(const struct evidence *e, size_t at)
{
	for (size_t i = at + 1; i < e->n_snapshots; i++)
		if (e->snapshots[i].reader == &evidence_nodetool &&
			strcmp(e->snapshots[i].kind, e->snapshots[at].kind) == 0)
			return false;
	return true;
}

static int
finish(struct evidence *e, struct err *err)
{
	bool single = false;
	size_t tables = 0;
	for (size_t i = 0; i < e->n_snapshots; i++) {
		const struct evidence_snapshot *s = &e->snapshots[i], *first;
		/* each look is compared with all others: some thousand tables are enough */
		if (s->reader != &evidence_nodetool || ++tables > 5000 || !is_last(e, i))
			continue;
		first = earlier(e, i);
		struct between reads = difference(
			first, s, "Local read count", "Local read latency");
		struct between writes = difference(
			first, s, "Local write count", "Local write latency");
		bool fell = reads.n < 0 || writes.n < 0;
		single |= !first;
		int rc = fell ? 0 : add_run(e, s, "read", reads, err);
		rc = rc || fell ? rc : add_run(e, s, "write", writes, err);
		if (rc)
			return rc;
		say_table(e, &e->snapshots[i], fell);
	}
	if (single)
		findings_add(&e->findings, SEVERITY_WARNING, "one-look",
			"take a second look after some minutes of load and give both",
			"nodetool: one look counts since the node started: means only, no rates, "
			"no "
			"percentiles");
	return 0;
}

const struct evidence_reader evidence_nodetool = {"nodetool tablestats", probe, read_text, finish};
