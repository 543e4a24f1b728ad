#!/usr/bin/env bash
# All rows of expected.csv, which an independent parser wrote, against what the real program says of the
# whole folder of fixtures in one call: every row is equal, or is no cell and says itself why.
set -eu
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures/fio
if [ ! -r "$fixtures/expected.csv" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not here"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tables and notes lie among the results, and are refused: exit status 2
status=0
"$TIERWISE" import "$fixtures" -o "$work/out/" 2>"$work/stderr" || status=$?
if [ "$status" != 2 ]; then
	echo "FAIL: exit $status, expected 2"
	tail -5 "$work/stderr"
	exit 1
fi
tail -1 "$work/stderr"
python3 "$TIERWISE_SOURCE/tests/e2e/import_rows.py" "$fixtures/expected.csv" "$work/out"
