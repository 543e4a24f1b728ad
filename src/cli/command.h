/*
 * command.h - what every command shares: its row in the table, common options, output, exit status.
 *
 * A command is one file cmd_NAME.c that defines one `struct command` and a row in commands.c.  It
 * parses its own options with argp, with cli_common_argp as a child for the common ones, does its
 * work through the modules, and returns an exit status (cli_fail or cli_done).
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <argp.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/schema.h"
#include "report/doc.h"
#include "report/render.h"

struct command {
	const char *name; /* "bench" */
	const char *args; /* "DIR [DIR...]" */
	const char *summary; /* one line for tierwise --help */
	int (*run)(int argc, char **argv); /* argv[0] is "tierwise NAME" */
};

extern const struct command *const commands[];
extern const size_t n_commands;

/* Texts of an option that may repeat, in order. */
struct cli_texts {
	const char **items;
	size_t n;
};

struct cli_common {
	const char *data_dir;
	bool warn_only, quiet, verbose;
	int format; /* enum render_format; -1: table on a terminal or pipe */
	struct cli_texts outputs; /* -o */
	struct arena arena; /* of the whole command */
};

/* Set defaults; release with cli_common_fini(). */
void cli_common_init(struct cli_common *c);
void cli_common_fini(struct cli_common *c);

/* --data-dir --warn-only --quiet --verbose --format -o; its input is a struct cli_common. */
extern const struct argp cli_common_argp;

/*
 * Parse argv with the command's argp (whose children must start with cli_common_argp; `input` is
 * passed to it).  --help and a usage error end the program as argp does, with status 0 and 2.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/*
 * The life of most commands: cli_common_init(), cli_parse(), work(), cli_fail() when it fails, release.
 * `arguments` starts with its struct cli_common.  Returns the exit status.
 */
typedef int cli_work(void *arguments, struct err *err);
int cli_run(const struct argp *argp, int argc, char **argv, void *arguments, cli_work *work);

/* Add one; 0 or ENOMEM, as an argp parser returns it. */
error_t cli_add_text(struct cli_common *c, struct cli_texts *texts, const char *text);

/* Path of a data file ("pricing/azure-westeurope.json") in the data folder: --data-dir, then
 * TIERWISE_DATA_DIR, then the installed share folder, then the source tree.  NULL: no data folder.
 */
const char *cli_data_path(struct cli_common *c, const char *relative, struct err *err);

/* ERR_USAGE when an -o is the very file `path` that was read: it would be lost.  "-" and URLs are fine. */
int cli_keep_input(const struct cli_common *c, const char *path, struct err *err);

/* Print "tierwise: text" on stderr and return the exit status of the code (0 for 3..7 with
 * --warn-only). */
int cli_fail(const struct cli_common *c, const struct err *err);
/* Exit status of a code, without printing. */
int cli_status(enum err_code code);

/* One line on stderr, with "?" for what a terminal would obey: names of files and jobs are others'. */
void cli_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "warning: text (todo)" on stderr, a line each; notes only with --verbose; nothing with --quiet.
 */
void cli_print_findings(const struct cli_common *c, const struct finding *items, size_t n);
/* One progress line on stderr unless --quiet. */
void cli_note(const struct cli_common *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Write a document to every -o FILE (format by suffix, --format for other names) or to stdout.
 * native: the schema and object that json prints; NULL: the document model's own JSON.
 */
int cli_output(struct cli_common *c, const struct doc *d, const struct schema *native,
	const void *object, struct err *err);

/* Whether cli_output() would write json, by a suffix or by --format: for documents of which json holds one. */
bool cli_json_asked(const struct cli_common *c);

#endif /* CLI_COMMAND_H */
