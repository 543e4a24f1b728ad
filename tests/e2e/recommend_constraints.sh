#!/usr/bin/env bash
# Every constraint of a plan on an input of its own: what it rules out, by how much, and what is taken instead.
set -eu
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not here"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$TIERWISE_SOURCE/tests/e2e/recommend_constraints.py" "$TIERWISE" "$work"
