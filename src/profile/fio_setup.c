#include "profile/fio_setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile.h"

struct kind {
	const char *rw;
	bool random, trim;
};

static const struct kind kinds[] = {
	{"read", false, false},
	{"write", false, false},
	{"rw", false, false},
	{"readwrite", false, false},
	{"randread", true, false},
	{"randwrite", true, false},
	{"randrw", true, false},
	{"trim", false, true},
	{"randtrim", true, true},
	{"trimwrite", false, true},
	{"randtrimwrite", true, true},
};

/* Engines of one I/O at a time whatever iodepth says; NULL is fio's default on Linux (psync). */
static bool
one_at_a_time(const char *engine)
{
	static const char *const names[] = {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"};
	for (size_t i = 0; engine && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(engine, names[i]) == 0)
			return true;
	}
	return !engine;
}

static bool
has_job_options(const struct fio_job *job)
{
	return json_first(job->options.job).node != NULL;
}

/* "randrw:8" and "read:4k" carry a modifier after the word. */
static const struct kind *
find_kind(const char *rw)
{
	size_t len = strcspn(rw, ":");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].rw) == len && strncmp(kinds[i].rw, rw, len) == 0)
			return &kinds[i];
	}
	return NULL;
}

/* What a word in a name hints at. */
struct hint {
	const char *word;
	int value;
};

/* 1: random.  A log is appended to. */
static const struct hint random_hints[] = {
	{"rand", 1}, {"seq", 0}, {"wal", 0}, {"append", 0}, {NULL, -1}};

static const struct hint sync_hints[] = {
	{"fdatasync", PROFILE_SYNC_FDATASYNC},
	{"fsync", PROFILE_SYNC_FSYNC},
	{"dsync", PROFILE_SYNC_ODSYNC}, /* O_DSYNC, odsync, o_dsync */
	{NULL, -1},
};

/* Value of the first hint that is in the name of the job, else of the file; -1: none is. */
static int
hinted(const struct hint *hints, const char *job, const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *const names[] = {job, slash ? slash + 1 : file};
	for (size_t i = 0; i < 2; i++) {
		for (const struct hint *h = hints; h->word; h++) {
			if (strcasestr(names[i], h->word))
				return h->value;
		}
	}
	return -1;
}

/* No options at all: names say what the figures cannot. */
static int
infer_kind(const struct fio_job *job, const char *file, struct fio_setup *s, struct err *err)
{
	int random = hinted(random_hints, job->name, file);
	s->inferred = true;
	s->random = random == 1;
	if (random < 0)
		return err_set(err, ERR_UNSUPPORTED,
			"neither options nor the names of job and file say whether the I/O was "
			"random or sequential");
	return 0;
}

static int
read_kind(const struct fio_job *job, const char *file, struct fio_setup *s, struct err *err)
{
	const char *rw = fio_option(&job->options, "rw");
	if (!rw)
		rw = fio_option(&job->options, "readwrite");
	if (!rw && has_job_options(job) && !(job->side[FIO_WRITE].bytes > 0))
		rw = "read"; /* fio's default */
	if (!rw)
		return infer_kind(job, file, s, err);
	const struct kind *kind = find_kind(rw);
	if (!kind)
		return err_set(err, ERR_UNSUPPORTED, "rw=%.40s is not known here", rw);
	if (kind->trim)
		return err_set(err, ERR_UNSUPPORTED, "rw=%.40s: a profile has no trims", rw);
	s->random = kind->random;
	return 0;
}

static void
read_size(const struct fio_job *job, struct arena *a, struct fio_setup *s)
{
	const struct fio_options *o = &job->options;
	const char *shown = fio_option_shown(o, "bs", a);
	if (fio_option_shown(o, "bsrange", a))
		s->bs_varies = "bsrange";
	else if (fio_option_shown(o, "bssplit", a))
		s->bs_varies = "bssplit";
	for (int part = 0; part < 2; part++) {
		s->bs_b[part] = s->bs_varies ? (double)NAN : fio_option_size(o, "bs", part);
		if (isnan(s->bs_b[part]) && shown && !s->bs_varies)
			s->bs_unread = shown;
		else if (!shown && !s->bs_varies && has_job_options(job))
			s->bs_b[part] = 4096; /* fio's default */
	}
}

/* 1 to FIO_LOAD_MAX; NaN: not given, or given and not to be read, which is noted. */
static double
read_load(const struct fio_options *o, const char *name, struct arena *a, struct fio_setup *s)
{
	double n = fio_option_count(o, name);
	if (n >= 1 && n <= FIO_LOAD_MAX)
		return n;
	const char *shown = fio_option_shown(o, name, a);
	if (shown)
		s->load_unread = arena_printf(a, "%s=%s", name, shown);
	return NAN;
}

static void
read_depth(const struct fio_job *job, struct arena *a, struct fio_setup *s)
{
	const struct fio_options *o = &job->options;
	s->jobs = read_load(o, "numjobs", a, s);
	if (!s->load_unread && isnan(s->jobs))
		s->jobs = 1;
	const char *engine = fio_option(o, "ioengine");
	s->engine = engine ? arena_strdup(a, engine) : NULL;
	s->depth = read_load(o, "iodepth", a, s);
	if (!s->load_unread && isnan(s->depth)) {
		bool given = has_job_options(job) || json_first(o->global).node;
		s->depth = given ? 1 : (double)NAN;
	}
	if (s->depth > 1 && has_job_options(job) && one_at_a_time(s->engine)) {
		s->ignored_depth = s->depth;
		s->depth = 1;
	}
}

static void
read_direct(const struct fio_job *job, struct fio_setup *s)
{
	int direct = fio_option_flag(&job->options, "direct");
	int buffered = fio_option_flag(&job->options, "buffered");
	if (direct < 0 && buffered >= 0)
		direct = !buffered;
	if (direct < 0 && has_job_options(job))
		direct = 0; /* fio's default */
	s->direct = direct;
}

/*
 * Writes of one job that were in flight less than half of the time were waited for: with a name that
 * says so, by a sync between them.  O_DSYNC is waited for inside the write.
 */
static void
infer_sync(const struct fio_job *job, const char *file, struct fio_setup *s)
{
	static const double busy_frac = 0.5;
	const struct fio_side *w = &job->side[FIO_WRITE];
	double in_flight = w->iops * w->mean_us / 1e6;
	int mode = hinted(sync_hints, job->name, file);
	bool apart = mode == PROFILE_SYNC_FSYNC || mode == PROFILE_SYNC_FDATASYNC;
	if (mode >= 0 && (in_flight < busy_frac) == apart)
		s->sync_mode = mode;
}

static void
read_sync(const struct fio_job *job, const char *file, struct fio_setup *s)
{
	const struct fio_options *o = &job->options;
	double fsync = fio_option_count(o, "fsync"), fdatasync = fio_option_count(o, "fdatasync");
	const char *sync = fio_option(o, "sync");
	if (fsync > 1 || fdatasync > 1)
		s->sync_every = fsync > 1 ? fsync : fdatasync;
	if (!(job->side[FIO_WRITE].bytes > 0))
		return;
	if (fsync == 1)
		s->sync_mode = PROFILE_SYNC_FSYNC;
	else if (fdatasync == 1)
		s->sync_mode = PROFILE_SYNC_FDATASYNC;
	else if (sync && strcmp(sync, "0") != 0 && strcmp(sync, "none") != 0)
		s->sync_mode = s->direct == 1 ? PROFILE_SYNC_ODSYNC_DIRECT : PROFILE_SYNC_ODSYNC;
	else if (s->inferred)
		infer_sync(job, file, s);
	s->commit = s->sync_mode >= 0 && !(job->side[FIO_READ].bytes > 0);
}

static int
pattern_of(const struct fio_options *o)
{
	if (fio_option_flag(o, "file_append") == 1)
		return PROFILE_APPEND;
	const char *file = fio_option(o, "filename");
	bool device = file && strncmp(file, "/dev/", 5) == 0;
	return device || fio_option_flag(o, "overwrite") == 1 ? PROFILE_OVERWRITE : -1;
}

static const char *
find_rate(const struct fio_options *o)
{
	static const char *const names[] = {"rate_iops", "rate", "thinktime"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (fio_option_flag(o, names[i]) == 1)
			return names[i];
	}
	return NULL;
}

int
fio_setup_read(const struct fio_job *job, const char *file, struct arena *a, struct fio_setup *s,
	struct err *err)
{
	*s = (struct fio_setup){.sync_mode = -1, .sync_every = NAN};
	s->ignored_depth = s->random_percent = NAN;
	int rc = read_kind(job, file, s, err);
	if (rc)
		return rc;
	read_size(job, a, s);
	read_depth(job, a, s);
	read_direct(job, s);
	read_sync(job, file, s);
	s->pattern = pattern_of(&job->options);
	s->rate = find_rate(&job->options);
	double percent = fio_option_count(&job->options, "percentage_random");
	if (s->random && percent < 100)
		s->random_percent = percent;
	return 0;
}
