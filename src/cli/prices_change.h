/*
 * prices_change.h - inside cli: changes of a price book as tables, and the sub-commands of prices that
 * have options of their own.
 */
#ifndef CLI_PRICES_CHANGE_H
#define CLI_PRICES_CHANGE_H

#include "cli/command.h"
#include "price/diff.h"

/* Tables of the changes, one a kind; max_frac >= 0: only those that are drift, as price_drift(). */
void prices_change_doc(struct doc *d, const struct price_diff *diff, double max_frac);

/* " (24 of them per another unit, at the same price a month)", or "". */
const char *prices_units_text(struct arena *a, const struct price_diff *diff);

/* A book by path, URL or name ("azure-westeurope" in the data folder).  NULL with err. */
const char *prices_book_path(struct cli_common *c, const char *name, struct err *err);

/* argv[0] is "tierwise prices update" and so on; the exit status. */
int prices_update_run(int argc, char **argv);
int prices_diff_run(int argc, char **argv);

#endif /* CLI_PRICES_CHANGE_H */
