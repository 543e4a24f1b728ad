/*
 * iostat.h - reports of iostat and sar as their readers (text, JSON, sadf) find them: a report has a time and rows, a row
 * has a device and cells with the name of their column.  Units are in the names: rkB/s, rMB/s, rsec/s.
 *
 * The first report is of the time since the machine started and is dropped, unless the options or the shape of
 * the text say that iostat ran with -y.
 */
#ifndef WORKLOAD_IOSTAT_H
#define WORKLOAD_IOSTAT_H

#include "workload/evidence_clock.h"
#include "workload/evidence_figure.h"

struct iostat_row;

struct iostat {
	const struct evidence_input *in;
	struct evidence *e;
	const char *source; /* "iostat" */
	const char *host; /* NULL: not said */
	double given_s; /* length of this report where the text says it; NaN */
	bool no_boot; /* the first report is an interval, as the shape of the text shows */
	size_t first; /* its series begin here */
	size_t n_reports; /* begun */
	double at_s, before_s; /* of this report and the one before; NaN: not said */
	struct evidence_flow flow; /* of those times */
	bool given; /* the text says how long intervals are */
	size_t lacking; /* figures that the report before had */
	size_t twice, twice_line; /* figures of a device that its report has already, the first */
	struct iostat_row
		*rows; /* of this report; behind n_rows those of the last, for their names */
	size_t n_rows, n_named;
	bool boot; /* this report is of the time since the machine started, unless no_boot */
	struct iostat_row *boot_rows; /* of the last such report */
	size_t n_boot_rows, n_boot;
	double *cpu[5]; /* of this text: end, busy, iowait, steal, and room */
	size_t n_cpu;
	size_t cut, odd,
		missing; /* last lines cut, rows that do not fit, devices not in a report */
	size_t wrong[2]; /* read and write bytes replaced by operations x size */
	double factor[2]; /* by which they were wrong, the last */
	const char *wrong_name[2], *wrong_device;
	double counted_s; /* length of the report by its totals; NaN */
	struct evidence_figures figures; /* cells that are none */
};

void iostat_init(
	struct iostat *io, const char *source, const struct evidence_input *in, struct evidence *e);

/* iostat was started again: the next report is its first. */
int iostat_restart(struct iostat *io, const char *host, bool no_boot, struct err *err);

/* What follows is of that machine: what came before is a report of the last one.  ERR_NOMEM. */
int iostat_host(struct iostat *io, const char *host, struct err *err);

/* A report begins: what came before is one.  ERR_NOMEM. */
int iostat_report(struct iostat *io, double at_s, struct err *err);

/* The row of a device in this report, made when new; `group`: it sums others. NULL: no memory. */
struct iostat_row *iostat_row(struct iostat *io, const char *device, size_t n, bool group);

/* A cell; one of no known column is passed over, one that is no figure is left out and counted. */
void iostat_cell(struct iostat *io, struct iostat_row *row, size_t line,
	struct evidence_word column, struct evidence_word value);

/* Percentages of avg-cpu; ERR_NOMEM. */
int iostat_cpu(struct iostat *io, double busy, double iowait, double steal, struct err *err);

/* The end: drop, name, note.  ERR_PARSE when there was no row at all. */
int iostat_finish(struct iostat *io, struct err *err);

#endif /* WORKLOAD_IOSTAT_H */
