#include "weather.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Mean burst: 1 / burst_ends frames. Loss: burst_begins / (burst_begins + burst_ends) * lost_in_burst.
static const struct profile profiles[] = {
    {.name = "none"},
    // A round trip of 0.3 ms.
    {.name = "wire", .shortest = 0.15, .longest = 0.15},
    // A round trip of 3.9 (half), 5.5 (95 of 100), 7.9 ms (99 of 100); 0.2 % lost.
    {.name = "good", .shortest = 1.803, .excess_median = 0.1026, .excess_sigma = 1.4258, .longest = 25,
     .burst_begins = 0.002008, .burst_ends = 0.5, .lost_in_burst = 0.5},
    // A round trip of 10.4, 34, 78 ms; 3 % lost; a sleeping station makes the access point keep multicast.
    {.name = "bad", .shortest = 3.736, .excess_median = 0.9246, .excess_sigma = 1.6658, .longest = 100,
     .burst_begins = 0.010417, .burst_ends = 0.25, .lost_in_burst = 0.75, .multicast_grid = 102},
};

const struct profile *profile_named(const char *name) {
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
    if (strcmp(profiles[i].name, name) == 0) return &profiles[i];
  return NULL;
}

// SplitMix64 (Steele, Lea, Flood 2014): equal steps through 64 bits, well mixed.
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// Inside 0…1, never either.
static double uniform(uint64_t *state) { return ((double)(next(state) >> 11) + 0.5) * 0x1p-53; }

struct weather weather_between(uint64_t seed, int from, int to) {
  uint64_t pair = (uint64_t)from << 32 | (uint64_t)to;
  return (struct weather){.random = next(&seed) ^ next(&pair)};
}

// Four numbers a frame, whatever becomes of it: a profile changed on the way shifts no later draw.
int64_t weather_delay(struct weather *weather, const struct profile *profile) {
  double turn = uniform(&weather->random), fate = uniform(&weather->random);
  double radius = sqrt(-2 * log(uniform(&weather->random)));  // Box and Muller (1958)
  double normal = radius * cos(2 * M_PI * uniform(&weather->random));
  weather->in_burst = weather->in_burst ? turn >= profile->burst_ends : turn < profile->burst_begins;
  if (weather->in_burst && fate < profile->lost_in_burst) return -1;
  double delay = profile->shortest + profile->excess_median * exp(profile->excess_sigma * normal);
  return (int64_t)(fmin(delay, profile->longest) * 1e6);
}
