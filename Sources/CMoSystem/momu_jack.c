#include "momu_jack.h"

struct _jack_client *momu_jack_open(void *function, const char *name, int options, int *status) {
  struct _jack_client *(*open)(const char *, int, int *, ...) = (struct _jack_client * (*)(const char *, int, int *, ...)) function;
  return open(name, options, status);
}
