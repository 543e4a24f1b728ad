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
	for (size_t i = 0; i + 1 < n; i += 2) {
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

/* Files that are known and no text, by their first bytes. */
static int
refuse(const char *name, const char *bytes, size_t n, struct err *err)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *says;
	} rows[] = {
		{"\x1f\x8b", 2,
			"compressed (gzip): unpack it, as in zcat FILE | tierwise demand -"},
		{"BZh", 3, "compressed (bzip2): unpack it, as in bzcat FILE | tierwise demand -"},
		{"\xfd"
		 "7zXZ",
			5, "compressed (xz): unpack it, as in xzcat FILE | tierwise demand -"},
		{"\x28\xb5\x2f\xfd", 4,
			"compressed (zstd): unpack it, as in zstdcat FILE | tierwise demand -"},
		{"PK\x03\x04", 4, "an archive (zip): unpack it, and give the folder"},
		{"\x96\xd5", 2,
			"a data file of sar: print it, as in sadf -d FILE -- -d | tierwise "
			"demand -"},
		{"\xd5\x96", 2,
			"a data file of sar: print it, as in sadf -d FILE -- -d | tierwise "
			"demand -"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (n >= rows[i].n && memcmp(bytes, rows[i].magic, rows[i].n) == 0)
			return err_set(err, ERR_PARSE, "%s: %s", name, rows[i].says);
	}
	size_t blank = 0;
	while (blank < n && bytes[blank] && strchr(" \t\r\n", bytes[blank]))
		blank++;
	return blank == n ? err_set(err, ERR_PARSE, "%s: is empty", name) : 0;
}

/* UTF-16 without its mark: each second byte of the first few is NUL. */
static bool
is_wide(const char *bytes, size_t n, size_t nul)
{
	if (n < 8)
		return false;
	for (size_t i = 0; i < 8; i++) {
		if ((bytes[i] == '\0') != (i % 2 == nul))
			return false;
	}
	return true;
}

/* Lines that end in CR alone, as some exports have them. */
static void
end_lines(char *text, size_t n)
{
	if (memchr(text, '\n', n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\r')
			text[i] = '\n';
	}
}

int
evidence_plain_text(const char *name, const char *bytes, size_t n, struct arena *a,
	const char **text, size_t *n_text, struct err *err)
{
	bool marked_little = n >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0;
	bool marked_big = n >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0;
	bool little = marked_little || is_wide(bytes, n, 1),
	     big = marked_big || is_wide(bytes, n, 0);
	size_t mark = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int rc = refuse(name, bytes, n, err);
	if (rc)
		return rc;
	/* two bytes become at most three */
	char *copy = arena_array(a, 1, (little || big ? n + n / 2 : n) + 1);
	if (!copy)
		return err_nomem(err);
	if (little || big) {
		size_t from = marked_little || marked_big ? 2 : 0;
		*n_text = from_utf16(bytes + from, n - from, big, copy);
	} else {
		*n_text = n - mark;
		memcpy(copy, bytes + mark, n - mark);
	}
	copy[*n_text] = '\0';
	*text = copy;
	if (memchr(copy, '\0', *n_text))
		return err_set(err, ERR_PARSE, "%s: holds a NUL byte: no text", name);
	end_lines(copy, *n_text);
	return 0;
}
