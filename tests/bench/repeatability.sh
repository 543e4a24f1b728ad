#!/usr/bin/env bash
# repeatability.sh [--time S] [--count N] [--tier NAME] [--csv FILE] [--out DIR] - how far do runs of the same
# disk lie apart?  N runs of S seconds by tierwise bench and N by fio, taking turns, on one emulated disk whose
# service time spreads (p99 twice the median).
#
#   --time S     of one run (default 60; 20 or more)
#   --count N    runs of each (default 10; 2 or more)
#   --tier NAME  a tier of common.sh (default spread)
#   --csv FILE   every run's figures
#   --out DIR    keep results in DIR, and go on there when repeated
#
# Prints smallest, median and largest of capacity and of p99, and the coefficient of variation, side by side,
# with the law beside them.  Nothing fails: the table is there to be read.  Takes 2 x N x S.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

seconds=60 count=10 tier=spread csv=- out=''
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	esac
	[ $# -ge 2 ] || usage >&2
	case $1 in
	--time) seconds=$2 ;;
	--count) count=$2 ;;
	--tier) tier=$2 ;;
	--csv) csv=$2 ;;
	--out) out=$2 ;;
	*) usage >&2 ;;
	esac
	shift 2
done
[[ $seconds =~ ^[0-9]+$ && $seconds -ge 20 && $count =~ ^[0-9]+$ && $count -ge 2 ]] || usage >&2
[ -n "${tier_options[$tier]:-}" ] || fail "no tier $tier (there are: ${tier_names[*]})"
[ "$tier" != local ] || fail "local has no law"
need_programs fio
need_emulator
work_make
results=${out:-$work/results}/$tier-$seconds
mkdir -p "$results" || exit 1

one_run() { # N PROGRAM
	local result=$results/$1.$2.json
	[ ! -e "$result" ] || return 0
	tier_empty "$dir"
	say "run $1 of $count by $2"
	case $2 in
	tierwise) by_tierwise "$dir" "$seconds" "$result" --seed "$1" ;;
	fio) by_fio "$dir" "$seconds" "$result" "$(profile_file_mib "$results/1.tierwise.json")" ;;
	esac
}

all_runs() {
	local n
	for ((n = 1; n <= count; n++)); do
		if ((n % 2)); then
			one_run "$n" tierwise && one_run "$n" fio || return 1
		else
			one_run "$n" fio && one_run "$n" tierwise || return 1
		fi
	done
}

dir=$(tier_up "$tier") || fail "$tier does not come up"
all_runs &
wait $! || fail "a run failed"
law "$tier" "$(profile_file_mib "$results/1.tierwise.json")" "$results/law.json" || fail "no law of $tier"
echo "$tier: ${tier_options[$tier]}; $count runs each of $seconds s, $(fio --version) and $("$tierwise" --version | head -1)"
python3 "$here/repeatability_table.py" "$results" "$count" "$csv"
