// What a frame meets on its way from one node to another: a delay, or its end. Every ordered pair of nodes
// draws from a stream of its own, so that a seed gives a pair the same weather whatever the others send.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Delays of one way, in ms: `shortest` + a log-normal excess, never over `longest`. Chosen so that the sum of
// two independent draws has the stated round trip. Loss after Gilbert (1960) and Elliott (1963), per frame.
struct profile {
  const char *name;
  double shortest, excess_median, excess_sigma, longest;
  double burst_begins, burst_ends, lost_in_burst;  // probabilities, per frame
  double multicast_grid;                           // ms; 0: multicast frames go like all others
};

struct weather {
  uint64_t random;
  bool in_burst;
};

const struct profile *profile_named(const char *name);
struct weather weather_between(uint64_t seed, int from, int to);

// The frame's delay in ns, negative where it is lost.
int64_t weather_delay(struct weather *weather, const struct profile *profile);
