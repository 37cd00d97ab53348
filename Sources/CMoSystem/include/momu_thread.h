// Calls that glibc declares only for GNU programs, which Swift's Glibc module therefore lacks.
#ifndef MOMU_THREAD_H
#define MOMU_THREAD_H

#include <poll.h>
#include <stdint.h>

/// Names the calling thread; the kernel takes 15 bytes.
void momu_thread_set_name(const char *name);

/// Marks the calling thread as one that callbacks and clocks wait for, so that it must not wait for a network.
void momu_thread_set_timely(int is_timely);

/// Whether the calling thread is such a one.
int momu_thread_is_timely(void);

/// Marks that the calling thread plays what nobody hears, so that first calls are behind it.
void momu_thread_set_rehearsing(int is_rehearsing);

/// Whether it does.
int momu_thread_is_rehearsing(void);

/// Keeps the calling thread's whole stack in memory, every page of it fetched now; 0, or an errno.
int momu_thread_lock_stack(void);

/// A non-blocking event descriptor, or -1 with errno.
int momu_eventfd(void);

/// A non-blocking inotify descriptor, or -1 with errno.
int momu_inotify(void);

/// Watches a directory for entries that come, go, or change their access rights; -1 with errno.
int momu_inotify_watch(int descriptor, const char *path);

/// poll with a relative timeout in nanoseconds; negative waits for ever. A signal does not end it.
int momu_poll(struct pollfd *requests, unsigned long count, int64_t nanoseconds);

#endif
