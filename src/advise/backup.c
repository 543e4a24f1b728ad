/*
 * backup.c - what a backup does to the machine while it runs: a copy from disk to disk passes the
 * machine's MB/s twice, one over the network once (build.h).
 */
#include <math.h>

#include "advise/build.h"
#include "base/units.h"

/* From this share of the machine's MB/s on, whoever works in the window waits. */
#define BUSY_FRAC 0.8

struct copy {
	const char *label;
	double mb, window_h;
	double cap_mbps; /* of the machine for remote disks, whole */
	double passes_mb; /* what of it passes that cap: written, and read from volumes of the machine */
	double others_mbps; /* of the cap, for everything else */
};

static const char *
label_of(const struct workload_volume *v)
{
	return v->name ? v->name : names_text(&workload_role_names, v->role);
}

static double
hours(double mb, double mbps)
{
	return mb / mbps / 3600;
}

static const char *
count(const struct build *b, double v)
{
	char text[32];
	units_count_text(v, text);
	const char *copy = arena_strdup(b->arena, text);
	return copy ? copy : "";
}

/* The least window beside the other load, with the headroom kept; "": none would do. */
static const char *
least_window(const struct build *b, const struct copy *c)
{
	double left = c->cap_mbps * (1 - b->c->set.headroom) - c->others_mbps;
	if (!(left > 0))
		return "";
	const char *text = arena_printf(b->arena,
		"; beside the other load, and with %g %% kept free, it needs %.2f h",
		b->c->set.headroom * 100, hours(c->passes_mb, left));
	return text ? text : "";
}

/* How long the copy takes at best, on a disk and elsewhere. */
static int
say_limits(struct build *b, const struct copy *c, struct err *err)
{
	return build_change(b,
		arena_printf(b->arena,
			"%s: read and written through the machine's %s MB/s, the copy of %s MB "
			"runs at %s MB/s at most and takes %.2f h, with nothing left for anybody "
			"else%s; "
			"over the network (\"target\": \"network\") %s MB/s and %.2f h; take a "
			"larger "
			"machine, or throttle it over a longer window",
			c->label, count(b, c->cap_mbps), count(b, c->mb), count(b, c->cap_mbps / 2),
			hours(c->mb, c->cap_mbps / 2), least_window(b, c), count(b, c->cap_mbps),
			hours(c->mb, c->cap_mbps)),
		err);
}

/* The machine's MB/s that the chosen, or nearest, disks are asked for, and its cap. */
static bool
machine_use(const struct build *b, double *need, double *cap)
{
	double used[CAP_COUNT], caps[CAP_COUNT];
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	if (!vm || !(b->choice.found || b->near))
		return false;
	chooser_use(b->c, b->choice.option, b->choice.at, used);
	constraint_machine_caps(b->c->in->limits, vm, 0, caps);
	*need = used[CAP_REMOTE_MBPS];
	*cap = caps[CAP_REMOTE_MBPS];
	return isfinite(*cap);
}

/* What of the copy is read from volumes of this machine: at most what they hold (demand.c). */
static double
read_mb(const struct build *b, const struct workload_volume *backup)
{
	double held = 0;
	for (size_t i = 0; i < b->c->set.n; i++) {
		const struct workload_volume *v = b->c->set.volumes[i].volume;
		if (v->role == WORKLOAD_DATA || v->role == WORKLOAD_INDEX)
			held += demand_horizon_gib(b->c->in->workload, v);
	}
	return fmin(demand_horizon_gib(b->c->in->workload, backup), held) * UNITS_GIB / UNITS_MB;
}

static void
say_busy(struct build *b, const struct copy *c, double need)
{
	findings_add(b->findings, SEVERITY_WARNING, "backup-window",
		"throttle the copy, move it to quiet hours, or send it over the network",
		"%s: while the copy runs, %.0f %% of the machine's %s MB/s are asked for: log "
		"writes and reads wait behind it, and their latency in the window is at risk",
		c->label, 100 * need / c->cap_mbps, count(b, c->cap_mbps));
}

static void
say_elsewhere(struct build *b, const char *label)
{
	findings_add(b->findings, SEVERITY_NOTE, "backup-elsewhere", "price that storage by itself",
		"%s: kept over the network, so its storage and its price are not part of this "
		"plan; the copy is read through the machine's disk caps once, not twice",
		label);
}

int
build_backup(struct build *b, struct err *err)
{
	const struct workload *w = b->c->in->workload;
	double need = 0, cap = 0;
	bool known = machine_use(b, &need, &cap);
	int rc = 0;
	for (size_t i = 0; i < w->n_volumes && rc == 0; i++) {
		const struct workload_volume *v = &w->volumes[i];
		if (v->role != WORKLOAD_BACKUP)
			continue;
		if (v->target == WORKLOAD_NETWORK)
			say_elsewhere(b, label_of(v));
		bool copies = !isnan(v->window_hours) && isnan(v->write_mbps);
		if (!known || !copies || need < BUSY_FRAC * cap)
			continue;
		struct copy c = {.label = label_of(v),
			.mb = demand_horizon_gib(w, v) * UNITS_GIB / UNITS_MB,
			.window_h = v->window_hours,
			.cap_mbps = cap};
		c.passes_mb = c.mb + read_mb(b, v);
		c.others_mbps = need - c.passes_mb / (c.window_h * 3600);
		if (v->target != WORKLOAD_NETWORK)
			rc = say_limits(b, &c, err);
		if (b->choice.found)
			say_busy(b, &c, need);
	}
	return rc;
}
