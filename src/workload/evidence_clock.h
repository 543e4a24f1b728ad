/*
 * evidence_clock.h - times as tools print them: 2026-11-30T19:57:21+0000, 11/30/26 19:57:21, 30.11.2026 20:05:12,
 * 06/13/2018 02:10:50 PM, 2026-11-30 19:57:22 UTC, 03/02/2026 10:00:15.019.
 *
 * Whether 03/02 is the third of February is decided once for a text: by a number above 12, else by the order that
 * never steps back, else by the shorter span, else by what the user says, else by the sign between the numbers.
 */
#ifndef WORKLOAD_EVIDENCE_CLOCK_H
#define WORKLOAD_EVIDENCE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "workload/evidence.h"

struct evidence_clock {
	bool day_first;
	bool guessed; /* nothing in the text nor the user decided */
	double utc_offset_s; /* of times without a zone */
};

/* Look at every date of the text. */
void evidence_clock_decide(struct evidence_clock *c, const struct evidence_input *in);

/*
 * UTC seconds since 1970 of the date and time at text; NaN when it begins with none.  *used: bytes of it.
 */
double evidence_clock_read(
	const struct evidence_clock *c, const char *text, size_t n, size_t *used);

/* Midnight (UTC or local, without the offset) of the date at text, NaN when it begins with none. */
double evidence_clock_day(const struct evidence_clock *c, const char *text, size_t n);

/* Seconds of the day of "19:57:21", "07:57:21 PM"; NaN when it is none.  *used: bytes. */
double evidence_clock_time(const char *text, size_t n, size_t *used);

/* Times of a log in the order they stand there; cleared to 0, last_s to NaN. */
struct evidence_flow {
	double last_s; /* of the last; NaN: none, or not said */
	double shift_s; /* of those after local time went back an hour */
	size_t backwards, hour_back; /* other steps back; such hours */
};

/*
 * The time that comes next, as it goes on from the last: a step back of an hour less the usual step is the end of summer
 * time, and what follows is an hour later than it says; other steps back are counted.
 */
double evidence_flow_next(struct evidence_flow *f, double at_s);

/* What steps back there were. */
void evidence_flow_say(const struct evidence_flow *f, const char *file, struct findings *out);

/* A note when the order of day and month was guessed. */
void evidence_clock_say(
	const struct evidence_clock *c, const struct evidence_input *in, struct evidence *e);

#endif /* WORKLOAD_EVIDENCE_CLOCK_H */
