/*
 * audit.h - arithmetic that a profile and its published claims must satisfy.
 *
 * Findings added: Little's law per cell (outstanding = IOPS x latency, 10 %), rates that need more
 * outstanding I/O than stated, labels against the vendor's limits, quotas, a controller's cache in
 * front of hard disks, and each claim by its kind (one function a kind, a table row each; the list
 * is documented in models/README.md).  What agrees is a note, what contradicts a warning.  Quota
 * disks that decay smoothly are found by the fit over block sizes.
 */
#ifndef MODEL_AUDIT_H
#define MODEL_AUDIT_H

#include "base/finding.h"
#include "price/limits.h"
#include "profile/profile.h"

/* limits may be NULL. */
void audit_profile(const struct profile *p, const struct limits *limits, struct findings *out);

/* The kinds of claims, NULL-terminated: for messages and the manual. */
extern const char *const audit_claim_kinds[];

#endif /* MODEL_AUDIT_H */
