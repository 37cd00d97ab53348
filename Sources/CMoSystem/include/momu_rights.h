// The rights of a thread to run before others, and the limit that keeps it from running for ever.
#ifndef MOMU_RIGHTS_H
#define MOMU_RIGHTS_H

#include <stddef.h>

/// Returns the calling thread's number in the kernel.
int momu_thread_number(void);

/// Gives the calling thread SCHED_FIFO at a priority that its children do not inherit; returns 0, or an errno.
int momu_thread_run_first(int priority);

/// Gives the calling thread ordinary scheduling again; returns 0, or an errno.
int momu_thread_run_as_usual(void);

/// Removes the priority of a thread that runs for the given number of microseconds without waiting once.
///
/// `most` is the largest limit that the process may set from now on, 0 for no change. Returns 0, or an errno.
int momu_thread_bound_run(long soft, long most);

/// Returns the number of times that a thread has lost its priority for that reason.
int momu_thread_overruns(void);

/// Requests priority for a thread of this process from rtkit on the system bus.
///
/// It waits for the bus and for rtkit, as long as they take. Returns the granted priority, or 0 with a reason.
int momu_rtkit_ask(int thread, int priority, char *reason, size_t room);

#endif
