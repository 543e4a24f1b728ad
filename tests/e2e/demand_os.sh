#!/usr/bin/env bash
# What iostat, sar, /proc/diskstats, vmstat and Performance Monitor wrote, read by the real program: figures against
# reference answers that were computed without it.
set -eu
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures/workload
if [ ! -d "$fixtures" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not here"
	exit 77
fi
python3 "$TIERWISE_SOURCE/tests/e2e/demand_os.py" "$TIERWISE" "$fixtures"
