#!/usr/bin/env bash
# Three whole sweeps through the real program: every cell of the profile against expected.csv, which
# an independent parser wrote; then what happens to the rest when one file is refused or missing.
set -eu
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures/fio
if [ ! -r "$fixtures/expected.csv" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

# The profile has one member a line; print a line a cell: source op iops KiB/s mean p50 p99 n.
cells() {
	awk '
	/^  "cells": \[/ { inside = 1; next }
	inside && /^  \]/ { inside = 0 }
	inside && /^    \}/ {
		printf "%s\t%s\t%s\t%.6f\t%s\t%s\t%s\t%s\n", v["source"], v["op"], v["iops"],
			v["mibps"] * 1024, v["mean_us"], v["p50_us"], v["p99_us"], v["n"]
		delete v
	}
	inside && match($0, /^      "[a-z0-9_]+": /) {
		key = substr($0, 8, RLENGTH - 10)
		value = substr($0, RSTART + RLENGTH)
		gsub(/[",]/, "", value)
		v[key] = value
	}' "$1"
}

# cells on standard input; prints how many equal their row.
compare() {
	awk -F'\t' -v dir="$1" -v csv="$fixtures/expected.csv" '
	function near(what, got, want, tolerance) {
		if (got == "" || want == "" || got - want > tolerance || want - got > tolerance) {
			printf "%s %s: %s is %s, expected %s\n", $1, $2, what, got, want
			bad = 1
		}
	}
	BEGIN {
		while ((getline line < csv) > 0) {
			split(line, f, ",")
			if (index(f[1], dir "/") == 1)
				rows[substr(f[1], length(dir) + 2)] = line
		}
		for (r in rows)
			n_rows++
	}
	{
		if (!($1 in rows)) {
			print $1 ": not in expected.csv"
			bad = 1
			next
		}
		split(rows[$1], f, ",")
		if ($2 != f[8]) { print $1 ": " $2 ", expected " f[8]; bad = 1 }
		near("iops", $3, f[13], 0.00006)
		near("KiB/s", $4, f[14] + 0.5, 0.51)
		near("samples", $8, f[17], 0)
		near("mean", $5, f[18], 0.0006)
		near("p50", $6, f[19], 0.0006)
		near("p99", $7, f[20], 0.0006)
		n++
	}
	END {
		printf "%s: %d of %d rows compared\n", dir, n, n_rows
		exit bad || n != n_rows || n == 0
	}'
}

for dir in own-virtio-qd-sweep ssd-crucial250-repeat1 ssd-sata-samsung-860pro-nowritecache; do
	"$TIERWISE" import "$fixtures/$dir"/*.json -o "$work/$dir.json" 2>"$work/stderr" ||
		fail "$dir: exit $?: $(cat "$work/stderr")"
	grep -q "\"name\": \"$dir\"" "$work/$dir.json" || fail "$dir: the name is not the folder's"
	cells "$work/$dir.json" | compare "$dir" || fail "$dir differs"
done

# The same input gives the same bytes.
"$TIERWISE" import "$fixtures"/own-virtio-qd-sweep/*.json --format json -q >"$work/again.json"
cmp "$work/again.json" "$work/own-virtio-qd-sweep.json" || fail "not reproducible"

good=$fixtures/ssd-crucial250-repeat1/randread-qd1-nj1.json
head -c 3000 "$good" >"$work/cut.json"
echo "fio: nothing" >"$work/text.json"

status=0
"$TIERWISE" import "$work/cut.json" "$good" "$work/text.json" -o "$work/part.json" \
	2>"$work/stderr" || status=$?
[ "$status" = 2 ] || fail "a refused file: exit $status, expected 2"
[ "$(cells "$work/part.json" | wc -l)" = 1 ] || fail "the good file is not in the profile"
grep -q "cut.json: refused: cut off at byte 3000" "$work/stderr" || fail "$(cat "$work/stderr")"
grep -q "text.json: refused: no fio result" "$work/stderr" || fail "$(cat "$work/stderr")"
grep -q "randread-qd1-nj1.json: accepted (1 cell, 0 syncs)" "$work/stderr" ||
	fail "$(cat "$work/stderr")"

status=0
"$TIERWISE" import "$work/none.json" "$good" -o "$work/part2.json" 2>"$work/stderr" || status=$?
[ "$status" = 1 ] || fail "a missing file: exit $status, expected 1"
[ "$(cells "$work/part2.json" | wc -l)" = 1 ] || fail "the good file is not in the profile"

# Nothing accepted: nothing is written.
status=0
"$TIERWISE" import "$work/cut.json" -o "$work/never.json" 2>/dev/null || status=$?
[ "$status" = 2 ] && [ ! -e "$work/never.json" ] || fail "a profile of nothing was written"

# What import writes, import's reader accepts: the profile is a document like any other.
"$TIERWISE" import - <"$good" --format json --name piped --device ssd 2>/dev/null |
	grep -q '"device": "ssd"' || fail "standard input"
