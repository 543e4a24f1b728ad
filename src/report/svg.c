#include "report/svg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/text.h"

enum { MAX_DEPTH = 32, MAX_NAME = 40, MAX_TEXT = 60 };

/* A piece of text of the input. */
struct span {
	const char *text;
	size_t n;
};

static bool
is(struct span s, const char *word)
{
	return strlen(word) == s.n && memcmp(s.text, word, s.n) == 0;
}

static bool
is_one_of(struct span s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is(s, words[i]))
			return true;
	}
	return false;
}

#define ONE_OF(s, words) is_one_of(s, words, sizeof(words) / sizeof((words)[0]))

static const char *const drawn[] = {
	"g", "path", "polygon", "polyline", "rect", "circle", "line", "text", "tspan"};
static const char *const skipped[] = {"title", "desc", "defs"}; /* with their content */
static const char *const kept[] = {"d", "points", "transform", "x", "y", "width", "height", "cx",
	"cy", "r", "x1", "y1", "x2", "y2", "fill-opacity", "stroke-width", "stroke-dasharray",
	"stroke-linecap", "stroke-linejoin", "font-size", "font-weight", "font-style",
	"text-anchor", "shape-rendering"};
static const char *const dropped[] = {"id", "class", "color", "font-family", "xml:space"};

/* Shapes of point symbols, one unit in size. */
static const struct {
	const char *reference, *shape;
} symbols[] = {
	{"#gpPt4", "<rect x=\"-1\" y=\"-1\" width=\"2\" height=\"2\""},
	{"#gpPt6", "<circle r=\"1\""},
	{"#gpPt8", "<path d=\"M0,-1.33 L-1.33,0.67 L1.33,0.67 z\""},
};

void
svg_placeholder(struct buf *out, const struct svg_texts *texts, size_t i)
{
	size_t start = out->len, length = text_length(texts->items[i]);
	buf_printf(out, "Q%zuZ", i);
	while (out->len - start < length && out->len - start < MAX_TEXT && !out->failed)
		buf_putc(out, 'n');
}

struct rewriter {
	const char *p; /* next byte of the input */
	const struct svg_texts *texts;
	struct buf *out;
	char *view_box;
	size_t start[MAX_DEPTH]; /* where each open group began in out */
	bool empty[MAX_DEPTH]; /* nothing was drawn in it yet */
	size_t depth;
	bool in_svg;
};

static int
broken(const struct rewriter *w, struct err *err)
{
	return err_set(err, ERR_PARSE, "the chart's SVG is not well formed near \"%.30s\"", w->p);
}

static struct span
take_name(struct rewriter *w)
{
	struct span s = {w->p, 0};
	while (isalnum((unsigned char)*w->p) || *w->p == ':' || *w->p == '-' || *w->p == '_')
		w->p++;
	s.n = (size_t)(w->p - s.text);
	return s;
}

static void
skip_space(struct rewriter *w)
{
	w->p += strspn(w->p, " \t\r\n");
}

/* name = 'value'; false at the end of the tag or when it is not that. */
static bool
take_attribute(struct rewriter *w, struct span *name, struct span *value)
{
	skip_space(w);
	*name = take_name(w);
	skip_space(w);
	if (name->n == 0 || *w->p != '=')
		return false;
	w->p++;
	skip_space(w);
	char quote = *w->p;
	if (quote != '\'' && quote != '"')
		return false;
	const char *end = strchr(w->p + 1, quote);
	if (!end)
		return false;
	*value = (struct span){w->p + 1, (size_t)(end - w->p - 1)};
	w->p = end + 1;
	return true;
}

/* N of "rgb(1,2,N)" with any spaces; -1 when it is another colour. */
static int
sentinel(struct span value)
{
	char text[MAX_NAME];
	int n = -1, end = -1;
	if (value.n >= sizeof(text))
		return -1;
	memcpy(text, value.text, value.n);
	text[value.n] = '\0';
	/* NOLINTNEXTLINE(cert-err34-c,bugprone-unchecked-string-to-number-conversion) */
	if (sscanf(text, "rgb( 1 , 2 , %3d )%n", &n, &end) != 1 || end != (int)value.n)
		return -1;
	return n;
}

/* Numbers, letters of path commands, parentheses, commas: nothing that could end an attribute. */
static bool
is_plain(struct span value)
{
	for (size_t i = 0; i < value.n; i++) {
		char c = value.text[i];
		if (!isalnum((unsigned char)c) && !strchr(" \t\n,.()-+%#", c))
			return false;
	}
	return true;
}

struct paint {
	int fill, stroke; /* sentinel numbers; -1: none */
};

static void
put_value(struct rewriter *w, const char *name, size_t n, struct span value)
{
	buf_printf(w->out, " %.*s=\"", (int)n, name);
	bool gap = false;
	for (size_t i = 0; i < value.n; i++) {
		char c = value.text[i];
		if (c == ' ' || c == '\t' || c == '\n') {
			gap = i > 0;
			continue;
		}
		if (gap)
			buf_putc(w->out, ' ');
		gap = false;
		buf_putc(w->out, c);
	}
	buf_putc(w->out, '"');
}

static void
put_paint(struct rewriter *w, struct span name, struct span value, struct paint *paint)
{
	int n = sentinel(value);
	if (n >= 0)
		*(is(name, "fill") ? &paint->fill : &paint->stroke) = n;
	else if (is(value, "black"))
		buf_printf(w->out, " %.*s=\"currentColor\"", (int)name.n, name.text);
	else if (is(value, "white")) /* the page's ground, whatever it is */
		buf_printf(w->out, " %.*s=\"none\"", (int)name.n, name.text);
	else
		put_value(w, name.text, name.n, value);
}

static void
put_classes(struct rewriter *w, const struct paint *paint)
{
	if (paint->fill < 0 && paint->stroke < 0)
		return;
	buf_put(w->out, " class=\"");
	if (paint->fill >= 0)
		buf_printf(w->out, "f%d", paint->fill);
	if (paint->stroke >= 0)
		buf_printf(w->out, "%ss%d", paint->fill >= 0 ? " " : "", paint->stroke);
	buf_putc(w->out, '"');
}

/* The attributes of a drawn element up to the end of its tag; *closed: it was "/>". */
static int
rewrite_attributes(struct rewriter *w, bool *closed, struct err *err)
{
	struct paint paint = {-1, -1};
	struct span name, value;
	while (take_attribute(w, &name, &value)) {
		if (!is_plain(value) && !ONE_OF(name, dropped))
			return err_set(err, ERR_UNSUPPORTED,
				"the chart's SVG holds %.*s=\"%.*s\", which is not accepted",
				(int)name.n, name.text, value.n < 60 ? (int)value.n : 60,
				value.text);
		if (is(name, "fill") || is(name, "stroke"))
			put_paint(w, name, value, &paint);
		else if (ONE_OF(name, kept))
			put_value(w, name.text, name.n, value);
		else if (!ONE_OF(name, dropped))
			return err_set(err, ERR_UNSUPPORTED,
				"the chart's SVG holds the attribute %.*s, which is not accepted",
				(int)(name.n < MAX_NAME ? name.n : MAX_NAME), name.text);
	}
	put_classes(w, &paint);
	*closed = *w->p == '/';
	if (*closed)
		w->p++;
	if (*w->p != '>')
		return broken(w, err);
	w->p++;
	buf_put(w->out, *closed ? "/>" : ">");
	return 0;
}

/* use: a point symbol by reference -> the shape itself. */
static int
rewrite_symbol(struct rewriter *w, struct err *err)
{
	struct span name, value, place = {"", 0}, color = {"", 0};
	const char *shape = NULL;
	while (take_attribute(w, &name, &value)) {
		for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
			if (is(name, "xlink:href") && is(value, symbols[i].reference))
				shape = symbols[i].shape;
		}
		if (is(name, "transform"))
			place = value;
		else if (is(name, "color"))
			color = value;
	}
	if (strncmp(w->p, "/>", 2) != 0)
		return broken(w, err);
	w->p += 2;
	if (!shape || !is_plain(place))
		return err_set(err, ERR_UNSUPPORTED,
			"the chart uses a point symbol that is not "
			"square, circle or triangle (pt 5, 7, 9)");
	buf_put(w->out, shape);
	put_value(w, "transform", strlen("transform"), place);
	struct paint paint = {sentinel(color), -1};
	if (paint.fill < 0)
		buf_put(w->out, " fill=\"currentColor\"");
	put_classes(w, &paint);
	buf_put(w->out, " stroke=\"none\"/>");
	return 0;
}

/* An element that is left out, with everything in it. */
static int
skip_element(struct rewriter *w, struct span name, struct err *err)
{
	char end[MAX_NAME + 4];
	snprintf(end, sizeof(end), "</%.*s>", (int)name.n, name.text);
	const char *found = strstr(w->p, end);
	if (!found)
		return broken(w, err);
	w->p = found + strlen(end);
	return 0;
}

static int
open_svg(struct rewriter *w, struct err *err)
{
	struct span name, value;
	while (take_attribute(w, &name, &value)) {
		if (is(name, "viewBox") && value.n < 64 && is_plain(value))
			snprintf(w->view_box, 64, "%.*s", (int)value.n, value.text);
	}
	if (*w->p != '>' || w->in_svg)
		return broken(w, err);
	w->p++;
	w->in_svg = true;
	return 0;
}

static int
open_element(struct rewriter *w, struct err *err)
{
	struct span name = take_name(w);
	if (is(name, "svg"))
		return open_svg(w, err);
	if (ONE_OF(name, skipped))
		return skip_element(w, name, err);
	if (!w->in_svg || (!is(name, "use") && !ONE_OF(name, drawn)))
		return err_set(err, ERR_UNSUPPORTED,
			"the chart's SVG holds the element %.*s, which is not accepted",
			(int)(name.n < MAX_NAME ? name.n : MAX_NAME), name.text);
	bool group = is(name, "g"), closed = false;
	if (group && w->depth == MAX_DEPTH)
		return broken(w, err);
	if (!group)
		memset(w->empty, 0, sizeof(w->empty));
	if (is(name, "use"))
		return rewrite_symbol(w, err);
	if (group) {
		w->start[w->depth] = w->out->len;
		w->empty[w->depth++] = true;
	}
	buf_printf(w->out, "<%.*s", (int)name.n, name.text);
	int rc = rewrite_attributes(w, &closed, err);
	if (group && closed && w->depth > 0)
		w->depth--;
	return rc;
}

static int
close_element(struct rewriter *w, struct err *err)
{
	struct span name = take_name(w);
	if (*w->p != '>')
		return broken(w, err);
	w->p++;
	if (is(name, "svg")) {
		w->in_svg = false;
		return w->depth ? broken(w, err) : 0;
	}
	if (is(name, "g")) {
		if (w->depth-- == 0)
			return broken(w, err);
		if (w->empty[w->depth] && w->out->text) { /* an empty group: take it back */
			w->out->len = w->start[w->depth];
			w->out->text[w->out->len] = '\0';
			return 0;
		}
	}
	buf_printf(w->out, "</%.*s>", (int)name.n, name.text);
	if (is(name, "g"))
		buf_putc(w->out, '\n');
	return 0;
}

/* Text of the chart: numbers of the axes as they are, placeholders as what they stand for. */
static void
put_text(struct rewriter *w, struct span s)
{
	const char *p = s.text, *end = s.text + s.n;
	while (p < end && isspace((unsigned char)*p))
		p++;
	if (*p == 'Q' && isdigit((unsigned char)p[1])) {
		char *rest;
		unsigned long i = strtoul(p + 1, &rest, 10);
		if (*rest == 'Z' && i < w->texts->n) {
			html_text(w->out, w->texts->items[i], MAX_TEXT);
			return;
		}
	}
	buf_putn(w->out, p, (size_t)(end - p));
}

static int
rewrite_one(struct rewriter *w, struct err *err)
{
	if (*w->p != '<') {
		struct span s = {w->p, strcspn(w->p, "<")};
		w->p += s.n;
		put_text(w, s);
		return 0;
	}
	w->p++;
	if (*w->p == '?' || *w->p == '!') {
		const char *end = strchr(w->p, '>');
		if (!end)
			return broken(w, err);
		w->p = end + 1;
		return 0;
	}
	if (*w->p == '/') {
		w->p++;
		return close_element(w, err);
	}
	return open_element(w, err);
}

int
svg_rewrite(const char *svg, const struct svg_texts *texts, char view_box[64], struct buf *out,
	struct err *err)
{
	struct rewriter w = {.p = svg, .texts = texts, .out = out, .view_box = view_box};
	view_box[0] = '\0';
	while (*w.p) {
		int rc = rewrite_one(&w, err);
		if (rc)
			return rc;
	}
	if (w.in_svg || !view_box[0])
		return err_set(err, ERR_PARSE, "the chart's SVG is cut or has no viewBox");
	return buf_check(out, err);
}
