// The program that has a port.
#ifndef MOMU_PORT_H
#define MOMU_PORT_H

#include <stdbool.h>
#include <stdint.h>

/// Finds the process that has a port; returns its id, or 0 if the system does not tell, such as for another user's
/// process.
///
/// For TCP it is the process that listens. `name` receives the process's name. Root sees the processes of all users.
int momu_port_holder(uint16_t port, bool is_tcp, char name[16]);

#endif
