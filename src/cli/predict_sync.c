/*
 * predict_sync.c - `tierwise predict --op sync --sync-mode MODE --sync-pattern PATTERN`: which durable writes of
 * the model are meant.
 */
#include <string.h>

#include "base/buf.h"
#include "cli/predict_parts.h"

static bool
meant(const struct predict_asked *a, const struct model_sync *s)
{
	return (a->sync_mode < 0 || s->mode == a->sync_mode) &&
	       (a->sync_pattern < 0 || s->pattern == a->sync_pattern);
}

/* "fdatasync, overwrite" */
static void
put_kind(int mode, int pattern, struct buf *text)
{
	buf_printf(text, "%s%s%s", mode < 0 ? "" : names_text(&profile_sync_mode_names, mode),
		mode >= 0 && pattern >= 0 ? ", " : "",
		pattern < 0 ? "" : names_text(&profile_pattern_names, pattern));
}

static void
put_held(const struct disk_model *m, struct buf *text)
{
	for (size_t i = 0; i < m->n_syncs; i++) {
		const struct model_sync *s = &m->syncs[i];
		bool seen = false;
		for (size_t k = 0; k < i; k++)
			seen = seen ||
			       (m->syncs[k].mode == s->mode && m->syncs[k].pattern == s->pattern);
		if (seen)
			continue;
		buf_put(text, text->len ? "; " : "");
		put_kind(s->mode, s->pattern, text);
		if (s->pattern < 0)
			buf_put(text, ", append or overwrite not said");
	}
}

static int
refuse(const struct predict_asked *a, const struct disk_model *m, struct err *err)
{
	struct buf held, asked;
	buf_init(&held, 1024);
	buf_init(&asked, 0);
	put_held(m, &held);
	put_kind(a->sync_mode, a->sync_pattern, &asked);
	int rc = err_set(err, ERR_UNSUPPORTED,
		"%s has no durable writes of that kind (%s), it holds %s: measure them (tierwise "
		"bench "
		"DIR --tests %s -o FILE.json), or leave out --sync-mode and --sync-pattern",
		m->name ? m->name : "the model", buf_text(&asked), held.len ? held.text : "none",
		a->sync_pattern < 0 ? "commit"
				    : names_text(&profile_pattern_names, a->sync_pattern));
	buf_fini(&asked);
	buf_fini(&held);
	return rc;
}

int
predict_syncs(const struct predict_asked *a, struct disk_model *m, struct err *err)
{
	if (a->sync_mode < 0 && a->sync_pattern < 0)
		return 0;
	size_t n = 0;
	for (size_t i = 0; i < m->n_syncs; i++)
		n += meant(a, &m->syncs[i]);
	if (n == 0)
		return refuse(a, m, err);
	size_t kept = 0;
	for (size_t i = 0; i < m->n_syncs; i++) {
		if (meant(a, &m->syncs[i]))
			m->syncs[kept++] = m->syncs[i];
	}
	m->n_syncs = kept;
	return 0;
}
