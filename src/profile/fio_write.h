/*
 * fio_write.h - a profile as a fio result (json+), for tools that read those.
 *
 * A cell becomes a job of its own, the two sides of a mix one job, a commit a job of writes with
 * fsync=1, fdatasync=1 or sync=dsync.  Percentiles and bins sit where fio puts them: in lat_ns with
 * lat_percentiles=1 (submission to completion), in clat_ns for cells without submission.  Bins are
 * keyed by the middle of the bin in whole ns, as fio does it.
 *
 * What fio has no place for is not in it: intervals, knees, series, findings, the joint percentiles
 * of a write and its sync (fio records the two apart).  What is not known is 0, as fio writes it.
 * The version reads "fio-3.33-tierwise": the layout is that of fio 3.33, the figures are not fio's.
 */
#ifndef PROFILE_FIO_WRITE_H
#define PROFILE_FIO_WRITE_H

#include "base/buf.h"
#include "profile/profile.h"

/* Append the document.  ERR_UNSUPPORTED: the profile has neither cells nor commits; ERR_NOMEM. */
int fio_write_text(const struct profile *p, struct buf *out, struct err *err);

/* The same into a file ("-": standard output), replaced at once as file_write() does; also ERR_IO. */
int fio_write(const struct profile *p, const char *path, struct err *err);

#endif /* PROFILE_FIO_WRITE_H */
