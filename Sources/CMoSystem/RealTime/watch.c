// The state of the real-time check: which thread is in a callback, the mode, the counts.
#define _GNU_SOURCE
#include "realtime_watch.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

__thread volatile unsigned char momu_rt_armed;
__thread bool momu_rt_is_inside;
int momu_rt_mode_now = MOMU_RT_OFF;

static momu_rt_report report;
static int coverage;
static int64_t counts[MOMU_RT_KINDS], callbacks;
static const char *first_calls[MOMU_RT_KINDS];
static void (*sanitizer_enter)(void), (*sanitizer_leave)(void), (*sanitizer_notify)(const char *);

void *momu_rt_next(const char *name) { return dlsym(RTLD_NEXT, name); }

struct momu_rt_place momu_rt_place_of(const void *address) {
  Dl_info here = {0}, there = {0};
  dladdr((void *)&momu_rt_place_of, &here);
  if (!dladdr(address, &there)) return (struct momu_rt_place){"?", NULL, 0};
  const char *library = there.dli_fbase == here.dli_fbase ? NULL : there.dli_fname;
  return (struct momu_rt_place){library, there.dli_sname, (const char *)address - (const char *)there.dli_fbase};
}

// Our definitions are in use only if the loader finds them first, for the shared libraries too.
static bool calls_are_ours(void) {
#if MOMU_RT_INTERPOSES
  static const char *const sample[] = {"malloc", "free", "pthread_mutex_lock", "nanosleep", "write"};
  for (unsigned i = 0; i < sizeof sample / sizeof *sample; i++) {
    void *found = dlsym(RTLD_DEFAULT, sample[i]);
    if (!found || momu_rt_place_of(found).library) return false;
  }
  return true;
#else
  return false;
#endif
}

void momu_rt_install(enum momu_rt_mode mode, momu_rt_report told) {
  void *first[1];
  backtrace(first, 1);  // its first call loads the unwinder
  report = told;
#if !MOMU_RT_INTERPOSES
  sanitizer_enter = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_enter");
  sanitizer_leave = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_exit");
  sanitizer_notify = (void (*)(const char *))dlsym(RTLD_DEFAULT, "__rtsan_notify_blocking_call");
#endif
  coverage = 0;
  if (calls_are_ours()) coverage |= MOMU_RT_SEES_CALLS;
  if (sanitizer_enter && sanitizer_leave) coverage |= MOMU_RT_SEES_SANITIZER;
  else if (mode != MOMU_RT_OFF && momu_rt_dispatch_install()) coverage |= MOMU_RT_SEES_SYSTEM_CALLS;
  __atomic_store_n(&momu_rt_mode_now, mode, __ATOMIC_RELEASE);
}

bool momu_rt_interposes(void) { return MOMU_RT_INTERPOSES; }

int momu_rt_coverage(void) { return coverage; }

void momu_rt_arm(void) {
  static __thread bool prepared;
  if (!prepared) {
    prepared = true;
    if (coverage & MOMU_RT_SEES_SYSTEM_CALLS) momu_rt_dispatch_thread();
  }
  __atomic_fetch_add(&callbacks, 1, __ATOMIC_RELAXED);
  if (coverage & MOMU_RT_SEES_SANITIZER) sanitizer_enter();
  else momu_rt_armed = 1;
}

void momu_rt_disarm(void) {
  if (coverage & MOMU_RT_SEES_SANITIZER) sanitizer_leave();
  momu_rt_armed = 0;
}

void momu_rt_note(const char *call) {
  if (sanitizer_notify) sanitizer_notify(call);
  if (momu_rt_armed) momu_rt_offence(MOMU_RT_LOCK, call);
}

int64_t momu_rt_count(enum momu_rt_kind kind) { return __atomic_load_n(&counts[kind], __ATOMIC_RELAXED); }

const char *momu_rt_first_call(enum momu_rt_kind kind) { return __atomic_load_n(&first_calls[kind], __ATOMIC_RELAXED); }

int64_t momu_rt_callbacks(void) { return __atomic_load_n(&callbacks, __ATOMIC_RELAXED); }

void momu_rt_reset_counts(void) {
  for (int kind = 0; kind < MOMU_RT_KINDS; kind++) {
    __atomic_store_n(&counts[kind], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&first_calls[kind], NULL, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&callbacks, 0, __ATOMIC_RELAXED);
}

enum { DEEPEST = 64 };
static struct {
  const char *call;
  enum momu_rt_kind kind;
  void *stack[DEEPEST];
  int depth;
} offence;

static void end_program(int signal) {
  (void)signal;
  _exit(1);
}

// The audio thread's stack is small, and it may be in a signal handler: so the report has its own thread.
static void *tell(void *unused) {
  if (report) report(offence.call, offence.kind, offence.stack, offence.depth);
  _exit(1);
  return unused;
}

// A crash handler runs on the signal stack, and the runtime's last message comes from one of its own functions. The
// program is ending anyway, and that message matters more than the calls it makes.
static bool program_is_ending(void) {
  stack_t signal_stack;
  if (sigaltstack(NULL, &signal_stack) == 0 && (signal_stack.ss_flags & SS_ONSTACK)) return true;
  for (int i = 0; i < offence.depth; i++) {
    const char *name = momu_rt_place_of(offence.stack[i]).symbol;
    if (name && (strstr(name, "assertionFailure") || strstr(name, "reportFatalError"))) return true;
  }
  return false;
}

void momu_rt_offence(enum momu_rt_kind kind, const char *call) {
  if (__atomic_load_n(&momu_rt_mode_now, __ATOMIC_RELAXED) == MOMU_RT_COUNT) {
    __atomic_fetch_add(&counts[kind], 1, __ATOMIC_RELAXED);
    const char *none = NULL;
    __atomic_compare_exchange_n(&first_calls[kind], &none, call, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return;
  }
  momu_rt_armed = 0;
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one_at_a_time);
  offence.call = call;
  offence.kind = kind;
  offence.depth = backtrace(offence.stack, DEEPEST);
  if (program_is_ending()) {
    pthread_mutex_unlock(&one_at_a_time);
    return;
  }
  // The callback may hold a lock that the report needs: after five seconds, the program ends without the report.
  signal(SIGALRM, end_program);
  alarm(5);
  pthread_attr_t roomy;
  pthread_t teller;
  pthread_attr_init(&roomy);
  pthread_attr_setstacksize(&roomy, 1 << 20);
  if (pthread_create(&teller, &roomy, tell, NULL) != 0) tell(NULL);
  pthread_join(teller, NULL);
  _exit(1);
}
