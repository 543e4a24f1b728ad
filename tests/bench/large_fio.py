#!/usr/bin/env python3
"""large_fio.py MIB - a json+ result of fio of at least that many MiB, on standard output.

Eight groups of many jobs (numjobs without group_reporting), as fio 3.33 prints them: read side with slat, clat
and lat, each with its histogram of 300 to 1,100 bins.  The figures are drawn (seeded) and agree with each other.
"""
import random
import sys

BITS = 6  # of fio's histogram: 64 bins an octave


def bins(rng, n, first):
    """n consecutive bins from index `first`: (latency in ns, count)."""
    out = []
    for index in range(first, first + n):
        shift = (index >> BITS) - 1
        middle = (1 << (shift + BITS)) + int((index % 64 + 0.5) * (1 << shift)) if shift >= 0 else index
        out.append((middle, rng.randint(1, 99999)))
    return out


def latency(name, list_, indent):
    n = sum(c for _, c in list_)
    mean = sum(v * c for v, c in list_) / n
    pad = " " * indent
    lines = [f'{pad}"{name}" : {{', f'{pad}  "min" : {list_[0][0]},', f'{pad}  "max" : {list_[-1][0]},',
             f'{pad}  "mean" : {mean:.6f},', f'{pad}  "stddev" : {mean / 3:.6f},', f'{pad}  "N" : {n},',
             f'{pad}  "bins" : {{']
    lines.append(",\n".join(f'{pad}    "{v}" : {c}' for v, c in list_))
    lines.append(f"{pad}  }}\n{pad}}}")
    return "\n".join(lines), n, mean


def job(rng, number, depth):
    clat = bins(rng, 1100, 400)
    lat, n, mean = latency("lat_ns", clat, 8)
    clat = latency("clat_ns", clat, 8)[0]
    slat = latency("slat_ns", bins(rng, 300, 300), 8)[0]
    iops = depth * 1e9 / mean
    runtime = round(n / iops * 1000)
    return f'''    {{
      "jobname" : "q{depth}",
      "groupid" : {number // 8},
      "job_start" : 1700000000000,
      "error" : 0,
      "job options" : {{
        "name" : "q{depth}",
        "rw" : "randread",
        "bs" : "4k",
        "iodepth" : "{depth}",
        "ioengine" : "libaio",
        "direct" : "1",
        "numjobs" : "8"
      }},
      "read" : {{
        "io_bytes" : {n * 4096},
        "io_kbytes" : {n * 4},
        "bw_bytes" : {round(iops * 4096)},
        "bw" : {int(iops * 4)},
        "iops" : {iops:.6f},
        "runtime" : {runtime},
        "total_ios" : {n},
        "short_ios" : 0,
        "drop_ios" : 0,
{slat},
{clat},
{lat}
      }},
      "usr_cpu" : 3.1,
      "sys_cpu" : 8.2
    }}'''


def main():
    want, out = int(float(sys.argv[1]) * 1048576), sys.stdout
    rng = random.Random(1)
    # one text for each of 64 jobs; what is repeated costs no time here
    texts = [job(rng, number, 1 << number // 8) for number in range(64)]
    written = out.write('{\n  "fio version" : "fio-3.33",\n  "timestamp" : 1700000000,\n  "jobs" : [\n')
    number = 0
    while written < want:
        text = texts[number % 64]
        written += out.write(text if number == 0 else ",\n" + text)
        number += 1
    out.write('\n  ],\n  "disk_util" : [\n    {\n      "name" : "nvme0n1",\n      "util" : 99.5\n    }\n  ]\n}\n')


main()
