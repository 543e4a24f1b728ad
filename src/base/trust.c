#include "base/trust.h"

static const char *const table[] = {
	[TRUST_MEASURED] = "measured",
	[TRUST_IMPORTED] = "imported",
	[TRUST_PUBLISHED] = "published",
	[TRUST_DERIVED] = "derived",
	[TRUST_ASSUMED] = "assumed",
};
_Static_assert(sizeof(table) / sizeof(table[0]) == TRUST_COUNT, "a name for every trust class");

const struct names trust_names = {"trust class", table, TRUST_COUNT};
