/*
 * import_unknown.c - what an input is when no importer knows it: a table of looks, each with the place
 * where it was seen and what to do instead.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_format.h"

/* Offset of what gives it away in text[n], -1 when nothing does. */
typedef long look(const char *text, size_t n);

static long
at_word(const char *text, size_t n, const char *word)
{
	const char *p = memmem(text, n, word, strlen(word));
	return p ? (long)(p - text) : -1;
}

static long
first_of(const char *text, size_t n, const char *const *words)
{
	long at = -1;
	for (; *words && at < 0; words++)
		at = at_word(text, n, *words);
	return at;
}

static bool
starts(const char *text, size_t n, const char *word, size_t len)
{
	return n >= len && memcmp(text, word, len) == 0;
}

/* Offset of the next line, n after the last. */
static size_t
next_line(const char *text, size_t n, size_t at)
{
	const char *end = memchr(text + at, '\n', n - at);
	return end ? (size_t)(end - text) + 1 : n;
}

static size_t
skip_blank(const char *text, size_t n, size_t at)
{
	while (at < n && isspace((unsigned char)text[at]))
		at++;
	return at;
}

static long
gzip(const char *text, size_t n)
{
	return starts(text, n, "\x1f\x8b", 2) ? 0 : -1;
}

static long
packed(const char *text, size_t n)
{
	bool any = starts(text, n, "\x28\xb5\x2f\xfd", 4) ||
		   starts(text, n,
			   "\xfd"
			   "7zXZ",
			   5) ||
		   starts(text, n, "BZh", 3) || starts(text, n, "PK\x03\x04", 4);
	return any ? 0 : -1;
}

/* Files one after another, of which the last would be taken for all. */
static long
archive(const char *text, size_t n)
{
	enum { MAGIC_AT = 257 };
	return n > MAGIC_AT && starts(text + MAGIC_AT, n - MAGIC_AT, "ustar", 5) ? 0 : -1;
}

bool
import_is_archive(const struct import_input *in)
{
	return archive(in->head, in->n_head) >= 0;
}

/* As PowerShell redirects; without a mark every other byte of ASCII is a NUL. */
static long
utf16(const char *text, size_t n)
{
	enum { LOOKED_AT = 64 };
	size_t nul[2] = {0, 0}, half = (n < LOOKED_AT ? n : LOOKED_AT) / 2;
	if (starts(text, n, "\xff\xfe", 2) || starts(text, n, "\xfe\xff", 2))
		return 0;
	for (size_t i = 0; i < 2 * half; i++)
		nul[i % 2] += text[i] == '\0';
	return half >= 4 && nul[0] + nul[1] == half && (nul[0] == half || nul[1] == half) ? 0 : -1;
}

/* A NUL, or a control character that no text holds. */
static long
binary(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c < ' ' && !strchr("\a\b\t\n\v\f\r\x1b", c))
			return (long)i;
		if (c == '\0')
			return (long)i;
	}
	return -1;
}

/*
 * Versions 3 to 5 start with "3;fio-3.33;", version 2 with "2;NAME;0;0;", which is told by its many
 * fields.
 */
static bool
is_terse(const char *line, size_t n)
{
	size_t fields = 0;
	if (n < 6 || line[0] < '2' || line[0] > '5' || line[1] != ';')
		return false;
	if (memcmp(line + 2, "fio-", 4) == 0)
		return true;
	for (size_t i = 0; i < n && line[i] != '\n'; i++)
		fields += line[i] == ';';
	return fields >= 20;
}

static long
terse(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i = next_line(text, n, i)) {
		if (is_terse(text + i, n - i))
			return (long)i;
	}
	return -1;
}

static long
human(const char *text, size_t n)
{
	static const char *const words[] = {": (g=0): rw=", ": (groupid=", "Run status group",
		"clat (usec)", "clat (nsec)", "clat (msec)", "clat percentiles", NULL};
	return first_of(text, n, words);
}

static long
sysstat(const char *text, size_t n)
{
	static const char *const words[] = {"\"sysstat\":", "avg-cpu:", "rkB/s", NULL};
	return first_of(text, n, words);
}

static long
sysbench(const char *text, size_t n)
{
	static const char *const words[] = {"sysbench 0.", "sysbench 1.", "\"tps\":", NULL};
	return first_of(text, n, words);
}

static long
own(const char *text, size_t n)
{
	return at_word(text, n, "\"tierwise/");
}

static long
page(const char *text, size_t n)
{
	static const char *const words[] = {"<!DOCTYPE", "<!doctype", "<html", NULL};
	return first_of(text, n, words);
}

/* A section head, and an option every job file has. */
static long
job_file(const char *text, size_t n)
{
	static const char *const words[] = {"\nrw=", "\nioengine=", "\nfilename=", "\nbs=", NULL};
	size_t at = skip_blank(text, n, 0);
	bool section = at < n && text[at] == '[';
	return section && first_of(text, n, words) >= 0 ? (long)at : -1;
}

/* "1, 12345, 0, 4096": time, value, direction, size; at least four whole numbers and no word. */
static long
io_log(const char *text, size_t n)
{
	size_t line = next_line(text, n, 0), commas = 0;
	for (size_t i = 0; i < line; i++) {
		if (!strchr("0123456789, \r\n", text[i]) || text[i] == '\0')
			return -1;
		commas += text[i] == ',';
	}
	return line > 0 && isdigit((unsigned char)text[0]) && commas >= 3 ? 0 : -1;
}

static long
moved_name(const char *text, size_t n)
{
	return at_word(text, n, "\"fio version\"");
}

static long
json(const char *text, size_t n)
{
	size_t at = skip_blank(text, n, 0);
	return at < n && (text[at] == '{' || text[at] == '[') ? (long)at : -1;
}

static const struct kind {
	look *look;
	const char *words;
} kinds[] = {
	{gzip, "compressed by gzip: unpack it first (gunzip)"},
	{packed, "a packed file: unpack it first"},
	{archive, "an archive of files (tar): unpack it first, and give the folder"},
	{utf16, "UTF-16 text: save it as UTF-8"},
	{binary, "a binary file, not a result"},
	{terse, "fio's terse output, not JSON: run fio with --output-format=json"},
	{human, "fio's output for people, not JSON: run fio with --output-format=json"},
	{own, "a document of tierwise, not a result of another program"},
	{page, "a web page, not a result"},
	{sysstat, "figures of iostat or sar: what an application did, not what a disk can do"},
	{sysbench, "figures of sysbench: what a database did, not what a disk can do"},
	{job_file, "a fio job file, not a result: run it with --output-format=json"},
	{io_log, "fio's log of single I/O, not its result: give the file that --output wrote"},
	{moved_name, "\"fio version\" is not the first name of its object: rewritten by another "
		     "program; give the file as fio wrote it"},
	{json, "JSON, but no fio result: no object starts with \"fio version\""},
};

/* `{ "fio v`: the whole input is the beginning of a result. */
static bool
cut_early(const char *text, size_t n)
{
	static const char head[] = "\"fio version\"";
	size_t at = skip_blank(text, n, 0);
	if (at == n || text[at] != '{')
		return false;
	at = skip_blank(text, n, at + 1);
	return n - at < sizeof(head) - 1 && memcmp(text + at, head, n - at) == 0;
}

static size_t
line_of(const char *text, long at)
{
	size_t line = 1;
	for (long i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

int
import_unknown(const struct import_input *in, struct err *err)
{
	const char *text = in->head;
	size_t n = in->n_head;
	if (skip_blank(text, n, 0) == n && n == in->bytes->size)
		return err_set(err, ERR_PARSE, "empty: nothing was written here");
	if (n == in->bytes->size && cut_early(text, n))
		return err_set(err, ERR_PARSE,
			"cut off at byte %zu: no fio result, or only the beginning of its "
			"first name",
			n);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		long at = kinds[i].look(text, n);
		if (at < 0)
			continue;
		if (kinds[i].look == binary)
			return err_set(err, ERR_PARSE, "byte %ld: %s", at, kinds[i].words);
		return err_set(err, ERR_PARSE, "line %zu: %s", line_of(text, at), kinds[i].words);
	}
	return err_set(err, ERR_PARSE,
		"no fio result (no object starts with \"fio version\"), nor one of pg_test_fsync "
		"or ioping: give what fio wrote with --output-format=json");
}
