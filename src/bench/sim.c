/*
 * sim.c - the parameters of the simulated disk as a table.
 */
#include "bench/sim.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

struct param {
	const char *name;
	size_t offset;
	double min, max, fallback;
	int whole; /* must be a whole number */
};

#define PARAM(m, lo, hi, d, w)                                                                     \
	{                                                                                          \
#m, offsetof(struct sim_law, m), (lo), (hi), (d), (w)                              \
	}

static const struct param params[] = {
	PARAM(read_us, 1, 1e9, 250, 0),
	PARAM(write_us, 1, 1e9, 150, 0),
	PARAM(fsync_us, 0, 1e9, 100, 0),
	PARAM(iops, 0, 1e9, 0, 0),
	PARAM(mbps, 0, 1e9, 0, 0),
	PARAM(sigma, 0, 3, 0, 0),
	PARAM(seed, 0, 9007199254740992.0, 1, 1),
	PARAM(lose_every, 0, 1e15, 0, 1),
	PARAM(fail_after, 0, 1e15, 0, 1),
};

enum { N_PARAMS = sizeof(params) / sizeof(params[0]), KEY_MAX = 31, VALUE_MAX = 63 };

static double *
at(const struct param *p, struct sim_law *law)
{
	return (double *)(void *)((char *)law + p->offset);
}

static const struct param *
find(const char *key, struct err *err)
{
	for (size_t i = 0; i < N_PARAMS; i++) {
		if (strcmp(params[i].name, key) == 0)
			return &params[i];
	}
	const char *near = names_nearest(key, params, N_PARAMS, sizeof(params[0]));
	err_set(err, ERR_PARSE,
		"engine sim: \"%s\" is not a parameter%s%s%s; accepted: read_us write_us fsync_us "
		"iops mbps sigma seed lose_every fail_after",
		key, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	return NULL;
}

static int
set(const struct param *p, const char *value, struct sim_law *law, struct err *err)
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
parse_pair(const char *pair, size_t n, struct sim_law *law, unsigned *seen, struct err *err)
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
	const struct param *p = find(key, err);
	if (!p)
		return ERR_PARSE;
	unsigned bit = 1U << (p - params);
	if (*seen & bit)
		return err_set(err, ERR_PARSE, "engine sim: %s is given twice", key);
	*seen |= bit;
	return set(p, value, law, err);
}

int
sim_law_parse(const char *text, struct sim_law *law, struct err *err)
{
	struct sim_law parsed;
	unsigned seen = 0;
	for (size_t i = 0; i < N_PARAMS; i++)
		*at(&params[i], &parsed) = params[i].fallback;
	while (text && *text) {
		size_t n = strcspn(text, ",");
		int rc = parse_pair(text, n, &parsed, &seen, err);
		if (rc)
			return rc;
		text += n;
		if (*text == ',' && !*++text)
			return err_set(err, ERR_PARSE, "engine sim: a comma at the end");
	}
	*law = parsed;
	return 0;
}
