/*
 * commits.c - which commits are measured: four ways to make a write durable, four sizes, one to
 * sixteen writers, appended or written over.
 *
 * "append" grows the file, so each sync also commits the new size (a log that is not recycled);
 * "overwrite" goes round a part that is there already (databases that recycle or preallocate their
 * log).
 */
#include <unistd.h>

#include "bench/phase.h"

static const struct row {
	int mode; /* enum profile_sync_mode */
	size_t bs_b;
	unsigned writers;
	int rank;
} rows[] = {
	{PROFILE_SYNC_FDATASYNC, PLAN_COMMIT_B, 1, 0},
	{PROFILE_SYNC_FDATASYNC, PLAN_COMMIT_B, 4, 1},
	{PROFILE_SYNC_FDATASYNC, PLAN_COMMIT_B, 16, 1},
	{PROFILE_SYNC_FDATASYNC, 64 << 10, 1, 2},
	{PROFILE_SYNC_FSYNC, PLAN_COMMIT_B, 1, 2},
	{PROFILE_SYNC_ODSYNC, PLAN_COMMIT_B, 1, 3},
	{PROFILE_SYNC_ODSYNC_DIRECT, PLAN_COMMIT_B, 1, 3},
	{PROFILE_SYNC_FDATASYNC, 4 << 10, 1, 4},
	{PROFILE_SYNC_FDATASYNC, 16 << 10, 1, 4},
};

static bool
wanted(const struct disk *d)
{
	return select_commits(d->select);
}

static int
begin(struct disk *d, struct err *err)
{
	for (int pattern = 0; pattern < PROFILE_PATTERN_COUNT; pattern++) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			if (!d->select->log[pattern])
				continue;
			struct cell *c = disk_cell(d, CELL_COMMIT, rows[i].rank);
			if (!c)
				return err_nomem(err);
			c->bs_b = rows[i].bs_b;
			c->qd = c->writers = rows[i].writers;
			c->mode = rows[i].mode;
			c->pattern = pattern;
		}
	}
	return 0;
}

/* Give the log's space back when half of it is used, outside any slice. */
static int
recycle(struct disk *d, struct err *err)
{
	if ((uint64_t)(d->end_b - d->area_b) <= d->wal_room_b / 2)
		return 0;
	if (d->target.fd >= 0 && ftruncate(d->target.fd, d->area_b) != 0)
		return err_set(err, ERR_IO, "cutting the log back failed");
	d->end_b = d->area_b;
	return 0;
}

static int
step(struct disk *d, bool *more, struct err *err)
{
	int rc = recycle(d, err);
	return rc ? rc : schedule_step(d, CELL_COMMIT, more, err);
}

/* A way that the kernel or the filesystem does not have is said. */
static void
say_refused(struct disk *d)
{
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group == CELL_COMMIT && c->refused)
			findings_add(&d->findings, SEVERITY_NOTE, "commit-refused", NULL,
				"%s by %s was left out: %s",
				names_text(&profile_sync_mode_names, c->mode),
				names_text(&profile_pattern_names, c->pattern), c->refused);
	}
}

static int
end(struct disk *d, struct err *err)
{
	if (d->target.fd >= 0 && ftruncate(d->target.fd, d->area_b) != 0)
		return err_set(err, ERR_IO, "cutting the log back failed");
	d->end_b = d->area_b;
	say_refused(d);
	return 0;
}

const struct phase phase_commits = {
	.title = "commits",
	.time_s = 24,
	.write_share = 2,
	.wanted = wanted,
	.begin = begin,
	.step = step,
	.end = end,
};
