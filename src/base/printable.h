/*
 * printable.h - names from outside made fit for one line of a terminal.
 *
 * A path may hold any byte but NUL: line feeds that fake a second message, escape sequences, text
 * that reads backwards.  What report does for pages (report/text.h) this does for messages.
 */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stdbool.h>

/*
 * Replace in place, each byte by a '?': control characters (C0, DEL, C1), the bidirectional
 * controls, and what is not UTF-8.  keep_lines: line feeds and tabs stay.
 */
void printable(char *text, bool keep_lines);

#endif /* BASE_PRINTABLE_H */
