/*
 * fio_scan.h - find the fio result inside whatever an input holds, without holding it.
 *
 * fio prints error messages, human output or status lines before, between and after its JSON, and
 * its strings escape only quotes and backslashes.  A document starts at an object whose first name
 * is "fio version"; the last whole one counts.  Its jobs, which are nearly all of its size, are left
 * where they are: the scan says where each lies.  Internal to profile.
 */
#ifndef PROFILE_FIO_SCAN_H
#define PROFILE_FIO_SCAN_H

#include <stdbool.h>

#include "base/json.h"
#include "profile/import_bytes.h"

enum {
	FIO_DEPTH_MAX = 64,
	FIO_AROUND = 160,
	FIO_JOBS_MAX = 16384, /* job objects in one document */
	FIO_FRAME_MAX_MIB = 16, /* a document without its jobs */
	FIO_JOB_MAX_MIB = 64 /* one job object */
};

struct fio_span {
	uint64_t at; /* offset in the input */
	uint64_t n;
};

struct fio_document {
	uint64_t at; /* where it starts in the input */
	struct buf frame; /* its text, with 0 in place of each job */
	struct fio_span *jobs; /* elements of "jobs", else of "client_stats" */
	size_t n_jobs, cap;
	int list; /* which of the two they are from */
};

struct fio_scan {
	struct fio_document document; /* the last whole one */
	size_t n_documents; /* whole ones in the input */
	bool cut; /* another document in the input never ends */
	bool interrupted; /* fio said that a signal ended it */
	char around[FIO_AROUND]; /* start of the other text, on one line; "" when there is none */
};

/*
 * Look through them.  n_documents is 0 when it holds no fio result; a result that is cut off
 * and stands alone is ERR_PARSE with the place, as is one nested too deep; ERR_UNSUPPORTED for too
 * many jobs, ERR_RANGE for a frame that is too large; ERR_IO, ERR_NOMEM.  Release with
 * fio_scan_fini(), also after an error.
 */
int fio_scan(const struct import_bytes *bytes, struct fio_scan *out, struct err *err);
void fio_scan_fini(struct fio_scan *scan);

/* Parse the frame, or job i; what a strict reader refuses although fio wrote it is mended. */
int fio_scan_frame(const struct fio_scan *scan, struct json_doc **doc, struct err *err);
int fio_scan_job(const struct import_bytes *bytes, const struct fio_scan *scan, size_t i,
	struct json_doc **doc, struct err *err);

#endif /* PROFILE_FIO_SCAN_H */
