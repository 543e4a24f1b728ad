#include "workload/aws_metric.h"

#include <ctype.h>
#include <string.h>

#define DISK_SUM(name, column)                                                                     \
	{                                                                                          \
		name, column, PROVIDER_TOTAL, AWS_SUM, EVIDENCE_DISK, false                        \
	}
#define MACHINE_SUM(name, column)                                                                  \
	{                                                                                          \
		name, column, PROVIDER_TOTAL, AWS_SUM, EVIDENCE_MACHINE, false                     \
	}

static const struct aws_metric metrics[] = {
	/* AWS/EBS */
	DISK_SUM("VolumeReadOps", PROVIDER_READS),
	DISK_SUM("VolumeWriteOps", PROVIDER_WRITES),
	DISK_SUM("VolumeReadBytes", PROVIDER_READ_BYTES),
	DISK_SUM("VolumeWriteBytes", PROVIDER_WRITE_BYTES),
	DISK_SUM("VolumeTotalReadTime", PROVIDER_READ_S),
	DISK_SUM("VolumeTotalWriteTime", PROVIDER_WRITE_S),
	DISK_SUM("VolumeIdleTime", PROVIDER_IDLE),
	{"VolumeQueueLength", PROVIDER_QUEUE, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"VolumeAvgReadLatency", PROVIDER_READ_MEAN_S, PROVIDER_MS, AWS_AVERAGE, EVIDENCE_DISK,
		false},
	{"VolumeAvgWriteLatency", PROVIDER_WRITE_MEAN_S, PROVIDER_MS, AWS_AVERAGE, EVIDENCE_DISK,
		false},
	{"VolumeIOPSExceededCheck", PROVIDER_EXCEEDED_IOPS, PROVIDER_FLAG, AWS_MAXIMUM,
		EVIDENCE_DISK, false},
	{"VolumeThroughputExceededCheck", PROVIDER_EXCEEDED_BYTES, PROVIDER_FLAG, AWS_MAXIMUM,
		EVIDENCE_DISK, false},
	{"VolumeThroughputPercentage", PROVIDER_CONSUMED, PROVIDER_PERCENT, AWS_AVERAGE,
		EVIDENCE_DISK, true},
	{"BurstBalance", PROVIDER_CONSUMED, PROVIDER_PERCENT_LEFT, AWS_AVERAGE, EVIDENCE_DISK,
		true},
	/* AWS/EC2: the link between a machine and its volumes */
	MACHINE_SUM("EBSReadOps", PROVIDER_READS),
	MACHINE_SUM("EBSWriteOps", PROVIDER_WRITES),
	MACHINE_SUM("EBSReadBytes", PROVIDER_READ_BYTES),
	MACHINE_SUM("EBSWriteBytes", PROVIDER_WRITE_BYTES),
	{"EBSIOBalance%", PROVIDER_CONSUMED, PROVIDER_PERCENT_LEFT, AWS_AVERAGE, EVIDENCE_MACHINE,
		true},
	{"EBSByteBalance%", PROVIDER_CONSUMED, PROVIDER_PERCENT_LEFT, AWS_AVERAGE, EVIDENCE_MACHINE,
		true},
	{"InstanceEBSIOPSExceededCheck", PROVIDER_EXCEEDED_IOPS, PROVIDER_FLAG, AWS_MAXIMUM,
		EVIDENCE_MACHINE, false},
	{"InstanceEBSThroughputExceededCheck", PROVIDER_EXCEEDED_BYTES, PROVIDER_FLAG, AWS_MAXIMUM,
		EVIDENCE_MACHINE, false},
	/* AWS/EC2: disks inside the machine */
	DISK_SUM("DiskReadOps", PROVIDER_READS),
	DISK_SUM("DiskWriteOps", PROVIDER_WRITES),
	DISK_SUM("DiskReadBytes", PROVIDER_READ_BYTES),
	DISK_SUM("DiskWriteBytes", PROVIDER_WRITE_BYTES),
	{"CPUUtilization", PROVIDER_CPU, PROVIDER_PERCENT, AWS_AVERAGE, EVIDENCE_MACHINE, false},
	/* AWS/RDS: rates already */
	{"ReadIOPS", PROVIDER_READS, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"WriteIOPS", PROVIDER_WRITES, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"ReadThroughput", PROVIDER_READ_BYTES, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"WriteThroughput", PROVIDER_WRITE_BYTES, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK,
		false},
	{"ReadLatency", PROVIDER_READ_MEAN_S, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"WriteLatency", PROVIDER_WRITE_MEAN_S, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
	{"DiskQueueDepth", PROVIDER_QUEUE, PROVIDER_AS_IS, AWS_AVERAGE, EVIDENCE_DISK, false},
};

enum { N_METRICS = sizeof(metrics) / sizeof(metrics[0]) };

/* Where a word stands by itself. */
static const char *
word_in(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) {
		bool before = p > text && isalnum((unsigned char)p[-1]);
		if (!before && !isalnum((unsigned char)p[n]))
			return p;
	}
	return NULL;
}

const struct aws_metric *
aws_metric_in(const char *text, const char **at)
{
	const struct aws_metric *best = NULL;
	for (size_t i = 0; i < N_METRICS; i++) {
		const char *p = word_in(text, metrics[i].name);
		if (!p || (best && strlen(best->name) >= strlen(metrics[i].name)))
			continue;
		best = &metrics[i];
		if (at)
			*at = p;
	}
	return best;
}

/* Lower-case letters and digits only, at most size - 1 of them. */
static void
squeeze(const char *text, char *out, size_t size)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++) {
		if (isalnum((unsigned char)*text))
			out[n++] = (char)tolower((unsigned char)*text);
	}
	out[n] = '\0';
}

const struct aws_metric *
aws_metric_of_file(const char *name)
{
	const char *slash = strrchr(name, '/');
	const struct aws_metric *best = NULL;
	char file[256], metric[64];
	squeeze(slash ? slash + 1 : name, file, sizeof(file));
	for (size_t i = 0; i < N_METRICS; i++) {
		squeeze(metrics[i].name, metric, sizeof(metric));
		if (strstr(file, metric) && (!best || strlen(best->name) < strlen(metrics[i].name)))
			best = &metrics[i];
	}
	return best;
}

void
aws_metric_track(const struct aws_metric *m, struct evidence_track *t)
{
	t->column = m->column;
	t->how = m->how;
	t->scope = m->scope;
	t->metric = m->named ? m->name : m->column == PROVIDER_CPU ? "CPU" : NULL;
}
