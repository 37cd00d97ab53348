// The real-time check: it detects forbidden calls in an audio callback.
//
// The calls that allocate, lock, wait, or read and write are defined in the executable, and so replace the C library's
// (see ../RealTime). Each tests one thread-local byte and calls the real function. Between momu_rt_enter and
// momu_rt_leave that byte is set. The same byte is the kernel's selector for Syscall User Dispatch, so that system
// calls outside that list are detected as well.
#ifndef MOMU_REALTIME_H
#define MOMU_REALTIME_H

#include <stdbool.h>
#include <stdint.h>

/// The kinds of violation.
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

/// The mode of the check: off, stop the program at a violation, or only count violations.
enum momu_rt_mode { MOMU_RT_OFF, MOMU_RT_STOP, MOMU_RT_COUNT };

/// The coverage of the check, as bits.
enum momu_rt_coverage {
  MOMU_RT_SEES_CALLS = 1,         // the C library's calls, by the definitions in this executable
  MOMU_RT_SEES_SYSTEM_CALLS = 2,  // every system call, by Syscall User Dispatch
  MOMU_RT_SEES_SANITIZER = 4,     // RealtimeSanitizer is linked and watches instead
};

/// Receives the first violation, on a separate thread; the program ends with status 1 when it returns.
typedef void (*momu_rt_report)(const char *call, enum momu_rt_kind kind, void *const *stack, int depth);

/// Starts the check in `mode`. Not real-time safe.
void momu_rt_install(enum momu_rt_mode mode, momu_rt_report report);

/// Returns whether this build replaces the C library's calls: not under a sanitizer, and not without glibc.
bool momu_rt_interposes(void);

/// Returns the coverage of the check on this machine and in this build; known after `momu_rt_install`.
int momu_rt_coverage(void);

/// Returns the number of violations of a kind in finished callbacks, over all threads.
int64_t momu_rt_count(enum momu_rt_kind kind);

/// Returns the first counted call of a kind, or null.
const char *momu_rt_first_call(enum momu_rt_kind kind);

/// Returns the number of checked callbacks: the calls of `momu_rt_enter` in either mode.
int64_t momu_rt_callbacks(void);

/// Resets all counts to zero.
void momu_rt_reset_counts(void);

/// The location of an address.
struct momu_rt_place {
  const char *library;  // the file it was loaded from; null for this executable
  const char *symbol;   // the exported name at or before it, or null
  intptr_t offset;      // from the start of its file's image
};

/// Finds the location of an address. Not real-time safe.
struct momu_rt_place momu_rt_place_of(const void *address);

// The slow parts of the four functions below.
extern int momu_rt_mode_now;
void momu_rt_arm(void);
void momu_rt_disarm(void);
void momu_rt_note(const char *call);

/// Whether the callback runs on this thread, in each mode.
extern __thread bool momu_rt_is_inside;
static inline bool momu_rt_inside(void) { return momu_rt_is_inside; }

/// Reports that the callback begins on this thread.
static inline void momu_rt_enter(void) {
  momu_rt_is_inside = true;
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_arm();
}

/// Reports that the callback has returned.
static inline void momu_rt_leave(void) {
  momu_rt_is_inside = false;
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_disarm();
}

/// Reports the use of a lock of our own that makes no library call while it is free. `call` must be a string that is
/// never freed.
static inline void momu_rt_notify(const char *call) {
  if (__builtin_expect(__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) != MOMU_RT_OFF, 0)) momu_rt_note(call);
}

#endif
