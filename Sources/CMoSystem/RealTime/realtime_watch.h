// What the interposed calls share: the thread's byte, and the test of it.
#ifndef REALTIME_WATCH_H
#define REALTIME_WATCH_H

#include "momu_realtime.h"

// The sanitizers put their own definitions in front of the C library's, so ours step aside: address and
// thread sanitizer own malloc, RealtimeSanitizer (MOMU_RTSAN) does this very check.
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif
#if defined(__GLIBC__) && !defined(MOMU_RTSAN) && !__has_feature(address_sanitizer) && \
    !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer) && !__has_feature(realtime_sanitizer)
#define MOMU_RT_INTERPOSES 1
#else
#define MOMU_RT_INTERPOSES 0
#endif

/// One while the callback runs on this thread. The kernel reads it too: 1 is its "report system calls".
extern __thread volatile unsigned char momu_rt_armed __attribute__((tls_model("initial-exec")));

/// An offence: counts it and returns, or reports it and does not.
void momu_rt_offence(enum momu_rt_kind kind, const char *call) __attribute__((cold, noinline));

/// A system call as an offence.
void momu_rt_system_call(long number) __attribute__((cold, noinline));

/// The definition that ours stands in front of.
void *momu_rt_next(const char *name) __attribute__((cold, noinline));

/// Prepares the process for system calls to be reported; false where the kernel cannot.
bool momu_rt_dispatch_install(void);

/// Asks the kernel to watch the calling thread.
void momu_rt_dispatch_thread(void);

#define MOMU_RT_CHECK(kind, call) \
  do { \
    if (__builtin_expect(momu_rt_armed, 0)) momu_rt_offence(kind, call); \
  } while (0)

// Defines `name` in front of the C library's: checks, then calls the next one.
#define MOMU_RT_GUARD(kind, result, name, parameters, arguments) \
  result name parameters { \
    static result(*next) parameters; \
    MOMU_RT_CHECK(kind, #name); \
    result(*real) parameters = __atomic_load_n(&next, __ATOMIC_RELAXED); \
    if (__builtin_expect(!real, 0)) { \
      real = (result(*) parameters)momu_rt_next(#name); \
      __atomic_store_n(&next, real, __ATOMIC_RELAXED); \
    } \
    return real arguments; \
  }

#endif
