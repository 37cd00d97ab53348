// What lets a thread run before others, and what keeps it from running for ever.
#ifndef MOMU_RIGHTS_H
#define MOMU_RIGHTS_H

#include <stddef.h>

/// The calling thread's number, as the kernel has it.
int momu_thread_number(void);

/// Gives the calling thread SCHED_FIFO at a priority, which what it starts does not inherit; 0, or an errno.
int momu_thread_run_first(int priority);

/// Gives the calling thread the ordinary scheduling back; 0, or an errno.
int momu_thread_run_as_usual(void);

/// Takes the priority from a thread that keeps the processor for so many microseconds without waiting once.
///
/// `most` is what the process may be allowed at most from now on, 0 for no change. 0, or an errno.
int momu_thread_bound_run(long soft, long most);

/// How often a thread has lost its priority for that.
int momu_thread_overruns(void);

/// Asks rtkit on the system's bus to let a thread of this process run first.
///
/// Waits for the bus and for rtkit, as long as they take. The priority that was granted, or 0 with a reason.
int momu_rtkit_ask(int thread, int priority, char *reason, size_t room);

#endif
