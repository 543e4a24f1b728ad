#!/usr/bin/env bash
# Folders: walked in order, links that lead round, what is no file, files given twice; several disks and
# sweeps become a profile each; inputs cut at many bytes.
set -u
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures/fio
if [ ! -d "$fixtures/own-virtio-qd-sweep" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
	echo "FAIL: $*"
	failed=1
}
# expect STATUS COMMAND...: runs it, keeps what it says in stdout and stderr
expect() {
	local want=$1 status=0
	shift
	"$@" >"$work/stdout" 2>"$work/stderr" || status=$?
	[ "$status" = "$want" ] || { fail "exit $status, expected $want: $*"; head -5 "$work/stderr"; }
}

# two sweeps of one disk, and one of another disk in the first one's folder
mkdir -p in/run1/more in/run2 in/.hidden
cp "$fixtures"/ssd-crucial250-repeat1/randread-qd{1,2,4}-nj1.json in/run1/
cp "$fixtures"/ssd-crucial250-repeat2/randread-qd{1,2}-nj1.json in/run2/
sed 's/"sdf"/"sdg"/; s:/dev/sdf:/dev/sdg:' "$fixtures/ssd-crucial250-repeat1/randread-qd8-nj1.json" \
	>in/run1/other-disk.json
cp in/run1/randread-qd1-nj1.json in/.hidden/x.json
cp in/run1/randread-qd1-nj1.json in/run1/.x.json
echo "not a result" >in/run1/README
ln -s .. in/run1/more/round
ln -s "$work/in" in/run2/again
ln -s nowhere in/run2/broken
mkfifo in/run2/pipe
ln in/run1/randread-qd1-nj1.json in/run2/randread-hard.json

expect 2 timeout 60 "$TIERWISE" import in -o out/
diff <(sed -n 's/^\(in[^:]*\): .*/\1/p' "$work/stderr") - <<'END' || fail "files, or their order"
in/run1/README
in/run1/other-disk.json
in/run1/randread-qd1-nj1.json
in/run1/randread-qd2-nj1.json
in/run1/randread-qd4-nj1.json
in/run2/randread-hard.json
in/run2/randread-qd1-nj1.json
in/run2/randread-qd2-nj1.json
END
grep -q '^in/run2/randread-hard.json: the same file as in/run1/randread-qd1-nj1.json' "$work/stderr" ||
	fail "a file twice: $(cat "$work/stderr")"
grep -q '^7 files: 6 accepted, 1 refused, 0 not readable' "$work/stderr" || fail "$(tail -1 "$work/stderr")"
diff <(ls out) - <<'END' || fail "profiles"
run1-sdf.json
run1-sdg.json
run2.json
END
# each has its own cells and passes its reader
cells() { grep -c '^      "op":' "$1"; }
[ "$(cells out/run1-sdf.json) $(cells out/run1-sdg.json) $(cells out/run2.json)" = "3 1 2" ] ||
	fail "cells: $(cells out/run1-sdf.json) $(cells out/run1-sdg.json) $(cells out/run2.json)"
for f in out/*.json; do
	expect 0 "$TIERWISE" report "$f"
done
grep -q '"device": "sdg"' out/run1-sdg.json || fail "the disk's name"

# without a folder to write to: a table; json is of one disk
expect 2 "$TIERWISE" import in
grep -q '^run1-sdg  *sdg  *fio-3' "$work/stdout" || fail "table: $(cat "$work/stdout")"
expect 2 "$TIERWISE" import in --format json
grep -q '3 disks or sweeps, and json is of one' "$work/stderr" || fail "$(tail -1 "$work/stderr")"
expect 2 "$TIERWISE" import in -o all.json
[ ! -e all.json ] || fail "all.json was written"
expect 2 "$TIERWISE" import in -o groups.csv
grep -q '^run2,.*,in/run2' groups.csv || fail "groups.csv: $(cat groups.csv)"
expect 2 "$TIERWISE" import in --name x
grep -q -e '--name x is of one disk' "$work/stderr" || fail "$(tail -1 "$work/stderr")"
expect 2 "$TIERWISE" import in --together -o all.json --name all
[ "$(cells all.json)" = 6 ] || fail "--together: $(cells all.json) cells"

# one group is one profile, also through a folder; a folder that is there is kept; the run repeats
expect 0 "$TIERWISE" import in/run2 -o one.json
[ "$(cells one.json)" = 3 ] || fail "run2 alone: $(cells one.json) cells"
mkdir there && echo keep >there/keep
expect 0 "$TIERWISE" import in/run2 -o there
cmp one.json there/run2.json || fail "a folder gives another profile"
[ -e there/keep ] || fail "the folder was emptied"
mkdir there.d
expect 0 "$TIERWISE" import in/run2 -o there.d
cmp one.json there.d/run2.json || fail "a folder with a suffix"
expect 1 "$TIERWISE" report one.json -o there.d # no other command takes a folder
grep -q 'there.d' "$work/stderr" || fail "$(cat "$work/stderr")"
expect 0 "$TIERWISE" import in/run2 -o there/
cmp one.json there/run2.json || fail "not reproducible"

# inputs are not written over
cp -r in/run2 mine && mv mine/randread-qd1-nj1.json mine/mine.json && rm mine/pipe
expect 2 "$TIERWISE" import mine -o mine/
grep -q 'mine/mine.json is an input and would be lost' "$work/stderr" || fail "$(tail -1 "$work/stderr")"
grep -q '"fio version"' mine/mine.json || fail "an input was written over"

# nothing there
mkdir void
expect 2 "$TIERWISE" import void
grep -q 'void: no file in this folder' "$work/stderr" || fail "$(cat "$work/stderr")"
expect 1 "$TIERWISE" import nowhere
expect 2 "$TIERWISE" import in/run2 -o a/ -o b/
expect 1 "$TIERWISE" import in/run2 -o no/such/
# deeper than is looked into
deep=deep
for i in $(seq 20); do deep=$deep/$i; done
mkdir -p "$deep" && cp in/run1/randread-qd2-nj1.json deep/ && cp in/run1/randread-qd2-nj1.json "$deep"
expect 1 "$TIERWISE" import deep -o deep.json
grep -q 'nested too deep' "$work/stderr" || fail "$(cat "$work/stderr")"

# Names that need care: spaces, quotes, a newline, no letters of ours
odd=$'odd/a "b"\nc\xff'
mkdir -p "$odd" && cp in/run1/randread-qd1-nj1.json "$odd/x y.json"
cp -r in/run2 odd/plain && rm odd/plain/pipe
expect 0 "$TIERWISE" import odd -o odd.out/
[ "$(ls odd.out | wc -l)" = 2 ] && [ -e odd.out/a__b__c_.json ] || fail "names: $(ls odd.out)"

# Cut anywhere: refused with the place, never other figures.  A step that is no divisor of a line.
f=$fixtures/own-versions-and-oddities/v3.33-randrw70-8k-qd4-nj2.json
size=$(stat -c %s "$f")
mkdir cuts
for ((at = 1; at < size - 1; at += 37)); do
	head -c "$at" "$f" >"cuts/$(printf %06d "$at").json"
done
expect 2 "$TIERWISE" import cuts
n=$(ls cuts | wc -l)
refused=$(grep -c ': refused: cut off at byte ' "$work/stderr")
[ "$n" = "$refused" ] || fail "$n cuts, $refused refused: $(grep -v 'cut off' "$work/stderr" | head -3)"
while IFS= read -r line; do
	at=${line#cuts/}
	at=$((10#${at%%.*}))
	[[ $line == *"cut off at byte $at:"* ]] || fail "the place: $line"
done < <(grep refused: "$work/stderr")
echo "$n cuts refused, each with its place"
exit "$failed"
