#include "base/printable.h"

#include <stddef.h>
#include <string.h>

#include "base/json.h"

/* The UTF-8 forms of U+0080-9F, U+200E-200F, U+2028-202E and U+2066-2069. */
static bool
is_control(const unsigned char *p, size_t len)
{
	if (len == 1)
		return *p < ' ' || *p == 0x7F;
	if (len == 2)
		return p[0] == 0xC2 && p[1] < 0xA0;
	if (len != 3 || p[0] != 0xE2)
		return false;
	if (p[1] == 0x80)
		return p[2] == 0x8E || p[2] == 0x8F || (p[2] >= 0xA8 && p[2] <= 0xAE);
	return p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9;
}

void
printable(char *text, bool keep_lines)
{
	size_t left = strlen(text);
	while (left > 0) {
		size_t len = json_utf8_length(text, left);
		bool bad = len == 0 || is_control((const unsigned char *)text, len);
		len = len ? len : 1;
		if (bad && !(keep_lines && (*text == '\n' || *text == '\t')))
			memset(text, '?', len);
		text += len;
		left -= len;
	}
}
