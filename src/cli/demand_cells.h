/*
 * demand_cells.h - parts of the pages of `tierwise demand`, one file each.  Unknown figures are empty cells.
 */
#ifndef CLI_DEMAND_CELLS_H
#define CLI_DEMAND_CELLS_H

#include "report/doc.h"
#include "workload/evidence.h"

/* Three digits below 1, whole numbers from 100 on. */
void demand_cell_number(struct doc *d, struct doc_table *t, size_t column, double v);
/* So many decimals, thousands separated. */
void demand_cell_fixed(struct doc *d, struct doc_table *t, size_t column, double v, int decimals);
/* Host, device and metric into the first cell. */
void demand_cell_name(struct doc *d, struct doc_table *t, const struct evidence_series *s);

/* Benchmarks and clients; differences of a server's counters. */
void demand_doc_runs(struct doc *d, const struct evidence *e);
void demand_doc_servers(struct doc *d, const struct evidence *e);

#endif /* CLI_DEMAND_CELLS_H */
