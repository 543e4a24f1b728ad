/*
 * main.c - pick the command; everything else is in cmd_*.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "cli/command.h"
#include "cli/exit.h"

static void
usage(FILE *to)
{
	fputs("Usage: tierwise COMMAND [ARGUMENTS]\n\n"
	      "Measure disks, fit how they behave, join that with dated prices, a workload and its "
	      "SLA,\n"
	      "and say on which storage tier each volume of a database belongs, what it costs, and "
	      "why.\n\n"
	      "Commands:\n",
		to);
	for (size_t i = 0; i < n_commands; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'tierwise COMMAND --help' lists the options of a command; 'tierwise schema NAME' "
	      "documents the\n"
	      "input and output documents; the manual page is tierwise(1).\n\n"
	      "Exit status: 0 done; 1 runtime error; 2 usage or bad input; 3 budget or policy "
	      "exceeded;\n"
	      "4 no candidate meets the SLA; 5 price unknown or ambiguous; 6 price book too old;\n"
	      "7 measurement inconclusive or wanting, or figures contradictory; 130 interrupted.\n"
	      "--warn-only turns 3 to 7 into 0.\n",
		to);
}

/*
 * A closed standard descriptor would be given to the next file opened, and a warning would go into
 * a document.  Each is held open the wrong way round instead, so that using it is still an error.
 */
static void
hold_standard_descriptors(void)
{
	static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) != fd)
			_exit(EXIT_RUNTIME);
	}
}

/* --help and --version print through stdio, from argp too: a full disk must not look like success. */
static void
check_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	fprintf(stderr, "tierwise: standard output: %s\n", strerror(errno));
	_exit(EXIT_RUNTIME);
}

int
main(int argc, char **argv)
{
	/* a closed pipe and a file size limit are errors from write(), not deaths */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	hold_standard_descriptors();
	if (atexit(check_stdout) != 0)
		return EXIT_RUNTIME;
	if (argc < 2) {
		usage(stderr);
		return EXIT_BAD_INPUT;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts("tierwise " TIERWISE_VERSION);
		return EXIT_DONE;
	}
	for (size_t i = 0; i < n_commands; i++) {
		if (strcmp(argv[1], commands[i]->name) != 0)
			continue;
		char name[64];
		snprintf(name, sizeof(name), "tierwise %s", commands[i]->name);
		argv[1] = name;
		return commands[i]->run(argc - 1, argv + 1);
	}
	const char *names[32];
	for (size_t i = 0; i < n_commands; i++)
		names[i] = commands[i]->name;
	const char *near = names_nearest(argv[1], names, n_commands, sizeof(names[0]));
	fprintf(stderr, "tierwise: \"%s\" is not a command%s%s%s; see tierwise --help\n", argv[1],
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	return EXIT_BAD_INPUT;
}
