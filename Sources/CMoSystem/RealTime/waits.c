// Waits: for another thread, for a time, for data; and the start of threads.
#define _GNU_SOURCE
#include "realtime_watch.h"

#if MOMU_RT_INTERPOSES
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

typedef const struct timespec *deadline;

#define WAIT(result, name, parameters, arguments) MOMU_RT_GUARD(MOMU_RT_WAIT, result, name, parameters, arguments)

WAIT(int, pthread_cond_wait, (pthread_cond_t * it, pthread_mutex_t *lock), (it, lock))
WAIT(int, pthread_cond_timedwait, (pthread_cond_t * it, pthread_mutex_t *lock, deadline until), (it, lock, until))
WAIT(
    int, pthread_cond_clockwait, (pthread_cond_t * it, pthread_mutex_t *lock, clockid_t clock, deadline until),
    (it, lock, clock, until))
WAIT(int, pthread_barrier_wait, (pthread_barrier_t * it), (it))
WAIT(int, pthread_join, (pthread_t thread, void **result), (thread, result))
WAIT(int, sem_wait, (sem_t * it), (it))
WAIT(int, sem_timedwait, (sem_t * it, deadline until), (it, until))
WAIT(int, sem_clockwait, (sem_t * it, clockid_t clock, deadline until), (it, clock, until))

WAIT(unsigned, sleep, (unsigned seconds), (seconds))
WAIT(int, usleep, (useconds_t microseconds), (microseconds))
WAIT(int, nanosleep, (deadline length, struct timespec *left), (length, left))
WAIT(
    int, clock_nanosleep, (clockid_t clock, int flags, deadline length, struct timespec *left),
    (clock, flags, length, left))
WAIT(int, sched_yield, (void), ())
WAIT(int, pause, (void), ())

WAIT(int, poll, (struct pollfd * list, nfds_t count, int milliseconds), (list, count, milliseconds))
WAIT(
    int, ppoll, (struct pollfd * list, nfds_t count, deadline length, const sigset_t *mask),
    (list, count, length, mask))
WAIT(
    int, select, (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *length),
    (count, in, out, other, length))
WAIT(
    int, epoll_wait, (int fd, struct epoll_event *list, int count, int milliseconds),
    (fd, list, count, milliseconds))

MOMU_RT_GUARD(
    MOMU_RT_THREAD, int, pthread_create,
    (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument))
#endif
