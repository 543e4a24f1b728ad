#include "workload/prom_metric.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_B 512.0
#define MS 1e-3

/* The first row of a column is its name now (node_exporter 0.16 and later). */
static const struct prom_metric metrics[] = {
	{"node_disk_reads_completed_total", PROM_READS, 1},
	{"node_disk_read_bytes_total", PROM_READ_BYTES, 1},
	{"node_disk_read_time_seconds_total", PROM_READ_S, 1},
	{"node_disk_writes_completed_total", PROM_WRITES, 1},
	{"node_disk_written_bytes_total", PROM_WRITE_BYTES, 1},
	{"node_disk_write_time_seconds_total", PROM_WRITE_S, 1},
	{"node_disk_discards_completed_total", PROM_DISCARDS, 1},
	{"node_disk_flush_requests_total", PROM_FLUSHES, 1},
	{"node_disk_flush_requests_time_seconds_total", PROM_FLUSH_S, 1},
	{"node_disk_io_time_seconds_total", PROM_BUSY_S, 1},
	{"node_disk_io_time_weighted_seconds_total", PROM_QUEUE_S, 1},
	/* node_exporter 0.15 and before: 512-byte sectors, milliseconds */
	{"node_disk_reads_completed", PROM_READS, 1},
	{"node_disk_bytes_read", PROM_READ_BYTES, 1},
	{"node_disk_sectors_read", PROM_READ_BYTES, SECTOR_B},
	{"node_disk_read_time_ms", PROM_READ_S, MS},
	{"node_disk_writes_completed", PROM_WRITES, 1},
	{"node_disk_bytes_written", PROM_WRITE_BYTES, 1},
	{"node_disk_sectors_written", PROM_WRITE_BYTES, SECTOR_B},
	{"node_disk_write_time_ms", PROM_WRITE_S, MS},
	{"node_disk_io_time_ms", PROM_BUSY_S, MS},
	{"node_disk_io_time_weighted", PROM_QUEUE_S, MS},
	/* windows_exporter: idle time is not busy time, so that is left out */
	{"windows_logical_disk_reads_total", PROM_READS, 1},
	{"windows_logical_disk_read_bytes_total", PROM_READ_BYTES, 1},
	{"windows_logical_disk_read_latency_seconds_total", PROM_READ_S, 1},
	{"windows_logical_disk_writes_total", PROM_WRITES, 1},
	{"windows_logical_disk_write_bytes_total", PROM_WRITE_BYTES, 1},
	{"windows_logical_disk_write_latency_seconds_total", PROM_WRITE_S, 1},
};

enum { N_METRICS = sizeof(metrics) / sizeof(metrics[0]) };

static const char *const words[PROM_COLUMNS] = {
	[PROM_READS] = "reads",
	[PROM_READ_BYTES] = "read_bytes",
	[PROM_READ_S] = "read_seconds",
	[PROM_WRITES] = "writes",
	[PROM_WRITE_BYTES] = "write_bytes",
	[PROM_WRITE_S] = "write_seconds",
	[PROM_DISCARDS] = "discards",
	[PROM_FLUSHES] = "flushes",
	[PROM_FLUSH_S] = "flush_seconds",
	[PROM_BUSY_S] = "busy_seconds",
	[PROM_QUEUE_S] = "queue_seconds",
	[PROM_READ_MEAN_S] = "seconds_per_read",
	[PROM_WRITE_MEAN_S] = "seconds_per_write",
	[PROM_FLUSH_MEAN_S] = "seconds_per_flush",
};

const struct prom_metric *
prom_metric_find(const char *name, size_t n)
{
	for (size_t i = 0; i < N_METRICS; i++) {
		if (strlen(metrics[i].name) == n && memcmp(metrics[i].name, name, n) == 0)
			return &metrics[i];
	}
	return NULL;
}

const char *
prom_metric_now(int column)
{
	for (size_t i = 0; i < N_METRICS; i++) {
		if (metrics[i].column == column)
			return metrics[i].name;
	}
	return NULL;
}

const char *
prom_column_word(int column)
{
	return words[column];
}

static const char *const level_words[EVIDENCE_LEVEL_COUNT] = {
	[EVIDENCE_LEVEL_IOPS] = "iops",
	[EVIDENCE_LEVEL_READ_IOPS] = "read_iops",
	[EVIDENCE_LEVEL_WRITE_IOPS] = "write_iops",
	[EVIDENCE_LEVEL_BYTES_S] = "bytes_per_second",
};
static const char *const stat_words[PROM_STATS] = {"p50", "p95", "p99", "max"};
_Static_assert(
	(int)PROM_ALL_COLUMNS == (int)PROM_COLUMNS + (int)PROM_STATS * (int)EVIDENCE_LEVEL_COUNT,
	"a column for each statistic of each level");

const char *
prom_level_word(int level)
{
	return level_words[level];
}

const char *
prom_stat_word(int stat)
{
	return stat_words[stat];
}

static int
word_find(const char *const *all, int n, const char *word)
{
	for (int i = 0; i < n; i++) {
		if (strcmp(all[i], word) == 0)
			return i;
	}
	return -1;
}

int
prom_label_column(const char *figure, const char *stat)
{
	if (!stat)
		return word_find(words, PROM_COLUMNS, figure);
	int level = word_find(level_words, EVIDENCE_LEVEL_COUNT, figure);
	int column = word_find(stat_words, PROM_STATS, stat);
	return level < 0 || column < 0 ? -1 : PROM_COLUMNS + level * PROM_STATS + column;
}

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* vda1, sdb12, xvda1; nvme0n1p2, mmcblk0p1: a disk whose own name ends in a digit has a p before its parts. */
static bool
is_part(const char *device)
{
	size_t n = strlen(device), digits = 0;
	while (digits < n && isdigit((unsigned char)device[n - 1 - digits]))
		digits++;
	if (digits == 0 || digits == n)
		return false;
	const char *before = device + n - digits - 1;
	if (starts(device, "nvme") || starts(device, "mmcblk"))
		return *before == 'p';
	return starts(device, "sd") || starts(device, "hd") || starts(device, "vd") ||
	       starts(device, "xvd");
}

int
prom_scope(const char *device)
{
	static const char *const stacked[] = {"dm-", "md", "loop", "zram", "ram", "drbd", "bcache"};
	if (!device)
		return EVIDENCE_DISK;
	if (strcmp(device, "_Total") == 0)
		return EVIDENCE_STACKED;
	for (size_t i = 0; i < sizeof(stacked) / sizeof(stacked[0]); i++) {
		if (starts(device, stacked[i]))
			return EVIDENCE_STACKED;
	}
	return is_part(device) ? EVIDENCE_PART : EVIDENCE_DISK;
}

double
prom_seconds(const char *text, size_t n)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800},
		{"y", 31536000}};
	double total = 0;
	size_t i = 0;
	while (i < n) {
		double number = 0;
		size_t digits = 0;
		for (; i < n && isdigit((unsigned char)text[i]); i++, digits++)
			number = number * 10 + (text[i] - '0');
		size_t k = 0, len = 0;
		for (; k < sizeof(units) / sizeof(units[0]); k++) {
			len = strlen(units[k].unit);
			if (n - i >= len && memcmp(text + i, units[k].unit, len) == 0)
				break;
		}
		bool plain = i == n && total == 0; /* "300" */
		if (digits == 0 || (k == sizeof(units) / sizeof(units[0]) && !plain))
			return NAN;
		total += plain ? number : number * units[k].seconds;
		i += plain ? 0 : len;
	}
	return total > 0 && isfinite(total) ? total : (double)NAN;
}

/* One rate(NAME{...}[WINDOW]) found in a query. */
struct rate_call {
	const struct prom_metric *metric;
	double window_s;
	bool increase;
	const char *end; /* behind it */
};

static const char *
skip_labels(const char *p)
{
	if (*p != '{')
		return p;
	char quote = '\0';
	for (p++; *p; p++) {
		if (quote && *p == '\\' && p[1])
			p++;
		else if (quote && *p == quote)
			quote = '\0';
		else if (!quote && (*p == '"' || *p == '\''))
			quote = *p;
		else if (!quote && *p == '}')
			return p + 1;
	}
	return p;
}

/* NAME{...}[WINDOW] at p; false when it is none. */
static bool
read_selector(const char *p, struct rate_call *out)
{
	p += strspn(p, " ");
	size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:");
	out->metric = prom_metric_find(p, n);
	p = skip_labels(p + n + strspn(p + n, " "));
	p += strspn(p, " ");
	if (!out->metric || *p != '[')
		return false;
	size_t window = strcspn(p + 1, "]:");
	out->window_s = prom_seconds(p + 1, window);
	out->end = p + 1 + window;
	return *out->end == ']' && isfinite(out->window_s);
}

static bool
next_rate(const char *query, struct rate_call *out)
{
	static const char *const functions[] = {"rate(", "increase("}; /* irate ends in rate */
	for (const char *p = query; *p; p++) {
		for (size_t i = 0; i < 2; i++) {
			if (!starts(p, functions[i]) ||
				!read_selector(p + strlen(functions[i]), out))
				continue;
			out->increase = i == 1;
			return true;
		}
	}
	return false;
}

/* Seconds over operations of the same kind. */
static int
mean_of(int seconds, int operations)
{
	static const int means[][3] = {{PROM_READ_S, PROM_READS, PROM_READ_MEAN_S},
		{PROM_WRITE_S, PROM_WRITES, PROM_WRITE_MEAN_S},
		{PROM_FLUSH_S, PROM_FLUSHES, PROM_FLUSH_MEAN_S}};
	for (size_t i = 0; i < 3; i++) {
		if (means[i][0] == seconds && means[i][1] == operations)
			return means[i][2];
	}
	return -1;
}

/* Functions that keep the figure what it is: sums over devices, and nothing else. */
static bool
is_plain(const char *query)
{
	static const char *const others[] = {"_over_time", "quantile", "avg", "max", "min", "topk",
		"count", "deriv", "delta", "+", "*", " - ", " or ", " and ", "offset"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strstr(query, others[i]))
			return false;
	}
	return true;
}

int
prom_expression_read(const char *query, struct prom_expression *out, struct err *err)
{
	struct rate_call a = {0}, b = {0}, c = {0};
	const char *between = NULL;
	bool one = is_plain(query) && next_rate(query, &a), two = one && next_rate(a.end, &b);
	if (two)
		between = memchr(a.end, '/', strlen(a.end));
	bool three = two && next_rate(b.end, &c);
	int column = one && !two && !strchr(query, '/') ? a.metric->column : -1;
	if (two && !three && between && a.increase == b.increase && a.window_s == b.window_s)
		column = mean_of(a.metric->column, b.metric->column);
	if (column < 0)
		return err_set(err, ERR_UNSUPPORTED,
			"query \"%.200s\": known are rate(NAME{...}[WINDOW]), irate and increase "
			"of a "
			"disk counter of node_exporter, sums of it, and seconds over operations; "
			"raw "
			"counters, %s{...}, need no query",
			query, prom_metric_now(PROM_READS));
	double factor = two ? a.metric->factor / b.metric->factor : a.metric->factor;
	*out = (struct prom_expression){
		column, a.window_s, !two && a.increase ? factor / a.window_s : factor};
	return 0;
}
