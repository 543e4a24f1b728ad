"""The job of fit_speed.c done by scipy.optimize.curve_fit, and both side by side.

    fit_beside.py PROBLEMS OURS SECONDS

PROBLEMS: fit_speed --problems; OURS: fit_speed SECONDS.  The same function and analytic Jacobian, every
start, the better kept, tolerances 1e-9 on the step and 1e-10 on the gradient.  Twice: as "lm" (MINPACK,
which knows no bounds) and as "trf" within the same bounds, which is the job that tierwise does; what it finds is
to agree.  Without bounds there may be less to find.
"""
import sys
import time
import warnings

import numpy as np
from scipy.optimize import OptimizeWarning, curve_fit

P = 8


def parts(q, l1, slope, wall):
    rise = np.exp(slope) * (q - 1)
    return l1 + np.log1p(rise), np.log(q) - wall, rise


def value(q, l1, slope, wall):
    a, b, _ = parts(q, l1, slope, wall)
    return np.logaddexp(P * a, P * b) / P


def jacobian(q, l1, slope, wall):
    a, b, rise = parts(q, l1, slope, wall)
    w = 1 / (1 + np.exp(P * (b - a)))
    return np.column_stack([w, w * rise / (1 + rise), w - 1])


def read(path):
    for line in open(path):
        name, *fields = line.rstrip("\n").split("\t")
        problem = {"name": name, "starts": []}
        for field in fields:
            key, *numbers = field.split(" ")
            numbers = np.array([float(n) for n in numbers])
            if key == "start":
                problem["starts"].append(numbers)
            else:
                problem[key] = numbers
        problem["ln_t"] = np.log(problem["t"])
        yield problem


def fit(problem, method):
    best = np.inf
    q, y = problem["q"], problem["ln_t"]
    how = {"ftol": 1e-15, "xtol": 1e-9, "gtol": 1e-10}
    if method == "trf":
        lo, hi = problem["lo"], problem["hi"]
        how["bounds"] = (lo, hi)
    for start in problem["starts"]:
        if method == "trf":
            start = np.clip(start, lo + 1e-9, hi - 1e-9)
        try:
            p, _ = curve_fit(value, q, y, p0=start, jac=jacobian, method=method, **how)
        except RuntimeError:
            continue
        r = value(q, *p) - y
        best = min(best, float(r @ r))
    return best


def speed(problems, method, seconds):
    start, n = time.process_time(), 0
    while True:
        for problem in problems:
            fit(problem, method)
            n += 1
            if time.process_time() - start >= seconds:
                return n / (time.process_time() - start)


def compare(ours, theirs):
    worse = [n for n in theirs if ours[n] > 1.01 * theirs[n] + 1e-9]
    better = [n for n in theirs if theirs[n] > 1.01 * ours[n] + 1e-9]
    return len(theirs) - len(worse) - len(better), better, worse


def main():
    problems = list(read(sys.argv[1]))
    rows = dict(line.rstrip("\n").rsplit("\t", 1) for line in open(sys.argv[2]))
    rate = float(rows.pop("curves per second"))
    ours = {name: float(rss) for name, rss in rows.items()}
    warnings.simplefilter("ignore", OptimizeWarning)
    np.seterr(all="ignore")
    print(f"{len(problems)} sweeps, {len(problems[0]['starts'])} starts each, three numbers, one core")
    print(f"{'solver':<38}{'curves/s':>10}{'ratio':>8}   RSS within 1 % / ours less / ours more")
    print(f"{'tierwise (GSL, within bounds)':<38}{rate:>10.0f}{1:>8}")
    for method, what in (("trf", "scipy curve_fit, trf, within bounds"), ("lm", "scipy curve_fit, lm, no bounds")):
        theirs = {p["name"]: fit(p, method) for p in problems}
        theirs_rate = speed(problems, method, float(sys.argv[3]))
        same, better, worse = compare(ours, theirs)
        print(f"{what:<38}{theirs_rate:>10.0f}{rate / theirs_rate:>8.1f}   {same} / {len(better)} / {len(worse)}")
        for name in worse if method == "trf" else ():
            print(f"    ours more: {name}: {ours[name]:.6g} against {theirs[name]:.6g}")


main()
