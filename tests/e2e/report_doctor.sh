#!/usr/bin/env bash
# report_doctor.sh - doctor sees what is missing: gnuplot, a data file that does not load, a data folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "$*"
	cat "$work/out" "$work/err"
	exit 1
}
run() {
	status=0
	"$@" >"$work/out" 2>"$work/err" || status=$?
}
ln -s "$TIERWISE" "$work/tierwise"
mkdir "$work/data"
cp -r "$TIERWISE_DATA_DIR"/{pricing,models,rules,reports} "$work/data"

run "$TIERWISE" doctor --format csv --data-dir "$work/data"
grep -q '^PASS,data documents,' "$work/out" || fail "the shipped documents must load"
grep -q '^PASS,data folder,' "$work/out" || fail "the data folder is whole"
grep -q '^PASS,monotonic clock,\|^UNKNOWN,monotonic clock,\|^FAIL,monotonic clock,' "$work/out" || fail "no clock"

PATH=$work run tierwise doctor --format csv --data-dir "$work/data"
grep -q '^UNKNOWN,gnuplot,.*not found' "$work/out" || fail "gnuplot is not there, and that is not said"

echo '{"schema": "tierwise/prices/1", ' >"$work/data/pricing/broken.json"
run "$TIERWISE" doctor --format csv --data-dir "$work/data"
[ "$status" = 1 ] || fail "a broken price book: exit $status"
grep -q '^FAIL,data documents,.*broken.json' "$work/out" || fail "the broken file is not named"
rm -r "$work/data/pricing/broken.json" "$work/data/reports"
run "$TIERWISE" doctor --format csv --data-dir "$work/data"
[ "$status" = 1 ] || fail "no style: exit $status"
grep -q '^FAIL,data folder,.*style.css is missing' "$work/out" || fail "the missing file is not named"
