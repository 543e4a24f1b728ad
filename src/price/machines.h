/*
 * machines.h - machine sizes out of the provider's own tools, so that a user can bring any size:
 * the output of `az vm list-skus` (or of the resource-SKU interface it asks) and of
 * `aws ec2 describe-instance-types`.
 *
 * Azure states bytes per second and counts them in either 10^6 or 2^20; they are taken as bytes.  AWS
 * states MB/s of 10^6, sustained ("baseline") and for 30 minutes a day ("maximum").
 */
#ifndef PRICE_MACHINES_H
#define PRICE_MACHINES_H

#include "price/limits.h"

struct machines_read {
	size_t sizes; /* in the file */
	size_t added, changed; /* new to the limits; there before */
};

/*
 * Read the file (or URL) and put its sizes into `limits`: a new row each, or, for a size that is
 * there, the figures the file states over those that were (what it does not state is kept; rows of
 * an NVMe interface are left alone, for the file does not tell interfaces apart).  The rows' source
 * is the file, their date the day it was read.  sha256 (may be NULL) is that of the bytes.
 *
 * Errors, with the place, and then *limits is unchanged: ERR_PARSE (cut short, or neither kind of
 * file), ERR_RANGE (a figure that is none or absurd, a size twice with different figures, sizes of a
 * provider that the limits are not about), ERR_NOMEM.
 */
int machines_read(const char *path, struct arena *a, struct limits *limits,
	struct machines_read *result, char sha256[65], struct err *err);

#endif /* PRICE_MACHINES_H */
