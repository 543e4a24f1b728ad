typedef int tw_rule_empty;
