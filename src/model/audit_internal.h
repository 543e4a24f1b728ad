/*
 * audit_internal.h - what the files of the audit share.
 */
#ifndef MODEL_AUDIT_INTERNAL_H
#define MODEL_AUDIT_INTERNAL_H

#include "model/audit.h"

/* Latency as text in one unit of a sentence: ms from 0.1 ms, else us.  text has room for 32. */
void audit_latency_text(double us, char text[32]);

/* Four significant digits, thousands separated from 1,000 on. */
void audit_number_text(double value, char text[32]);

/* Test every claim of the profile by its kind. */
void audit_claims(const struct profile *p, const struct limits *limits, struct findings *out);

/* One claim at a time; the vendor's documents are the second file of kinds. */
struct claim_check {
	const struct profile *p;
	const struct limits *limits;
	const struct profile_claim *c;
	struct findings *out;
};
void claim_label(const struct claim_check *k);
void claim_bandwidth(const struct claim_check *k);
void claim_price_per_gib(const struct claim_check *k);
void claim_vm_cap(const struct claim_check *k);
void claim_vm_temp(const struct claim_check *k);

/* "computed x against claimed y": a note when they agree within tolerance, else a warning. */
void claim_compare(const struct claim_check *k, const char *what, double computed, const char *unit,
	double tolerance);

/* The claim's words, or its identifier. */
const char *claim_words(const struct profile_claim *c);

#endif /* MODEL_AUDIT_INTERNAL_H */
