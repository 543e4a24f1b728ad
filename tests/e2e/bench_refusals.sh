#!/usr/bin/env bash
# What bench must never touch: each is refused with status 2 and a reason, and is as it was.
set -u
work=$(mktemp -d -p "$PWD" bench.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
# refused REASON ARGUMENTS...
refused() {
	local reason=$1
	shift
	"$TIERWISE" bench --time 5 --yes "$@" >"$work/out" 2>"$work/err" </dev/null
	local rc=$?
	[ $rc = 2 ] || fail "$*: status $rc: $(cat "$work/err")"
	grep -q -- "$reason" "$work/err" || fail "$*: $(cat "$work/err")"
	[ ! -s "$work/out" ] || fail "$*: something on standard output"
	count=$((count + 1))
}
count=0
head -c 100000 /dev/urandom >"$work/data"
chmod 600 "$work/data"
sum=$(sha256sum "$work/data")
ln -s data "$work/to-file"
ln -s /dev "$work/to-dev"
ln -s /dev/null "$work/to-null"
mkfifo "$work/fifo"
all=(--allow-ram --allow-network)
for p in "$work/data" "$work/to-file"; do refused "is a file" "${all[@]}" "$p"; done
refused "not a folder" "${all[@]}" "$work/fifo"
for p in /dev "$work/to-dev" /dev/pts /dev/shm; do
	[ -d "$p" ] && refused "nothing under /dev" "${all[@]}" "$p"
done
for p in /proc /proc/self /proc/self/fd /sys /sys/kernel /proc/self/root/proc; do
	[ -d "$p" ] && refused "nothing under /" "${all[@]}" "$p"
done
for p in /dev/null "$work/to-null"; do refused "character device" "${all[@]}" "$p"; done
block=$(find /dev -maxdepth 1 -type b 2>/dev/null | head -1)
if [ -z "$block" ] && mknod "$work/node" b 7 0 2>/dev/null; then block=$work/node; fi
if [ -n "$block" ]; then
	refused "block device" "${all[@]}" "$block"
	ln -s "$block" "$work/to-block"
	refused "block device" "${all[@]}" "$work/to-block"
	refused "no such folder" "${all[@]}" "$block/."
fi
refused "no such folder" "$work/none"
for p in /run /tmp /var/run; do
	if [ "$(stat -f -c %T "$p")" = tmpfs ]; then refused "memory, not a disk" "$p"; fi
done
refused "give a folder"
refused "one for each disk" "$work" "$work" -o "$work/x.json"
refused "time" --time 3 "$work"
# without a terminal a long run needs --yes
"$TIERWISE" bench "$work" --time 61 >"$work/out" 2>"$work/err" </dev/null
rc=$?
if ! grep -qE 'memory, not a disk|network or served|no block device|free, of which|direct I/O' "$work/err"; then
	[ $rc = 2 ] && grep -q -- "--yes" "$work/err" || fail "61 s unattended: status $rc: $(cat "$work/err")"
	# a limit on file sizes is an error from the disk, said and cleaned up
	(ulimit -f 20480 && exec "$TIERWISE" bench "$work" --time 5 -q -o "$work/p.json" 2>"$work/err")
	rc=$?
	[ $rc = 1 ] && grep -q "File too large" "$work/err" || fail "file size limit: status $rc: $(cat "$work/err")"
	grep -q '"complete": false' "$work/p.json" || fail "file size limit: no partial profile"
	rm "$work/p.json"
fi
[ "$(sha256sum "$work/data")" = "$sum" ] || fail "the file changed"
rm -f "$work/out" "$work/err"
left=$(cd "$work" && find . -mindepth 1 ! -name data ! -name fifo ! -name node ! -name 'to-*')
[ -z "$left" ] || fail "left behind: $left"
echo "$count refusals"
