/*
 * evidence_exposition.c - what an exporter shows at /metrics: counters of node_exporter (two of them make a rate,
 * when they say when they were taken) and histograms such as etcd's.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/bucket_rows.h"
#include "workload/evidence_reader.h"
#include "workload/prom_metric.h"

enum { LABELS_MAX = 64 };

struct label {
	const char *name, *value;
};

/* One line: name{labels} value [milliseconds]. */
struct metric_line {
	const char *name; /* copied */
	struct label labels[LABELS_MAX];
	size_t n_labels;
	double value, at_s; /* at NaN: not said */
};

struct scrape {
	const struct evidence_input *in;
	struct evidence *e;
	struct err *err;
	const char *file;
	struct bucket_rows *buckets;
	size_t line;
	size_t n_buckets, n_bad, first_bad;
	size_t first_track;
	double now_s; /* node_time_seconds */
	struct evidence_figures figures; /* counters that are none */
};

static size_t
name_length(const char *p)
{
	size_t n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == ':')
		n++;
	return n;
}

/* A label's value between quotes with \\ \" \n, into the arena; NULL when it has no end on the line. */
static const char *
read_quoted(struct arena *a, const char **at, bool *nomem)
{
	const char *p = *at + 1;
	char *out = arena_strndup(a, p, strcspn(p, "\n")), *to = out;
	*nomem = !out;
	for (; out && *p && *p != '\n' && *p != '"'; p++) {
		if (*p == '\\' && (p[1] == '\\' || p[1] == '"' || p[1] == 'n'))
			p++;
		*to++ = *p == 'n' && p[-1] == '\\' ? '\n' : *p;
	}
	if (!out || *p != '"')
		return NULL;
	*to = '\0';
	*at = p + 1;
	return out;
}

static bool
read_labels(struct arena *a, const char **at, struct metric_line *m, bool *nomem)
{
	const char *p = *at + 1;
	while (true) {
		p += strspn(p, " \t,");
		if (*p == '}')
			break;
		size_t n = name_length(p);
		const char *equal = p + n + strspn(p + n, " \t");
		if (n == 0 || *equal != '=' || m->n_labels == LABELS_MAX)
			return false;
		struct label *l = &m->labels[m->n_labels++];
		l->name = arena_strndup(a, p, n);
		p = equal + 1 + strspn(equal + 1, " \t");
		l->value = *p == '"' ? read_quoted(a, &p, nomem) : NULL;
		*nomem |= !l->name;
		if (!l->name || !l->value)
			return false;
	}
	*at = p + 1;
	return true;
}

static const char *
label(const struct metric_line *m, const char *name)
{
	for (size_t i = 0; i < m->n_labels; i++) {
		if (strcmp(m->labels[i].name, name) == 0)
			return m->labels[i].value;
	}
	return NULL;
}

/* Only the metrics that matter are worth their memory. */
static bool
wanted(const char *name, size_t n)
{
	static const char *const ends[] = {"_bucket", "_sum"};
	if (prom_metric_find(name, n) || (n == 17 && memcmp(name, "node_time_seconds", 17) == 0))
		return true;
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(ends[i]);
		if (n > len && memcmp(name + n - len, ends[i], len) == 0)
			return true;
	}
	return false;
}

/* 1: a line that matters; 0: another; -1: none of the format. */
static int
read_line(struct arena *a, const char *p, struct metric_line *m, bool *nomem)
{
	size_t n = name_length(p);
	*m = (struct metric_line){.at_s = NAN};
	if (n == 0 || isdigit((unsigned char)*p))
		return -1;
	if (!wanted(p, n))
		return 0;
	m->name = arena_strndup(a, p, n);
	*nomem = !m->name;
	p += n;
	p += strspn(p, " \t");
	if (!m->name || (*p == '{' && !read_labels(a, &p, m, nomem)))
		return -1;
	char *end = NULL;
	p += strspn(p, " \t");
	m->value = *p == '\n' ? (double)NAN : strtod(p, &end);
	if (!end || end == p)
		return -1;
	p = end + strspn(end, " \t");
	if (isdigit((unsigned char)*p)) {
		double stamp = strtod(p, NULL);
		m->at_s = stamp > 1e11 ? stamp / 1e3 : stamp; /* OpenMetrics has seconds */
	}
	return 1;
}

static int
put_bucket(struct scrape *s, const struct metric_line *m)
{
	const char *le = label(m, "le");
	if (!le && !bucket_is_sum(m->name))
		return 0;
	struct bucket_row *row = bucket_rows_add(s->buckets);
	struct buf key;
	buf_init(&key, 1 << 16);
	for (size_t i = 0; i < m->n_labels; i++) {
		if (strcmp(m->labels[i].name, "le") != 0)
			buf_printf(&key, "%s=%s,", m->labels[i].name, m->labels[i].value);
	}
	const char *labels = arena_strdup(s->e->arena, buf_text(&key));
	buf_fini(&key);
	if (!row || !labels)
		return ERR_NOMEM;
	row->name = m->name;
	row->labels = labels;
	row->host = label(m, "instance");
	row->edge_s = le ? strtod(le, NULL) : (double)NAN;
	s->n_buckets++;
	return isfinite(m->value) ? bucket_row_put(s->e, row, m->at_s, m->value) : 0;
}

static int
put_counter(struct scrape *s, const struct metric_line *m, const struct prom_metric *known)
{
	struct evidence_track *t = evidence_add_track(s->e);
	if (!t)
		return ERR_NOMEM;
	t->reader = &evidence_exposition;
	t->file = s->file;
	t->host = label(m, "instance");
	t->device = label(m, "device");
	if (!t->device)
		t->device = label(m, "volume");
	t->scope = prom_scope(t->device);
	t->column = known->column;
	double v = evidence_figure_value(&s->figures, s->line, m->name, m->value);
	return isnan(v) ? 0 : evidence_track_put(s->e, t, m->at_s, v * known->factor);
}

static int
put_line(struct scrape *s, const char *text)
{
	struct metric_line m;
	bool nomem = false;
	int kind = read_line(s->e->arena, text, &m, &nomem);
	if (nomem)
		return ERR_NOMEM;
	if (kind < 0 && s->n_bad++ == 0)
		s->first_bad = s->line;
	if (kind <= 0)
		return 0;
	const struct prom_metric *known = prom_metric_find(m.name, strlen(m.name));
	if (known)
		return put_counter(s, &m, known);
	if (strcmp(m.name, "node_time_seconds") == 0)
		s->now_s = m.value;
	else
		return put_bucket(s, &m);
	return 0;
}

/* The time of a scrape that gives none with its lines: the exporter's clock. */
static void
set_times(struct scrape *s)
{
	for (size_t i = s->first_track; i < s->e->n_tracks; i++) {
		struct evidence_track *t = &s->e->tracks[i];
		for (size_t k = 0; k < t->n; k++) {
			if (isnan(t->at_s[k]))
				t->at_s[k] = s->now_s;
		}
	}
}

static int
read_lines(struct scrape *s)
{
	const char *p = s->in->text, *end = p + s->in->n;
	for (s->line = 1; p < end; s->line++) {
		const char *start = p + strspn(p, " \t");
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		bool metric = start < end && *start != '#' && *start != '\n' && *start != '\r' &&
			      *start;
		if (metric && !stop) /* digits may be missing */
			findings_add(&s->e->findings, SEVERITY_WARNING, "cut-end",
				"take the text anew, whole",
				"%s:%zu: the last line has no end and is left out", s->in->name,
				s->line);
		else if (metric && put_line(s, start))
			return err_nomem(s->err);
		p = stop ? stop + 1 : end;
	}
	return 0;
}

static int
read_metrics(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	struct scrape s = {
		.in = in, .e = out, .err = err, .now_s = NAN, .first_track = out->n_tracks};
	s.file = arena_strdup(out->arena, in->name);
	s.buckets = bucket_rows_new(out->arena);
	int rc = s.file && s.buckets ? read_lines(&s) : err_nomem(err);
	if (rc)
		return rc;
	set_times(&s);
	evidence_figures_say(&s.figures, s.file, &out->findings);
	if (s.n_bad)
		findings_add(&out->findings, SEVERITY_WARNING, "lines-dropped",
			"take the text anew, whole",
			"%s:%zu: %zu lines are no metric and are dropped, this one first", s.file,
			s.first_bad, s.n_bad);
	if (out->n_tracks == s.first_track && s.n_buckets == 0)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: no metric of disks (%s and its like) and no histogram in it", in->name,
			prom_metric_now(PROM_READS));
	return bucket_rows_done(s.buckets, out, s.file, false, err);
}

/* The first lines say what they are. */
static bool
probe(const struct evidence_input *in)
{
	const char *p = in->text;
	p += strspn(p, " \t\r\n");
	if (strncmp(p, "# HELP ", 7) == 0 || strncmp(p, "# TYPE ", 7) == 0)
		return true;
	size_t n = name_length(p);
	return wanted(p, n) && (p[n] == '{' || p[n] == ' ');
}

static double
since_boot(const struct evidence_grid *g, int column)
{
	return g->value[(g->n - 1) * g->n_columns + (size_t)column];
}

/* ", mean read 5.36 KiB, mean write 23.79 KiB"; what the counters do not say is left out. */
static void
mean_sizes(double read_b, double write_b, char text[96])
{
	int n = 0;
	text[0] = '\0';
	if (isfinite(read_b))
		n = snprintf(text, 96, ", mean read %.2f KiB", read_b / 1024);
	if (isfinite(write_b))
		snprintf(text + n, 96 - (size_t)n, ", mean write %.2f KiB", write_b / 1024);
}

/* Counters of one moment still tell sizes and the mix since the machine began. */
static int
say_one_look(struct evidence *e, const struct evidence_grid *g, struct err *err)
{
	(void)err;
	bool timed = isfinite(g->at_s[0]);
	if (timed && g->n > 1)
		return 0;
	double reads = since_boot(g, PROM_READS), writes = since_boot(g, PROM_WRITES);
	if (!(reads + writes > 0))
		return 0; /* never used */
	char sizes[96];
	mean_sizes(since_boot(g, PROM_READ_BYTES) / reads, since_boot(g, PROM_WRITE_BYTES) / writes,
		sizes);
	findings_add(&e->findings, SEVERITY_WARNING, "one-look",
		timed ? "take a second scrape later"
		      : "a scrape that holds node_time_seconds, or ask Prometheus (tierwise demand "
			"http://...)",
		"%s: %s: counters %s: no rate can be had.  Since they began: reads are %.1f %% of "
		"operations%s",
		g->first->file, g->first->device ? g->first->device : "?",
		timed ? "of one moment only" : "without the time they were taken",
		100 * reads / (reads + writes), sizes);
	return 0;
}

/* Tracks without times make no series: take them out before. */
static int
finish(struct evidence *out, struct err *err)
{
	int rc = evidence_join(out, &evidence_exposition, PROM_ALL_COLUMNS, say_one_look, err);
	for (size_t i = 0; i < out->n_tracks; i++) {
		struct evidence_track *t = &out->tracks[i];
		if (t->reader == &evidence_exposition && t->n && isnan(t->at_s[0]))
			t->n = 0;
	}
	return rc ? rc : prom_finish(out, &evidence_exposition, err);
}

const struct evidence_reader evidence_exposition = {
	"metrics of an exporter", probe, read_metrics, finish};
