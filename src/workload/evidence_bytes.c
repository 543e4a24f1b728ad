#include "workload/evidence_bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static size_t
put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t
unit_at(const unsigned char *b, bool big)
{
	return big ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[1] << 8 | b[0];
}

static size_t
from_utf16(const char *bytes, size_t n, bool big, char *to)
{
	const unsigned char *b = (const unsigned char *)bytes;
	size_t out = 0;
	for (size_t i = 2; i + 1 < n; i += 2) {
		uint32_t c = unit_at(b + i, big);
		if (c >= 0xd800 && c < 0xdc00 && i + 3 < n) {
			uint32_t low = unit_at(b + i + 2, big);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd; /* half a pair */
		out += put_utf8(to + out, c);
	}
	return out;
}

int
evidence_plain_text(const char *name, const char *bytes, size_t n, struct arena *a,
	const char **text, size_t *n_text, struct err *err)
{
	bool little = n >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0;
	bool big = n >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0;
	size_t mark = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	/* two bytes become at most three */
	char *copy = arena_array(a, 1, (little || big ? n + n / 2 : n) + 1);
	if (!copy)
		return err_nomem(err);
	if (little || big) {
		*n_text = from_utf16(bytes, n, big, copy);
	} else {
		*n_text = n - mark;
		memcpy(copy, bytes + mark, n - mark);
	}
	copy[*n_text] = '\0';
	*text = copy;
	if (memchr(copy, '\0', *n_text))
		return err_set(err, ERR_PARSE, "%s: holds a NUL byte: no text", name);
	return 0;
}
