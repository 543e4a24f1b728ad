/*
 * sim.c - the parameters of the simulated disk as a table.
 */
#include "bench/sim.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/names.h"

#define PARAM(m, lo, hi, d, w)                                                                     \
	{                                                                                          \
#m, offsetof(struct sim_law, m), (lo), (hi), (d), (w)                              \
	}

const struct sim_param sim_params[] = {
	PARAM(read_us, 1, 1e9, 250, 0),
	PARAM(write_us, 1, 1e9, 150, 0),
	PARAM(fsync_us, 0, 1e9, 100, 0),
	PARAM(append_us, 0, 1e9, 0, 0),
	PARAM(seq_us, -1, 1e9, -1, 0),
	PARAM(kib_us, 0, 1e6, 0, 0),
	PARAM(touch_us, 0, 1e9, 0, 0),
	PARAM(sigma, 0, 3, 0, 0),
	PARAM(drift_frac, 0, 100, 0, 0),
	PARAM(slots, 0, SIM_SLOTS_MAX, 0, 1),
	PARAM(iops, 0, 1e9, 0, 0),
	PARAM(unit_kib, 1, 1e6, 256, 0),
	PARAM(burst_ms, 0, 1e5, 0, 0),
	PARAM(burst_iops, 0, 1e9, 0, 0),
	PARAM(burst_ios, 0, 1e9, 0, 0),
	PARAM(mbps, 0, 1e9, 0, 0),
	PARAM(burst_mbps, 0, 1e9, 0, 0),
	PARAM(burst_mb, 0, 1e9, 0, 0),
	PARAM(throttle_ms, 0, 1e5, 0, 0),
	PARAM(cache_mib, 0, 1e9, 0, 0),
	PARAM(cache_us, 1, 1e9, 50, 0),
	PARAM(wcache_mib, 0, 1e9, 0, 0),
	PARAM(wcache_us, 1, 1e9, 50, 0),
	PARAM(flush_drains, 0, 1, 0, 1),
	PARAM(flush_holds, 0, 1, 0, 1),
	PARAM(foreign_iops, 0, 1e6, 0, 0),
	PARAM(foreign_kib, 1, 1e5, 4, 1),
	PARAM(foreign_on_s, 0, 1e6, 0, 0),
	PARAM(foreign_every_s, 0, 1e6, 0, 0),
	PARAM(compress, 0, 1, 1, 0),
	PARAM(seed, 0, 9007199254740992.0, 1, 1),
	PARAM(lose_every, 0, 1e15, 0, 1),
	PARAM(fail_after, 0, 1e15, 0, 1),
};

const size_t n_sim_params = sizeof(sim_params) / sizeof(sim_params[0]);

_Static_assert(sizeof(sim_params) / sizeof(sim_params[0]) <= 64, "one bit each in parse_pair()");
_Static_assert(
	sizeof(struct sim_law) / sizeof(double) == sizeof(sim_params) / sizeof(sim_params[0]),
	"every member has its row");

enum { KEY_MAX = 31, VALUE_MAX = 63 };

static double *
at(const struct sim_param *p, struct sim_law *law)
{
	return (double *)(void *)((char *)law + p->offset);
}

static const struct sim_param *
find(const char *key, struct err *err)
{
	for (size_t i = 0; i < n_sim_params; i++) {
		if (strcmp(sim_params[i].name, key) == 0)
			return &sim_params[i];
	}
	struct buf list;
	buf_init(&list, 1024);
	for (size_t i = 0; i < n_sim_params; i++)
		buf_printf(&list, " %s", sim_params[i].name);
	const char *near = names_nearest(key, sim_params, n_sim_params, sizeof(sim_params[0]));
	err_set(err, ERR_PARSE, "engine sim: \"%s\" is not a parameter%s%s%s; accepted:%s", key,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		buf_text(&list));
	buf_fini(&list);
	return NULL;
}

static int
set(const struct sim_param *p, const char *value, struct sim_law *law, struct err *err)
{
	char *end;
	double v = strtod(value, &end);
	if (end == value || *end)
		return err_set(err, ERR_PARSE, "engine sim: %s=%s: not a number", p->name, value);
	if (!isfinite(v) || v < p->min || v > p->max || (p->whole && v != floor(v)))
		return err_set(err, ERR_RANGE, "engine sim: %s=%s: accepted: %s%.12g to %.12g",
			p->name, value, p->whole ? "whole number " : "", p->min, p->max);
	*at(p, law) = v;
	return 0;
}

/* One "key=value" of n characters. */
static int
parse_pair(const char *pair, size_t n, struct sim_law *law, uint64_t *seen, struct err *err)
{
	char key[KEY_MAX + 1], value[VALUE_MAX + 1];
	const char *eq = memchr(pair, '=', n);
	size_t key_n = eq ? (size_t)(eq - pair) : n, value_n = eq ? n - key_n - 1 : 0;
	if (!eq || key_n == 0 || key_n > KEY_MAX || value_n == 0 || value_n > VALUE_MAX)
		return err_set(err, ERR_PARSE,
			"engine sim: \"%.*s\": key=value expected, as in "
			"sim:read_us=250,iops=20000",
			(int)(n < 80 ? n : 80), pair);
	memcpy(key, pair, key_n);
	key[key_n] = '\0';
	memcpy(value, eq + 1, value_n);
	value[value_n] = '\0';
	const struct sim_param *p = find(key, err);
	if (!p)
		return ERR_PARSE;
	uint64_t bit = (uint64_t)1 << (p - sim_params);
	if (*seen & bit)
		return err_set(err, ERR_PARSE, "engine sim: %s is given twice", key);
	*seen |= bit;
	return set(p, value, law, err);
}

/* Credits of one kind: the rate while they last and how many, over the base rate. */
struct credits {
	const char *base_name, *burst_name, *saved_name;
	double base, burst, saved;
};

static int
check_credits(const struct credits *c, struct err *err)
{
	if (c->burst > 0 && c->saved <= 0)
		return err_set(err, ERR_RANGE, "engine sim: %s=%.12g: needs credits, %s above 0",
			c->burst_name, c->burst, c->saved_name);
	if (c->saved > 0 && c->base <= 0)
		return err_set(err, ERR_RANGE,
			"engine sim: %s=%.12g: needs a rate to fall to, %s above 0", c->saved_name,
			c->saved, c->base_name);
	if (c->burst > 0 && c->burst < c->base)
		return err_set(err, ERR_RANGE, "engine sim: %s=%.12g: accepted: at least %s, %.12g",
			c->burst_name, c->burst, c->base_name, c->base);
	return 0;
}

/* What no single range can say. */
static int
check_together(const struct sim_law *law, struct err *err)
{
	const struct credits credits[] = {
		{"iops", "burst_iops", "burst_ios", law->iops, law->burst_iops, law->burst_ios},
		{"mbps", "burst_mbps", "burst_mb", law->mbps, law->burst_mbps, law->burst_mb},
	};
	for (size_t i = 0; i < sizeof(credits) / sizeof(credits[0]); i++) {
		int rc = check_credits(&credits[i], err);
		if (rc)
			return rc;
	}
	if (law->seq_us < 0 && law->seq_us != -1)
		return err_set(err, ERR_RANGE,
			"engine sim: seq_us=%.12g: accepted: 0 to 1000000000, or -1: as any other",
			law->seq_us);
	bool now_and_then = law->foreign_on_s > 0 || law->foreign_every_s > 0;
	if (now_and_then && (law->foreign_on_s <= 0 || law->foreign_on_s > law->foreign_every_s))
		return err_set(err, ERR_RANGE,
			"engine sim: foreign_on_s=%.12g: accepted: above 0, up to "
			"foreign_every_s, %.12g",
			law->foreign_on_s, law->foreign_every_s);
	return 0;
}

int
sim_law_parse(const char *text, struct sim_law *law, struct err *err)
{
	struct sim_law parsed;
	uint64_t seen = 0;
	for (size_t i = 0; i < n_sim_params; i++)
		*at(&sim_params[i], &parsed) = sim_params[i].fallback;
	while (text && *text) {
		size_t n = strcspn(text, ",");
		int rc = parse_pair(text, n, &parsed, &seen, err);
		if (rc)
			return rc;
		text += n;
		if (*text == ',' && !*++text)
			return err_set(err, ERR_PARSE, "engine sim: a comma at the end");
	}
	int rc = check_together(&parsed, err);
	if (rc == 0)
		*law = parsed;
	return rc;
}
