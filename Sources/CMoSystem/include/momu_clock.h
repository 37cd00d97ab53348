// The reading of a clock as one number.
#ifndef MOMU_CLOCK_H
#define MOMU_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Returns the nanoseconds of a clock, read through the kernel's shared page (no system call for the common clocks).
static inline int64_t momu_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Reads CLOCK_MONOTONIC_RAW from the kernel itself, past the C library: to measure a program with manipulated clocks.
int64_t momu_clock_true_ns(void);

/// Returns 1 if the wall clock is kept correct, such as by NTP (adjtimex(2): STA_UNSYNC is not set), 0 if it is not,
/// and -1 if the system call fails, such as in a service that may not use it.
int momu_clock_is_set(void);

#endif
