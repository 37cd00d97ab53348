#include "law.h"

#include <stdlib.h>

enum { CLOCKS = CLOCK_TAI + 1, SECOND = 1000000000 };

static int64_t base[CLOCKS], offset;
static double rate;  // parts of one

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * (int64_t)SECOND + time.tv_nsec; }

static struct timespec timespec(int64_t ns) {
  struct timespec time = {.tv_sec = ns / SECOND, .tv_nsec = ns % SECOND};
  if (time.tv_nsec < 0) time.tv_sec--, time.tv_nsec += SECOND;
  return time;
}

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  REAL(clock_gettime)(clock, &now);
  return nanoseconds(now);
}

static clockid_t fine(clockid_t clock) {
  if (clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM) return CLOCK_REALTIME;
  if (clock == CLOCK_MONOTONIC_COARSE) return CLOCK_MONOTONIC;
  return clock == CLOCK_BOOTTIME_ALARM ? CLOCK_BOOTTIME : clock;
}

bool is_bent(clockid_t clock) {
  clock = fine(clock);
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_TAI;
}

// The clocks run within some 500 ppm of each other: carried back over an hour, the base is within 2 s, and the
// belief within 0.1 ms of what a program started earlier holds; CLOCK_MONOTONIC_RAW, which dates beats, is exact.
__attribute__((constructor)) static void set_base(void) {
  const char *ppm = getenv("SKEW_PPM"), *ahead = getenv("SKEW_OFFSET_NS"), *moment = getenv("SKEW_BASE_NS");
  if (moment) {
    int64_t since = read_clock(CLOCK_MONOTONIC_RAW) - atoll(moment);
    for (clockid_t clock = 0; clock < CLOCKS; clock++)
      if (is_bent(clock)) base[clock] = read_clock(fine(clock)) - since;
    base[CLOCK_MONOTONIC_RAW] = atoll(moment);
  }
  if (ppm) rate = atof(ppm) * 1e-6;
  if (ahead) offset = atoll(ahead);
}

int64_t believed_ns(clockid_t clock, int64_t true_ns) {
  return true_ns + offset + (int64_t)((double)(true_ns - base[fine(clock)]) * rate);
}

int64_t true_ns(clockid_t clock, int64_t believed_ns) {
  double since = (double)(believed_ns - offset - base[fine(clock)]);
  return believed_ns - offset - (int64_t)(since * rate / (1 + rate));
}

struct timespec believed(clockid_t clock, struct timespec time) {
  return timespec(believed_ns(clock, nanoseconds(time)));
}

struct timespec actual(clockid_t clock, struct timespec time) {
  int64_t ns = true_ns(clock, nanoseconds(time));
  return timespec(ns > 0 ? ns : 1);
}
