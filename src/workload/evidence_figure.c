#include "workload/evidence_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A million TB, of a counter since the machine began as of a rate: no machine comes near. */
static const double most = 1e18;

static void
count(struct evidence_figures *f, int fault, size_t line, struct evidence_word field,
	struct evidence_word text)
{
	if (f->faults[fault].n++)
		return;
	f->faults[fault].line = line;
	snprintf(f->faults[fault].field, sizeof(f->faults[fault].field), "%.*s", (int)field.n,
		field.text);
	snprintf(f->faults[fault].text, sizeof(f->faults[fault].text), "%.*s", (int)text.n,
		text.text);
}

static bool
is_blank(struct evidence_word w)
{
	while (w.n && (w.text[w.n - 1] == ' ' || w.text[w.n - 1] == '\t'))
		w.n--;
	return w.n == 0;
}

double
evidence_figure(struct evidence_figures *f, size_t line, struct evidence_word field,
	struct evidence_word text)
{
	double v = evidence_number(text.text, text.n);
	if (is_blank(text))
		return NAN;
	if (isnan(v))
		count(f, EVIDENCE_FAULT_NO_NUMBER, line, field, text);
	else if (v < 0)
		count(f, EVIDENCE_FAULT_NEGATIVE, line, field, text);
	else if (v > most)
		count(f, EVIDENCE_FAULT_ABSURD, line, field, text);
	else
		return v + 0.0; /* never -0 */
	return NAN;
}

double
evidence_figure_value(struct evidence_figures *f, size_t line, const char *field, double value)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%.12g", value);
	double v = evidence_figure(f, line, (struct evidence_word){field, strlen(field)},
		(struct evidence_word){text, (size_t)n});
	return isnan(v) ? v : value + 0.0;
}

void
evidence_figures_say(const struct evidence_figures *f, const char *file, struct findings *out)
{
	static const char *const why[EVIDENCE_FAULT_COUNT] = {
		[EVIDENCE_FAULT_NEGATIVE] = "below 0",
		[EVIDENCE_FAULT_NO_NUMBER] = "no number",
		[EVIDENCE_FAULT_ABSURD] = "more than any machine does",
	};
	for (int i = 0; i < EVIDENCE_FAULT_COUNT; i++) {
		char more[64] = "";
		size_t n = f->faults[i].n;
		if (n == 0)
			continue;
		if (n > 1)
			snprintf(more, sizeof(more), ", and %zu more of the kind", n - 1);
		findings_add(out, SEVERITY_WARNING, "bad-figure",
			"look at that line: a counter that began anew, or a broken tool or copy; "
			"measure again where there are many",
			"%s:%zu: %s is \"%s\", %s: left out, not known%s", file, f->faults[i].line,
			f->faults[i].field, f->faults[i].text, why[i], more);
	}
}
