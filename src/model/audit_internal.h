/*
 * audit_internal.h - what the files of the audit share.
 */
#ifndef MODEL_AUDIT_INTERNAL_H
#define MODEL_AUDIT_INTERNAL_H

#include "model/audit.h"

/* Figures as text of the arena: "1.76 ms" (units_latency_fixed_text), "18,200", "4 KiB"; "%g" with four
 * digits below 1,000 and thousands separated from there on. */
const char *audit_us(struct audit *a, double us);
const char *audit_count_text(struct audit *a, double count);
const char *audit_size(struct audit *a, double bytes);
const char *audit_number(struct audit *a, double value);

/* Rate over label that a plateau still stands at: the vendors' allowance (models.md 1.4). */
extern const double audit_band_high;

/* A cell under test. */
struct cell_check {
	struct audit *a;
	const struct profile *p;
	const struct limits *limits;
	const struct profile_cell *c;
	const char *name; /* "4 KiB randwrite, QD32" */
	double rate; /* IOPS, or throughput over block size */
	int trust;
	const char *source;
};

/* The name of a cell, as above. */
const char *audit_cell_name(struct audit *a, const struct profile_cell *c);
/* Add the finding with its inputs: rate, depth and mean as far as known. */
struct audit_finding *audit_cell_finding(
	const struct cell_check *k, enum audit_verdict verdict, const char *code);

/* Latencies of one cell or sync, us; NaN: not known. */
struct spread {
	double min, mean, p50, p90, p95, p99, p999, max;
	const char *p99_name; /* NULL: "p99" */
	bool completion; /* the percentiles lack the submission that the mean holds */
};
/* Order of the percentiles, the mean between its bounds, the end of fio's histogram. */
void audit_spread(struct audit *a, const char *subject, const struct spread *s, int trust,
	const char *source);

/* The parts of audit_profile(). */
void audit_cell_little(const struct cell_check *k); /* audit_cells.c */
void audit_cell_light(const struct cell_check *k);
void audit_cell_quota(const struct cell_check *k);
void audit_cell_cache(const struct cell_check *k);
void audit_cell_deep(const struct cell_check *k);
void audit_cell_throughput(const struct cell_check *k);
void audit_little_summary(const struct profile *p, struct audit *a);
void audit_over_cap(const struct profile *p, const struct limits *limits, struct audit *a);
void audit_sizes(const struct profile *p, struct audit *a); /* audit_sizes.c */
void audit_syncs(const struct profile *p, struct audit *a); /* audit_syncs.c */
void audit_quality(const struct profile *p, struct audit *a); /* audit_quality.c */
void audit_claims(const struct profile *p, const struct limits *limits, struct audit *a);

/* One claim at a time; the vendor's documents are the second file of kinds. */
struct claim_check {
	const struct profile *p;
	const struct limits *limits;
	const struct profile_claim *c;
	struct audit *a;
};
void claim_label(const struct claim_check *k);
void claim_bandwidth(const struct claim_check *k);
void claim_price_per_gib(const struct claim_check *k);
void claim_vm_cap(const struct claim_check *k);
void claim_vm_temp(const struct claim_check *k);

/* The claim's words, or its identifier. */
const char *claim_words(const struct profile_claim *c);
/* A finding about the claim; its figures go in by claim_input(), those of a document by audit_input(). */
struct audit_finding *claim_finding(
	const struct claim_check *k, enum audit_verdict verdict, const char *code);
void claim_input(
	const struct claim_check *k, struct audit_finding *f, const char *name, const char *value);

#endif /* MODEL_AUDIT_INTERNAL_H */
