// What a frame meets on its way from one node to another: a delay, or its end. Every ordered pair of nodes has
// weather of its own, so that a seed gives a pair the same whatever the others send.
//
// The delay of one way is `shortest` plus an excess whose law is log-normal, cut off at `longest`. Independent
// draws would make a busy pair's delays longer: the order is kept, so each late frame keeps all those behind it.
// So what exceeds `calm` comes from stalls instead. They begin at random moments, `rate` a ms, and keep every
// frame until they end: the excess at any moment is that of the worst stall still on, or a draw under `calm`. A
// share exp(-mean number of stalls with over x ms left) of all moments sees less than x (Poisson), which gives
// the excess just the law F wanted where stalls outlast x at the rate f(x) / F(x).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// In ms. Chosen so that the sum of two independent ways has the stated round trip. Loss after Gilbert (1960) and
// Elliott (1963), per frame.
struct profile {
  const char *name;
  double shortest, median, sigma, longest;  // the last three of the excess
  double calm;
  double burst_begins, burst_ends, lost_in_burst;  // probabilities, per frame
  double multicast_grid;                           // 0: multicast frames go like all others
};

struct weather {
  uint64_t frames, stalls;  // states of two random streams
  bool in_burst;
  double next_stall, stalled_until;  // ms
};

const struct profile *profile_named(const char *name);
struct weather weather_between(uint64_t seed, int from, int to);

// The delay in ns of a frame sent `now` ns after the beginning, negative where it is lost. `now` never falls.
int64_t weather_delay(struct weather *weather, const struct profile *profile, int64_t now);
