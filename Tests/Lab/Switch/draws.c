// The weather without a network: draws PROFILE SEED COUNT
// prints COUNT sums of two independent ways in ns, -1 where either was lost.
#include <stdio.h>
#include <stdlib.h>

#include "weather.h"

int main(int argc, char **argv) {
  const struct profile *profile = argc == 4 ? profile_named(argv[1]) : NULL;
  if (!profile) return fputs("usage: draws none|wire|good|bad SEED COUNT\n", stderr), 2;
  uint64_t seed = strtoull(argv[2], NULL, 10);
  struct weather there = weather_between(seed, 0, 1), back = weather_between(seed, 1, 0);
  for (long count = atol(argv[3]); count > 0; count--) {
    int64_t first = weather_delay(&there, profile), second = weather_delay(&back, profile);
    printf("%lld\n", first < 0 || second < 0 ? -1LL : (long long)(first + second));
  }
  return 0;
}
