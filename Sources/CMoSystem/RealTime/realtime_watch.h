// The shared state of the interposed calls: the thread's byte, and its test.
#ifndef REALTIME_WATCH_H
#define REALTIME_WATCH_H

#include "momu_realtime.h"

// The sanitizers define these functions before the C library does, so ours are left out. Address and thread sanitizer
// define malloc; RealtimeSanitizer (MOMU_RTSAN) does this same check.
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

/// 1 while the callback runs on this thread. The kernel reads it too: 1 means "report system calls".
extern __thread volatile unsigned char momu_rt_armed __attribute__((tls_model("initial-exec")));

/// Handles a violation: counts it and returns, or reports it and does not return.
void momu_rt_offence(enum momu_rt_kind kind, const char *call) __attribute__((cold, noinline));

/// Handles a system call as a violation.
void momu_rt_system_call(long number) __attribute__((cold, noinline));

/// Returns the definition that ours replaces.
void *momu_rt_next(const char *name) __attribute__((cold, noinline));

/// Prepares the process for reports of system calls; returns false if the kernel cannot.
bool momu_rt_dispatch_install(void);

/// Asks the kernel to watch the calling thread.
void momu_rt_dispatch_thread(void);

#define MOMU_RT_CHECK(kind, call) \
  do { \
    if (__builtin_expect(momu_rt_armed, 0)) momu_rt_offence(kind, call); \
  } while (0)

// Defines `name` before the C library's definition: checks, then calls that one.
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
