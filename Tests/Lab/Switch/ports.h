// One Ethernet device for each node, made inside the node's network namespace; its far end is ours.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MOST_PORTS = 64 };

struct counts {
  uint64_t packets, bytes, multicast;
};

struct port {
  int device;
  bool is_cut;
  uint64_t hardware;  // the node's address as last seen, 0 before
  struct counts sent, received;
  uint64_t lost;  // of what was on its way to it
};

// Ends the program with the reason where a device cannot be made.
int port_open(const char *network_namespace);
void port_carrier(const struct port *port, bool is_on);
