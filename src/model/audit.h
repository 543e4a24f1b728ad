/*
 * audit.h - arithmetic that a profile and its published claims must satisfy.
 *
 * Findings added: Little's law per cell (outstanding = IOPS x latency, 10 %), labels against the
 * vendor's limits, quota disks that decay smoothly, and each claim by its kind (one function a
 * kind, a table row each; the list is documented in models/README.md).
 */
#ifndef MODEL_AUDIT_H
#define MODEL_AUDIT_H

#include "base/finding.h"
#include "price/limits.h"
#include "profile/profile.h"

/* limits may be NULL. */
void audit_profile(const struct profile *p, const struct limits *limits, struct findings *out);

#endif /* MODEL_AUDIT_H */
