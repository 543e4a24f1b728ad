#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suffix {
	const char *text;
	double factor;
};

static const struct suffix size_suffixes[] = {
	{"", 1},
	{"B", 1},
	{"k", 1024},
	{"K", 1024},
	{"KiB", 1024},
	{"kB", 1e3},
	{"KB", 1e3},
	{"M", 1048576.0},
	{"m", 1048576.0},
	{"MiB", 1048576.0},
	{"MB", 1e6},
	{"G", 1073741824.0},
	{"g", 1073741824.0},
	{"GiB", 1073741824.0},
	{"GB", 1e9},
	{"T", 1099511627776.0},
	{"t", 1099511627776.0},
	{"TiB", 1099511627776.0},
	{"TB", 1e12},
};
static const struct suffix count_suffixes[] = {
	{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}};
static const struct suffix time_suffixes[] = {
	{"", 1}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};

/* A plain decimal number (no sign, no hex, no inf) and a suffix of the table. */
static int
parse(const char *text, const struct suffix *table, size_t n, const char *what, double *value,
	struct err *err)
{
	const char *p = text;
	while (isdigit((unsigned char)*p))
		p++;
	if (*p == '.')
		p++;
	while (isdigit((unsigned char)*p))
		p++;
	char number[64];
	size_t len = (size_t)(p - text);
	if (*text == '-' && isdigit((unsigned char)text[1]))
		return err_set(
			err, ERR_PARSE, "\"%.40s\" is below 0: accepted is a %s", text, what);
	if (len == 0 || len >= sizeof(number) || (len == 1 && *text == '.'))
		return err_set(err, ERR_PARSE, "\"%.40s\" is not a %s", text, what);
	memcpy(number, text, len);
	number[len] = '\0';
	while (*p == ' ')
		p++;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(p, table[i].text) == 0) {
			*value = strtod(number, NULL) * table[i].factor;
			return 0;
		}
	}
	return err_set(
		err, ERR_PARSE, "\"%.40s\" is not a %s: unknown suffix \"%.20s\"", text, what, p);
}

#define TABLE(t) (t), sizeof(t) / sizeof((t)[0])

int
units_parse_size(const char *text, uint64_t *size_b, struct err *err)
{
	double v = 0;
	int rc = parse(text, TABLE(size_suffixes), "size such as 4k, 4KiB or 16MB", &v, err);
	if (rc)
		return rc;
	if (!(v >= 1 && v <= 9007199254740992.0)) /* 2^53: exact in a double */
		return err_set(err, ERR_RANGE, "size %.40s: 1 B to 8 PiB", text);
	if (v != floor(v))
		return err_set(err, ERR_RANGE, "size %.40s is not a whole number of bytes", text);
	*size_b = (uint64_t)v;
	return 0;
}

int
units_parse_count(const char *text, double *count, struct err *err)
{
	double v = 0;
	int rc = parse(text, TABLE(count_suffixes), "number such as 20000 or 20k", &v, err);
	if (rc)
		return rc;
	if (!(v <= 1e15))
		return err_set(err, ERR_RANGE, "number %.40s: at most 1e15", text);
	*count = v;
	return 0;
}

int
units_parse_seconds(const char *text, double *seconds, struct err *err)
{
	double v = 0;
	int rc = parse(
		text, TABLE(time_suffixes), "duration such as 90, 90s, 3m or 250ms", &v, err);
	if (rc)
		return rc;
	if (!(v > 0 && v <= 1e9))
		return err_set(
			err, ERR_RANGE, "duration %.40s: more than 0 and at most 1e9 s", text);
	*seconds = v;
	return 0;
}

double
units_mbps_to_mibps(double mbps)
{
	return mbps * UNITS_MB / UNITS_MIB;
}

double
units_mibps_to_mbps(double mibps)
{
	return mibps * UNITS_MIB / UNITS_MB;
}

/* Put a comma before every third digit of the whole part. */
static void
group(const char *plain, char *text, size_t size)
{
	size_t whole = strspn(plain + (*plain == '-'), "0123456789"), out = 0;
	const char *p = plain;
	if (*p == '-')
		text[out++] = *p++;
	for (; *p && out + 2 < size; p++) {
		text[out++] = *p;
		if (whole > 0 && --whole > 0 && whole % 3 == 0)
			text[out++] = ',';
	}
	text[out] = '\0';
}

/* What lies outside microseconds to 1,000 s, in both ways of writing a latency; false: inside. */
static bool
far_latency(double us, char text[32])
{
	char plain[64];
	if (isnan(us) || us > 1e21)
		snprintf(text, 32, "%s", isnan(us) ? "unknown" : "over 1e15 s");
	else if (us > 0 && us < 1e-6)
		snprintf(text, 32, "under 0.001 ns");
	else if (us > 0 && us < 0.0995)
		snprintf(text, 32, "%.3g ns", us * 1e3);
	else if (us >= 999.5e6) {
		snprintf(plain, sizeof(plain), "%.0f s", us / 1e6);
		group(plain, text, 32);
	} else
		return false;
	return true;
}

void
units_latency_text(double us, char text[32])
{
	if (far_latency(us, text))
		return;
	if (us < 999.5)
		snprintf(text, 32, "%.3g us", us);
	else if (us < 999.5e3)
		snprintf(text, 32, "%.3g ms", us / 1e3);
	else
		snprintf(text, 32, "%.3g s", us / 1e6);
}

void
units_latency_fixed_text(double us, char text[32])
{
	if (far_latency(us, text))
		return;
	if (us < 99.5)
		snprintf(text, 32, us < 9.95 ? "%.1f us" : "%.0f us", us);
	else if (us < 999995)
		snprintf(text, 32, "%.2f ms", us / 1e3);
	else
		snprintf(text, 32, "%.2f s", us / 1e6);
}

void
units_size_text(double size_b, char text[32])
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	if (isnan(size_b)) {
		snprintf(text, 32, "unknown");
		return;
	}
	size_t i = 0;
	while (size_b >= 1024 && i < 5) {
		size_b /= 1024;
		i++;
	}
	snprintf(text, 32, "%.4g %s", size_b, unit[i]);
}

/* "-0.0" is a small loss rounded, or no loss: 0. */
static void
drop_sign_of_zero(char *plain)
{
	size_t n = strlen(plain);
	if (plain[0] == '-' && strspn(plain + 1, "0.") == n - 1)
		memmove(plain, plain + 1, n);
}

void
units_count_text(double count, char text[32])
{
	char plain[32];
	if (isnan(count) || fabs(count) > 1e15) {
		snprintf(text, 32, "%s", isnan(count) ? "unknown" : "over 1e15");
		return;
	}
	snprintf(plain, sizeof(plain), "%.*f", fabs(count) < 99.95 && count != floor(count), count);
	drop_sign_of_zero(plain);
	group(plain, text, 32);
}

void
units_money_text(double amount, int decimals, char text[48])
{
	char plain[48];
	if (isnan(amount) || fabs(amount) > 1e15) {
		snprintf(text, 48, "%s", isnan(amount) ? "unknown" : "over 1e15");
		return;
	}
	/* a sum of decimals that ends on half a cent is stored a few bits beside it */
	snprintf(plain, sizeof(plain), "%.*f", decimals, amount * (1 + 1e-14));
	drop_sign_of_zero(plain);
	group(plain, text, 48);
}
