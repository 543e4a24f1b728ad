#include "model/engine_document.h"

#include <math.h>
#include <string.h>

#include "base/trust.h"

static const char *const commit_table[] = {
	[ENGINE_COMMIT_GROUP] = "group",
	[ENGINE_COMMIT_PERIODIC] = "periodic",
	[ENGINE_COMMIT_NONE] = "none",
	[ENGINE_COMMIT_SINGLE_WRITER] = "single-writer",
};
_Static_assert(sizeof(commit_table) / sizeof(commit_table[0]) == ENGINE_COMMIT_COUNT, "every kind");
const struct names engine_commit_names = {"kind of commit", commit_table, ENGINE_COMMIT_COUNT};

/* One line a parameter: where it goes, unit, accepted range, meaning. */
struct parameter {
	const char *name;
	size_t offset;
	const char *unit;
	double min, max;
	const char *help;
};

/* clang-format off */
#define ROW(m, u, lo, hi, h) {#m, offsetof(struct engine, m), u, lo, hi, h}
static const struct parameter parameters[] = {
	ROW(page_kib, "KiB", 0.5, 65536, "size of a data page: one read that misses the cache"),
	ROW(log_page_kib, "KiB", 0.0625, 1024, "a log write is padded to whole pages of this"),
	ROW(log_base_kib, "KiB", 0, 1e6, "log of one transaction without page images"),
	ROW(single_writer, "flag", 0, 1, "1: one transaction at a time, whether its commit waits or not"),
	ROW(commit_delay_us, "us", 0, 1e6, "wait before each flush when others are about to commit"),
	ROW(cpu_ms_per_tx, "ms", 0, 1e6, "processor time of one transaction"),
	ROW(page_reads_per_tx, "reads", 0, 1e6, "reads of one transaction, one after the other, that miss every cache"),
	ROW(page_writes_per_tx, "pages", 0, 1e6, "pages one transaction changes"),
	ROW(page_writes_factor, "writes a dirty page", 1, 10, "2 with a doublewrite buffer"),
	ROW(full_page_writes, "flag", 0, 1, "1: the first change of a page after a checkpoint is logged whole"),
	ROW(checkpoint_s, "s", 0.1, 86400, "time between checkpoints"),
	ROW(completion_target, "share", 0.01, 1, "share of that time over which dirty pages are written"),
	ROW(write_amplification, "bytes on the device an ingested byte", 1, 1000, "log, flush and compaction together"),
	ROW(read_amplification, "reads a point read", 0, 1000, "files looked at for one key"),
	ROW(merge_io_kib, "KiB", 1, 65536, "size of one I/O of compaction or merge"),
	ROW(merge_share, "share", 0.01, 1, "share of the write bandwidth that ingest and compaction may take"),
};
/* clang-format on */
enum { N_PARAMETERS = sizeof(parameters) / sizeof(parameters[0]) };

/* clang-format off */
#define T struct engine_way
static const struct schema_field way_fields[] = {
	FIELD_TEXT(T, mode, true, "word of transactions.commit in a workload"),
	FIELD_WORD(T, kind, &engine_commit_names, true,
		"group: one flush at a time, who comes meanwhile shares the next; periodic: no wait; none: never flushed; single-writer: one transaction at a time, flush included"),
	FIELD_NUMBER(T, flushes_per_group, false, 0, 100, "flushes", "one after the other for each group; default 1"),
	FIELD_NUMBER(T, loss_window_ms, false, 0, 1e9, "ms", "most a crash loses; absent: not known"),
	FIELD_FLAG(T, remote, "the commit also waits for standbys"),
	FIELD_TEXT(T, text, true, "which settings that is, and what it means"),
	FIELD_TEXT(T, source, true, "where it is said"),
	FIELD_TEXT(T, as_of, false, "date of the source"),
	FIELD_WORD(T, trust, &trust_names, true, "kind of source"),
};
#undef T
static const struct schema way_schema = SCHEMA_PART("way to commit", struct engine_way, way_fields);

#define T struct engine_row
static const struct schema_field row_fields[] = {
	FIELD_TEXT(T, name, true, "one of the parameters below"),
	FIELD_NUMBER(T, value, true, -SCHEMA_ANY, SCHEMA_ANY, "", "in the unit of the parameter"),
	FIELD_TEXT(T, unit, true, "as the parameter has it"),
	FIELD_TEXT(T, source, true, "where it is said"),
	FIELD_TEXT(T, as_of, false, "date of the source"),
	FIELD_TEXT(T, note, false, "anything a reader should know"),
	FIELD_WORD(T, trust, &trust_names, true, "kind of source"),
};
#undef T
static const struct schema row_schema = SCHEMA_PART("parameter", struct engine_row, row_fields);

#define T struct engine_document
static const struct schema_field fields[] = {
	FIELD_TEXT(T, engine, true, "name, as in a workload: postgresql"),
	FIELD_TEXT(T, title, true, "what people call it"),
	FIELD_LIST(T, commits, n_commits, &way_schema, true, "ways a commit becomes durable; the first is the default"),
	FIELD_LIST(T, parameters, n_parameters, &row_schema, true, "numbers, each with its source"),
};
#undef T
/* clang-format on */
const struct schema engine_document_schema = SCHEMA_DOCUMENT(
	"tierwise/engine/1", "database engine as parameters", struct engine_document, fields);

static const struct parameter *
parameter_named(const char *name)
{
	for (size_t i = 0; i < N_PARAMETERS; i++) {
		if (strcmp(parameters[i].name, name) == 0)
			return &parameters[i];
	}
	return NULL;
}

static int
check_row(struct jval v, const struct engine_document *d, size_t at, struct err *err)
{
	const struct engine_row *row = &d->parameters[at];
	struct jval name = json_get(v, "name"), value = json_get(v, "value");
	const struct parameter *p = parameter_named(row->name);
	if (!p) {
		const char *near = names_nearest(
			row->name, parameters, N_PARAMETERS, sizeof(parameters[0]));
		return json_fail(name, err, ERR_RANGE, "parameter \"%.60s\" is not known%s%s%s",
			row->name, near ? "; did you mean \"" : "; see tierwise schema engine",
			near ? near : "", near ? "\"?" : "");
	}
	for (size_t i = 0; i < at; i++) {
		if (strcmp(d->parameters[i].name, row->name) == 0)
			return json_fail(
				name, err, ERR_RANGE, "parameter \"%s\" is given twice", p->name);
	}
	if (strcmp(row->unit, p->unit) != 0)
		return json_fail(json_get(v, "unit"), err, ERR_RANGE,
			"unit of %s: \"%.60s\", accepted: \"%s\"", p->name, row->unit, p->unit);
	if (!(row->value >= p->min && row->value <= p->max))
		return json_fail(value, err, ERR_RANGE, "%s: %g, accepted: %g to %g %s", p->name,
			row->value, p->min, p->max, p->unit);
	return 0;
}

static int
check_way(struct jval v, const struct engine_document *d, size_t at, struct err *err)
{
	for (size_t i = 0; i < at; i++) {
		if (strcmp(d->commits[i].mode, d->commits[at].mode) == 0)
			return json_fail(json_get(v, "mode"), err, ERR_RANGE,
				"mode \"%.60s\" is given twice", d->commits[at].mode);
	}
	return 0;
}

static int
check(struct jval root, const struct engine_document *d, struct err *err)
{
	struct jval v = json_first(json_get(root, "commits"));
	int rc = 0;
	if (d->n_commits == 0)
		return json_fail(json_get(root, "commits"), err, ERR_RANGE,
			"commits: empty, at least one way to commit");
	for (size_t i = 0; rc == 0 && i < d->n_commits; i++, v = json_next(v))
		rc = check_way(v, d, i, err);
	v = json_first(json_get(root, "parameters"));
	for (size_t i = 0; rc == 0 && i < d->n_parameters; i++, v = json_next(v))
		rc = check_row(v, d, i, err);
	return rc;
}

int
engine_document_load(const char *path, struct arena *a, struct engine_document *d, char sha256[65],
	struct err *err)
{
	enum { MOST_B = 1 << 20 }; /* hand-written: a larger file is another kind of file */
	struct json_doc *doc = NULL;
	int rc = json_load(path, MOST_B, &doc, err);
	if (rc)
		return rc;
	rc = schema_read(&engine_document_schema, json_root(doc), a, d, err);
	if (rc == 0)
		rc = check(json_root(doc), d, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}

/* The way named, or the first; NULL: there is none of that name. */
static const struct engine_way *
way_of(const struct engine_document *d, const char *mode)
{
	for (size_t i = 0; mode && i < d->n_commits; i++) {
		if (strcmp(d->commits[i].mode, mode) == 0)
			return &d->commits[i];
	}
	return mode ? NULL : &d->commits[0];
}

static int
no_such_mode(const struct engine_document *d, const char *mode, struct err *err)
{
	struct buf list;
	buf_init(&list, 0);
	for (size_t i = 0; d->commits && i < d->n_commits; i++)
		buf_printf(&list, "%s%s", i == 0 ? "" : ", ", d->commits[i].mode);
	int rc = err_set(err, ERR_RANGE, "commit \"%.60s\" of %s, accepted: %s", mode, d->engine,
		buf_text(&list));
	buf_fini(&list);
	return rc;
}

static void
forget_all(struct engine *e)
{
	for (size_t i = 0; i < N_PARAMETERS; i++)
		*(double *)((char *)e + parameters[i].offset) = NAN;
}

int
engine_of(const struct engine_document *d, const char *mode, struct arena *a, struct engine *e,
	struct err *err)
{
	const struct engine_way *way = way_of(d, mode);
	if (!way)
		return no_such_mode(d, mode, err);
	struct engine_parameter *rows = arena_array(a, d->n_parameters + 1, sizeof(*rows));
	if (!rows)
		return err_nomem(err);
	*e = (struct engine){.name = d->engine,
		.title = d->title,
		.mode = way->mode,
		.mode_text = way->text,
		.commit = way->kind,
		.remote = way->remote == 1,
		.flushes_per_group = isnan(way->flushes_per_group) ? 1 : way->flushes_per_group,
		.loss_window_ms = way->loss_window_ms,
		.parameters = rows,
		.n_parameters = d->n_parameters + 1};
	forget_all(e);
	rows[0] = (struct engine_parameter){.name = "commit",
		.value = NAN,
		.word = way->mode,
		.source = way->source,
		.as_of = way->as_of,
		.trust = way->trust};
	for (size_t i = 0; i < d->n_parameters; i++) {
		const struct engine_row *row = &d->parameters[i];
		const struct parameter *p = parameter_named(row->name);
		if (p) /* always: checked when the document was read */
			*(double *)((char *)e + p->offset) = row->value;
		rows[i + 1] = (struct engine_parameter){.name = row->name,
			.value = row->value,
			.unit = row->unit,
			.source = row->source,
			.as_of = row->as_of,
			.trust = row->trust};
	}
	return 0;
}

void
engine_describe_parameters(struct buf *out)
{
	buf_put(out, "\nParameters of an engine; one without a row is unknown:\n\n");
	for (size_t i = 0; i < N_PARAMETERS; i++)
		buf_printf(out, "%s: %s, %g to %g. %s.\n", parameters[i].name, parameters[i].unit,
			parameters[i].min, parameters[i].max, parameters[i].help);
}
