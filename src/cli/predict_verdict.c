#include "cli/predict_verdict.h"

void
predict_verdict(struct predict_verdicts *v, enum doc_tone tone, const char *text)
{
	v->n++;
	if (tone == DOC_FAIL && v->broken++ == 0)
		v->first_broken = text;
	if (tone == DOC_UNKNOWN && v->open++ == 0)
		v->first_open = text;
}

/* "2 of 3 promises not kept: " */
static int
fail(const struct predict_verdicts *v, enum err_code code, size_t n, const char *what,
	const char *first, struct err *err)
{
	first = first ? first : "";
	if (v->n == 1)
		return err_set(err, code, "%s: %s", what, first);
	return err_set(err, code, "%zu of %zu promises %s: %s", n, v->n, what, first);
}

int
predict_verdicts_check(const struct predict_verdicts *v, struct err *err)
{
	if (v->broken)
		return fail(v, ERR_INFEASIBLE, v->broken, "not kept", v->first_broken, err);
	return v->open ? fail(v, ERR_INCONCLUSIVE, v->open, "not decided", v->first_open, err) : 0;
}
