#include "workload/prom_fault.h"

#include <string.h>

bool
prom_is_fault(struct jval root)
{
	const char *status = json_text(json_get(root, "status"));
	return status && strcmp(status, "error") == 0;
}

/* By a word of the error, else by its type; in this order. */
static const struct {
	const char *type, *word, *todo;
} todos[] = {
	{NULL, "maximum resolution", "ask for a shorter range or with a larger step"},
	{NULL, "too many samples",
		"ask for a shorter range, a larger step, one device or one instance at a time"},
	{NULL, "error parsing regexp",
		"a regular expression is wrong: correct --device or --instance"},
	{NULL, "parse error", "the query is no PromQL: correct it where the position says"},
	{NULL, "many-to-many",
		"the query matches two series for one: name one instance and one device"},
	{"bad_data", "", "the request is wrong: correct its query or times"},
	{"execution", "",
		"the store could not work the query out: a shorter range or a larger step"},
	{"timeout", "", "the store gave up for time: a shorter range, a larger step, or try later"},
	{"canceled", "", "the store stopped the query: try again"},
	{"unavailable", "", "the store is starting, or has lost a part: try again later"},
	{"internal", "", "a fault inside the store: see its log"},
	{"not_found", "", "no such tenant or path: correct the address"},
	{NULL, "", "see the store's own documents"},
};

int
prom_fault(struct jval root, const char *where, enum err_code code, struct err *err)
{
	const char *type = json_text(json_get(root, "errorType"));
	const char *text = json_text(json_get(root, "error"));
	type = type ? type : "error without a type";
	text = text ? text : "no words";
	size_t i = 0;
	while ((todos[i].type && strcmp(todos[i].type, type) != 0) || !strstr(text, todos[i].word))
		i++;
	return err_set(err, code, "%s: the store answers %s: %.300s; %s", where, type, text,
		todos[i].todo);
}
