#!/usr/bin/env bash
# --polite leaves the disk to others most of the time, by the disk's own count: a loop device that nothing
# else uses, and how long it was busy.
set -u
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	echo "skipped: needs root and mount namespaces"
	exit 77
fi
if [ -z "${TIERWISE_IN_NAMESPACE:-}" ]; then
	TIERWISE_IN_NAMESPACE=1 exec unshare -m --propagation private "$BASH" "$0" "$@"
fi
if [ "$(df -k --output=avail . | tail -1)" -lt 4500000 ]; then
	echo "skipped: needs 4.5 GB of free space under $PWD"
	exit 77
fi
work=$(mktemp -d -p "$PWD" polite.XXXXXX) || exit 1
trap 'umount -l "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
mkdir "$work/disk"
truncate -s 4G "$work/image"
mkfs.ext4 -qFm0 -E lazy_itable_init=1,lazy_journal_init=1 "$work/image" || fail mkfs
loop=$(losetup -f --show --direct-io=on "$work/image") || { echo "skipped: no loop device"; exit 77; }
mount -o noinit_itable,noatime "$loop" "$work/disk" || fail mount
losetup -d "$loop" # when it is unmounted

# busy_share OPTIONS... - percent of the run in which the device had something to do.
busy_share() {
	local before after from to
	from=$(date +%s%3N)
	before=$(awk '{ print $10 }' "/sys/block/${loop#/dev/}/stat")
	"$TIERWISE" bench "$work/disk" --yes --time 20 --size 500m --tests ladder "$@" -o "$work/p.json" \
		>/dev/null 2>"$work/log" || fail "$*: exit $?: $(tail -1 "$work/log")"
	after=$(awk '{ print $10 }' "/sys/block/${loop#/dev/}/stat")
	to=$(date +%s%3N)
	took_s=$(((to - from) / 1000))
	share=$((100 * (after - before) / (to - from)))
}

busy_share
full=$share full_s=$took_s
busy_share --polite
echo "busy for $full % of $full_s s, with --polite for $share % of $took_s s"
[ "$share" -le 30 ] || fail "more than a quarter"
[ "$full" -ge $((2 * share)) ] || fail "without --polite it is not twice as busy: this proves nothing"
[ "$took_s" -ge $((3 * full_s)) ] || fail "it did not take longer"
