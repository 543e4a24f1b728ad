#!/usr/bin/env bash
# Decisions that users had to take, each with the evidence they had: the values and the words of the answer.
set -eu
shared=${TIERWISE_SHARED:-/nonexistent}
if [ ! -d "$shared/fixtures/workload" ]; then
	echo "skipped: no fixtures at $shared/fixtures/workload"
	exit 77
fi
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not here"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$TIERWISE_SOURCE/tests/e2e/demand_db.py" "$TIERWISE" "$shared" "$work"
