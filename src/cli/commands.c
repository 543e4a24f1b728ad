/*
 * commands.c - the table of commands, in the order of a recommendation's life.
 */
#include "cli/command.h"

extern const struct command cmd_bench;
extern const struct command cmd_import;
extern const struct command cmd_fit;
extern const struct command cmd_audit;
extern const struct command cmd_predict;
extern const struct command cmd_demand;
extern const struct command cmd_prices;
extern const struct command cmd_recommend;
extern const struct command cmd_report;
extern const struct command cmd_rules;
extern const struct command cmd_schema;
extern const struct command cmd_tco;
extern const struct command cmd_compare;
extern const struct command cmd_doctor;

const struct command *const commands[] = {
	&cmd_bench,
	&cmd_import,
	&cmd_fit,
	&cmd_audit,
	&cmd_predict,
	&cmd_demand,
	&cmd_prices,
	&cmd_recommend,
	&cmd_tco,
	&cmd_compare,
	&cmd_report,
	&cmd_rules,
	&cmd_schema,
	&cmd_doctor,
};

const size_t n_commands = sizeof(commands) / sizeof(commands[0]);
