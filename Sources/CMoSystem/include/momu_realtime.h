// The real-time check: what an audio callback may not do, caught in the act.
//
// The calls that allocate, lock, wait, or read and write are defined in the executable, in front of the C
// library's (see ../RealTime). Each tests one thread-local byte and goes on to the real one. Between
// momu_rt_enter and momu_rt_leave that byte is set, and the same byte is the kernel's selector for Syscall
// User Dispatch, so that a system call nobody has listed is caught as well.
#ifndef MOMU_REALTIME_H
#define MOMU_REALTIME_H

#include <stdbool.h>
#include <stdint.h>

/// The kinds of offence.
enum momu_rt_kind {
  MOMU_RT_ALLOCATION,
  MOMU_RT_RELEASE,
  MOMU_RT_LOCK,
  MOMU_RT_WAIT,
  MOMU_RT_FILE,
  MOMU_RT_RANDOM,
  MOMU_RT_THREAD,
  MOMU_RT_SYSTEM_CALL,
};
#define MOMU_RT_KINDS 8

/// What happens at an offence: nothing is watched, the program stops, or it is only counted.
enum momu_rt_mode { MOMU_RT_OFF, MOMU_RT_STOP, MOMU_RT_COUNT };

/// What the check sees, as bits.
enum momu_rt_coverage {
  MOMU_RT_SEES_CALLS = 1,         // the C library's calls, by the definitions in this executable
  MOMU_RT_SEES_SYSTEM_CALLS = 2,  // every system call, by Syscall User Dispatch
  MOMU_RT_SEES_SANITIZER = 4,     // RealtimeSanitizer is linked and watches instead
};

/// Told of the first offence, on a thread of its own; the program ends with status 1 when it returns.
typedef void (*momu_rt_report)(const char *call, enum momu_rt_kind kind, void *const *stack, int depth);

/// Begins to check in `mode`. Not real-time safe.
void momu_rt_install(enum momu_rt_mode mode, momu_rt_report report);

/// Whether this build stands in front of the C library's calls: not under a sanitizer, nor without glibc.
bool momu_rt_interposes(void);

/// What the check sees on this machine and in this build; known after `momu_rt_install`.
int momu_rt_coverage(void);

/// Offences of one kind counted in finished callbacks, over all threads.
int64_t momu_rt_count(enum momu_rt_kind kind);

/// The first call counted of one kind, or null.
const char *momu_rt_first_call(enum momu_rt_kind kind);

/// Callbacks counted: `momu_rt_enter` reached in count mode.
int64_t momu_rt_callbacks(void);

/// Sets every count back to zero.
void momu_rt_reset_counts(void);

/// Where an address lies.
struct momu_rt_place {
  const char *library;  // the file it was loaded from; null for this executable
  const char *symbol;   // the exported name at or before it, or null
  intptr_t offset;      // from the start of its file's image
};

/// Finds where an address lies. Not real-time safe.
struct momu_rt_place momu_rt_place_of(const void *address);

// The slow halves of the four below.
extern int momu_rt_mode_now;
void momu_rt_arm(void);
void momu_rt_disarm(void);
void momu_rt_note(const char *call);

/// The callback begins on this thread.
static inline void momu_rt_enter(void) {
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_arm();
}

/// The callback has returned.
static inline void momu_rt_leave(void) {
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_disarm();
}

/// A lock of our own that makes no library call while nobody holds it says here that it is taken.
/// `call` must be a string that is never freed.
static inline void momu_rt_notify(const char *call) {
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_note(call);
}

#endif
