#!/usr/bin/env bash
# search_ilp.sh - the joint search beside an integer program of the same choice, solved by GLPK.
#
# For 1, 4, 8 and 16 volumes over all Azure tiers and 10 machine sizes, without and with promises of
# transactions, and for random choices whose caps bind: both optima must be equal to 1e-6.  Prints the seconds of
# both, GLPK's with the reading of its file, and their ratio; no time fails anything.  Exits 77 without glpsol
# (Debian: glpk-utils).
#
# Environment: SEARCH_ILP, the program (tests/bench/search_ilp.c as the build makes it; default: that of
# build/dev); GLPK_SECONDS, most that GLPK is given for one choice, default 120: what it has not finished then
# is said and not compared.
set -u
here=$(dirname "$(readlink -f "$0")")
source=$here/../..
program=${SEARCH_ILP:-$source/build/dev/tests/search_ilp}
limit=${GLPK_SECONDS:-120}
command -v glpsol >/dev/null || { echo "skipped: no glpsol here (Debian package glpk-utils)"; exit 77; }
[ -x "$program" ] || { echo "no program $program: build it, or say SEARCH_ILP"; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
TIMEFORMAT=%U
failed=0

beside() { # NAME ARGUMENTS...: one line; 1 when the optima differ
	local name=$1
	shift
	"$program" "$@" "$tmp/choice.lp" >"$tmp/search" || return 1
	rm -f "$tmp/solution"
	{ time glpsol --lp "$tmp/choice.lp" --tmlim "$limit" -w "$tmp/solution" >"$tmp/out" 2>&1; } 2>"$tmp/user"
	[ -s "$tmp/solution" ] || { cat "$tmp/out"; return 1; }
	awk -v name="$name" -v user="$(cat "$tmp/user")" '
	NR == FNR { for (i = 1; i < NF; i += 2) ours[$i] = $(i + 1); next }
	$1 == "s" { status = $5; cost = $6 }
	END {
		ok = status == "o" && ours["found"] ? cost - ours["cost"] <= 1e-6 && (!ours["exact"] || \
			ours["cost"] - cost <= 1e-6) : status == "n" && (!ours["found"] || !ours["exact"] == 1)
		if (status != "o" && status != "n") { verdict = "GLPK not finished"; ok = 1 }
		else if (!ok) verdict = "DIFFERENT"
		else if (!ours["found"]) verdict = "none, both"
		else verdict = ours["exact"] ? "equal" : "not below the relaxation"
		printf "%-34s %7d columns  search %9.6f s %9d nodes %16.6f  GLPK %7.2f s %16.6f  %8.0f : 1  %s\n", name,
			ours["columns"], ours["seconds"], ours["nodes"], ours["cost"], user, cost,
			user / ours["seconds"], verdict
		exit !ok
	}' "$tmp/search" "$tmp/solution"
}

for volumes in 1 4 8 16; do
	beside "$volumes volumes, no transactions" "$source" $volumes 0 nan nan 1 || failed=1
	beside "$volumes volumes, larger" "$source" $volumes 0 nan nan 2.2 || failed=1
	beside "$volumes volumes, p99 10 ms" "$source" $volumes 2000 2 10 1 || failed=1
done
for seed in 1 2 3; do
	beside "16 volumes, random, tight caps" tight $seed || failed=1
done
exit $failed
