/*
 * rule.h - policy as data: rules over named facts, the document "tierwise/rules/1" (the files under
 * rules).
 *
 * A rule is { id, kind, when, then, why, source, as_of }.  `when` is a tree of all / any / not over
 * { "fact": NAME, OP: VALUE } with OP one of is, is_not, in, above, below, at_least, at_most,
 * known; VALUE is a literal or { "fact": NAME }.  Facts are one documented list (rule_facts); an
 * unknown fact or a wrong type is an error at load, with the nearest name.  A comparison with an
 * unknown fact is "unknown", and unknown is not true: a rule fires only on what is known. `then`
 * for kind require or prefer is a condition of the same form that a candidate must (should) meet;
 * for configure, warn and checklist it is { "text": ..., "set": NAME, "to": VALUE } (all optional
 * but text). Texts may hold {fact.name}, replaced by the actual value when printed, and so may the
 * value of a setting that is no fact.
 *
 * The form, the operators and the facts are documented for authors in rules/README.md.  Everything
 * lives in the arena given to rule_pack_init() or rule_context_init(); nothing here is for
 * concurrent writing, reading a loaded pack is.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/finding.h"
#include "base/json.h"
#include "base/schema.h"

enum rule_kind {
	RULE_REQUIRE,
	RULE_PREFER,
	RULE_CONFIGURE,
	RULE_WARN,
	RULE_CHECKLIST,
	RULE_KIND_COUNT
};
extern const struct names rule_kind_names;

enum rule_type { RULE_NUMBER, RULE_TEXT, RULE_FLAG, RULE_TYPE_COUNT };

struct rule_fact {
	const char *name; /* "volume.role" */
	enum rule_type type;
	/* differs between the volumes of a plan; the others are the same for the whole plan */
	bool per_volume;
	const char *unit; /* "ms", "share" (0..1, printed as percent), "money", "" */
	const char *help;
	const struct names *words; /* RULE_TEXT: the words it may have; NULL: any text */
};

/* Every fact a rule may name. */
extern const struct rule_fact rule_facts[];
extern const size_t rule_n_facts;

/* A fact's value for one volume and candidate. */
struct rule_value {
	bool known;
	double number; /* RULE_NUMBER; RULE_FLAG: 0 or 1 */
	const char *text; /* RULE_TEXT */
};

/* The facts of one situation, by index into rule_facts; set with rule_set_*(). */
struct rule_context {
	struct rule_value *values; /* rule_n_facts of them */
	size_t next; /* facts are set in the order of the table, mostly: the one after the last */
};

/* The fact of that name, or NULL. */
const struct rule_fact *rule_fact_find(const char *name);

/* All facts unknown.  ERR_NOMEM. */
int rule_context_init(struct rule_context *c, struct arena *a, struct err *err);
/* All facts unknown again. */
void rule_context_clear(struct rule_context *c);
/* The name must be in rule_facts with that type (asserted). */
void rule_set_number(struct rule_context *c, const char *name, double number); /* NaN: unknown */
/* NULL: unknown; the text is borrowed */
void rule_set_text(struct rule_context *c, const char *name, const char *text);
void rule_set_flag(struct rule_context *c, const char *name, int flag); /* -1: unknown */

struct rule_node; /* a compiled condition */

struct rule {
	const char *id;
	int kind; /* enum rule_kind */
	const char *why, *source, *as_of;
	const char *text; /* then.text; NULL for require and prefer without one */
	const char *set, *to; /* then.set, then.to, which may hold {fact.name}; NULL when absent */
	const struct rule_node *when; /* NULL: always */
	const struct rule_node *then; /* require, prefer */
	const char *when_text; /* the condition in words, with fact names */
	const char *then_text;
	const char *pack; /* file it came from, without folders */
	bool per_volume; /* when, then or text name a fact that differs between volumes */
};

/* A file that was loaded, for the list of inputs. */
struct rule_file {
	const char *path, *sha256, *title;
	size_t n_rules;
};

struct rule_pack {
	struct arena *arena;
	struct rule *rules;
	size_t n;
	struct rule_file *files;
	size_t n_files;
};

/* The document "tierwise/rules/1", for its manual. */
extern const struct schema rule_pack_schema;

void rule_pack_init(struct rule_pack *pack, struct arena *a);

/*
 * Add the rules of a file, all or none; a later rule with the same id replaces the earlier one (a
 * site's own pack comes last).  ERR_PARSE with the place (ERR_RANGE: kind): unknown key, fact,
 * operator or kind, wrong type, no id, why, source or as_of, the same id twice in one file, a
 * `require` that contradicts another of the same `when`, in this file or an earlier one.
 */
int rule_pack_load(struct rule_pack *pack, const char *path, struct err *err);
/* The same from a parsed document; the pack's name is the document's. */
int rule_pack_read(struct rule_pack *pack, struct jval root, struct err *err);

/* Every *.json file directly in a folder, by name.  ERR_IO, ERR_NOT_FOUND when there is none. */
int rule_pack_load_folder(struct rule_pack *pack, const char *folder, struct err *err);

/* Borrowed until the next load; NULL when there is none. */
const struct rule *rule_find(const struct rule_pack *pack, const char *id);

enum rule_answer { RULE_NO, RULE_YES, RULE_UNKNOWN };

/* Does the rule's `when` hold? */
enum rule_answer rule_applies(const struct rule *rule, const struct rule_context *c);
/*
 * Does the candidate meet `then` (require, prefer)?  RULE_YES for other kinds.  A requirement is
 * met only by RULE_YES: RULE_UNKNOWN means a fact the rule needs was not set, and is to be said.
 */
enum rule_answer rule_holds(const struct rule *rule, const struct rule_context *c);

/* Append "wal-not-ephemeral: volume.role (wal) is wal, ..." with actual values, for the
 * explanation. */
void rule_explain(const struct rule *rule, const struct rule_context *c, struct buf *out);
/* Append rule->text with {fact} replaced by values, or why as it stands. */
void rule_text(const struct rule *rule, const struct rule_context *c, struct buf *out);
/* Append rule->to with {fact} replaced by values, numbers plainly (12800); nothing when it sets
 * nothing. */
void rule_value_text(const struct rule *rule, const struct rule_context *c, struct buf *out);

#endif /* RULE_RULE_H */
