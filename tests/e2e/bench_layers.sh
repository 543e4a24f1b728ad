#!/usr/bin/env bash
# What hides under a folder: /dev mounted elsewhere is refused, a loop device in the page cache is no
# disk, and a disk that others fill while it is measured gets its space back.  All mounts are in a
# mount namespace of their own, so none is left.
set -u
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	echo "skipped: needs root and mount namespaces"
	exit 77
fi
if [ -z "${TIERWISE_IN_NAMESPACE:-}" ]; then
	TIERWISE_IN_NAMESPACE=1 exec unshare -m "$BASH" "$0" "$@"
fi
work=$(mktemp -d -p "$PWD" bench.XXXXXX) || exit 1
trap 'umount "$work/dev" "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
# An emulated disk of someone else that hangs makes every use of loop devices hang.
mount_image() { timeout -k 5 60 mount -o "loop$1" "$work/image" "$work/disk" 2>/dev/null; }
bench() { "$TIERWISE" bench --yes "$@" >"$work/out" 2>"$work/err" </dev/null; }
mkdir "$work/dev" "$work/disk"
mount --bind /dev "$work/dev" || fail "bind mount"
if [ "$(awk -v d="$work/dev" '$5 == d { for (i = 7; i < NF; i++) if ($i == "-") print $(i + 1) }' \
	/proc/self/mountinfo)" = devtmpfs ]; then
	bench --allow-ram --allow-network --time 5 "$work/dev"
	rc=$?
	[ $rc = 2 ] && grep -q "nothing of which is ever written to" "$work/err" || fail "devtmpfs: $rc: $(cat "$work/err")"
	tested=devtmpfs
fi
umount "$work/dev"
# mount asks every loop device what it holds: one whose file's server has gone never answers, nor can who waits be killed
losetup --all >/dev/null 2>&1 </dev/null &
asked=$!
for _ in $(seq 50); do kill -0 $asked 2>/dev/null || break; sleep 0.1; done
if kill -0 $asked 2>/dev/null; then
	disown $asked
	echo "skipped: a loop device of this machine does not answer (${tested:-nothing} tested)"
	exit 77
fi
truncate -s 3G "$work/image"
if ! mkfs.ext4 -qF "$work/image" 2>/dev/null || ! mount_image ''; then
	echo "skipped: no loop device within a minute (${tested:-nothing} tested)"
	exit 77
fi
if [ "$(df -k --output=avail "$work" | tail -1)" -lt 6000000 ]; then
	echo "skipped: too little free space (${tested:-nothing} tested)"
	exit 77
fi
if [ "$(cat "/sys/block/$(basename "$(findmnt -no SOURCE "$work/disk")")/loop/dio")" = 0 ]; then
	bench --time 5 --size 125m "$work/disk" -o "$work/p.json"
	rc=$?
	[ $rc = 7 ] && grep -q "loop-cache" "$work/err" || fail "page cache: $rc: $(cat "$work/err")"
	grep -q '"verdict": "not-the-disk"' "$work/p.json" || fail "page cache: $(grep verdict "$work/p.json")"
fi
# a filesystem that takes O_DIRECT and buffers: refused where the kernel tells, else found by the counters
umount "$work/disk"
if mount_image ,data=journal; then
	bench --time 5 --size 125m "$work/disk"
	rc=$?
	[ $rc = 1 ] && grep -q "does not do direct I/O" "$work/err" || [ $rc = 7 ] ||
		fail "data=journal: $rc: $(cat "$work/err")"
	umount "$work/disk"
fi
mount_image '' || fail "mounting again"
before=$(df -k --output=used,avail "$work/disk" | tail -1)
# the last GiB is reached while it runs (sparse: the image does not grow)
"$TIERWISE" bench --time 30 --size 125m "$work/disk" -o "$work/q.json" >"$work/out" 2>"$work/err" </dev/null &
pid=$!
until grep -q "random reads" "$work/err" || ! kill -0 $pid; do sleep 0.2; done
fallocate -l 2200M "$work/disk/filler" || fail "fallocate"
wait $pid
rc=$?
[ $rc = 1 ] && grep -q "being filled by others" "$work/err" || fail "filled: $rc: $(cat "$work/err")"
grep -q '"complete": false' "$work/q.json" || fail "filled: no partial profile"
rm "$work/disk/filler"
sync -f "$work/disk"
[ "$(df -k --output=used,avail "$work/disk" | tail -1)" = "$before" ] || fail "filled: space is missing: $before, $(df -k "$work/disk")"
echo "seen through: ${tested:-} loop and a disk filled by others"
