#include "bench/select.h"

#include <stdio.h>
#include <string.h>

const char *const select_words[SELECT_WORDS] = {
	"cache", "sizes", "mix", "load", "readahead", "hold", "compress"};

static const char *const ops[] = {[ENGINE_READ] = "randread", [ENGINE_WRITE] = "randwrite"};

static bool
same(const char *word, size_t n, const char *name)
{
	return n == strlen(name) && strncmp(word, name, n) == 0;
}

/* randread, randwrite, either with a depth, and ladder for all of them. */
static bool
select_cells(const char *word, size_t n, struct bench_select *s)
{
	char cell[32];
	bool known = false, ladder = same(word, n, "ladder");
	for (int op = 0; op < 2; op++) {
		for (size_t i = 0; i < PLAN_DEPTHS; i++) {
			snprintf(cell, sizeof(cell), "%s:%u", ops[op], plan_depths[i]);
			if (ladder || same(word, n, ops[op]) || same(word, n, cell))
				s->depth[op][i] = known = true;
		}
	}
	return known;
}

static bool
select_word(const char *word, size_t n, struct bench_select *s)
{
	bool known = select_cells(word, n, s), commit = same(word, n, "commit");
	for (int log = 0; log < PROFILE_PATTERN_COUNT; log++) {
		if (commit || same(word, n, names_text(&profile_pattern_names, log)))
			s->log[log] = known = true;
	}
	for (size_t i = 0; i < SELECT_WORDS; i++) {
		if (same(word, n, select_words[i]))
			s->word[i] = known = true;
	}
	return known;
}

int
select_parse(const char *text, struct bench_select *s, struct err *err)
{
	struct bench_select parsed = {.log = {false}};
	const char *p = text ? text : "cache,ladder,sizes,commit,mix,load,readahead,hold,compress";
	for (bool more = true; more; p++) {
		size_t n = strcspn(p, ",");
		if (!select_word(p, n, &parsed))
			return err_set(err, ERR_USAGE,
				"tests: \"%.*s\": a list of cache, ladder, sizes, commit, mix, "
				"load, readahead, hold, compress, or of parts: randread:N, "
				"randwrite:N (N: 1 "
				"2 4 8 16 32 64 128; none: all), append, overwrite expected",
				(int)(n < 40 ? n : 40), p);
		p += n;
		more = *p == ',';
	}
	*s = parsed;
	return 0;
}

bool
select_phase(const struct bench_select *s, const char *word)
{
	for (size_t i = 0; i < SELECT_WORDS; i++) {
		if (strcmp(select_words[i], word) == 0)
			return s->word[i];
	}
	return false;
}

bool
select_ladder(const struct bench_select *s)
{
	bool any = false;
	for (size_t i = 0; i < PLAN_DEPTHS; i++)
		any |= s->depth[ENGINE_READ][i] || s->depth[ENGINE_WRITE][i];
	return any;
}

bool
select_commits(const struct bench_select *s)
{
	bool any = false;
	for (int log = 0; log < PROFILE_PATTERN_COUNT; log++)
		any |= s->log[log];
	return any;
}
