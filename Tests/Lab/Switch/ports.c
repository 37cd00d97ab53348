#define _GNU_SOURCE
#include "ports.h"

#include <err.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

// A TAP device belongs to the network namespace its file was opened in, wherever its reader goes afterwards.
int port_open(const char *network_namespace) {
  int node = open(network_namespace, O_RDONLY | O_CLOEXEC);
  if (node < 0 || setns(node, CLONE_NEWNET) != 0) err(1, "cannot enter %s", network_namespace);
  close(node);
  int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) err(1, "cannot open /dev/net/tun");
  struct ifreq request = {.ifr_name = "eth0", .ifr_flags = IFF_TAP | IFF_NO_PI};
  if (ioctl(device, TUNSETIFF, &request) != 0) err(1, "cannot make a TAP device in %s", network_namespace);
  return device;
}

void port_carrier(const struct port *port, bool is_on) {
  int state = is_on;
  if (ioctl(port->device, TUNSETCARRIER, &state) != 0) warn("cannot change the carrier");
}
