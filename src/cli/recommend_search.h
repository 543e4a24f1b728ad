/*
 * recommend_search.h - what the search of a recommendation did, in words, for --verbose.
 */
#ifndef CLI_RECOMMEND_SEARCH_H
#define CLI_RECOMMEND_SEARCH_H

#include "advise/advise.h"

/* Lines that begin with "search: " on standard error. */
void recommend_print_search(const struct advise_search *s);

#endif /* CLI_RECOMMEND_SEARCH_H */
