// Waiting until a moment of a believed clock. Waits for a span are left alone: 50 ppm of them are nothing.
#include "law.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/timerfd.h>

// Which clock a timer or condition was made with is its own secret, but wall time lies decades after any
// start of a machine.
static clockid_t clock_of(const struct timespec *moment) {
  struct timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  return moment->tv_sec > wall.tv_sec / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

static struct timespec unbent(const struct timespec *moment) { return actual(clock_of(moment), *moment); }

static struct itimerspec unbent_timer(int flags, int absolute, const struct itimerspec *timer) {
  struct itimerspec setting = *timer;
  bool is_set = timer->it_value.tv_sec || timer->it_value.tv_nsec;
  if (is_set && flags & absolute) setting.it_value = unbent(&timer->it_value);
  return setting;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
  struct itimerspec setting = unbent_timer(flags, TFD_TIMER_ABSTIME, new);
  return REAL(timerfd_settime)(file, flags, &setting, old);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old) {
  struct itimerspec setting = unbent_timer(flags, TIMER_ABSTIME, new);
  return REAL(timer_settime)(timer, flags, &setting, old);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  if (!(flags & TIMER_ABSTIME) || !is_bent(clock)) return REAL(clock_nanosleep)(clock, flags, time, rest);
  struct timespec until = actual(clock, *time);
  return REAL(clock_nanosleep)(clock, flags, &until, rest);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  struct timespec until = unbent(time);
  return REAL(pthread_cond_timedwait)(condition, mutex, &until);
}

int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
    const struct timespec *restrict time) {
  struct timespec until = actual(clock, *time);
  return REAL(pthread_cond_clockwait)(condition, mutex, clock, &until);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
  struct timespec until = actual(CLOCK_REALTIME, *time);
  return REAL(sem_timedwait)(semaphore, &until);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict time) {
  struct timespec until = actual(clock, *time);
  return REAL(sem_clockwait)(semaphore, clock, &until);
}
