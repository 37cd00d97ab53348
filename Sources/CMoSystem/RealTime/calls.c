// The C library's `syscall`, and the names of the system calls that a callback might make unnoticed.
#define _GNU_SOURCE
#include "realtime_watch.h"

#include <stdio.h>
#include <sys/syscall.h>

#if MOMU_RT_INTERPOSES
#include <stdarg.h>
#endif

#define NAMED(name) [SYS_##name] = #name

static const char *name_of(long number) {
  static const char *const names[] = {
      NAMED(read), NAMED(write), NAMED(close), NAMED(fstat), NAMED(lseek), NAMED(mmap), NAMED(mprotect),
      NAMED(munmap), NAMED(brk), NAMED(rt_sigaction), NAMED(rt_sigprocmask), NAMED(ioctl), NAMED(pread64),
      NAMED(pwrite64), NAMED(readv), NAMED(writev), NAMED(sched_yield), NAMED(mremap), NAMED(madvise),
      NAMED(nanosleep), NAMED(getpid), NAMED(socket), NAMED(connect), NAMED(sendto), NAMED(recvfrom),
      NAMED(sendmsg), NAMED(recvmsg), NAMED(clone), NAMED(exit), NAMED(kill), NAMED(fcntl), NAMED(fsync),
      NAMED(gettimeofday), NAMED(gettid), NAMED(futex), NAMED(clock_gettime), NAMED(clock_nanosleep),
      NAMED(exit_group), NAMED(tgkill), NAMED(openat), NAMED(newfstatat), NAMED(unlinkat), NAMED(ppoll),
      NAMED(pselect6), NAMED(getcpu), NAMED(getrandom), NAMED(clone3), NAMED(statx), NAMED(rseq),
      NAMED(epoll_pwait), NAMED(prctl), NAMED(uname), NAMED(getuid), NAMED(sched_setscheduler), NAMED(mlock),
#ifdef SYS_open
      NAMED(open), NAMED(stat), NAMED(poll), NAMED(select), NAMED(pause), NAMED(epoll_wait), NAMED(unlink),
      NAMED(access), NAMED(fork), NAMED(vfork),
#endif
  };
  if (number >= 0 && number < (long)(sizeof names / sizeof *names) && names[number]) return names[number];
  static char unnamed[32];
  snprintf(unnamed, sizeof unnamed, "system call %ld", number);
  return unnamed;
}

void momu_rt_system_call(long number) {
  // If the program is about to stop, the purpose of the call tells more than that it was a system call.
  enum momu_rt_kind kind = MOMU_RT_SYSTEM_CALL;
  if (momu_rt_mode_now == MOMU_RT_STOP && number == SYS_futex) kind = MOMU_RT_LOCK;
  if (momu_rt_mode_now == MOMU_RT_STOP && number == SYS_getrandom) kind = MOMU_RT_RANDOM;
  momu_rt_offence(kind, name_of(number));
}

#if MOMU_RT_INTERPOSES
long syscall(long number, ...) {
  static long (*next)(long, ...);
  va_list values;
  va_start(values, number);
  long a = va_arg(values, long), b = va_arg(values, long), c = va_arg(values, long);
  long d = va_arg(values, long), e = va_arg(values, long), f = va_arg(values, long);
  va_end(values);
  // If the kernel reports system calls, it reports this one too.
  if (__builtin_expect(momu_rt_armed, 0) && !(momu_rt_coverage() & MOMU_RT_SEES_SYSTEM_CALLS)) momu_rt_system_call(number);
  long (*real)(long, ...) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (__builtin_expect(!real, 0)) {
    real = (long (*)(long, ...))momu_rt_next("syscall");
    __atomic_store_n(&next, real, __ATOMIC_RELAXED);
  }
  return real(number, a, b, c, d, e, f);
}
#endif
