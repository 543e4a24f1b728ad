#!/usr/bin/env bash
# However a measurement ends, nothing of it stays in the folder.  A signal ends it with status 130 and
# a partial profile; kill -9 just ends it.
set -u
work=$(mktemp -d -p "$PWD" bench.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
mkdir "$work/disk"
echo precious >"$work/disk/data"
before=$(ls -lA --time-style=full-iso "$work/disk")
"$TIERWISE" bench "$work/disk" --time 5 --size 125m -q --format json >"$work/probe" 2>"$work/err"
if [ $? = 2 ] && grep -qE 'memory, not a disk|network or served|no block device|free, of which|direct I/O' "$work/err"; then
	echo "skipped: $(tail -1 "$work/err")"
	exit 77
fi
# one SIGNAL SECONDS EXPECTED_STATUS
one() {
	rm -f "$work"/p.json*
	"$TIERWISE" bench "$work/disk" --time 30 --size 125m -o "$work/p.json" 2>"$work/err" &
	local pid=$!
	sleep "$2"
	kill -"$1" $pid
	wait $pid 2>/dev/null
	local rc=$?
	ends=$((ends + 1))
	[ $rc = "$3" ] || fail "$1 after $2 s: status $rc: $(cat "$work/err")"
	[ "$(ls -lA --time-style=full-iso "$work/disk")" = "$before" ] || fail "$1 after $2 s: $(ls -lA "$work/disk")"
	if [ "$1" != KILL ] && [ -e "$work/p.json" ]; then
		grep -q '"complete": false' "$work/p.json" || fail "$1 after $2 s: not marked incomplete"
		python3 -m json.tool "$work/p.json" >/dev/null || fail "$1 after $2 s: broken profile"
	fi
	# whole or not there; KILL may leave the temporary name of a profile being written, outside the folder
	[ "$1" = KILL ] || [ -z "$(find "$work" -name 'p.json.*')" ] || fail "$1 after $2 s: $(ls "$work")"
}
ends=0
for after in 1 2.3 7; do
	one INT $after 130
	grep -q "ended early: interrupted" "$work/err" || fail "INT after $after s is not said: $(cat "$work/err")"
	[ -e "$work/p.json" ] || fail "INT after $after s: no partial profile"
done
for after in 1.4 5; do
	one TERM $after 130
	one HUP $after 130
done
for after in 0.2 0.6 1 3 7; do
	one KILL $after 137
done
# stopped and going on (Ctrl-Z, fg): that slice is void, which is said; between two slices it does no harm
said=no
for delay in 0 0.13 0.29 0.41; do
	"$TIERWISE" bench "$work/disk" --time 6 --size 125m -o "$work/p.json" 2>"$work/err" &
	pid=$!
	until grep -q "random reads" "$work/err" || ! kill -0 $pid; do sleep 0.1; done
	sleep $delay
	kill -STOP $pid
	sleep 1
	kill -CONT $pid
	wait $pid
	rc=$?
	[ $rc = 0 ] || [ $rc = 7 ] || fail "STOP: status $rc: $(cat "$work/err")"
	if grep -q '"code": "suspended"' "$work/p.json"; then
		said=yes
		break
	fi
done
[ $said = yes ] || fail "STOP is not said in four tries: $(cat "$work/err")"
echo "$ends ends and one stop, nothing left"
