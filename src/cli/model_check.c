/*
 * model_check.c - what the table of a model document cannot say: its lists go together.  A model may be written or
 * edited by hand, and a list out of order or of another length would answer for another point.
 */
#include <math.h>
#include <string.h>

#include "cli/model_load.h"

/* A list of the document, and the list in each of its elements that the others go by. */
struct axis {
	const char *list, *by;
	bool ties; /* two points may have the same */
};

static const struct axis axes[] = {
	{"curves", "qd", false},
	{"sizes", "bs_b", false},
	{"commits", "writers", false},
	{"flushes", "bs_b", false},
	{"mixes", "read_frac", true},
	{"loads", "rate_iops", false},
};

static int
check_ascending(struct jval by, const struct axis *x, struct err *err)
{
	double last = -INFINITY;
	for (struct jval v = json_first(by); v.node; v = json_next(v)) {
		double d = json_number(v);
		if (!(d > last || (x->ties && d == last)))
			return json_fail(v, err, ERR_RANGE, "%s: %.10g after %.10g, %s expected",
				x->by, d, last, x->ties ? "no less" : "more");
		last = d;
	}
	return 0;
}

/* Lists of their own: the parameters' covariances and the codes of findings. */
static bool
is_apart(const char *key)
{
	return strcmp(key, "cov") == 0 || strcmp(key, "flags") == 0;
}

static int
check_element(struct jval element, const struct axis *x, struct err *err)
{
	struct jval by = json_get(element, x->by);
	size_t n = json_type(by) == JSON_ARRAY ? json_count(by) : 0;
	for (struct jval v = json_first(element); v.node; v = json_next(v)) {
		if (json_type(v) == JSON_ARRAY && !is_apart(json_key(v)) && json_count(v) != n)
			return json_fail(v, err, ERR_RANGE,
				"%s: %zu values beside %zu of %s, as many expected", json_key(v),
				json_count(v), n, x->by);
	}
	return n ? check_ascending(by, x, err) : 0;
}

int
model_check(struct jval root, struct err *err)
{
	for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
		struct jval list = json_get(root, axes[i].list);
		for (struct jval v = json_first(list); v.node; v = json_next(v)) {
			int rc = check_element(v, &axes[i], err);
			if (rc)
				return rc;
		}
	}
	return 0;
}
