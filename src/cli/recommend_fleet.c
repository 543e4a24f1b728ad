#include "cli/recommend_fleet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

/* Where a workload stands in the stream. */
struct line {
	int64_t number;
	off_t at;
	size_t n;
};

struct stream {
	FILE *file;
	const char *name;
	struct line *lines;
	size_t n;
};

/* What a process keeps for the next workload of the same kind; the oldest are not worth a list. */
enum { MOST_KEPT = 32 };

struct kept {
	struct workload
		of; /* its provider, region, currency and engine; they live in common's arena */
	struct cli_common common;
	struct recommend_ground ground;
};

struct worker {
	const struct cli_common *common;
	const struct recommend_files *files;
	const struct stream *stream;
	struct kept kept[MOST_KEPT];
	size_t n_kept;
};

struct child {
	pid_t pid;
	FILE *from;
};

/* ---- the stream ---- */

/* The processes read the stream again, each where its lines are: a pipe goes into a file without a name. */
static FILE *
keep(FILE *from)
{
	FILE *kept = tmpfile();
	char piece[65536];
	size_t n;
	bool ok = kept != NULL;
	while (ok && (n = fread(piece, 1, sizeof(piece), from)) > 0)
		ok = fwrite(piece, 1, n, kept) == n;
	ok = ok && !ferror(from) && fflush(kept) == 0 && fseeko(kept, 0, SEEK_SET) == 0;
	if (kept && !ok)
		fclose(kept);
	return ok ? kept : NULL;
}

static FILE *
open_stream(const char *path)
{
	struct stat st;
	if (strcmp(path, "-") == 0)
		return keep(stdin);
	FILE *file = fopen(path, "re");
	if (!file || (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode)))
		return file;
	FILE *kept = keep(file);
	int why = errno;
	fclose(file);
	errno = why;
	return kept;
}

static bool
is_blank(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!strchr(" \t\r\n", text[i]) || text[i] == '\0')
			return false;
	}
	return true;
}

static size_t
without_end(const char *text, size_t n)
{
	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	return n;
}

static int
find_lines(struct stream *s, struct arena *a, struct err *err)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	off_t at = 0;
	int rc = 0;
	for (int64_t number = 1; rc == 0 && (n = getline(&text, &room, s->file)) > 0; number++) {
		if (!is_blank(text, (size_t)n)) {
			struct line *grown = arena_grow(a, s->lines, s->n, sizeof(*grown));
			rc = grown ? 0 : err_nomem(err);
			if (grown) {
				s->lines = grown;
				s->lines[s->n++] = (struct line){
					number, at, without_end(text, (size_t)n)};
			}
		}
		at += n;
	}
	free(text);
	if (rc == 0 && ferror(s->file))
		rc = err_set(err, ERR_IO, "%s: %s", s->name, strerror(errno));
	if (rc == 0 && s->n == 0)
		rc = err_set(err, ERR_RANGE,
			"%s: no workload in it: a tierwise/workload/1 document a line is expected",
			s->name);
	return rc;
}

static int
stream_open(struct stream *s, const char *path, struct arena *a, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;
	*s = (struct stream){.name = standard ? "standard input" : path};
	s->file = open_stream(path);
	if (!s->file)
		return err_set(err, ERR_IO, "%s: %s", s->name, strerror(errno));
	int rc = find_lines(s, a, err);
	if (rc)
		fclose(s->file);
	return rc;
}

/* ---- one process ---- */

static bool
same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void
forget(struct worker *w)
{
	for (size_t i = 0; i < w->n_kept; i++)
		cli_common_fini(&w->kept[i].common);
	w->n_kept = 0;
}

/* Everything but the workload; read the first time. */
static int
ground_of(struct worker *w, const struct workload *workload, struct recommend_ground **ground,
	struct err *err)
{
	for (size_t i = 0; i < w->n_kept; i++) {
		const struct workload *of = &w->kept[i].of;
		if (of->engine == workload->engine && same(of->provider, workload->provider) &&
			same(of->region, workload->region) &&
			same(of->currency, workload->currency)) {
			*ground = &w->kept[i].ground;
			return 0;
		}
	}
	if (w->n_kept == MOST_KEPT)
		forget(w);
	struct kept *k = &w->kept[w->n_kept];
	k->common = *w->common;
	k->common.quiet = true; /* said a process and a kind of workload, not worth it */
	arena_init(&k->common.arena, 0);
	struct arena *a = &k->common.arena;
	k->of = (struct workload){.engine = workload->engine,
		.provider = workload->provider ? arena_strdup(a, workload->provider) : NULL,
		.region = workload->region ? arena_strdup(a, workload->region) : NULL,
		.currency = workload->currency ? arena_strdup(a, workload->currency) : NULL};
	int rc = recommend_ground_load(&k->common, w->files, workload, &k->ground, err);
	if (rc) {
		cli_common_fini(&k->common);
		return rc;
	}
	w->n_kept++;
	*ground = &k->ground;
	return 0;
}

/* A line is a document of one line: "name:1:17: ..." is column 17 of it. */
static void
place_in_stream(const char *name, struct err *err)
{
	size_t n = strlen(name);
	if (strncmp(err->text, name, n) == 0 && strncmp(err->text + n, ":1:", 3) == 0)
		memmove(err->text + n, err->text + n + 2, strlen(err->text + n + 2) + 1);
}

static int
read_line(const struct worker *w, const struct line *line, const char *name, struct arena *a,
	struct workload *workload, char sha256[65], struct err *err)
{
	if (line->n > FLEET_MOST_LINE_B)
		return err_set(err, ERR_RANGE, "%s: a line of %zu bytes, %d at most", name, line->n,
			(int)FLEET_MOST_LINE_B);
	char *text = malloc(line->n + 1);
	if (!text)
		return err_nomem(err);
	struct json_doc *doc = NULL;
	ssize_t n = pread(fileno(w->stream->file), text, line->n, line->at);
	int rc = n == (ssize_t)line->n
			 ? json_parse(name, text, line->n, &doc, err)
			 : err_set(err, ERR_IO, "%s: the stream changed while it was read", name);
	free(text);
	rc = rc ? rc : workload_read(json_root(doc), a, workload, err);
	if (rc)
		place_in_stream(name, err);
	else
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}

/* The plan of one line; what recommend of it alone would return. */
static int
plan_line(struct worker *w, const struct line *line, struct arena *a, struct fleet_row *row,
	struct err *err)
{
	struct workload workload = {0};
	struct recommend_ground *ground;
	struct advise_input in;
	struct plan plan;
	char sha256[65];
	const char *name = arena_printf(a, "%s:%lld", w->stream->name, (long long)line->number);
	int rc = name ? read_line(w, line, name, a, &workload, sha256, err) : err_nomem(err);
	if (rc)
		return rc;
	row->name = workload.name;
	rc = ground_of(w, &workload, &ground, err);
	rc = rc ? rc : recommend_input(ground, &workload, name, sha256, a, &in, err);
	if (rc)
		return rc;
	in.brief = true;
	int outcome = advise_plan(&in, a, &plan, err);
	if (!recommend_has_plan(outcome))
		return outcome;
	struct err failed = {0};
	rc = fleet_row_of(&plan, a, row, &failed);
	if (rc) {
		*err = failed;
		return rc;
	}
	return recommend_outcome(ground, outcome, err);
}

/* A row on the pipe: its length, then its JSON. */
static bool
send_row(const struct fleet_row *row, FILE *to)
{
	struct buf text;
	buf_init(&text, 0);
	schema_write(fleet_row_schema, row, &text);
	uint32_t n = (uint32_t)text.len;
	bool ok = !text.failed && fwrite(&n, sizeof(n), 1, to) == 1 &&
		  fwrite(buf_text(&text), 1, n, to) == n && fflush(to) == 0;
	buf_fini(&text);
	return ok;
}

static int
work(struct worker *w, size_t first, size_t step, FILE *to)
{
	for (size_t i = first; i < w->stream->n; i += step) {
		struct arena a;
		struct fleet_row row;
		struct err err = {0};
		arena_init(&a, 0);
		schema_clear(fleet_row_schema, &row);
		int rc = plan_line(w, &w->stream->lines[i], &a, &row, &err);
		row.line = w->stream->lines[i].number;
		row.status = cli_status((enum err_code)rc);
		row.why = rc ? err.text : NULL;
		bool sent = send_row(&row, to);
		arena_fini(&a);
		if (!sent)
			return EXIT_FAILURE;
	}
	forget(w);
	return EXIT_SUCCESS;
}

/* ---- the parent ---- */

static int
start(struct worker *w, struct child *children, size_t k, size_t jobs, struct err *err)
{
	int ends[2];
	if (pipe(ends))
		return err_set(err, ERR_IO, "a process of the fleet: %s", strerror(errno));
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return err_set(err, ERR_IO, "a process of the fleet: %s", strerror(errno));
	}
	if (pid == 0) {
		for (size_t i = 0; i < k; i++)
			fclose(children[i].from);
		close(ends[0]);
		FILE *to = fdopen(ends[1], "w");
		int status = to ? work(w, k, jobs, to) : EXIT_FAILURE;
		if (to)
			fclose(to);
		_exit(status);
	}
	close(ends[1]);
	children[k] = (struct child){pid, fdopen(ends[0], "r")};
	return children[k].from ? 0 : err_nomem(err);
}

/* false: the process has ended, or what it says makes no sense. */
static bool
receive_row(FILE *from, struct arena *a, struct fleet_row *row)
{
	uint32_t n;
	if (fread(&n, sizeof(n), 1, from) != 1)
		return false;
	char *text = malloc(n ? n : 1);
	struct json_doc *doc = NULL;
	struct err err;
	bool ok = text && fread(text, 1, n, from) == n &&
		  json_parse("row", text, n, &doc, &err) == 0 &&
		  schema_read(fleet_row_schema, json_root(doc), a, row, &err) == 0;
	json_free(doc);
	free(text);
	return ok;
}

static void
lost_row(const struct line *line, struct fleet_row *row)
{
	schema_clear(fleet_row_schema, row);
	row->line = line->number;
	row->status = cli_status(ERR_IO);
	row->why = "the process that had this line ended before it: run recommend on it alone";
}

static void
collect(const struct stream *s, struct child *children, size_t jobs, struct arena *a,
	struct fleet *fleet)
{
	for (size_t i = 0; i < s->n; i++) {
		struct fleet_row *row = &fleet->rows[i];
		if (!receive_row(children[i % jobs].from, a, row))
			lost_row(&s->lines[i], row);
	}
	fleet->n_rows = s->n;
}

/* Every process that was started ends: its pipe is closed first, which ends one that still writes. */
static void
end(struct child *children, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		if (children[k].from)
			fclose(children[k].from);
		while (waitpid(children[k].pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

int
recommend_fleet(struct cli_common *c, const struct recommend_files *files, const char *path,
	int jobs, struct fleet *fleet, struct err *err)
{
	struct stream s;
	int rc = stream_open(&s, path, &c->arena, err);
	if (rc)
		return rc;
	size_t n = s.n < (size_t)jobs ? s.n : (size_t)jobs, started = 0;
	struct child children[FLEET_MOST_JOBS] = {0};
	struct worker *w = arena_alloc(&c->arena, sizeof(*w));
	fleet->rows = arena_array(&c->arena, s.n, sizeof(*fleet->rows));
	if (!w || !fleet->rows) {
		fclose(s.file);
		return err_nomem(err);
	}
	*w = (struct worker){.common = c, .files = files, .stream = &s};
	for (; rc == 0 && started < n; started++)
		rc = start(w, children, started, n, err);
	if (rc == 0)
		collect(&s, children, n, &c->arena, fleet);
	end(children, started);
	fclose(s.file);
	char now[21];
	clock_iso_text(clock_epoch_s(), now);
	fleet->created = arena_strdup(&c->arena, now);
	fleet->tool = "tierwise " TIERWISE_VERSION;
	fleet->source = s.name;
	return rc;
}

int
recommend_fleet_outcome(const struct fleet *fleet, struct err *err)
{
	/* the first of these that a row has is what the command ends with */
	static const enum err_code order[] = {ERR_RANGE, ERR_IO, ERR_INFEASIBLE, ERR_PRICE,
		ERR_STALE, ERR_BUDGET, ERR_INCONCLUSIVE};
	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
		const struct fleet_row *first = NULL;
		size_t n = 0;
		for (size_t i = 0; i < fleet->n_rows; i++) {
			if (fleet->rows[i].status != cli_status(order[k]))
				continue;
			first = first ? first : &fleet->rows[i];
			n++;
		}
		if (first)
			return err_set(err, order[k],
				"%zu of %zu workloads end with %d, the first in line %lld: %s", n,
				fleet->n_rows, cli_status(order[k]), (long long)first->line,
				first->why ? first->why : "no reason");
	}
	return 0;
}
