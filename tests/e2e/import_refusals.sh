#!/usr/bin/env bash
# What import refuses, in which words and with which place: every fixture that is no result, real outputs of
# other programs, and inputs made here.  The table that is printed is what was seen.
set -u
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures/fio
if [ ! -d "$fixtures/not-json-normal-output" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
n=0

# verdict FILE WORDS: "accepted" or "refused" and the words that must be in the line about it.
verdict() {
	local file=$1 want=$2 words=$3 line status=0
	line=$("$TIERWISE" import "$file" 2>&1 >/dev/null) || status=$?
	n=$((n + 1))
	printf '%-8s %s\n         %s\n' "$want" "${file##*/}" "${line#*: }"
	[ "$(printf '%s\n' "$line" | wc -l)" = 1 ] || { echo "FAIL: not one line"; failed=1; }
	[[ $line == *": $want"* ]] || { echo "FAIL: expected $want"; failed=1; }
	[[ $line == *"$words"* ]] || { echo "FAIL: expected the words: $words"; failed=1; }
	[ "$want" = refused ] && expected=2 || expected=0
	[ "$status" = "$expected" ] || { echo "FAIL: exit $status, expected $expected"; failed=1; }
}

for f in "$fixtures"/not-json-normal-output/*; do
	verdict "$f" refused "fio's output for people"
done
verdict "$fixtures/broken/fio-3.33-party_fio_1m_run-1_write-64-1.json" refused \
	'job "1m": it ended with error'
# text before the document: accepted, and said
verdict "$fixtures/broken/fio-3.33-text-first-bensonjohnson.json" accepted ""
verdict "$fixtures/broken/fio-3.34-deleteme_fio_4k_randread-1-1.json" accepted "interrupted"
odd=$fixtures/own-versions-and-oddities
for v in 3.33 3.42; do
	verdict "$odd/v$v-error-einval-textfirst.json" refused "ended with error 22 (Invalid argument)"
	verdict "$odd/v$v-error-enospc-textfirst.json" refused "ended with error 28 (No space left on device)"
	verdict "$odd/v$v-unified-mixed.json" refused "unified_rw_reporting=mixed hides"
done
# terse lines before the JSON do not matter; alone they are named
verdict "$odd/v3.33-terse-and-json.out" accepted ""
sed '/^{/,$d' "$odd/v3.33-terse-and-json.out" >"$work/terse.out"
verdict "$work/terse.out" refused "fio's terse output"
for f in "$fixtures"/pts-rounds-ssspt-fio3.8/*.csv; do
	verdict "$f" refused "no fio result"
done
verdict "$fixtures/expected.csv" refused "no fio result"
verdict "$fixtures/ORIGIN.md" refused "refused"

good=$fixtures/ssd-crucial250-repeat1/randread-qd1-nj1.json
size=$(stat -c %s "$good")
: >"$work/empty.json"
printf '\n \n' >"$work/blank.json"
head -c 3000 "$good" >"$work/cut.json"
head -c 9 "$good" >"$work/cut-early.json"
head -c $((size - 2)) "$good" >"$work/cut-late.json"
gzip -c "$good" >"$work/fio.json.gz"
xz -c "$good" >"$work/fio.json.xz" 2>/dev/null || printf '\xfd7zXZ\0' >"$work/fio.json.xz"
head -c 64 "$TIERWISE" >"$work/program"
{ printf '\xff\xfe'; iconv -t UTF-16LE "$good"; } >"$work/utf16.json"
printf '{"sysstat": {"hosts": []}}' >"$work/iostat.json"
printf 'Linux 6.1.0 (db1)\t12/01/2026\t_x86_64_\t(2 CPU)\n\navg-cpu:  %%user\n' >"$work/iostat.txt"
printf 'sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n' >"$work/sysbench.txt"
printf '[global]\nrw=randread\nbs=4k\n[q]\niodepth=4\n' >"$work/job.fio"
printf '1, 57, 0, 4096, 0\n2, 60, 0, 4096, 0\n' >"$work/q_lat.1.log"
python3 -c 'import json, sys; json.dump(json.load(open(sys.argv[1])), sys.stdout, sort_keys=True)' \
	"$good" >"$work/sorted.json" 2>/dev/null || printf '{"a": 1, "fio version": "x"}' >"$work/sorted.json"
printf '{"name": "x"}' >"$work/other.json"
printf '{"schema": "tierwise/model/1"}' >"$work/model.json"
printf 'no such thing\n' >"$work/text.txt"

verdict "$work/empty.json" refused "empty: nothing was written here"
verdict "$work/blank.json" refused "empty: nothing was written here"
verdict "$work/cut.json" refused "cut off at byte 3000: the fio result that starts at byte 0 never ends (inside job 1"
verdict "$work/cut-early.json" refused "cut off at byte 9"
verdict "$work/cut-late.json" refused "cut off at byte $((size - 2))"
verdict "$work/fio.json.gz" refused "compressed by gzip"
verdict "$work/fio.json.xz" refused "a packed file"
verdict "$work/program" refused "a binary file"
verdict "$work/utf16.json" refused "UTF-16"
verdict "$work/iostat.json" refused "figures of iostat"
verdict "$work/iostat.txt" refused "line 3: figures of iostat"
verdict "$work/sysbench.txt" refused "figures of sysbench"
verdict "$work/job.fio" refused "a fio job file"
verdict "$work/q_lat.1.log" refused "fio's log of single I/O"
verdict "$work/sorted.json" refused "not the first name of its object"
verdict "$work/other.json" refused "line 1: JSON, but no fio result"
verdict "$work/model.json" refused "a document of tierwise"
verdict "$work/text.txt" refused "no fio result"

# A file in the way of reading is no refusal: exit 1, the path and the reason.
for path in "$work/none.json" "$work/locked.json"; do
	[ "$path" = "$work/none.json" ] || { cp "$good" "$path" && chmod 0 "$path"; }
	[ -r "$path" ] && continue # root reads everything
	status=0
	line=$("$TIERWISE" import "$path" 2>&1 >/dev/null) || status=$?
	[[ $status = 1 && $line == *"$path"* ]] || { echo "FAIL: $path: exit $status: $line"; failed=1; }
done
echo "$n inputs, $([ "$failed" = 0 ] && echo "each as expected" || echo "some not as expected")"
exit "$failed"
