#include "bench/limits.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

enum { PATH_TEXT = 4096, FILE_MAX_B = 65536, DEVICE_TEXT = 32, DEVICES = 2 };

/* Where the groups of a controller are mounted, and whether a group is bound by those above it. */
static const struct hierarchy {
	const char *controller; /* as in /proc/self/cgroup; "": version 2 */
	const char *top;
	const char *mark; /* a file of every group: the hierarchy is mounted there */
	bool inherits;
} hierarchies[] = {
	{"", "/sys/fs/cgroup", "cgroup.controllers", true},
	{"", "/sys/fs/cgroup/unified", "cgroup.controllers", true},
	{"cpu", "/sys/fs/cgroup/cpu", "cgroup.procs", true},
	{"cpu", "/sys/fs/cgroup/cpu,cpuacct", "cgroup.procs", true},
	{"blkio", "/sys/fs/cgroup/blkio", "cgroup.procs", false},
};

enum { N_HIERARCHIES = sizeof(hierarchies) / sizeof(hierarchies[0]) };

/* What is looked for while walking over the groups. */
struct scan {
	char device[DEVICES][DEVICE_TEXT]; /* "8:0" */
	int n_devices;
	struct limits *limits;
	struct limits_held *held;
};

bool
limits_cgroup_path(const char *text, const char *controller, char *path, size_t size)
{
	size_t n = strlen(controller);
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *list = line + strcspn(line, ":\n");
		if (*list++ != ':')
			continue;
		size_t len = strcspn(list, ":\n");
		if (list[len] != ':')
			continue;
		/* the list of controllers: "cpu,cpuacct"; empty for version 2 */
		bool found = n == 0 && len == 0;
		for (const char *c = list; n > 0 && c < list + len; c += strcspn(c, ",:") + 1)
			found |= strcspn(c, ",:") == n && strncmp(c, controller, n) == 0;
		const char *p = list + len + 1;
		size_t most = strcspn(p, "\n");
		if (!found || most >= size)
			continue;
		memcpy(path, p, most);
		path[most] = '\0';
		return true;
	}
	return false;
}

/* Read folder/name; false when it is not there. */
static bool
read_file(const char *folder, const char *name, struct buf *text)
{
	char path[PATH_TEXT];
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);
	buf_init(text, FILE_MAX_B);
	return n > 0 && (size_t)n < sizeof(path) && file_read(path, text, NULL) == 0;
}

/* A number behind a key at the start of a line or after a space: "key 12", "key=12"; NaN: none. */
static double
number_of(const char *text, const char *key)
{
	size_t n = strlen(key);
	for (const char *p = strstr(text, key); p; p = strstr(p + n, key)) {
		bool starts = p == text || p[-1] == ' ' || p[-1] == '\n';
		if (!starts || (p[n] != ' ' && p[n] != '='))
			continue;
		char *end;
		double v = strtod(p + n + 1, &end);
		/* "max": no limit */
		return end == p + n + 1 ? (double)NAN : v;
	}
	return NAN;
}

/* fmin and sums that pass over NaN */
static void
tighten(double *limit, double v)
{
	if (v > 0)
		*limit = fmin(*limit, v);
}

static void
add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Version 2: "50000 100000", "max 100000". */
static void
read_cpu_max(const char *folder, struct limits *l)
{
	struct buf text;
	double quota, period;
	if (read_file(folder, "cpu.max", &text) &&
		sscanf(buf_text(&text), "%lf %lf", &quota, &period) == 2 && period > 0)
		tighten(&l->processors, quota / period);
	buf_fini(&text);
}

/* Version 1: two files; -1 is no limit. */
static void
read_cfs_quota(const char *folder, struct limits *l)
{
	struct buf quota, period;
	bool both = read_file(folder, "cpu.cfs_quota_us", &quota);
	both = read_file(folder, "cpu.cfs_period_us", &period) && both;
	double p = both ? strtod(buf_text(&period), NULL) : 0;
	if (p > 0)
		tighten(&l->processors, strtod(buf_text(&quota), NULL) / p);
	buf_fini(&quota);
	buf_fini(&period);
}

/* The rest of the line that starts with the device, copied; false: none. */
static bool
line_of(const char *text, const char *device, char *line, size_t size)
{
	size_t n = strlen(device);
	for (const char *p = text; p && *p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, device, n) != 0 || p[n] != ' ')
			continue;
		snprintf(line, size, "%.*s", (int)strcspn(p + n + 1, "\n"), p + n + 1);
		return true;
	}
	return false;
}

/* Version 2: "8:0 rbps=1048576 wbps=max riops=max wiops=120". */
static void
read_io_max(const char *folder, const struct scan *s, struct limits *l)
{
	struct buf text;
	char line[256];
	bool there = read_file(folder, "io.max", &text);
	for (int i = 0; there && i < s->n_devices; i++) {
		if (!line_of(buf_text(&text), s->device[i], line, sizeof(line)))
			continue;
		tighten(&l->riops, number_of(line, "riops"));
		tighten(&l->wiops, number_of(line, "wiops"));
		tighten(&l->rbps, number_of(line, "rbps"));
		tighten(&l->wbps, number_of(line, "wbps"));
	}
	buf_fini(&text);
}

/* Version 1: one file a limit, "8:0 500". */
static void
read_throttle(const char *folder, const struct scan *s, struct limits *l)
{
	const struct {
		const char *name;
		double *limit;
	} files[] = {
		{"blkio.throttle.read_iops_device", &l->riops},
		{"blkio.throttle.write_iops_device", &l->wiops},
		{"blkio.throttle.read_bps_device", &l->rbps},
		{"blkio.throttle.write_bps_device", &l->wbps},
	};
	char line[64];
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct buf text;
		bool there = read_file(folder, files[i].name, &text);
		for (int k = 0; there && k < s->n_devices; k++) {
			if (line_of(buf_text(&text), s->device[k], line, sizeof(line)))
				tighten(files[i].limit, strtod(line, NULL));
		}
		buf_fini(&text);
	}
}

/* cpu.stat of both versions; time held is in us (2) or ns (1). */
static void
read_cpu_stat(const char *folder, struct limits_held *h)
{
	struct buf text;
	if (read_file(folder, "cpu.stat", &text)) {
		const char *t = buf_text(&text);
		add(&h->periods, number_of(t, "nr_periods"));
		add(&h->held_periods, number_of(t, "nr_throttled"));
		add(&h->held_s, number_of(t, "throttled_usec") / 1e6);
		add(&h->held_s, number_of(t, "throttled_time") / 1e9);
	}
	buf_fini(&text);
}

/* Version 2, with io.cost: "8:0 ... cost.wait=120 cost.indelay=0" in us, all devices. */
static void
read_io_stat(const char *folder, struct limits_held *h)
{
	struct buf text;
	bool there = read_file(folder, "io.stat", &text);
	for (const char *p = buf_text(&text); there && *p; p += strcspn(p, "\n"), p += *p == '\n') {
		char line[512];
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		add(&h->io_wait_s, number_of(line, "cost.wait") / 1e6);
		add(&h->io_wait_s, number_of(line, "cost.indelay") / 1e6);
	}
	buf_fini(&text);
}

/* One group. */
static void
look(const struct hierarchy *h, const char *folder, const struct scan *s)
{
	bool v2 = !*h->controller, cpu = strcmp(h->controller, "cpu") == 0;
	if (s->limits && v2) {
		read_cpu_max(folder, s->limits);
		read_io_max(folder, s, s->limits);
	} else if (s->limits && cpu) {
		read_cfs_quota(folder, s->limits);
	} else if (s->limits) {
		read_throttle(folder, s, s->limits);
	}
	if (s->held && (v2 || cpu))
		read_cpu_stat(folder, s->held);
	if (s->held && v2)
		read_io_stat(folder, s->held);
}

/*
 * The folder of the group: the longest end of its path that is there, which in a container is less
 * than the whole.  *top_n: how much of it is the hierarchy's top.  False: not mounted there.
 */
static bool
find_group(const char *root, const struct hierarchy *h, const char *groups, char folder[PATH_TEXT],
	size_t *top_n)
{
	char path[PATH_TEXT], mark[PATH_TEXT];
	int n = snprintf(mark, sizeof(mark), "%s%s/%s", root, h->top, h->mark);
	if (n < 0 || (size_t)n >= sizeof(mark) || !file_exists(mark) ||
		!limits_cgroup_path(groups, h->controller, path, sizeof(path)))
		return false;
	*top_n = strlen(root) + strlen(h->top);
	for (const char *rest = path;; rest = strchr(rest + 1, '/')) {
		if (!rest || strcmp(rest, "/") == 0)
			rest = "";
		n = snprintf(folder, PATH_TEXT, "%s%s%s", root, h->top, rest);
		if (n > 0 && n < PATH_TEXT && (!*rest || file_exists(folder)))
			return true;
		if (!*rest)
			return false;
	}
}

static void
walk(const char *root, const struct scan *s)
{
	char path[PATH_TEXT], folder[PATH_TEXT];
	struct buf groups;
	const char *seen = NULL; /* a hierarchy mounted (or linked) twice counts once */
	snprintf(path, sizeof(path), "%s/proc/self", root);
	bool there = read_file(path, "cgroup", &groups);
	for (size_t i = 0; there && i < N_HIERARCHIES; i++) {
		const struct hierarchy *h = &hierarchies[i];
		size_t top_n;
		if (seen && strcmp(seen, h->controller) == 0)
			continue;
		if (!find_group(root, h, buf_text(&groups), folder, &top_n))
			continue;
		seen = h->controller;
		for (;;) {
			look(h, folder, s);
			char *slash = strlen(folder) > top_n ? strrchr(folder, '/') : NULL;
			if (!slash || !h->inherits)
				break;
			*slash = '\0';
		}
	}
	buf_fini(&groups);
}

void
limits_read(const char *root, const struct devchain *chain, struct limits *l)
{
	struct scan s = {.limits = l};
	char sys[PATH_TEXT];
	*l = (struct limits){NAN, NAN, NAN, NAN, NAN};
	snprintf(sys, sizeof(sys), "%s/sys", root);
	/* limits are set on what has a request queue: the disk, or the mapped device above it */
	const char *names[DEVICES] = {chain ? chain->disk : "", chain ? chain->top : ""};
	for (int i = 0; i < DEVICES; i++) {
		if (*names[i] && (i == 0 || strcmp(names[0], names[i]) != 0) &&
			devchain_attribute(
				sys, names[i], "dev", s.device[s.n_devices], DEVICE_TEXT))
			s.n_devices++;
	}
	walk(root, &s);
}

void
limits_held_read(const char *root, struct limits_held *h)
{
	struct scan s = {.held = h};
	*h = (struct limits_held){NAN, NAN, NAN, NAN};
	walk(root, &s);
}

const char *
limits_io_text(const struct limits *l, struct arena *a)
{
	const struct {
		const char *name;
		double limit;
	} all[] = {{"riops", l->riops}, {"wiops", l->wiops}, {"rbps", l->rbps}, {"wbps", l->wbps}};
	const char *text = NULL;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!isnan(all[i].limit))
			text = arena_printf(a, "%s%s%s=%.0f", text ? text : "", text ? " " : "",
				all[i].name, all[i].limit);
	}
	return text;
}

double
limits_processors(const struct limits *l)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	double n = online > 0 ? (double)online : 1;
	cpu_set_t set;
	/* fails on machines with more processors than the set has room for: no affinity known */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		n = fmin(n, (double)CPU_COUNT(&set));
	return fmin(n, l->processors); /* passes over NaN */
}
