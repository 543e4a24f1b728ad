#include "workload/iostat.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "workload/series.h"

enum { KIB = 1024, MIB = 1048576, SECTOR = 512 };

/* Cells that are no member of a sample, but tell about those that are. */
enum extra {
	READ_SIZE, /* bytes of one */
	WRITE_SIZE,
	ANY_SIZE,
	DISCARD_BYTES,
	READ_TOTAL, /* bytes in the interval */
	WRITE_TOTAL,
	EXTRA_COUNT
};

struct iostat_row {
	const char *device;
	bool group, said; /* said: that a cell is no figure */
	struct evidence_sample sample;
	double extra[EXTRA_COUNT];
	double half_read, half_write; /* half of the last digit of the bytes, as bytes */
	const char *read_name, *write_name; /* their columns */
};

struct column {
	const char *name;
	size_t member; /* of struct evidence_sample; EXTRA + enum extra otherwise */
	double scale;
};

#define M(m) offsetof(struct evidence_sample, m)
#define X(x) (sizeof(struct evidence_sample) + (x))

static const struct column columns[] = {
	{"r/s", M(read_iops), 1},
	{"w/s", M(write_iops), 1},
	{"d/s", M(discard_iops), 1},
	{"f/s", M(flush_iops), 1},
	{"tps", M(any_iops), 1},
	{"rkB/s", M(read_bytes_s), KIB},
	{"wkB/s", M(write_bytes_s), KIB},
	{"rMB/s", M(read_bytes_s), MIB},
	{"wMB/s", M(write_bytes_s), MIB},
	{"rsec/s", M(read_bytes_s), SECTOR},
	{"wsec/s", M(write_bytes_s), SECTOR},
	{"rd_sec/s", M(read_bytes_s), SECTOR},
	{"wr_sec/s", M(write_bytes_s), SECTOR},
	{"kB_read/s", M(read_bytes_s), KIB},
	{"kB_wrtn/s", M(write_bytes_s), KIB},
	{"MB_read/s", M(read_bytes_s), MIB},
	{"MB_wrtn/s", M(write_bytes_s), MIB},
	{"Blk_read/s", M(read_bytes_s), SECTOR},
	{"Blk_wrtn/s", M(write_bytes_s), SECTOR},
	{"kB/s", M(any_bytes_s), KIB},
	{"MB/s", M(any_bytes_s), MIB},
	{"sec/s", M(any_bytes_s), SECTOR},
	{"r_await", M(read_us), 1000},
	{"w_await", M(write_us), 1000},
	{"f_await", M(flush_us), 1000},
	{"d_await", M(discard_us), 1000},
	{"await", M(any_us), 1000},
	{"aqu-sz", M(queue), 1},
	{"avgqu-sz", M(queue), 1},
	{"%util", M(active_frac), 0.01},
	{"util", M(active_frac), 0.01},
	{"util-percent", M(active_frac), 0.01},
	/* sadf, sar -b */
	{"rd_sec", M(read_bytes_s), SECTOR},
	{"wr_sec", M(write_bytes_s), SECTOR},
	{"rkB", M(read_bytes_s), KIB},
	{"wkB", M(write_bytes_s), KIB},
	{"rtps", M(read_iops), 1},
	{"wtps", M(write_iops), 1},
	{"bread/s", M(read_bytes_s), SECTOR},
	{"bwrtn/s", M(write_bytes_s), SECTOR},
	{"rareq-sz", X(READ_SIZE), KIB},
	{"wareq-sz", X(WRITE_SIZE), KIB},
	{"areq-sz", X(ANY_SIZE), KIB},
	{"avgrq-sz", X(ANY_SIZE), SECTOR},
	{"dkB/s", X(DISCARD_BYTES), KIB},
	{"kB_read", X(READ_TOTAL), KIB},
	{"kB_wrtn", X(WRITE_TOTAL), KIB},
	{"MB_read", X(READ_TOTAL), MIB},
	{"MB_wrtn", X(WRITE_TOTAL), MIB},
	{"Blk_read", X(READ_TOTAL), SECTOR},
	{"Blk_wrtn", X(WRITE_TOTAL), SECTOR},
};

static const struct column *
find_column(const struct evidence_word *name)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (evidence_word_is(name, columns[i].name))
			return &columns[i];
	}
	return NULL;
}

static double *
member(struct iostat_row *row, const struct column *c)
{
	if (c->member >= sizeof(struct evidence_sample))
		return &row->extra[c->member - sizeof(struct evidence_sample)];
	return (double *)(void *)((char *)&row->sample + c->member);
}

/* Half of the unit of the last digit printed: 0.005 of "12.34". */
static double
half_digit(const char *text, size_t n)
{
	double half = 0.5;
	for (size_t i = 0; i < n; i++) {
		if (text[i] != '.' && text[i] != ',')
			continue;
		while (++i < n && isdigit((unsigned char)text[i]))
			half /= 10;
	}
	return half;
}

void
iostat_cell(struct iostat *io, struct iostat_row *row, size_t line, struct evidence_word column,
	struct evidence_word value)
{
	const struct column *c = find_column(&column);
	if (!c)
		return;
	double v = evidence_figure(&io->figures, line, column, value);
	if (isnan(v)) {
		row->said = true;
		return;
	}
	/* 58.3M under rkB/s, as --human prints it, is bytes already */
	char last = value.text[value.n - 1];
	double scale = last == '%' || isdigit((unsigned char)last) ? c->scale : 1;
	double half = half_digit(value.text, value.n);
	bool latency = c->scale == 1000;
	/* 0 of --dec=0 is anything under half a millisecond */
	double *to = member(row, c),
	       now = latency && v == 0 && half > 0.4 ? (double)NAN : v * scale;
	if (!isnan(*to)) { /* the sub-tables of -h have no column in common */
		io->twice_line = io->twice++ ? io->twice_line : line;
		return;
	}
	*to = now;
	if (c->member == M(read_bytes_s)) {
		row->half_read = half * c->scale;
		row->read_name = c->name;
	}
	if (c->member == M(write_bytes_s)) {
		row->half_write = half * c->scale;
		row->write_name = c->name;
	}
}

void
iostat_init(
	struct iostat *io, const char *source, const struct evidence_input *in, struct evidence *e)
{
	*io = (struct iostat){.source = source,
		.in = in,
		.given_s = NAN,
		.e = e,
		.first = e->n_series,
		.at_s = NAN,
		.before_s = NAN,
		.counted_s = NAN,
		.boot = true,
		.factor = {NAN, NAN}};
}

struct iostat_row *
iostat_row(struct iostat *io, const char *device, size_t n, bool group)
{
	for (size_t i = 0; i < io->n_rows; i++) {
		struct iostat_row *r = &io->rows[i];
		if (strlen(r->device) == n && memcmp(r->device, device, n) == 0)
			return r;
	}
	/* reports have the same devices in the same order, and there may be millions */
	const char *name = io->n_rows < io->n_named ? io->rows[io->n_rows].device : NULL;
	if (!name || strlen(name) != n || memcmp(name, device, n) != 0)
		name = arena_strndup(io->e->arena, device, n);
	if (io->n_rows == io->n_named) {
		struct iostat_row *rows = arena_grow(
			io->e->arena, io->rows, io->n_rows, sizeof(*io->rows));
		if (!rows)
			return NULL;
		io->rows = rows;
		io->n_named++;
	}
	if (!name)
		return NULL;
	struct iostat_row *r = &io->rows[io->n_rows++];
	*r = (struct iostat_row){.device = name, .group = group};
	r->sample = evidence_unknown_sample;
	for (int i = 0; i < EXTRA_COUNT; i++)
		r->extra[i] = NAN;
	return r;
}

/*
 * Bytes against operations x size.  One version prints MB/s 2048 times too large in JSON; and MB/s of a slow disk has
 * fewer digits than the product.
 */
static void
check_bytes(struct iostat *io, const struct iostat_row *r, int direction, double *bytes_s)
{
	bool write = direction == 1;
	double ops = write ? r->sample.write_iops : r->sample.read_iops;
	double size = r->extra[write ? WRITE_SIZE : READ_SIZE];
	double half = write ? r->half_write : r->half_read, product = ops * size;
	if (isnan(product) || isnan(*bytes_s))
		return;
	/* far beyond any rounding: the sizes of some versions are whole, rates have two decimals */
	if (ops >= 0.5 && product > 0 && *bytes_s > 100 * product) {
		io->wrong[direction]++;
		io->factor[direction] = *bytes_s / product;
		io->wrong_name[direction] = write ? r->write_name : r->read_name;
		io->wrong_device = r->device;
		*bytes_s = product;
	} else if (half > 0.05 * *bytes_s && half >= 0.004 * MIB) {
		*bytes_s = product;
	}
}

static double
interval_of(const struct iostat *io)
{
	double dt = io->at_s - io->before_s;
	if (io->given_s > 0)
		return io->given_s;
	if (dt > 0)
		return dt;
	if (io->in->options && io->in->options->interval_s > 0)
		return io->in->options->interval_s;
	return io->counted_s;
}

/* An interval by its totals: kB_read over kB_read/s; the device that moved most knows it best. */
static void
count_seconds(struct iostat *io)
{
	double most = 0;
	io->counted_s = NAN;
	for (size_t i = 0; i < io->n_rows; i++) {
		const struct iostat_row *r = &io->rows[i];
		double total = r->extra[READ_TOTAL] + r->extra[WRITE_TOTAL];
		double rate = r->sample.read_bytes_s + r->sample.write_bytes_s;
		if (total > most && rate > 0) {
			most = total;
			io->counted_s = total / rate;
		}
	}
}

/* A latency of nothing is printed as 0.00. */
static void
forget_idle(struct evidence_sample *x)
{
	if (x->read_iops == 0)
		x->read_us = NAN;
	if (x->write_iops == 0)
		x->write_us = NAN;
	if (x->flush_iops == 0)
		x->flush_us = NAN;
	if (x->any_iops == 0 || x->read_iops + x->write_iops == 0)
		x->any_us = NAN;
}

/* Rates that the report before has, and this one has no cell for. */
static size_t
lacks(const struct evidence_sample *before, const struct evidence_sample *now)
{
	const double had[] = {before->read_iops, before->write_iops, before->any_iops,
		before->read_bytes_s, before->write_bytes_s};
	const double have[] = {now->read_iops, now->write_iops, now->any_iops, now->read_bytes_s,
		now->write_bytes_s};
	size_t n = 0;
	for (size_t i = 0; i < sizeof(had) / sizeof(had[0]); i++)
		n += !isnan(had[i]) && isnan(have[i]);
	return n;
}

static int
keep_row(struct iostat *io, struct iostat_row *r, struct err *err)
{
	struct evidence_series *s = evidence_series_of(
		io->e, io->first, io->host, r->device, strlen(r->device));
	struct evidence_sample *x = s ? evidence_add_sample(io->e, s) : NULL;
	if (!x)
		return err_nomem(err);
	s->source = io->source;
	if (r->group)
		s->scope = EVIDENCE_STACKED;
	check_bytes(io, r, 0, &r->sample.read_bytes_s);
	check_bytes(io, r, 1, &r->sample.write_bytes_s);
	*x = r->sample;
	if (s->n_samples > 1 && !r->said && !s->idle_missing)
		io->lacking += lacks(&x[-1], x);
	forget_idle(x);
	if (isnan(series_bytes_s(x)))
		x->any_bytes_s = x->any_iops * r->extra[ANY_SIZE];
	x->end_s = io->at_s;
	x->dt_s = interval_of(io);
	io->given |= io->given_s > 0;
	return 0;
}

/* A device seen before that this report leaves out: idle when iostat ran with -z. */
static int
look_for_missing(struct iostat *io, struct err *err)
{
	bool idle = io->in->options && io->in->options->idle_missing;
	for (size_t i = io->first; i < io->e->n_series; i++) {
		const char *device = io->e->series[i].device, *host = io->e->series[i].host;
		size_t k = 0;
		if (host && io->host ? strcmp(host, io->host) != 0 : host != io->host)
			continue;
		while (k < io->n_rows && strcmp(io->rows[k].device, device) != 0)
			k++;
		if (k < io->n_rows)
			continue;
		io->missing++;
		if (!idle)
			continue;
		struct evidence_sample *x = evidence_add_sample(io->e, &io->e->series[i]);
		if (!x)
			return err_nomem(err);
		x->end_s = io->at_s;
		x->dt_s = interval_of(io);
		x->read_iops = x->write_iops = x->read_bytes_s = x->write_bytes_s = 0;
		x->queue = x->active_frac = 0;
		io->e->series[i].idle_missing = true;
	}
	return 0;
}

static bool
keeps_boot(const struct iostat *io)
{
	return io->no_boot || (io->in->options && io->in->options->keep_first);
}

/* The rows gathered become samples; those since the machine started are kept aside. */
static int
end_report(struct iostat *io, struct err *err)
{
	int rc = 0;
	if (io->n_rows == 0)
		return 0;
	count_seconds(io);
	if (io->boot && !keeps_boot(io)) {
		io->boot_rows = io->rows;
		io->n_boot_rows = io->n_rows;
		io->n_boot++;
	} else {
		for (size_t i = 0; i < io->n_rows && rc == 0; i++)
			rc = keep_row(io, &io->rows[i], err);
		if (rc == 0)
			rc = look_for_missing(io, err);
	}
	io->boot = false;
	if (io->rows == io->boot_rows) { /* kept */
		io->rows = NULL;
		io->n_named = 0;
	}
	io->n_rows = 0;
	return rc;
}

static int
keep_cpu(struct iostat *io, struct err *err)
{
	if (io->n_cpu == 0)
		return 0;
	struct evidence_cpu *c = evidence_add_cpu(io->e);
	if (!c)
		return err_nomem(err);
	*c = (struct evidence_cpu){io->source, arena_strdup(io->e->arena, io->in->name), io->cpu[0],
		io->cpu[1], io->cpu[2], io->cpu[3], NULL, io->n_cpu};
	return c->file ? 0 : err_nomem(err);
}

int
iostat_host(struct iostat *io, const char *host, struct err *err)
{
	int rc = end_report(io, err);
	bool same = io->host && host ? strcmp(io->host, host) == 0 : io->host == host;
	if (rc == 0 && !same && io->host) {
		rc = keep_cpu(io, err); /* processors of another machine */
		memset(io->cpu, 0, sizeof(io->cpu));
		io->n_cpu = 0;
	}
	io->host = same ? io->host : host;
	return rc;
}

int
iostat_restart(struct iostat *io, const char *host, bool no_boot, struct err *err)
{
	int rc = iostat_host(io, host ? host : io->host, err);
	io->no_boot = no_boot;
	io->boot = true;
	io->at_s = NAN;
	io->flow.shift_s = 0;
	return rc;
}

int
iostat_report(struct iostat *io, double at_s, struct err *err)
{
	int rc = end_report(io, err);
	io->flow.last_s = io->at_s;
	double now_s = evidence_flow_next(&io->flow, at_s);
	io->n_reports++;
	io->before_s = io->at_s;
	io->at_s = now_s;
	return rc;
}

int
iostat_cpu(struct iostat *io, double busy, double iowait, double steal, struct err *err)
{
	if (io->boot && !keeps_boot(io))
		return 0;
	const double v[] = {io->at_s, busy / 100, iowait / 100, steal / 100, NAN};
	for (size_t i = 0; i < 5; i++) {
		double *all = arena_grow(io->e->arena, io->cpu[i], io->n_cpu, sizeof(*all));
		if (!all)
			return err_nomem(err);
		io->cpu[i] = all;
		io->cpu[i][io->n_cpu] = v[i];
	}
	io->n_cpu++;
	return 0;
}

static void
say(const struct iostat *io)
{
	struct findings *f = &io->e->findings;
	const char *name = io->in->name;
	if (io->cut)
		findings_add(f, SEVERITY_WARNING, "cut-end", NULL,
			"%s: the text ends within a row or an object, which is left out", name);
	if (io->odd)
		findings_add(f, SEVERITY_WARNING, "odd-row", NULL,
			"%s: %zu row%s with another number of fields than the header %s left out",
			name, io->odd, io->odd == 1 ? "" : "s", io->odd == 1 ? "is" : "are");
	if (io->lacking)
		findings_add(f, SEVERITY_WARNING, "missing-figure",
			"update sysstat: 12.6.1 to 12.7.6 leave out keys where there are many "
			"disks",
			"%s: %zu figure%s that the report before has %s missing: not known, not 0",
			name, io->lacking, io->lacking == 1 ? "" : "s",
			io->lacking == 1 ? "is" : "are");
	if (io->twice)
		findings_add(f, SEVERITY_WARNING, "row-twice",
			"give the output of one iostat, and each device once",
			"%s:%zu: %zu figure%s of a device that is in its report already, this one "
			"first: the first of each is kept",
			name, io->twice_line, io->twice, io->twice == 1 ? " is" : "s are");
	if (io->missing && !(io->in->options && io->in->options->idle_missing))
		findings_add(f, SEVERITY_WARNING, "missing-row",
			"give --missing-idle if iostat ran with -z, which leaves out idle devices",
			"%s: a device seen before is missing in %zu place%s: not known, not 0",
			name, io->missing, io->missing == 1 ? "" : "s");
	for (int i = 0; i < 2; i++) {
		if (io->wrong[i])
			findings_add(f, SEVERITY_WARNING, "wrong-unit",
				"update sysstat: versions 12.1.x and 12.2.0 print MB/s 2048 times "
				"too "
				"large in JSON",
				"%s: %s of %s is %.0f times the operations x their mean size in "
				"%zu "
				"sample%s; replaced by that product",
				name, io->wrong_name[i], io->wrong_device, io->factor[i],
				io->wrong[i], io->wrong[i] == 1 ? "" : "s");
	}
}

static void
say_boot(const struct iostat *io)
{
	struct findings *f = &io->e->findings;
	const char *name = io->in->name;
	if (io->no_boot)
		findings_add(f, SEVERITY_NOTE, "no-since-boot", NULL,
			"%s: as iostat -y prints it: the first report is an interval and is kept",
			name);
	else if (io->n_boot && io->n_reports == io->n_boot)
		findings_add(f, SEVERITY_WARNING, "since-boot-only",
			"run iostat -y with an interval; or give --keep-first if this is one",
			"%s: one report, the mean since the machine started unless iostat ran with "
			"-y: no peak can be seen",
			name);
	else if (io->n_boot)
		findings_add(f, SEVERITY_NOTE, "since-boot",
			"give --keep-first if iostat ran with -y",
			"%s: the first report is of the time since the machine started and is left "
			"out",
			name);
}

/* Only a report since the machine started: better than nothing. */
static int
use_boot(struct iostat *io, struct err *err)
{
	int rc = 0;
	if (io->e->n_series > io->first)
		return 0;
	for (size_t i = 0; i < io->n_boot_rows && rc == 0; i++)
		rc = keep_row(io, &io->boot_rows[i], err);
	return rc;
}

/* Most intervals are of one length, as those of one run are. */
static bool
is_regular(const struct evidence_series *s, double step)
{
	size_t alike = 0;
	for (size_t i = 0; i < s->n_samples; i++)
		alike += !(fabs(s->samples[i].dt_s - step) > fmax(1, 0.1 * step));
	return 4 * alike >= 3 * s->n_samples;
}

/*
 * Stamps are whole seconds: an interval of 1 s is then 1, 1, 2, 0.  Where reports are missing, what is after the gap is of one
 * interval, not of the gap.
 */
static void
level_steps(const struct iostat *io)
{
	for (size_t i = io->first; i < io->e->n_series; i++) {
		struct evidence_series *s = &io->e->series[i];
		double step = series_step_s(s, io->e->arena);
		bool regular = !io->given && is_regular(s, step);
		for (size_t k = 0; k < s->n_samples; k++) {
			double *dt = &s->samples[k].dt_s;
			if (step > 0 && (isnan(*dt) || fabs(*dt - step) <= 1 ||
						(regular && *dt > 1.5 * step)))
				*dt = step;
		}
	}
}

static bool
has_rates(const struct iostat *io)
{
	for (size_t i = io->first; i < io->e->n_series; i++) {
		const struct evidence_series *s = &io->e->series[i];
		for (size_t k = 0; k < s->n_samples; k++) {
			if (!isnan(series_iops(&s->samples[k])) ||
				!isnan(series_bytes_s(&s->samples[k])))
				return true;
		}
	}
	return false;
}

int
iostat_finish(struct iostat *io, struct err *err)
{
	int rc = end_report(io, err);
	if (rc == 0)
		rc = use_boot(io, err);
	if (rc)
		return rc;
	if (io->e->n_series == io->first)
		return err_set(err, ERR_PARSE, "%s:1:1: no whole row of a device%s", io->in->name,
			io->odd ? ": each has another number of fields than the header" : "");
	if (!has_rates(io))
		return err_set(err, ERR_PARSE,
			"%s:1:1: no column of rates that is known here: r/s, rkB/s, tps and their "
			"like",
			io->in->name);
	say(io);
	evidence_flow_say(&io->flow, io->in->name, &io->e->findings);
	evidence_figures_say(&io->figures, io->in->name, &io->e->findings);
	say_boot(io);
	level_steps(io);
	rc = keep_cpu(io, err);
	return rc ? rc : evidence_series_done(io->e, io->first, io->in, err);
}
