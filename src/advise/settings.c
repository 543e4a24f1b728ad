/*
 * settings.c - facts for the settings and steps that follow from a choice of disks.
 *
 * Of the log: how much of the time it is being flushed is the solver's own rate of flushes, at which
 * commits that share a flush count once and asynchronous ones not at all (a background writer flushes for
 * them).
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "base/buf.h"
#include "base/units.h"

/* Share of a log volume that settings may fill: the rest is for what replicas and archives hold back. */
#define LOG_SHARE 0.6
/* MySQL takes no larger innodb_redo_log_capacity. */
#define REDO_MAX_GIB 128
/* A setting that a longer interval would not improve; PostgreSQL takes 30 s to a day. */
#define CHECKPOINT_MIN_S 30
/* The published checklist's bound on the rise of p99 while the backup runs. */
#define BACKUP_RISE 1.15
/* An alert on the mean of an interval: twice the p99 of one I/O is far outside the prediction. */
#define ALERT_FACTOR 2

/* To a thousandth: what is left of a difference of two solutions is noise. */
static double
rounded(double share)
{
	return fabs(share) < 5e-4 ? 0 : share;
}

static void
flush_facts(struct build *b, double flush_mean_ms)
{
	struct rule_context *ctx = &b->ctx;
	double delay_us = round(flush_mean_ms * 1000 / 2); /* the setting takes whole ones */
	rule_set_number(ctx, "predicted.commit_delay_us", delay_us);
	rule_set_number(ctx, "predicted.flush_each_load",
		b->c->set.has_tx ? b->c->set.tx.target_tps * flush_mean_ms / 1000 : (double)NAN);
	if (!b->has_tx)
		return;
	rule_set_number(ctx, "predicted.flush_load", b->tx.flushes_per_s * flush_mean_ms / 1000);
	rule_set_number(ctx, "predicted.commits_per_flush", b->tx.commits_per_flush);
	if (isnan(b->delay_gain_frac) && !isnan(delay_us))
		b->delay_gain_frac = rounded(
			chooser_delay_gain(b->c, b->choice.option, b->choice.at, delay_us));
	rule_set_number(ctx, "predicted.commit_delay_gain_frac", b->delay_gain_frac);
}

/* What settings may take of the smallest log volume; NaN: the log has none of its own. */
static double
log_room_gib(const struct build *b)
{
	double room = (double)NAN;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		if (d->volume->role == WORKLOAD_WAL)
			room = fmin(room, LOG_SHARE * d->volume->capacity_gib);
	}
	return room;
}

/* Up to whole GiB; where the room is too small for that, what fits of it in segments of 16 MiB. */
static double
whole_gib(double gib, double room)
{
	double up = fmax(1, ceil(gib)), segment = 1.0 / 64;
	return up > room ? fmax(2 * segment, floor(room / segment) * segment) : up;
}

/* Whole GiB or MiB with the engine's letters for them: "9GB", "1216MB". */
static const char *
size_text(double gib, const char *of_gib, const char *of_mib, struct arena *a)
{
	bool whole = gib >= 1 && !(gib > floor(gib));
	return arena_printf(a, "%.0f%s", floor(whole ? gib : gib * 1024), whole ? of_gib : of_mib);
}

/*
 * PostgreSQL begins a checkpoint when the log since the last one reaches max_wal_size / (1 + completion
 * target); one that should come by time needs 1 + target intervals of log.  Where those do not fit the log
 * volume, the interval is shortened to what does.
 */
static void
checkpoint_facts(struct build *b, double log_mib_s)
{
	const struct engine *e = b->c->in->engine;
	double interval = e->checkpoint_s, target = e->completion_target;
	double gib = (1 + target) * interval * log_mib_s / 1024, room = log_room_gib(b);
	if (gib > room && room > 0) {
		interval = fmax(CHECKPOINT_MIN_S, floor(interval * room / gib));
		gib = (1 + target) * interval * log_mib_s / 1024;
	}
	double most = whole_gib(gib, room);
	rule_set_number(&b->ctx, "setting.checkpoint_s", interval);
	rule_set_number(&b->ctx, "setting.max_wal_gib", most);
	rule_set_text(&b->ctx, "setting.max_wal_size", size_text(most, "GB", "MB", b->arena));
	rule_set_number(&b->ctx, "setting.wal_needed_gib", gib);
	rule_set_number(&b->ctx, "setting.wal_room_gib", room);
	rule_set_number(&b->ctx, "setting.wal_volume_gib", ceil(gib / LOG_SHARE));
}

/* Log of an hour, so that pages are written back by age and not for want of room in the log. */
static void
redo_facts(struct build *b, double log_mib_s)
{
	double room = fmin(REDO_MAX_GIB, log_room_gib(b));
	double gib = whole_gib(fmin(3600 * log_mib_s / 1024, room), room);
	rule_set_number(&b->ctx, "setting.redo_gib", gib);
	rule_set_text(&b->ctx, "setting.redo_capacity", size_text(gib, "G", "M", b->arena));
}

static void
log_facts(struct build *b)
{
	double tps = b->c->set.has_tx ? b->c->set.tx.target_tps : (double)NAN;
	if (!b->has_tx || isnan(tps))
		return;
	double log_mib_s = tps * b->tx.log_kib / 1024;
	rule_set_number(&b->ctx, "predicted.log_mibps", log_mib_s);
	if (!isnan(b->c->in->engine->checkpoint_s) && !isnan(b->c->in->engine->completion_target))
		checkpoint_facts(b, log_mib_s);
	redo_facts(b, log_mib_s);
	rule_set_number(&b->ctx, "alert.tx_p99_ms", BACKUP_RISE * b->tx.tx_p99_ms.value);
}

/* A name fit for snapshots of every provider: lower-case letters, digits and single hyphens. */
static const char *
slug(const char *name, struct arena *a)
{
	struct buf out;
	buf_init(&out, 64);
	for (; *name; name++) {
		bool good = isascii((unsigned char)*name) && isalnum((unsigned char)*name);
		size_t n = out.len;
		if (good)
			buf_putc(&out, (char)tolower((unsigned char)*name));
		else if (n && buf_text(&out)[n - 1] != '-')
			buf_putc(&out, '-');
	}
	const char *text = out.len ? arena_strdup(a, buf_text(&out)) : NULL;
	buf_fini(&out);
	return text;
}

/* "wal (64 GiB), data (900 GiB) and backup (3,000 GiB)" */
static const char *
volumes_text(const struct build *b)
{
	struct buf out;
	buf_init(&out, 4096);
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		char gib[32];
		units_count_text(d->volume->capacity_gib, gib);
		buf_printf(&out, "%s%s (%s GiB)",
			v == 0                 ? ""
			: v + 1 == b->c->set.n ? " and "
					       : ", ",
			d->label, gib);
	}
	const char *text = out.len ? arena_strdup(b->arena, buf_text(&out)) : NULL;
	buf_fini(&out);
	return text;
}

static void
name_facts(struct build *b, const struct candidate_site *site, const struct candidate *c)
{
	const char *name = b->c->in->workload->name;
	rule_set_text(&b->ctx, "workload.slug", name ? slug(name, b->arena) : "tierwise");
	rule_set_text(&b->ctx, "workload.volumes", volumes_text(b));
	if (c)
		rule_set_text(&b->ctx, "volume.slug", slug(site->demand->label, b->arena));
}

/* Page flushes a second: what the writes need with headroom, and what the disks leave beside the reads. */
static void
io_capacity_facts(struct build *b, const struct candidate_site *site, const struct candidate *c)
{
	const struct demand *d = site->demand;
	double keep = 1 - b->c->set.headroom, have = c->iops;
	if (site->vm && c->place != PLACE_LOCAL)
		have = fmin(have, site->vm->uncached_iops);
	double need = fmax(100, ceil(d->write_iops / keep / 100) * 100);
	double most = fmax(need, floor((have - d->read_iops) / 100) * 100);
	if (isnan(d->write_iops) || isnan(d->read_iops) || isnan(c->iops))
		return;
	rule_set_number(&b->ctx, "setting.io_capacity", need);
	rule_set_number(&b->ctx, "setting.io_capacity_max", most);
}

/* p99 of one I/O at the predicted rate, the largest known; of a log that is a flush. */
static double
slowest_us(const struct candidate_site *site, const struct candidate *c)
{
	const struct latency *l = &c->latency;
	double us = fmax(l->read_p99.value, l->write_p99.value);
	return site->demand->volume->role == WORKLOAD_WAL ? fmax(us, l->commit_p99.value) : us;
}

void
build_settings_facts(struct build *b, double flush_mean_ms, const struct candidate_site *site,
	const struct candidate *c)
{
	flush_facts(b, flush_mean_ms);
	log_facts(b);
	name_facts(b, site, c);
	if (!c)
		return;
	io_capacity_facts(b, site, c);
	rule_set_number(&b->ctx, "alert.await_ms", ALERT_FACTOR * slowest_us(site, c) / 1000);
}
