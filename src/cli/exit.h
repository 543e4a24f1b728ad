/*
 * exit.h - the one table from error codes to exit statuses; the manual page prints the same list.
 */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

enum cli_exit {
	EXIT_DONE = 0,
	EXIT_RUNTIME = 1, /* I/O, network, numeric */
	EXIT_BAD_INPUT = 2, /* usage, parse, range */
	EXIT_OVER_BUDGET = 3,
	EXIT_NO_CANDIDATE = 4,
	EXIT_PRICE_UNKNOWN = 5,
	EXIT_PRICES_OLD = 6,
	EXIT_INCONCLUSIVE = 7,
	EXIT_INTERRUPTED = 130,
};

#endif /* CLI_EXIT_H */
