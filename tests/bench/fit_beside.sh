#!/usr/bin/env bash
# fit_beside.sh - curves fitted in a second on one core: tierwise beside scipy.optimize.curve_fit, on the
# shared sweeps, from the same starts to the same tolerance, and whether both reach the same sum of squares.
#
#     fit_beside.sh [--time SECONDS]     CPU seconds for each solver (default 5)
#
# Environment: FIT_SPEED (program: cmake --build --preset dev --target fit_speed; found in build/dev/tests),
# TIERWISE_SHARED.  Needs python3-scipy; exit 77 without it.
set -eu
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"

seconds=5
while [ $# -gt 0 ]; do
	case $1 in
	--time) seconds=${2:?} && shift 2 ;;
	--help) usage 0 ;;
	*) usage ;;
	esac
done
program=${FIT_SPEED:-$here/../../build/dev/tests/fit_speed}
[ -x "$program" ] || skip "no $program: cmake --build --preset dev --target fit_speed"
python=
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import scipy.optimize' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-scipy is not here"
export TIERWISE_SHARED=$shared OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
taskset -c 0 "$program" --problems >"$work/problems" || status=$?
[ "$status" != 77 ] || skip "no sweeps at $shared"
taskset -c 0 "$program" "$seconds" >"$work/ours"
taskset -c 0 "$python" "$here/fit_beside.py" "$work/problems" "$work/ours" "$seconds"
