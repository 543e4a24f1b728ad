#!/usr/bin/env bash
# accuracy.sh [--time S] [--tiers LIST] [--runs N] [--parallel] [--csv FILE] [--out DIR] [--long S] - how near do
# tierwise bench and fio come to the truth, on emulated disks of known law, each in the same time?
#
#   --time S      of one run by each program, 60 or 180 as a rule (default 60; 20 or more)
#   --tiers LIST  of local,ultra,premium,standard,hdd,spread,gp3like,raidlike (default: all)
#   --runs N      of both programs on each disk, taking turns at going first (default 1)
#   --parallel    measure premium, standard, hdd, gp3like and raidlike at the same time: together they take
#                 less than one processor; the others are measured alone in any case
#   --csv FILE    the table for programs
#   --out DIR     keep results in DIR, and do not measure again what is there already: an interrupted call
#                 goes on when it is repeated, tiers may be added one call after the other
#   --long S      of one cell of the long reading by fio that stands for the truth of "local" (default 10)
#
# tierwise spends its time on its whole plan, fio (fio_recipe.py) on what is compared here and nothing else.
# Prints one table; exit 0 unless something could not be measured: the table is there to be read.
# Takes 2 x S x N for each disk measured alone, and as long for all that are measured together; "local" 18
# cells x --long more.  Memory: 4 GiB at most for each disk that is up, with --parallel some 10 GiB in all.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

seconds=60 runs=1 parallel=no csv=- out='' long=10
tiers=("${tier_names[@]}")
while [ $# -gt 0 ]; do
	case $1 in
	--parallel) parallel=yes ;;
	--time | --tiers | --runs | --csv | --out | --long)
		[ $# -ge 2 ] || usage >&2
		case $1 in
		--time) seconds=$2 ;;
		--tiers) IFS=, read -ra tiers <<<"$2" ;;
		--runs) runs=$2 ;;
		--csv) csv=$2 ;;
		--out) out=$2 ;;
		--long) long=$2 ;;
		esac
		shift
		;;
	-h | --help) usage 0 ;;
	*) usage >&2 ;;
	esac
	shift
done
[[ $seconds =~ ^[0-9]+$ && $seconds -ge 20 && $runs =~ ^[1-9][0-9]*$ && $long =~ ^[1-9][0-9]*$ ]] || usage >&2
for tier in "${tiers[@]}"; do
	[ -n "${tier_options[$tier]:-}" ] || fail "no tier $tier (there are: ${tier_names[*]})"
done
need_programs fio
need_emulator
work_make
results=${out:-$work/results}/$seconds
mkdir -p "$results" || exit 1

light() { [[ $1 =~ ^(premium|standard|hdd|gp3like|raidlike)$ ]]; }

is_done() { # TIER
	local n
	[ -e "$results/$1.law.json" ] || [ -e "$results/$1.long.json" ] || return 1
	for ((n = 1; n <= runs; n++)); do
		[ -e "$results/$1.$n.tierwise.json" ] && [ -e "$results/$1.$n.fio.json" ] || return 1
	done
}

# one_run TIER N PROGRAM DIR - unless its result is there already.
one_run() {
	local result=$results/$1.$2.$3.json
	[ ! -e "$result" ] || return 0
	tier_empty "$4"
	say "$1: run $2 of $runs by $3"
	case $3 in
	tierwise) by_tierwise "$4" "$seconds" "$result" ;;
	fio) by_fio "$4" "$seconds" "$result" "$(profile_file_mib "$results/$1.1.tierwise.json")" ;;
	esac
}

# The law, for the file size that was measured; of a disk without one a long reading.
truth() { # TIER DIR
	local mib
	[ ! -e "$results/$1.law.json" ] && [ ! -e "$results/$1.long.json" ] || return 0
	mib=$(profile_file_mib "$results/$1.1.tierwise.json") || return 1
	law "$1" "$mib" "$results/$1.law.json"
	case $? in
	0) ;;
	3)
		say "$1: long reading by fio"
		by_fio "$2" $((18 * long)) "$results/$1.long.json" "$mib"
		;;
	*) return 1 ;;
	esac
}

# measure TIER DIR - all runs: the first of tierwise goes first (its file size is fio's, too), then turns.
measure() {
	local n order program
	for ((n = 1; n <= runs; n++)); do
		order=(tierwise fio)
		((n % 2)) || order=(fio tierwise)
		for program in "${order[@]}"; do
			one_run "$1" "$n" "$program" "$2" || return 1
		done
	done
}

# together TIER... - all up, measured at the same time, then the truth of each, all down.
together() {
	local tier pids=()
	local -A dir
	for tier in "$@"; do
		dir[$tier]=$(tier_up "$tier") || fail "$tier does not come up"
	done
	for tier in "$@"; do
		measure "$tier" "${dir[$tier]}" &
		pids+=($!)
	done
	for tier in "$@"; do
		wait "${pids[0]}" && truth "$tier" "${dir[$tier]}" || bad+=("$tier")
		pids=("${pids[@]:1}")
	done
	emu down "$@" --force
}

bad=()
abreast=()
alone=()
for tier in "${tiers[@]}"; do
	if is_done "$tier"; then
		say "$tier: measured already"
	elif [ $parallel = yes ] && light "$tier"; then
		abreast+=("$tier")
	else
		alone+=("$tier")
	fi
done
[ ${#abreast[@]} = 0 ] || together "${abreast[@]}"
for tier in "${alone[@]}"; do together "$tier"; done

echo "$(fio --version) and $("$tierwise" --version | head -1), $seconds s each, $runs run(s), $(nproc) processors, Linux $(uname -r)"
python3 "$here/accuracy_table.py" "$results" "$csv" "${tiers[@]}" || exit 1
[ ${#bad[@]} = 0 ] || fail "not measured: ${bad[*]}"
