// Files, terminals and sockets; and the kernel's random numbers.
#define _GNU_SOURCE
#include "realtime_watch.h"

#if MOMU_RT_INTERPOSES
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES(result, name, parameters, arguments) MOMU_RT_GUARD(MOMU_RT_FILE, result, name, parameters, arguments)

FILES(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count))
FILES(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
FILES(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count))
FILES(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
FILES(ssize_t, pread, (int fd, void *bytes, size_t count, off_t at), (fd, bytes, count, at))
FILES(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at))
FILES(int, close, (int fd), (fd))
FILES(int, fsync, (int fd), (fd))

FILES(ssize_t, send, (int fd, const void *bytes, size_t count, int flags), (fd, bytes, count, flags))
FILES(
    ssize_t, sendto,
    (int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length),
    (fd, bytes, count, flags, to, length))
FILES(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
FILES(ssize_t, recv, (int fd, void *bytes, size_t count, int flags), (fd, bytes, count, flags))
FILES(
    ssize_t, recvfrom,
    (int fd, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *length),
    (fd, bytes, count, flags, from, length))
FILES(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
FILES(int, connect, (int fd, const struct sockaddr *to, socklen_t length), (fd, to, length))

// Standard input and output lock the stream, and write when its buffer is full. Swift's print takes the lock with
// flockfile and then writes with fwrite.
FILES(FILE *, fopen, (const char *path, const char *how), (path, how))
FILES(int, fclose, (FILE * file), (file))
FILES(int, fflush, (FILE * file), (file))
FILES(size_t, fread, (void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
FILES(size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
FILES(int, fputs, (const char *text, FILE *file), (text, file))
FILES(int, fputc, (int letter, FILE *file), (letter, file))
FILES(int, puts, (const char *text), (text))
FILES(int, vfprintf, (FILE * file, const char *format, va_list values), (file, format, values))

void flockfile(FILE *file) {
  static void (*next)(FILE *);
  MOMU_RT_CHECK(MOMU_RT_FILE, "flockfile");
  void (*real)(FILE *) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (__builtin_expect(!real, 0)) {
    real = (void (*)(FILE *))momu_rt_next("flockfile");
    __atomic_store_n(&next, real, __ATOMIC_RELAXED);
  }
  real(file);
}

int printf(const char *format, ...) {
  MOMU_RT_CHECK(MOMU_RT_FILE, "printf");
  va_list values;
  va_start(values, format);
  int written = vfprintf(stdout, format, values);
  va_end(values);
  return written;
}

int fprintf(FILE *file, const char *format, ...) {
  MOMU_RT_CHECK(MOMU_RT_FILE, "fprintf");
  va_list values;
  va_start(values, format);
  int written = vfprintf(file, format, values);
  va_end(values);
  return written;
}

// open has a third argument only if it may create a file.
static bool makes_file(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

static int open_next(int folder, const char *path, int flags, mode_t mode) {
  static int (*next)(int, const char *, int, ...);
  int (*real)(int, const char *, int, ...) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (__builtin_expect(!real, 0)) {
    real = (int (*)(int, const char *, int, ...))momu_rt_next("openat");
    __atomic_store_n(&next, real, __ATOMIC_RELAXED);
  }
  return real(folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  MOMU_RT_CHECK(MOMU_RT_FILE, "open");
  va_list values;
  va_start(values, flags);
  mode_t mode = makes_file(flags) ? va_arg(values, mode_t) : 0;
  va_end(values);
  return open_next(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MOMU_RT_CHECK(MOMU_RT_FILE, "openat");
  va_list values;
  va_start(values, flags);
  mode_t mode = makes_file(flags) ? va_arg(values, mode_t) : 0;
  va_end(values);
  return open_next(folder, path, flags, mode);
}

MOMU_RT_GUARD(MOMU_RT_RANDOM, ssize_t, getrandom, (void *bytes, size_t count, unsigned flags), (bytes, count, flags))
MOMU_RT_GUARD(MOMU_RT_RANDOM, int, getentropy, (void *bytes, size_t count), (bytes, count))
#endif
