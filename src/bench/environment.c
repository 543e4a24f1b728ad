#include "bench/environment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/units.h"

enum { HOST_DIGITS = 12, SECTOR_B = 512 };

static const char *
attribute(struct arena *a, const char *device, const char *name)
{
	char text[256];
	if (!devchain_attribute("/sys", device, name, text, sizeof(text)) || !*text)
		return NULL;
	return arena_strdup(a, text);
}

static double
number(const char *device, const char *name)
{
	char text[64], *end;
	if (!devchain_attribute("/sys", device, name, text, sizeof(text)))
		return NAN;
	double v = strtod(text, &end);
	return end == text || *end ? (double)NAN : v;
}

/* A number that 0 means "not told" for. */
static double
positive(double v)
{
	return v > 0 ? v : (double)NAN;
}

/* The scheduler in use is the one in brackets: "none [mq-deadline] bfq". */
static const char *
scheduler(struct arena *a, const char *device)
{
	char text[256];
	if (!devchain_attribute("/sys", device, "queue/scheduler", text, sizeof(text)))
		return NULL;
	char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;
	return to ? arena_strndup(a, from + 1, (size_t)(to - from - 1)) : arena_strdup(a, text);
}

/* A stand-in for the host's name: the same on every run, and not to be traced back. */
static const char *
host_id(struct arena *a)
{
	struct buf text;
	char hex[FILE_SHA256_TEXT];
	buf_init(&text, 4096);
	buf_put(&text, "tierwise host ");
	const char *id = NULL;
	if (file_read("/etc/machine-id", &text, NULL) == 0) {
		file_sha256(buf_text(&text), text.len, hex);
		id = arena_strndup(a, hex, HOST_DIGITS);
	}
	buf_fini(&text);
	return id;
}

/* Whether the text of a file has a word. */
static bool
file_says(const char *path, const char *what)
{
	struct buf text;
	buf_init(&text, 4 << 20);
	bool says = file_read(path, &text, NULL) == 0 && strstr(buf_text(&text), what);
	buf_fini(&text);
	return says;
}

static const char *
first_line(struct arena *a, const char *path)
{
	struct buf text;
	buf_init(&text, 4096);
	const char *line = NULL;
	if (file_read(path, &text, NULL) == 0 && text.len > 0)
		line = arena_strndup(a, text.text, strcspn(text.text, "\n"));
	buf_fini(&text);
	return line && *line ? line : NULL;
}

static const char *
virtualisation(struct arena *a)
{
	const char *vendor = first_line(a, "/sys/class/dmi/id/sys_vendor");
	const char *product = first_line(a, "/sys/class/dmi/id/product_name");
	const char *box = file_exists("/.dockerenv") || file_exists("/run/.containerenv")
				  ? "container in "
				  : "";
	if (!file_says("/proc/cpuinfo", "hypervisor") && !file_exists("/sys/hypervisor/type"))
		return *box ? "container" : "none seen";
	if (!vendor && !product)
		return arena_printf(a, "%svirtual machine", box);
	return arena_printf(a, "%svirtual machine (%s%s%s)", box, vendor ? vendor : "",
		vendor && product ? " " : "", product ? product : "");
}

static void
read_device(const struct target *t, struct arena *a, struct profile_environment *e)
{
	const char *disk = arena_strdup(a, t->chain.disk);
	if (!disk)
		return;
	e->device = disk;
	e->device_chain = arena_strdup(a, t->chain.text);
	e->model = attribute(a, disk, "device/model");
	e->scheduler = scheduler(a, disk);
	e->write_cache = attribute(a, disk, "queue/write_cache");
	e->device_gib = positive(number(disk, "size") * SECTOR_B / UNITS_GIB);
	double rotational = number(disk, "queue/rotational");
	e->rotational = isnan(rotational) ? -1 : rotational > 0;
	e->logical_block_b = positive(number(disk, "queue/logical_block_size"));
	e->physical_block_b = positive(number(disk, "queue/physical_block_size"));
	e->nr_requests = positive(number(disk, "queue/nr_requests"));
	e->max_sectors_kib = positive(number(disk, "queue/max_sectors_kb"));
}

void
environment_read(const struct target *t, struct arena *a, struct profile_environment *e)
{
	struct utsname u;
	e->host = host_id(a);
	if (uname(&u) == 0)
		e->kernel = arena_printf(a, "%s %s %s", u.sysname, u.release, u.machine);
	e->filesystem = arena_strdup(a, t->fs);
	e->mount_options = t->has_mount ? arena_strdup(a, t->mount.options) : NULL;
	e->dio_align_b = positive(t->dio_offset_b);
	if (t->has_device)
		read_device(t, a, e);
	e->vcpus = positive((double)sysconf(_SC_NPROCESSORS_ONLN));
	e->ram_gib = positive(
		(double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / UNITS_GIB);
	e->virtualisation = virtualisation(a);
}

int
environment_device_kind(const struct target *t, const struct profile_environment *e)
{
	const char *disk = t->chain.disk;
	if (t->fs_class == SAFETY_FS_NETWORK)
		return PROFILE_DEVICE_NETWORK;
	bool real = e->virtualisation && strcmp(e->virtualisation, "none seen") == 0;
	/* a virtual disk's own word on what it is made of is worth nothing */
	if (!t->has_device || t->chain.forked || !real)
		return -1;
	if (strncmp(disk, "nvme", 4) == 0)
		return PROFILE_DEVICE_NVME;
	if (strncmp(disk, "sd", 2) == 0 && e->rotational >= 0)
		return e->rotational ? PROFILE_DEVICE_HDD : PROFILE_DEVICE_SSD;
	return -1;
}

/* The line of the device in the io.max of the group at `path`, without the numbers in front. */
static const char *
limit_of(const char *path, const char *device, struct arena *a)
{
	struct buf text;
	buf_init(&text, 65536);
	const char *limit = NULL;
	size_t n = strlen(device);
	if (file_read(path, &text, NULL) == 0) {
		for (const char *p = buf_text(&text); p && *p; p = strchr(p, '\n')) {
			p += *p == '\n';
			if (strncmp(p, device, n) == 0 && p[n] == ' ')
				limit = arena_strndup(a, p + n + 1, strcspn(p + n + 1, "\n"));
		}
	}
	buf_fini(&text);
	return limit;
}

/* Where the limits of a group are, by version of the control group interface. */
static const struct limit_file {
	const char *controller; /* as in /proc/self/cgroup; "": version 2 */
	const char *root, *name; /* file: root, path of the group, name */
	const char *what; /* put in front */
} limit_files[] = {
	{"", "/sys/fs/cgroup", "io.max", ""},
	{"", "/sys/fs/cgroup/unified", "io.max", ""},
	{"blkio", "/sys/fs/cgroup/blkio", "blkio.throttle.read_iops_device", "riops="},
	{"blkio", "/sys/fs/cgroup/blkio", "blkio.throttle.write_iops_device", "wiops="},
	{"blkio", "/sys/fs/cgroup/blkio", "blkio.throttle.read_bps_device", "rbps="},
	{"blkio", "/sys/fs/cgroup/blkio", "blkio.throttle.write_bps_device", "wbps="},
};

/*
 * The limit of the group at `path`; in version 2 also that of the nearest one above it that has one
 * (in version 1 a group is not bound by those above it).  path is used up.
 */
static const char *
limit_above(const struct limit_file *f, char *path, const char *device, struct arena *a)
{
	for (;;) {
		const char *file = arena_printf(a, "%s%s/%s", f->root, path, f->name);
		const char *limit = file ? limit_of(file, device, a) : NULL;
		char *slash = strrchr(path, '/');
		if (limit)
			return arena_printf(a, "%s%s", f->what, limit);
		if (!slash || *f->controller)
			return NULL;
		*slash = '\0';
	}
}

const char *
environment_io_limit(const struct target *t, struct arena *a)
{
	char device[64], path[MOUNT_TEXT];
	const char *all = NULL;
	struct buf groups;
	if (!t->has_device ||
		!devchain_attribute("/sys", t->chain.disk, "dev", device, sizeof(device)))
		return NULL;
	buf_init(&groups, 65536);
	if (file_read("/proc/self/cgroup", &groups, NULL) == 0) {
		for (size_t i = 0; i < sizeof(limit_files) / sizeof(limit_files[0]); i++) {
			const struct limit_file *f = &limit_files[i];
			if (!environment_cgroup_path(
				    buf_text(&groups), f->controller, path, sizeof(path)))
				continue;
			const char *limit = limit_above(f, path, device, a);
			if (limit)
				all = arena_printf(
					a, "%s%s%s", all ? all : "", all ? " " : "", limit);
		}
	}
	buf_fini(&groups);
	return all;
}

bool
environment_cgroup_path(const char *text, const char *controller, char *path, size_t size)
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

const char *
environment_loop_file(const struct target *t, struct arena *a, bool *cached)
{
	struct statfs fs;
	const char *name;
	*cached = false;
	if (!t->has_device || strncmp(t->chain.disk, "loop", 4) != 0)
		return NULL;
	const char *file = attribute(a, t->chain.disk, "loop/backing_file");
	if (!file)
		return NULL;
	/* the path is of the mount namespace that set the loop up: a hint, where it leads somewhere */
	bool memory = statfs(file, &fs) == 0 &&
		      safety_fs_of((uint32_t)fs.f_type, &name) == SAFETY_FS_RAM;
	*cached = memory || number(t->chain.disk, "loop/dio") == 0;
	return file;
}
