#!/usr/bin/env bash
# instructions.sh [DIR] - what one request of the load generator costs, in user instructions.
#
# Counts by valgrind (callgrind) inside load_run() at depth 32, 4 KiB random reads, for two numbers of
# requests; the difference is the cost of the requests alone.  On the engine that does nothing, so the
# count is the same wherever and whenever it is taken.  Exits 1 when a request costs more than MOST
# (default 120) with all 32 back at a time; with fewer, what a reap costs falls on fewer, which is
# shown.  With DIR also, for comparison, through libaio on a file of 64 MiB there, its libraries
# included, and the same load by fio.  Exits 77 without valgrind.
#
# Environment: LOAD_COST, the program (tests/bench/load_cost.c as the build makes it; default: that of
# build/dev).
set -u
here=$(dirname "$(readlink -f "$0")")
program=${LOAD_COST:-$here/../../build/dev/tests/load_cost}
most=${MOST:-120}
dir=${1:-}
command -v valgrind >/dev/null || { echo "skipped: no valgrind here"; exit 77; }
[ -x "$program" ] || { echo "no program $program: build it, or say LOAD_COST"; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

callgrind() { # FUNCTION COMMAND...: instructions inside FUNCTION (*: all); its output goes to $tmp/out
	local toggle=(--toggle-collect="$1")
	[ "$1" != '*' ] || toggle=()
	shift
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "${toggle[@]}" "$@" >"$tmp/out" 2>"$tmp/log" ||
		{ cat "$tmp/log" >&2; return 1; }
	sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p' "$tmp/log"
}

few=20000
many=60000

show() { # TEXT INSTRUCTIONS REQUESTS INSTRUCTIONS REQUESTS [MOST]: of a shorter and a longer run
	awk -v text="$1" -v i="$2" -v n="$3" -v more="$4" -v m="$5" -v most="${6:-0}" 'BEGIN {
		if (n == "" || m <= n || i <= 0 || more <= i) { print text ": nothing was counted"; exit 1 }
		each = (more - i) / (m - n)
		printf "%-40s %7.1f instructions a request%s\n", text, each, most ? ", at most " most : ""
		exit most && each > most
	}'
}

cost() { # TEXT MOST ENGINE [DIR]
	local text=$1 most=$2 engine=$3 i n more m
	shift 3
	i=$(callgrind load_run "$program" "$engine" randread 32 "$few" "$@") || return 1
	n=$(cat "$tmp/out")
	more=$(callgrind load_run "$program" "$engine" randread 32 "$many" "$@") || return 1
	m=$(cat "$tmp/out")
	show "$text" "$i" "$n" "$more" "$m" "$most"
}

by_fio() { # NUMBER
	callgrind '*' fio --thread --name=cost --filename="$dir/load-cost.$$" --size=64m --ioengine=libaio \
		--direct=1 --rw=randread --bs=4k --iodepth=32 --number_ios="$1" --io_size=1g
}

failed=0
cost "all 32 back a reap" "$most" null || failed=1
cost "4 back a reap" 0 null:batch=4 || failed=1
cost "1 back a reap" 0 null:batch=1 || failed=1
if [ -n "$dir" ]; then
	cost "libaio" 0 libaio "$dir" || failed=1
fi
if [ -n "$dir" ] && command -v fio >/dev/null; then
	trap 'rm -rf "$tmp" "$dir/load-cost.$$"' EXIT
	show "$(fio --version), libaio" "$(by_fio $few)" $few "$(by_fio $many)" $many || failed=1
fi
exit $failed
