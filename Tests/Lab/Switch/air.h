// The air that all nodes of a Wi-Fi share: it carries so many frames a second, one after the other, and others wait.
//
// A frame for one node takes it twice, to the access point and from it. A frame for all takes it once to the access point,
// and once from there at the lowest rate, which lasts longer. The same is in MoSessionCore's SimulatedNetwork.
#pragma once
#include <stdint.h>

enum {
  MOST_WAITING = 500,         // frames; more are dropped
  MULTICAST_BITS = 6000000,   // a second: the lowest rate of 5 GHz Wi-Fi
};

struct air {
  double frames;      // a second; 0 for no limit
  double taken;       // until when, ns
  double used;        // ns in all
  uint64_t dropped;
};

// Waits in line at `now` for so many frames of air; when they are through, negative if the line is full.
int64_t air_take(struct air *air, double frames, int64_t now);

// How many frames of air the access point takes to send a frame of so many bytes to all.
double air_multicast(const struct air *air, uint32_t length);
