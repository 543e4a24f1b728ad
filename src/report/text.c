#include "report/text.h"

enum { REPLACEMENT = 0xFFFD };

struct range {
	uint32_t first, last;
};

static bool
in_ranges(uint32_t c, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return false;
}

/* Controls that move the cursor or reorder the line: C0, DEL, C1, the bidirectional embeddings,
 * overrides and isolates (Unicode 15, UAX 9), line and paragraph separators. */
static const struct range harmful[] = {
	{0x00, 0x1F},
	{0x7F, 0x9F},
	{0x200E, 0x200F},
	{0x2028, 0x202E},
	{0x2066, 0x2069},
	{0xD800, 0xDFFF},
	{0xFFFE, 0xFFFF},
};

/* Bytes that follow a lead byte, and the smallest code point that needs them; -1 when it is no lead
 * byte. */
static int
sequence(unsigned char lead, uint32_t *bits, uint32_t *least)
{
	if (lead < 0x80) {
		*bits = lead;
		*least = 0;
		return 0;
	}
	if ((lead & 0xE0) == 0xC0) {
		*bits = lead & 0x1F;
		*least = 0x80;
		return 1;
	}
	if ((lead & 0xF0) == 0xE0) {
		*bits = lead & 0x0F;
		*least = 0x800;
		return 2;
	}
	if ((lead & 0xF8) == 0xF0) {
		*bits = lead & 0x07;
		*least = 0x10000;
		return 3;
	}
	return -1;
}

uint32_t
text_next(const char **text)
{
	const unsigned char *p = (const unsigned char *)*text;
	if (*p == 0)
		return 0;
	uint32_t c = 0, least = 0;
	int more = sequence(*p++, &c, &least);
	int rest = more;
	while (rest > 0 && (*p & 0xC0) == 0x80) {
		c = c << 6 | (*p++ & 0x3F);
		rest--;
	}
	*text = (const char *)p;
	if (more < 0 || rest > 0 || c < least || c > 0x10FFFF)
		return REPLACEMENT;
	if (c == '\n' || c == '\t')
		return ' ';
	return in_ranges(c, harmful, sizeof(harmful) / sizeof(harmful[0])) ? REPLACEMENT : c;
}

void
text_put(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(out, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_putc(out, (char)(0xC0 | c >> 6));
	} else if (c < 0x10000) {
		buf_putc(out, (char)(0xE0 | c >> 12));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3F)));
	} else {
		buf_putc(out, (char)(0xF0 | c >> 18));
		buf_putc(out, (char)(0x80 | (c >> 12 & 0x3F)));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3F)));
	}
	buf_putc(out, (char)(0x80 | (c & 0x3F)));
}

void
text_clean(struct buf *out, const char *text)
{
	for (uint32_t c; (c = text_next(&text)) != 0;)
		text_put(out, c);
}

/* Combining marks and zero-width characters; then East Asian wide and fullwidth (Unicode 15, the
 * common blocks: exotic ones may be one column off). */
static const struct range zero_wide[] = {{0x0300, 0x036F}, {0x0591, 0x05BD}, {0x064B, 0x065F},
	{0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}};
static const struct range double_wide[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF},
	{0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6},
	{0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

int
text_char_width(uint32_t c)
{
	if (in_ranges(c, zero_wide, sizeof(zero_wide) / sizeof(zero_wide[0])))
		return 0;
	return in_ranges(c, double_wide, sizeof(double_wide) / sizeof(double_wide[0])) ? 2 : 1;
}

size_t
text_width(const char *text)
{
	size_t width = 0;
	for (uint32_t c; (c = text_next(&text)) != 0;)
		width += (size_t)text_char_width(c);
	return width;
}

size_t
text_length(const char *text)
{
	size_t n = 0;
	while (text_next(&text) != 0)
		n++;
	return n;
}
