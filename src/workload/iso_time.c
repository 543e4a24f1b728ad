#include "workload/iso_time.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"

/* Two digits at *at, up to `most`; -1 when they are none. */
static int
two(const char **at, int most)
{
	const char *p = *at;
	if (!isdigit((unsigned char)p[0]) || !isdigit((unsigned char)p[1]))
		return -1;
	int n = (p[0] - '0') * 10 + (p[1] - '0');
	*at = p + 2;
	return n <= most ? n : -1;
}

/* hh:mm or hhmm behind a sign, or Z, or nothing; NaN when something else follows. */
static double
zone_s(const char *p)
{
	p += *p == ' ';
	if (*p == '\0' || strcmp(p, "Z") == 0 || strcmp(p, "UTC") == 0)
		return 0;
	if (*p != '+' && *p != '-')
		return NAN;
	int sign = *p++ == '-' ? -1 : 1, hours = two(&p, 15);
	p += *p == ':';
	int minutes = *p ? two(&p, 59) : 0;
	return hours < 0 || minutes < 0 || *p ? (double)NAN : sign * (hours * 3600 + minutes * 60);
}

double
iso_time_s(const char *text)
{
	int64_t days = 0;
	size_t n = strnlen(text, 40);
	char date[11] = {0};
	if (n < 16 || n == 40)
		return NAN;
	memcpy(date, text, 10);
	const char *p = text + 10;
	if (clock_parse_date(date, &days, NULL) != 0 || (*p != 'T' && *p != ' '))
		return NAN;
	p++;
	int hours = two(&p, 23);
	int minutes = hours >= 0 && *p == ':' ? (p++, two(&p, 59)) : -1;
	int seconds = minutes >= 0 && *p == ':' ? (p++, two(&p, 60)) : 0;
	if (minutes < 0 || seconds < 0)
		return NAN;
	double fraction = 0, digit = 0.1;
	if (*p == '.' || *p == ',') {
		for (p++; isdigit((unsigned char)*p); p++, digit /= 10)
			fraction += (*p - '0') * digit;
	}
	return (double)days * 86400 + hours * 3600 + minutes * 60 + seconds + fraction - zone_s(p);
}

double
iso_duration_s(const char *text)
{
	double total = 0;
	bool time = false;
	if (*text++ != 'P' || *text == '\0')
		return NAN;
	while (*text) {
		double number = 0;
		size_t digits = 0;
		if (*text == 'T' && !time) {
			time = true;
			text++;
			continue;
		}
		for (; isdigit((unsigned char)*text) && digits < 9; text++, digits++)
			number = number * 10 + (*text - '0');
		double unit = 0;
		if (*text == 'D' && !time)
			unit = 86400;
		else if (time)
			unit = *text == 'H' ? 3600 : *text == 'M' ? 60 : *text == 'S' ? 1 : 0;
		if (digits == 0 || unit == 0)
			return NAN;
		total += number * unit;
		text++;
	}
	return total > 0 ? total : (double)NAN;
}
