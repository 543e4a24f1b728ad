/*
 * evaluate.h - inside tco: the steps of tco_evaluate(), a file each.
 */
#ifndef TCO_EVALUATE_H
#define TCO_EVALUATE_H

#include "tco/flow.h"

struct evaluation {
	const struct tco_case *c;
	struct arena *a;
	struct tco_result *r;
	struct findings findings;
};

/* Judge every claim into r->claims; r->units, r->items and r->scopes are already there. */
int evaluate_claims(struct evaluation *e, struct err *err);
/* One tornado per option into r->tornado. */
int evaluate_tornado(struct evaluation *e, struct err *err);

/* Every option but the baseline: *option is its index; false at the end.  Start with SIZE_MAX. */
bool evaluate_next_option(const struct tco_case *c, size_t *option);

/* The scope result of an option; NULL when there is none. */
const struct tco_scope_result *evaluate_scope(
	const struct tco_result *r, const char *option, enum tco_scope scope);

#endif /* TCO_EVALUATE_H */
