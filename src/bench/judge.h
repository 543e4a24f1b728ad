/*
 * judge.h - how sound a measurement is: the quality part of the profile, the verdict, and the
 * findings a report has to repeat.
 */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include "bench/disk.h"

/*
 * Fill p->quality and p->findings from the state and the cells already in p.  Verdict, the worst
 * that applies: not-the-disk (stamps missing, or the device saw less than our I/O), contaminated
 * (others did more than a tenth), noisy (a cell's slices vary by more than 30 %), clean.
 */
int judge(struct disk *d, struct profile *p, struct err *err);

#endif /* BENCH_JUDGE_H */
