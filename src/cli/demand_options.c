#include "cli/demand_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/workload.h"

enum {
	KEY_ROLE = 0x3000,
	KEY_CAPACITY,
	KEY_CAP,
	KEY_VM_CAP,
	KEY_HOST_CACHE,
	KEY_COPY,
	KEY_TARGET_TPS,
	KEY_P99_LIMIT,
	KEY_SYSTEM,
	KEY_PROVIDER,
	KEY_REGION,
	KEY_ENGINE,
	KEY_OBSERVED,
};

static const struct argp_option option_rows[] = {
	{"role", KEY_ROLE, "ROLE=DEVICE", 0,
		"The device is the volume of wal, data, index, temp or backup: json is then a "
		"tierwise/workload/1 document with these volumes; may repeat",
		20},
	{"capacity", KEY_CAPACITY, "DEVICE=GIB", 0,
		"Space that the volume of a device needs, for that document; may repeat", 20},
	{"system", KEY_SYSTEM, "TEXT", 0, "Name in that document", 20},
	{"provider", KEY_PROVIDER, "NAME", 0, "Provider in that document, as in the price books",
		20},
	{"region", KEY_REGION, "NAME", 0, "Region in that document", 20},
	{"engine", KEY_ENGINE, "NAME", 0, "Database in that document, as postgresql or generic",
		20},
	{"cap", KEY_CAP, "DEVICE:iops=N,mbps=N", 0,
		"What the device is sold with: IOPS and MB/s of 10^6 bytes, sustained; also "
		"burst=N "
		"IOPS while credits last, and bucket=N credits when full; may repeat",
		21},
	{"vm-cap", KEY_VM_CAP, "iops=N,mbps=N", 0,
		"What the machine lets through uncached; also cached-iops=N, cached-mbps=N", 21},
	{"host-cache", KEY_HOST_CACHE, "[DEVICE=]DISK", 0,
		"The disk, as the provider names it, has a read cache of the host in front: what "
		"the "
		"cache answers is what DEVICE, the same disk as the machine sees it, asks for and "
		"the "
		"disk does not get; without DEVICE, what goes through the machine's cached cap "
		"(--vm-cap cached-iops=N); may repeat",
		21},
	{"copy", KEY_COPY, "MB", 0,
		"A backup of so many MB (10^6 bytes) is copied from disk to disk of the machine",
		21},
	{"p99-limit", KEY_P99_LIMIT, "TIME", 0,
		"The 99th percentile of a latency histogram must not exceed this, as in 10ms", 21},
	{"target-tps", KEY_TARGET_TPS, "N", 0,
		"Transactions a second to reach: how long a sync of the log may then take", 21},
	{"observed", KEY_OBSERVED, "NAME=NUMBER", 0,
		"For the diagnosis, what the evidence does not hold: start_transfer_ms of a "
		"request over "
		"the network, sql_frac of a transaction's time in statements, app_gap_ms between "
		"them, connections, connections_max, pool, callers, buffer_hit_frac, temp_files, "
		"iowait_frac; may repeat",
		21},
	{0},
};

void
demand_options_init(struct demand_options *o, struct arena *a)
{
	*o = (struct demand_options){.arena = a, .p99_limit_us = NAN, .engine = -1};
	o->need = (struct need_options){.vm_iops = NAN,
		.vm_bytes_s = NAN,
		.vm_cached_iops = NAN,
		.vm_cached_bytes_s = NAN,
		.copy_bytes = NAN,
		.target_tps = NAN};
}

static double
number(struct argp_state *state, const char *option, const char *text)
{
	struct err err;
	double v = NAN;
	if (units_parse_count(text, &v, &err) != 0 || v <= 0)
		argp_error(state, "--%s %s: a number above 0, as in 3000 or 160k", option, text);
	return v;
}

/* A key of a cap, where its value goes, and what it is multiplied by. */
struct key {
	const char *name;
	double *value;
	double scale;
};

/* "iops=5000,mbps=200" */
static int
take_keys(struct argp_state *state, struct arena *a, const char *option, const char *text,
	const struct key *keys, size_t n)
{
	char *copy = arena_strdup(a, text), *rest = copy, *part;
	if (!copy)
		return ENOMEM;
	while ((part = strsep(&rest, ",")) != NULL) {
		char *value = strchr(part, '=');
		size_t k = 0;
		if (value)
			*value++ = '\0';
		while (k < n && strcmp(part, keys[k].name) != 0)
			k++;
		if (!value || k == n) {
			argp_error(state, "--%s: \"%s\" is not KEY=NUMBER with %s, %s%s", option,
				part, keys[0].name, keys[1].name,
				n == 4 ? (keys[2].name[0] == 'b' ? ", burst, bucket"
								 : ", cached-iops, cached-mbps")
				       : "");
			return 0;
		}
		if (!isnan(*keys[k].value)) {
			argp_error(state, "--%s: %s is given twice", option, part);
			return 0;
		}
		*keys[k].value = number(state, option, value) * keys[k].scale;
	}
	return 0;
}

/* The device may hold colons itself: what follows the last one are the keys. */
static int
take_cap(struct argp_state *state, struct demand_options *o, const char *text)
{
	const char *colon = strrchr(text, ':');
	struct need_cap cap = {NULL, NAN, NAN, NAN, NAN};
	const struct key keys[] = {{"iops", &cap.iops, 1}, {"mbps", &cap.bytes_s, UNITS_MB},
		{"burst", &cap.burst_iops, 1}, {"bucket", &cap.bucket_ios, 1}};
	if (!colon || colon == text || !strchr(colon, '=')) {
		argp_error(state, "--cap %s: DEVICE:iops=N,mbps=N", text);
		return 0;
	}
	cap.device = arena_strndup(o->arena, text, (size_t)(colon - text));
	int rc = take_keys(state, o->arena, "cap", colon + 1, keys, 4);
	if (cap.burst_iops < cap.iops)
		argp_error(state, "--cap %s: burst is %g IOPS, below the sustained %g", text,
			cap.burst_iops, cap.iops);
	struct need_cap *all = arena_grow(o->arena, o->caps, o->need.n_caps, sizeof(*all));
	if (rc || !all || !cap.device)
		return ENOMEM;
	for (size_t i = 0; i < o->need.n_caps; i++) {
		if (strcmp(all[i].device, cap.device) == 0)
			argp_error(state, "--cap %s: %s has a cap already: give its keys together",
				text, cap.device);
	}
	o->caps = all;
	o->caps[o->need.n_caps++] = cap;
	o->need.caps = o->caps;
	return 0;
}

static int
take_role(struct argp_state *state, struct demand_options *o, const char *text)
{
	const char *equals = strchr(text, '=');
	char *word = equals ? arena_strndup(o->arena, text, (size_t)(equals - text)) : NULL;
	int role = word ? names_find(&workload_role_names, word) : -1;
	if (role < 0 || !equals[1]) {
		argp_error(state, "--role %s: ROLE=DEVICE with wal, data, index, temp or backup",
			text);
		return 0;
	}
	struct need_role *all = arena_grow(o->arena, o->roles, o->need.n_roles, sizeof(*all));
	if (!all)
		return ENOMEM;
	o->roles = all;
	o->roles[o->need.n_roles++] = (struct need_role){equals + 1, role, NAN};
	o->need.roles = o->roles;
	return 0;
}

static int
take_capacity(struct argp_state *state, struct demand_options *o, const char *text)
{
	const char *equals = strrchr(text, '=');
	if (!equals || equals == text) {
		argp_error(state, "--capacity %s: DEVICE=GIB", text);
		return 0;
	}
	struct demand_capacity *all = arena_grow(
		o->arena, o->capacities, o->n_capacities, sizeof(*all));
	const char *device = arena_strndup(o->arena, text, (size_t)(equals - text));
	if (!all || !device)
		return ENOMEM;
	for (size_t i = 0; i < o->n_capacities; i++) {
		if (strcmp(o->capacities[i].device, device) == 0)
			argp_error(state, "--capacity %s: the space of %s is given twice", text,
				device);
	}
	o->capacities = all;
	o->capacities[o->n_capacities++] = (struct demand_capacity){
		device, number(state, "capacity", equals + 1)};
	return 0;
}

static int
take_vm_cap(struct argp_state *state, struct demand_options *o, const char *text)
{
	const struct key keys[] = {{"iops", &o->need.vm_iops, 1},
		{"mbps", &o->need.vm_bytes_s, UNITS_MB},
		{"cached-iops", &o->need.vm_cached_iops, 1},
		{"cached-mbps", &o->need.vm_cached_bytes_s, UNITS_MB}};
	return take_keys(state, o->arena, "vm-cap", text, keys, 4);
}

/* "sdc=pgdata", or "pgdata". */
static int
take_host_cache(struct argp_state *state, struct demand_options *o, const char *text)
{
	const char *equals = strchr(text, '='), *disk = equals ? equals + 1 : text;
	if (!*disk || equals == text) {
		argp_error(state, "--host-cache %s: DEVICE=DISK, or DISK", text);
		return 0;
	}
	if (equals && (size_t)(equals - text) == strlen(disk) &&
		strncmp(text, disk, strlen(disk)) == 0)
		argp_error(state,
			"--host-cache %s: both are the same: the disk as the machine sees "
			"it, and as the provider names it",
			text);
	struct need_host_cache *all = arena_grow(
		o->arena, o->host_caches, o->need.n_host_caches, sizeof(*all));
	const char *seen = equals ? arena_strndup(o->arena, text, (size_t)(equals - text)) : NULL;
	if (!all || (equals && !seen))
		return ENOMEM;
	o->host_caches = all;
	o->host_caches[o->need.n_host_caches++] = (struct need_host_cache){seen, disk};
	o->need.host_caches = o->host_caches;
	return 0;
}

static int
take_observed(struct argp_state *state, struct demand_options *o, const char *text)
{
	const char *equals = strchr(text, '=');
	char *end = NULL;
	double v = equals ? strtod(equals + 1, &end) : (double)NAN;
	if (!equals || equals == text || end == equals + 1 || *end || !(v >= 0) || isinf(v)) {
		argp_error(state, "--observed %s: NAME=NUMBER, not below 0", text);
		return 0;
	}
	struct demand_observed *all = arena_grow(
		o->arena, o->observed, o->n_observed, sizeof(*all));
	const char *name = arena_strndup(o->arena, text, (size_t)(equals - text));
	if (!all || !name)
		return ENOMEM;
	o->observed = all;
	o->observed[o->n_observed++] = (struct demand_observed){name, v};
	return 0;
}

static void
take_limit(struct argp_state *state, struct demand_options *o, const char *text)
{
	struct err err;
	double seconds = NAN;
	if (units_parse_seconds(text, &seconds, &err) != 0)
		argp_error(state, "--p99-limit %s: a time above 0, as in 10ms", text);
	o->p99_limit_us = seconds * 1e6;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct demand_options *o = state->input;
	switch (key) {
	case KEY_ROLE:
		return take_role(state, o, arg);
	case KEY_CAPACITY:
		return take_capacity(state, o, arg);
	case KEY_CAP:
		return take_cap(state, o, arg);
	case KEY_VM_CAP:
		return take_vm_cap(state, o, arg);
	case KEY_HOST_CACHE:
		return take_host_cache(state, o, arg);
	case KEY_COPY:
		o->need.copy_bytes = number(state, "copy", arg) * UNITS_MB;
		return 0;
	case KEY_TARGET_TPS:
		o->need.target_tps = number(state, "target-tps", arg);
		return 0;
	case KEY_P99_LIMIT:
		take_limit(state, o, arg);
		return 0;
	case KEY_OBSERVED:
		return take_observed(state, o, arg);
	case KEY_SYSTEM:
		o->system = arg;
		return 0;
	case KEY_PROVIDER:
		o->provider = arg;
		return 0;
	case KEY_REGION:
		o->region = arg;
		return 0;
	case KEY_ENGINE:
		o->engine = names_find(&workload_engine_names, arg);
		if (o->engine < 0)
			argp_error(state, "--engine %s: see tierwise schema workload", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp demand_options_argp = {.options = option_rows, .parser = parse_option};

int
demand_options_check(struct demand_options *o, struct err *err)
{
	for (size_t i = 0; i < o->n_capacities; i++) {
		size_t k = 0;
		while (k < o->need.n_roles &&
			strcmp(o->roles[k].device, o->capacities[i].device) != 0)
			k++;
		if (k == o->need.n_roles)
			return err_set(err, ERR_USAGE,
				"--capacity %s: give --role ROLE=%s too, which makes it a volume",
				o->capacities[i].device, o->capacities[i].device);
		o->roles[k].capacity_gib = o->capacities[i].gib;
	}
	return 0;
}
