/*
 * trust.h - where a number comes from.  Every figure the program shows carries one of these.
 */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

#include "base/names.h"

enum trust {
	TRUST_MEASURED, /* by this program on this disk */
	TRUST_IMPORTED, /* fio or another tool's log */
	TRUST_PUBLISHED, /* article, vendor page, price list: has a source and a date */
	TRUST_DERIVED, /* computed from other values, named */
	TRUST_ASSUMED, /* a default, named */
	TRUST_COUNT
};

extern const struct names trust_names;

#endif /* BASE_TRUST_H */
