// Commands in text datagrams on a unix socket, each answered with one:
//   cut N, join N     node N (from 1) loses its link, without a word, and has it back
//   unplug N, plug N  the same, and its device sees the carrier go and come
//   weather PROFILE   from now on
//   counts            a line a node: packets, bytes, multicast packets it sent; the same it received; lost to it
//   late              frames let go, their mean and worst lateness in ns, those over 100 µs late
#pragma once
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
};

int control_open(const char *path);
void control_answer(int socket, struct state *state);
