#!/usr/bin/env bash
# commit_beside.sh [--time S] [--turns N] [DIR] - commits per second by tierwise's commit loop, by fio and by
# PostgreSQL's pg_test_fsync, on the same disk in the same minutes, taking turns at going first.
#
# DIR: a folder on the disk (default: an emulated disk, premium, for which the time of a commit is also known from
# its settings: a write and a flush).  --time S of one turn of one cell (default 2), --turns N (default 5).
#
# 8 KiB blocks.  fio: psync, direct, 1, 4 and 16 jobs over parts of one file of 64 MiB that was written before, with
# fdatasync, fsync or O_DSYNC after or with each write; append: one job, a new file that grows, no preallocation.
# pg_test_fsync (left out when it is not installed): one writer over one block, through the page cache but for
# open_datasync.  Prints for each cell rates, p50 and the ratio of rates tierwise / other: smallest, median, largest
# of the turns.  Nothing fails because of a figure.  tierwise alone also prints what has no counterpart there.
#
# Environment: COMMIT_COST (program, default that of build/dev; `cmake --build --preset dev --target commit_cost`),
# PG_TEST_FSYNC (default: on the PATH or the newest below /usr/lib/postgresql), and as common.sh says.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

seconds=2 turns=5 dir=''
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	--time | --turns)
		[ $# -ge 2 ] || usage >&2
		case $1 in
		--time) seconds=$2 ;;
		--turns) turns=$2 ;;
		esac
		shift
		;;
	-*) usage >&2 ;;
	*) dir=$1 ;;
	esac
	shift
done
[[ $seconds =~ ^[1-9][0-9]*$ && $turns =~ ^[1-9][0-9]*$ ]] || usage >&2
program=$(readlink -f "${COMMIT_COST:-$here/../../build/dev/tests/commit_cost}")
[ -x "$program" ] || fail "no program commit_cost: build it, or say COMMIT_COST"
command -v python3 >/dev/null || skip "no python3 here"
command -v fio >/dev/null || skip "no fio here"
pg=${PG_TEST_FSYNC:-$(command -v pg_test_fsync || find /usr/lib/postgresql -name pg_test_fsync 2>/dev/null | sort -V | tail -1)}
work_make
law=0
if [ -z "$dir" ]; then
	need_emulator
	dir=$(tier_up premium) || fail "premium does not come up"
	law=1200
	echo "premium: write 800 us, flush 400 us"
else
	dir=$(mktemp -d -p "$dir" commit-beside.XXXXXX) || exit 1
	trap 'rm -rf --one-file-system "$dir"; work_remove' EXIT
	keep_awake
fi
echo "$(fio --version)${pg:+, $("$pg" --version)}, $turns turns of $seconds s"
python3 - "$program" "$dir" "$seconds" "$turns" "$law" ${pg:+"$pg"} <<'P' &
import json, os, re, subprocess, sys
from statistics import median

program, folder, seconds, turns, law_us = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
pg = sys.argv[6] if len(sys.argv) > 6 else None
file, log = folder + "/fio", folder + "/log"


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def by_tierwise(mode, pattern, writers):
    rate, p50, p99, write, sync = map(float, output(program, folder, mode, pattern, "8192", str(writers),
                                                    seconds).split())
    return rate, p50


# how fio says it; it tells the two parts of a commit apart but not the whole, so there is no p50 of its
FIO = {"fdatasync": "--fdatasync=1", "fsync": "--fsync=1", "odsync-direct": "--sync=dsync"}


def by_fio(mode, pattern, writers):
    where = ["--filename=" + file, "--size=4m", "--offset_increment=4m", "--overwrite=1", "--rw=write",
             f"--numjobs={writers}"]
    if pattern == "append":
        where = ["--filename=" + log, "--size=64g", "--rw=write", "--fallocate=none"]
    text = output("fio", "--name=commit", "--output-format=json", "--direct=1", "--bs=8k", "--ioengine=psync", "--thread",
                  "--time_based", "--ramp_time=100ms", "--runtime=" + seconds, "--group_reporting", FIO[mode], *where)
    if pattern == "append":
        os.remove(log)
    job = json.loads(text[text.index("{"):])["jobs"][0]
    return job["write"]["iops"], float("nan")


PG = {"fdatasync": "fdatasync", "fsync": "fsync", "odsync-direct": "open_datasync"}
pg_turn = {}  # all its methods come out of one call


def by_pg(mode, turn):
    if turn not in pg_turn:
        pg_turn[turn] = output(pg, "-f", folder + "/pg", "-s", seconds)
    first = pg_turn[turn].split("using one")[1].split("Compare")[0]
    found = re.search(rf"^\s+{PG[mode]}\s+([0-9.]+) ops/sec", first, re.M)
    return (float(found.group(1)), float("nan")) if found else (float("nan"),) * 2


output("fio", "--name=lay", "--filename=" + file, "--size=64m", "--rw=write", "--bs=1m", "--direct=1",
       "--ioengine=psync", "--refill_buffers", "--end_fsync=1")
cells = [(m, "overwrite", w) for m in FIO for w in (1, 4, 16)]
cells += [("fdatasync", "append", 1), ("fsync", "append", 1), ("odsync-direct", "append", 1)]
alone = [("odsync", p, w) for p in ("overwrite", "append") for w in (1, 4, 16)]
alone += [("fdatasync", "append", 4), ("fdatasync", "append", 16)]
rows = [(c, who) for c in cells for who in ("fio", "pg") if who == "fio" or (pg and c[1:] == ("overwrite", 1))]
rows += [(c, None) for c in alone]
results = {row: [] for row in rows}
for turn in range(turns):
    for row in rows:
        cell, who = row
        other = {"fio": lambda: by_fio(*cell), "pg": lambda: by_pg(cell[0], turn), None: lambda: None}[who]
        if turn % 2:
            theirs = other()
            ours = by_tierwise(*cell)
        else:
            ours = by_tierwise(*cell)
            theirs = other()
        results[row].append((ours, theirs))
    print(f"turn {turn + 1} of {turns}", file=sys.stderr)

print("mode           pattern   writers  tierwise/s  p50 us  beside       its/s   ratio min  median     max")
for (mode, pattern, writers), who in rows:
    got = results[(mode, pattern, writers), who]
    line = f"{mode:14} {pattern:9} {writers:7} {median(o[0] for o, _ in got):11,.0f} {median(o[1] for o, _ in got):7,.0f}"
    if who:
        ratio = [o[0] / t[0] for o, t in got]
        name = "pg_test_fsync" if who == "pg" else who
        line += f"  {name:13} {median(t[0] for _, t in got):5,.0f} {min(ratio):11.3f} {median(ratio):7.3f} {max(ratio):7.3f}"
    print(line)
if law_us:
    for mode in ("fdatasync", "odsync-direct"):
        p50 = median(o[1] for o, _ in results[(mode, "overwrite", 1), "fio"])
        print(f"{mode}, overwrite, 1 writer: p50 {p50:,.0f} us, by the law {law_us:,.0f} us: {p50 / law_us - 1:+.1%}")
P
wait $!
