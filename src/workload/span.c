/*
 * span.c - pieces of a text: lines, words, numbers, cells.
 */
#include "workload/span.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct span
span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

void
span_lines_init(struct span_lines *l, const char *text, size_t n)
{
	size_t mark = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
	*l = (struct span_lines){.next = text + mark, .end = text + n};
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool
span_next_line(struct span_lines *l, struct span *line)
{
	if (l->next >= l->end)
		return false;
	size_t left = (size_t)(l->end - l->next);
	const char *stop = memchr(l->next, '\n', left);
	*line = (struct span){l->next, stop ? (size_t)(stop - l->next) : left};
	l->whole = stop != NULL;
	l->next = stop ? stop + 1 : l->end;
	l->number++;
	while (line->n && is_blank(line->text[line->n - 1]))
		line->n--;
	return true;
}

static void
skip(struct span *s, size_t n)
{
	s->text += n;
	s->n -= n;
}

static void
skip_blanks(struct span *s)
{
	while (s->n && is_blank(*s->text))
		skip(s, 1);
}

struct span
span_trim(struct span s)
{
	skip_blanks(&s);
	while (s.n && is_blank(s.text[s.n - 1]))
		s.n--;
	return s;
}

bool
span_starts(struct span s, const char *text)
{
	size_t n = strlen(text);
	return s.n >= n && memcmp(s.text, text, n) == 0;
}

bool
span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && span_starts(s, text);
}

bool
span_find(struct span *s, const char *text)
{
	size_t n = strlen(text);
	const char *at = s->n ? memmem(s->text, s->n, text, n) : NULL;
	if (!at)
		return false;
	skip(s, (size_t)(at - s->text) + n);
	return true;
}

bool
span_has(struct span s, const char *text)
{
	return span_find(&s, text);
}

bool
span_eat(struct span *s, const char *text)
{
	struct span at = *s;
	skip_blanks(&at);
	if (!span_starts(at, text))
		return false;
	skip(&at, strlen(text));
	*s = at;
	return true;
}

struct span
span_word(struct span *s)
{
	skip_blanks(s);
	struct span word = {s->text, 0};
	while (word.n < s->n && !is_blank(s->text[word.n]))
		word.n++;
	skip(s, word.n);
	return word;
}

bool
span_cut(struct span *s, char stop, struct span *part)
{
	if (!s->text)
		return false;
	const char *at = s->n ? memchr(s->text, stop, s->n) : NULL;
	*part = (struct span){s->text, at ? (size_t)(at - s->text) : s->n};
	if (at)
		skip(s, part->n + 1);
	else
		*s = (struct span){NULL, 0};
	return true;
}

/* Squares of microseconds add up to a lot; beyond this nothing was counted. */
static const double most = 1e30;

/* Length of digits, with one point or comma between or behind them. */
static size_t
mantissa(struct span s)
{
	size_t n = 0;
	while (n < s.n && isdigit((unsigned char)s.text[n]))
		n++;
	size_t whole = n;
	if (n < s.n && (s.text[n] == '.' || s.text[n] == ',')) {
		n++;
		while (n < s.n && isdigit((unsigned char)s.text[n]))
			n++;
		if (n == whole + 1 && (whole == 0 || s.text[whole] == ','))
			n = whole; /* "1," is 1 and a comma */
	}
	return n;
}

static size_t
exponent(struct span s)
{
	size_t n = 1;
	if (!s.n || (*s.text != 'e' && *s.text != 'E'))
		return 0;
	if (n < s.n && (s.text[n] == '+' || s.text[n] == '-'))
		n++;
	size_t first = n;
	while (n < s.n && isdigit((unsigned char)s.text[n]))
		n++;
	return n > first ? n : 0;
}

bool
span_eat_number(struct span *s, double *value)
{
	struct span at = *s;
	char copy[64];
	skip_blanks(&at);
	size_t sign = at.n && (*at.text == '-' || *at.text == '+') ? 1 : 0;
	struct span body = {at.text + sign, at.n - sign};
	if (body.n >= 3 && strncasecmp(body.text, "nan", 3) == 0) {
		skip(&at, sign + 3);
		*value = NAN;
		*s = at;
		return true;
	}
	size_t n = mantissa(body);
	if (n == 0)
		return false;
	n += sign + exponent((struct span){body.text + n, body.n - n});
	if (n >= sizeof(copy))
		return false;
	memcpy(copy, at.text, n);
	copy[n] = '\0';
	char *comma = strchr(copy, ',');
	if (comma)
		*comma = '.';
	double d = strtod(copy, NULL);
	if (!(fabs(d) <= most)) /* a slip, or the end of a counter */
		return false;
	*value = d;
	skip(&at, n);
	*s = at;
	return true;
}

double
span_number(struct span s)
{
	double value;
	s = span_trim(s);
	return span_eat_number(&s, &value) && s.n == 0 ? value : (double)NAN;
}

double
span_thousands(struct span s)
{
	char copy[64];
	size_t n = 0;
	s = span_trim(s);
	for (size_t i = 0; i < s.n && n < sizeof(copy); i++)
		if (s.text[i] != ',')
			copy[n++] = s.text[i];
	return span_number((struct span){copy, n});
}

bool
span_digits(struct span s)
{
	size_t n = 0;
	while (n < s.n && isdigit((unsigned char)s.text[n]))
		n++;
	return n > 0 && n == s.n;
}

const char *
span_copy(struct arena *a, struct span s)
{
	return arena_strndup(a, s.n ? s.text : "", s.n);
}
