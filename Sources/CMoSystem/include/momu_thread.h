// Calls that glibc declares only for GNU programs, so that Swift's Glibc module lacks them.
#ifndef MOMU_THREAD_H
#define MOMU_THREAD_H

#include <poll.h>
#include <stdint.h>

/// Names the calling thread; the kernel keeps 15 bytes.
void momu_thread_set_name(const char *name);

/// Marks the calling thread as a thread that callbacks and clocks wait for, so that it must not wait for a network.
void momu_thread_set_timely(int is_timely);

/// Returns whether the calling thread is marked like this.
int momu_thread_is_timely(void);

/// Marks that the calling thread plays a silent rehearsal, so that first calls are done before the performance.
void momu_thread_set_rehearsing(int is_rehearsing);

/// Returns whether the calling thread rehearses.
int momu_thread_is_rehearsing(void);

/// Locks the calling thread's whole stack in memory, and loads all its pages now; returns 0, or an errno.
int momu_thread_lock_stack(void);

/// Creates a non-blocking event descriptor; -1 with errno.
int momu_eventfd(void);

/// Creates a non-blocking inotify descriptor; -1 with errno.
int momu_inotify(void);

/// Watches a directory for entries that appear, disappear, or change their access rights; -1 with errno.
int momu_inotify_watch(int descriptor, const char *path);

/// Polls with a relative timeout in nanoseconds; negative waits for ever. A signal does not end it.
int momu_poll(struct pollfd *requests, unsigned long count, int64_t nanoseconds);

#endif
