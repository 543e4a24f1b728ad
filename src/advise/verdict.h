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

/* A breach for want of a figure: it may hold all the same. */
bool verdict_is_open(const struct breach *k);

/*
 * The promises as promise.c has them for the plan, in (*out)->sla of a plan of its own, which lives in the arena.
 * `bill` NULL: that of the choice is made.
 */
int verdict_promises(struct build *b, const struct choice *choice, const struct bill *bill,
	const struct plan **out, struct err *err);
/* "recovery point: ...": one that is not kept, or not known. */
const char *verdict_promise_text(struct build *b, const struct plan_sla *s);

/* `choice` is found.  Errors as build_promises(). */
int build_verdict(
	struct build *b, const struct choice *choice, struct verdict *out, struct err *err);

#endif /* ADVISE_VERDICT_H */
