#!/usr/bin/env bash
# cpu_beside.sh [--time S] [--turns N] [DIR] - processor time of one 4 KiB random read at depth 32, by tierwise bench
# and by fio, on the same disk in the same minutes, taking turns.
#
# DIR: a folder on the disk (default: an emulated disk without any delay, so that the programs are never idle).
# --time S of one turn (default 20), --turns N of each program (default 5).
#
# Both: libaio, direct, a file of 512 MiB of random data, latencies recorded.  User and system time of the process
# and its threads are divided by the reads that the disk itself counted, over the moments in which it only read:
# writing the file is no part of it.  On a disk that others use their reads are counted, too: use a quiet one.
# Prints each turn and the ratio tierwise / fio of user, system and total: smallest, median, largest of the turns.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

seconds=20 turns=5 dir=''
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	--time | --turns)
		[ $# -ge 2 ] || usage >&2
		case $1 in
		--time) seconds=$2 ;;
		--turns) turns=$2 ;;
		esac
		shift
		;;
	-*) usage >&2 ;;
	*) dir=$1 ;;
	esac
	shift
done
[[ $seconds =~ ^[0-9]+$ && $seconds -ge 5 && $turns =~ ^[1-9][0-9]*$ ]] || usage >&2
need_programs fio
work_make
if [ -z "$dir" ]; then
	need_emulator
	dir=$(tier_up local) || fail "local does not come up"
else
	keep_awake
fi
file=$(mktemp -p "$dir" cpu-beside.XXXXXX) || exit 1
# the file is named on a disk that may be the user's own: it goes whatever happens
trap 'rm -f "$file"; work_remove' EXIT
fio_layout "$file" 512 || fail "writing $file failed"
echo "$(fio --version) and $("$tierwise" --version | head -1), turns of $seconds s on $dir"
python3 "$here/cpu_turns.py" "$tierwise" "$dir" "$file" "$seconds" "$turns" "$work" &
wait $!
