#define _GNU_SOURCE
#include "momu_thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <time.h>

void momu_thread_set_name(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

static __thread int timely;

void momu_thread_set_timely(int is_timely) { timely = is_timely; }

int momu_thread_is_timely(void) { return timely; }

static __thread int rehearsing;

void momu_thread_set_rehearsing(int is_rehearsing) { rehearsing = is_rehearsing; }

int momu_thread_is_rehearsing(void) { return rehearsing; }

int momu_thread_lock_stack(void) {
  pthread_attr_t attributes;
  int result = pthread_getattr_np(pthread_self(), &attributes);
  if (result != 0) return result;
  void *lowest = NULL;
  size_t bytes = 0;
  result = pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  if (result != 0) return result;
  return mlock(lowest, bytes) == 0 ? 0 : errno;
}

int momu_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int momu_inotify(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int momu_inotify_watch(int descriptor, const char *path) {
  return inotify_add_watch(descriptor, path, IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO);
}

static int64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int momu_poll(struct pollfd *requests, unsigned long count, int64_t nanoseconds) {
  // A handled signal tells nothing about the descriptors or the time: callers would mistake it for a timeout.
  int64_t end = 0;
  if (nanoseconds > 0 && __builtin_add_overflow(monotonic_ns(), nanoseconds, &end)) end = INT64_MAX;
  int64_t left = nanoseconds < 0 ? -1 : nanoseconds;
  for (;;) {
    struct timespec timeout = {left / 1000000000, left % 1000000000};
    int result = ppoll(requests, count, nanoseconds < 0 ? NULL : &timeout, NULL);
    if (result >= 0 || errno != EINTR) return result;
    if (nanoseconds > 0) {
      left = end - monotonic_ns();
      if (left < 0) left = 0;
    }
  }
}
