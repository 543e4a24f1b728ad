/*
 * verdict.h - what another choice keeps of what the plan is held to.
 *
 * The same constraints, the same promises and the same prediction as for the plan itself, the recovery point,
 * the recovery time and the budget included: of the same disks the answer is the same.
 */
#ifndef ADVISE_VERDICT_H
#define ADVISE_VERDICT_H

#include "advise/build.h"

struct verdict {
	int verdict; /* enum plan_verdict: the worst of all */
	const char *why; /* the first of the worst; NULL: PASS; lives in the arena */
};

/* `choice` is found.  Errors as build_promises(). */
int build_verdict(
	struct build *b, const struct choice *choice, struct verdict *out, struct err *err);

#endif /* ADVISE_VERDICT_H */
