// Which program has a port.
#ifndef MOMU_PORT_H
#define MOMU_PORT_H

#include <stdbool.h>
#include <stdint.h>

/// Finds the process that has a port: its id, 0 where the system does not tell, as of another user's to all but root.
///
/// For TCP it is the one that listens. `name` then holds what the process calls itself.
int momu_port_holder(uint16_t port, bool is_tcp, char name[16]);

#endif
