#include "bench/select.h"

#include <stdio.h>
#include <string.h>

static const char *const words[] = {[ENGINE_READ] = "randread", [ENGINE_WRITE] = "randwrite"};

/* One word of n characters: append, overwrite, OP or OP:DEPTH; false when it is none of them. */
static bool
select_word(const char *word, size_t n, struct bench_select *s)
{
	char cell[32];
	bool known = false;
	for (int log = 0; log < PROFILE_PATTERN_COUNT; log++) {
		const char *name = names_text(&profile_pattern_names, log);
		if (n == strlen(name) && strncmp(word, name, n) == 0)
			s->log[log] = known = true;
	}
	for (int op = 0; op < 2; op++) {
		for (size_t i = 0; i < PLAN_DEPTHS; i++) {
			snprintf(cell, sizeof(cell), "%s:%u", words[op], plan_depths[i]);
			bool all = n == strlen(words[op]) && strncmp(word, words[op], n) == 0;
			if (!all && (n != strlen(cell) || strncmp(word, cell, n) != 0))
				continue;
			s->depth[op][i] = known = true;
		}
	}
	return known;
}

int
select_parse(const char *text, struct bench_select *s, struct err *err)
{
	struct bench_select parsed = {.log = {false}};
	const char *p = text ? text : "randread,randwrite,append,overwrite";
	for (bool more = true; more; p++) {
		size_t n = strcspn(p, ",");
		if (!select_word(p, n, &parsed))
			return err_set(err, ERR_USAGE,
				"cells: \"%.*s\": a list of randread:N, randwrite:N (N: 1 2 4 8 16 "
				"32; none: all), append and overwrite expected",
				(int)(n < 40 ? n : 40), p);
		p += n;
		more = *p == ',';
	}
	*s = parsed;
	return 0;
}

size_t
select_count(const struct bench_select *s)
{
	size_t n = 0;
	for (size_t i = 0; i < PLAN_DEPTHS; i++)
		n += (size_t)s->depth[ENGINE_READ][i] + (size_t)s->depth[ENGINE_WRITE][i];
	return n;
}

size_t
select_logs(const struct bench_select *s)
{
	size_t n = 0;
	for (int log = 0; log < PROFILE_PATTERN_COUNT; log++)
		n += (size_t)s->log[log];
	return n;
}
