/* Every format: hostile text, an empty document, a huge table; then what is particular to each. */
#include "report_test.h"

#include "base/json.h"
#include "report/renderer.h"

static const char hostile[] = "<script>alert(\"x\" & 'y')</script> | `c` [l](u) *b* \x1b[31m \xff "
			      "\u202Eevil\u202C \u05E9\u05DC\u05D5\u05DD\nnext";

/* The hostile text in every place a document has. */
static void
fill(struct doc *d, struct arena *a)
{
	static const char *items[1] = {hostile};
	static const struct finding finding = {SEVERITY_WARNING, hostile, hostile, hostile};
	const struct doc_column columns[] = {{hostile, DOC_LEFT}, {"n", DOC_RIGHT}};
	doc_init(d, a, hostile);
	doc_paragraph(d, "%s", hostile);
	doc_heading(d, 2, "%s", hostile);
	doc_callout(d, DOC_FAIL, "%s", hostile);
	doc_list(d, items, 1);
	struct doc_table *t = doc_table(d, hostile, columns, 2);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", hostile);
	doc_cell(d, t, 1, "PASS %s", hostile);
	struct doc_table *tiles = doc_table(d, hostile, columns, 2);
	tiles->tiles = true;
	doc_row(d, tiles);
	doc_cell(d, tiles, 0, "%s", hostile);
	doc_cell(d, tiles, 1, "%s", hostile);
	doc_findings(d, hostile, &finding, 1);
	static const double y[] = {1};
	struct doc_figure *f = doc_figure(d, DOC_CHART_COST, hostile);
	f->description = f->x_title = hostile;
	f->labels = items;
	f->n_labels = 1;
	struct doc_series *s = doc_series(d, f, hostile, DOC_MARK_BAR, 1);
	s->y = y;
	f->data = doc_data_table(d, hostile, columns, 2);
	doc_row(d, f->data);
	doc_cell(d, f->data, 0, "%s", hostile);
}

/* Terminal escapes, bytes that are not UTF-8 and overrides of direction are in no output; Hebrew
 * is. */
static void
test_hostile_everywhere(void **state)
{
	(void)state;
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct arena a;
		struct doc d;
		arena_init(&a, 0);
		fill(&d, &a);
		struct buf out = rendered(&d, (enum render_format)format);
		const char *text = buf_text(&out);
		assert_lacks(text, "\x1b");
		assert_lacks(text, "\xff");
		assert_lacks(text, "\u202E");
		assert_has(text, "\u05E9\u05DC\u05D5\u05DD");
		assert_has(text, "\uFFFD");
		buf_fini(&out);
		arena_fini(&a);
	}
}

static void
test_hostile_html(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	fill(&d, &a);
	struct buf out = rendered(&d, RENDER_HTML);
	const char *text = buf_text(&out);
	assert_lacks(text, "<script");
	assert_lacks(text, "alert(\"");
	assert_has(text, "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
	assert_int_equal(occurs(text, "<table>"), occurs(text, "</table>"));
	assert_int_equal(occurs(text, "<table>"), occurs(text, "<caption "));
	assert_int_equal(occurs(text, "<section"), occurs(text, "</section>"));
	assert_int_equal(occurs(text, "<h1>"), 1);
	buf_fini(&out);
	arena_fini(&a);
}

static void
test_hostile_md(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	fill(&d, &a);
	struct buf out = rendered(&d, RENDER_MD);
	const char *text = buf_text(&out);
	assert_lacks(text, "<");
	assert_lacks(text, "[l](u)");
	assert_has(text, "\\[l\\](u)");
	assert_has(text, "\\`c\\`");
	/* a row of the two-column table has its three bars and no more that are not escaped */
	const char *row = strstr(text, "\n| &lt;script");
	assert_non_null(row);
	size_t bars = 0;
	for (const char *p = row + 1; *p && *p != '\n'; p++)
		bars += *p == '|' && p[-1] != '\\';
	assert_int_equal(bars, 3);
	buf_fini(&out);
	arena_fini(&a);
}

static void
test_json_reads_back(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	fill(&d, &a);
	struct buf out = rendered(&d, RENDER_JSON);
	struct json_doc *doc = NULL;
	struct err err = {0};
	if (json_parse("report", buf_text(&out), out.len, &doc, &err) != 0)
		fail_msg("%s", err.text);
	struct jval root = json_root(doc);
	assert_has(json_text(json_get(root, "title")), "<script>alert(\"x\" & 'y')</script>");
	assert_int_equal(json_count(json_get(root, "blocks")), d.n);
	struct jval last = json_first(json_get(root, "blocks"));
	for (struct jval v = last; v.node; v = json_next(v))
		last = v;
	assert_string_equal(json_text(json_get(last, "kind")), "figure");
	struct jval y = json_get(json_first(json_get(last, "series")), "y");
	assert_true(fabs(json_number(json_first(y)) - 1) < 1e-12);
	json_free(doc);
	buf_fini(&out);
	arena_fini(&a);
}

static void
test_empty(void **state)
{
	(void)state;
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct arena a;
		struct doc d;
		arena_init(&a, 0);
		doc_init(&d, &a, NULL);
		struct buf out = rendered(&d, (enum render_format)format);
		assert_int_equal(out.len == 0, format == RENDER_TABLE || format == RENDER_CSV);
		buf_fini(&out);
		arena_fini(&a);
	}
}

static void
make_huge(struct doc *d, struct arena *a, size_t rows)
{
	static const struct doc_column columns[] = {
		{"a", DOC_LEFT}, {"b", DOC_LEFT}, {"c", DOC_LEFT}};
	char wide[3000];
	memset(wide, '<', sizeof(wide) - 1); /* four bytes each in html */
	wide[sizeof(wide) - 1] = '\0';
	doc_init(d, a, "huge");
	for (int i = 0; i < 20; i++) {
		struct doc_table *t = doc_table(d, "huge", columns, 3);
		for (size_t r = 0; r < rows; r++) {
			doc_row(d, t);
			for (size_t c = 0; c < 3; c++)
				doc_cell(d, t, c, "%s", wide);
		}
	}
}

static void
test_huge_html_is_cut(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	make_huge(&d, &a, 250);
	struct buf out = rendered(&d, RENDER_HTML);
	assert_true(out.len < 1000000);
	assert_has(buf_text(&out), "more in JSON");
	assert_has(buf_text(&out), "</html>");
	buf_fini(&out);
	arena_fini(&a);
}

/* What does not fit a comment of 65,536 characters: the long tables give, the first section stays whole. */
static void
test_markdown_fits(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"a", DOC_LEFT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	for (int section = 0; section < 40; section++) {
		doc_heading(&d, 2, "section %d", section);
		struct doc_table *t = doc_table(&d, "rows", columns, 1);
		for (int i = 0; i < (section % 2 ? 5 : 55); i++) {
			doc_row(&d, t);
			doc_cell(&d, t, 0, "row-%d-%d-%060d", section, i, 0);
		}
	}
	struct buf md = rendered(&d, RENDER_MD);
	assert_true(md.len <= 65536 && md.len > 32768);
	assert_int_equal(occurs(buf_text(&md), "row-0-"), 55);
	assert_int_equal(occurs(buf_text(&md), "row-1-"), 5);
	size_t shown = occurs(buf_text(&md), "row-2-");
	char left[64];
	snprintf(left, sizeof(left), "and %zu more rows in JSON", 55 - shown);
	assert_true(shown > 1 && shown < 55);
	assert_int_equal(occurs(buf_text(&md), left), 19); /* every long table but the first */
	buf_fini(&md);
	arena_fini(&a);
}

/* 250 rows of which HTML shows 200 and Markdown 60: both say how many are left. */
static void
test_rows_left_are_counted(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"a", DOC_LEFT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_table *t = doc_table(&d, "rows", columns, 1);
	for (int i = 0; i < 250; i++) {
		doc_row(&d, t);
		doc_cell(&d, t, 0, "row-%d-", i);
	}
	struct buf html = rendered(&d, RENDER_HTML), md = rendered(&d, RENDER_MD);
	struct buf csv = rendered(&d, RENDER_CSV);
	assert_has(buf_text(&html), "and 50 more in JSON");
	assert_int_equal(occurs(buf_text(&html), "row-"), 200);
	assert_has(buf_text(&md), "and 190 more rows in JSON");
	assert_int_equal(occurs(buf_text(&csv), "row-"), 250);
	buf_fini(&html);
	buf_fini(&md);
	buf_fini(&csv);
	arena_fini(&a);
}

static void
test_embedded_json(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct render_options options = {.data_dir = getenv("TIERWISE_DATA_DIR"),
		.embed_json = "{\"a\": \"</pre><script>\"}\n"};
	struct buf out;
	struct err err = {0};
	buf_init(&out, 0);
	assert_int_equal(render(&d, RENDER_HTML, &options, &out, &err), 0);
	assert_has(buf_text(&out), "{&quot;a&quot;: &quot;&lt;/pre&gt;&lt;script&gt;&quot;}");
	buf_fini(&out);
	char *large = malloc(1200001);
	assert_non_null(large);
	memset(large, 'x', 1200000);
	large[1200000] = '\0';
	options.embed_json = large;
	buf_init(&out, 0);
	assert_int_equal(render(&d, RENDER_HTML, &options, &out, &err), 0);
	assert_true(out.len < 1000000);
	assert_has(buf_text(&out), "Too large for this page");
	buf_fini(&out);
	free(large);
	arena_fini(&a);
}

static void
test_style_missing(void **state)
{
	(void)state;
	static const char *const dirs[] = {NULL, "/nonexistent"};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	for (size_t i = 0; i < 2; i++) {
		struct render_options options = {.data_dir = dirs[i]};
		struct buf out;
		struct err err = {0};
		buf_init(&out, 0);
		assert_int_not_equal(render(&d, RENDER_HTML, &options, &out, &err), 0);
		assert_has(err.text, "reports/html/style.css");
		buf_fini(&out);
	}
	arena_fini(&a);
}

/* RFC 4180, worked out by hand. */
static void
test_csv(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"name, unit", DOC_LEFT}, {"n", DOC_RIGHT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "not written");
	doc_paragraph(&d, "not written either");
	struct doc_table *t = doc_table(&d, "first", columns, 2);
	static const char *const cells[][2] = {
		{"a \"b\"", "-1.5"}, {"=1+1", "+x"}, {"two\nlines", NULL}, {"@sum", "-"}};
	for (size_t i = 0; i < 4; i++) {
		doc_row(&d, t);
		for (size_t c = 0; c < 2; c++) {
			if (cells[i][c])
				doc_cell(&d, t, c, "%s", cells[i][c]);
		}
	}
	struct buf one = rendered(&d, RENDER_CSV);
	assert_string_equal(buf_text(&one), "\"name, unit\",n\r\n\"a \"\"b\"\"\",-1.5\r\n"
					    "\"'=1+1\",\"'+x\"\r\ntwo lines,\r\n\"'@sum\",-\r\n");
	buf_fini(&one);
	doc_table(&d, "second", columns, 1);
	struct buf two = rendered(&d, RENDER_CSV);
	assert_memory_equal(buf_text(&two), "first\r\n\"name, unit\",n\r\n", 23);
	assert_has(buf_text(&two), "\r\n\r\nsecond\r\n\"name, unit\"\r\n");
	buf_fini(&two);
	arena_fini(&a);
}

/* No line wider than the terminal when the words allow it; figures stay whole. */
static void
test_terminal_width(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {
		{"A title of several words", DOC_RIGHT}, {"Text", DOC_LEFT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, NULL);
	struct doc_table *t = doc_table(&d, "caption", columns, 2);
	doc_row(&d, t);
	doc_cell(&d, t, 0, "10,700 / 10,625");
	doc_cell(&d, t, 1, "many words that have to be wrapped because they are longer than that");
	struct render_options options = {.width = 40};
	struct buf out;
	struct err err = {0};
	buf_init(&out, 0);
	assert_int_equal(render(&d, RENDER_TABLE, &options, &out, &err), 0);
	assert_has(buf_text(&out), "10,700 / 10,625  many");
	size_t lines = 0;
	for (const char *p = buf_text(&out); *p; p += strcspn(p, "\n") + 1, lines++) {
		assert_true(strcspn(p, "\n") <= 40);
		assert_true(strcspn(p, "\n") == 0 || p[strcspn(p, "\n") - 1] != ' ');
	}
	assert_true(lines >= 6);
	buf_fini(&out);
	arena_fini(&a);
}

static void
test_color_only_when_asked(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"V", DOC_LEFT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_table *t = doc_table(&d, "c", columns, 1);
	doc_row(&d, t);
	doc_cell(&d, t, 0, "FAIL 3 ms");
	for (int color = 0; color < 2; color++) {
		struct render_options options = {.color = color == 1};
		struct buf out;
		buf_init(&out, 0);
		assert_int_equal(render(&d, RENDER_TABLE, &options, &out, NULL), 0);
		assert_int_equal(strstr(buf_text(&out), "\033[31mFAIL\033[0m 3 ms") != NULL, color);
		assert_int_equal(strchr(buf_text(&out), '\033') != NULL, color);
		buf_fini(&out);
	}
	arena_fini(&a);
}

static void
test_verdict_words(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum doc_tone tone;
		size_t n;
	} rows[] = {
		{"PASS", DOC_PASS, 4},
		{"FAIL: 3", DOC_FAIL, 4},
		{"UNKNOWN prices", DOC_UNKNOWN, 7},
		{"PASSED", DOC_TONE_COUNT, 0},
		{"FAIL\u00e9", DOC_TONE_COUNT, 0},
		{"pass", DOC_TONE_COUNT, 0},
		{"", DOC_TONE_COUNT, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n;
		assert_int_equal(render_verdict(rows[i].text, &n), rows[i].tone);
		assert_int_equal(n, rows[i].n);
	}
}

static void
test_format_of(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		int format;
	} rows[] = {
		{"a.html", RENDER_HTML},
		{"dir.md/a.json", RENDER_JSON},
		{"dir.md/a", -1},
		{"a.csv", RENDER_CSV},
		{"a.txt", RENDER_TABLE},
		{"report.md", RENDER_MD},
		{"a.HTML", -1},
		{"a.", -1},
		{"", -1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(render_format_of(rows[i].path), rows[i].format);
}

/* A terminal leaves out columns of detail and rows of a deep table; files leave out nothing. */
static void
test_detail(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {
		{"first", DOC_LEFT}, {"second", DOC_RIGHT}, {"third", DOC_LEFT}};
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct arena a;
		struct doc d;
		arena_init(&a, 0);
		doc_init(&d, &a, "t");
		struct doc_table *t = doc_table(&d, "shortened", columns, 3);
		t->detail = 1 << 1;
		doc_row(&d, t);
		for (size_t c = 0; c < 3; c++)
			doc_cell(&d, t, c, "cell-%zu", c);
		t = doc_table(&d, "deep", columns, 1);
		t->deep = true;
		doc_row(&d, t);
		doc_cell(&d, t, 0, "far-down");
		struct buf out = rendered(&d, (enum render_format)format);
		const char *text = buf_text(&out);
		bool all = format != RENDER_TABLE;
		assert_int_equal(occurs(text, "cell"), all ? 3 : 2);
		assert_int_equal(occurs(text, "second"), all ? 1 : 0);
		assert_int_equal(occurs(text, "far"), all ? 1 : 0);
		assert_int_equal(occurs(text, "deep"), 1);
		assert_int_equal(occurs(text, "(1 row in "), all ? 0 : 1);
		if (!all)
			assert_has(text, "first   third\n------  ------\ncell-0  cell-2\n");
		buf_fini(&out);
		arena_fini(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_everywhere),
		cmocka_unit_test(test_hostile_html),
		cmocka_unit_test(test_hostile_md),
		cmocka_unit_test(test_json_reads_back),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_huge_html_is_cut),
		cmocka_unit_test(test_rows_left_are_counted),
		cmocka_unit_test(test_markdown_fits),
		cmocka_unit_test(test_embedded_json),
		cmocka_unit_test(test_style_missing),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_terminal_width),
		cmocka_unit_test(test_color_only_when_asked),
		cmocka_unit_test(test_verdict_words),
		cmocka_unit_test(test_format_of),
		cmocka_unit_test(test_detail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
