/* report_test.h - what the tests of report share. */
#ifndef REPORT_TEST_H
#define REPORT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/render.h"

/* Times `part` occurs in `text`. */
static inline size_t
occurs(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part))
		n++;
	return n;
}

static inline void
assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%.3000s", part, text);
}

static inline void
assert_lacks(const char *text, const char *part)
{
	const char *found = strstr(text, part);
	if (found)
		fail_msg("\"%s\" is in it: %.200s", part, found);
}

/* Render with the data folder of the test's environment; the text must be released with buf_fini().
 */
static inline struct buf
rendered(const struct doc *d, enum render_format format)
{
	struct render_options options = {.width = 80, .data_dir = getenv("TIERWISE_DATA_DIR")};
	struct buf out;
	struct err err = {0};
	buf_init(&out, 0);
	if (render(d, format, &options, &out, &err) != 0)
		fail_msg("%s: %s", names_text(&render_format_names, (int)format), err.text);
	return out;
}

#endif /* REPORT_TEST_H */
