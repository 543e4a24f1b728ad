/*
 * import_format.h - a row of the table of importers, and what it works with.  Internal to profile.
 */
#ifndef PROFILE_IMPORT_FORMAT_H
#define PROFILE_IMPORT_FORMAT_H

#include "profile/import.h"
#include "profile/import_bytes.h"
#include "profile/import_warn.h"

enum {
	IMPORT_TOOLS = 4, /* named in a profile */
	IMPORT_HEAD_B = 16384, /* looked at to tell the format */
	IMPORT_TEXT_MAX_MIB = 16 /* largest input of a format that is read whole */
};

struct import {
	struct profile *profile;
	struct arena *arena;
	struct import_warnings warnings;
	const char *tools[IMPORT_TOOLS]; /* versions seen */
	size_t n_tools;
	bool more_tools;
	const char *engine; /* "" once two results differ; the same below */
	const char *device; /* block device, as the kernel names it */
	const char *target; /* device or folder of the file used */
	double started_s; /* earliest time stamp, s since 1970 */
	double duration_s;
	bool interrupted;
	bool keep_failed; /* jobs that ended with an error are taken, too */
};

/* One input. */
struct import_input {
	const struct import_bytes *bytes;
	const char *name; /* in the arena */
	const char *head; /* its first bytes */
	size_t n_head;
};

struct import_format {
	const char *name;
	/* Whether it looks like one. */
	bool (*probe)(const struct import_input *in);
	/* Add what it holds; *out is cleared but for format, and its counts of cells, syncs and
	 * warnings are filled by the caller. */
	int (*read)(struct import *im, const struct import_input *in, struct import_outcome *out,
		struct err *err);
};

extern const struct import_format import_fio, import_pgtestfsync, import_ioping;

/* ERR_PARSE: what the input is instead of a result. */
int import_unknown(const struct import_input *in, struct err *err);

/* Whether it is files in a row, as tar makes: import_unknown() says so, whatever the files hold. */
bool import_is_archive(const struct import_input *in);

/* The whole input as text with a NUL behind it, in the arena; ERR_RANGE when too large. */
int import_whole(const struct import *im, const struct import_input *in, char **text, size_t *n,
	struct err *err);

/* Whether the first n bytes of text hold the word. */
bool import_has(const char *text, size_t n, const char *word);
/* The number from lo to hi, both at least 1, that is divisible by the largest power of two, as block
 * sizes are; NaN: none is whole. */
double import_roundest(double lo, double hi);
void import_note_tool(struct import *im, const char *version);
/* `text` when nothing was noted, "" when it differs from what was; NULL changes nothing. */
const char *import_same(struct arena *a, const char *noted, const char *text);

#endif /* PROFILE_IMPORT_FORMAT_H */
