#!/usr/bin/env bash
# The sample report in reports/sample/ is what the program writes today (the command is in reports/README.md).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$TIERWISE_SOURCE"
SOURCE_DATE_EPOCH=1796083200 "$TIERWISE" recommend -q rules/examples/payments.json -o "$work/payments.md"
diff -u reports/sample/payments.md "$work/payments.md" || {
	echo "reports/sample is out of date: make it anew with the command in reports/README.md"
	exit 1
}
