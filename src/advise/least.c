#include "advise/least.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "price/bill.h"

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* What a disk of the tier counts at so many I/Os a second, together. */
struct load {
	double iops, mbps;
};

/* Pieces an I/O counts as: once per started unit. */
static double
pieces(double io_kib, double unit_kib)
{
	return io_kib > 0 && unit_kib > 0 ? fmax(1, ceil(io_kib / unit_kib - 1e-9)) : 1;
}

static double
io_mb(const struct least_tier *t)
{
	return t->need.io_kib * UNITS_KIB / UNITS_MB;
}

static double
stream_iops(const struct least_tier *t, const struct disk_limit *d)
{
	const double mib_kib = UNITS_MIB / UNITS_KIB;
	return t->need.mbps * UNITS_MB / UNITS_MIB * pieces(mib_kib, d->io_unit_kib);
}

static struct load
load_at(const struct least_tier *t, const struct disk_limit *d, double iops)
{
	return (struct load){
		.iops = iops * pieces(t->need.io_kib, d->io_unit_kib) + stream_iops(t, d),
		.mbps = t->need.mbps + iops * io_mb(t)};
}

/* The most whole I/Os a second of a configuration whose caps do not depend on them. */
static double
most_of(const struct least_tier *t, const struct candidate *c)
{
	double by_iops = (c->iops - stream_iops(t, c->disk)) /
			 pieces(t->need.io_kib, c->disk->io_unit_kib);
	double by_mbps = io_mb(t) > 0 ? (c->mbps - t->need.mbps) / io_mb(t)
			 : c->mbps >= t->need.mbps * (1 - 1e-9) ? (double)INFINITY
								: 0;
	return floor(fmin(by_iops, by_mbps) * (1 + 1e-9));
}

static bool
offers(const struct disk_limit *d, const char *redundancy)
{
	bool found = !redundancy || d->n_redundancy == 0;
	for (size_t i = 0; i < d->n_redundancy && !found; i++)
		found = strcmp(d->redundancy[i], redundancy) == 0;
	return found;
}

/* The month of a configuration; INFINITY when its price is not known or the tier does not take it. */
static double
price_of(const struct least_tier *t, const struct candidate *c)
{
	struct arena scratch;
	struct bill bill;
	struct disk_config config;
	arena_init(&scratch, 0);
	bill_init(&bill, t->in->book);
	disk_config_init(&config, c->disk, c->size_gib, c->redundancy);
	config.disks = c->disks;
	config.iops = c->bought_iops;
	config.mbps = c->bought_mbps;
	config.operations_month = 0;
	int rc = bill_add_disk(&bill, &scratch, t->in->book, &config, NULL, NULL);
	double total = rc == 0 && bill.complete == 1 ? bill.total : (double)INFINITY;
	arena_fini(&scratch);
	return total;
}

static struct candidate
candidate_of(const struct least_tier *t, const struct disk_limit *d, double disks)
{
	return (struct candidate){.disk = d,
		.title = d->sku,
		.disks = disks,
		.size_gib = fmax(ceil(t->need.gib / disks - 1e-9), or_zero(d->size_gib_min)),
		.bought_iops = (double)NAN,
		.bought_mbps = (double)NAN,
		.host_cache = "None",
		.redundancy = t->need.redundancy && d->n_redundancy ? t->need.redundancy
			      : d->n_redundancy                     ? d->redundancy[0]
								    : NULL};
}

static int
add_step(struct least_tier *t, const struct disk_limit *d, double disks, bool plus, struct arena *a,
	struct err *err)
{
	struct candidate c = candidate_of(t, d, disks);
	c.billed_gib = bill_size_gib(d, c.size_gib);
	c.iops = disks * (plus ? d->iops_perf_plus : disk_limit_sustained_iops(d, c.size_gib));
	c.mbps = disks *
		 (plus ? disk_limit_plus_mbps(d) : disk_limit_sustained_mbps(d, c.size_gib));
	double most = most_of(t, &c);
	if (c.size_gib > d->size_gib_max || !(most >= 1))
		return 0;
	struct candidate *steps = arena_grow(a, t->steps, t->n_steps, sizeof(*steps));
	c.title = plus ? arena_printf(a, "%s with performance plus", d->sku) : d->sku;
	if (!steps || !c.title)
		return err_nomem(err);
	t->steps = steps;
	c.monthly = price_of(t, &c);
	if (isfinite(c.monthly)) {
		steps[t->n_steps++] = c;
		t->most_iops = fmax(t->most_iops, most);
	}
	return 0;
}

static int
add_steps(struct least_tier *t, const struct disk_limit *d, struct arena *a, struct err *err)
{
	int rc = 0;
	for (size_t n = 1; n <= t->need.disks_most && rc == 0; n++) {
		rc = add_step(t, d, (double)n, false, a, err);
		if (rc == 0 && d->iops_perf_plus > d->iops_base)
			rc = add_step(t, d, (double)n, true, a, err);
	}
	return rc;
}

/* Beyond it nothing is sold, or (the largest size is not known) nothing is gained. */
static double
largest(const struct disk_limit *d)
{
	double full = fmax(d->iops_max / d->iops_per_gib, d->mbps_max / d->mbps_per_gib);
	return isnan(d->size_gib_max) ? fmax(ceil(full), 1) : d->size_gib_max;
}

/* Smallest whole GiB from `from` on at which `enough` says yes, or the largest. */
static double
grow(const struct disk_limit *d, double from, double iops, double mbps,
	bool (*enough)(const struct disk_limit *d, double gib, double iops, double mbps))
{
	double lo = from, hi = fmax(from, largest(d));
	if (enough(d, lo, iops, mbps))
		return lo;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		if (enough(d, mid, iops, mbps))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

static bool
can_buy(const struct disk_limit *d, double gib, double iops, double mbps)
{
	(void)mbps;
	return disk_limit_iops(d, gib) >= iops;
}

static bool
sustains(const struct disk_limit *d, double gib, double iops, double mbps)
{
	return disk_limit_sustained_iops(d, gib) >= iops * (1 - 1e-9) &&
	       disk_limit_sustained_mbps(d, gib) >= mbps * (1 - 1e-9);
}

/* What can be set at least: what comes with the disk unless less is offered. */
static double
least_mbps(const struct disk_limit *d, double unit)
{
	return unit * or_zero(isnan(d->mbps_min) ? d->mbps_base : d->mbps_min);
}

/* IOPS, MB/s and size of each of the disks, as little as will do; false: it cannot. */
static bool
buy(const struct least_tier *t, double iops, struct candidate *c)
{
	const struct disk_limit *d = c->disk;
	struct load all = load_at(t, d, iops);
	double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	/* whole MB/s, unless that is more than there is */
	double exact = all.mbps / c->disks;
	double mbps = fmin(
		ceil(exact - 1e-9), fmax(exact, disk_limit_mbps(d, or_zero(d->iops_max))));
	double each = fmax(
		ceil(all.iops / c->disks - 1e-9), or_zero(disk_limit_least_iops(d, c->size_gib)));
	if (disk_limit_mbps(d, 0) < mbps && d->mbps_per_iops > 0)
		each = fmax(each, ceil(mbps / (d->mbps_per_iops * unit) - 1e-9));
	if (each > d->iops_max)
		return false;
	c->size_gib = grow(d, c->size_gib, each, 0, can_buy);
	each = fmax(each, or_zero(disk_limit_least_iops(d, c->size_gib)));
	c->bought_iops = each;
	c->bought_mbps = d->throughput_billed == 0 && d->mbps_per_iops > 0
				 ? disk_limit_mbps(d, each)
				 : fmax(mbps, least_mbps(d, unit));
	c->iops = c->bought_iops * c->disks;
	c->mbps = c->bought_mbps * c->disks;
	return !(disk_limit_iops(d, c->size_gib) < each) &&
	       disk_limit_mbps(d, each) >= c->bought_mbps * (1 - 1e-9) &&
	       c->mbps >= all.mbps * (1 - 1e-9);
}

/* The size that brings the IOPS and MB/s. */
static bool
size(const struct least_tier *t, double iops, struct candidate *c)
{
	const struct disk_limit *d = c->disk;
	struct load all = load_at(t, d, iops);
	c->size_gib = grow(d, c->size_gib, all.iops / c->disks, all.mbps / c->disks, sustains);
	c->iops = c->disks * disk_limit_sustained_iops(d, c->size_gib);
	c->mbps = c->disks * disk_limit_sustained_mbps(d, c->size_gib);
	return sustains(d, c->size_gib, all.iops / c->disks, all.mbps / c->disks);
}

static bool
try_open(const struct least_tier *t, const struct disk_limit *d, double disks, double iops,
	struct candidate *out)
{
	*out = candidate_of(t, d, disks);
	bool bought = disk_limit_is_provisioned(d);
	if (out->size_gib > d->size_gib_max || !(bought ? buy(t, iops, out) : size(t, iops, out)))
		return false;
	out->title = bought ? t->title : d->sku;
	out->billed_gib = bill_size_gib(d, out->size_gib);
	out->monthly = price_of(t, out);
	return isfinite(out->monthly);
}

bool
least_config(const struct least_tier *t, double iops, struct candidate *out)
{
	struct candidate c;
	bool found = false;
	for (size_t i = 0; i < t->n_steps; i++) {
		const struct candidate *step = &t->steps[i];
		if (most_of(t, step) < iops || (found && step->monthly >= out->monthly))
			continue;
		*out = *step;
		found = true;
	}
	for (size_t i = 0; i < t->n_open; i++) {
		for (size_t n = 1; n <= t->need.disks_most; n++) {
			if (!try_open(t, t->open[i], (double)n, iops, &c) ||
				(found && c.monthly >= out->monthly))
				continue;
			*out = c;
			found = true;
		}
	}
	return found;
}

double
least_price(const struct least_tier *t, double iops)
{
	struct candidate c;
	if (iops > t->most_iops)
		return (double)INFINITY;
	return least_config(t, iops, &c) ? c.monthly : (double)INFINITY;
}

/* The most IOPS a tier bought or sized by the GiB can do and be priced at; by halving, for the rest of
 * its limits bind too. */
static void
find_most(struct least_tier *t, const struct disk_limit *d)
{
	double top = or_zero(isnan(d->iops_max) ? d->iops_base : d->iops_max);
	for (size_t n = 1; n <= t->need.disks_most; n++) {
		struct candidate c;
		double disks = (double)n, lo = 0, hi = floor(top * disks);
		if (hi <= t->most_iops || !try_open(t, d, disks, 1, &c))
			continue;
		while (lo < hi) {
			double mid = ceil((lo + hi) / 2);
			if (try_open(t, d, disks, mid, &c))
				lo = mid;
			else
				hi = mid - 1;
		}
		t->most_iops = fmax(t->most_iops, lo);
	}
}

int
least_tier_init(const struct advise_input *in, const struct least_need *need, const char *family,
	struct arena *a, struct least_tier *out, struct err *err)
{
	*out = (struct least_tier){.in = in,
		.need = *need,
		.family = family,
		.title = limits_title(in->limits, family)};
	for (size_t i = 0; i < in->limits->n_disks; i++) {
		const struct disk_limit *d = &in->limits->disks[i];
		bool provisioned = disk_limit_is_provisioned(d);
		if (strcmp(d->family, family) != 0 || d->superseded == 1 || d->ephemeral == 1 ||
			(provisioned && isnan(d->size_gib_max)) || !offers(d, need->redundancy))
			continue;
		if (!provisioned && !isnan(d->billed_gib)) {
			int rc = add_steps(out, d, a, err);
			if (rc)
				return rc;
			continue;
		}
		/* pointers are meant, not rows: NOLINTNEXTLINE(bugprone-sizeof-expression) */
		void *open = arena_grow(a, out->open, out->n_open, sizeof(out->open[0]));
		if (!open)
			return err_nomem(err);
		out->open = open;
		out->open[out->n_open++] = d;
		find_most(out, d);
	}
	return 0;
}

/* ---- where the cheapest changes ---- */

enum { MOST_TIERS = 16, MOST_LOOKS = 20000 };

static const double cent = 0.01 - 1e-9;

struct spot {
	double iops, price[MOST_TIERS];
	size_t best;
};

struct walk {
	const struct least_tier *tiers;
	size_t n;
	struct least_span *spans;
	size_t n_spans, looks;
};

static struct spot
look(struct walk *w, double iops)
{
	struct spot s = {.iops = iops};
	w->looks++;
	for (size_t i = 0; i < w->n; i++) {
		s.price[i] = least_price(&w->tiers[i], iops);
		if (s.price[i] < s.price[s.best])
			s.best = i;
	}
	return s;
}

/* Another saves a cent or more, or this one cannot. */
static bool
beaten(const struct spot *s, size_t tier)
{
	return s->price[tier] - s->price[s->best] >= cent;
}

/* At no rate between a and b can another save a cent. */
static bool
stays(const struct walk *w, const struct spot *a, const struct spot *b, size_t tier)
{
	bool stays = true;
	for (size_t i = 0; i < w->n && stays; i++)
		stays = i == tier || b->price[tier] - a->price[i] < cent ||
			(isinf(a->price[i]) && isinf(b->price[tier]));
	return stays;
}

/* The first rate beyond a, up to b, at which the tier is beaten, as it is not at a; INFINITY: none. */
static double
first_beaten(struct walk *w, const struct spot *a,
	const struct spot *b, /* NOLINT(misc-no-recursion) */
	size_t tier)
{
	if (w->looks > MOST_LOOKS || stays(w, a, b, tier))
		return (double)INFINITY;
	if (b->iops - a->iops <= 1)
		return beaten(b, tier) ? b->iops : (double)INFINITY;
	struct spot mid = look(w, floor((a->iops + b->iops) / 2));
	double at = first_beaten(w, a, &mid, tier);
	return isfinite(at) ? at : first_beaten(w, &mid, b, tier);
}

static int
walk_up(struct walk *w, double top, struct err *err)
{
	struct spot at = look(w, 1), last = look(w, top);
	double next = 1;
	while (isfinite(next)) {
		next = first_beaten(w, &at, &last, at.best);
		if (w->looks > MOST_LOOKS || w->n_spans == LEAST_MOST_SPANS)
			return err_set(err, ERR_UNSUPPORTED,
				"the tiers change places more than %d times, or nearly do",
				LEAST_MOST_SPANS);
		w->spans[w->n_spans++] = (struct least_span){
			at.iops, isfinite(next) ? next - 1 : top, at.best};
		if (isfinite(next))
			at = look(w, next);
	}
	return 0;
}

int
least_spans(const struct least_tier *tiers, size_t n, struct least_span *spans, size_t *n_spans,
	struct err *err)
{
	struct walk w = {.tiers = tiers, .n = n, .spans = spans};
	double top = 0;
	*n_spans = 0;
	if (n > MOST_TIERS)
		return err_set(err, ERR_UNSUPPORTED, "%zu tiers: at most %d", n, MOST_TIERS);
	for (size_t i = 0; i < n; i++)
		top = fmax(top, floor(tiers[i].most_iops));
	if (top < 1)
		return 0;
	int rc = walk_up(&w, top, err);
	*n_spans = rc ? 0 : w.n_spans;
	return rc;
}
