#!/usr/bin/env bash
# report_formats.sh - one plan, every format by suffix, from a file and from standard input; the same bytes
# every time; without gnuplot the page still stands; a broken plan and a missing style say what is wrong.
set -eu
plan=$TIERWISE_SOURCE/tests/data/report/plan-payments.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "$*"
	exit 1
}
cd "$work"

"$TIERWISE" report "$plan" -o a.html -o a.md -o a.csv -o a.json -o a.txt 2>notes
[ "$(grep -c '^wrote ' notes)" = 5 ] || fail "expected five notes: $(cat notes)"
grep -q '<!DOCTYPE html>' a.html || fail "a.html is no HTML"
grep -q '^# payments' a.md || fail "a.md is no Markdown"
grep -q '"schema": "tierwise/plan/1"' a.json || fail "a.json is no plan"
grep -q '^Placement' a.txt || fail "a.txt has no placement"
grep -q '^Placement' a.csv || fail "a.csv has no placement"

# JSON of a report is the plan itself: a report of it is the same report.
for suffix in html md csv txt; do
	"$TIERWISE" report -q - -o "b.$suffix" <a.json
	cmp "a.$suffix" "b.$suffix" || fail "report of the written plan differs: $suffix"
done

# A terminal may be a pipe: no colour, no note on stdout.
"$TIERWISE" report "$plan" >out 2>err
[ ! -s err ] || fail "stderr: $(cat err)"
if grep -q "$(printf '\033')" out; then fail "colour in a pipe"; fi

# Without gnuplot: tables, and one word about it.
mkdir bin
ln -s "$TIERWISE" bin/tierwise
PATH=$work/bin tierwise report "$plan" -q -o c.html
[ "$(grep -c 'gnuplot: not found' c.html)" = 1 ] || fail "one call-out about gnuplot expected"
if grep -q '<svg' c.html; then fail "a chart without gnuplot"; fi

# Errors: status and place.
status=0
echo '{"schema": "tierwise/plan/1", "namee": "x"}' >bad.json
"$TIERWISE" report bad.json >out 2>err || status=$?
[ "$status" = 2 ] || fail "unknown key: exit $status"
grep -q 'bad.json:1:31: unknown key "namee", did you mean "name"' err || fail "message: $(cat err)"
status=0
"$TIERWISE" report none.json 2>err || status=$?
[ "$status" = 1 ] || fail "missing file: exit $status"
mkdir -p data/pricing
status=0
"$TIERWISE" report "$plan" --data-dir data -o d.html 2>err || status=$?
[ "$status" != 0 ] || fail "html without a style must fail"
grep -q 'reports/html/style.css' err || fail "message: $(cat err)"
[ ! -e d.html ] || fail "a half-written report was left"
ls -A | grep -v -E '^(a|b|c)\.|^(bad.json|bin|data|err|notes|out)$' && fail "left behind"
exit 0
