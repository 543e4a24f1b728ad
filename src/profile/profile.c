/*
 * profile.c - load with the checks a table cannot say, save, append.
 */
#include "profile/profile.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/units.h"

/* Members that must not fall from one to the next; absent ones are skipped. */
struct member {
	const char *name;
	size_t offset;
};

enum { CHAIN_MAX = 6 };
struct chain {
	struct member members[CHAIN_MAX + 1]; /* ends with a NULL name */
};

/* clang-format off */
#define M(t, m) {#m, offsetof(t, m)}
#define C(m) M(struct profile_cell, m)
#define S(m) M(struct profile_sync, m)

static const struct chain cell_chains[] = {
	{{C(p50_us), C(p90_us), C(p95_us), C(p99_us), C(p999_us), C(max_us)}},
	{{C(min_us), C(mean_us), C(max_us)}},
	{{C(iops_lo), C(iops), C(iops_hi)}},
	{{C(mean_lo_us), C(mean_us), C(mean_hi_us)}},
	{{C(p50_lo_us), C(p50_us), C(p50_hi_us)}},
	{{C(p90_lo_us), C(p90_us), C(p90_hi_us)}},
	{{C(p95_lo_us), C(p95_us), C(p95_hi_us)}},
	{{C(p99_lo_us), C(p99_us), C(p99_hi_us)}},
	{{C(p999_lo_us), C(p999_us), C(p999_hi_us)}},
};

/* Percentiles without submission may lie below the shortest total latency. */
static const struct chain min_chain = {{C(min_us), C(p50_us), C(p99_us)}};

static const struct chain sync_chains[] = {
	{{S(p50_us), S(p99_us), S(p999_us), S(max_us)}},
	{{S(mean_us), S(max_us)}},
	{{S(syncs_lo), S(syncs_per_s), S(syncs_hi)}},
	{{S(mean_lo_us), S(mean_us), S(mean_hi_us)}},
	{{S(p50_lo_us), S(p50_us), S(p50_hi_us)}},
	{{S(p99_lo_us), S(p99_us), S(p99_hi_us)}},
	{{S(p999_lo_us), S(p999_us), S(p999_hi_us)}},
	{{S(sync_p50_us), S(sync_p99_us)}},
};
/* clang-format on */

enum {
	N_CELL_CHAINS = sizeof(cell_chains) / sizeof(cell_chains[0]),
	N_SYNC_CHAINS = sizeof(sync_chains) / sizeof(sync_chains[0])
};

static double
value_of(const void *object, const struct member *m)
{
	double v;
	memcpy(&v, (const char *)object + m->offset, sizeof(v));
	return v;
}

/* `place` is the object in the document, for the message. */
static int
check_chain(const struct chain *chain, const void *object, struct jval place, struct err *err)
{
	const struct member *last = NULL;
	for (const struct member *m = chain->members; m->name; m++) {
		double v = value_of(object, m);
		if (isnan(v))
			continue;
		/* figures may have been rounded on their way into the document */
		if (last && value_of(object, last) > v + 1e-9 * fabs(v))
			return json_fail(json_get(place, m->name), err, ERR_RANGE,
				"%s: %.12g is below %s %.12g", m->name, v, last->name,
				value_of(object, last));
		last = m;
	}
	return 0;
}

/* A histogram is two lists that go together: one count for each bin. */
static int
check_bins(size_t n_us, size_t n_count, struct jval place, struct err *err)
{
	if (n_us == n_count)
		return 0;
	const char *which = n_count ? "bins_n" : "bins_us";
	return json_fail(json_get(place, which), err, ERR_RANGE,
		"%s: bins_us has %zu values and bins_n %zu; a count for each bin is expected",
		which, n_us, n_count);
}

static int
check_cells(const struct profile *p, struct jval root, struct err *err)
{
	struct jval place = json_first(json_get(root, "cells"));
	int rc = 0;
	for (size_t i = 0; i < p->n_cells && rc == 0; i++, place = json_next(place)) {
		const char *of = p->cells[i].percentile_of;
		if (!of || strcmp(of, "lat") == 0)
			rc = check_chain(&min_chain, &p->cells[i], place, err);
		for (size_t k = 0; k < N_CELL_CHAINS && rc == 0; k++)
			rc = check_chain(&cell_chains[k], &p->cells[i], place, err);
		if (rc == 0)
			rc = check_bins(p->cells[i].n_bins_us, p->cells[i].n_bins_n, place, err);
	}
	return rc;
}

static int
check_syncs(const struct profile *p, struct jval root, struct err *err)
{
	struct jval place = json_first(json_get(root, "syncs"));
	int rc = 0;
	for (size_t i = 0; i < p->n_syncs && rc == 0; i++, place = json_next(place)) {
		for (size_t k = 0; k < N_SYNC_CHAINS && rc == 0; k++)
			rc = check_chain(&sync_chains[k], &p->syncs[i], place, err);
		if (rc == 0)
			rc = check_bins(p->syncs[i].n_bins_us, p->syncs[i].n_bins_n, place, err);
	}
	return rc;
}

/* A text that is one of a few words; NULL: not there. */
static int
check_word(const struct names *names, const char *text, struct jval place, struct err *err)
{
	struct buf list;
	if (!text || names_find(names, text) >= 0)
		return 0;
	buf_init(&list, 0);
	names_list(names, &list);
	int rc = json_fail(place, err, ERR_RANGE, "%s: \"%s\", accepted: %s", names->what, text,
		buf_text(&list));
	buf_fini(&list);
	return rc;
}

static int
check_words(const struct profile *p, struct jval root, struct err *err)
{
	struct jval place = json_first(json_get(root, "knees"));
	int rc = 0;
	for (size_t i = 0; i < p->n_knees && rc == 0; i++, place = json_next(place))
		rc = check_word(
			&profile_limit_names, p->knees[i].limit, json_get(place, "limit"), err);
	if (rc == 0 && p->first_write)
		rc = check_word(&profile_steadiness_names, p->first_write->verdict,
			json_get(json_get(root, "first_write"), "verdict"), err);
	if (rc == 0 && p->hold)
		rc = check_word(&profile_steadiness_names, p->hold->verdict,
			json_get(json_get(root, "hold"), "verdict"), err);
	return rc;
}

static int
check_date(const struct profile *p, struct jval root, struct err *err)
{
	int64_t days;
	struct err why;
	if (!p->as_of || clock_parse_date(p->as_of, &days, &why) == 0)
		return 0;
	return json_fail(json_get(root, "as_of"), err, ERR_RANGE, "as_of: %s", why.text);
}

int
profile_check(const struct profile *p, struct jval root, struct err *err)
{
	int rc = check_date(p, root, err);
	if (rc == 0)
		rc = check_cells(p, root, err);
	if (rc == 0)
		rc = check_syncs(p, root, err);
	return rc ? rc : check_words(p, root, err);
}

int
profile_load(const char *path, struct arena *a, struct profile *p, char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	rc = schema_read(&profile_schema, root, a, p, err);
	if (rc == 0)
		rc = profile_check(p, root, err);
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}

int
profile_save(const struct profile *p, const char *path, struct err *err)
{
	return schema_save(&profile_schema, p, path, err);
}

int
profile_add_cell(struct profile *p, struct arena *a, const struct profile_cell *c, struct err *err)
{
	struct profile_cell *cells = arena_grow(a, p->cells, p->n_cells, sizeof(*cells));
	if (!cells)
		return err_nomem(err);
	p->cells = cells;
	p->cells[p->n_cells++] = *c;
	return 0;
}

int
profile_add_sync(struct profile *p, struct arena *a, const struct profile_sync *s, struct err *err)
{
	struct profile_sync *syncs = arena_grow(a, p->syncs, p->n_syncs, sizeof(*syncs));
	if (!syncs)
		return err_nomem(err);
	p->syncs = syncs;
	p->syncs[p->n_syncs++] = *s;
	return 0;
}

int
profile_cell_trust(const struct profile *p, const struct profile_cell *c)
{
	return c->trust >= 0 ? c->trust : p->trust;
}

double
profile_little_ratio(double iops, double mean_us, double qd)
{
	return qd > 0 ? iops * mean_us / 1e6 / qd : (double)NAN;
}

double
profile_size_us(const struct profile_size_fit *f, double bs_b)
{
	if (!f || bs_b < f->from_b || bs_b > f->to_b)
		return NAN;
	double bytes_us = f->b_us_per_kib * bs_b / UNITS_KIB;
	return f->form == PROFILE_SIZE_CAP ? fmax(f->a_us, bytes_us) : f->a_us + bytes_us;
}
