#include "advise/choose.h"

#include <math.h>
#include <string.h>

#include "advise/policy.h"

static bool
is_joint_role(int role)
{
	return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

static bool
has_role(const struct chooser *c, int role)
{
	for (size_t i = 0; i < c->set.n; i++) {
		if (c->set.volumes[i].volume->role == role)
			return true;
	}
	return false;
}

bool
chooser_is_log(const struct chooser *c, size_t v)
{
	int role = c->set.volumes[v].volume->role;
	return role == WORKLOAD_WAL || (role == WORKLOAD_DATA && !has_role(c, WORKLOAD_WAL));
}

bool
chooser_is_pages(const struct chooser *c, size_t v)
{
	int role = c->set.volumes[v].volume->role;
	return role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

/* Size of a durable log write on this volume: on the log, or on the data when there is no log. */
static double
commit_kib(const struct chooser *c, const struct demand *d)
{
	if (!chooser_is_log(c, (size_t)(d - c->set.volumes)))
		return (double)NAN;
	if (d->volume->role == WORKLOAD_WAL && !isnan(d->io_kib))
		return d->io_kib;
	double kib = c->set.has_tx ? c->set.tx.wal_kib : (double)NAN;
	return fmax(1, ceil(kib / DEMAND_BLOCK_KIB)) * DEMAND_BLOCK_KIB;
}

static void
set_order(struct chooser *c)
{
	size_t n = 0;
	for (int joint = 1; joint >= 0; joint--) {
		for (size_t i = 0; i < c->set.n; i++) {
			if (is_joint_role(c->set.volumes[i].volume->role) == joint)
				c->order[n++] = i;
		}
		if (joint)
			c->n_joint = n;
	}
	if (!c->set.has_tx)
		c->tx_gap = "the workload has no transactions";
	else if (c->n_joint == 0)
		c->tx_gap = "the workload has no log and no data volume";
	else if (c->set.tx.page_reads > 0 && !has_role(c, WORKLOAD_DATA) &&
		 !has_role(c, WORKLOAD_INDEX))
		c->tx_gap = "transactions read pages, but the workload has no data volume";
	if (c->tx_gap)
		c->n_joint = 0;
}

static int
make_lists(struct chooser *c, struct machine_option *o, struct err *err)
{
	o->sites = arena_array(c->arena, c->set.n, sizeof(*o->sites));
	o->lists = arena_array(c->arena, c->set.n, sizeof(*o->lists));
	struct rule_context ctx = {0};
	if (!o->sites || !o->lists)
		return err_nomem(err);
	int rc = rule_context_init(&ctx, c->arena, err);
	for (size_t i = 0; i < c->set.n && rc == 0; i++) {
		const struct demand *d = &c->set.volumes[i];
		c->common[i] = c->common[i] ? c->common[i] : candidate_memo_new(c->arena);
		o->sites[i] = (struct candidate_site){
			c->in, &c->set, d, o->vm, commit_kib(c, d), c->arena, c->common[i]};
		rc = candidate_generate(&o->sites[i], &o->lists[i], err);
		policy_facts(&o->sites[i], NULL, NULL, &ctx);
		for (size_t k = 0; k < o->lists[i].n && rc == 0; k++)
			constraint_check_all(&o->sites[i], &o->lists[i].items[k], &ctx);
		rc = rc ? rc : candidate_drop(&o->sites[i], &o->lists[i], err);
	}
	return rc;
}

static void
price_machine(struct chooser *c, struct machine_option *o)
{
	struct bill bill;
	struct err err = {0};
	bill_init(&bill, c->in->book);
	int rc = bill_add_vm(&bill, c->arena, c->in->book, o->vm->sku, 1, &err);
	bool known = rc == 0 && bill.complete == 1;
	o->monthly = known ? bill.total : (double)NAN;
	if (!known)
		o->price_gap = arena_strdup(c->arena, err.text[0] ? err.text : "no price");
}

static void
note_machine(struct chooser *c, const struct machine_option *o)
{
	const struct vm_limit *vm = o->vm;
	if (isnan(vm->uncached_iops) || isnan(vm->uncached_mbps))
		findings_add(c->findings, SEVERITY_WARNING, "machine-cap-unknown",
			"look the caps up and add them to the limits file",
			"%s: the documents give no uncached %s cap, so it is not checked", vm->sku,
			isnan(vm->uncached_iops) ? "IOPS" : "MB/s");
	if (o->price_gap)
		findings_add(c->findings, SEVERITY_WARNING, "machine-price-unknown",
			"add its price to the book, or leave the size out of the workload",
			c->machine_counts
				? "%s: its price is not known (%s), so it is compared only when no "
				  "priced size fits"
				: "%s: its price is not known (%s); it is the same in every choice",
			vm->sku, o->price_gap);
}

/* NULL: the workload names no machine. */
static int
add_option(struct chooser *c, const struct vm_limit *vm, struct err *err)
{
	struct machine_option *o = arena_grow(c->arena, c->options, c->n_options, sizeof(*o));
	if (!o)
		return err_nomem(err);
	c->options = o;
	o += c->n_options++;
	*o = (struct machine_option){.vm = vm, .monthly = (double)NAN};
	if (vm)
		price_machine(c, o);
	return make_lists(c, o, err);
}

/*
 * A size, once for every controller its remote disks can hang on: of two that cost the same the search
 * keeps the first (SCSI), which asks nothing of the image.
 */
static int
add_size(struct chooser *c, const char *sku, struct err *err)
{
	const struct limits *limits = c->in->limits;
	const struct vm_limit *first = NULL;
	if (limits_vm(limits, sku, &first, err))
		return workload_error_at(c->in->workload->at.machines, err);
	int rc = add_option(c, first, err);
	if (rc == 0)
		note_machine(c, &c->options[c->n_options - 1]);
	for (size_t i = 0; i < limits->n_vms && rc == 0; i++) {
		const struct vm_limit *vm = &limits->vms[i];
		if (vm != first && strcmp(vm->sku, sku) == 0)
			rc = add_option(c, vm, err);
	}
	return rc;
}

static int
make_options(struct chooser *c, struct err *err)
{
	const struct workload_vm *vm = c->in->workload->vm;
	c->machine_counts = vm && vm->n_sizes > 1;
	c->machines = vm && !isnan(vm->count) ? vm->count : 1;
	int rc = 0;
	if (!vm)
		rc = add_option(c, NULL, err);
	for (size_t i = 0; vm && i < vm->n_sizes && rc == 0; i++)
		rc = add_size(c, vm->sizes[i], err);
	if (rc)
		return rc;
	if (!vm)
		findings_add(c->findings, SEVERITY_WARNING, "no-machine",
			"name the machine sizes under \"vm\"",
			"the workload names no machine: no VM cap was checked, and a VM usually "
			"caps "
			"its disks");
	return 0;
}

int
chooser_init(struct chooser *c, const struct advise_input *in, struct arena *a,
	struct findings *findings, struct err *err)
{
	*c = (struct chooser){.in = in, .arena = a, .findings = findings};
	int rc = demand_derive(in->workload, in->engine, a, findings, &c->set, err);
	rc = rc ? rc : chooser_tx_init(c, err);
	if (rc)
		return rc;
	set_order(c);
	candidate_gaps(in, findings);
	return make_options(c, err);
}

void
chooser_use(const struct chooser *c, size_t option, const struct candidate *const *at,
	double used[CAP_COUNT])
{
	for (size_t i = 0; i < CAP_COUNT; i++)
		used[i] = 0;
	for (size_t v = 0; v < c->set.n; v++) {
		double use[CAP_COUNT] = {0};
		if (at[v])
			constraint_machine_use(&c->options[option].sites[v], at[v], use);
		for (size_t i = 0; i < CAP_COUNT; i++)
			used[i] += use[i];
	}
}

struct breach
chooser_check(struct chooser *c, size_t option, const struct candidate *const *at, unsigned relaxed)
{
	double used[CAP_COUNT];
	chooser_use(c, option, at, used);
	struct breach b = constraint_machine_check(
		c->in->limits, c->options[option].vm, c->set.headroom, used, relaxed, c->arena);
	if (b.broken)
		return b;
	return chooser_tx_breach(c, option, at, relaxed);
}

bool
chooser_paces(const struct chooser *c, enum choose_pace pace, size_t volume)
{
	int role = c->set.volumes[volume].volume->role;
	if (pace == CHOOSE_PACE_COMMIT)
		return role == WORKLOAD_WAL ||
		       (role == WORKLOAD_DATA && !has_role(c, WORKLOAD_WAL));
	return (pace == CHOOSE_PACE_READ || pace == CHOOSE_PACE_WRITE) &&
	       (role == WORKLOAD_DATA || role == WORKLOAD_INDEX);
}

double
chooser_own_pace_ms(const struct candidate *k, enum choose_pace pace)
{
	const struct latency *l = &k->latency;
	const struct estimate *p99 = pace == CHOOSE_PACE_COMMIT  ? &l->commit_p99
				     : pace == CHOOSE_PACE_WRITE ? &l->write_p99
								 : &l->read_p99;
	return p99->value / 1000;
}

double
chooser_pace_ms(
	struct chooser *c, enum choose_pace pace, size_t option, const struct candidate *const *at)
{
	struct tx_answer r;
	double slowest = (double)NAN;
	if (pace == CHOOSE_PACE_TX)
		return chooser_tx_figures(c, option, at, &r) ? slowest : r.tx_p99_ms.value;
	for (size_t v = 0; v < c->set.n; v++) {
		double own = chooser_paces(c, pace, v) ? chooser_own_pace_ms(at[v], pace) : slowest;
		if (chooser_paces(c, pace, v) && isnan(own))
			return own;
		slowest = fmax(slowest, own); /* skips NaN */
	}
	return slowest;
}
