#!/usr/bin/env bash
# The manual page, --help and the program agree: every command is in each, every option in the page, every exit status is in both.
set -eu
page=$TIERWISE_SOURCE/man/tierwise.1
help=$("$TIERWISE" --help)
failed=0
n=0
for command in $(printf '%s\n' "$help" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	n=$((n + 1))
	grep -qE "^\.(B|BI|BR) \"?(tierwise )?$command\b" "$page" || { echo "manual page lacks $command"; failed=1; }
	grep -qF "tierwise $command" "$TIERWISE_SOURCE/README.md" || { echo "README lacks $command"; failed=1; }
	status=0
	options=$("$TIERWISE" "$command" --help) || status=$?
	for option in $(printf '%s\n' "$options" | grep -oE '^ .*--[a-z][a-z-]*' | grep -oE '[-]-[a-z][a-z-]*'); do
		case $option in --help | --usage) continue ;; esac
		sed 's/\\-/-/g' "$page" | grep -qE -e "$option([^a-z-]|$)" ||
			{ echo "manual page lacks $option of $command"; failed=1; }
	done
	[ "$status" = 0 ] || { echo "tierwise $command --help: exit $status"; failed=1; }
	status=0
	"$TIERWISE" "$command" --no-such-option >/dev/null 2>&1 || status=$?
	[ "$status" = 2 ] || { echo "tierwise $command --no-such-option: exit $status, expected 2"; failed=1; }
done
[ "$n" -ge 10 ] || { echo "only $n commands found in --help"; failed=1; }
for status in 0 1 2 3 4 5 6 7 130; do
	grep -qx "$status" "$page" || { echo "manual page lacks exit status $status"; failed=1; }
	printf '%s' "$help" | grep -qE "(^|[ ;:])$status " || { echo "--help lacks exit status $status"; failed=1; }
done
if command -v man >/dev/null; then
	warnings=$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null || true)
	[ -z "$warnings" ] || { echo "manual page: $warnings"; failed=1; }
fi
# A closed pipe is not a crash, and no command writes its error to standard output.
"$TIERWISE" rules list | head -1 >/dev/null
exit "$failed"
