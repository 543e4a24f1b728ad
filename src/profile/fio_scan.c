/*
 * fio_scan.c - one pass over the bytes, a byte at a time; no recursion, and memory for the frame of a
 * document and the places of its jobs only.
 */
#include "profile/fio_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 16, CHUNK_B = 1 << 18 };

enum list { LIST_NONE, LIST_CLIENTS, LIST_JOBS }; /* the later one counts when both are there */

static const char marker[] = "\"fio version\"";
static const char ended[] = "terminating on signal";

struct scanner {
	struct fio_scan *out;
	struct fio_document now; /* being read */
	uint64_t i; /* offset of the byte looked at */
	/* whether an object whose first name is the marker opens here */
	uint64_t opened;
	size_t matched; /* 0: no brace seen; 1: the brace; more: bytes of the marker */
	/* inside a document */
	bool inside, in_string, escaped, listing, in_job;
	size_t depth;
	char key[KEY_MAX]; /* last string of the document's own level */
	size_t key_len;
	/* outside */
	size_t around_len, around_mark; /* mark: where the last brace stands in it */
	size_t ended_len; /* bytes of `ended` seen */
	/* the last document that was cut off */
	uint64_t cut_start, cut_end;
	char cut_in[80];
};

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether c is the last byte of `{ "fio version"`.  fio escapes quotes inside strings, so this can
 * be no part of one. */
static bool
opens(struct scanner *s, char c)
{
	if (c == '{') {
		s->opened = s->i;
		s->matched = 1;
		return false;
	}
	if (s->matched == 0 || (s->matched == 1 && is_space(c)))
		return false;
	if (c != marker[s->matched - 1]) {
		s->matched = 0;
		return false;
	}
	if (++s->matched < sizeof(marker))
		return false;
	s->matched = 0;
	return true;
}

static void
document_fini(struct fio_document *d)
{
	buf_fini(&d->frame);
	free(d->jobs);
	d->jobs = NULL;
}

static void
note_cut(struct scanner *s, uint64_t end)
{
	s->out->cut = true;
	s->cut_start = s->now.at;
	s->cut_end = end;
	s->cut_in[0] = '\0';
	if (s->in_job)
		snprintf(s->cut_in, sizeof(s->cut_in),
			" (inside job %zu, which starts at byte %" PRIu64 ")", s->now.n_jobs,
			s->now.jobs[s->now.n_jobs - 1].at);
}

/* A document opens; a result never holds a result, so one that was being read was cut. */
static void
begin(struct scanner *s)
{
	if (s->inside)
		note_cut(s, s->opened);
	else
		s->around_len = s->around_mark;
	s->now.frame.len = 0;
	buf_printf(&s->now.frame, "{%s", marker);
	s->now.at = s->opened;
	s->now.n_jobs = 0;
	s->now.list = LIST_NONE;
	s->inside = true;
	s->in_string = s->escaped = s->listing = s->in_job = false;
	s->depth = 1;
	s->key_len = 0;
}

static void
end(struct scanner *s)
{
	struct fio_document whole = s->now;
	s->now = s->out->document;
	s->out->document = whole;
	s->out->n_documents++;
	s->inside = false;
}

static bool
key_is(const struct scanner *s, const char *name)
{
	return s->key_len == strlen(name) && memcmp(s->key, name, s->key_len) == 0;
}

/* A list at the document's own level: of jobs?  Of several the last counts. */
static void
open_list(struct scanner *s)
{
	int list = key_is(s, "jobs")           ? LIST_JOBS
		   : key_is(s, "client_stats") ? LIST_CLIENTS
					       : LIST_NONE;
	s->listing = list != LIST_NONE && list >= s->now.list;
	if (!s->listing)
		return;
	s->now.list = list;
	s->now.n_jobs = 0;
}

static int
open_job(struct scanner *s, struct err *err)
{
	struct fio_document *d = &s->now;
	if (d->n_jobs == FIO_JOBS_MAX)
		return err_set(err, ERR_UNSUPPORTED,
			"more than %d jobs in one result, the most read", FIO_JOBS_MAX);
	if (d->n_jobs == d->cap) {
		size_t cap = d->cap ? 2 * d->cap : 64;
		struct fio_span *jobs = realloc(d->jobs, cap * sizeof(*jobs));
		if (!jobs)
			return err_nomem(err);
		d->jobs = jobs;
		d->cap = cap;
	}
	d->jobs[d->n_jobs++] = (struct fio_span){.at = s->i};
	buf_putc(&d->frame, '0');
	s->in_job = true;
	return 0;
}

static int
open_one(struct scanner *s, char c, struct err *err)
{
	int rc = 0;
	if (s->depth == 1 && c == '[')
		open_list(s);
	else if (s->depth == 2 && s->listing && c == '{')
		rc = open_job(s, err);
	if (++s->depth > FIO_DEPTH_MAX)
		rc = err_set(err, ERR_PARSE,
			"byte %" PRIu64 ": nested deeper than %d, no fio result is", s->i,
			FIO_DEPTH_MAX);
	return rc;
}

static void
in_string(struct scanner *s, char c)
{
	if (s->escaped)
		s->escaped = false;
	else if (c == '\\')
		s->escaped = true;
	else if (c == '"')
		s->in_string = false;
	if (s->depth == 1 && s->in_string && s->key_len < KEY_MAX)
		s->key[s->key_len++] = c;
}

static int
step_inside(struct scanner *s, char c, struct err *err)
{
	bool to_frame = !s->in_job;
	int rc = 0;
	if (s->in_string) {
		in_string(s, c);
	} else if (c == '"') {
		s->in_string = true;
		s->key_len = s->depth == 1 ? 0 : s->key_len;
	} else if (c == '{' || c == '[') {
		rc = open_one(s, c, err);
		to_frame = to_frame && !s->in_job;
	} else if (c == '}' || c == ']') {
		s->depth--;
		if (s->depth == 2 && s->in_job) {
			struct fio_span *job = &s->now.jobs[s->now.n_jobs - 1];
			job->n = s->i + 1 - job->at;
			s->in_job = false;
		}
		s->listing = s->listing && s->depth > 1;
	}
	if (to_frame)
		buf_putc(&s->now.frame, c);
	if (rc == 0 && s->now.frame.failed)
		rc = err_set(err, ERR_RANGE,
			"the fio result that starts at byte %" PRIu64 " is larger than %d MiB "
			"without its jobs",
			s->now.at, FIO_FRAME_MAX_MIB);
	if (rc == 0 && s->depth == 0)
		end(s);
	return rc;
}

/* Other text: its words are kept as far as there is room, blanks folded. */
static void
step_outside(struct scanner *s, char c)
{
	char *around = s->out->around;
	unsigned char u = (unsigned char)c;
	bool blank = u <= 0x20;
	s->ended_len = c == ended[s->ended_len] ? s->ended_len + 1 : (size_t)(c == ended[0]);
	if (s->ended_len == sizeof(ended) - 1) {
		s->out->interrupted = true;
		s->ended_len = 0;
	}
	if (c == '{')
		s->around_mark = s->around_len;
	if (s->around_len + 1 >= FIO_AROUND ||
		(blank && (s->around_len == 0 || around[s->around_len - 1] == ' ')))
		return;
	around[s->around_len++] = blank ? ' ' : u < 0x7f ? c : '?';
}

static int
feed(struct scanner *s, const char *text, size_t n, struct err *err)
{
	for (size_t k = 0; k < n; k++, s->i++) {
		char c = text[k];
		int rc = 0;
		if (opens(s, c))
			begin(s);
		else if (s->inside)
			rc = step_inside(s, c, err);
		else
			step_outside(s, c);
		if (rc)
			return rc;
	}
	return 0;
}

static int
feed_all(struct scanner *s, const struct import_bytes *bytes, struct err *err)
{
	if (bytes->text)
		return feed(s, bytes->text, (size_t)bytes->size, err);
	char *chunk = malloc(CHUNK_B);
	if (!chunk)
		return err_nomem(err);
	int rc = 0;
	while (rc == 0 && s->i < bytes->size) {
		uint64_t left = bytes->size - s->i;
		size_t n = left < CHUNK_B ? (size_t)left : CHUNK_B;
		rc = import_bytes_read(bytes, s->i, chunk, n, err);
		if (rc == 0)
			rc = feed(s, chunk, n, err);
	}
	free(chunk);
	return rc;
}

int
fio_scan(const struct import_bytes *bytes, struct fio_scan *out, struct err *err)
{
	struct scanner s = {.out = out};
	*out = (struct fio_scan){0};
	buf_init(&s.now.frame, (size_t)FIO_FRAME_MAX_MIB << 20);
	buf_init(&out->document.frame, (size_t)FIO_FRAME_MAX_MIB << 20);
	int rc = feed_all(&s, bytes, err);
	if (rc == 0 && s.inside)
		note_cut(&s, bytes->size);
	while (s.around_len && out->around[s.around_len - 1] == ' ')
		s.around_len--;
	out->around[s.around_len] = '\0';
	if (rc == 0 && out->n_documents == 0 && out->cut)
		rc = err_set(err, ERR_PARSE,
			"cut off at byte %" PRIu64 ": the fio result that starts at byte %" PRIu64
			" never ends%s",
			s.cut_end, s.cut_start, s.cut_in);
	document_fini(&s.now);
	return rc;
}

void
fio_scan_fini(struct fio_scan *scan)
{
	document_fini(&scan->document);
}

/* "nan" and "inf" outside strings become values that are no numbers, in the same room. */
static size_t
blank_not_finite(char *p, size_t left)
{
	bool minus = left && *p == '-';
	size_t len = minus ? 4 : 3;
	if (left < len || (memcmp(p + minus, "nan", 3) != 0 && memcmp(p + minus, "inf", 3) != 0))
		return 1;
	memcpy(p, minus ? "null" : "\"\" ", len);
	return len;
}

/* Bytes that a strict reader refuses although fio wrote them: not UTF-8 in a name or description,
 * not-a-number tokens. */
static void
make_strict(char *text, size_t n)
{
	bool in_string = false;
	for (size_t i = 0; i < n;) {
		if (!in_string && (text[i] == 'n' || text[i] == 'i' || text[i] == '-')) {
			i += blank_not_finite(text + i, n - i);
			continue;
		}
		if (text[i] == '"')
			in_string = !in_string;
		if (in_string && text[i] == '\\' && i + 1 < n && (unsigned char)text[i + 1] < 0x80)
			i++;
		size_t len = json_utf8_length(text + i, n - i);
		if (len == 0 || text[i] == '\0')
			text[i] = '?';
		i += len ? len : 1;
	}
}

int
fio_scan_frame(const struct fio_scan *scan, struct json_doc **doc, struct err *err)
{
	const struct fio_document *d = &scan->document;
	*doc = NULL;
	char *text = malloc(d->frame.len + 1);
	if (!text)
		return err_nomem(err);
	memcpy(text, d->frame.text, d->frame.len);
	make_strict(text, d->frame.len);
	int rc = json_parse("fio result without its jobs", text, d->frame.len, doc, err);
	free(text);
	return rc;
}

int
fio_scan_job(const struct import_bytes *bytes, const struct fio_scan *scan, size_t i,
	struct json_doc **doc, struct err *err)
{
	char name[64];
	struct fio_span span = scan->document.jobs[i];
	*doc = NULL;
	snprintf(name, sizeof(name), "job %zu (from byte %" PRIu64 ")", i + 1, span.at);
	if (span.n > (uint64_t)FIO_JOB_MAX_MIB << 20)
		return err_set(err, ERR_RANGE, "%s: larger than %d MiB", name, FIO_JOB_MAX_MIB);
	char *text = malloc((size_t)span.n + 1);
	if (!text)
		return err_nomem(err);
	int rc = import_bytes_read(bytes, span.at, text, (size_t)span.n, err);
	if (rc == 0) {
		make_strict(text, (size_t)span.n);
		rc = json_parse(name, text, (size_t)span.n, doc, err);
	}
	free(text);
	return rc;
}
