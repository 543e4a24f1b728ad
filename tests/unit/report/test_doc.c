/* The document model: cells, anchors, what happens without memory. */
#include "report_test.h"

static void
test_table_cells(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"A", DOC_LEFT}, {"B", DOC_RIGHT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_table *t = doc_table(&d, "c", columns, 2);
	doc_cell(&d, t, 0, "before any row");
	for (int i = 0; i < 100; i++) {
		doc_row(&d, t);
		doc_cell(&d, t, 1, "%d", i);
	}
	doc_cell(&d, t, 2, "no such column");
	assert_false(d.failed);
	assert_int_equal(t->n_rows, 100);
	doc_row(&d, t);
	const char *const shown[][2] = {{"-0", "0"}, {"-0.00", "0.00"}, {"-0.0 %", "0.0 %"},
		{"-0.01", "-0.01"}, {"-", "-"}, {"-0-1", "-0-1"}, {"-.", "-."}};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		doc_cell(&d, t, 1, "%s", shown[i][0]);
		assert_string_equal(t->cells[100 * 2 + 1], shown[i][1]);
	}
	assert_null(t->cells[0]);
	assert_string_equal(t->cells[1], "0");
	assert_string_equal(t->cells[99 * 2 + 1], "99");
	arena_fini(&a);
}

static void
test_columns_are_copied(void **state)
{
	(void)state;
	char title[] = "mine";
	struct doc_column column = {title, DOC_LEFT};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_table *t = doc_table(&d, "c", &column, 1);
	title[0] = 'X';
	assert_string_equal(t->columns[0].title, "mine");
	arena_fini(&a);
}

static void
test_anchors(void **state)
{
	(void)state;
	static const struct {
		const char *heading, *anchor;
	} rows[] = {
		{"Bill", "bill"},
		{"Assumptions and findings", "assumptions-and-findings"},
		{"Why this, not the next", "why-this-not-the-next"},
		{"Bill", "bill-1"},
		{"<script>", "script"},
		{"\u05E9", "section"},
		{"\u05E9", "section-1"},
		{"a\"b' c=d", "ab-cd"},
	};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		doc_heading(&d, 2, "%s", rows[i].heading);
		assert_string_equal(d.blocks[i].anchor, rows[i].anchor);
	}
	arena_fini(&a);
}

static void
test_links_follow_rows(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"A", DOC_LEFT}};
	struct arena a;
	struct doc d;
	arena_init(&a, 0);
	doc_init(&d, &a, "t");
	struct doc_table *t = doc_table(&d, "c", columns, 1);
	for (int i = 0; i < 4; i++) {
		doc_row(&d, t);
		doc_cell(&d, t, 0, "row%d", i);
		if (i == 2)
			doc_link(&d, t, "there");
	}
	struct buf md = rendered(&d, RENDER_MD);
	assert_has(buf_text(&md), "| [row2](#there) |");
	assert_int_equal(occurs(buf_text(&md), "](#"), 1);
	buf_fini(&md);
	arena_fini(&a);
}

/* Every builder with every small amount of memory: no crash, and the renderers refuse. */
static void
test_no_memory(void **state)
{
	(void)state;
	static const struct doc_column columns[] = {{"A", DOC_LEFT}, {"B", DOC_RIGHT}};
	static const char *const items[] = {"one", "two"};
	static const struct finding finding = {SEVERITY_NOTE, "code", "text", NULL};
	size_t failures = 0;
	for (size_t max = 1; max < 2048; max += 16) {
		struct arena a;
		struct doc d;
		arena_init(&a, max);
		doc_init(&d, &a, "title");
		doc_heading(&d, 2, "heading");
		doc_paragraph(&d, "paragraph");
		doc_callout(&d, DOC_NOTE, "note");
		doc_list(&d, items, 2);
		struct doc_table *t = doc_table(&d, "c", columns, 2);
		doc_row(&d, t);
		doc_cell(&d, t, 0, "x");
		doc_link(&d, t, "heading");
		struct doc_figure *f = doc_figure(&d, DOC_CHART_COST, "f");
		f->description = "d";
		doc_series(&d, f, "s", DOC_MARK_BAR, 0)->dashed = true;
		doc_findings(&d, "findings", &finding, 1);
		struct buf out;
		struct err err = {0};
		buf_init(&out, 0);
		int rc = render(&d, RENDER_TABLE, NULL, &out, &err);
		assert_true(rc == (d.failed ? ERR_NOMEM : 0));
		failures += d.failed;
		buf_fini(&out);
		arena_fini(&a);
	}
	assert_in_range(failures, 10, 127);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_cells),
		cmocka_unit_test(test_columns_are_copied),
		cmocka_unit_test(test_anchors),
		cmocka_unit_test(test_links_follow_rows),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
