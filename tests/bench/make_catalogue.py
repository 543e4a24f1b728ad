#!/usr/bin/env python3
"""make_catalogue.py MB [REGION] - a walk of the whole Azure catalogue as one saved answer, on standard output.

Items have the 20 fields of the recorded ones.  One in a thousand is of REGION (default westeurope): Premium
SSD there is complete, with the recorded prices.  The same size gives the same bytes.
"""
import json
import sys

PRICES = {"P1": 0.78, "P2": 1.56, "P3": 3.12, "P4": 5.8072, "P6": 11.2272, "P10": 21.68, "P15": 41.811428,
          "P20": 80.54, "P30": 148.68, "P40": 284.937, "P50": 545.097, "P60": 1040.64, "P70": 1982.17, "P80": 3964.34}


def item(n, region, product, sku, meter, unit, price, service="Storage"):
    return json.dumps({
        "currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
        "armRegionName": region, "location": region.title(), "effectiveStartDate": "2018-05-01T00:00:00Z",
        "meterId": f"{n:08x}-72fe-4e78-b5d0-{n:012x}", "meterName": meter, "productId": "DZH318Z0BP04",
        "skuId": f"DZH318Z0BP04/{n:06x}", "productName": product, "skuName": sku, "serviceName": service,
        "serviceId": "DZH317F1HKN0", "serviceFamily": service, "unitOfMeasure": unit, "type": "Consumption",
        "isPrimaryMeterRegion": True, "armSkuName": ""})


def main():
    size, region = int(float(sys.argv[1]) * 1e6), sys.argv[2] if len(sys.argv) > 2 else "westeurope"
    premium, names = "Premium SSD Managed Disks", list(PRICES)
    regions = [f"region{i}" for i in range(60)]
    sys.stdout.write('{"BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail", "Items": [')
    written = n = 0
    while written < size or n < 1000 * len(names):
        if n % 1000 == 0 and n // 1000 < len(names):
            sku = names[n // 1000]
            text = item(n, region, premium, sku + " LRS", sku + " LRS Disk", "1/Month", PRICES[sku])
        elif n % 1000 == 1:
            text = item(n, region, "Other", f"Noise {n}", f"Noise {n}", "10K", 0.01)
        else:
            text = item(n, regions[n % 60], "Virtual Machines Dv2 Series", f"D{n % 64} v2", f"D{n % 64} v2 Spot",
                        "1 Hour", n % 997 / 100, "Virtual Machines")
        sys.stdout.write((",\n" if n else "") + text)
        written += len(text) + 2
        n += 1
    sys.stdout.write(f'], "NextPageLink": null, "Count": {n}}}\n')


main()
