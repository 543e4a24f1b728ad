#!/usr/bin/env bash
# Fifteen decisions that users had to take (FC-01 to FC-15), from small documents to the answer.
set -eu
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not here"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$TIERWISE_SOURCE/tests/e2e/field_cases.py" "$TIERWISE" "$work"
