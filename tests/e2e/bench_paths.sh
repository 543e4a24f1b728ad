#!/usr/bin/env bash
# Paths that mislead, for the folder and for -o: no existing byte changes, no name is left.  The whole
# program; unit/bench/test_paths tries hundreds of paths.
set -u
work=$(mktemp -d -p "$PWD" paths.XXXXXX) || exit 1
racer='' loop=''
cleanup() {
	[ -z "$racer" ] || kill "$racer" 2>/dev/null
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$work"
}
trap cleanup EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
cd "$work" || exit 1
mkdir disk victims out
head -c 200000 /dev/urandom >victims/file
chmod 640 victims/file
ln victims/file victims/hard
echo shared >victims/other
"$TIERWISE" bench disk --time 5 --size 125m -q --tests randread:1 >probe 2>err
if [ $? = 2 ] && grep -qE 'memory, not a disk|network or served|no block device|free, of which|direct I/O' err; then
	echo "skipped: $(tail -1 err)"
	exit 77
fi
rm -f probe err
device=victims/none
if [ "$(id -u)" = 0 ]; then
	head -c 1048576 /dev/urandom >image
	loop=$(losetup -f --show image 2>/dev/null) && device=$loop
fi
# what must not change: names, sizes, times, links, content, and the device
state() {
	find victims disk -printf '%p %y %i %n %m %s %T@ %l\n' | grep -v '^disk d' | sort
	cat victims/file victims/hard victims/other | sha256sum
	[ -z "$loop" ] || { blockdev --flushbufs "$loop" && sha256sum <"$loop"; }
}
before=$(state)
check() { [ "$(state)" = "$before" ] || fail "$*: $(diff <(echo "$before") <(state))"; }
# a check that cannot fail shows nothing
cp -p victims/file saved
printf x | dd of=victims/file conv=notrunc status=none
[ "$(state)" != "$before" ] || fail "a changed byte is not seen"
cat saved >victims/file
touch -r saved victims/file
rm saved
: >disk/left
[ "$(state)" != "$before" ] || fail "a left file is not seen"
rm disk/left
check "the check itself"

# ---- the folder -----------------------------------------------------------------------------------

# race NAME OTHER...: swap NAME with each of the others, over and over
race() {
	python3 - "$@" <<'P' &
import ctypes, itertools, signal, sys
libc, stop = ctypes.CDLL(None), []
signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
names = [n.encode() for n in sys.argv[1:]]
at = list(range(len(names)))
def swap(i, j):  # RENAME_EXCHANGE
    if libc.renameat2(-100, names[i], -100, names[j], 2) == 0:
        at[i], at[j] = at[j], at[i]
for other in itertools.cycle(range(1, len(names))):
    if stop: break
    swap(0, other)
for i in range(len(names)):  # all back
    if at[i] != i: swap(i, at.index(i))
P
	racer=$!
}
end_race() {
	kill "$racer"
	wait "$racer"
	racer=''
}
mkdir race
mkdir race/slot race/dir
ln -s ../victims race/to-victims
ln -s ../victims/file race/to-file
ln -s "$device" race/to-device
mkfifo race/fifo
cp -p victims/file race/copy
race race/slot race/dir race/to-victims race/to-file race/to-device race/fifo race/copy
opened=0 refused=0
# refused for want of --yes only after the folder was opened and the file made
for _ in $(seq 24); do
	"$TIERWISE" bench race/slot --time 61 -o out/p.json >out/text 2>out/err </dev/null
	rc=$?
	[ $rc = 2 ] || fail "raced: status $rc: $(cat out/err)"
	if grep -q -- --yes out/err; then opened=$((opened + 1)); else refused=$((refused + 1)); fi
	[ "$(grep -c '^tierwise:' out/err)" = 1 ] || fail "raced: not one line of reason: $(cat out/err)"
done
for _ in 1 2; do # whole runs, and one that is killed
	"$TIERWISE" bench race/slot --time 5 --size 125m --tests ladder -o out/p.json >out/text 2>out/err
	rc=$?
	case $rc in 0 | 7) opened=$((opened + 1)) ;; 2) refused=$((refused + 1)) ;; *) fail "raced run: $rc: $(cat out/err)" ;; esac
done
timeout -s KILL 2 "$TIERWISE" bench race/slot --time 5 --size 125m >out/text 2>out/err
end_race
cmp -s victims/file race/copy || fail "raced: the copy changed"
[ -z "$(find race -mindepth 2)" ] || fail "raced: left: $(find race -mindepth 2)"
check "raced"
rm -r race out/*

# ---- the output -----------------------------------------------------------------------------------

sim=(bench --engine sim:read_us=100,write_us=100,fsync_us=100 --time 5 -q --tests randread:1)
# output STATUS WHAT PATH [OPTION...]
output() {
	local want=$1 what=$2 path=$3 rc
	shift 3
	timeout 120 "$TIERWISE" "${sim[@]}" -o "$path" "$@" >out/text 2>out/err
	rc=$?
	[ $rc = "$want" ] || fail "-o $what: status $rc, expected $want: $(cat out/err)"
	[ "$want" = 0 ] || [ "$(wc -l <out/err)" = 1 ] || fail "-o $what: not one line: $(cat out/err)"
	rm -f out/text out/err
	outputs=$((outputs + 1))
}
outputs=0
json=(--format json)
if [ -n "$loop" ]; then
	output 2 "a block device" "$loop" "${json[@]}"
	ln -s "$loop" out/to-device.json
	output 2 "a link to a block device" out/to-device.json
	rm out/to-device.json
fi
output 1 "a folder" disk "${json[@]}"
output 1 "no folder" none/p.json
output 1 "a file as folder" victims/file/p.json
[ ! -c /dev/full ] || output 1 /dev/full /dev/full "${json[@]}"
output 1 "a switch of the kernel" /proc/sys/kernel/sysrq "${json[@]}"
for f in /sys/block/*/queue/scheduler; do
	[ ! -e "$f" ] || output 1 "a switch of a disk" "$f" "${json[@]}"
	break
done
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("out/socket")'
output 1 "a socket" out/socket "${json[@]}"
rm out/socket
check "outputs that cannot be"
# a hard link: the file's other name keeps the old bytes
ln victims/other out/p.json
other=$(sha256sum <victims/other)
output 0 "a hard link" out/p.json
[ "$(sha256sum <victims/other)" = "$other" ] || fail "the other link changed"
[ "$(stat -c %h victims/other)" = 1 ] || fail "still linked"
check "a hard link"
# a link to a file: that file is replaced, whole, and the link stays
echo old >out/old.json
ln -s old.json out/p2.json
output 0 "a link" out/p2.json
[ -L out/p2.json ] && python3 -m json.tool out/old.json >/dev/null || fail "a link"
# a full disk, a read-only one, a size limit: the old file stays and nothing is beside it
cp out/p.json keep.json
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	cat >inner.sh <<'S'
mkdir small && mount -t tmpfs -o size=8k none small && cp /etc/hostname small/p.json && cp small/p.json was || exit 99
dd if=/dev/zero of=small/fill bs=4096 status=none 2>err
"$@" -o small/p.json 2>err; [ $? = 1 ] || exit 1
grep -q "No space left" err && rm small/fill || exit 2
cmp -s was small/p.json && [ "$(ls -A small)" = p.json ] || exit 3
mount -o remount,ro small && "$@" -o small/p.json 2>err; [ $? = 1 ] || exit 4
grep -q "Read-only" err && cmp -s was small/p.json || exit 5
umount small
S
	unshare -m bash inner.sh "$TIERWISE" "${sim[@]}" || fail "a full or read-only disk: step $?"
	rmdir small
	rm -f inner.sh was err
fi
(ulimit -f 1 && exec "$TIERWISE" "${sim[@]}" -o out/p.json 2>out/err)
rc=$?
[ $rc = 1 ] && grep -q "File too large" out/err || fail "size limit: $rc: $(cat out/err)"
cmp -s keep.json out/p.json || fail "size limit: the old file changed"
rm out/err
# killed while it runs and writes
for i in $(seq 0 11); do
	"$TIERWISE" "${sim[@]}" -o out/p.json >out/text 2>out/err &
	pid=$!
	sleep 0.$((i * 7 % 10))$((i * 3 % 10))
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	python3 -m json.tool out/p.json >/dev/null || fail "killed: half a profile"
done 2>/dev/null
rm -f out/text out/err
left=$(ls -A out | tr '\n' ' ')
[ "$left" = "old.json p.json p2.json " ] || fail "beside the outputs: $left"
# names that a terminal would obey
nasty=$(printf 'a\nrm\033]0;x\007\302\2332Jb')
mkdir "out/$nasty"
"$TIERWISE" bench "out/$nasty" --time 61 >out/text 2>out/err </dev/null
rmdir "out/$nasty"
"$TIERWISE" bench "out/$nasty" --time 61 >>out/text 2>>out/err </dev/null
LC_ALL=C grep -qP '[\x00-\x08\x0B-\x1F\x7F]|\xC2[\x80-\x9F]' out/err && fail "control characters: $(cat -v out/err)"
grep -q '^rm' out/err && fail "a name makes a line of its own: $(cat -v out/err)"
check "the end"
echo "$opened opened, $refused refused while swapped; $outputs outputs; no byte changed"
