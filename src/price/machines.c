#include "price/machines.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "price/fetch.h"

#define V struct vm_limit

/* Where a figure of a file goes, and what it is multiplied by. */
struct figure {
	const char *name;
	size_t offset; /* of a double in struct vm_limit */
	double scale;
	double most; /* in the file's unit: more is absurd */
};

/* Capabilities of a resource SKU: texts, even the numbers. */
static const struct figure azure_figures[] = {
	{"vCPUs", offsetof(V, vcpus_billed), 1, 1e5},
	{"vCPUsAvailable", offsetof(V, vcpus), 1, 1e5}, /* fewer where some are switched off */
	{"MemoryGB", offsetof(V, ram_gib), 1, 1e6},
	{"MaxDataDiskCount", offsetof(V, max_data_disks), 1, 1e4},
	{"UncachedDiskIOPS", offsetof(V, uncached_iops), 1, 1e8},
	{"UncachedDiskBytesPerSecond", offsetof(V, uncached_mbps), 1e-6, 1e12},
	{"CombinedTempDiskAndCachedIOPS", offsetof(V, cached_iops), 1, 1e9},
	{"CombinedTempDiskAndCachedReadBytesPerSecond", offsetof(V, cached_mbps), 1e-6, 1e13},
};

/* Paths below one element of InstanceTypes. */
static const struct figure aws_figures[] = {
	{"VCpuInfo.DefaultVCpus", offsetof(V, vcpus), 1, 1e5},
	{"MemoryInfo.SizeInMiB", offsetof(V, ram_gib), 1.0 / 1024, 1e9},
	{"EbsInfo.MaximumEbsAttachments", offsetof(V, max_data_disks), 1, 1e4},
	{"EbsInfo.EbsOptimizedInfo.BaselineIops", offsetof(V, uncached_iops), 1, 1e8},
	{"EbsInfo.EbsOptimizedInfo.BaselineThroughputInMBps", offsetof(V, uncached_mbps), 1, 1e6},
	{"EbsInfo.EbsOptimizedInfo.MaximumIops", offsetof(V, uncached_burst_iops), 1, 1e8},
	{"EbsInfo.EbsOptimizedInfo.MaximumThroughputInMBps", offsetof(V, uncached_burst_mbps), 1,
		1e6},
};

enum {
	N_AZURE = sizeof(azure_figures) / sizeof(azure_figures[0]),
	N_AWS = sizeof(aws_figures) / sizeof(aws_figures[0]),
};

static double *
slot(V *m, size_t offset)
{
	return (double *)(void *)((char *)m + offset);
}

static double
get(const V *m, size_t offset)
{
	return *(const double *)(const void *)((const char *)m + offset);
}

/* A number, or a text that is one. */
static int
read_figure(struct jval v, const struct figure *f, double *value, struct err *err)
{
	const char *text = json_text(v);
	double number = json_number(v);
	if (text) {
		char *end = NULL;
		number = strtod(text, &end);
		if (end == text || *end)
			number = (double)NAN;
	}
	if (number >= 0 && number <= f->most) {
		*value = number * f->scale;
		return 0;
	}
	if (text)
		return json_fail(v, err, ERR_RANGE,
			"%s: \"%.40s\", accepted: a number from 0 to %g", f->name, text, f->most);
	return json_fail(v, err, ERR_RANGE, "%s: %.10g, accepted: a number from 0 to %g", f->name,
		number, f->most);
}

static void
clear(V *m, struct arena *a, const char *sku, const char *path)
{
	const struct schema *vms = NULL;
	for (size_t i = 0; i < limits_schema.n_fields; i++) {
		if (strcmp(limits_schema.fields[i].name, "vms") == 0)
			vms = limits_schema.fields[i].sub;
	}
	schema_clear(vms, m);
	m->sku = arena_strdup(a, sku);
	char today[11];
	clock_date_text(clock_epoch_s(), today);
	m->source = arena_strdup(a, path);
	m->as_of = arena_strdup(a, today);
	m->mbps_unit = LIMITS_MB;
	m->verified = 1; /* the provider's own answer */
}

static int
read_flag(struct jval v, const char *name, int *flag, struct err *err)
{
	const char *text = json_text(v);
	if (text && (strcmp(text, "True") == 0 || strcmp(text, "False") == 0)) {
		*flag = *text == 'T';
		return 0;
	}
	return json_fail(v, err, ERR_RANGE, "%s: \"%.40s\", accepted: \"True\" or \"False\"", name,
		text ? text : "not a text");
}

static int
azure_capability(struct jval c, V *m, struct err *err)
{
	const char *name = json_text(json_get(c, "name"));
	struct jval value = json_get(c, "value");
	if (!name || json_type(value) == JSON_ABSENT)
		return json_fail(
			c, err, ERR_PARSE, "a capability with \"name\" and \"value\" expected");
	for (size_t i = 0; i < N_AZURE; i++) {
		if (strcmp(azure_figures[i].name, name) == 0)
			return read_figure(
				value, &azure_figures[i], slot(m, azure_figures[i].offset), err);
	}
	if (strcmp(name, "PremiumIO") == 0)
		return read_flag(value, name, &m->premium_storage, err);
	int ultra = -1;
	if (strcmp(name, "UltraSSDAvailable") != 0)
		return 0;
	int rc = read_flag(value, name, &ultra, err);
	m->ultra_support = ultra == 1 ? "yes, by the provider's list of sizes"
				      : "no, by the provider's list of sizes";
	return rc;
}

static int
azure_size(struct jval v, V *m, struct arena *a, struct err *err)
{
	struct jval list = json_get(v, "capabilities");
	const char *family = json_text(json_get(v, "family"));
	int rc = 0;
	if (json_type(list) != JSON_ARRAY)
		return json_fail(v, err, ERR_PARSE, "%s: a list \"capabilities\" expected", m->sku);
	m->family = family ? arena_strdup(a, family) : NULL;
	for (struct jval c = json_first(list); c.node && rc == 0; c = json_next(c))
		rc = azure_capability(c, m, err);
	if (isnan(m->vcpus))
		m->vcpus = m->vcpus_billed;
	/* the list has no word of its own for it; the documents: any machine of premium disks */
	if (m->premium_storage >= 0)
		m->premium_v2_support =
			m->premium_storage == 1
				? "yes, derived from PremiumIO: any machine that takes premium "
				  "disks, where region and zone allow"
				: "no, derived from PremiumIO: the machine takes no premium disks";
	return rc;
}

/* The value at "A.B.C" below v. */
static struct jval
at_path(struct jval v, const char *path)
{
	char name[64];
	while (*path) {
		size_t n = strcspn(path, ".");
		if (n >= sizeof(name))
			n = sizeof(name) - 1;
		memcpy(name, path, n);
		name[n] = '\0';
		v = json_get(v, name);
		path += n + (path[n] == '.');
	}
	return v;
}

static int
aws_size(struct jval v, V *m, struct arena *a, struct err *err)
{
	int rc = 0;
	(void)a;
	for (size_t i = 0; i < N_AWS && rc == 0; i++) {
		const struct figure *f = &aws_figures[i];
		struct jval value = at_path(v, f->name);
		if (json_type(value) != JSON_ABSENT && json_type(value) != JSON_NULL)
			rc = read_figure(value, f, slot(m, f->offset), err);
	}
	const char *nvme = json_text(at_path(v, "EbsInfo.NvmeSupport"));
	if (nvme && strcmp(nvme, "required") == 0)
		m->interface = "NVMe";
	if (m->uncached_burst_iops > m->uncached_iops)
		m->burst_seconds = 1800; /* 30 minutes a day: EBS-optimized instances */
	return rc;
}

/* One kind of file. */
struct kind {
	const char *provider;
	const char *name_key; /* of the size */
	const char *type_key,
		*type; /* elements with another type are not machines; NULL: all are */
	int (*read)(struct jval v, V *m, struct arena *a, struct err *err);
};

static const struct kind azure_kind = {
	"azure", "name", "resourceType", "virtualMachines", azure_size};
static const struct kind aws_kind = {"aws", "InstanceType", NULL, NULL, aws_size};

static int
find_list(struct jval root, const char *path, const struct kind **kind, struct jval *list,
	struct err *err)
{
	struct jval aws = json_get(root, "InstanceTypes"), rest = json_get(root, "value");
	*kind = json_type(aws) == JSON_ARRAY ? &aws_kind : &azure_kind;
	*list = json_type(aws) == JSON_ARRAY ? aws : json_type(rest) == JSON_ARRAY ? rest : root;
	if (json_type(*list) == JSON_ARRAY)
		return 0;
	return err_set(err, ERR_PARSE,
		"%s:1:1: neither the list of `az vm list-skus` nor the \"InstanceTypes\" of `aws "
		"ec2 "
		"describe-instance-types`",
		path);
}

/* The figures that one size must not have two of. */
static bool
same_figures(const V *a, const V *b)
{
	for (size_t i = 0; i < N_AZURE; i++) {
		double x = get(a, azure_figures[i].offset);
		double y = get(b, azure_figures[i].offset);
		if (isnan(x) != isnan(y) || x < y || x > y)
			return false;
	}
	return true;
}

struct reading {
	V *items;
	size_t n;
};

static int
add_size(struct reading *r, struct arena *a, struct jval v, const V *m, struct err *err)
{
	for (size_t i = 0; i < r->n; i++) {
		if (strcmp(r->items[i].sku, m->sku) != 0)
			continue;
		return same_figures(&r->items[i], m)
			       ? 0 /* listed once a region */
			       : json_fail(v, err, ERR_RANGE,
					 "%s is in the file twice, with different figures", m->sku);
	}
	V *items = arena_grow(a, r->items, r->n, sizeof(*items));
	if (!items || !m->sku || !m->source || !m->as_of)
		return err_nomem(err);
	r->items = items;
	r->items[r->n++] = *m;
	return 0;
}

static int
read_list(struct jval list, const struct kind *kind, const char *path, struct arena *a,
	struct reading *r, struct err *err)
{
	int rc = 0;
	for (struct jval v = json_first(list); v.node && rc == 0; v = json_next(v)) {
		const char *type = kind->type_key ? json_text(json_get(v, kind->type_key)) : NULL;
		const char *name = json_text(json_get(v, kind->name_key));
		V m;
		if (kind->type_key && type && strcmp(type, kind->type) != 0)
			continue; /* disks, snapshots, hosts */
		if (!name || !*name)
			return json_fail(
				v, err, ERR_PARSE, "a size with \"%s\" expected", kind->name_key);
		clear(&m, a, name, path);
		rc = kind->read(v, &m, a, err);
		rc = rc ? rc : add_size(r, a, v, &m, err);
	}
	if (rc == 0 && r->n == 0)
		return err_set(err, ERR_PARSE, "%s:1:1: no machine size in it", path);
	return rc;
}

/* What the file states over what was there. */
static void
merge(V *old, const V *m)
{
	static const size_t burst[] = {offsetof(V, uncached_burst_iops),
		offsetof(V, uncached_burst_mbps), offsetof(V, burst_seconds)};
	for (size_t i = 0; i < N_AZURE; i++) {
		double value = get(m, azure_figures[i].offset);
		if (!isnan(value))
			*slot(old, azure_figures[i].offset) = value;
	}
	for (size_t i = 0; i < sizeof(burst) / sizeof(burst[0]); i++) {
		double value = get(m, burst[i]);
		if (!isnan(value))
			*slot(old, burst[i]) = value;
	}
	old->premium_storage = m->premium_storage >= 0 ? m->premium_storage : old->premium_storage;
	old->ultra_support = m->ultra_support ? m->ultra_support : old->ultra_support;
	if (!old->premium_v2_support)
		old->premium_v2_support = m->premium_v2_support;
	old->source = m->source;
	old->as_of = m->as_of;
}

/* The shipped rows are copied first, so that a failure leaves them alone. */
static int
put_into(const struct reading *r, struct arena *a, struct limits *limits,
	struct machines_read *result, struct err *err)
{
	V *rows = arena_array(a, limits->n_vms + r->n, sizeof(*rows));
	size_t n = limits->n_vms, old = n;
	if (!rows)
		return err_nomem(err);
	if (n)
		memcpy(rows, limits->vms, n * sizeof(*rows));
	for (size_t i = 0; i < r->n; i++) {
		size_t matched = 0;
		for (size_t k = 0; k < old; k++) {
			bool nvme = rows[k].interface && strcmp(rows[k].interface, "NVMe") == 0;
			if (strcmp(rows[k].sku, r->items[i].sku) != 0)
				continue;
			matched++;
			if (!nvme)
				merge(&rows[k], &r->items[i]);
		}
		result->changed += matched > 0;
		if (matched == 0) {
			rows[n++] = r->items[i];
			result->added++;
		}
	}
	limits->vms = rows;
	limits->n_vms = n;
	return 0;
}

int
machines_read(const char *path, struct arena *a, struct limits *limits,
	struct machines_read *result, char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	struct reading r = {NULL, 0};
	const struct kind *kind = NULL;
	struct jval list;
	*result = (struct machines_read){0, 0, 0};
	int rc = fetch_json(path, &doc, err);
	rc = rc ? rc : find_list(json_root(doc), path, &kind, &list, err);
	if (rc == 0 && strcmp(kind->provider, limits->provider) != 0)
		rc = err_set(err, ERR_RANGE,
			"%s:1:1: machine sizes of %s, but the limits are of %s", path,
			kind->provider, limits->provider);
	rc = rc ? rc : read_list(list, kind, path, a, &r, err);
	rc = rc ? rc : put_into(&r, a, limits, result, err);
	result->sizes = r.n;
	if (rc == 0 && sha256)
		memcpy(sha256, json_sha256(doc), 65);
	json_free(doc);
	return rc;
}
