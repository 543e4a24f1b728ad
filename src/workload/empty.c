typedef int tw_workload_empty;
