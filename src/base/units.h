/*
 * units.h - sizes, rates, durations and money as people write them.
 *
 * k M G T and KiB MiB GiB TiB are powers of 1024 (the storage bench convention: 4k is 4096);
 * kB MB GB TB are powers of 1000 (providers' MB/s).  Overflow is an error, never a wrap.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

#include "base/err.h"

#define UNITS_KIB 1024.0
#define UNITS_MIB 1048576.0
#define UNITS_GIB 1073741824.0
#define UNITS_MB 1000000.0
#define UNITS_GB 1000000000.0

/* "4k" "4KiB" "16MB" "512" -> bytes, at least 1.  ERR_PARSE or ERR_RANGE (overflow, fraction of a
 * byte). */
int units_parse_size(const char *text, uint64_t *size_b, struct err *err);

/* "20000" "160k" "1.2M" -> a plain count (powers of 1000).  Finite and >= 0. */
int units_parse_count(const char *text, double *count, struct err *err);

/* "90" "90s" "3m" "1h" "250ms" -> seconds, > 0. */
int units_parse_seconds(const char *text, double *seconds, struct err *err);

/* Provider MB/s (10^6) to MiB/s and back. */
double units_mbps_to_mibps(double mbps);
double units_mibps_to_mbps(double mibps);

/* Short text for people, three digits: 50 ns, 68.2 us, 4.2 ms, 1.05 s, 2,196 s; "unknown" for NaN.
 * text has room for 32. */
void units_latency_text(double us, char text[32]);
/* The same for a sentence that compares latencies: two decimals from 0.1 ms on, as in 0.80 ms, 15.00 ms,
 * 1.11 s; 52 us below. */
void units_latency_fixed_text(double us, char text[32]);
/* 4 KiB, 1 MiB, 512 B. */
void units_size_text(double size_b, char text[32]);
/* 12,800 or 18.2: thousands separated, decimals only below 100; "unknown" for NaN. */
void units_count_text(double count, char text[32]);
/* 148.68 with thousands separated and `decimals` places, half of the last away from zero: 5.625 is 5.63;
 * "unknown" for NaN. */
void units_money_text(double amount, int decimals, char text[48]);

#endif /* BASE_UNITS_H */
