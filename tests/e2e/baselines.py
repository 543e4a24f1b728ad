"""The other plans of a recommendation, priced again from the words that describe them.

    baselines.py PLAN PRICES

Each option's text names every disk and the machine; from the rows of the price book its month is worked out in
arithmetic of its own, and the saving of the plan against it."""
import json
import re
import sys

HOURS = 730


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        plan = json.load(f)
    with open(sys.argv[2], encoding="utf-8") as f:
        rows = [r for r in json.load(f)["rows"] if not r.get("term")]

    def month(row):
        return row["price"] * (HOURS if row["unit"].endswith("hour") else 1)

    def only(family, sku, item):
        found = [r for r in rows if (r["family"], r.get("sku"), r["item"]) == (family, sku, item)
                 and r.get("redundancy") in (None, "LRS")]
        assert len(found) == 1, (family, sku, item, found)
        return month(found[0])

    def rate(family, item, bought):
        """Of the part above the last lower end: what is below comes free or is not sold apart."""
        last = max((r for r in rows if r["family"] == family and r["item"] == item),
                   key=lambda r: r.get("tier_min") or 0)
        return max(0.0, bought - (last.get("tier_min") or 0)) * month(last)

    def disk(text):
        bought = re.match(r"(.*) of ([\d,]+) GiB with ([\d,]+) IOPS and ([\d,]+) MB/s", text)
        if text.startswith("temporary disk"):
            return 0.0
        if not bought:
            sku = text.split()[0]
            return only({"P": "premium_ssd", "E": "standard_ssd"}[sku[0]], sku, "disk")
        family, sku = {"Premium SSD v2": ("premium_ssd_v2", "PremiumV2_LRS"),
                       "Ultra Disk": ("ultra_disk", "UltraSSD_LRS")}[bought.group(1)]
        gib, iops, mbps = (float(bought.group(i).replace(",", "")) for i in (2, 3, 4))
        return (gib * only(family, sku, "capacity") + rate(family, "iops", iops)
                + rate(family, "throughput", mbps))

    def operations(text, volume):
        """A backup on Standard SSD: all of it once a day, in operations of 256 KiB."""
        if not re.match(r"E\d", text):
            return 0.0
        assert volume["role"] == "backup", volume
        return (volume["capacity_gib"] * 4096 * HOURS / 24 / 10000
                * only("standard_ssd", text.split()[0], "operations"))

    volumes = {v["name"]: v for v in plan["volumes"]}
    wrong = seen = 0
    own, machines = plan["cost"]["monthly"], plan["machine"]["count"]
    for option in plan["options"]:
        if not option["name"].startswith(("all ", "runner-up")):
            continue
        each = month(next(r for r in rows if r["family"] == "vm" and r["sku"] == re.search(
            r"machine (\w+)", option["text"]).group(1)))
        for part in re.split(r", (?=\w+ on )", option["text"].split(";")[0]):
            name, count, what = re.match(r"(\w+) on (?:(\d) x )?(.*)$", part).groups()
            each += float(count or 1) * disk(what) + operations(what, volumes[name])
        total = each * machines
        saving = (total - own) / total
        same = abs(total - option["monthly"]) < 1e-3 and abs(saving - option["saving_frac"]) < 1e-6
        print(f"{'ok' if same else 'FAILED'}: {plan['name']}, {option['name']}: {option['monthly']:.2f}, "
              f"by hand {total:.2f}; saving {option['saving_frac']:.4f}, by hand {saving:.4f}")
        wrong += not same
        seen += 1
    sys.exit(1 if wrong or seen < 4 else 0)


main()
