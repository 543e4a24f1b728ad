#!/usr/bin/env bash
# What pg_test_fsync and ioping print today, run here for some seconds, is read: each figure of the profile is
# the one in the text.
set -eu
export LC_ALL=C
pg=$(command -v pg_test_fsync || ls /usr/lib/postgresql/*/bin/pg_test_fsync 2>/dev/null | tail -1 || true)
ioping=$(command -v ioping || true)
if [ -z "$pg$ioping" ]; then
	echo "skipped: neither pg_test_fsync nor ioping is here"
	exit 77
fi
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
# member KEY FILE: all values of a member, a line each
member() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2"; }

if [ -n "$pg" ]; then
	"$pg" -s 1 -f "$work/file" >"$work/pg.txt" || fail "pg_test_fsync: exit $?"
	"$TIERWISE" import "$work/pg.txt" -o "$work/pg.json" 2>"$work/stderr" || fail "$(cat "$work/stderr")"
	! grep -q 'with warnings' "$work/stderr" || fail "$(cat "$work/stderr")"
	awk '
	/using one/ { inside = 1 }
	/using two/ { exit }
	inside && /ops\/sec/ && $1 ~ /^(open_datasync|fdatasync|fsync)$/ {
		mode["open_datasync"] = "odsync-direct"
		mode["fdatasync"] = "fdatasync"
		mode["fsync"] = "fsync"
		printf "%s %.3f\n", mode[$1], $2
	}' "$work/pg.txt" >"$work/want"
	paste -d' ' <(member mode "$work/pg.json") <(member syncs_per_s "$work/pg.json") |
		awk '{ printf "%s %.3f\n", $1, $2 }' >"$work/got"
	[ -s "$work/want" ] || fail "pg_test_fsync printed no row"
	diff "$work/want" "$work/got" || fail "pg_test_fsync differs"
	echo "pg_test_fsync: $(wc -l <"$work/got") rows"
fi

if [ -n "$ioping" ]; then
	"$ioping" -c 200 -i 0 -s 4k -q "$work" >"$work/ioping.txt" || fail "ioping: exit $?"
	"$TIERWISE" import "$work/ioping.txt" -o "$work/ioping.json" 2>"$work/stderr" ||
		fail "$(cat "$work/stderr" "$work/ioping.txt")"
	want=$(awk '/^min\/avg\/max/ { split($0, part, "="); split(part[2], v, "/"); split(v[2], avg, " ")
		unit["ns"] = 0.001; unit["us"] = 1; unit["ms"] = 1000; unit["s"] = 1000000
		printf "%.6g", avg[1] * unit[avg[2]] }' "$work/ioping.txt")
	[ "$(printf '%.6g' "$(member mean_us "$work/ioping.json")")" = "$want" ] || fail "mean is not $want us"
	[ "$(member bs_b "$work/ioping.json")" = 4096 ] || fail "block size"
	[ "$(member op "$work/ioping.json")" = randread ] || fail "operation"
	"$ioping" -c 100 -i 0 -s 16k -B "$work" >"$work/raw.txt" || fail "ioping -B: exit $?"
	"$TIERWISE" import "$work/raw.txt" -o "$work/raw.json" 2>"$work/stderr" ||
		fail "$(cat "$work/stderr" "$work/raw.txt")"
	[ "$(printf '%.3f' "$(member mean_us "$work/raw.json")")" = \
		"$(awk '{ printf "%.3f", $6 / 1000 }' "$work/raw.txt")" ] || fail "raw mean: $(cat "$work/raw.txt")"
	[ "$(member bs_b "$work/raw.json")" = 16384 ] || fail "raw block size"
	echo "ioping: statistics and a raw line"
fi
