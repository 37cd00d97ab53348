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

int momu_poll(struct pollfd *requests, unsigned long count, int64_t nanoseconds) {
  if (nanoseconds < 0) return ppoll(requests, count, NULL, NULL);
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(requests, count, &timeout, NULL);
}
