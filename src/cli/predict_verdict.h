/*
 * predict_verdict.h - promises counted as they are judged, for the exit status of `tierwise predict`.
 */
#ifndef CLI_PREDICT_VERDICT_H
#define CLI_PREDICT_VERDICT_H

#include <stddef.h>

#include "base/err.h"
#include "report/doc.h"

/* Texts are borrowed. */
struct predict_verdicts {
	size_t n, broken, open; /* promises; not kept; not decided */
	const char *first_broken, *first_open; /* NULL: none */
};

/* Count one: DOC_PASS, DOC_FAIL or DOC_UNKNOWN. */
void predict_verdict(struct predict_verdicts *v, enum doc_tone tone, const char *text);

/* 0 when every promise is kept; ERR_INFEASIBLE when one is not; else ERR_INCONCLUSIVE when one is not decided. */
int predict_verdicts_check(const struct predict_verdicts *v, struct err *err);

#endif /* CLI_PREDICT_VERDICT_H */
