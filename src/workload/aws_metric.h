/*
 * aws_metric.h - the metrics of CloudWatch that tell of storage: which statistic they need and what that is.
 * Internal to workload.
 */
#ifndef WORKLOAD_AWS_METRIC_H
#define WORKLOAD_AWS_METRIC_H

#include "workload/provider_metric.h"

enum aws_statistic { AWS_SUM, AWS_AVERAGE, AWS_MAXIMUM };

struct aws_metric {
	const char *name;
	int column, how; /* provider_metric.h */
	int statistic; /* enum aws_statistic */
	int scope;
	bool named; /* a series of its own, named by the metric */
};

/*
 * The metric whose name stands in a text by itself (between letters or digits it is another), the longest of them; *at
 * (may be NULL) is set to its place.  NULL when there is none.
 */
const struct aws_metric *aws_metric_in(const char *text, const char **at);

/* The same for a file's name, in any case and with any separators: "ec2_disk_write_bytes_1ef3de.csv". */
const struct aws_metric *aws_metric_of_file(const char *name);

/* A track for the metric: its reader, file and device are the caller's. */
void aws_metric_track(const struct aws_metric *m, struct evidence_track *t);

#endif /* WORKLOAD_AWS_METRIC_H */
