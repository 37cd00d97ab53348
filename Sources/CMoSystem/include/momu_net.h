// Datagrams by the batch, with what the kernel knows about each: the CMSG macros do not reach Swift.
#ifndef MOMU_NET_H
#define MOMU_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An IPv4 or IPv6 address with its port; all bytes are set, so two are equal when their bytes are.
typedef struct {
  uint8_t bytes[16];  ///< network order; IPv4 fills the first four
  uint32_t scope;     ///< the interface's index of a link-local IPv6 address, else 0
  uint16_t port;      ///< host order
  uint16_t is_v6;
} momu_address;

/// A datagram that came, or a report that one of ours could not be delivered.
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t interface;   ///< the index of the interface it came in by; 0 where the kernel was not asked
  int64_t realtime_ns;  ///< the kernel's stamp on CLOCK_REALTIME; 0 where it gave none
  bool truncated;
  int32_t error;        ///< in a report, the errno; 0 in a datagram
  momu_address peer;    ///< who sent it; in a report, whom ours was for
} momu_datagram;

/// Room to receive up to `count` datagrams at once, touched only as far as they fill it.
typedef struct momu_inbox momu_inbox;
momu_inbox *momu_inbox_new(int count, int size);
void momu_inbox_free(momu_inbox *inbox);

/// Receives what is there, without waiting; how many, or a negative errno.
int momu_inbox_receive(momu_inbox *inbox, int socket);

/// Receives one datagram, without waiting; 1, or a negative errno. Where no more than one is there, it costs less.
int momu_inbox_receive_one(momu_inbox *inbox, int socket);

/// Whether `momu_inbox_receive` found no more than one datagram the last time.
bool momu_inbox_is_quiet(const momu_inbox *inbox);

/// Takes one report off the socket's error queue; 1, 0 where there is none, or a negative errno.
int momu_inbox_report(momu_inbox *inbox, int socket);

/// The datagram at `index` of the last call, valid until the next.
const momu_datagram *momu_inbox_item(const momu_inbox *inbox, int index);

/// A datagram to send: its bytes, whom to, and by which interface (0: the kernel chooses).
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t interface;
  momu_address peer;
} momu_outgoing;

/// Sends up to 64 datagrams in one call, without waiting; how many were taken, or a negative errno.
int momu_send(int socket, const momu_outgoing *items, int count);

/// A UDP socket bound to a port (0: any) of all interfaces, with stamps and error reports asked for; or a
/// negative errno.
///
/// A shared port may be bound by several programs: what is sent to a group or broadcast reaches them all, what is
/// sent to this machine alone reaches one of them.
int momu_udp_open(bool is_v6, uint16_t port, bool is_shared);

/// Whether the kernel is to say by which interface each datagram came, which costs some time with each.
void momu_udp_tell_interface(int socket, bool is_v6, bool is_wanted);

/// A TCP socket that listens, or a negative errno.
int momu_tcp_listen(bool is_v6, uint16_t port);

/// A TCP connection being made without waiting, no delay asked for; or a negative errno.
int momu_tcp_connect(const momu_address *peer);

/// Takes a TCP connection that waits; its descriptor, or a negative errno.
int momu_tcp_accept(int listener, momu_address *peer);

/// The error a connection ended with, or 0.
int momu_socket_error(int socket);

/// The port a socket is bound to, or a negative errno.
int momu_socket_port(int socket);

/// Joins or leaves a multicast group on an interface; 0, or an errno.
int momu_multicast(int socket, bool join, const momu_address *group, uint32_t interface);

/// Datagrams this socket has dropped so far, mostly for want of room, modulo 2^32.
///
/// The counter that SO_RXQ_OVFL puts beside a datagram, but readable when no further one comes.
uint32_t momu_socket_drops(int socket);

/// Puts a fresh socket in a socket's place, so that its port is free though a thread still waits on it.
void momu_socket_release(int socket);

/// The size in bytes that the kernel grants a socket to receive into.
int momu_socket_room(int socket);

/// Reads an address without asking anybody: "192.168.0.1", "fe80::1%wlan0"; false where it is a name.
bool momu_address_parse(const char *text, uint16_t port, momu_address *address);

/// Writes an address without its port; `size` of 64 is enough.
void momu_address_write(const momu_address *address, char *text, size_t size);

/// Looks a name up, which may take seconds; 0, or a code for `gai_strerror`.
int momu_address_resolve(const char *name, uint16_t port, momu_address *address);

/// Looks a name up, which may take seconds: all its addresses of IPv4 and IPv6, as many as there is room for; how many.
int momu_address_resolve_all(const char *name, uint16_t port, momu_address *addresses, int count);

/// A descriptor that becomes readable after so many nanoseconds, or -1 with errno.
int momu_timer(void);
void momu_timer_set(int timer, int64_t nanoseconds);

/// What a watch found at a descriptor.
typedef struct {
  uint32_t number;  ///< what the descriptor was added with
  bool has_input;
  bool has_report;  ///< an error report waits, or the other end has gone
} momu_ready;

/// A descriptor that is readable while one of those added to it is, or -1 with errno.
///
/// The kernel keeps the list (epoll), so that a wait costs no more with many than with one.
int momu_watch(void);

/// Adds a descriptor, which leaves by itself when it is closed; false where the kernel has no room, or has it already.
bool momu_watch_add(int watch, int descriptor, uint32_t number);
void momu_watch_remove(int watch, int descriptor);

/// Those that are ready, at most 16 of them; waits for the first as long as it takes, or not at all.
int momu_watch_take(int watch, bool waits, momu_ready *ready, int count);

/// A descriptor that becomes readable when interfaces or addresses change, or -1 with errno.
int momu_interface_watch(void);

/// Takes one report off a socket's error queue; its errno, -1 where it names none, 0 where there is none.
int momu_report(int socket);

/// Receives one datagram or piece of a stream without waiting; its length, or a negative errno.
int momu_receive(int socket, void *bytes, size_t size, momu_address *peer);

/// Bytes written to a connection that the other end's system has not acknowledged; -1 where it cannot be asked.
int momu_unacknowledged(int socket);

/// Milliseconds since the other end's system last acknowledged anything; -1 where it cannot be asked.
int64_t momu_acknowledged_ms(int socket);

/// What the kernel knows of a machine on the same network (its ARP or neighbour discovery table).
typedef enum {
  momu_neighbour_unknown,  ///< no entry: the way goes through a router, or nothing was sent
  momu_neighbour_answers,  ///< it answered within the last half minute or so
  momu_neighbour_old,      ///< it answered some time ago
  momu_neighbour_asked,    ///< it is being asked now
  momu_neighbour_failed,   ///< it did not answer
} momu_neighbour_state;

typedef struct {
  momu_neighbour_state state;
  int64_t confirmed_ms;  ///< milliseconds since it last answered; -1 where unknown
} momu_neighbour;

/// Asks the kernel's table for an address (RTM_GETNEIGH, rtnetlink(7)); the port does not matter.
momu_neighbour momu_neighbour_of(const momu_address *address);

#endif
