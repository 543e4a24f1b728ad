/*
 * text.h - UTF-8 text from outside made fit for a page or a terminal; private to report.
 *
 * Names in a workload, a host or a log are not trusted: control characters (terminal escapes) and
 * the bidirectional overrides that can make a page read differently from its bytes become U+FFFD,
 * and so does what is not UTF-8.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* One character at *text, made fit; *text moves past it.  0 at the end.  Line feed and tab are
 * returned as a space. */
uint32_t text_next(const char **text);

/* Append one character as UTF-8. */
void text_put(struct buf *out, uint32_t c);

/* Append the whole text, made fit. */
void text_clean(struct buf *out, const char *text);

/* Terminal columns of a character (0, 1 or 2) and of a whole text. */
int text_char_width(uint32_t c);
size_t text_width(const char *text);

/* Characters in the text. */
size_t text_length(const char *text);

#endif /* REPORT_TEXT_H */
