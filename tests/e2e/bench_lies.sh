#!/usr/bin/env bash
# Ten ways to measure something else than the disk, each made on purpose with real files, devices and
# programs, and a clean run.  Every one must be told by its code, the clean run must tell none.  Where
# the means for a case are missing the law of the simulated disk stands in, and the table says so.
# All mounts are in a mount namespace of their own.
set -u
ten="memory sparse unwritten buffered in-cache compressible foreign-io quota-limited host-cache client-bound"
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	echo "skipped: needs root and mount namespaces"
	exit 77
fi
if [ -z "${TIERWISE_IN_NAMESPACE:-}" ]; then
	TIERWISE_IN_NAMESPACE=1 exec unshare -m "$BASH" "$0" "$@"
fi
if [ "$(df -k --output=avail . | tail -1)" -lt 3500000 ]; then
	echo "skipped: needs 3.5 GB of free space under $PWD"
	exit 77
fi
work=$(mktemp -d -p "$PWD" lies.XXXXXX) || exit 1
export TIER_EMU_DIR=$work/emu
emu=${TIERWISE_SHARED:-/nonexistent}/tools/tier-emulator/tier-emu
helpers=() groups="" loops=""
# Helpers are children of this script that run until they are told to stop.
helper() {
	"$@" &
	helpers+=($!)
}
stop_helpers() {
	[ ${#helpers[@]} = 0 ] || { kill "${helpers[@]}" && wait "${helpers[@]}"; } 2>/dev/null
	helpers=()
}
clean_up() {
	stop_helpers
	umount "$work"/mnt/* 2>/dev/null
	for l in $loops; do losetup -d "$l"; done
	[ ! -d "$TIER_EMU_DIR" ] || "$emu" down --all --force >/dev/null 2>&1
	for g in $groups; do rmdir "$g"; done
	rm -rf "$work"
}
trap clean_up EXIT
mkdir -p "$work/mnt" "$TIER_EMU_DIR"
# An emulated disk, mounted: disk NAME OPTIONS... prints the folder.
disk() { "$emu" up "$@" --size 4G 2>"$work/emu.err"; }
why_no_emulator=""
if [ ! -x "$emu" ]; then
	why_no_emulator="no disk emulator at hand"
elif [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -lt 3000000 ]; then
	why_no_emulator="under 3 GB of free memory"
elif ! premium=$(disk premium); then
	why_no_emulator="emulated disk: $(tail -1 "$work/emu.err")"
fi
plain=$work/plain # a folder on whatever disk this is
mkdir "$plain"
folder=${premium:-$plain}
fast=""

# bench NAME ARGUMENTS...: measure; the codes among the ten are then in $work/NAME.flags.
bench() {
	local name=$1 line
	shift
	"${in_group[@]}" "$TIERWISE" bench --yes --time "${time:-8}" --size 128M -o "$work/$name.json" "$@" \
		>"$work/$name.out" 2>&1 </dev/null
	if [ ! -s "$work/$name.json" ]; then
		sed "s/^/$name: /" "$work/$name.out"
		return 1
	fi
	: >"$work/$name.flags"
	for line in $ten; do
		grep -q "\"code\": *\"$line\"" "$work/$name.json" && echo "$line" >>"$work/$name.flags"
	done
	return 0
}
in_group=()
passed=0 failed=0
rows=()
# judge CODE HOW: the run named CODE must have told CODE.
judge() {
	local code=$1 how=$2 verdict=FAIL told
	told=$(tr '\n' ' ' <"$work/$code.flags" 2>/dev/null)
	if grep -qx "$code" "$work/$code.flags" 2>/dev/null; then
		verdict=PASS
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		sed "s/^/$code: /" "$work/$code.out"
	fi
	rows+=("$(printf '%-14s %-60s %-36s %s' "$code" "$how" "${told:-none}" "$verdict")")
}
# law CODE REASON SPEC TESTS: the simulated disk instead.
law() {
	bench "$1" --engine "sim:$3" --tests "$4"
	judge "$1" "not tried here: $2; by law $3"
}

idle_frac() {
	awk -v b="$1" 'NR == 1 { split(b, x); for (i = 2; i <= 9; i++) all += $i - x[i];
		print (all ? ($5 + $6 - x[5] - x[6]) / all : 1) }' /proc/stat
}
# No processor was to be had since BEFORE, the first line of /proc/stat then.
busy_since() { awk -v i="$(idle_frac "$1")" 'BEGIN { exit !(i < 0.25) }'; }

few=randread:1,randread:8,randwrite:8
in_folder=${premium:+emulated disk}
in_folder=${in_folder:-this disk}

case_files() {
	bench sparse --layout sparse --tests $few "$folder"
	judge sparse "a file of one hole, $in_folder"
	bench unwritten --layout fallocate --tests $few "$folder"
	judge unwritten "a file reserved by fallocate, $in_folder"
	bench in-cache --buffered --tests $few "$folder"
	judge in-cache "128 MiB through the page cache, $in_folder"
}

# More file than page cache: the cache of a group with little memory.
case_buffered() {
	local group=/sys/fs/cgroup/memory/tierwise-lies-$$
	if mkdir "$group" 2>/dev/null && echo 100M >"$group/memory.limit_in_bytes" 2>/dev/null; then
		groups="$groups $group"
		in_group=(in_cgroup "$group")
	elif group=/sys/fs/cgroup/tierwise-lies-$$ &&
		echo +memory 2>/dev/null >/sys/fs/cgroup/cgroup.subtree_control &&
		mkdir "$group" 2>/dev/null &&
		echo 100M >"$group/memory.max" 2>/dev/null; then
		groups="$groups $group"
		in_group=(in_cgroup "$group")
	fi
	bench buffered --buffered --size 400M --tests $few "$folder"
	judge buffered "400 MiB through the page cache${in_group:+ of 100 MB}, $in_folder"
	in_group=()
}
in_cgroup() { (
	echo "$BASHPID" >"$1/cgroup.procs" && shift && exec "$@"
); }

case_memory() {
	mkdir "$work/mnt/tmpfs"
	mount -t tmpfs -o size=4G tmpfs "$work/mnt/tmpfs" || return
	bench memory --allow-ram --tests $few "$work/mnt/tmpfs"
	judge memory "a tmpfs"
	umount "$work/mnt/tmpfs"
}

case_compressible() {
	local file loop before why=""
	grep -qw btrfs /proc/filesystems || why="no btrfs in this kernel"
	command -v mkfs.btrfs >/dev/null || why="no mkfs.btrfs"
	why=${why_no_emulator:-$why}
	if [ -z "$why" ] && file=$(disk comp --as file --read-us 200 --write-us 200 --mbps 40) &&
		loop=$(losetup -f --show --direct-io=on "$file"); then
		loops="$loops $loop"
		mkdir "$work/mnt/btrfs"
		# mkfs.btrfs fails where a mounted loop device is dead, be it somebody else's: here it sees none
		unshare -m --propagation private bash -c 'while read -r device dir _; do
				[[ $device == /dev/loop* ]] && umount -l "$(printf %b "$dir")"
			done </proc/self/mounts
			exec mkfs.btrfs -qf "$1"' mkfs "$loop" >/dev/null 2>&1
		mount -o compress-force=zstd:1 "$loop" "$work/mnt/btrfs" || why="btrfs cannot be mounted"
	fi
	if [ -n "$why" ]; then
		law compressible "$why" compress=0.3 randread:1,compress
		return
	fi
	before=$(head -1 /proc/stat)
	bench compressible --tests randread:8,compress "$work/mnt/btrfs"
	if ! grep -qx compressible "$work/compressible.flags" && busy_since "$before"; then
		law compressible "no processor to compress with" compress=0.3 randread:1,compress
	else
		judge compressible "btrfs with zstd on an emulated disk of 40 MB/s"
	fi
	umount "$work/mnt/btrfs"
	losetup -d "$loop" && loops=""
	"$emu" down comp >/dev/null 2>&1
}

other_program() {
	while dd if="$1" of=/dev/null bs=256k iflag=direct; do :; done 2>/dev/null
}
case_foreign() {
	if [ -n "$why_no_emulator" ]; then
		law foreign-io "$why_no_emulator" iops=5000,foreign_iops=2000 $few
		return
	fi
	dd if=/dev/urandom of="$premium/other" bs=1M count=64 oflag=direct 2>/dev/null
	helper other_program "$premium/other"
	helper other_program "$premium/other"
	bench foreign-io --tests randread:8,randwrite:8 "$premium"
	stop_helpers
	rm -f "$premium/other"
	judge foreign-io "two other programs read the same emulated disk"
}

# A group that may do so many requests a second on a device, of either version; prints it.
io_group() {
	local device=$1 rate=$2 group=/sys/fs/cgroup/blkio/tierwise-lies-$$
	if [ -d /sys/fs/cgroup/blkio ] && mkdir "$group"; then
		echo "$device $rate" >"$group/blkio.throttle.read_iops_device" &&
			echo "$device $rate" >"$group/blkio.throttle.write_iops_device" || return 1
		echo "$group"
		return
	fi
	group=/sys/fs/cgroup/tierwise-lies-io-$$
	grep -qw io /sys/fs/cgroup/cgroup.controllers || return 1
	echo +io >/sys/fs/cgroup/cgroup.subtree_control
	mkdir "$group" && echo "$device riops=$rate wiops=$rate" >"$group/io.max" || return 1
	echo "$group"
}
case_quota() {
	local group device
	if [ -z "$why_no_emulator" ] && fast=$(disk fast --preset local); then
		device=$(cat "/sys/block/$(basename "$(findmnt -no SOURCE "$fast")")/dev")
		if group=$(io_group "$device" 1500 2>/dev/null); then
			groups="$groups $group"
			in_group=(in_cgroup "$group")
			time=10 bench quota-limited --tests randread,randwrite "$fast"
			in_group=()
			judge quota-limited "1,500 IOPS allowed by a control group"
			return
		fi
		why_no_group="no control group that limits I/O"
	fi
	law quota-limited "${why_no_emulator:-$why_no_group}" iops=2000,throttle_ms=100 \
		randread,randwrite
}

# A disk in a file on a slow disk, through the page cache as a careless host does it.  What laying
# the file out left in that cache is dropped until the reads begin.
forget() {
	until grep -q "same reads twice" "$work/host-cache.out" 2>/dev/null; do
		dd if="$1" iflag=nocache count=0 2>/dev/null
		sleep 0.05
	done
}
case_host_cache() {
	local loop
	if [ -n "$why_no_emulator" ] || ! truncate -s 3G "$premium/host" ||
		! mkfs.ext4 -qF "$premium/host" 2>/dev/null ||
		! loop=$(losetup -f --show "$premium/host"); then
		law host-cache "${why_no_emulator:-no loop device}" \
			read_us=800,cache_mib=40,cache_us=50 cache,randread:1
		return
	fi
	loops="$loops $loop"
	# a loop device keeps what its last user set: without it no flush gets to the file
	echo "write back" >"/sys/block/${loop#/dev/}/queue/write_cache"
	mkdir "$work/mnt/host"
	mount "$loop" "$work/mnt/host"
	helper forget "$premium/host"
	time=10 bench host-cache --tests cache,randread:1 "$work/mnt/host"
	stop_helpers
	judge host-cache "a disk in a file on a slow disk, cached by its host"
	umount "$work/mnt/host"
	losetup -d "$loop" && loops=""
	rm -f "$premium/host"
}

# Little processor time: a quota of a twentieth, or others on the same processor.
cpu_group() {
	local group=/sys/fs/cgroup/cpu/tierwise-lies-$$
	if [ -d /sys/fs/cgroup/cpu ] && mkdir "$group"; then
		echo 5000 >"$group/cpu.cfs_quota_us" || return 1
		echo "$group"
		return
	fi
	group=/sys/fs/cgroup/tierwise-lies-cpu-$$
	grep -qw cpu /sys/fs/cgroup/cgroup.controllers || return 1
	echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
	mkdir "$group" && echo "5000 100000" >"$group/cpu.max" || return 1
	echo "$group"
}
on_one_processor() { exec taskset -c "$processor" "$@"; }
compute() { on_one_processor sh -c 'while :; do :; done'; }
case_client() {
	local group where=${fast:-$folder} how
	if group=$(cpu_group 2>/dev/null); then
		groups="$groups $group"
		in_group=(in_cgroup "$group")
		how="a twentieth of a processor allowed"
	else
		processor=$(taskset -cp $$ | sed 's/.*[ ,-]//')
		for _ in 1 2 3 4; do helper compute; done
		in_group=(taskset -c "$processor")
		how="beside four programs that compute"
	fi
	time=10 bench client-bound --tests randread:8,randwrite:8 "$where"
	in_group=()
	stop_helpers
	judge client-bound "$how"
}

case_clean() {
	local before how told verdict=FAIL
	before=$(head -1 /proc/stat)
	if [ -n "$why_no_emulator" ]; then
		bench clean --engine sim:iops=5000,mbps=200,read_us=800,write_us=800,fsync_us=400
		how="not tried here: $why_no_emulator; by law"
	else
		time=20 bench clean "$premium"
		how="everything, an emulated disk of 5,000 IOPS and 200 MB/s"
	fi
	told=$(tr '\n' ' ' <"$work/clean.flags" 2>/dev/null)
	# with no processor to be had that is the truth and no false flag
	if [ "$told" = "client-bound " ] && busy_since "$before"; then
		how="$how; processors were busy"
		told=""
	fi
	if [ -e "$work/clean.flags" ] && [ -z "$told" ]; then
		verdict=PASS
	else
		sed "s/^/clean: /" "$work/clean.out"
		failed=$((failed + 1))
	fi
	rows+=("$(printf '%-14s %-60s %-36s %s' clean "$how" "${told:-none}" "$verdict")")
}

case_clean
case_files
case_buffered
case_memory
case_compressible
case_foreign
case_quota
case_host_cache
case_client
printf '%s\n' "$(printf '%-14s %-60s %-36s %s' case made flags result)" "${rows[@]}"
echo "$passed of 10 told"
[ "$failed" = 0 ] && [ "$passed" = 10 ]
