"""Where the cheapest tier changes, worked out again from the rows of the price book and the limits.

    break_even.py PLAN PRICES LIMITS [REDUNDANCY]

Prices every tier the plan compares at both sides of each switch and at random rates between (each I/O with its
bytes and its pieces, streams beside; a cent is no reason to change), in arithmetic of its own (no span search, no halving), and compares tier and money.  One disk to eight,
at the free higher level where there is one; sizes that carry their IOPS are tried GiB by GiB from just below."""
import json
import math
import random
import sys

MIB = 1.048576


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def number(row, key, default=math.nan):
    value = row.get(key)
    return default if value is None else float(value)


class Book:
    def __init__(self, book):
        self.hours = book.get("hours_per_month", 730)
        self.rows = [r for r in book["rows"] if not r.get("term")]

    def steps(self, disk, redundancy, item):
        """(from, price a month) of each tier of the price, rising; [] when not in the book."""
        found = []
        for r in self.rows:
            if r["family"] != disk["family"] or r["item"] != item or r.get("sku") != disk["sku"]:
                continue
            if r.get("redundancy") not in (None, redundancy):
                continue
            price = r["price"] * (self.hours if r["unit"].endswith("hour") else 1)
            found.append((number(r, "tier_min", 0.0), price))
        return sorted(found)

    def graduated(self, disk, redundancy, item, amount, included):
        """A row without a lower end is paid from the first on; what is included needs no row."""
        steps = self.steps(disk, redundancy, item)
        if not steps:
            return math.inf if amount > included else 0.0
        total = 0.0
        for i, (start, price) in enumerate(steps):
            end = steps[i + 1][0] if i + 1 < len(steps) else math.inf
            total += price * max(0.0, min(amount, end) - start)
        return total


def redundancies(disk):
    return disk.get("redundancy") or [None]


def step_price(book, disk, n, need, iops, red):
    if math.ceil(need["gib"] / n) > disk["size_gib_max"]:
        return math.inf
    levels = [(number(disk, "iops_base"), number(disk, "mbps_base"))]
    if number(disk, "iops_perf_plus", 0) > levels[0][0]:
        levels.append((disk["iops_perf_plus"], number(disk, "mbps_perf_plus")))
    for has, mbps in levels:
        if has * n >= iops and mbps * n >= need["mbps"] - 1e-9:
            return n * book.steps(disk, red, "disk")[0][1]
    return math.inf


def bought_price(book, disk, n, need, iops, red):
    unit = MIB if disk.get("mbps_unit") == "MiB" else 1.0
    size = max(math.ceil(need["gib"] / n), number(disk, "size_gib_min", 1))
    base = number(disk, "iops_base", 0.0)
    exact = need["mbps"] / n  # bought in whole MB/s, unless that is more than there is
    mbps = min(math.ceil(exact - 1e-9), max(exact, number(disk, "mbps_max") * unit))
    each = max(math.ceil(iops / n), number(disk, "iops_min", base),
               number(disk, "iops_min_per_gib", 0.0) * size)
    per_iops = number(disk, "mbps_per_iops", 0.0) * unit
    least_mbps = number(disk, "mbps_min", number(disk, "mbps_base", 0.0)) * unit
    if per_iops and mbps > max(number(disk, "mbps_base", 0.0) * unit, 0):
        each = max(each, math.ceil(mbps / per_iops - 1e-9))
    if each > disk["iops_max"] or max(mbps, least_mbps) > number(disk, "mbps_max") * unit + 1e-9:
        return math.inf
    per_gib = number(disk, "iops_per_gib")
    if not math.isnan(per_gib) and each > base:
        size = max(size, math.ceil(each / per_gib - 1e-9))
    if size > disk["size_gib_max"]:
        return math.inf
    each = max(each, number(disk, "iops_min_per_gib", 0.0) * size)
    total = book.graduated(disk, red, "capacity", size, 0.0)
    total += book.graduated(disk, red, "iops", each, base)
    if disk.get("throughput_billed") is not False:
        sold = math.ceil(max(mbps, least_mbps) / unit - 1e-9)
        total += book.graduated(disk, red, "throughput", sold, number(disk, "mbps_base", 0.0))
    return n * total


def sized_price(book, disk, n, need, iops, red):
    unit = MIB if disk.get("mbps_unit") == "MiB" else 1.0
    size = max(math.ceil(need["gib"] / n), number(disk, "size_gib_min", 1))
    base = number(disk, "iops_base", 0.0)
    if iops / n > base:  # nothing far below carries them
        size = max(size, math.floor(min(iops / n, number(disk, "iops_max")) / disk["iops_per_gib"]) - 2)
    while True:
        has = min(number(disk, "iops_max"), max(base, disk["iops_per_gib"] * size))
        mbps = max(number(disk, "mbps_base", 0.0), number(disk, "mbps_per_gib", 0.0) * size,
                   number(disk, "mbps_per_iops", 0.0) * has)
        mbps = min(mbps, number(disk, "mbps_max")) * unit
        if has * n >= iops - 1e-6 and mbps * n >= need["mbps"] - 1e-6:
            return n * book.graduated(disk, red, "capacity", size, 0.0)
        if size >= number(disk, "size_gib_max", 65536) or (
                has >= number(disk, "iops_max") and mbps >= number(disk, "mbps_max") * unit):
            return math.inf
        size += 1


def is_bought(disk):
    def buys(flag, most, base):
        given = disk.get(flag)
        return given if given is not None else number(disk, most) > number(disk, base)
    return buys("iops_billed", "iops_max", "iops_base") or buys(
        "throughput_billed", "mbps_max", "mbps_base")


def pieces(kib, disk):
    unit = number(disk, "io_unit_kib")
    return max(1, math.ceil(kib / unit - 1e-9)) if unit > 0 and kib > 0 else 1


def price(book, disks, volume, rate, wanted, most):
    best = math.inf
    need = {"gib": volume["gib"], "mbps": volume["stream_mbps"] + rate * volume["io_kib"] * 1024 / 1e6}
    for disk in disks:
        iops = rate * pieces(volume["io_kib"], disk) + volume["stream_mbps"] / MIB * pieces(1024, disk)
        has = redundancies(disk)
        if wanted and wanted not in has and has != [None]:
            continue
        red = wanted if wanted in has else has[0]
        for n in range(1, most + 1):
            one = (step_price if disk.get("billed_gib") and not is_bought(disk)
                   else bought_price if is_bought(disk) else sized_price)
            best = min(best, one(book, disk, n, need, iops, red))
    return best


def check_spans(spans, tiers, ask, where, wrong):
    """Each span's tier is cheapest at its ends and inside; the switch is exactly there."""
    for i, s in enumerate(spans):
        lo, hi = int(s["from_iops"]), int(s["to_iops"])
        rates = {lo, hi, *(random.randint(lo, hi) for _ in range(40))}
        if i and int(spans[i - 1]["to_iops"]) + 1 != lo:
            wrong.append(f"{where}: a gap before {lo}")
        for q in sorted(rates):
            prices = {t: ask(t, q) for t in tiers}
            least = min(prices.values())
            if prices[s["tier"]] >= least + 0.01:
                wrong.append(f"{where} at {q}: {s['tier']} {prices[s['tier']]:.4f}, least {prices}")
        for q, key in ((lo, "monthly"), (hi, "monthly_to")):
            if abs(ask(s["tier"], q) - s[key]) > 1e-6 * s[key]:
                wrong.append(f"{where} at {q}: {s['tier']} {s[key]}, by hand {ask(s['tier'], q)}")
        if i:
            before = ask(spans[i - 1]["tier"], lo)
            said = s.get("before_monthly") or math.inf
            if before - ask(s["tier"], lo) < 0.01 - 1e-6:
                wrong.append(f"{where} at {lo}: a switch for {before - ask(s['tier'], lo)}")
            if before < math.inf and abs(before - said) > 1e-6 * before or (
                    before == math.inf) != (said == math.inf):
                wrong.append(f"{where} at {lo}: before {said}, by hand {before}")
    top = int(spans[-1]["to_iops"]) + 1
    if min(ask(t, top) for t in tiers) < math.inf:
        wrong.append(f"{where}: {top} IOPS can be had")


def main():
    plan, book_doc, limits = (load(p) for p in sys.argv[1:4])
    book, wrong, n = Book(book_doc), [], 0
    red = sys.argv[4] if len(sys.argv) > 4 else None
    titles = {f["title"]: f["family"] for f in limits.get("families", [])}
    random.seed(1)
    for volume in plan["break_even"]:
        need = {"gib": volume["gib"], "stream_mbps": volume.get("stream_mbps", 0), "io_kib": volume.get("io_kib", 0)}
        tiers = [t["tier"] for t in volume["tiers"]]
        rows = {t: [d for d in limits["disks"] if d["family"] == titles.get(t, t)
                    and not d.get("superseded")] for t in tiers}
        def ask(tier, q, most=1):
            return price(book, rows[tier], need, q, red, most)

        def striped(tier, q):
            return ask(tier, q, int(volume["disks_most"]))
        check_spans(volume["spans"], tiers, ask, f"{volume['volume']}, all", wrong)
        check_spans(volume["striped"], tiers, striped, f"{volume['volume']}, stripes", wrong)
        n += len(volume["spans"]) + len(volume["striped"])
        for pair in volume["pairs"]:
            both = [pair["first"], pair["second"]]
            check_spans(pair["spans"], both, ask, f"{volume['volume']}, {both}", wrong)
            n += len(pair["spans"])
    for line in wrong[:20]:
        print(line)
    print(f"{n} spans looked at, {len(wrong)} findings")
    sys.exit(1 if wrong or n == 0 else 0)


main()
