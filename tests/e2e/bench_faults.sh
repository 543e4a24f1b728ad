#!/usr/bin/env bash
# Faults on real filesystems while bench runs: signals in every phase, a disk that is full, over quota,
# broken, read-only, hung or gone.  After each: the exit status, nothing left on the disk, and a partial
# profile that loads.  Prints a table of what was left behind.
#
# Each case has its own loop device and mount, in a mount namespace of the script's own.
# TIERWISE_FAULT_SWEEP=1: every signal in every phase (many minutes).
set -u
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	echo "skipped: needs root and mount namespaces"
	exit 77
fi
if [ -z "${TIERWISE_IN_NAMESPACE:-}" ]; then
	TIERWISE_IN_NAMESPACE=1 exec unshare -m --propagation private "$BASH" "$0" "$@"
fi
emu=${TIERWISE_SHARED:-}/tools/tier-emulator/tier-emu
work=$(mktemp -d -p "$PWD" faults.XXXXXX) || exit 1
export TIER_EMU_DIR=$work/emu
main=$BASHPID jobs_max=4
ulimit -c 0
cleanup() {
	[ $BASHPID = $main ] || return
	for pid in $(jobs -p); do kill "$pid"; done 2>/dev/null
	wait
	[ ! -d "$TIER_EMU_DIR" ] || "$emu" down --all --force >/dev/null 2>&1
	awk -v w="$work/" 'index($5, w) == 1 { print $5 }' /proc/self/mountinfo | tac |
		while read -r m; do umount -l "$m"; done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
if [ "$(df -k --output=avail "$work" | tail -1)" -lt 8000000 ]; then
	echo "skipped: too little free space"
	exit 77
fi
time_s=6

# ---- a case: its disk, its run, its row --------------------------------------------------------------

# fail TEXT: of the case $name
fail() {
	echo "FAIL: $name: $*" | tee -a "$work/failed"
	sed 's/^/    /' "$work/$name.err" 2>/dev/null | tail -5
	exit 1
}
# mkfs.btrfs looks at the disks of all loop devices that are mounted and fails where one is dead, be it
# somebody else's: here it sees none
make_filesystem() { # FSTYPE DEVICE [OPTION...]
	case $1 in
	ext4) mkfs.ext4 -qFm0 -E lazy_itable_init=1,lazy_journal_init=1 "${@:3}" "$2" ;;
	btrfs)
		unshare -m --propagation private bash -c 'while read -r device dir _; do
				[[ $device == /dev/loop* ]] && umount -l "$(printf %b "$dir")"
			done </proc/self/mounts
			exec mkfs.btrfs -qf "$@"' mkfs "${@:3}" "$2"
		;;
	*) "mkfs.$1" -qf "${@:3}" "$2" ;;
	esac
}
# disk FSTYPE [MKFS OPTION...]: $work/$name.img, on a loop device with direct I/O, mounted at $dir
disk() {
	local fs=$1
	shift
	truncate -s 3600M "$work/$name.img"
	mkdir -p "$dir"
	loop=$(losetup -f --show --direct-io=on "$work/$name.img") || fail "losetup"
	echo "write back" >"/sys/block/${loop#/dev/}/queue/write_cache" # not what its last user set
	make_filesystem "$fs" "$loop" "$@" >"$work/$name.mkfs" 2>&1 || {
		losetup -d "$loop"
		fail "mkfs.$fs: $(cat "$work/$name.mkfs")"
	}
	fs_mount || fail "mounting $fs"
	losetup -d "$loop" # when it is unmounted
}
fs_mount() { mount -t "$fs" ${options:+-o "$options"} "$loop" "$dir" 2>/dev/null; }
free_kib() { sync -f "$dir" && echo $(($(stat -f -c '%f * %S' "$dir") / 1024)); }
listing() { (cd "$dir" && find . -mindepth 1 ! -name lost+found -printf '%p %s %T@\n' | sort); }
# bench [OPTION...]: in the background, $pid
bench() {
	env --default-signal "$TIERWISE" bench "${target:-$dir}" --time $time_s --size 125m --max-write 600m --yes \
		-o "$work/$name.json" "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null &
	pid=$!
}
# in_phase REGEX [SECONDS]: wait for that progress line and as long as that
in_phase() {
	local i
	for ((i = 0; i < 3000; i++)); do
		grep -qE "^($1), " "$work/$name.err" && break
		kill -0 "$pid" 2>/dev/null || return 0 # over already; the exit status tells
		sleep 0.02
	done
	sleep "${2:-0}"
}
# ends EXPECTED... : wait for the end, 90 s at most; one of these statuses
ends() {
	local i ok
	for ((i = 0; i < 900; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -0 "$pid" 2>/dev/null && { kill -9 "$pid"; fail "did not end in 90 s"; }
	wait "$pid" 2>/dev/null
	status=$?
	for ok in "$@"; do [ $status = "$ok" ] && return; done
	fail "status $status instead of $*"
}
says() { grep -qE "$1" "$work/$name.err" || fail "\"$1\" is not said"; }
# what is on the disk: as before, the space free within a second, nobody uses it, the filesystem whole
left='' saved='' status=''
nothing_left() {
	local i now
	[ "$(listing)" = "$before" ] || fail "left in the folder: $(listing)"
	for ((i = 0; i < 10; i++)); do
		now=$(free_kib)
		((now + 2048 >= free_before)) && break
		sleep 0.1
	done
	((now + 2048 >= free_before)) || fail "space: $free_before KiB were free, now $now"
	left="no file, $((free_before - now)) KiB"
	umount "$dir" || fail "somebody still uses the disk"
}
# the same after a fault of the filesystem itself: unmounted, repaired as a boot would, mounted again
nothing_left_after_repair() {
	umount "$dir" || fail "somebody still uses the disk"
	loop=$(losetup -f --show --direct-io=on "$work/$name.img") || fail "losetup"
	if [ "$fs" = ext4 ]; then
		e2fsck -p "$loop" >"$work/$name.fsck" 2>&1
		(($? <= 2)) || fail "e2fsck: $(cat "$work/$name.fsck")"
	fi
	fs_mount || fail "mounting again"
	losetup -d "$loop"
	nothing_left
}
# profile WANTED: partial (must be there), maybe, whole
profile() {
	local file=$work/$name.json rc
	compgen -G "$work/$name.json?*" >/dev/null && fail "beside the profile: $(ls "$work")"
	saved="none"
	if [ ! -e "$file" ]; then
		[ "$1" = maybe ] || fail "no profile"
		return
	fi
	saved=$(python3 - "$file" <<'P'
import json, sys
p = json.load(open(sys.argv[1]))
assert p["schema"].startswith("tierwise/profile/"), p["schema"]
print("partial" if p["complete"] is False else "complete")
P
	) || fail "the profile is not one"
	case $1 in
	partial | maybe) [ "$saved" = partial ] || fail "an ended run, and its profile says complete" ;;
	whole) [ "$saved" = complete ] || fail "a whole run, and its profile says partial" ;;
	esac
	"$TIERWISE" fit "$file" >/dev/null 2>"$work/$name.fit"
	rc=$?
	# 7, or 1 in words: too little was measured for a curve; 2 would be a document that does not load
	[ $rc != 2 ] && ((rc < 128)) || fail "fit: $(cat "$work/$name.fit")"
}
row() { printf '%-26s %-30s %4s   %-22s %s\n' "$1" "$2" "$status" "$left" "$saved" >"$work/$name.row"; }
# begin FSTYPE [MKFS OPTION...]: disk and what is on it
begin() {
	fs=$1 dir=$work/$name.mnt
	disk "$@"
	head -c 300000 /dev/urandom >"$dir/precious"
	mkdir "$dir/empty"
	before=$(listing)
	free_before=$(free_kib)
}
# run NAME FUNCTION ARGUMENT...: a case, in the background
count=0 late=0
run() {
	if ((SECONDS > 400)) && [ -z "${TIERWISE_FAULT_SWEEP:-}" ]; then # a very busy machine
		late=$((late + 1))
		return
	fi
	while (($(jobs -rp | wc -l) >= jobs_max)); do wait -n; done
	name=$1
	shift
	count=$((count + 1))
	("$@") 2>"$work/$name.log" & # what the shell says of killed jobs
}

# ---- signals -----------------------------------------------------------------------------------------

runs() { [[ -r /proc/$pid/stat && $(sed 's/.*) //' "/proc/$pid/stat") != Z* ]]; }
by_signal() { # SIGNAL PHASE SECONDS STATUS PROFILE
	local delay=$3 try
	begin ext4
	# the measurement may be over before the signal comes, the program in its last lines: a longer run then
	for try in 1 2 3; do
		bench
		in_phase "$2" "$delay"
		runs && kill -"$1" "$pid"
		if [ $try = 3 ]; then
			ends "$4"
		else
			ends "$4" 0 7
		fi
		[ "$status" = "$4" ] && break
		rm -f "$work/$name.json"
		time_s=$((time_s * 3)) delay=0
	done
	[ "$4" != 130 ] || says "ended early: interrupted"
	profile "$5"
	nothing_left
	row "SIG$1" "$2 + $delay s"
}
by_closed_stderr() {
	begin ext4
	mkfifo "$work/$name.fifo"
	head -1 "$work/$name.fifo" >"$work/$name.err" & # and goes away
	"$TIERWISE" bench "$dir" --time 5 --size 125m --max-write 600m -o "$work/$name.json" \
		>"$work/$name.out" 2>"$work/$name.fifo" &
	pid=$!
	ends 0
	profile whole
	nothing_left
	row "stderr closed (SIGPIPE)" "all"
}
# ---- space -------------------------------------------------------------------------------------------

fill() { # all that is left, in ever smaller pieces
	local piece
	for piece in 1024 128 16 2; do
		while fallocate -l ${piece}M "$dir/fill.$((filler++))" 2>/dev/null; do :; done
	done
	rm -f "$dir/fill.$((filler - 1))"
}
by_filling() { # FSTYPE PHASE SECONDS
	begin "$1"
	filler=0
	bench --size 500m --max-write 1100m
	in_phase "$2" "$3"
	fill
	ends 1
	says "being filled by others|No space left"
	profile partial
	rm -f "$dir"/fill.*
	nothing_left
	row "ENOSPC $1" "$2 + $3 s"
}
by_thin_disk() { # PHASE: the disk below says it has space and has not
	local lower=$work/$name.lower
	fs=ext4 dir=$work/$name.mnt
	mkdir -p "$dir" "$lower"
	truncate -s 420M "$work/$name.low.img"
	mkfs.ext4 -qFm0 "$work/$name.low.img" && mount -o loop "$work/$name.low.img" "$lower" || fail "lower disk"
	ln -s "$lower/disk" "$work/$name.img"
	truncate -s 3600M "$lower/disk"
	disk ext4
	head -c 300000 /dev/urandom >"$dir/precious"
	before=$(listing)
	free_before=$(free_kib)
	[ "$1" = "writing the file" ] || { # leave room for the file alone
		fallocate -l 150M "$lower/ballast" || fail "ballast"
	}
	bench
	in_phase "$1"
	for piece in 32 4 1; do
		while fallocate -l ${piece}M "$lower/ballast.$((i++))" 2>/dev/null; do :; done
	done
	if [ "$1" = "writing the file" ]; then
		ends 1
		says "No space left|Input/output error|Read-only"
		profile partial
	else # what is there already may be all that is written to
		ends 0 1 7
		[ $status != 1 ] && profile whole || profile partial
	fi
	rm -f "$lower"/ballast*
	nothing_left_after_repair
	row "thin disk full" "$1"
}
by_quota() { # FSTYPE
	local user=()
	case $1 in
	btrfs)
		begin btrfs
		btrfs subvolume create "$dir/own" >/dev/null && btrfs quota enable "$dir" &&
			btrfs qgroup limit 20M "$dir/own" || fail "btrfs quota"
		target=$dir/own
		;;
	ext4)
		options=usrquota fs=ext4 dir=$work/$name.mnt
		disk ext4 -O quota
		mkdir -m 777 "$dir/own"
		setquota -u 65534 0 20000 0 0 "$dir" || fail "setquota"
		target=$dir/own
		user=(setpriv --reuid 65534 --clear-groups)
		;;
	esac
	before=$(listing)
	free_before=$(free_kib)
	mkdir -m 777 "$work/$name.to"
	"${user[@]}" "$TIERWISE" bench "$target" --time $time_s --size 125m --max-write 600m \
		-o "$work/$name.to/p.json" >"$work/$name.out" 2>"$work/$name.err" </dev/null &
	pid=$!
	ends 1
	says "quota"
	mv "$work/$name.to/p.json" "$work/$name.json"
	profile partial
	nothing_left
	row "EDQUOT $1" "writing the file"
}
by_full_output() { # the profile is on the disk that gets full
	begin ext4
	filler=0
	bench -o "$dir/p.json"
	in_phase "random reads and writes"
	fill
	ends 1
	says "being filled by others|No space left"
	python3 -m json.tool "$dir/p.json" >/dev/null || fail "output on the full disk: $(head -c 200 "$dir/p.json")"
	grep -q '"complete": false' "$dir/p.json" || fail "output on the full disk: not partial"
	profile partial
	rm -f "$dir"/fill.* "$dir/p.json"
	nothing_left
	row "ENOSPC, output there, too" "random reads and writes"
}

# ---- a broken disk -----------------------------------------------------------------------------------

by_truncation() { # reads beyond the end of the loop device's file fail
	begin ext4
	bench
	in_phase "random reads and writes" 0.2
	truncate -s 32M "$work/$name.img"
	# a write beyond the end makes the file long again, with zeros before it: then the stamps tell
	ends 1 7
	says "Input/output error|did not bring back what was written"
	[ $status = 1 ] && profile partial || profile whole
	umount "$dir" || fail "somebody still uses the disk"
	left="(disk lost)"
	row "EIO, disk cut off" "random reads and writes"
}
by_abort() { # PHASE: the filesystem stops after an error of its own
	begin ext4
	mount -o remount,errors=remount-ro "$dir" || fail "remount"
	bench
	in_phase "$1" 0.1
	echo 1 >"/sys/fs/ext4/${loop#/dev/}/trigger_fs_error" || fail "trigger_fs_error"
	ends 1
	says "Read-only file system|Input/output error|read-only"
	profile partial
	nothing_left_after_repair
	row "EROFS after an error" "$1"
}
by_shutdown() { # PHASE
	begin xfs
	bench
	in_phase "$1" 0.1
	xfs_io -xc shutdown "$dir" || fail "shutdown"
	ends 1
	says "Input/output error"
	profile partial
	nothing_left_after_repair
	row "EIO, xfs shut down" "$1"
}
by_death() { # PHASE: the machine that serves the disk goes away
	dir=$("$emu" up "$name" --preset ultra --size 4G) || fail "tier-emu"
	bench
	in_phase "$1" 0.3
	kill -9 "$(cat "$TIER_EMU_DIR/$name/pid")"
	ends 1
	says "Input/output error|not connected|Read-only"
	profile partial
	left="(disk lost)"
	row "EIO, disk gone" "$1"
}
by_hang() { # SIGNAL STATUS PROFILE: 5 s for a request, and impatience
	dir=$("$emu" up "$name" --preset ultra --size 4G) || fail "tier-emu"
	before=$(listing)
	free_before=$(free_kib)
	time_s=40
	bench
	in_phase "random reads and writes" 0.3
	"$emu" set "$name" --read-us 5000000 --write-us 5000000 >/dev/null || fail "tier-emu set"
	sleep 1
	kill -"$1" "$pid"
	"$emu" set "$name" --read-us 5000000 --write-us 300 >/dev/null # so that cleaning is not slow
	ends "$2"
	profile "$3"
	"$emu" set "$name" --read-us 0 >/dev/null
	nothing_left
	row "5 s a request, SIG$1" "random reads and writes"
}

# ---- the tree around it ------------------------------------------------------------------------------

by_mount_over() {
	begin ext4
	bench
	in_phase "random reads and writes"
	mount -t tmpfs none "$dir" || fail "tmpfs"
	sleep 0.5
	[ -z "$(ls -A "$dir")" ] || fail "written to what was mounted over it"
	kill -INT "$pid"
	ends 130
	umount "$dir"
	profile partial
	nothing_left
	row "another disk mounted over" "random reads and writes"
}
by_removal() {
	begin ext4
	mkdir "$dir/given"
	target=$dir/given
	bench
	in_phase "random reads and writes"
	rmdir "$dir/given" || fail "the folder is not empty"
	sleep 0.3
	kill -TERM "$pid"
	ends 130
	profile partial
	nothing_left
	row "folder removed, SIGTERM" "random reads and writes"
}

# ---- all of them -------------------------------------------------------------------------------------

# the phases are what a run says they are
name=phases
begin ext4
bench
ends 0 7
profile whole
nothing_left
mapfile -t phases < <(sed -nE 's/^([^:]*), [0-9]+ s left$/\1/p' "$work/phases.err")
((${#phases[@]} >= 3)) || fail "phases: ${phases[*]}"
# a check that cannot fail shows nothing: a file left, space left, a broken profile
cp "$work/phases.json" "$work/phases.good"
begin ext4
: >"$dir/left"
(nothing_left) >/dev/null 2>&1 && fail "a left file is not seen"
rm "$dir/left"
sleep 1000 3<>"$dir/held" & held=$!
until [ -e "$dir/held" ]; do sleep 0.05; done
fallocate -l 5M "$dir/held" && rm "$dir/held"
(nothing_left) >/dev/null 2>&1 && fail "space that is still used is not seen"
kill $held
wait $held 2>/dev/null
nothing_left
head -c 2000 "$work/phases.good" >"$work/phases.json"
(profile whole) >/dev/null 2>&1 && fail "half a profile is not seen"
sed 's/"complete": true/"complete": false/; s/"iops"/"iopses"/' "$work/phases.good" >"$work/phases.json"
(profile partial) >/dev/null 2>&1 && fail "a profile that does not load is not seen"
rm -f "$work/failed" "$work/phases.json"

RANDOM=${TIERWISE_FAULT_SEED:-$$}
signals=(INT TERM HUP KILL)
for i in "${!phases[@]}"; do
	for ((k = 0; k < ${#signals[@]}; k++)); do
		signal=${signals[(i + k) % ${#signals[@]}]}
		delay=0.$((RANDOM % 4))$((RANDOM % 10))
		if [ $signal = KILL ]; then
			run "signal-$i-$k" by_signal KILL "${phases[i]}" $delay 137 maybe
		else
			run "signal-$i-$k" by_signal $signal "${phases[i]}" $delay 130 partial
		fi
		[ -n "${TIERWISE_FAULT_SWEEP:-}" ] || break
	done
done
middle="random reads and writes"
run signal-kill-0 by_signal KILL "writing the file" 0 137 maybe
run signal-quit by_signal QUIT "$middle" 0.1 131 maybe
run stderr by_closed_stderr
run signal-cpu by_signal XCPU "$middle" 0.1 130 partial
run fill-ext4 by_filling ext4 "writing the file" 0
run fill-late by_filling ext4 "commits|append and sync" 0.2
if command -v mkfs.xfs >/dev/null; then
	run fill-xfs by_filling xfs "writing the file" 0
	run shutdown by_shutdown "$middle"
fi
if command -v mkfs.btrfs >/dev/null && grep -qw btrfs /proc/filesystems; then
	run fill-btrfs by_filling btrfs "writing the file" 0
	run quota-btrfs by_quota btrfs
fi
# the quotas of ext4 are for users, and not in every kernel
chmod 711 "$work"
if command -v setquota >/dev/null && setpriv --reuid 65534 --clear-groups "$TIERWISE" --version >/dev/null 2>&1 &&
	mkfs.ext4 -qFO quota "$work/try.img" 64m >/dev/null 2>&1 && mkdir "$work/try" &&
	mount -o loop,usrquota "$work/try.img" "$work/try" 2>/dev/null; then
	umount "$work/try"
	run quota-ext4 by_quota ext4
else
	echo "no quotas of ext4 here"
fi
run full-output by_full_output
run thin-layout by_thin_disk "writing the file"
run thin-late by_thin_disk "commits|append and sync"
run truncated by_truncation
run abort-layout by_abort "writing the file"
run abort-late by_abort "$middle"
run mount-over by_mount_over
run removal by_removal
if [ -x "$emu" ] && [ -c /dev/fuse ]; then
	run dead-layout by_death "writing the file"
	run dead-late by_death "$middle"
	run hang-int by_hang INT 130 partial
	run hang-kill by_hang KILL 137 maybe
fi
wait
printf '%-26s %-30s %4s   %-22s %s\n' fault "phase" exit "left behind" profile
cat "$work"/*.row
rows=$(cat "$work"/*.row | wc -l)
[ ! -e "$work/failed" ] || { echo "failed:"; cat "$work/failed"; exit 1; }
[ "$rows" = "$count" ] || { echo "FAIL: $count cases, $rows rows"; exit 1; }
((late == 0)) || echo "$late cases left out: the machine is too busy"
echo "$count faults in ${#phases[@]} phases, nothing left"
