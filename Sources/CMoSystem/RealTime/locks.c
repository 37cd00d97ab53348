// Locks that wait for their holders. The try… kinds do not wait and are allowed.
#define _GNU_SOURCE
#include "realtime_watch.h"

#if MOMU_RT_INTERPOSES
#include <pthread.h>
#include <time.h>

typedef pthread_mutex_t *mutex;
typedef pthread_rwlock_t *rwlock;
typedef const struct timespec *deadline;

#define LOCK(name, parameters, arguments) MOMU_RT_GUARD(MOMU_RT_LOCK, int, name, parameters, arguments)

LOCK(pthread_mutex_lock, (mutex it), (it))
LOCK(pthread_mutex_timedlock, (mutex it, deadline until), (it, until))
LOCK(pthread_mutex_clocklock, (mutex it, clockid_t clock, deadline until), (it, clock, until))
LOCK(pthread_rwlock_rdlock, (rwlock it), (it))
LOCK(pthread_rwlock_wrlock, (rwlock it), (it))
LOCK(pthread_rwlock_timedrdlock, (rwlock it, deadline until), (it, until))
LOCK(pthread_rwlock_timedwrlock, (rwlock it, deadline until), (it, until))
LOCK(pthread_spin_lock, (pthread_spinlock_t * it), (it))
#endif
