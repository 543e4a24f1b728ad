/*
 * iso_time.h - times and durations as providers write them (ISO 8601).
 */
#ifndef WORKLOAD_ISO_TIME_H
#define WORKLOAD_ISO_TIME_H

/*
 * "2026-03-02T10:00:00Z", "... 10:00:00.5+01:00", "2026-03-02 10:00:00" (UTC when no zone is given) -> seconds since
 * 1970.  NaN when it is none.
 */
double iso_time_s(const char *text);

/* "PT1M", "PT1H30M", "P1D" -> seconds; NaN when it is none, or has months or years. */
double iso_duration_s(const char *text);

#endif /* WORKLOAD_ISO_TIME_H */
