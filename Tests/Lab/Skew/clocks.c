// Reading the time. Direct system calls see the true clock: that is how the lab itself reads it.
#include "law.h"

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  if (result == 0 && is_bent(clock)) *time = believed(clock, *time);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int result = REAL(gettimeofday)(time, zone);
  if (result == 0) {
    struct timespec now = {.tv_sec = time->tv_sec, .tv_nsec = time->tv_usec * 1000};
    now = believed(CLOCK_REALTIME, now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  }
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec *time, int base) {
  int result = REAL(timespec_get)(time, base);
  if (result == TIME_UTC) *time = believed(CLOCK_REALTIME, *time);
  return result;
}
