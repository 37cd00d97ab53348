// Memory: requests and releases.
//
// glibc lets a program define these (its manual, "Replacing malloc"). Our functions call the same allocator under its
// internal names, since dlsym may itself allocate.
#define _GNU_SOURCE
#include "realtime_watch.h"

#if MOMU_RT_INTERPOSES
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "malloc");
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "calloc");
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "realloc");
  return __libc_realloc(memory, size);
}

void free(void *memory) {
  if (memory) MOMU_RT_CHECK(MOMU_RT_RELEASE, "free");
  __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "memalign");
  return __libc_memalign(alignment, size);
}

static bool is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

void *aligned_alloc(size_t alignment, size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "aligned_alloc");
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return NULL;
  }
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "posix_memalign");
  if (alignment % sizeof(void *) != 0 || !is_power_of_two(alignment)) return EINVAL;
  int before = errno;
  void *block = __libc_memalign(alignment, size);
  errno = before;  // POSIX: the error is the result, errno stays
  if (!block) return ENOMEM;
  *memory = block;
  return 0;
}

void *valloc(size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "valloc");
  return __libc_memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size) {
  MOMU_RT_CHECK(MOMU_RT_ALLOCATION, "pvalloc");
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) & ~(page - 1);
  if (whole < size) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_memalign(page, whole);
}
#endif
