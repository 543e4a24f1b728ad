# common.sh - what the measurements in this folder share; to be sourced, not run.
# shellcheck shell=bash
#
# Emulated disks come from ../shared/tools/tier-emulator beside the project (or TIERWISE_SHARED); a
# script that needs what is not here says so and exits with 77, "skipped".
#
# Environment: TIERWISE (program, default tierwise; a release build for figures that mean anything),
# TIERWISE_SHARED, BENCH_DIR (folder on a real disk for tiers and results, default /var/tmp).

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tierwise=${TIERWISE:-tierwise}
shared=${TIERWISE_SHARED:-$here/../../../shared}
emulator=$shared/tools/tier-emulator/tier-emu
work=
unset TIER_EMU_DIR

# name: how it is brought up.  The last three are not presets of the emulator.
declare -A tier_options=(
	[local]="--preset local"
	[ultra]="--preset ultra"
	[premium]="--preset premium"
	[standard]="--preset standard"
	[hdd]="--preset hdd"
	# a network disk whose service time spreads: p99 is twice the median
	[spread]="--read-us 600 --write-us 600 --fsync-us 200 --sigma 0.3 --iops 8000 --mbps 300"
	# as a cloud disk sold by its caps, without a volatile cache
	[gp3like]="--read-us 700 --write-us 500 --fsync-us 0 --iops 3000 --mbps 125"
	# four servers, no cap: the plateau comes from the service time alone
	[raidlike]="--read-us 3000 --write-us 4000 --fsync-us 1000 --slots 4 --mbps 200"
)
# shellcheck disable=SC2034 # for who sources this
tier_names=(local ultra premium standard hdd spread gp3like raidlike)

say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
fail() {
	echo "${0##*/}: $*" >&2
	exit 1
}
usage() { # the comment at the head of the script
	sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
	exit "${1:-2}"
}
skip() {
	echo "skipped: $*"
	exit 77
}

need_programs() { # fio too when named
	local p
	for p in python3 "$tierwise" "$@"; do
		command -v "$p" >/dev/null || skip "$p is not here"
	done
}

need_emulator() {
	[ -x "$emulator" ] || skip "no tier emulator at $emulator"
	[ "$(id -u)" = 0 ] || skip "emulated disks need root"
	"$emulator" doctor >/dev/null || skip "emulated disks: $("$emulator" doctor | grep ^missing | tr -s ' ' | tr '\n' ';')"
}

# work_make - a folder for tiers and temporary results that goes away with the script, and all that it
# started and mounted with it.
work_make() {
	work=$(mktemp -d -p "${BENCH_DIR:-/var/tmp}" tierwise-bench.XXXXXX) || exit 1
	trap work_remove EXIT
	trap 'exit 130' INT TERM HUP
}

kill_tree() { # PID and what it started
	local child
	for child in $(pgrep -P "$1"); do kill_tree "$child"; done
	kill "$1" 2>/dev/null
}

work_remove() {
	local p
	trap '' INT TERM HUP
	for p in $(jobs -p); do kill_tree "$p"; done
	wait
	if [ -d "$work/tiers" ]; then emu down --all --force; fi
	rm -rf --one-file-system "$work"
}

emu() { # COMMAND ARGUMENTS...
	local command=$1
	shift
	TIER_EMU_DIR=$work/tiers "$emulator" "$command" "$@"
}

# tier_up NAME [OPTIONS...] - prints the folder of its file system.  4 GiB of memory at most.
tier_up() {
	local name=$1 options
	shift
	read -ra options <<<"${tier_options[$name]:-}"
	emu up "$name" "${options[@]}" --size 4G "$@"
}

# tier_empty DIR - nobody finds memory that the program before has filled, and it is given back.
tier_empty() { fstrim "$1"; }

now_ms() { date +%s%3N; }

# Held at 0 for both programs where no tier does that already: an idle processor that halts adds to every
# request.
keep_awake() {
	if { exec 9>/dev/cpu_dma_latency; } 2>/dev/null && printf '\0\0\0\0' >&9; then
		echo "idle processors kept awake for both"
	else
		echo "idle processors could not be kept awake"
	fi
}

# by_tierwise DIR SECONDS X.json [OPTIONS...] - the profile; a run that is not complete is none.  As by_fio
# below it leaves the time it took in X.ms.
by_tierwise() {
	local dir=$1 seconds=$2 out=$3 started rc
	shift 3
	started=$(now_ms)
	"$tierwise" bench "$dir" --time "$seconds" --yes -q -o "$out.part.json" "$@" 2>"$out.log"
	rc=$?
	if { [ $rc != 0 ] && [ $rc != 7 ]; } || ! grep -q '"complete": true' "$out.part.json"; then
		say "tierwise on $dir: exit $rc: $(tail -1 "$out.log")"
		return 1
	fi
	echo $(($(now_ms) - started)) >"${out%.json}.ms"
	mv "$out.part.json" "$out"
}

# fio_layout FILE MIB - write it with random data; a file that was only reserved reads as zeros, fast.
fio_layout() {
	fio --name=layout --filename="$1" --size="$2m" --rw=write --bs=1m --iodepth=8 --ioengine=libaio \
		--direct=1 --refill_buffers --end_fsync=1 >/dev/null
}

# by_fio DIR SECONDS X.json MIB - the recipe of fio_recipe.py; writing the file counts as its time, too.
by_fio() {
	local dir=$1 seconds=$2 out=$3 mib=$4 file=$1/fio-file started rc=0
	started=$(now_ms)
	if fio_layout "$file" "$mib"; then
		python3 "$here/fio_recipe.py" "$file" "$mib" "$seconds" $(($(now_ms) - started)) >"$out.job" &&
			fio --output-format=json --output="$out.part" "$out.job" >"$out.log" 2>&1 || rc=1
	else
		rc=1
	fi
	rm -f "$file"
	if [ $rc != 0 ]; then
		say "fio on $dir failed: $(tail -1 "$out.log")"
		return 1
	fi
	echo $(($(now_ms) - started)) >"${out%.json}.ms"
	mv "$out.part" "$out"
}

# law TIER MIB X.json - of a tier that is up; 3: it has none.
law() {
	local rc
	TIER_EMU_DIR=$work/tiers python3 "$here/law.py" "$emulator" "$1" "$2" >"$3.part"
	rc=$?
	if [ $rc = 0 ]; then mv "$3.part" "$3"; else rm "$3.part"; fi
	return $rc
}

profile_file_mib() { # PROFILE - size of the file that was measured
	python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["method"]["file_b"]) >> 20)' "$1"
}
