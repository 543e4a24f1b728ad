/*
 * prices_bill_doc.h - the page of `tierwise prices bill`.
 */
#ifndef CLI_PRICES_BILL_DOC_H
#define CLI_PRICES_BILL_DOC_H

#include "cli/prices.h"
#include "price/bill.h"

/* The commitment that is billed of each. */
struct bill_terms {
	const char *disk, *machine; /* NULL: on demand */
};

/* What is billed, and by what. */
struct bill_asked {
	struct arena *arena;
	const struct price_book *book;
	const struct limits *limits;
	const struct prices_bill_options *options;
	const struct disk_config *disk; /* NULL: machines alone */
	const char *machine_term;
};

/* The lines of the bill, what the book sells for longer, and remarks. */
void prices_bill_page(const struct bill_asked *a, const struct bill_terms *terms,
	const struct bill *bill, struct doc *d);

#endif /* CLI_PRICES_BILL_DOC_H */
