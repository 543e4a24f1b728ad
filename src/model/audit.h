/*
 * audit.h - arithmetic that a profile and the claims published about a disk must satisfy, and what it
 * comes to: the document "tierwise/audit/1".
 *
 * Cells are tested against Little's law (outstanding = IOPS x latency, 10 %), against the disk's own
 * light latency, against the seller's quota and the SKU's limits (burst or cache), mean against
 * percentiles, throughput against IOPS x block size, a decay over block sizes against a quota; commits
 * against their writers and against plain writes; a measurement against what it says of its own
 * quality; each claim by its kind (one function a kind, a table row each; models/README.md lists them).
 *
 * A finding has the sentence, the arithmetic with the numbers in it, what would have to be true for the
 * figures to hold, and where each figure comes from.  Text lives in the arena of the audit.
 */
#ifndef MODEL_AUDIT_H
#define MODEL_AUDIT_H

#include <stdbool.h>

#include "base/finding.h"
#include "price/limits.h"
#include "profile/profile.h"

enum audit_verdict {
	AUDIT_AGREES, /* recomputes */
	AUDIT_NOTE, /* something a reader must know, no judgement */
	AUDIT_UNTESTED, /* an input of the test is not known */
	AUDIT_DOUBT, /* possible, but it probably is not what it seems */
	AUDIT_CONTRADICTION, /* cannot be true together */
	AUDIT_VERDICT_COUNT
};
extern const struct names audit_verdict_names; /* agrees note untested doubt contradiction */

/* A figure that went into a test. */
struct audit_input {
	const char *name, *value; /* "IOPS", "18,200" */
	int trust; /* enum trust */
	const char *source; /* NULL: not stated */
};

struct audit_finding {
	int verdict; /* enum audit_verdict */
	const char *code; /* stable, e.g. "little-law" */
	const char *subject; /* the cell, or the claim's words */
	const char *text; /* one sentence with values and units */
	const char *arithmetic; /* with the numbers substituted; NULL: none */
	const char *needs; /* what would have to be true; NULL: nothing */
	const char *todo; /* what to do next; NULL: nothing */
	struct audit_input *inputs;
	size_t n_inputs;
};

/* One audited file, or a claim of the command line. */
struct audit {
	struct arena *arena;
	const char *name, *file, *sha256, *source, *as_of;
	int trust;
	struct audit_finding *findings;
	size_t n_findings;
	int64_t contradictions, doubts, agreements; /* audit_finish() */
	bool failed; /* out of memory */
	struct audit_finding lost; /* what audit_add() returns then */
};

/* All of one run. */
struct audit_report {
	int64_t contradictions, doubts, agreements;
	struct audit *audits;
	size_t n_audits;
};
extern const struct schema audit_schema;

void audit_init(struct audit *a, struct arena *arena);

/* Test a profile and its claims.  limits may be NULL: labels are then not checked. */
void audit_profile(const struct profile *p, const struct limits *limits, struct audit *a);

/*
 * What the tests of the cells say that a fit must repeat, as findings: cells that contradict arithmetic
 * (points.h leaves them out of the fit), quotas, caches.
 */
void audit_cells(const struct profile *p, struct findings *out);

/* Worst first, and the counters; ERR_NOMEM when a finding was lost. */
int audit_finish(struct audit *a, struct err *err);

/* The first finding with that code, or NULL. */
const struct audit_finding *audit_find(const struct audit *a, const char *code);

/* For other documents' claims: add a finding (never NULL, good until the next one), text of the arena,
 * an input of the finding. */
struct audit_finding *audit_add(
	struct audit *a, enum audit_verdict verdict, const char *code, const char *subject);
const char *audit_text(struct audit *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void audit_input(struct audit *a, struct audit_finding *f, const char *name, const char *value,
	int trust, const char *source);

/* The kinds of claims, NULL-terminated: for messages and the manual. */
extern const char *const audit_claim_kinds[];

#endif /* MODEL_AUDIT_H */
