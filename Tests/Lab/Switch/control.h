// Commands in text datagrams on a unix socket, each answered with one:
//   cut N, join N     node N (from 1) loses its link, without a word, and has it back
//   unplug N, plug N  the same, and its device sees the carrier go and come
//   weather PROFILE   from now on
//   air FRAMES        all share air that carries so many frames a second; 0 for no limit
//   used              ns for which the air was taken, and frames that were dropped because too many waited for it
//   counts            a line a node: packets, bytes, multicast packets it sent; the same it received; lost to it
//   late              frames let go, their mean and worst lateness in ns, those over 100 µs late
#pragma once
#include "air.h"
#include "ports.h"
#include "weather.h"

struct lateness {
  uint64_t frames, total, worst, over_100_us;
};

struct state {
  int port_count;
  struct port ports[MOST_PORTS];
  const struct profile *profile;
  struct lateness late;
  struct air air;
};

int control_open(const char *path);
void control_answer(int socket, struct state *state);
