#include "report/renderer.h"

#include <string.h>

static const char *const words[] = {
	[DOC_NOTE] = "NOTE",
	[DOC_PASS] = "PASS",
	[DOC_WARNING] = "WARNING",
	[DOC_FAIL] = "FAIL",
	[DOC_UNKNOWN] = "UNKNOWN",
};
_Static_assert(sizeof(words) / sizeof(words[0]) == DOC_TONE_COUNT, "a word for every tone");

const char *
render_tone_word(enum doc_tone tone)
{
	return (unsigned int)tone < DOC_TONE_COUNT ? words[tone] : "NOTE";
}

static bool
is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

enum doc_tone
render_verdict(const char *text, size_t *n)
{
	static const enum doc_tone verdicts[] = {DOC_PASS, DOC_FAIL, DOC_UNKNOWN};
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		size_t length = strlen(words[verdicts[i]]);
		if (strncmp(text, words[verdicts[i]], length) == 0 && !is_letter(text[length])) {
			*n = length;
			return verdicts[i];
		}
	}
	*n = 0;
	return DOC_TONE_COUNT;
}

const char *
render_cell(const struct doc_table *t, size_t row, size_t column)
{
	const char *cell = t->cells[row * t->n_columns + column];
	return cell ? cell : "";
}

const char *
render_link(const struct doc_table *t, size_t row)
{
	return row < t->n_links ? t->links[row] : NULL;
}
