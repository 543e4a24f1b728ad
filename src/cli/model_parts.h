/*
 * model_parts.h - inside cli: the parts of a fitted model's document.  A part of which nothing is known
 * is left out.
 */
#ifndef CLI_MODEL_PARTS_H
#define CLI_MODEL_PARTS_H

#include "cli/model_doc.h"

/* A model on its way into a document. */
struct model_part {
	struct doc *d;
	const struct disk_model *m;
	const struct profile *p; /* NULL: not at hand */
	double sla_p99_ms; /* NaN: none */
	int level; /* of the headings of sections */
};

/* Text in the document's arena: "4.2 ms", "12,800", "4 KiB"; "unknown". */
__attribute__((format(printf, 2, 3))) const char *model_text(struct doc *d, const char *fmt, ...);
const char *model_us(struct doc *d, double us);
const char *model_count(struct doc *d, double count);
const char *model_size_text(struct doc *d, double bytes);
/* A depth in prose: "4.9", "49". */
const char *model_depth(struct doc *d, double qd);
/* A rate in prose, three digits: "152,000". */
const char *model_about(struct doc *d, double rate);
/* "4 KiB randread" */
const char *model_curve_name(struct doc *d, const struct model_curve *c);

/* Deepest load at which p99 keeps the promise, up to `last`, by interpolation; 0: not even one I/O does;
 * NaN: there is no promise, or no p99 was measured. */
double model_sla_depth(const struct model_part *b, const struct model_curve *c, double last);
/* Mean latency of one I/O outstanding, as disk_latency_at_qd() says it: through the point where there is
 * one. */
struct estimate model_light(const struct model_part *b, const struct model_curve *c);
/* The last step in depth brought nothing, though the depths are too few for a fitted wall. */
bool model_flat(const struct model_curve *c);
/* The depth up to which something is known about a curve. */
double model_last_depth(const struct model_curve *c);

void model_put_page_one(const struct model_part *b); /* model_page_one.c */
void model_put_curves(const struct model_part *b); /* model_curves.c */
void model_put_sizes(const struct model_part *b); /* model_curves.c */
/* model_tables.c: the fitted numbers, the block sizes', the durable writes. */
void model_put_numbers(struct doc *d, const struct disk_model *m);
void model_put_size_numbers(struct doc *d, const struct disk_model *m);
void model_put_syncs(struct doc *d, const struct disk_model *m);

#endif /* CLI_MODEL_PARTS_H */
