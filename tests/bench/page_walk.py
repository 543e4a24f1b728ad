#!/usr/bin/env python3
"""page_walk.py URL - the walk of prices_large.sh in Python: every page asked for, parsed by json, the links followed."""
import json
import sys
import urllib.parse
import urllib.request

query = "serviceName eq 'Storage' and armRegionName eq 'westeurope' and priceType eq 'Consumption'"
url = sys.argv[1] + "?" + urllib.parse.urlencode({"$filter": query})
while url:
    with urllib.request.urlopen(url) as answer:
        page = json.load(answer)
    for i in page["Items"]:
        if i["armRegionName"] == "westeurope" and i["productName"] == "Premium SSD Managed Disks":
            print(i["meterName"], i["retailPrice"])
    url = page["NextPageLink"]
