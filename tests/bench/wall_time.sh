#!/usr/bin/env bash
# wall_time.sh [--time S] [--cell S] [--job FILE] [DIR | PROFILE.json] - how long does a full characterisation take,
# by tierwise bench and by fio?
#
# Runs tierwise bench on the disk under DIR (default: the emulated tier "premium") for --time (default 180) and
# takes the time; or takes the time that a complete PROFILE says.  Then writes the equivalent fio job file: one
# section for every cell, mix, kind of commit, open-loop rate and hold phase that the profile holds, --cell
# seconds each (default 60), no ramp and nothing for starting and stopping.  The job file is checked with
# fio --parse-only and NOT run: it takes hours.  Prints both times, by part, and the ratio.
#
#   --job FILE    keep the job file

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

seconds=180 cell=60 job='' what=''
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	--time | --cell | --job)
		[ $# -ge 2 ] || usage >&2
		case $1 in
		--time) seconds=$2 ;;
		--cell) cell=$2 ;;
		--job) job=$2 ;;
		esac
		shift
		;;
	-*) usage >&2 ;;
	*) what=$1 ;;
	esac
	shift
done
[[ $seconds =~ ^[0-9]+$ && $seconds -ge 20 && $cell =~ ^[1-9][0-9]*$ ]] || usage >&2
need_programs fio
work_make
job=${job:-$work/full.fio}

if [ -f "$what" ]; then
	profile=$what
	took=()
else
	profile=$work/profile.json
	if [ -z "$what" ]; then
		need_emulator
		what=$(tier_up premium) || fail "premium does not come up"
	fi
	by_tierwise "$what" "$seconds" "$profile" &
	wait $! || fail "no profile"
	took=("$(cat "${profile%.json}.ms")")
fi
python3 "$here/wall_time_job.py" "$profile" "$cell" "$job" "${took[@]}" || exit 1
fio --parse-only "$job" >"$work/parse.log" 2>&1 || fail "fio does not take the job file: $(head -3 "$work/parse.log")"
echo "fio --parse-only takes the job file ($(grep -c '^\[' "$job") sections with [global])"
