#!/usr/bin/env bash
# import_large.sh [--mib N] [--turns N] - time and memory of reading a large json+ result of fio: tierwise
# import beside `jq .`, which builds the document and prints it.  Prints, for each, the median of wall time
# over the turns (3, by turns) and the largest resident memory, and the ratios; then tierwise with a result of
# a tenth of the size: memory that does not grow with the file is bounded.
#
# Environment: TIERWISE (program; a release build), BENCH_DIR (folder for the file, default /var/tmp).
set -eu
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"
mib=200
turns=3
while [ $# -gt 0 ]; do
	case $1 in
	--mib) mib=$2 ;;
	--turns) turns=$2 ;;
	--help) usage 0 ;;
	*) usage ;;
	esac
	shift 2
done
need_programs jq
work_make

# measure NAME FILE COMMAND...: a line "seconds KiB" to $work/NAME
measure() {
	local name=$1 file=$2
	shift 2
	python3 - "$work/$name" "$file" "$@" <<'END'
import os, subprocess, sys, time
start = time.monotonic()
with open(sys.argv[2] + ".out", "wb") as out:
    child = subprocess.Popen(sys.argv[3:], stdout=out, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
seconds = time.monotonic() - start
if status:
    sys.exit(f"{sys.argv[3]}: status {status}")
with open(sys.argv[1], "a") as f:
    print(f"{seconds:.3f} {used.ru_maxrss} {os.path.getsize(sys.argv[2] + '.out')}", file=f)
END
}

# field NAME FIELD: median of the seconds, or the largest KiB
seconds() { cut -d' ' -f1 "$work/$1" | sort -n | sed -n "$(((turns + 1) / 2))p"; }
memory() { cut -d' ' -f2 "$work/$1" | sort -n | tail -1; }

large=$work/large.json small=$work/small.json
python3 "$here/large_fio.py" "$mib" >"$large"
python3 "$here/large_fio.py" "$(python3 -c "print($mib / 10)")" >"$small"
cat "$large" >/dev/null # both find it in memory
for ((i = 0; i < turns; i++)); do
	measure tierwise "$large" "$tierwise" import "$large" --format json
	measure jq "$large" jq . "$large"
	measure small "$small" "$tierwise" import "$small" --format json
done
printf '%-28s %9s %12s\n' "$(du -m "$large" | cut -f1) MiB, $(grep -c '"jobname"' "$large") jobs" seconds "MiB resident"
for name in tierwise jq; do
	printf '%-28s %9s %12s\n' "$name" "$(seconds $name)" "$(($(memory $name) / 1024))"
done
printf '%-28s %9s %12s\n' "tierwise, a tenth of it" "$(seconds small)" "$(($(memory small) / 1024))"
python3 -c "
t, j = $(seconds tierwise), $(seconds jq)
print(f'time: tierwise / jq = {t / j:.2f}; memory: tierwise / jq = {$(memory tierwise) / $(memory jq):.3f}, '
      f'large / small = {$(memory tierwise) / $(memory small):.2f}')"
