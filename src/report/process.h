/*
 * process.h - run a program once with text in and text out; private to report.
 *
 * No shell, no temporary file.  The child gets a small environment of our own (PATH, LC_ALL=C), so
 * that its output depends on the input alone.
 */
#ifndef REPORT_PROCESS_H
#define REPORT_PROCESS_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Run argv[0] (looked up in PATH) with `input` on its standard input; append its standard output to
 * *out.  At most timeout_s seconds, after which it is killed.
 * ERR_NOT_FOUND: no such program; ERR_IO: it failed (the text holds the start of its standard
 * error), ran too long, or wrote more than the buffer takes.
 */
int process_run(const char *const argv[], const struct buf *input, int timeout_s, struct buf *out,
	struct err *err);

#endif /* REPORT_PROCESS_H */
