// The weather without a network: draws PROFILE SEED COUNT PAUSE_MS
//
// Sends COUNT frames over one way, PAUSE_MS apart, each answered at once over the other, and prints the round
// trips in ns, -1 where either frame was lost. Frames keep their order, as in the switch.
#include <stdio.h>
#include <stdlib.h>

#include "weather.h"

struct way {
  struct weather weather;
  int64_t last;
};

// When a frame sent now arrives, negative where it is lost.
static int64_t arrival(struct way *way, const struct profile *profile, int64_t now) {
  int64_t delay = weather_delay(&way->weather, profile, now), due = now + delay;
  if (delay < 0) return -1;
  return way->last = due > way->last ? due : way->last;
}

int main(int argc, char **argv) {
  const struct profile *profile = argc == 5 ? profile_named(argv[1]) : NULL;
  if (!profile) return fputs("usage: draws none|wire|good|bad SEED COUNT PAUSE_MS\n", stderr), 2;
  uint64_t seed = strtoull(argv[2], NULL, 10);
  struct way there = {.weather = weather_between(seed, 0, 1)}, back = {.weather = weather_between(seed, 1, 0)};
  int64_t pause = (int64_t)(atof(argv[4]) * 1e6), count = atol(argv[3]);
  for (int64_t i = 0; i < count; i++) {
    int64_t came = arrival(&there, profile, i * pause);
    int64_t answered = came < 0 ? -1 : arrival(&back, profile, came);
    printf("%lld\n", answered < 0 ? -1LL : (long long)(answered - i * pause));
  }
  return 0;
}
