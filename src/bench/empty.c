typedef int tw_bench_empty;
