#!/usr/bin/env bash
# search_cost.sh - what one joint search costs: seconds, nodes and user instructions.
#
# For 1, 4, 8 and 16 volumes over all Azure tiers and 10 machine sizes, with a transaction profile and its
# promises: several databases with their logs, data, indexes, temporary and backup volumes.  Instructions are
# counted by valgrind (callgrind) inside chooser_solve(), predictions of the database and the making of the
# problem included, of the first search, which remembers nothing; the same wherever and whenever they are
# taken.  The seconds are those of making all candidates, and of one search after the first.  Exits 1 when
# the search over 16 volumes costs more than MOST instructions, default 200,000,000: 33 ms at two
# instructions a clock and 3 GHz.  Without valgrind only the seconds are printed, and the exit is 77.
#
# Environment: SEARCH_COST, the program (tests/bench/search_cost.c as the build makes it; default: that of
# build/dev); VOLUMES, the cases to run.
set -u
here=$(dirname "$(readlink -f "$0")")
source=$here/../..
program=${SEARCH_COST:-$source/build/dev/tests/search_cost}
most=${MOST:-200000000}
[ -x "$program" ] || { echo "no program $program: build it, or say SEARCH_COST"; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
status=0
command -v valgrind >/dev/null || { echo "no valgrind here: no instructions"; status=77; }

for volumes in ${VOLUMES:-1 4 8 16}; do
	ask="$source $volumes 2000 2 10 1"
	# shellcheck disable=SC2086
	"$program" $ask 20 >"$tmp/out" || exit 1
	each=0
	if [ $status != 77 ]; then
		# shellcheck disable=SC2086
		valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=chooser_solve \
			"$program" $ask 1 >"$tmp/counted" 2>"$tmp/log" || { cat "$tmp/log" >&2; exit 1; }
		each=$(sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p' "$tmp/log")
	fi
	awk -v volumes="$volumes" -v each="$each" -v most="$most" -v counted=$((status != 77)) '{
		for (i = 1; i < NF; i += 2) n[$i] = $(i + 1)
		printf "%2d volumes: candidates made in %.3f s; search %.6f s, %d instructions, %d nodes, %d of %d " \
			"candidates not dominated, %d predictions, cost %.2f, bound %.2f\n", volumes, n["candidates_s"],
			n["search_s"], each, n["nodes"], n["undominated"], n["offered"], n["predictions"], n["cost"],
			n["bound"]
		exit (counted && each <= 0) || (volumes == 16 && each > most)
	}' "$tmp/out" || status=1
done
exit $status
