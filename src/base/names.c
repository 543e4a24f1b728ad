#include "base/names.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

int
names_find(const struct names *names, const char *text)
{
	for (int i = 0; i < names->count; i++) {
		if (names->text[i] && strcmp(names->text[i], text) == 0)
			return i;
	}
	return -1;
}

const char *
names_text(const struct names *names, int value)
{
	return value >= 0 && value < names->count && names->text[value] ? names->text[value]
									: "unknown";
}

void
names_list(const struct names *names, struct buf *out)
{
	for (int i = 0; i < names->count; i++) {
		if (i)
			buf_put(out, i == names->count - 1 ? " or " : ", ");
		buf_put(out, names->text[i]);
	}
}

static size_t
smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;
	return least < c ? least : c;
}

/* Edit distance in which a swap of neighbours, the commonest slip, is one edit (optimal string
 * alignment); words cut at 63 characters. */
static size_t
distance(const char *a, const char *b)
{
	size_t na = strnlen(a, 63), nb = strnlen(b, 63);
	size_t rows[3][64], *before = rows[0], *last = rows[1], *row = rows[2];
	for (size_t j = 0; j <= nb; j++)
		before[j] = last[j] = j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = smallest(
				last[j - 1] + (a[i - 1] != b[j - 1]), last[j] + 1, row[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		size_t *oldest = before;
		before = last;
		last = row;
		row = oldest;
	}
	return last[nb];
}

/* Of two names equally far, a swapped letter is likelier than a lost one. */
static bool
same_length(const char *text, const char *name, const char *than)
{
	return strlen(name) == strlen(text) && strlen(than) != strlen(text);
}

const char *
names_nearest(const char *text, const void *first, size_t n, size_t stride)
{
	size_t limit = strlen(text) / 3;
	size_t best = limit < 1 ? 1 : limit;
	const char *nearest = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name;
		memcpy(&name, (const char *)first + i * stride, sizeof(name));
		if (!name)
			continue;
		size_t d = distance(text, name);
		bool closer = !nearest || d < best ||
			      (d == best && same_length(text, name, nearest));
		if (d <= best && closer) {
			best = d;
			nearest = name;
		}
	}
	return nearest;
}
