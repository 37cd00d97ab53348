// Batches of datagrams, with the kernel's information about each: the CMSG macros are not available in Swift.
#ifndef MOMU_NET_H
#define MOMU_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An IPv4 or IPv6 address with its port; all bytes are set, so that equal addresses have equal bytes.
typedef struct {
  uint8_t bytes[16];  ///< network order; IPv4 fills the first four
  uint32_t scope;     ///< the interface's index of a link-local IPv6 address, else 0
  uint16_t port;      ///< host order
  uint16_t is_v6;
} momu_address;

/// A received datagram, or a report that one of ours could not be delivered.
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t interface;   ///< the index of the interface it came by; 0 if not requested
  int64_t realtime_ns;  ///< the kernel's time stamp on CLOCK_REALTIME; 0 if there is none
  bool truncated;
  int32_t error;        ///< in a report, the errno; 0 in a datagram
  momu_address peer;    ///< the sender; in a report, the receiver of our datagram
} momu_datagram;

/// A buffer for up to `count` datagrams together; memory is used only as far as they fill it.
typedef struct momu_inbox momu_inbox;
momu_inbox *momu_inbox_new(int count, int size);
void momu_inbox_free(momu_inbox *inbox);

/// Receives the waiting datagrams, without waiting; returns their number, or a negative errno.
int momu_inbox_receive(momu_inbox *inbox, int socket);

/// Receives one datagram, without waiting; returns 1, or a negative errno. It costs less if there is only one.
int momu_inbox_receive_one(momu_inbox *inbox, int socket);

/// Returns whether the last `momu_inbox_receive` found at most one datagram.
bool momu_inbox_is_quiet(const momu_inbox *inbox);

/// Reads a report from the socket's error queue; returns 1, 0 if there is none, or a negative errno.
int momu_inbox_report(momu_inbox *inbox, int socket);

/// Returns the datagram at `index` of the last call, valid until the next call.
const momu_datagram *momu_inbox_item(const momu_inbox *inbox, int index);

/// A datagram to send: its bytes, its receiver, and its interface (0: the kernel chooses).
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t interface;
  momu_address peer;
} momu_outgoing;

/// Sends up to 64 datagrams in one call, without waiting; returns the number accepted, or a negative errno.
int momu_send(int socket, const momu_outgoing *items, int count);

/// Opens a UDP socket bound to a port (0: any) of all interfaces, with time stamps and error reports; returns it, or a
/// negative errno.
///
/// Several programs may bind a shared port. A datagram to a group or broadcast reaches all of them. A datagram to this
/// machine alone reaches one of them.
int momu_udp_open(bool is_v6, uint16_t port, bool is_shared);

/// Sets whether the kernel reports the interface of each datagram, which costs some time for each.
void momu_udp_tell_interface(int socket, bool is_v6, bool is_wanted);

/// Opens a TCP socket that listens; returns it, or a negative errno.
int momu_tcp_listen(bool is_v6, uint16_t port);

/// Starts a TCP connection with TCP_NODELAY, without waiting; returns its socket, or a negative errno.
int momu_tcp_connect(const momu_address *peer);

/// Accepts a waiting TCP connection; returns its descriptor, or a negative errno.
int momu_tcp_accept(int listener, momu_address *peer);

/// Returns the error that ended a connection, or 0.
int momu_socket_error(int socket);

/// Returns the port that a socket is bound to, or a negative errno.
int momu_socket_port(int socket);

/// Joins or leaves a multicast group on an interface; returns 0, or an errno.
int momu_multicast(int socket, bool join, const momu_address *group, uint32_t interface);

/// Returns the number of datagrams that this socket has dropped so far, mostly because its buffer was full, modulo
/// 2^32.
///
/// It is the counter that SO_RXQ_OVFL attaches to a datagram, but can be read even if no further one comes.
uint32_t momu_socket_drops(int socket);

/// Replaces a socket by a fresh one, so that its port is free even if a thread still waits on it.
void momu_socket_release(int socket);

/// Returns the size in bytes of a socket's receive buffer.
int momu_socket_room(int socket);

/// Parses an address without any lookup: "192.168.0.1", "fe80::1%wlan0"; returns false if it is a name.
bool momu_address_parse(const char *text, uint16_t port, momu_address *address);

/// Writes an address without its port; `size` of 64 is enough.
void momu_address_write(const momu_address *address, char *text, size_t size);

/// Looks up a name, which may take seconds; returns 0, or a code for `gai_strerror`.
int momu_address_resolve(const char *name, uint16_t port, momu_address *address);

/// Looks up all IPv4 and IPv6 addresses of a name, as many as fit, which may take seconds; returns their number.
int momu_address_resolve_all(const char *name, uint16_t port, momu_address *addresses, int count);

/// Creates a timer descriptor, which becomes readable when the set time has passed; -1 with errno.
int momu_timer(void);
void momu_timer_set(int timer, int64_t nanoseconds);

/// The state of a descriptor that is ready.
typedef struct {
  uint32_t number;  ///< the number that the descriptor was added with
  bool has_input;
  bool has_report;  ///< an error report waits, or the other end has gone
} momu_ready;

/// Creates a descriptor that is readable while a descriptor added to it is; -1 with errno.
///
/// The kernel keeps the list (epoll), so that a wait for many costs no more than a wait for one.
int momu_watch(void);

/// Adds a descriptor, which is removed when it is closed; returns false if the kernel has no room or has it already.
bool momu_watch_add(int watch, int descriptor, uint32_t number);
void momu_watch_remove(int watch, int descriptor);

/// Gets the ready descriptors, at most 16; waits for the first at most this long, for ever below 0.
int momu_watch_take(int watch, int64_t nanoseconds, momu_ready *ready, int count);

/// Creates a descriptor that becomes readable when interfaces or addresses change; -1 with errno.
int momu_interface_watch(void);

/// Reads a report from a socket's error queue; returns its errno, -1 if it contains none, 0 if there is no report.
int momu_report(int socket);

/// Receives a datagram or a piece of a stream without waiting; returns its length, or a negative errno.
int momu_receive(int socket, void *bytes, size_t size, momu_address *peer);

/// Returns the bytes written to a connection that the other end's system has not acknowledged; -1 if unknown.
int momu_unacknowledged(int socket);

/// Returns the bytes written to a connection that the kernel has not sent yet; -1 if unknown.
int momu_unsent(int socket);

/// Returns the milliseconds since the other end's system last acknowledged anything; -1 if unknown.
int64_t momu_acknowledged_ms(int socket);

/// The kernel's knowledge of a machine on the same network (its ARP or neighbour discovery table).
typedef enum {
  momu_neighbour_unknown,  ///< no entry: the path goes through a router, or nothing was sent
  momu_neighbour_answers,  ///< it answered within the last half minute or so
  momu_neighbour_old,      ///< it answered some time ago
  momu_neighbour_asked,    ///< a request is under way
  momu_neighbour_failed,   ///< it did not answer
} momu_neighbour_state;

typedef struct {
  momu_neighbour_state state;
  int64_t confirmed_ms;  ///< milliseconds since its last answer; -1 if unknown
} momu_neighbour;

/// Looks up an address in the kernel's table (RTM_GETNEIGH, rtnetlink(7)); the port does not matter.
momu_neighbour momu_neighbour_of(const momu_address *address);

#endif
