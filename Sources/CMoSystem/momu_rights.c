#define _GNU_SOURCE
#include "momu_rights.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int overruns;

int momu_thread_number(void) { return (int)syscall(SYS_gettid); }

int momu_thread_run_first(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

int momu_thread_run_as_usual(void) {
  struct sched_param parameters = {.sched_priority = 0};
  return sched_setscheduler(0, SCHED_OTHER, &parameters) == 0 ? 0 : errno;
}

// The kernel sends the signal to the thread that ran too long, unless that thread blocks it.
static void on_overrun(int number) {
  (void)number;
  int kept = errno;
  if (momu_thread_run_as_usual() == 0) atomic_fetch_add(&overruns, 1);
  errno = kept;
}

int momu_thread_bound_run(long soft, long most) {
  struct sigaction before;
  if (sigaction(SIGXCPU, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = on_overrun, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXCPU, &action, NULL);
  }
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGXCPU);
  pthread_sigmask(SIG_UNBLOCK, &own, NULL);

  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
  if (most > 0 && (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)most)) limit.rlim_max = (rlim_t)most;
  // A stricter limit of the user stays. The value is below the hard limit, at which the kernel ends the process.
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t)soft) limit.rlim_cur = (rlim_t)soft;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur >= limit.rlim_max) limit.rlim_cur = limit.rlim_max / 2;
  return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

int momu_thread_overruns(void) { return atomic_load(&overruns); }
