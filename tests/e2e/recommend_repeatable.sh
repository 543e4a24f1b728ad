#!/usr/bin/env bash
# Same inputs, same bytes: the plan and its reports twice; and the plan reads back into the same report.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export SOURCE_DATE_EPOCH=1796083200
failed=0
for name in payments erp small iot-cassandra oltp-8k-writes-15k-reads article-e8ds; do
	for run in 1 2; do
		"$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/$name.json" -q \
			-o "$run.json" -o "$run.md" -o "$run.csv" --warn-only || {
			echo "$name: run $run failed"
			failed=1
		}
	done
	for suffix in json md csv; do
		cmp "1.$suffix" "2.$suffix" || failed=1
	done
	"$TIERWISE" report 1.json -q -o again.md || failed=1
	cmp 1.md again.md || failed=1
	# every cheaper size has a constraint it breaks
	if grep -q '"constraint": "none"' 1.json; then
		echo "$name: a cheaper configuration without a reason"
		failed=1
	fi
done
exit "$failed"
