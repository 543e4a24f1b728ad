#include "profile/fio_odd.h"

#include "base/buf.h"

static void
look_at(struct jval v, const char *in, const char *name, struct buf *text)
{
	double d = json_number(v);
	const char *words = json_text(v);
	if (json_type(v) <= JSON_NULL || (words && !*words) || (d >= 0 && d <= FIO_FIGURE_MAX))
		return;
	buf_printf(text, "%s%s%s%s ", text->len ? ", " : "", in, *in ? "." : "", name);
	json_put_value(text, v);
}

static void
look_at_latency(struct jval side, const char *name, struct buf *text)
{
	static const char *const keys[] = {"min", "mean", "max", "stddev", "N"};
	struct jval lat = json_get_last(side, name), list = json_get_last(lat, "percentile");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		look_at(json_get_last(lat, keys[i]), name, keys[i], text);
	for (struct jval p = json_first(list); p.node; p = json_next(p))
		look_at(p, name, json_key(p) ? json_key(p) : "percentile", text);
}

const char *
fio_odd_figures(struct jval side, struct arena *a)
{
	static const char *const keys[] = {"total_ios", "io_bytes", "io_kbytes", "iops", "bw",
		"bw_bytes", "runtime", "short_ios", "drop_ios"};
	static const char *const latencies[] = {
		"slat_ns", "clat_ns", "lat_ns", "slat", "clat", "lat"};
	struct buf text;
	buf_init(&text, 64 << 10);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		look_at(json_get_last(side, keys[i]), "", keys[i], &text);
	for (size_t i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++)
		look_at_latency(side, latencies[i], &text);
	const char *all = text.len ? arena_printf(a, "%.300s%s", buf_text(&text),
					     text.len > 300 ? " ..." : "")
				   : NULL;
	buf_fini(&text);
	return all;
}
