/*
 * fio_emit.h - a measured point as cells and syncs of the profile.  Internal to profile.
 */
#ifndef PROFILE_FIO_EMIT_H
#define PROFILE_FIO_EMIT_H

#include "profile/fio_check.h"
#include "profile/profile.h"

struct fio_sink {
	struct profile *profile;
	struct arena *arena;
	struct import_warnings *warnings;
	const char *source;
};

/* Add what the point holds: one sync, or a cell for each direction. */
int fio_emit(const struct fio_sink *sink, const struct fio_point *p, struct err *err);

#endif /* PROFILE_FIO_EMIT_H */
