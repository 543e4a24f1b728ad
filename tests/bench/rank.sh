#!/usr/bin/env bash
# rank.sh [--by emulated|cgroup] [--time S] [--repeats N] [--gap %] [--drift %] [--full] [--csv FILE] - two disks that
# differ by a few per cent: who says rightly which is the faster one?
#
# Both disks serve some 2000 requests a second, one of them --gap per cent more (default 5; which one changes from
# repeat to repeat).  Like disks on a shared host both speed up and slow down together: every sixth of --time a new
# common factor is drawn within --drift per cent (default 10; 0: none).
#
#   --by emulated  two tiers of the emulator (default)
#   --by cgroup    two files of this disk as loop devices, throttled by a control group (v1 blkio, or v2 io.max)
#   --time S       given to tierwise (default 60); fio then gets the time tierwise took, half for each disk
#   --repeats N    (default 6)
#   --full         tierwise with its whole plan, not only with the cell that fio measures
#
# tierwise measures both in one call (bench A B), fio one after the other: the same cell, 4 KiB random reads at
# depth 32.  Prints each repeat, how often each ranked them right, and for tierwise whether the interval of the
# ratio holds the true one and how often it excludes "no difference".

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

by=emulated seconds=60 repeats=6 gap=5 drift=10 full=no csv=-
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	--full) full=yes ;;
	--by | --time | --repeats | --gap | --drift | --csv)
		[ $# -ge 2 ] || usage >&2
		case $1 in
		--by) by=$2 ;;
		--time) seconds=$2 ;;
		--repeats) repeats=$2 ;;
		--gap) gap=$2 ;;
		--drift) drift=$2 ;;
		--csv) csv=$2 ;;
		esac
		shift
		;;
	*) usage >&2 ;;
	esac
	shift
done
[[ $by =~ ^(emulated|cgroup)$ && "$seconds $repeats $gap $drift" =~ ^[0-9]+( [0-9]+){3}$ && $seconds -ge 10 ]] || usage >&2
readonly base_iops=2000 file_mib=256
need_programs fio
if [ "$by" = emulated ]; then need_emulator; fi
[ "$(id -u)" = 0 ] || skip "needs root"
work_make

# ---- two disks whose rate can be set: disks_up, set_rates A B, under COMMAND..., disks_down

emulated_up() {
	a=$(emu up a --read-us 800 --write-us 800 --fsync-us 400 --iops $base_iops --size 4G) &&
		b=$(emu up b --read-us 800 --write-us 800 --fsync-us 400 --iops $base_iops --size 4G)
}
emulated_rates() { emu set a --iops "$1" && emu set b --iops "$2"; }
emulated_under() { "$@"; }
emulated_down() { :; } # with the rest, by work_remove

group='' loops=()
cgroup_up() {
	local name loop
	if [ -e /sys/fs/cgroup/blkio/blkio.throttle.read_iops_device ]; then
		group=/sys/fs/cgroup/blkio/tierwise-rank.$$
	elif grep -qw io /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
		group=/sys/fs/cgroup/tierwise-rank.$$
		echo +io >/sys/fs/cgroup/cgroup.subtree_control || skip "the io controller cannot be enabled here"
	else
		skip "no control group here can throttle a disk"
	fi
	mkdir "$group" || skip "control groups cannot be made here"
	for name in a b; do
		truncate -s 6G "$work/$name.img" && loop=$(losetup --show -f --direct-io=on "$work/$name.img") || return 1
		loops+=("$loop")
		mkdir "$work/$name" && mkfs.ext4 -q -m 0 -E nodiscard "$loop" && mount -o noatime "$loop" "$work/$name" || return 1
	done
	a=$work/a b=$work/b
}
cgroup_rates() {
	local i rate major_minor
	for i in 0 1; do
		rate=$(($1 + 0))
		shift
		major_minor=$(lsblk -ndo MAJ:MIN "${loops[i]}" | tr -d ' ')
		if [ -e "$group/io.max" ]; then
			echo "$major_minor riops=$rate wiops=$rate" >"$group/io.max" || return 1
		else
			echo "$major_minor $rate" >"$group/blkio.throttle.read_iops_device" || return 1
		fi
	done
}
cgroup_under() { # COMMAND... in the group
	(
		echo $BASHPID >"$group/cgroup.procs" || exit 1
		"$@"
	)
}
cgroup_down() {
	local i
	for i in a b; do
		if mountpoint -q "$work/$i"; then umount "$work/$i" || umount -l "$work/$i"; fi
	done
	for i in "${loops[@]}"; do losetup -d "$i"; done
	[ -z "$group" ] || rmdir "$group"
}

# ---- one repeat

# Rates in whole numbers; the ratio stays the one asked for to 0.1 %.
apply() { # PER-MILLE
	local common=$((base_iops * $1 / 1000))
	"${by}_rates" $((common * a_percent / 100)) $((common * b_percent / 100)) >/dev/null
}

drifting() { # until it is killed
	local i
	while :; do
		apply $((1000 + (RANDOM % 2001 - 1000) * drift / 100))
		for ((i = 0; i < seconds; i++)); do sleep 0.1667; done
	done
}

by_both() { # N
	local cells=(--tests randread:32)
	if [ $full = yes ]; then cells=(); fi
	"${by}_under" "$tierwise" bench "$a" "$b" --time "$seconds" --size ${file_mib}m --yes -q "${cells[@]}" \
		-o "$work/$1.csv" >"$work/$1.log" 2>&1
}

by_fio_cell() { # DIR SECONDS RESULT
	"${by}_under" fio --name=rank --filename="$1/fio-file" --size=${file_mib}m --rw=randread --bs=4k --iodepth=32 \
		--ioengine=libaio --direct=1 --time_based --ramp_time=1 --runtime="$2" --randrepeat=0 --norandommap --thread \
		--output-format=json --output="$3" >/dev/null
}

one_repeat() { # N
	local n=$1 started half order
	a_percent=100 b_percent=$((100 + gap))
	((n % 2)) || { a_percent=$((100 + gap)) b_percent=100; }
	apply 1000 || fail "rates cannot be set"
	drifting &
	drifter=$!
	started=$(now_ms)
	say "repeat $n of $repeats: tierwise"
	by_both "$n" &
	wait $!
	case $? in
	0 | 7) ;;
	*) fail "tierwise: $(tail -1 "$work/$n.log")" ;;
	esac
	half=$((($(now_ms) - started) / 2000 - 1))
	order=(a b)
	((n / 2 % 2)) || order=(b a)
	say "repeat $n of $repeats: fio, $half s each"
	for disk in "${order[@]}"; do
		by_fio_cell "${!disk}" $half "$work/$n.fio.$disk.json" &
		wait $! || fail "fio failed"
	done
	kill_tree $drifter
	wait $drifter 2>/dev/null
	echo "$n $a_percent $b_percent" >>"$work/truth"
}

trap '"${by}_down"; work_remove' EXIT
"${by}_up" || fail "the disks do not come up"
"${by}_rates" 100000 100000 >/dev/null || fail "rates cannot be set"
for disk in "$a" "$b"; do fio_layout "$disk/fio-file" $file_mib || fail "no file on $disk"; done
for ((n = 1; n <= repeats; n++)); do one_repeat "$n"; done
echo "$by disks, $base_iops IOPS, gap $gap %, common drift within $drift %, tierwise --time $seconds, $(fio --version) and $("$tierwise" --version | head -1)"
python3 "$here/rank_table.py" "$work" "$csv"
