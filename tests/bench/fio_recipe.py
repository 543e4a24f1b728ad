#!/usr/bin/env python3
"""fio_recipe.py FILE MIB SECONDS USED_MS - the job file a careful user of fio would write to learn in SECONDS
(of which USED_MS are gone: the file has been written) what the disk under FILE can do.

What it takes from public advice:
- the file is written first, with random data; direct, libaio, time_based, a ramp that is not counted
  (benchmarking pages of Google Cloud, AWS and Oracle Cloud; man fio);
- norandommap and randrepeat=0: no map to keep, no sequence that a cache has seen before;
- percentiles of the whole latency (lat), not of the part after submission (clat, the default);
- one stonewalled section a cell, so that groups do not overlap, in one process (thread);
- commits as etcd's advice has them: buffered write, then fdatasync; the sync's latency then holds the
  write to the disk as well, in one histogram.
All the time goes to the quantities that are compared: nothing is spent on block sizes, mixes or a hold phase.
"""
import sys

DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128]
START_S = 0.5  # of the program
SECTION_S = 0.3  # between two sections: threads end, figures are summed up
RAMP_FRAC = 0.1

GLOBAL = """[global]
filename={file}
size={mib}m
ioengine=libaio
direct=1
bs=4k
time_based
runtime={runtime_ms}ms
ramp_time={ramp_ms}ms
randrepeat=0
norandommap
refill_buffers
thread
group_reporting
lat_percentiles=1
clat_percentiles=0
percentile_list=50:90:95:99:99.9
"""
LADDER = """
[{op}-{qd}]
stonewall
rw={op}
iodepth={qd}
"""
COMMIT = """
[{mode}]
stonewall
ioengine=psync
direct=0
rw=write
bs=8k
{mode}=1
"""


def job_file(file, mib, seconds, used_s):
    cells = [(op, qd) for op in ("randread", "randwrite") for qd in DEPTHS]
    modes = ["fdatasync", "fsync"]
    section_s = (seconds - used_s - START_S) / (len(cells) + len(modes)) - SECTION_S
    if section_s < 0.1:
        sys.exit(f"fio_recipe.py: no time for {len(cells) + len(modes)} sections in {seconds} s")
    ramp_ms = int(1000 * section_s * RAMP_FRAC)
    text = GLOBAL.format(file=file, mib=mib, ramp_ms=ramp_ms, runtime_ms=int(1000 * section_s) - ramp_ms)
    text += "".join(LADDER.format(op=op, qd=qd) for op, qd in cells)
    return text + "".join(COMMIT.format(mode=mode) for mode in modes)


if __name__ == "__main__":
    print(job_file(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]) / 1000))
