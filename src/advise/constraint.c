#include "advise/constraint.h"

#include <math.h>
#include <string.h>

#include "advise/burst.h"
#include "advise/policy.h"
#include "advise/recovery.h"
#include "advise/spread.h"
#include "advise/transaction.h"
#include "base/units.h"

static const char *const name_text[] = {
	[CONSTRAINT_CAPACITY] = "capacity",
	[CONSTRAINT_REDUNDANCY] = "redundancy",
	[CONSTRAINT_MACHINE_TAKES] = "machine-support",
	[CONSTRAINT_IOPS] = "iops",
	[CONSTRAINT_MBPS] = "mbps",
	[CONSTRAINT_BURST] = "burst",
	[CONSTRAINT_WINDOW] = "backup-window",
	[CONSTRAINT_RULES] = "rule",
	[CONSTRAINT_READ_P99] = "read-p99",
	[CONSTRAINT_WRITE_P99] = "write-p99",
	[CONSTRAINT_COMMIT_P99] = "commit-p99",
	[CONSTRAINT_RTO] = "rto",
	[CONSTRAINT_PRICE] = "price",
	[CONSTRAINT_VM_IOPS] = "vm-iops",
	[CONSTRAINT_VM_MBPS] = "vm-mbps",
	[CONSTRAINT_VM_CACHED_IOPS] = "vm-cached-iops",
	[CONSTRAINT_VM_CACHED_MBPS] = "vm-cached-mbps",
	[CONSTRAINT_VM_DISKS] = "vm-disks",
	[CONSTRAINT_TPS] = "tps",
	[CONSTRAINT_TX_P99] = "tx-p99",
	[CONSTRAINT_RPO] = "rpo",
};
_Static_assert(sizeof(name_text) / sizeof(name_text[0]) == CONSTRAINT_COUNT, "a word for each");
_Static_assert(CONSTRAINT_COUNT <= 32, "a bit for each");
const struct names constraint_names = {"constraint", name_text, CONSTRAINT_COUNT};

struct check {
	const struct candidate_site *s;
	const struct candidate *c;
	const struct rule_context *ctx;
	bool words; /* say why; judging every candidate needs no sentence */
};

static const struct breach no_breach = {.constraint = -1,
	.need = (double)NAN,
	.have = (double)NAN,
	.best = (double)NAN,
	.margin_frac = (double)NAN};

/* "12,800" */
static const char *
count(struct arena *a, double v)
{
	char text[32];
	units_count_text(v, text);
	return arena_strdup(a, text);
}

/* Sums and products may differ from the exact value in the last bits. */
static bool
less(double have, double need)
{
	return have < need * (1 - 1e-9);
}

static struct breach
cap_breach(double cap, double headroom, double need, const char *unit)
{
	struct breach b = no_breach;
	b.applies = true;
	b.need = need;
	b.have = cap * (1 - headroom);
	b.unit = unit;
	b.broken = less(b.have, need);
	b.margin_frac = b.have > 0 ? (b.have - need) / b.have : need > 0 ? -1 : 0;
	return b;
}

/* "500 IOPS" or "500 IOPS, 400 with 20 % kept free" */
static const char *
cap_text(struct arena *a, double cap, double headroom, const char *unit)
{
	if (headroom <= 0)
		return arena_printf(a, "%s %s", count(a, cap), unit);
	return arena_printf(a, "%s %s, %s with %g %% kept free", count(a, cap), unit,
		count(a, cap * (1 - headroom)), headroom * 100);
}

static const char *
burst_text(struct arena *a, double burst, const char *unit)
{
	return isnan(burst)
		       ? ""
		       : arena_printf(a, "; its burst of %s %s does not last and is not counted",
				 count(a, burst), unit);
}

static struct breach
check_capacity(const struct check *k)
{
	const struct candidate *c = k->c;
	struct arena *a = k->s->arena;
	double need = k->s->demand->horizon_gib;
	double each = c->place == PLACE_LOCAL ? c->disk->size_gib_max : c->billed_gib;
	struct breach b = cap_breach(each * c->disks, 0, need, "GiB");
	if (b.broken && k->words)
		b.text = arena_printf(a, "%s holds %s GiB < %s needed", candidate_name(c, a),
			count(a, b.have), count(a, need));
	return b;
}

static struct breach
check_redundancy(const struct check *k)
{
	struct breach b = no_breach;
	const char *asked = k->s->in->workload->redundancy;
	const struct disk_limit *d = k->c->disk;
	b.applies = asked && d->ephemeral != 1;
	if (!b.applies)
		return b;
	b.broken = !d->copies || strcmp(d->copies, asked) != 0;
	for (size_t i = 0; i < d->n_redundancy; i++)
		b.broken = b.broken && strcmp(d->redundancy[i], asked) != 0;
	const char *kept = d->n_redundancy ? d->redundancy[0] : d->copies;
	if (b.broken)
		b.text = arena_printf(k->s->arena, "%s is offered with %s, %s is asked for", d->sku,
			kept ? kept : "no stated redundancy", asked);
	return b;
}

/* "yes ..." in the machine's column; anything else is no, and the sentence repeats it. */
static bool
says_yes(const char *support)
{
	return support && strncmp(support, "yes", 3) == 0;
}

/* Tiers that only large machines take. */
static struct breach
check_machine_size(const struct check *k)
{
	struct breach b = no_breach;
	const struct vm_limit *vm = k->s->vm;
	b.applies = !isnan(k->c->disk->machine_vcpus_min) && !isnan(vm->vcpus);
	b.need = k->c->disk->machine_vcpus_min;
	b.have = vm->vcpus;
	b.unit = "vCPUs";
	b.broken = b.applies && b.have < b.need;
	if (b.broken)
		b.text = arena_printf(k->s->arena,
			"%s on %s: only machines of %g vCPUs take it, this one has %g", k->c->title,
			vm->sku, b.need, b.have);
	return b;
}

/* A disk that several machines mount. */
static struct breach
check_shares(const struct check *k)
{
	struct breach b = no_breach;
	b.need = k->s->demand->volume->mounts;
	b.have = k->c->disk->max_shares;
	b.unit = "machines";
	b.applies = b.need > 1 && !isnan(b.have);
	b.broken = b.applies && b.have < b.need;
	if (b.broken && k->words)
		b.text = arena_printf(k->s->arena, "%s: at most %g machine%s may mount it, %g do",
			k->c->title, b.have, b.have > 1 ? "s" : "", b.need);
	return b.broken ? b : no_breach;
}

static struct breach
check_machine_takes(const struct check *k)
{
	struct breach b = no_breach;
	const struct vm_limit *vm = k->s->vm;
	const char *family = k->c->disk->family;
	b = check_shares(k);
	if (b.broken || !vm)
		return b;
	b = check_machine_size(k);
	if (b.broken)
		return b;
	const char *support = NULL;
	if (strcmp(family, "ultra_disk") == 0)
		support = vm->ultra_support;
	else if (strcmp(family, "premium_ssd_v2") == 0)
		support = vm->premium_v2_support;
	else if (strcmp(family, "premium_ssd") == 0)
		support = vm->premium_storage == 1 ? "yes" : vm->premium_storage == 0 ? "no" : NULL;
	else
		return b;
	b.applies = true;
	b.broken = !says_yes(support);
	if (b.broken)
		b.text = arena_printf(k->s->arena, "%s on %s: %s", k->c->title, vm->sku,
			support ? support : "the documents do not say that it is supported");
	return b;
}

/* Why a slower log needs fewer: its flushes come one after another. */
static const char *
sharing_text(const struct check *k)
{
	double each = demand_units(
		candidate_demand(k->s, k->c), k->c->disk->io_unit_kib, (double)NAN);
	return k->c->units < each * (1 - 1e-9) ? " (at its latency more commits share a flush)"
					       : "";
}

static struct breach
check_iops(const struct check *k)
{
	const struct candidate *c = k->c;
	struct arena *a = k->s->arena;
	if (isnan(c->units))
		return no_breach;
	double headroom = k->s->set->headroom;
	if (isnan(c->iops)) {
		struct breach b = no_breach;
		b.applies = b.broken = c->units > 0;
		b.text = arena_printf(a, "the documents do not say how many IOPS %s sustains",
			candidate_name(c, a));
		return b;
	}
	struct breach b = cap_breach(c->iops, headroom, c->units, "IOPS");
	if (!b.broken || !k->words)
		return b;
	b.text = arena_printf(a, "%s sustains %s: %s < %s IOPS needed%s%s", candidate_name(c, a),
		cap_text(a, c->iops, headroom, "IOPS"), count(a, b.have), count(a, b.need),
		sharing_text(k), burst_text(a, c->disk->burst_iops * c->disks, "IOPS"));
	return b;
}

static bool
has_window(const struct demand *d)
{
	return d->volume->role == WORKLOAD_BACKUP && !isnan(d->volume->window_hours) &&
	       isnan(d->volume->write_mbps);
}

static struct breach
check_mbps(const struct check *k)
{
	const struct candidate *c = k->c;
	struct arena *a = k->s->arena;
	double need = candidate_demand(k->s, c)->mbps;
	if (isnan(need) || has_window(k->s->demand))
		return no_breach;
	double headroom = k->s->set->headroom;
	if (isnan(c->mbps)) {
		struct breach b = no_breach;
		b.applies = b.broken = need > 0;
		b.text = arena_printf(a, "the documents do not say how many MB/s %s sustains",
			candidate_name(c, a));
		return b;
	}
	struct breach b = cap_breach(c->mbps, headroom, need, "MB/s");
	if (!b.broken || !k->words)
		return b;
	b.text = arena_printf(a, "%s sustains %s: %s < %s MB/s needed%s", candidate_name(c, a),
		cap_text(a, c->mbps, headroom, "MB/s"), count(a, b.have), count(a, b.need),
		burst_text(a, c->disk->burst_mbps * c->disks, "MB/s"));
	return b;
}

static struct breach
check_burst(const struct check *k)
{
	return burst_check(k->s, k->c);
}

static struct breach
check_window(const struct check *k)
{
	const struct demand *d = k->s->demand;
	const struct candidate *c = k->c;
	struct arena *a = k->s->arena;
	if (!has_window(d) || isnan(c->mbps))
		return no_breach;
	/* the copy gets what the other streams of the volume leave */
	double window = d->volume->window_hours;
	double copy_mb = d->horizon_gib * UNITS_GIB / UNITS_MB;
	double others = d->mbps - copy_mb / (window * 3600);
	double left = c->mbps * (1 - k->s->set->headroom) - others;
	struct breach b = no_breach;
	b.applies = true;
	b.need = window;
	b.have = left > 0 ? copy_mb / left / 3600 : (double)INFINITY;
	b.unit = "h";
	b.broken = less(window, b.have);
	b.margin_frac = left > 0 ? (window - b.have) / window : -1;
	if (b.broken && k->words)
		b.text = arena_printf(a,
			"%s sustains %s MB/s: %s GiB take %.1f h, the window is %g h",
			candidate_name(c, a), cap_text(a, c->mbps, k->s->set->headroom, "MB/s"),
			count(a, d->horizon_gib), b.have, window);
	return b;
}

static struct breach
check_rules(const struct check *k)
{
	struct breach b = no_breach;
	b.applies = k->s->in->rules != NULL;
	b.broken = k->c->rule_broken != NULL;
	if (b.broken && k->ctx && k->words)
		b.text = policy_text(k->s->in->rules, k->c->rule_broken, k->ctx, k->s->arena);
	return b;
}

static struct breach
latency_breach(const struct check *k, const char *what, double limit_ms,
	const struct estimate *mean, const struct estimate *p99)
{
	struct breach b = no_breach;
	struct arena *a = k->s->arena;
	const char *name = k->words ? candidate_name(k->c, a) : "";
	b.applies = true;
	b.need = limit_ms;
	b.have = p99->value / 1000;
	b.best = k->c->latency.model ? spread_good_end(p99, k->c->latency.model->trust) / 1000
				     : (double)NAN;
	b.unit = "ms";
	if (latency_known(p99)) {
		b.broken = less(limit_ms, b.have);
		b.margin_frac = (limit_ms - b.have) / limit_ms;
		if (!k->words)
			return b;
		b.text = arena_printf(a, "%s: %s p99 %.3g ms %s %g ms allowed", name, what, b.have,
			b.broken ? ">" : "<=", limit_ms);
		return b;
	}
	b.broken = true;
	if (latency_known(mean) && mean->value / 1000 > limit_ms) {
		b.have = b.best = mean->value / 1000;
		b.margin_frac = (limit_ms - b.have) / limit_ms;
		if (!k->words)
			return b;
		b.text = arena_printf(a,
			"%s: already the mean %s of %.3g ms > %g ms allowed for p99", name, what,
			b.have, limit_ms);
		return b;
	}
	if (!k->words)
		return b;
	b.text = arena_printf(a,
		"%s: %s p99 is not known (%s), so %g ms cannot be promised; measure "
		"one with tierwise bench",
		name, what, k->c->latency.unknown ? k->c->latency.unknown : "no data", limit_ms);
	return b;
}

static bool
is_data(const struct check *k)
{
	int role = k->s->demand->volume->role;
	return role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

static struct breach
check_read_p99(const struct check *k)
{
	const struct workload_sla *sla = k->s->in->workload->sla;
	if (!sla || isnan(sla->read_p99_ms) || !is_data(k))
		return no_breach;
	return latency_breach(
		k, "read", sla->read_p99_ms, &k->c->latency.read_mean, &k->c->latency.read_p99);
}

static struct breach
check_write_p99(const struct check *k)
{
	const struct workload_sla *sla = k->s->in->workload->sla;
	if (!sla || isnan(sla->write_p99_ms) || !is_data(k))
		return no_breach;
	return latency_breach(
		k, "write", sla->write_p99_ms, &k->c->latency.write_mean, &k->c->latency.write_p99);
}

static struct breach
check_commit_p99(const struct check *k)
{
	const struct workload_sla *sla = k->s->in->workload->sla;
	const struct engine *e = k->s->in->engine;
	if (!sla || isnan(sla->commit_p99_ms) || isnan(k->s->commit_kib) ||
		(e && !transaction_commit_waits(e)))
		return no_breach;
	return latency_breach(k, "commit", sla->commit_p99_ms, &k->c->latency.commit_mean,
		&k->c->latency.commit_p99);
}

/* "3,000,000 MB from a snapshot at 135 MB/s take 6.17 h, log and rest 0.50 h" */
static const char *
load_text(struct arena *a, const struct recovery *r)
{
	char size[32], lo[32], hi[32];
	double lo_mbps, hi_mbps, least = r->load_lo_h;
	recovery_rates(r, &lo_mbps, &hi_mbps);
	units_count_text(r->size_mb, size);
	units_count_text(round(lo_mbps), lo);
	units_count_text(round(hi_mbps), hi);
	const char *from = r->source == WORKLOAD_SNAPSHOT ? "from a snapshot" : "from the backup";
	if (r->source == WORKLOAD_STANDBY)
		return "a standby takes over";
	if (isnan(lo_mbps))
		return arena_printf(a, "%s MB %s at a rate that is not known", size, from);
	bool range = hi_mbps > lo_mbps * (1 + 1e-9);
	double load_h = r->paid ? r->paid_h : isnan(r->load_hi_h) ? least : r->load_hi_h;
	double rest_h = isnan(r->rest_h) ? r->rest_least_h : r->rest_h;
	const char *after = rest_h > 0 ? arena_printf(a, " and log and rest %.2f h more", rest_h)
				       : "";
	return arena_printf(a, "%s MB %s at %s%s%s MB/s%s take %s%.2f h%s", size, from, lo,
		range ? " to " : "", range ? hi : "",
		r->paid            ? " (a rate bought for the restore)"
		: r->machine_binds ? " (what the machine lets through)"
				   : "",
		range ? "at most " : "", load_h, after ? after : "");
}

/* What loading takes is the volume's; the log applied after it and the rest are the same for all. */
static struct breach
check_rto(const struct check *k)
{
	const struct workload_sla *sla = k->s->in->workload->sla;
	struct arena *a = k->s->arena;
	struct recovery r;
	if (!sla || isnan(sla->rto_hours))
		return no_breach;
	recovery_of(k->s, k->c, sla->rto_hours, &r);
	if (!r.applies)
		return no_breach;
	struct breach b = no_breach;
	b.applies = true;
	b.need = sla->rto_hours;
	b.have = r.open ? (double)NAN : isnan(r.hi_h) ? r.lo_h : r.hi_h;
	b.best = r.lo_h;
	b.unit = "h";
	b.broken = isnan(b.have) || less(b.need, b.have);
	b.margin_frac = (b.need - b.have) / b.need;
	if (!k->words)
		return b;
	const char *name = candidate_name(k->c, a);
	if (isnan(b.have))
		b.text = arena_printf(a,
			"%s: %s, so at least %.2f h, and %g h cannot be promised; not known: %s",
			name, load_text(a, &r), r.lo_h, b.need, r.gap ? r.gap : "the rate");
	else
		b.text = arena_printf(a, "%s: %s: %s%.2f h %s %g h allowed", name, load_text(a, &r),
			isnan(r.hi_h) ? "at least " : "", b.have, b.broken ? ">" : "<=", b.need);
	return b;
}

static struct breach
check_price(const struct check *k)
{
	struct breach b = no_breach;
	b.applies = true;
	b.broken = !k->c->priced;
	if (b.broken && k->words)
		b.text = arena_printf(k->s->arena, "the price of %s is not known: %s",
			candidate_name(k->c, k->s->arena), k->c->price_gap);
	return b;
}

/* A stripe of more disks than the machine attaches; the disks of all volumes together are the choice's. */
static struct breach
check_disks(const struct check *k)
{
	const struct vm_limit *vm = k->s->vm;
	struct breach b = no_breach;
	if (!vm || isnan(vm->max_data_disks) || k->c->place == PLACE_LOCAL)
		return b;
	b.constraint = (int)CONSTRAINT_VM_DISKS;
	b.applies = true;
	b.broken = k->c->disks > vm->max_data_disks;
	b.need = k->c->disks;
	b.have = vm->max_data_disks;
	b.margin_frac = (b.have - b.need) / b.have;
	b.unit = "disks";
	if (b.broken && k->words)
		b.text = arena_printf(k->s->arena, "%s: %s attaches %g data disks",
			candidate_name(k->c, k->s->arena), vm->sku, b.have);
	return b;
}

typedef struct breach check_function(const struct check *k);

static check_function *const checks[] = {
	[CONSTRAINT_CAPACITY] = check_capacity,
	[CONSTRAINT_REDUNDANCY] = check_redundancy,
	[CONSTRAINT_MACHINE_TAKES] = check_machine_takes,
	[CONSTRAINT_IOPS] = check_iops,
	[CONSTRAINT_MBPS] = check_mbps,
	[CONSTRAINT_BURST] = check_burst,
	[CONSTRAINT_WINDOW] = check_window,
	[CONSTRAINT_RULES] = check_rules,
	[CONSTRAINT_READ_P99] = check_read_p99,
	[CONSTRAINT_WRITE_P99] = check_write_p99,
	[CONSTRAINT_COMMIT_P99] = check_commit_p99,
	[CONSTRAINT_RTO] = check_rto,
	[CONSTRAINT_PRICE] = check_price,
};
enum { N_CHECKS = sizeof(checks) / sizeof(checks[0]) };
_Static_assert(
	(int)N_CHECKS == (int)CONSTRAINT_VM_IOPS, "a function for every constraint of a candidate");

static struct breach
answer(const struct check *k, enum constraint_id id)
{
	struct breach b = checks[id](k);
	if (b.applies)
		b.constraint = (int)id;
	return b;
}

struct breach
constraint_check(enum constraint_id id, const struct candidate_site *s, const struct candidate *c,
	const struct rule_context *ctx)
{
	const struct check k = {s, c, ctx, true};
	if (id == CONSTRAINT_VM_DISKS)
		return check_disks(&k);
	return (int)id < N_CHECKS ? answer(&k, id) : no_breach;
}

/* A rule that forbids what IOPS or MB/s forbid is no second constraint: without the first it has no object. */
static void
forget_shadow(const struct candidate_site *s, struct candidate *c, struct rule_context *ctx)
{
	const unsigned rates = CONSTRAINT_BIT(CONSTRAINT_IOPS) | CONSTRAINT_BIT(CONSTRAINT_MBPS);
	if ((c->broken & CONSTRAINT_BIT(CONSTRAINT_RULES)) && (c->broken & rates) &&
		!policy_breaks_at_any_rate(s, c, ctx))
		c->broken &= ~CONSTRAINT_BIT(CONSTRAINT_RULES);
}

void
constraint_check_all(const struct candidate_site *s, struct candidate *c, struct rule_context *ctx)
{
	policy_facts_of(s, c, ctx);
	policy_judge(s->in->rules, ctx, c);
	c->broken = c->unknown = c->unmeasured = 0;
	const struct check k = {s, c, ctx, false};
	for (int id = 0; id < N_CHECKS; id++) {
		struct breach b = answer(&k, (enum constraint_id)id);
		if (!b.broken)
			continue;
		c->broken |= CONSTRAINT_BIT(id);
		bool timed = id == CONSTRAINT_READ_P99 || id == CONSTRAINT_WRITE_P99 ||
			     id == CONSTRAINT_COMMIT_P99 || id == CONSTRAINT_RTO;
		if (timed && (isnan(b.have) || b.best <= b.need))
			c->unknown |= CONSTRAINT_BIT(id);
		if (timed && isnan(b.have))
			c->unmeasured |= CONSTRAINT_BIT(id);
	}
	if (check_disks(&k).broken)
		c->broken |= CONSTRAINT_BIT(CONSTRAINT_VM_DISKS);
	forget_shadow(s, c, ctx);
}

double
constraint_over(const struct breach *b)
{
	double over = fmax(b->need / b->have, b->have / b->need) - 1;
	return isnan(b->need) || isnan(b->have) || !(over >= 0) ? (double)INFINITY : over;
}

double
constraint_most_over(const struct candidate_site *s, const struct candidate *c, unsigned bits)
{
	const struct check k = {s, c, NULL, false};
	double over = 0;
	for (int id = 0; id < (int)CONSTRAINT_COUNT; id++) {
		if (!(bits & CONSTRAINT_BIT(id)))
			continue;
		struct breach b = id < N_CHECKS ? answer(&k, (enum constraint_id)id)
						: check_disks(&k);
		over = b.broken ? fmax(over, constraint_over(&b)) : over;
	}
	return over;
}
