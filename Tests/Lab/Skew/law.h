// The clock of a machine that is not this one: its crystal SKEW_PPM faster, its clocks SKEW_OFFSET_NS ahead.
//   believed = true + offset + (true - base) * ppm / 1e6
// `base` is one moment for all programs of a lab: CLOCK_MONOTONIC_RAW at SKEW_BASE_NS.
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

// The next library's function of this name, looked up once; threads that race find the same.
#define REAL(name)                                                                  \
  ({                                                                                \
    static typeof(&name) found;                                                     \
    typeof(&name) known = __atomic_load_n(&found, __ATOMIC_RELAXED);                \
    if (!known) {                                                                   \
      known = (typeof(&name))dlsym(RTLD_NEXT, #name);                               \
      __atomic_store_n(&found, known, __ATOMIC_RELAXED);                            \
    }                                                                               \
    known;                                                                          \
  })

// Clocks that measure time passing, not processor time used.
bool is_bent(clockid_t clock);

int64_t believed_ns(clockid_t clock, int64_t true_ns);
int64_t true_ns(clockid_t clock, int64_t believed_ns);

struct timespec believed(clockid_t clock, struct timespec time);
// For a sleep until `time`: never negative, which the kernel would refuse.
struct timespec actual(clockid_t clock, struct timespec time);
