// Moments at which the machine stood still: stalls MS
//
// Asks to be woken every millisecond before everything else, and prints "BEGIN LENGTH" in ns of CLOCK_MONOTONIC_RAW
// where it was woken over MS too late: what is then late is the machine's doing. Runs until it is ended.
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 2) errx(2, "usage: stalls MS");
  int64_t least = (int64_t)(atof(argv[1]) * 1e6), step = 1000000;
  mlockall(MCL_CURRENT | MCL_FUTURE);
  prctl(PR_SET_TIMERSLACK, 1);
  sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 90});
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (;;) {
    int64_t begin = now_ns();
    nanosleep(&(struct timespec){.tv_nsec = step}, NULL);
    int64_t late = now_ns() - begin - step;
    if (late > least) printf("%lld %lld\n", (long long)begin, (long long)(late + step));
  }
}
