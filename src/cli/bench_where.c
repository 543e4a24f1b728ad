/*
 * bench_where.c - where and on what it ran, how, and how sound it is: one table of lines.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/bench_parts.h"

/* A line that grows by parts with commas between; what is not known adds nothing. */
struct line {
	char text[1024];
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void
add(struct line *l, const char *fmt, ...)
{
	va_list ap;
	size_t room = sizeof(l->text) - l->len;
	if (l->len && room > 2) {
		memcpy(l->text + l->len, ", ", 3);
		l->len += 2;
		room -= 2;
	}
	va_start(ap, fmt);
	int n = vsnprintf(l->text + l->len, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->len += (size_t)n < room ? (size_t)n : room - 1;
}

/* "name value unit" */
static void
add_number(struct line *l, const char *name, double v, const char *unit)
{
	char text[32];
	if (isnan(v))
		return;
	if (v < 99.95 && v != floor(v))
		snprintf(text, sizeof(text), "%.3g", v);
	else
		units_count_text(v, text);
	add(l, "%s%s%s%s%s", name, *name ? " " : "", text, *unit ? " " : "", unit);
}

static void
add_text(struct line *l, const char *name, const char *text)
{
	if (text)
		add(l, "%s%s%s", name, *name ? " " : "", text);
}

static void
add_share(struct line *l, const char *name, double frac)
{
	if (!isnan(frac))
		add(l, "%s %.3g %%", name, 100 * frac);
}

static void
add_size(struct line *l, const char *name, double size_b)
{
	char text[32];
	if (isnan(size_b))
		return;
	units_size_text(size_b, text);
	add(l, "%s %s", name, text);
}

static void
put(struct doc *d, struct doc_table *t, const char *what, const struct line *l)
{
	if (l->len)
		bench_row(d, t, (const char *const[]){what, l->text}, 2);
}

static void
put_environment(struct doc *d, struct doc_table *t, const struct profile *p)
{
	const struct profile_environment *e = p->environment;
	struct line disk = {.len = 0}, fs = {.len = 0}, queue = {.len = 0}, machine = {.len = 0};
	if (p->device >= 0)
		add_text(&disk, "", names_text(&profile_device_names, p->device));
	if (e) {
		add_text(&disk, "", e->device_chain ? e->device_chain : e->device);
		add_text(&disk, "model", e->model);
		add_number(&disk, "", e->device_gib, "GiB");
		if (e->rotational >= 0)
			add_text(&disk, "", e->rotational ? "rotational" : "not rotational");
		add_text(&disk, "write cache:", e->write_cache);
		add_text(&fs, "", e->filesystem);
		add_text(&fs, "mounted", e->mount_options);
		add_text(&queue, "scheduler", e->scheduler);
		add_number(&queue, "queue of", e->nr_requests, "requests");
		add_number(&queue, "requests up to", e->max_sectors_kib, "KiB");
		add_number(&queue, "read-ahead", e->read_ahead_kib, "KiB");
		add_number(&queue, "logical block", e->logical_block_b, "B");
		add_number(&queue, "physical block", e->physical_block_b, "B");
		add_number(&queue, "direct I/O aligned to", e->dio_align_b, "B");
		add_text(&machine, "", e->host);
		add_text(&machine, "", e->kernel);
		add_number(&machine, "", e->vcpus, "processors");
		add_number(&machine, "", e->ram_gib, "GiB of memory");
		add_text(&machine, "", e->virtualisation);
		add_text(&machine, "cloud", e->cloud);
		add_number(&machine, "limited to", e->cpu_limit, "processors");
		add_text(&machine, "I/O limit of a control group:", e->io_limit);
		add_number(&machine, "a clock read takes", e->clock_ns, "ns");
		if (e->cpu_awake >= 0)
			add_text(&machine, "",
				e->cpu_awake ? "processors kept awake"
					     : "idle processors may sleep");
	}
	put(d, t, "Disk", &disk);
	put(d, t, "Filesystem", &fs);
	put(d, t, "Block layer", &queue);
	put(d, t, "Machine", &machine);
}

static void
put_method(struct doc *d, struct doc_table *t, const struct profile *p)
{
	const struct profile_method *m = p->method;
	struct line when = {.len = 0}, how = {.len = 0};
	add_text(&when, "", p->started ? p->started : p->as_of);
	add_text(&when, "by", p->tool);
	add_text(&when, "for the tier", p->family);
	add_text(&when, "SKU", p->sku);
	add_text(&when, "source:", p->source);
	put(d, t, "When", &when);
	if (!m)
		return;
	add_text(&how, "engine", m->engine);
	add_size(&how, "area", m->file_b);
	add_number(&how, "slices of", m->slice_s, "s");
	add_number(&how, "", m->duration_s, "s in all");
	add_size(&how, "written", m->bytes_written_b);
	add_text(&how, "payload", m->payload);
	add_number(&how, "at most", m->submit_chunk, "requests a submission");
	add_number(&how, "seed", m->seed, "");
	put(d, t, "How", &how);
	struct line command = {.len = 0};
	add_text(&command, "", m->command);
	put(d, t, "Command", &command);
}

static void
put_quality(struct doc *d, struct doc_table *t, const struct profile_quality *q)
{
	struct line self = {.len = 0}, file = {.len = 0};
	if (!q)
		return;
	add_number(&self, "", q->slices, "slices kept");
	add_number(&self, "", q->slices_discarded, "left out or repeated");
	add_share(&self, "I/O of others", q->foreign_io_frac);
	if (!isnan(q->device_ratio))
		add(&self, "own over device I/O %.2f", q->device_ratio);
	add_share(&self, "processor time stolen", q->steal_frac);
	add_number(&self, "", q->cpu_us_per_io, "us of processor an I/O");
	add_share(&self, "largest variation between slices", q->cv_frac);
	if (q->client_bound >= 0)
		add_text(&self, "",
			q->client_bound ? "this machine was a limit" : "this machine was no limit");
	add_number(&file, "", q->stamps_checked, "blocks read back and checked");
	add_number(&file, "", q->stamps_wrong, "wrong");
	add_share(&file, "written", q->written_frac);
	add_share(&file, "in the page cache afterwards", q->page_cached_frac);
	if (!isnan(q->compress_gain))
		add(&file, "zeros %.2f times as fast as random data", q->compress_gain);
	put(d, t, "Self-checks", &self);
	put(d, t, "Test file", &file);
}

void
bench_put_where(const struct bench_part *b)
{
	static const struct doc_column columns[] = {{"What", DOC_LEFT}, {"Found", DOC_LEFT}};
	const struct profile *p = b->p;
	if (!p->environment && !p->method && !p->quality && p->device < 0 && !p->started &&
		!p->tool)
		return;
	doc_heading(b->d, b->level, "Where and on what");
	struct doc_table *t = doc_table(
		b->d, "Disk, machine, method", columns, BENCH_COUNT(columns));
	put_environment(b->d, t, p);
	put_method(b->d, t, p);
	put_quality(b->d, t, p->quality);
}
