/*
 * common.c - options, data folder, output and messages shared by the commands.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/exit.h"

enum { KEY_DATA_DIR = 0x1000, KEY_WARN_ONLY, KEY_FORMAT };

static const struct argp_option options[] = {
	{"output", 'o', "FILE", 0,
		"Write to FILE; the suffix chooses the format; may repeat; - is stdout", 90},
	{"format", KEY_FORMAT, "FORMAT", 0, "table, json, csv, md or html (default table)", 90},
	{"data-dir", KEY_DATA_DIR, "DIR", 0,
		"Folder with pricing, models, rules, reports (default: TIERWISE_DATA_DIR, the "
		"installed share "
		"folder, the source tree)",
		90},
	{"warn-only", KEY_WARN_ONLY, NULL, 0, "Exit 0 instead of 3 to 7", 90},
	{"quiet", 'q', NULL, 0, "No progress and no warnings on stderr", 90},
	{"verbose", 'v', NULL, 0, "Notes as well as warnings on stderr", 90},
	{0},
};

error_t
cli_add_text(struct cli_common *c, struct cli_texts *texts, const char *text)
{
	const char **grown = arena_grow(&c->arena, texts->items, texts->n, sizeof(*grown));
	if (!grown)
		return ENOMEM;
	texts->items = grown;
	texts->items[texts->n++] = text;
	return 0;
}

static bool
is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A suffix that means nothing would silently give a text table: ask for the format instead. */
static void
check_outputs(const struct cli_common *c, struct argp_state *state)
{
	for (size_t i = 0; i < c->outputs.n && c->format < 0; i++) {
		const char *path = c->outputs.items[i], *slash = strrchr(path, '/');
		const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
		bool suffix = dot && dot != name && dot[1] && strncmp(path, "/dev/", 5) != 0 &&
			      !is_folder(path);
		if (suffix && render_format_of(path) < 0)
			argp_error(state,
				"-o %s: the suffix %s is none of .html .md .csv .json .txt; give "
				"one of "
				"them or --format",
				path, dot);
	}
}

/* One name twice is one output lost, or two documents in one stream. */
static void
check_names(const struct cli_common *c, struct argp_state *state)
{
	for (size_t i = 0; i < c->outputs.n; i++) {
		if (!c->outputs.items[i][0])
			argp_error(state, "-o \"\": a file is expected, or - for standard output");
		for (size_t k = 0; k < i; k++) {
			if (strcmp(c->outputs.items[k], c->outputs.items[i]) == 0)
				argp_error(state, "-o %s is given twice", c->outputs.items[i]);
		}
	}
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct cli_common *c = state->input;
	switch (key) {
	case 'o':
		return cli_add_text(c, &c->outputs, arg);
	case KEY_FORMAT:
		c->format = names_find(&render_format_names, arg);
		if (c->format < 0)
			argp_error(state, "--format %s: table, json, csv, md or html", arg);
		return 0;
	case KEY_DATA_DIR:
		c->data_dir = arg;
		return 0;
	case KEY_WARN_ONLY:
		c->warn_only = true;
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case 'v':
		c->verbose = true;
		return 0;
	case ARGP_KEY_SUCCESS:
		check_names(c, state);
		check_outputs(c, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp cli_common_argp = {.options = options, .parser = parse_option};

void
cli_common_init(struct cli_common *c)
{
	*c = (struct cli_common){.format = -1};
	arena_init(&c->arena, 0);
}

void
cli_common_fini(struct cli_common *c)
{
	arena_fini(&c->arena);
}

void
cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	argp_err_exit_status = EXIT_BAD_INPUT;
	argp_parse(argp, argc, argv, 0, NULL, input);
}

int
cli_run(const struct argp *argp, int argc, char **argv, void *arguments, cli_work *work)
{
	struct cli_common *c = arguments;
	struct err err = {0};
	cli_common_init(c);
	cli_parse(argp, argc, argv, arguments);
	int status = work(arguments, &err) ? cli_fail(c, &err) : EXIT_DONE;
	cli_common_fini(c);
	return status;
}

static bool
is_data_dir(struct arena *a, const char *dir)
{
	struct stat st;
	const char *pricing = dir && *dir ? arena_printf(a, "%s/pricing", dir) : NULL;
	return pricing && stat(pricing, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *
cli_data_path(struct cli_common *c, const char *relative, struct err *err)
{
	const char *asked = c->data_dir ? c->data_dir : getenv("TIERWISE_DATA_DIR");
	const char *const tries[] = {asked, TIERWISE_SHARE_DIR, TIERWISE_SOURCE_DIR};
	if (asked && *asked && !is_data_dir(&c->arena, asked)) {
		err_set(err, ERR_NOT_FOUND, "data folder %s has no pricing folder", asked);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		if (is_data_dir(&c->arena, tries[i]))
			return arena_printf(&c->arena, "%s/%s", tries[i], relative);
	}
	err_set(err, ERR_NOT_FOUND, "no data folder: give --data-dir or set TIERWISE_DATA_DIR");
	return NULL;
}

int
cli_keep_input(const struct cli_common *c, const char *path, struct err *err)
{
	struct stat in, out;
	if (strcmp(path, "-") == 0 || stat(path, &in) != 0 || !S_ISREG(in.st_mode))
		return 0;
	for (size_t i = 0; i < c->outputs.n; i++) {
		const char *to = c->outputs.items[i];
		if (stat(to, &out) == 0 && out.st_dev == in.st_dev && out.st_ino == in.st_ino)
			return err_set(err, ERR_USAGE,
				"-o %s would replace the input %s: choose another name", to, path);
	}
	return 0;
}

int
cli_status(enum err_code code)
{
	static const int status[] = {
		[ERR_OK] = EXIT_DONE,
		[ERR_IO] = EXIT_RUNTIME,
		[ERR_NOMEM] = EXIT_RUNTIME,
		[ERR_NUMERIC] = EXIT_RUNTIME,
		[ERR_NET] = EXIT_RUNTIME,
		[ERR_PARSE] = EXIT_BAD_INPUT,
		[ERR_RANGE] = EXIT_BAD_INPUT,
		[ERR_USAGE] = EXIT_BAD_INPUT,
		[ERR_NOT_FOUND] = EXIT_BAD_INPUT,
		[ERR_UNSUPPORTED] = EXIT_RUNTIME,
		[ERR_REFUSED] = EXIT_BAD_INPUT,
		[ERR_BUDGET] = EXIT_OVER_BUDGET,
		[ERR_INFEASIBLE] = EXIT_NO_CANDIDATE,
		[ERR_PRICE] = EXIT_PRICE_UNKNOWN,
		[ERR_STALE] = EXIT_PRICES_OLD,
		[ERR_INCONCLUSIVE] = EXIT_INCONCLUSIVE,
		[ERR_INTERRUPTED] = EXIT_INTERRUPTED,
	};
	_Static_assert(sizeof(status) / sizeof(status[0]) == ERR_COUNT, "a status for every code");
	return status[code];
}

__attribute__((format(printf, 1, 0))) static void
say(const char *fmt, va_list ap)
{
	struct buf text;
	buf_init(&text, 0);
	buf_vprintf(&text, fmt, ap);
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.text[i];
		if (c < ' ' || c == 0x7f)
			text.text[i] = '?';
	}
	fprintf(stderr, "%s\n", buf_text(&text));
	buf_fini(&text);
}

void
cli_say(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

int
cli_fail(const struct cli_common *c, const struct err *err)
{
	int status = cli_status(err->code);
	cli_say("tierwise: %s", err->text);
	bool soft = status >= EXIT_OVER_BUDGET && status <= EXIT_INCONCLUSIVE;
	return soft && c->warn_only ? EXIT_DONE : status;
}

void
cli_print_findings(const struct cli_common *c, const struct finding *items, size_t n)
{
	for (size_t i = 0; i < n && !c->quiet; i++) {
		if (items[i].severity == SEVERITY_NOTE && !c->verbose)
			continue;
		cli_say("%s: %s [%s]%s%s", names_text(&severity_names, items[i].severity),
			items[i].text, items[i].code, items[i].todo ? "; " : "",
			items[i].todo ? items[i].todo : "");
	}
}

void
cli_note(const struct cli_common *c, const char *fmt, ...)
{
	if (c->quiet)
		return;
	va_list ap;
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

/* Width and colour of a terminal; 100 columns and none elsewhere. */
static void
look_at_terminal(const char *path, struct render_options *how)
{
	how->width = 100;
	if (strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO))
		return;
	struct winsize w;
	const char *no_color = getenv("NO_COLOR");
	how->color = !(no_color && *no_color);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 40)
		how->width = w.ws_col;
}

/* Of one output; `path` "-" is stdout. */
static int
format_of(const struct cli_common *c, const char *path)
{
	int format = strcmp(path, "-") == 0 ? -1 : render_format_of(path);
	if (format < 0)
		format = c->format < 0 ? RENDER_TABLE : c->format;
	return format;
}

bool
cli_json_asked(const struct cli_common *c)
{
	bool asked = c->outputs.n == 0 && format_of(c, "-") == RENDER_JSON;
	for (size_t i = 0; i < c->outputs.n; i++)
		asked = asked || format_of(c, c->outputs.items[i]) == RENDER_JSON;
	return asked;
}

static int
output_one(struct cli_common *c, const struct doc *d, const struct schema *native,
	const void *object, const char *path, struct err *err)
{
	int format = format_of(c, path);
	struct err no_data;
	struct render_options how = {.data_dir = cli_data_path(c, "", &no_data)};
	look_at_terminal(path, &how);
	struct buf out, json;
	buf_init(&out, 0);
	buf_init(&json, 0);
	if (native)
		schema_write(native, object, &json);
	int rc = buf_check(&json, err);
	how.embed_json = native ? buf_text(&json) : NULL;
	if (rc == 0 && format == RENDER_JSON && native)
		buf_put(&out, buf_text(&json));
	else if (rc == 0)
		rc = render(d, (enum render_format)format, &how, &out, err);
	if (rc == 0)
		rc = file_write(path, &out, err);
	buf_fini(&json);
	buf_fini(&out);
	return rc;
}

int
cli_output(struct cli_common *c, const struct doc *d, const struct schema *native,
	const void *object, struct err *err)
{
	if (c->outputs.n == 0)
		return output_one(c, d, native, object, "-", err);
	for (size_t i = 0; i < c->outputs.n; i++) {
		int rc = output_one(c, d, native, object, c->outputs.items[i], err);
		if (rc)
			return rc;
		if (strcmp(c->outputs.items[i], "-") != 0)
			cli_note(c, "wrote %s", c->outputs.items[i]);
	}
	return 0;
}
