#!/usr/bin/env bash
# solve_cost.sh - what one solution of the database model costs, in user instructions.
#
# Counts by valgrind (callgrind) inside db_solve() for two numbers of solutions with everything asked at
# once, over fitted disks; the difference is the cost of the solutions alone, the same wherever and
# whenever it is taken.  Exits 1 when one costs more than MOST, default 3,000,000: half a millisecond at two
# instructions a clock and 3 GHz.  Exits 77 without valgrind.
#
# Environment: SOLVE_COST, the program (tests/bench/solve_cost.c as the build makes it; default: that
# of build/dev).
set -u
here=$(dirname "$(readlink -f "$0")")
program=${SOLVE_COST:-$here/../../build/dev/tests/solve_cost}
most=${MOST:-3000000}
command -v valgrind >/dev/null || { echo "skipped: no valgrind here"; exit 77; }
[ -x "$program" ] || { echo "no program $program: build it, or say SOLVE_COST"; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

inside() { # SOLUTIONS: instructions inside db_solve
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=db_solve "$program" "$1" \
		>"$tmp/out" 2>"$tmp/log" || { cat "$tmp/log" >&2; return 1; }
	[ "$(cat "$tmp/out")" = "$1" ] || return 1
	sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p' "$tmp/log"
}

few=$(inside 200) && many=$(inside 600) || exit 1
awk -v few="$few" -v many="$many" -v most="$most" 'BEGIN {
	if (few <= 0 || many <= few) { print "nothing was counted"; exit 1 }
	each = (many - few) / 400
	printf "%.0f instructions a solution, at most %d\n", each, most
	exit each > most
}'
