#!/usr/bin/env bash
# Standard descriptors full, closed or cut: never a silent success, never half a file, never a file beside.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export SOURCE_DATE_EPOCH=1796083200
small=$TIERWISE_SOURCE/rules/examples/small.json
failed=0

# expect STATUS WHAT ACTUAL
expect() {
	if [ "$1" != "$3" ]; then
		echo "$2: exit status $3, expected $1"
		failed=1
	fi
}

if [ -c /dev/full ]; then
	for args in --help --version "recommend --help" "schema workload" "rules list" "recommend $small -q"; do
		# shellcheck disable=SC2086
		"$TIERWISE" $args >/dev/full 2>err.txt
		expect 1 "$args >/dev/full" $?
		grep -q 'standard output: No space left' err.txt || { echo "$args >/dev/full: no reason given"; failed=1; }
	done
	"$TIERWISE" recommend "$small" -q -o /dev/full 2>/dev/null
	expect 1 '-o /dev/full' $?
fi
"$TIERWISE" --version >&- 2>/dev/null
expect 1 '--version >&-' $?
"$TIERWISE" recommend "$small" >&- 2>/dev/null
expect 1 'recommend >&-' $?
"$TIERWISE" recommend - -q <&- >/dev/null 2>&1
expect 1 'recommend - <&-' $?

# nothing standard open at all: the document is the same, byte for byte
"$TIERWISE" recommend "$small" -q -o whole.json
expect 0 'recommend -o' $?
"$TIERWISE" recommend "$small" -o closed.json <&- >&- 2>&-
expect 0 'recommend -o <&- >&- 2>&-' $?
cmp whole.json closed.json || failed=1

# a reader that goes away, and a limit on file size: the old file stays, nothing is left beside it
"$TIERWISE" recommend "$small" -q -o kept.json
(
	ulimit -f 4
	"$TIERWISE" recommend "$small" -q -o kept.json 2>/dev/null
)
expect 1 'file size limit' $?
cmp whole.json kept.json || failed=1
# stdout a file, named by its link
"$TIERWISE" recommend "$small" -q --format json -o - >by-dash.json
expect 0 '-o -' $?
cmp whole.json by-dash.json || failed=1
ln -s kept.json link.json
"$TIERWISE" recommend "$small" -q -o link.json
expect 0 '-o link' $?
[ -L link.json ] || { echo "the link was replaced"; failed=1; }
left=$(find . -name '*.json.*' | wc -l)
[ "$left" = 0 ] || { echo "files left beside:"; ls; failed=1; }
exit "$failed"
