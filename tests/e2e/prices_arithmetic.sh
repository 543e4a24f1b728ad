#!/usr/bin/env bash
# The truth table of bills once more, without the program: each row's arithmetic through bc must give the
# amount that stands beside it.
set -u
command -v bc >/dev/null || { echo "skipped: no bc"; exit 77; }
table=$TIERWISE_SOURCE/tests/unit/price/test_truth.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk '
	match($0, /\.(total|low|wasted) = [0-9.]+,/) {
		s = substr($0, RSTART + 1, RLENGTH - 2); split(s, part, " = "); amount[part[1]] = part[2]
	}
	match($0, /\.(sum|low_sum|wasted_sum) = "[^"]*"/) {
		s = substr($0, RSTART + 1, RLENGTH - 1); split(s, part, " = ")
		key = part[1] == "sum" ? "total" : part[1] == "low_sum" ? "low" : "wasted"
		gsub(/"/, "", part[2]); print amount[key] "|" part[2]
	}' "$table" >"$work/pairs"
rows=$(grep -c '|' "$work/pairs")
[ "$rows" -ge 60 ] || { echo "only $rows sums found in $table"; exit 1; }
cut -d'|' -f2 "$work/pairs" | sed 's/^/scale=15; /' | bc >"$work/sums" || exit 1
paste -d'|' "$work/pairs" "$work/sums" | awk -F'|' '
	{
		d = $1 - $3
		if (d < 0)
			d = -d
		if (d > 1e-9 * ($1 > 1 ? $1 : 1)) {
			print "stated " $1 ", but " $2 " = " $3
			bad = 1
		}
	}
	END { exit bad }' || exit 1
echo "ok: $rows sums"
