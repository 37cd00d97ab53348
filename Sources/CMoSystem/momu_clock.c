#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "momu_clock.h"

#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

int64_t momu_clock_true_ns(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int momu_clock_is_set(void) {
  struct timex status = {0};
  if (adjtimex(&status) < 0) return -1;
  return (status.status & STA_UNSYNC) == 0;
}
