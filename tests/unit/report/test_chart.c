/* Charts: what of gnuplot's SVG may pass, processes that misbehave, and a real chart when gnuplot is
 * there. */
#include "report_test.h"

#include "report/chart.h"
#include "report/process.h"
#include "report/svg.h"

#define SVG(body) "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 10 10\">" body "</svg>\n"

static void
test_rewrite(void **state)
{
	(void)state;
	static const char *items[] = {"<b>&"};
	static const struct svg_texts texts = {items, 1};
	static const struct {
		const char *svg, *out; /* out NULL: refused */
	} rows[] = {
		{SVG("<g><path d='M1,2 L3,4'/></g>"), "<g><path d=\"M1,2 L3,4\"/></g>\n"},
		{SVG("<g id='x'><g>\n</g><g></g></g>"), ""},
		{SVG("<path stroke='rgb(  1,   2,  11)' d='M1,2'/>"),
			"<path d=\"M1,2\" class=\"s11\"/>"},
		{SVG("<rect fill = 'rgb(1,2,6)' stroke='black'/>"),
			"<rect stroke=\"currentColor\" class=\"f6\"/>"},
		{SVG("<text>Q0Znnn</text>"), "<text>&lt;b&gt;&amp;</text>"},
		{SVG("<text> 10</text>"), "<text>10</text>"},
		{SVG("<title>Gnuplot</title><desc>5.4</desc><defs><use/></defs>"), ""},
		{SVG("<use xlink:href='#gpPt6' transform='scale(2)' color='rgb(1,2,11)'/>"),
			"<circle r=\"1\" transform=\"scale(2)\" class=\"f11\" stroke=\"none\"/>"},
		{SVG("<script>alert(1)</script>"), NULL},
		{SVG("<g onclick='alert(1)'></g>"), NULL},
		{SVG("<image xlink:href='http://x/y.png'/>"), NULL},
		{SVG("<a xlink:href='http://x'><text>t</text></a>"), NULL},
		{SVG("<use xlink:href='http://x/#y'/>"), NULL},
		{SVG("<rect fill='url(http://x)'/>"), NULL},
		{SVG("<g><path d='M1'/>"), NULL},
		{SVG("</g>"), NULL},
		{"<svg viewBox='0 0 1 1'><g>", NULL},
		{"<svg><g></g></svg>", NULL},
		{"<path d='M1'/>", NULL},
		{"", NULL},
		{"<svg viewBox='0 0 1 1", NULL},
		{"<", NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;
		struct err err = {0};
		char view_box[64];
		buf_init(&out, 0);
		int rc = svg_rewrite(rows[i].svg, &texts, view_box, &out, &err);
		if ((rc == 0) != (rows[i].out != NULL))
			fail_msg("row %zu: %d %s: %s", i, rc, err.text, buf_text(&out));
		if (rows[i].out && strcmp(buf_text(&out), rows[i].out) != 0)
			fail_msg("row %zu: %s", i, buf_text(&out));
		buf_fini(&out);
	}
}

static void
test_placeholder_has_the_length(void **state)
{
	(void)state;
	static const char *items[] = {"a", "\u05E9\u05DC\u05D5\u05DD and more"};
	static const struct svg_texts texts = {items, 2};
	struct buf out;
	buf_init(&out, 0);
	svg_placeholder(&out, &texts, 0);
	assert_string_equal(buf_text(&out), "Q0Z"); /* never shorter than it needs to be */
	buf_fini(&out);
	buf_init(&out, 0);
	svg_placeholder(&out, &texts, 1);
	assert_int_equal(out.len, 13);
	buf_fini(&out);
}

static void
test_process(void **state)
{
	(void)state;
	static const struct {
		const char *argv[4];
		int code;
		const char *out, *says;
	} rows[] = {
		{{"cat", NULL}, 0, "input", NULL},
		{{"true", NULL}, 0, "", NULL}, /* does not read its input */
		{{"no-such-program-tierwise", NULL}, ERR_NOT_FOUND, "", "not found"},
		{{"ls", "/nonexistent-tierwise", NULL}, ERR_IO, "", "nonexistent-tierwise"},
		{{"sleep", "60", NULL}, ERR_IO, "", "stopped after 1 s"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf in, out;
		struct err err = {0};
		buf_init(&in, 0);
		buf_init(&out, 0);
		buf_put(&in, "input");
		int rc = process_run(rows[i].argv, &in, i == 4 ? 1 : 30, &out, &err);
		if (rc != rows[i].code || strcmp(buf_text(&out), rows[i].out) != 0)
			fail_msg("row %zu: %d %s, \"%s\"", i, rc, err.text, buf_text(&out));
		if (rows[i].says)
			assert_has(err.text, rows[i].says);
		buf_fini(&in);
		buf_fini(&out);
	}
}

/* More than a pipe holds in both directions at once does not lock up. */
static void
test_process_large(void **state)
{
	(void)state;
	static const char *const cat[] = {"cat", NULL};
	struct buf in, out;
	struct err err = {0};
	buf_init(&in, 0);
	buf_init(&out, 0);
	for (int i = 0; i < 200000; i++)
		buf_put(&in, "0123456789");
	assert_int_equal(process_run(cat, &in, 60, &out, &err), 0);
	assert_int_equal(out.len, in.len);
	buf_fini(&out);
	buf_init(&out, 1000);
	assert_int_not_equal(process_run(cat, &in, 60, &out, &err), 0);
	buf_fini(&in);
	buf_fini(&out);
}

static void
make_latency(struct doc *d, struct arena *a, struct doc_figure **f)
{
	static const double q[] = {1, 2, 4, 8}, ms[] = {0.2, 0.3, 0.5, 1.1};
	static const double sla[] = {1}, knee[] = {3}, gap[] = {0.2, (double)NAN, -1, 1};
	doc_init(d, a, "t");
	*f = doc_figure(d, DOC_CHART_LATENCY, "the <finding>");
	(*f)->description = "mean 0.2 ms";
	struct doc_series *s = doc_series(d, *f, "<mean>", DOC_MARK_LINE, 4);
	s->x = q;
	s->y = ms;
	s = doc_series(d, *f, "gap", DOC_MARK_POINTS, 4);
	s->x = q;
	s->y = gap;
	s = doc_series(d, *f, "SLA 1 ms", DOC_MARK_HLINE, 1);
	s->y = sla;
	s = doc_series(d, *f, "knee", DOC_MARK_VLINE, 1);
	s->x = knee;
}

static void
test_real_chart(void **state)
{
	(void)state;
	static const char *const version[] = {"gnuplot", "--version", NULL};
	struct buf in = {0}, out;
	struct err err = {0};
	buf_init(&out, 0);
	if (process_run(version, &in, 30, &out, &err) == ERR_NOT_FOUND) {
		buf_fini(&out);
		skip();
	}
	buf_fini(&out);
	struct arena a;
	struct doc d;
	struct doc_figure *f;
	struct buf twice[2];
	arena_init(&a, 0);
	make_latency(&d, &a, &f);
	for (int i = 0; i < 2; i++) {
		buf_init(&twice[i], 0);
		if (chart_svg(f, 7, getenv("TIERWISE_DATA_DIR"), &twice[i], &err) != 0)
			fail_msg("%s", err.text);
	}
	const char *text = buf_text(&twice[0]);
	assert_string_equal(text, buf_text(&twice[1]));
	assert_has(text, "<title id=\"c7-t\">the &lt;finding&gt;</title>");
	assert_has(text, "&lt;mean&gt;");
	assert_has(text, "SLA 1 ms");
	assert_has(text, "class=\"s4\""); /* the SLA's line */
	assert_int_equal(occurs(text, "<circle"), 3); /* two known points and the key's */
	assert_lacks(text, "xlink");
	assert_lacks(text, "gnuplot");
	assert_lacks(text, "rgb(");
	buf_fini(&twice[0]);
	buf_fini(&twice[1]);
	arena_fini(&a);
}

/* A rate over time: a second without any is a point on the axis, not a gap. */
static void
test_time_chart(void **state)
{
	(void)state;
	static const double t[] = {0, 1, 2, 3, 4}, mibps[] = {200, 0, 50, (double)NAN, 50};
	static const double at[] = {1};
	static const char *const version[] = {"gnuplot", "--version", NULL};
	struct buf in = {0}, out;
	struct err err = {0};
	struct arena a;
	struct doc d;
	buf_init(&out, 0);
	if (process_run(version, &in, 30, &out, &err) == ERR_NOT_FOUND) {
		buf_fini(&out);
		skip();
	}
	buf_fini(&out);
	buf_init(&out, 0);
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_figure *f = doc_figure(&d, DOC_CHART_TIME, "held");
	struct doc_series *s = doc_series(&d, f, "rate", DOC_MARK_POINTS, 5);
	s->x = t;
	s->y = mibps;
	s = doc_series(&d, f, "dropped at 1 s", DOC_MARK_VLINE, 1);
	s->x = at;
	if (chart_svg(f, 1, getenv("TIERWISE_DATA_DIR"), &out, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(occurs(buf_text(&out), "<circle"), 5); /* four known points, the key's */
	assert_has(buf_text(&out), "dropped at 1 s");
	buf_fini(&out);
	arena_fini(&a);
}

static void
test_nothing_to_draw(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	for (int kind = 0; kind < DOC_CHART_COUNT; kind++) {
		struct doc_figure *f = doc_figure(&d, (enum doc_chart_kind)kind, "empty");
		struct buf out;
		struct err err = {0};
		buf_init(&out, 0);
		assert_int_equal(
			chart_svg(f, 1, getenv("TIERWISE_DATA_DIR"), &out, &err), ERR_UNSUPPORTED);
		assert_int_equal(out.len, 0);
		buf_fini(&out);
	}
	arena_fini(&a);
}

/* Without gnuplot the page has the table, says once why, and is whole. */
static void
test_without_gnuplot(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"A", DOC_LEFT}};
	struct arena a;
	struct doc d;
	struct doc_figure *f;
	arena_init(&a, 0);
	make_latency(&d, &a, &f);
	f->data = doc_data_table(&d, "the numbers", columns, 1);
	struct doc_figure *second = doc_figure(&d, DOC_CHART_LATENCY, "second");
	*second = *f;
	const char *usual = getenv("PATH");
	char *path = strdup(usual ? usual : "/usr/bin:/bin");
	assert_non_null(path);
	setenv("PATH", "/nonexistent", 1);
	struct buf out = rendered(&d, RENDER_HTML);
	setenv("PATH", path, 1);
	free(path);
	assert_int_equal(occurs(buf_text(&out), "gnuplot: not found"), 1);
	assert_int_equal(occurs(buf_text(&out), "the numbers"), 2);
	assert_lacks(buf_text(&out), "<svg");
	assert_has(buf_text(&out), "</html>");
	buf_fini(&out);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rewrite),
		cmocka_unit_test(test_placeholder_has_the_length),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_process_large),
		cmocka_unit_test(test_real_chart),
		cmocka_unit_test(test_time_chart),
		cmocka_unit_test(test_nothing_to_draw),
		cmocka_unit_test(test_without_gnuplot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
