/*
 * evidence_metric_csv.c - one metric of a provider as "timestamp,value" lines, as exports of CloudWatch have it.  Which
 * metric it is, the user says or the file's name does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/aws_metric.h"
#include "workload/evidence_lines.h"
#include "workload/evidence_reader.h"
#include "workload/iso_time.h"

static bool
is_head(const char *text, size_t n)
{
	static const char *const heads[] = {
		"timestamp,value", "time,value", "\"timestamp\",\"value\""};
	while (n && strchr(" \r\n", text[n - 1]))
		n--;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (strlen(heads[i]) == n && strncasecmp(text, heads[i], n) == 0)
			return true;
	}
	return false;
}

static bool
probe(const struct evidence_input *in)
{
	const char *end = memchr(in->text, '\n', in->n);
	return end && is_head(in->text, (size_t)(end - in->text));
}

/* "2014-03-01 17:34:00" or seconds since 1970, then a comma and a number. */
static bool
read_row(const struct evidence_line *line, double *at_s, double *value)
{
	char time[48];
	const char *comma = memchr(line->text, ',', line->n);
	const char *from = line->text;
	size_t n = comma ? (size_t)(comma - from) : 0;
	if (n >= 2 && from[0] == '"' && from[n - 1] == '"') {
		from++;
		n -= 2;
	}
	if (n == 0 || n >= sizeof(time))
		return false;
	memcpy(time, from, n);
	time[n] = '\0';
	char *end = NULL;
	*at_s = iso_time_s(time);
	if (isnan(*at_s)) {
		*at_s = strtod(time, &end);
		if (end == time || *end)
			return false;
	}
	const char *rest = comma + 1;
	*value = strtod(rest, &end);
	const char *stop = line->text + line->n;
	return end > rest && end <= stop && strspn(end, " \r") >= (size_t)(stop - end) &&
	       isfinite(*value) && isfinite(*at_s);
}

static const struct aws_metric *
which(const struct evidence_input *in, struct evidence *out)
{
	const char *told = in->options ? in->options->metric : NULL;
	const struct aws_metric *m = told ? aws_metric_in(told, NULL)
					  : aws_metric_of_file(in->name);
	out->metric_used |= told != NULL;
	if (m && !told)
		findings_add(&out->findings, SEVERITY_NOTE, "metric-by-name",
			"say another with --metric where that is wrong",
			"%s: taken as %s, by the file's name", in->name, m->name);
	return m;
}

static int
read_rows(const struct evidence_input *in, struct evidence *out, struct evidence_track *t,
	const char *name, struct err *err)
{
	struct evidence_figures figures = {0};
	struct evidence_line line = {0};
	size_t n_bad = 0, first_bad = 0;
	evidence_next_line(in->text, in->n, &line); /* the head */
	while (evidence_next_line(in->text, in->n, &line)) {
		double at_s = NAN, value = NAN;
		if (line.n == 0)
			continue;
		if (!line.whole) { /* digits may be missing */
			findings_add(&out->findings, SEVERITY_WARNING, "cut-end",
				"end the file with a line end if it is whole",
				"%s:%zu: the last line has no end and is left out", in->name,
				line.number);
			continue;
		}
		if (!read_row(&line, &at_s, &value)) {
			if (n_bad++ == 0)
				first_bad = line.number;
		} else if (evidence_track_figure(
				   out, t, at_s, &figures, line.number, name, value)) {
			return err_nomem(err);
		}
	}
	if (n_bad)
		findings_add(&out->findings, SEVERITY_WARNING, "lines-dropped", NULL,
			"%s:%zu: %zu lines are no \"time,number\" and are dropped, this one first",
			in->name, first_bad, n_bad);
	evidence_figures_say(&figures, in->name, &out->findings);
	return 0;
}

/*
 * Local times that jump with the clocks: lines that repeat a time belong into the gap before it, where they fit.  Only for
 * a file in order.
 */
static size_t
spread_repeats(struct evidence_track *t, double period_s)
{
	size_t n_moved = 0;
	for (size_t i = 1; i < t->n; i++) {
		if (t->at_s[i] < t->at_s[i - 1])
			return 0;
	}
	for (size_t first = 0, end; first < t->n; first = end) {
		for (end = first + 1; end < t->n && t->at_s[end] == t->at_s[first];)
			end++;
		double at = t->at_s[first], start = at - (double)(end - first - 1) * period_s;
		if (end - first == 1 || (first && start <= t->at_s[first - 1]))
			continue;
		for (size_t i = first; i + 1 < end; i++, n_moved++)
			t->at_s[i] = start + (double)(i - first) * period_s;
	}
	return n_moved;
}

static int
read_csv(const struct evidence_input *in, struct evidence *out, struct err *err)
{
	const struct aws_metric *m = which(in, out);
	if (!m)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the values of one metric, and nothing says which: name it with "
			"--metric, as in "
			"--metric VolumeWriteBytes",
			in->name);
	struct evidence_track *t = evidence_add_track(out);
	if (!t)
		return err_nomem(err);
	aws_metric_track(m, t);
	t->reader = &evidence_metric_csv;
	t->device = t->scope == EVIDENCE_DISK ? "volume" : NULL;
	t->file = arena_strdup(out->arena, in->name);
	int rc = t->file ? read_rows(in, out, t, m->name, err) : err_nomem(err);
	if (rc)
		return rc;
	if (t->n == 0)
		return err_set(err, ERR_PARSE,
			"%s:2: no line is \"time,number\" with a number from 0 on", in->name);
	size_t n_moved = spread_repeats(t, provider_step_s(t));
	if (n_moved)
		findings_add(&out->findings, SEVERITY_NOTE, "clock-change", NULL,
			"%s: %zu lines repeat a time (local time, when the clocks change): put "
			"into the gap "
			"before it",
			in->name, n_moved);
	double told = in->options ? in->options->interval_s : (double)NAN;
	if (!provider_track_done(t, t->how, told, NAN))
		return err_set(err, ERR_UNSUPPORTED,
			"%s: one value does not say its period: give it with --interval", in->name);
	return 0;
}

static int
finish(struct evidence *out, struct err *err)
{
	return provider_finish(out, &evidence_metric_csv, err);
}

const struct evidence_reader evidence_metric_csv = {"provider CSV", probe, read_csv, finish};
