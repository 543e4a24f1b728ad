#!/usr/bin/env bash
# fleet.sh [--count N] [--repeats N] - how long does recommend --fleet take, and how does it scale?
#
# Makes N workloads (default 1,000; make_fleet.py) and prints seconds, workloads a second and peak memory of a
# process for a quarter, a half and all of them with one process, and for all with two; the ratios; of each the best
# of --repeats turns (default 3), taken in turns.  Says what the workloads ended with, and that the answer is the same
# for one process and for two.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

count=1000 repeats=3
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	--count | --repeats)
		[[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage >&2
		[ "$1" = --count ] && count=$2 || repeats=$2
		shift
		;;
	*) usage >&2 ;;
	esac
	shift
done
[ -x /usr/bin/time ] || fail "no /usr/bin/time (apt-get install time)"
work_make
export SOURCE_DATE_EPOCH=1796083200
python3 "$here/make_fleet.py" "$count" >"$work/fleet.ndjson"
cases="$((count / 4)):1 $((count / 2)):1 $count:1 $count:2"
for ((turn = 0; turn < repeats; turn++)); do
	for case in $cases; do
		head -"${case%:*}" "$work/fleet.ndjson" >"$work/part.ndjson"
		/usr/bin/time -f "$case %e %M" -a -o "$work/times" "$tierwise" recommend --fleet "$work/part.ndjson" \
			--jobs "${case#*:}" -o "$work/$case.json" --quiet 2>"$work/err"
		[ -s "$work/$case.json" ] || fail "no answer: $(cat "$work/err")"
	done
done
cmp "$work/$count:1.json" "$work/$count:2.json" || fail "two processes give another answer"
python3 - "$work/times" "$work/$count:1.json" "$count" <<'P'
import collections, json, sys
times = {}
for line in open(sys.argv[1]):
    if line.startswith("Command"):
        continue
    case, seconds, kib = line.split()
    best = times.setdefault(case, [1e9, 0])
    best[0] = min(best[0], float(seconds))
    best[1] = max(best[1], int(kib))
n = int(sys.argv[3])
print("workloads  processes  seconds  a second  MiB, largest process")
for case, (seconds, kib) in times.items():
    part, jobs = case.split(":")
    print(f"{int(part):9} {jobs:>10} {seconds:8.2f} {int(part) / seconds:9.1f} {kib / 1024:21.1f}")
one = [times[f"{n // 4}:1"][0], times[f"{n // 2}:1"][0], times[f"{n}:1"][0]]
print(f"1x, 2x, 4x the workloads: {one[1] / one[0]:.2f} and {one[2] / one[0]:.2f} times as long; "
      f"two processes: {one[2] / times[f'{n}:2'][0]:.2f} times as fast")
rows = json.load(open(sys.argv[2]))["rows"]
print("exit statuses:", ", ".join(f"{k}: {v}" for k, v in sorted(collections.Counter(r["status"] for r in rows).items())))
P
