/*
 * steps.h - rows of limits and prices for a tier of fixed sizes, as text of a document.
 */
#ifndef TEST_ADVISE_STEPS_H
#define TEST_ADVISE_STEPS_H

#define STEP(sku, lo, hi, iops, mbps)                                                              \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"size_gib_min\": " lo                       \
	", \"size_gib_max\": " hi ", \"billed_gib\": " hi ", \"iops_base\": " iops                 \
	", \"iops_max\": " iops ", \"mbps_base\": " mbps ", \"mbps_max\": " mbps                   \
	", \"mbps_unit\": \"MB\", \"io_unit_kib\": 256, \"operations_billed\": false, "            \
	"\"ephemeral\": false}"
#define VM(sku, iops)                                                                              \
	"{\"sku\": \"" sku "\", \"vcpus\": 8, \"max_data_disks\": 16, \"mbps_unit\": \"MB\", "     \
	"\"uncached_iops\": " iops ", \"uncached_mbps\": 500}"
#define PRICE(sku, price)                                                                          \
	"{\"family\": \"tier\", \"sku\": \"" sku "\", \"item\": \"disk\", \"unit\": \"month\", "   \
	"\"price\": " price "}"
#define VM_PRICE(sku, price)                                                                       \
	"{\"family\": \"vm\", \"sku\": \"" sku "\", \"item\": \"vm\", \"unit\": \"month\", "       \
	"\"price\": " price "}"

#endif /* TEST_ADVISE_STEPS_H */
