#include "bench/diskstats.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR_B = 512, SECTORS_PER_UNIT = 128, FIELDS = 17, TEXT_MAX = 1 << 20 };

/* Positions after the device name, as the document numbers them minus one. */
enum {
	READS = 0,
	READ_SECTORS = 2,
	WRITES = 4,
	WRITE_SECTORS = 6,
	BUSY_MS = 9,
	FLUSHES = 15,
};

static bool
parse_line(const char *line, struct diskstats *d)
{
	uint64_t f[FIELDS] = {0};
	int n = 0;
	char *end;
	while (n < FIELDS) {
		f[n] = strtoull(line, &end, 10);
		if (end == line)
			break;
		n++;
		line = end;
		if (*line == '\n')
			break;
	}
	if (n <= BUSY_MS)
		return false;
	*d = (struct diskstats){.reads = f[READS],
		.writes = f[WRITES] >= f[FLUSHES] ? f[WRITES] - f[FLUSHES] : 0,
		.sectors = f[READ_SECTORS] + f[WRITE_SECTORS],
		.flushes = f[FLUSHES],
		.busy_ms = f[BUSY_MS],
		.has_flushes = n > FLUSHES};
	return true;
}

bool
diskstats_parse(const char *text, const char *device, struct diskstats *d)
{
	size_t n = strlen(device);
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *p = line;
		for (int number = 0; number < 2; number++) { /* major, minor */
			p += strspn(p, " ");
			p += strspn(p, "0123456789");
		}
		p += strspn(p, " ");
		if (strncmp(p, device, n) == 0 && p[n] == ' ')
			return parse_line(p + n, d);
	}
	return false;
}

bool
diskstats_read(const char *device, struct diskstats *d)
{
	int fd = device ? open("/proc/diskstats", O_RDONLY | O_CLOEXEC) : -1;
	char *text = fd >= 0 ? malloc(TEXT_MAX) : NULL;
	size_t len = 0;
	ssize_t got = text ? 1 : 0;
	while (got > 0 && len < TEXT_MAX - 1) {
		got = read(fd, text + len, TEXT_MAX - 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	bool found = false;
	if (text) {
		text[len] = '\0';
		found = diskstats_parse(text, device, d);
	}
	free(text);
	if (fd >= 0)
		close(fd);
	return found;
}

struct diskstats_share
diskstats_compare(const struct diskstats *before, const struct diskstats *after, uint64_t own_ios,
	uint64_t own_b)
{
	double ios = (double)(after->reads - before->reads) +
		     (double)(after->writes - before->writes);
	double sectors = (double)(after->sectors - before->sectors);
	double own_sectors = (double)own_b / SECTOR_B;
	struct diskstats_share share = {NAN, NAN};
	if (sectors <= 0) {
		share.device_ratio = own_b > 0 ? (double)INFINITY : (double)NAN;
		return share;
	}
	share.device_ratio = own_sectors / sectors;
	double all = ios + sectors / SECTORS_PER_UNIT;
	double own = (double)own_ios + own_sectors / SECTORS_PER_UNIT;
	bool agree = fabs(share.device_ratio - 1) <= 0.02;
	share.foreign_frac = agree || own >= all ? 0 : (all - own) / all;
	return share;
}
