/* The style sheet: contrast of every pair of colours that meet, by WCAG 2 (relative luminance), in
 * light and in dark; nothing that loads anything. */
#include "report_test.h"

#include "base/file.h"

static double
channel(const char *hex)
{
	char two[3] = {hex[0], hex[1], '\0'};
	double v = (double)strtol(two, NULL, 16) / 255;
	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Luminance of the n-th "name: #rrggbb" of the sheet: 0 is light, 1 dark. */
static double
luminance(const char *css, const char *name, int n)
{
	char key[64];
	snprintf(key, sizeof(key), "--%s: #", name);
	const char *p = css;
	for (int i = 0; (p = strstr(p, key)) != NULL; i++) {
		p += strlen(key);
		if (i == n)
			return 0.2126 * channel(p) + 0.7152 * channel(p + 2) +
			       0.0722 * channel(p + 4);
	}
	if (n > 0) /* the same in both */
		return luminance(css, name, 0);
	fail_msg("no colour --%s", name);
	return (double)NAN;
}

static struct buf
sheet(void)
{
	char path[4096];
	struct buf css;
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/reports/html/style.css", getenv("TIERWISE_DATA_DIR"));
	buf_init(&css, 0);
	if (file_read(path, &css, &err) != 0)
		fail_msg("%s", err.text);
	return css;
}

static void
test_contrast(void **state)
{
	(void)state;
	static const struct {
		const char *ink, *ground;
		double least;
	} pairs[] = {
		{"ink", "ground", 4.5},
		{"ink", "raised", 4.5},
		{"muted", "ground", 4.5},
		{"muted", "raised", 4.5},
		{"muted", "shade", 4.5},
		{"link", "ground", 4.5},
		{"pass", "ground", 4.5},
		{"fail", "ground", 4.5},
		{"fail", "shade", 4.5},
		{"unknown", "ground", 4.5},
		{"unknown", "shade", 4.5},
		{"pass", "pass-ground", 4.5},
		{"fail", "fail-ground", 4.5},
		{"unknown", "unknown-ground", 4.5},
		{"warning", "warning-ground", 4.5},
		{"note", "note-ground", 4.5},
		{"ink", "pass-ground", 4.5},
		{"ink", "fail-ground", 4.5},
		{"ink", "unknown-ground", 4.5},
		{"ink", "warning-ground", 4.5},
		{"ink", "note-ground", 4.5},
		{"line-1", "ground", 3},
		{"line-2", "ground", 3},
		{"line-3", "ground", 3},
		{"line-1", "shade", 3},
		{"line-2", "shade", 3},
		{"bar-ink", "bar-1", 4.5},
		{"bar-ink", "bar-2", 4.5},
		{"bar-ink", "bar-3", 4.5},
		{"bar-ink", "bar-4", 4.5},
		{"bar-ink", "bar-5", 4.5},
		{"bar-ink", "bar-6", 4.5},
		{"bar-ink", "bar-7", 4.5},
		{"bar-ink", "bar-8", 4.5},
	};
	struct buf css = sheet();
	for (int dark = 0; dark < 2; dark++) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			double a = luminance(buf_text(&css), pairs[i].ink, dark);
			double b = luminance(buf_text(&css), pairs[i].ground, dark);
			double ratio = (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
			if (!(ratio >= pairs[i].least))
				fail_msg("%s on %s, %s: %.2f, at least %.1f", pairs[i].ink,
					pairs[i].ground, dark ? "dark" : "light", ratio,
					pairs[i].least);
		}
	}
	buf_fini(&css);
}

static void
test_loads_nothing(void **state)
{
	(void)state;
	struct buf css = sheet();
	assert_lacks(buf_text(&css), "url(");
	assert_lacks(buf_text(&css), "@import");
	assert_lacks(buf_text(&css), "@font-face");
	assert_has(buf_text(&css), "@media screen and (prefers-color-scheme: dark)");
	buf_fini(&css);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contrast),
		cmocka_unit_test(test_loads_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
