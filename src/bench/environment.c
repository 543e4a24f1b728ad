#include "bench/environment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "bench/limits.h"

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

/* One line of the firmware's texts; what is listed first counts. */
static const struct cloud_sign {
	const char *file, *starts; /* of the text in the file */
	const char *cloud;
} cloud_signs[] = {
	{"chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77", "azure"},
	{"chassis_asset_tag", "OracleCloud.com", "oracle"},
	{"chassis_asset_tag", "HUAWEICLOUD", "huawei"},
	{"chassis_asset_tag", "OpenTelekomCloud", "otc"},
	{"sys_vendor", "Amazon EC2", "aws"},
	{"bios_vendor", "Amazon EC2", "aws"},
	{"bios_version", "4.2.amazon", "aws"}, /* Xen instances */
	{"product_name", "Google Compute Engine", "gcp"},
	{"product_name", "Alibaba Cloud ECS", "alibaba"},
	{"sys_vendor", "DigitalOcean", "digitalocean"},
	{"sys_vendor", "Hetzner", "hetzner"},
	{"sys_vendor", "Vultr", "vultr"},
	{"sys_vendor", "Scaleway", "scaleway"},
	{"sys_vendor", "UpCloud", "upcloud"},
	{"product_name", "Exoscale", "exoscale"},
	{"product_name", "OpenStack", "openstack"},
};

const char *
environment_cloud(const char *dmi)
{
	for (size_t i = 0; i < sizeof(cloud_signs) / sizeof(cloud_signs[0]); i++) {
		const struct cloud_sign *s = &cloud_signs[i];
		char path[256];
		struct buf text;
		int n = snprintf(path, sizeof(path), "%s/%s", dmi, s->file);
		buf_init(&text, 4096);
		bool is = n > 0 && (size_t)n < sizeof(path) && file_read(path, &text, NULL) == 0 &&
			  strncmp(buf_text(&text), s->starts, strlen(s->starts)) == 0;
		buf_fini(&text);
		if (is)
			return s->cloud;
	}
	return NULL;
}

double
environment_clock_ns(void)
{
	enum { READS = 1000 };
	int64_t start = clock_ns(), end = start;
	for (int i = 0; i < READS; i++)
		end = clock_ns();
	return (double)(end - start) / READS;
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
	e->read_ahead_kib = environment_read_ahead_kib(t);
}

double
environment_read_ahead_kib(const struct target *t)
{
	double kib = number(t->chain.top, "queue/read_ahead_kb");
	/* a partition has no queue of its own */
	return isnan(kib) ? number(t->chain.disk, "queue/read_ahead_kb") : kib;
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
	struct limits limits;
	limits_read("", t->has_device ? &t->chain : NULL, &limits);
	e->io_limit = limits_io_text(&limits, a);
	e->vcpus = positive((double)sysconf(_SC_NPROCESSORS_ONLN));
	e->ram_gib = positive(
		(double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / UNITS_GIB);
	double processors = limits_processors(&limits);
	e->cpu_limit = processors < e->vcpus ? processors : (double)NAN;
	e->virtualisation = virtualisation(a);
	e->cloud = environment_cloud("/sys/class/dmi/id");
	e->clock_ns = environment_clock_ns();
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

void
environment_loop_file(const struct target *t, struct arena *a, struct environment_loop *loop)
{
	struct statfs fs;
	const char *name;
	*loop = (struct environment_loop){.file = NULL};
	if (!t->has_device || strncmp(t->chain.disk, "loop", 4) != 0)
		return;
	loop->file = attribute(a, t->chain.disk, "loop/backing_file");
	if (!loop->file)
		return;
	/* the path is of the mount namespace that set the loop up: a hint, where it leads somewhere */
	loop->memory = statfs(loop->file, &fs) == 0 &&
		       safety_fs_of((uint32_t)fs.f_type, &name) == SAFETY_FS_RAM;
	loop->cached = number(t->chain.disk, "loop/dio") == 0;
}

const char *
environment_memory(const struct target *t, struct arena *a)
{
	struct environment_loop loop;
	if (t->dir_fd < 0)
		return NULL;
	if (t->fs_class == SAFETY_FS_RAM)
		return arena_printf(a, "filesystem %s", t->fs);
	const struct safety_allow none = {.ram = false};
	if (t->has_device && safety_check_device(t->chain.disk, &none, NULL) != 0)
		return arena_printf(a, "device %s", t->chain.disk);
	environment_loop_file(t, a, &loop);
	if (loop.memory)
		return arena_printf(a, "device %s, the file %s,", t->chain.disk, loop.file);
	return NULL;
}
