/*
 * audit_claim.h - inside cli: one claim about a disk, as typed on the command line.
 *
 *     sku=P30 iops=20000 latency_ms=0.8 qd=16 bs=16k
 *
 * Words KEY=VALUE between spaces.  What is not given is unknown, and only what is known is tested.
 */
#ifndef CLI_AUDIT_CLAIM_H
#define CLI_AUDIT_CLAIM_H

#include "base/arena.h"
#include "base/err.h"
#include "profile/profile.h"

/*
 * The claim as a profile of trust published: a cell for its load, one for its light latency, a sync for
 * its commits, and claims about its SKU and machine.  The family is "PROVIDER/" when only the provider
 * was given, NULL without either.  Text is borrowed or lives in the arena.
 * ERR_PARSE and ERR_RANGE with "--claim:1:COLUMN: what, value, accepted range".
 */
int audit_claim_read(const char *text, struct arena *a, struct profile *p, struct err *err);

/* "name, sku, ..." for the help. */
const char *audit_claim_keys(struct arena *a);

#endif /* CLI_AUDIT_CLAIM_H */
