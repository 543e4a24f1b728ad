#!/usr/bin/env python3
"""A stand-in for the Azure Retail Prices interface and an AWS offer, well or badly behaved.

price_server.py PORT_FILE [--recorded DIR] [--tls CERT KEY] [--offer FILE] [--pages DIR]

Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.  The first part of a path says how to
behave: http://127.0.0.1:PORT/MODE.  Without --recorded it sells a small catalogue of invented prices,
with it the recorded tables of DIR (names azure_disks_REGION_*.json, azure_vm_selected_REGION_*.json).
Answers have the form of the recorded ones: Items, NextPageLink, Count; 100 items a page.  /offer is FILE,
/offercut FILE of which the first answer ends half way, /pages/NAME a file of DIR, or that which pageToken names.
"""
import argparse
import gzip
import http.server
import json
import pathlib
import re
import ssl
import threading
import time
import urllib.parse

PAGE = 100


def item(region, product, sku, meter, unit, price, **more):
    out = {"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
           "armRegionName": region, "location": "Test", "effectiveStartDate": "2018-05-01T00:00:00Z",
           "meterId": f"meter-{product}-{meter}-{sku}", "meterName": meter, "productId": f"product-{product}",
           "skuId": f"sku-{product}-{sku}", "productName": product, "skuName": sku, "serviceName": "Storage",
           "serviceId": "DZH317F1HKN0", "serviceFamily": "Storage", "unitOfMeasure": unit, "type": "Consumption",
           "isPrimaryMeterRegion": True, "armSkuName": ""}
    out.update(more)
    return out


def invented(region):
    """Every tier of Premium SSD and its look-alikes, Premium SSD v2 with its tiers in the wrong order, noise."""
    premium, v2 = "Premium SSD Managed Disks", "Azure Premium SSD v2"
    rows = []
    for i, p in enumerate("P1 P2 P3 P4 P6 P10 P15 P20 P30 P40 P50 P60 P70 P80".split()):
        price = round(0.75 * 2 ** i, 6)
        rows.append(item(region, premium, f"{p} LRS", f"{p} LRS Disk Mount", "1/Month", round(price / 18, 6)))
        # the old name for some, the new one for the others
        rows.append(item(region, premium, f"{p} LRS", f"{p} Disks" if i % 2 else f"{p} LRS Disk", "1/Month", price))
        rows.append(item(region, premium, f"{p} ZRS", f"{p} ZRS Disk", "1/Month", price * 1.5))
        rows.append(item(region, "Premium Page Blob", f"{p} LRS", f"{p} LRS Disk", "1/Month", price))
        if p in ("P70", "P80"):  # among consumption, where they were not asked for; again below
            rows.append(item(region, premium, f"{p} LRS", f"{p} LRS Disk", "1/Month", price * 11, type="Reservation",
                             reservationTerm="1 Year", skuId=f"reserved-{p}"))
    for tier, price in ((3000, 8e-06), (0, 0)):
        rows.append(item(region, v2, "Premium LRS", "Premium LRS Provisioned IOPS", "1/Hour", price,
                         tierMinimumUnits=tier))
    # numbers as strings: before 2021-07
    for tier, price in (("125", 6.5e-05), ("0", 0)):
        rows.append(item(region, v2, "Premium LRS", "Premium LRS Provisioned Throughput (MBps)", "1/Hour", price,
                         tierMinimumUnits=tier))
    rows.append(item(region, v2, "Premium LRS", "Premium LRS Provisioned Capacity", "1 GiB/Hour", 0.00013))
    # a price that ended and one that is still to come
    rows.append(item(region, premium, "P30 LRS", "P30 LRS Disk", "1/Month", 1.0, skuId="old",
                     effectiveEndDate="2020-01-01T00:00:00Z"))
    rows.append(item(region, premium, "P30 LRS", "P30 LRS Disk", "1/Month", 9999.0, skuId="coming",
                     effectiveStartDate="2099-01-01T00:00:00Z"))
    rows += [item(region, "Tables", f"Noise {i}", f"Noise {i} Operations", "10K", 0.01) for i in range(150)]
    return rows


def invented_machines(region):
    def vm(meter, arm, price, **more):
        return item(region, more.pop("product", "Virtual Machines Edsv5 Series"), meter, meter, "1 Hour", price,
                    serviceName="Virtual Machines", armSkuName=arm, **more)
    plan = [{"term": "1 Year", "retailPrice": 0.47, "unitPrice": 0.47},
            {"term": "3 Years", "retailPrice": 0.33, "unitPrice": 0.33}]
    return [vm("E8ds v5", "Standard_E8ds_v5", 0.692, savingsPlan=plan),
            vm("E8ds v5 Spot", "Standard_E8ds_v5", 0.1),
            vm("E8ds v5 Low Priority", "Standard_E8ds_v5", 0.14),
            vm("E8ds v5", "Standard_E8ds_v5", 0.35, type="DevTestConsumption"),
            vm("E8ds v5", "Standard_E8ds_v5", 1.06, product="Virtual Machines Edsv5 Series Windows")]


def invented_reservations(region, machines):
    """The total of the term, under the meter and unit of what it is for, as recorded for koreasouth (P80, 2026-08)."""
    if machines:
        def vm(meter, term, price, **more):
            return item(region, more.pop("product", "Virtual Machines Edsv5 Series"), meter, meter, "1 Hour", price,
                        serviceName="Virtual Machines", armSkuName="Standard_E8ds_v5", type="Reservation",
                        reservationTerm=term, skuId=f"E8ds/{term}", **more)
        # 0.692 x 8760 h = 6,061.92 a year; a three-year one of another product is none of ours
        return [vm("E8ds v5", "1 Year", 3576.0), vm("E8ds v5", "3 Years", 6910.0), vm("E8ds v5", "5 Years", 9000.0),
                vm("E8ds v5", "1 Year", 4000.0, product="Virtual Machines Edsv5 Series Windows")]
    premium = "Premium SSD Managed Disks"
    # 6144 x 11
    return [item(region, premium, "P80 LRS", "P80 LRS Disk", "1/Month", 67584.0, type="Reservation",
                 reservationTerm="1 Year", skuId="reserved-P80"),
            item(region, premium, "P80 LRS", "P80 LRS Disk Mount", "1/Month", 3000.0, type="Reservation",
                 reservationTerm="1 Year", skuId="P80m/1"),
            item(region, "Premium Page Blob", "P80 LRS", "P80 LRS Disk", "1/Month", 1.0, type="Reservation",
                 reservationTerm="1 Year", skuId="P80b/1")]


def recorded(folder, region, machines):
    """The recorded table as items of the interface.  The table kept one of the tiers of a meter: what the
    interface publishes as a zero tier below the paid one of Premium SSD v2 is put back (as in the recorded
    answer for ukwest); hot blob capacity is left out, since which of its three tiers was kept is not known."""
    kind = "vm_selected" if machines else "disks"
    out = []
    for path in folder.glob(f"azure_{kind}_{region}_*.json"):
        for key, row in json.loads(path.read_text()).items():
            sku_id, meter_id, type_, _ = key.split("|")
            if row["meterName"] == "Hot LRS Data Stored":
                continue
            meter, product, price = row["meterName"], row["productName"], row["retailPrice"]
            more = {"skuId": sku_id, "meterId": meter_id, "type": type_}
            if machines:
                size = meter.replace(" Spot", "").replace(" Low Priority", "")
                more["serviceName"] = "Virtual Machines"
                more["armSkuName"] = "Standard_" + size.replace(" ", "_")
                if "savingsPlanPrice" in row:
                    more["savingsPlan"] = [{"term": "1 Year", "retailPrice": row["savingsPlanPrice"],
                                            "unitPrice": row["savingsPlanPrice"]}]
                out.append(item(region, product, row["skuName"], meter, row["unitOfMeasure"], price * 0.5,
                                **{**more, "type": "DevTestConsumption"}))
            first = {"Premium LRS Provisioned IOPS": 3000, "Premium LRS Provisioned Throughput (MBps)": 125}
            if meter in first:
                more["tierMinimumUnits"] = first[meter]
                out.append(item(region, product, row["skuName"], meter, row["unitOfMeasure"], price, **more))
                more["tierMinimumUnits"], price = 0, 0
            out.append(item(region, product, row["skuName"], meter, row["unitOfMeasure"], price, **more))
    return out


def is_p30(row):
    return (row["productName"] == "Premium SSD Managed Disks" and row["skuName"] == "P30 LRS" and
            row["type"] == "Consumption" and row["meterName"] in ("P30 LRS Disk", "P30 Disks") and
            row["skuId"] not in ("old", "coming"))


def bend(mode, rows):
    """Catalogues that are not as they should be."""
    if mode == "lost":
        rows = [r for r in rows if not r["meterName"].endswith("ZRS Disk")]
    for r in [r for r in rows if is_p30(r)]:
        if mode == "dear":
            r["retailPrice"] = r["unitPrice"] = r["retailPrice"] * 1.5
        elif mode == "little":
            r["retailPrice"] = r["unitPrice"] = r["retailPrice"] * 1.1
        elif mode == "unit":
            r["unitOfMeasure"] = "1/Hour"
        elif mode == "fortnight":
            r["unitOfMeasure"] = "1/Fortnight"
        elif mode == "zero":
            r["retailPrice"] = r["unitPrice"] = 0
        elif mode == "negative":
            r["retailPrice"] = r["unitPrice"] = -1.5
        elif mode == "contradiction":
            r["unitPrice"] = r["retailPrice"] + 1
        elif mode == "dollars":
            r["currencyCode"] = "XXX"
        elif mode == "text":
            r["retailPrice"] = r["unitPrice"] = "a lot"
        elif mode == "twice":
            rows.append({**r, "meterId": "another", "retailPrice": 1.25, "unitPrice": 1.25})
            rows.append({**r, "meterId": "third", "retailPrice": 1.26, "unitPrice": 1.26})
        elif mode == "overlap":
            rows.append(dict(r))
    # a list of exactly one page; what a rule wants is among the first items
    return rows[:PAGE] if mode in ("fullend", "fullsame") else rows


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counts = {}
    lock = threading.Lock()
    folder = offer = pages = None

    def log_message(self, *args):
        pass

    def answer(self, status, body, headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def here(self):
        scheme = "https" if isinstance(self.connection, ssl.SSLSocket) else "http"
        return f"{scheme}://{self.headers['Host']}"

    def rows(self, mode, query):
        found = query.get("$filter", "")
        region = re.search(r"armRegionName eq '([^']*)'", found)
        machines = "'Virtual Machines'" in found
        region = region.group(1) if region else "testregion"
        reserved = "priceType eq 'Reservation'" in found
        if self.folder:
            return [] if reserved else recorded(self.folder, region, machines)
        if region != "testregion" or mode == "empty":
            return []
        if reserved:
            return invented_reservations(region, machines)
        return invented_machines(region) if machines else bend(mode, invented(region))

    def page(self, mode, query):
        rows, skip = self.rows(mode, query), int(query.get("$skip", 0))
        if mode == "fullend" and skip >= len(rows) > 0:
            return self.answer(400, b'{"Error": "skip"}')
        if mode == "fullsame":
            skip = 0
        part = rows[skip:skip + PAGE]
        more = skip + PAGE < len(rows)
        if mode in ("loop", "endless", "onward") and "'Storage'" in query.get("$filter", ""):
            more = True
        link = dict(query)
        link["$skip"] = str(skip + PAGE)
        if mode == "endless":  # new links for ever, the same items
            part = rows[:PAGE]
        if mode == "onward":  # new links and new items for ever
            part = [{**r, "meterId": f"{r['meterId']}-{skip}", "meterName": f"Other {skip}"} for r in rows[:PAGE]]
        if mode == "loop" and skip:
            link["$skip"] = "0"
        base = self.here() + self.path.split("?")[0]
        if mode == "elsewhere":
            base = "http://prices.example:8080" + self.path.split("?")[0]
        text = base + "?" + urllib.parse.urlencode(link) if more else None
        if mode == "selflink":
            text = self.here() + self.path
        if mode == "fullempty" and skip == 0:
            text = ""
        if mode == "emptylink":
            part, text = [], base + "?$skip=5"
        count = len(part) + (mode == "miscount")
        return json.dumps({"BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail",
                           "Items": part, "NextPageLink": text, "Count": count}).encode()

    def refuse(self, mode, n):
        """Answers without a page; whether there was one."""
        if mode in ("429", "500once") and n == 1:
            self.answer(int(mode[:3]), b"slow down")
        elif mode == "429ask" and n == 1:
            self.answer(429, b"", [("Retry-After", "1")])
        elif mode == "429ever":
            self.answer(429, b"Too many requests")
        elif mode == "429long":
            self.answer(429, b"", [("Retry-After", "4000")])
        elif mode == "500":
            self.answer(500, b"internal fault")
        elif mode == "403":
            self.answer(403, b"<html>log in to the proxy")
        elif mode == "404":
            self.answer(404, b"not here")
        elif mode == "html":
            self.answer(200, b"<!doctype html><p>log in first")
        elif mode == "nothing":
            self.answer(200, b"")
        elif mode == "redirect":
            port = self.server.server_address[1]
            self.answer(302, b"", [("Location", f"http://localhost:{port}/ok?{self.path.partition('?')[2]}")])
        elif mode == "moved":
            self.answer(302, b"", [("Location", f"/ok?{self.path.partition('?')[2]}")])
        elif mode == "circle":
            self.answer(302, b"", [("Location", self.path)])
        elif mode == "tofile":
            self.answer(302, b"", [("Location", "file:///etc/passwd")])
        else:
            return False
        return True

    def trickle(self, mode, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            if mode == "large":
                for _ in range(100):
                    self.wfile.write(b" " * (1 << 20))
                return
            for i in range(len(body)):
                self.wfile.write(body[i:i + 1])
                self.wfile.flush()
                time.sleep(0.2)
        except OSError:
            pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        mode = url.path.strip("/").split("/")[0]
        query = dict(urllib.parse.parse_qsl(url.query))
        with self.lock:
            n = self.counts[mode] = self.counts.get(mode, 0) + 1
        if mode == "count":
            return self.answer(200, str(self.counts.get(url.path.strip("/").split("/")[1], 0)).encode())
        if self.refuse(mode, n):
            return None
        if mode == "pages":
            name = query.get("pageToken") or url.path.split("/")[-1]
            return self.answer(200, (self.pages / pathlib.PurePath(name).name).read_bytes())
        if mode in ("offer", "offercut"):
            body = self.offer.read_bytes()
            half = len(body) // 2 if mode == "offercut" and n == 1 else len(body)
            self.answer(200, body[:half], length=len(body))
            self.close_connection = half < len(body)
            return None
        if mode == "resume" and n == 2:
            return self.answer(503, b"not now")
        body = self.page(mode, query)
        if body is None:
            return None
        if mode == "cut":
            return self.answer(200, body[:len(body) // 2])
        if mode == "short":
            self.answer(200, body[:len(body) // 2], length=len(body))
            self.close_connection = True
            return None
        if mode == "drip":
            return self.trickle(mode, body)
        if mode == "large":
            return self.trickle(mode, b" " * (100 << 20))
        if mode == "bomb":
            return self.answer(200, gzip.compress(b" " * (100 << 20)), [("Content-Encoding", "gzip")])
        if mode == "gzip":
            return self.answer(200, gzip.compress(body), [("Content-Encoding", "gzip")])
        return self.answer(200, body)


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass  # clients that hang up are what is tested


def main():
    args = argparse.ArgumentParser()
    args.add_argument("port_file")
    args.add_argument("--recorded", type=pathlib.Path)
    args.add_argument("--tls", nargs=2)
    args.add_argument("--offer", type=pathlib.Path)
    args.add_argument("--pages", type=pathlib.Path)
    args = args.parse_args()
    Handler.folder, Handler.offer, Handler.pages = args.recorded, args.offer, args.pages
    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if args.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*args.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    pathlib.Path(args.port_file + ".part").write_text(str(server.server_address[1]))
    pathlib.Path(args.port_file + ".part").rename(args.port_file)
    server.serve_forever()


main()
