#!/usr/bin/env bash
# What a measurement may cost: bytes written by the device's own count, space that stays free however
# others fill the disk, and a word before a disk in use is loaded.
set -u
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	echo "skipped: needs root and mount namespaces"
	exit 77
fi
if [ -z "${TIERWISE_IN_NAMESPACE:-}" ]; then
	TIERWISE_IN_NAMESPACE=1 exec unshare -m --propagation private "$BASH" "$0" "$@"
fi
work=$(mktemp -d -p "$PWD" budget.XXXXXX) || exit 1
dir=$work/disk
others=''
cleanup() {
	[ -z "$others" ] || kill "$others" 2>/dev/null
	wait 2>/dev/null
	umount -l "$dir" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
if [ "$(df -k --output=avail "$work" | tail -1)" -lt 8000000 ]; then
	echo "skipped: too little free space"
	exit 77
fi
mib=1048576 keep=2147483648 # of a disk below 20 GiB
# disk MKFS_OPTION...: a new one; nothing else writes to it
disk() {
	umount "$dir" 2>/dev/null
	rm -f "$work/image"
	mkdir -p "$dir"
	truncate -s 3700M "$work/image"
	mkfs.ext4 -qFm0 -E lazy_itable_init=1,lazy_journal_init=1 "$@" "$work/image" || fail mkfs
	loop=$(losetup -f --show --direct-io=on "$work/image") || fail losetup
	mount -o noinit_itable,noatime "$loop" "$dir" || fail mount
	losetup -d "$loop" # when it is unmounted
}
avail() { stat -f -c '%a * %S' "$dir" | { read -r a _ b && echo $((a * b)); }; }
written() { awk -v d="${loop#/dev/}" '$3 == d { printf "%.0f\n", $10 * 512 }' /proc/diskstats; }

# ---- bytes written --------------------------------------------------------------------------------
# budget MIB SECONDS TESTS METADATA_PERCENT
budget() {
	disk -O ^has_journal
	sync -f "$dir"
	local before bytes limit rc
	before=$(written)
	"$TIERWISE" bench "$dir" --time "$2" --size 125m --max-write "${1}m" ${3:+--tests "$3"} \
		-o "$work/p.json" >"$work/out" 2>"$work/err" </dev/null
	rc=$?
	[ $rc = 0 ] || [ $rc = 7 ] || fail "budget $1: status $rc: $(tail -3 "$work/err")"
	sync -f "$dir"
	bytes=$(($(written) - before)) || fail "diskstats"
	# all of the budget could have been used up by the time: the count is of something
	((bytes >= 20 * mib)) || fail "budget $1: the device counted $bytes bytes"
	limit=$(($1 * mib + $1 * mib / 100 * $4 + 2 * mib))
	((bytes <= limit)) || fail "budget of $1 MiB ($3): $((bytes / mib)) MiB written"
	echo "budget $1 MiB, ${3:-all tests}: $((bytes / mib)) MiB written"
}
budget 250 8 ladder,mix,sizes 1
budget 300 8 randwrite:32 1
# a commit that grows the file writes its inode, too: as many bytes again at the least commit of 4 KiB
budget 260 8 commit 60
budget 250 10 "" 60

# ---- space ----------------------------------------------------------------------------------------
disk
fill_to() { # leave so many bytes free
	local free
	free=$(avail)
	fallocate -l $((free - $1)) "$dir/filler" || fail "fallocate"
	sync -f "$dir"
}
# 7/8 of what is over the reserve is the file's: 125 MiB need 143
fill_to $((keep + 135 * mib))
"$TIERWISE" bench "$dir" --time 5 >"$work/out" 2>"$work/err" </dev/null
rc=$?
[ $rc = 2 ] && grep -q "stay free" "$work/err" || fail "nearly full: $rc: $(cat "$work/err")"
rm "$dir/filler"
fill_to $((keep + 160 * mib))
"$TIERWISE" bench "$dir" --time 61 >"$work/out" 2>"$work/err" </dev/null
rc=$?
[ $rc = 2 ] && grep -q -- --yes "$work/err" || fail "just enough: $rc: $(cat "$work/err")"
rm "$dir/filler"
# others write while the file grows: it stops at the reserve and is given back
disk
dd if=/dev/zero of="$dir/others" bs=1M count=1 status=none
start=$(avail)
"$TIERWISE" bench "$dir" --time 20 --size 1200m --max-write 2500m -o "$work/q.json" >"$work/out" 2>"$work/err" </dev/null &
pid=$!
until grep -q "^writing the file" "$work/err" || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
size=1 most_own=0 under=''
while kill -0 $pid 2>/dev/null; do
	free=$(avail)
	own=$((start - free - (size - 1) * mib))
	((own > most_own)) && most_own=$own
	if ((free < keep)) && [ -z "$under" ]; then under=$own; fi
	if ((size < 1600)); then
		size=$((size + 200))
		fallocate -l ${size}M "$dir/others"
	fi
	sleep 0.1
done
wait $pid
rc=$?
[ $rc = 1 ] && grep -q "being filled by others" "$work/err" || fail "others fill: $rc: $(tail -2 "$work/err")"
# never seen below: it was given back between two looks, and nothing was taken from the reserve
under=${under:-$most_own}
# it looks ten times a second: what it can write in a few looks is the most it may be over
((most_own <= under + 300 * mib)) || fail "others fill: grew by $(((most_own - under) / mib)) MiB into the reserve"
sync -f "$dir"
own=$((start - $(avail) - (size - 1) * mib))
((own < 4 * mib)) || fail "others fill: $((own / mib)) MiB are still held"
grep -q '"complete": false' "$work/q.json" || fail "others fill: no partial profile"
echo "file of $((most_own / mib)) MiB given back when others reached the reserve"

# ---- a disk in use --------------------------------------------------------------------------------
disk
head -c $((32 * mib)) /dev/urandom >"$dir/data"
sync -f "$dir"
"$TIERWISE" bench "$dir" --time 61 >"$work/out" 2>"$work/err" </dev/null
grep -q "full load" "$work/err" || fail "no word about the load: $(cat "$work/err")"
grep -q "keep the disk busy" "$work/err" && fail "an idle disk is called busy: $(cat "$work/err")"
(while :; do dd if="$dir/data" of=/dev/null iflag=direct bs=64k status=none || exit; done) &
others=$!
sleep 0.5
"$TIERWISE" bench "$dir" --time 61 >"$work/out" 2>"$work/err" </dev/null
grep -qE "others keep the disk busy ([6-9]|[1-9][0-9]|100) %" "$work/err" ||
	fail "a busy disk is not called so: $(cat "$work/err")"
grep "keep the disk busy" "$work/err"
