#include "weather.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Mean burst: 1 / burst_ends frames. Loss: burst_begins / (burst_begins + burst_ends) * lost_in_burst.
static const struct profile profiles[] = {
    {.name = "none"},
    // A round trip of 0.3 ms.
    {.name = "wire", .shortest = 0.15},
    // A round trip of 3.9 (half), 5.5 (95 of 100), 7.9 ms (99 of 100); 0.2 % lost each way.
    {.name = "good", .shortest = 1.8016, .median = 0.1036, .sigma = 1.4235, .longest = 25, .calm = 2.5,
     .burst_begins = 0.002008, .burst_ends = 0.5, .lost_in_burst = 0.5},
    // A round trip of 10.4, 34, 78 ms; 3 % lost; a sleeping station makes the access point keep multicast.
    {.name = "bad", .shortest = 3.8741, .median = 0.8128, .sigma = 1.737, .longest = 250, .calm = 10,
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
  uint64_t pair = (uint64_t)from << 32 | (uint64_t)to, mixed = next(&seed) ^ next(&pair);
  return (struct weather){.frames = mixed, .stalls = next(&mixed)};
}

// F(x), the share of excesses under x.
static double share_under(const struct profile *profile, double x) {
  return erfc(-log(x / profile->median) / (profile->sigma * M_SQRT2)) / 2;
}

// f(x) / F(x), which falls with x; cutting the law off at its end changes nothing of it.
static double hazard(const struct profile *profile, double x) {
  double z = log(x / profile->median) / profile->sigma;
  return exp(-z * z / 2) / (sqrt(2 * M_PI) * profile->sigma * x) / share_under(profile, x);
}

// Where a rising function of a profile and x crosses `level`.
static double crossing(
    double (*rising)(const struct profile *, double), const struct profile *profile, double level, double low,
    double high) {
  while (high - low > 1e-4) {
    double middle = (low + high) / 2;
    if (rising(profile, middle) < level) low = middle;
    else high = middle;
  }
  return low;
}

static double minus_hazard(const struct profile *profile, double x) { return -hazard(profile, x); }

// The share of calm draws under x: F(x) without what stalls take away from it.
static double share_calm(const struct profile *profile, double x) {
  double calm = profile->calm;
  return share_under(profile, x) / share_under(profile, calm) * exp((calm - x) * hazard(profile, calm));
}

static double left_of_stalls(struct weather *weather, const struct profile *profile, double now) {
  double rate = hazard(profile, profile->calm);
  while (weather->next_stall <= now) {
    double level = -rate * uniform(&weather->stalls);
    double lasts = crossing(minus_hazard, profile, level, profile->calm, profile->longest);
    weather->stalled_until = fmax(weather->stalled_until, weather->next_stall + lasts);
    weather->next_stall -= log(uniform(&weather->stalls)) / rate;
  }
  return weather->stalled_until - now;
}

// Three numbers a frame, whatever becomes of it.
int64_t weather_delay(struct weather *weather, const struct profile *profile, int64_t now) {
  double turn = uniform(&weather->frames), fate = uniform(&weather->frames), draw = uniform(&weather->frames);
  double excess = 0;
  if (profile->calm > 0)
    excess = fmax(crossing(share_calm, profile, draw, 0, profile->calm), left_of_stalls(weather, profile, now * 1e-6));
  weather->in_burst = weather->in_burst ? turn >= profile->burst_ends : turn < profile->burst_begins;
  if (weather->in_burst && fate < profile->lost_in_burst) return -1;
  return (int64_t)((profile->shortest + excess) * 1e6);
}
