#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "momu_net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

// From <linux/errqueue.h>, which conflicts with <time.h> on some systems.
struct extended_error {
  uint32_t error;
  uint8_t origin, type, code, pad;
  uint32_t info, data;
};

enum { most = 64, control_size = 256 };

struct momu_inbox {
  int count, size;
  int used;  // the number of headers that the last batch changed
  bool is_busy;
  uint8_t *room;
  momu_datagram items[most];
  struct mmsghdr headers[most];
  struct iovec pieces[most];
  struct sockaddr_storage names[most];
  union {
    uint8_t bytes[control_size];
    struct cmsghdr aligned;
  } controls[most];
};

momu_inbox *momu_inbox_new(int count, int size) {
  momu_inbox *inbox = calloc(1, sizeof *inbox);
  if (!inbox) return NULL;
  inbox->count = count < most ? count : most;
  inbox->size = size;
  inbox->used = inbox->count;
  // Mapped, not allocated: pages that no datagram reaches take no memory.
  inbox->room = mmap(NULL, (size_t)inbox->count * (size_t)size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (inbox->room == MAP_FAILED) {
    free(inbox);
    return NULL;
  }
  return inbox;
}

void momu_inbox_free(momu_inbox *inbox) {
  munmap(inbox->room, (size_t)inbox->count * (size_t)inbox->size);
  free(inbox);
}

static void read_name(const struct sockaddr_storage *name, momu_address *address) {
  memset(address, 0, sizeof *address);
  if (name->ss_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)name;
    memcpy(address->bytes, &four->sin_addr, 4);
    address->port = ntohs(four->sin_port);
  } else if (name->ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)name;
    address->port = ntohs(six->sin6_port);
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
      memcpy(address->bytes, six->sin6_addr.s6_addr + 12, 4);
      return;
    }
    memcpy(address->bytes, &six->sin6_addr, 16);
    address->is_v6 = 1;
    if (IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) address->scope = six->sin6_scope_id;
  }
}

static socklen_t write_name(const momu_address *address, struct sockaddr_storage *name) {
  memset(name, 0, sizeof *name);
  if (!address->is_v6) {
    struct sockaddr_in *four = (struct sockaddr_in *)name;
    four->sin_family = AF_INET;
    four->sin_port = htons(address->port);
    memcpy(&four->sin_addr, address->bytes, 4);
    return sizeof *four;
  }
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)name;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(address->port);
  six->sin6_scope_id = address->scope;
  memcpy(&six->sin6_addr, address->bytes, 16);
  return sizeof *six;
}

static void prepare(momu_inbox *inbox, int index) {
  struct msghdr *header = &inbox->headers[index].msg_hdr;
  inbox->pieces[index].iov_base = inbox->room + (size_t)index * (size_t)inbox->size;
  inbox->pieces[index].iov_len = (size_t)inbox->size;
  header->msg_iov = &inbox->pieces[index];
  header->msg_iovlen = 1;
  header->msg_name = &inbox->names[index];
  header->msg_namelen = sizeof inbox->names[index];
  header->msg_control = inbox->controls[index].bytes;
  header->msg_controllen = control_size;
  header->msg_flags = 0;
}

static void read_header(momu_datagram *item, struct msghdr *header, unsigned length) {
  memset(item, 0, sizeof *item);
  item->bytes = header->msg_iov->iov_base;
  item->length = length;
  item->truncated = (header->msg_flags & MSG_TRUNC) != 0;
  read_name(header->msg_name, &item->peer);
  for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part; part = CMSG_NXTHDR(header, part)) {
    const void *data = CMSG_DATA(part);
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, data, sizeof stamp);
      item->realtime_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    } else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, data, sizeof info);
      item->interface = (uint32_t)info.ipi_ifindex;
    } else if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, data, sizeof info);
      item->interface = info.ipi6_ifindex;
    } else if ((part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
               (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR)) {
      struct extended_error report;
      memcpy(&report, data, sizeof report);
      item->error = (int32_t)report.error;
    }
  }
}

// Besides the stack, which is in the cache, this touches one place of memory: a single message usually comes after a
// pause in which the rest has left the cache. It also saves the second try that recvmmsg makes.
static int receive_one(momu_inbox *inbox, int socket, int flags) {
  struct sockaddr_storage name;
  union {
    uint8_t bytes[control_size];
    struct cmsghdr aligned;
  } control;
  struct iovec piece = {.iov_base = inbox->room, .iov_len = (size_t)inbox->size};
  struct msghdr header = {.msg_name = &name,
                          .msg_namelen = sizeof name,
                          .msg_iov = &piece,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          .msg_controllen = control_size};
  ssize_t length = recvmsg(socket, &header, flags | MSG_DONTWAIT);
  if (length < 0) return -errno;
  read_header(&inbox->items[0], &header, (unsigned)length);
  return 1;
}

int momu_inbox_receive_one(momu_inbox *inbox, int socket) { return receive_one(inbox, socket, 0); }

bool momu_inbox_is_quiet(const momu_inbox *inbox) { return !inbox->is_busy; }

int momu_inbox_receive(momu_inbox *inbox, int socket) {
  for (int index = 0; index < inbox->used; index++) prepare(inbox, index);
  int count = recvmmsg(socket, inbox->headers, (unsigned)inbox->count, MSG_DONTWAIT, NULL);
  inbox->used = count < 0 ? 0 : count;
  inbox->is_busy = count > 1;
  if (count < 0) return -errno;
  for (int index = 0; index < count; index++)
    read_header(&inbox->items[index], &inbox->headers[index].msg_hdr, inbox->headers[index].msg_len);
  return count;
}

int momu_inbox_report(momu_inbox *inbox, int socket) {
  int result = receive_one(inbox, socket, MSG_ERRQUEUE);
  return result == -EAGAIN ? 0 : result;
}

const momu_datagram *momu_inbox_item(const momu_inbox *inbox, int index) { return &inbox->items[index]; }

// Datagrams of one size with the same receiver can be sent as one piece, which the kernel cuts up (UDP_SEGMENT, Linux
// 4.18). So they pass through the network stack only once. Each must fit a frame of any network, since such pieces are
// not fragmented. The flag is cleared if the kernel or a device refuses.
static atomic_bool may_segment = true;
enum { segment_option = 103, largest_segment = 1200, largest_piece = 65000 };

static bool goes_alike(const momu_outgoing *left, const momu_outgoing *right) {
  return left->length == right->length && left->interface == right->interface &&
         memcmp(&left->peer, &right->peer, sizeof left->peer) == 0;
}

// Returns the number of items, from the first on, that can be sent as one piece.
static int run_length(const momu_outgoing *items, int count) {
  uint32_t size = items[0].length;
  if (!atomic_load_explicit(&may_segment, memory_order_relaxed) || size == 0 || size > largest_segment) return 1;
  int run = 1;
  while (run < count && (run + 1) * size <= largest_piece && goes_alike(&items[0], &items[run])) run++;
  return run;
}

typedef union {
  uint8_t bytes[CMSG_SPACE(sizeof(struct in6_pktinfo)) + CMSG_SPACE(sizeof(uint16_t))];
  struct cmsghdr aligned;
} send_control;

static void add_control(struct msghdr *header, int level, int type, const void *data, size_t size) {
  struct cmsghdr *part = (struct cmsghdr *)((uint8_t *)header->msg_control + header->msg_controllen);
  part->cmsg_level = level;
  part->cmsg_type = type;
  part->cmsg_len = CMSG_LEN(size);
  memcpy(CMSG_DATA(part), data, size);
  header->msg_controllen += CMSG_SPACE(size);
}

static int send_once(int socket, const momu_outgoing *items, int count) {
  struct mmsghdr headers[most];
  struct iovec pieces[most];
  struct sockaddr_storage names[most];
  send_control controls[most];
  int ends[most], used = 0;
  if (count > most) count = most;
  for (int index = 0; index < count; used++) {
    const momu_outgoing *item = &items[index];
    int run = run_length(item, count - index);
    struct msghdr *header = &headers[used].msg_hdr;
    memset(header, 0, sizeof *header);
    for (int each = index; each < index + run; each++)
      pieces[each] = (struct iovec){.iov_base = (void *)items[each].bytes, .iov_len = items[each].length};
    header->msg_iov = &pieces[index];
    header->msg_iovlen = (size_t)run;
    header->msg_name = &names[used];
    header->msg_namelen = write_name(&item->peer, &names[used]);
    header->msg_control = controls[used].bytes;
    if (run > 1) {
      uint16_t size = (uint16_t)item->length;
      memset(&controls[used], 0, sizeof controls[used]);
      add_control(header, IPPROTO_UDP, segment_option, &size, sizeof size);
    }
    if (item->interface != 0) {
      if (run == 1) memset(&controls[used], 0, sizeof controls[used]);
      struct in6_pktinfo six = {.ipi6_ifindex = item->interface};
      struct in_pktinfo four = {.ipi_ifindex = (int)item->interface};
      if (item->peer.is_v6) add_control(header, IPPROTO_IPV6, IPV6_PKTINFO, &six, sizeof six);
      else add_control(header, IPPROTO_IP, IP_PKTINFO, &four, sizeof four);
    }
    if (header->msg_controllen == 0) header->msg_control = NULL;
    index += run;
    ends[used] = index;
  }
  int sent = sendmmsg(socket, headers, (unsigned)used, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent == 0 ? 0 : ends[sent - 1];
}

// Sends a single item, without the memory and the second copy that a batch needs.
static int send_one(int socket, const momu_outgoing *item) {
  struct sockaddr_storage name;
  socklen_t size = write_name(&item->peer, &name);
  ssize_t sent =
    sendto(socket, item->bytes, item->length, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&name, size);
  return sent < 0 ? -errno : 1;
}

int momu_send(int socket, const momu_outgoing *items, int count) {
  if (count == 1 && items[0].interface == 0) return send_one(socket, &items[0]);
  int sent = send_once(socket, items, count);
  if ((sent == -EINVAL || sent == -EIO || sent == -EOPNOTSUPP || sent == -EMSGSIZE) && count > 1 &&
      run_length(items, count) > 1) {
    atomic_store(&may_segment, false);
    sent = send_once(socket, items, count);
  }
  return sent;
}

static void ask(int socket, int level, int option) {
  int one = 1;
  setsockopt(socket, level, option, &one, sizeof one);
}

static int bind_any(int socket, bool is_v6, uint16_t port) {
  momu_address any = {.port = port, .is_v6 = is_v6};
  struct sockaddr_storage name;
  socklen_t size = write_name(&any, &name);
  return bind(socket, (struct sockaddr *)&name, size);
}

static int close_with_error(int descriptor) {
  int error = errno;
  close(descriptor);
  return -error;
}

int momu_udp_open(bool is_v6, uint16_t port, bool is_shared) {
  int descriptor = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  ask(descriptor, SOL_SOCKET, SO_TIMESTAMPNS);
  ask(descriptor, SOL_SOCKET, SO_BROADCAST);
  if (is_shared) ask(descriptor, SOL_SOCKET, SO_REUSEADDR);
  // A burst waits here while a callback is slow. The first option is for processes that may exceed the system's limit.
  int room = 4 << 20;
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  // Datagrams to machines that do not exist wait for some seconds, and must not block datagrams to others.
  if (setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) != 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  int off = 0;
  if (is_v6) {
    ask(descriptor, IPPROTO_IPV6, IPV6_V6ONLY);
    ask(descriptor, IPPROTO_IPV6, IPV6_RECVERR);
    setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off);
  } else {
    ask(descriptor, IPPROTO_IP, IP_RECVERR);
    // Otherwise datagrams of groups that other programs joined would arrive here, too.
    setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
  }
  if (bind_any(descriptor, is_v6, port) != 0) return close_with_error(descriptor);
  return descriptor;
}

void momu_udp_tell_interface(int socket, bool is_v6, bool is_wanted) {
  int value = is_wanted;
  if (is_v6) setsockopt(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, &value, sizeof value);
  else setsockopt(socket, IPPROTO_IP, IP_PKTINFO, &value, sizeof value);
}

int momu_tcp_listen(bool is_v6, uint16_t port) {
  int descriptor = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  // A port may be used again immediately, even while its last connections are in the state TIME_WAIT.
  ask(descriptor, SOL_SOCKET, SO_REUSEADDR);
  if (is_v6) ask(descriptor, IPPROTO_IPV6, IPV6_V6ONLY);
  if (bind_any(descriptor, is_v6, port) != 0 || listen(descriptor, 128) != 0)
    return close_with_error(descriptor);
  return descriptor;
}

// A message is sent immediately. A peer that disappeared without a word, such as with an empty battery, is noticed
// after 25 s of silence, or after 30 s if data is under way.
static void ask_for_connection(int socket) {
  int idle = 10, interval = 5, count = 3;
  unsigned longest = 30000;
  ask(socket, IPPROTO_TCP, TCP_NODELAY);
  ask(socket, SOL_SOCKET, SO_KEEPALIVE);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &longest, sizeof longest);
}

int momu_tcp_connect(const momu_address *peer) {
  struct sockaddr_storage name;
  socklen_t size = write_name(peer, &name);
  int descriptor = socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  ask_for_connection(descriptor);
  if (connect(descriptor, (struct sockaddr *)&name, size) != 0 && errno != EINPROGRESS)
    return close_with_error(descriptor);
  return descriptor;
}

int momu_tcp_accept(int listener, momu_address *peer) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  int descriptor = accept4(listener, (struct sockaddr *)&name, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return -errno;
  ask_for_connection(descriptor);
  read_name(&name, peer);
  return descriptor;
}

int momu_socket_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

int momu_socket_port(int socket) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  momu_address address;
  if (getsockname(socket, (struct sockaddr *)&name, &size) != 0) return -errno;
  read_name(&name, &address);
  return address.port;
}

int momu_multicast(int socket, bool join, const momu_address *group, uint32_t interface) {
  int result;
  if (group->is_v6) {
    struct ipv6_mreq request = {.ipv6mr_interface = interface};
    memcpy(&request.ipv6mr_multiaddr, group->bytes, 16);
    result = setsockopt(socket, IPPROTO_IPV6, join ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP, &request,
                        sizeof request);
  } else {
    struct ip_mreqn request = {.imr_ifindex = (int)interface};
    memcpy(&request.imr_multiaddr, group->bytes, 4);
    result = setsockopt(socket, IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &request,
                        sizeof request);
  }
  return result == 0 ? 0 : errno;
}

uint32_t momu_socket_drops(int socket) {
  // SK_MEMINFO_DROPS of <linux/sock_diag.h> is the ninth number.
  uint32_t numbers[9] = {0};
  socklen_t size = sizeof numbers;
  return getsockopt(socket, SOL_SOCKET, SO_MEMINFO, numbers, &size) == 0 ? numbers[8] : 0;
}

int momu_socket_room(int socket) {
  int room = 0;
  socklen_t size = sizeof room;
  return getsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, &size) == 0 ? room : 0;
}

// Whether the kernel has a route to the address; nothing is sent.
static bool has_route(const struct addrinfo *info) {
  int probe = socket(info->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  // A broadcast address needs a permission, but has a route.
  bool routed = connect(probe, info->ai_addr, info->ai_addrlen) == 0 || errno == EACCES;
  close(probe);
  return routed;
}

static int look_up(const char *name, uint16_t port, int flags, momu_address *address) {
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = flags};
  struct addrinfo *found = NULL;
  int result = getaddrinfo(name, NULL, &hints, &found);
  if (result != 0) return result;
  // OSC programs usually listen on IPv4 only, so IPv4 is used if a name has both and this machine has a route by IPv4.
  // Otherwise the first address is used, since getaddrinfo puts the addresses with a route first.
  const struct addrinfo *best = found;
  for (const struct addrinfo *each = found->ai_next ? found : NULL; each; each = each->ai_next)
    if (each->ai_family == AF_INET && has_route(each)) {
      best = each;
      break;
    }
  struct sockaddr_storage name_found;
  memset(&name_found, 0, sizeof name_found);
  memcpy(&name_found, best->ai_addr, best->ai_addrlen);
  read_name(&name_found, address);
  address->port = port;
  freeaddrinfo(found);
  return 0;
}

bool momu_address_parse(const char *text, uint16_t port, momu_address *address) {
  return look_up(text, port, AI_NUMERICHOST, address) == 0;
}

int momu_address_resolve(const char *name, uint16_t port, momu_address *address) {
  return look_up(name, port, 0, address);
}

int momu_address_resolve_all(const char *name, uint16_t port, momu_address *addresses, int count) {
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM};
  struct addrinfo *found = NULL;
  if (getaddrinfo(name, NULL, &hints, &found) != 0) return 0;
  int used = 0;
  for (const struct addrinfo *each = found; each && used < count; each = each->ai_next) {
    if (each->ai_family != AF_INET && each->ai_family != AF_INET6) continue;
    struct sockaddr_storage address;
    memset(&address, 0, sizeof address);
    memcpy(&address, each->ai_addr, each->ai_addrlen);
    read_name(&address, &addresses[used]);
    addresses[used++].port = port;
  }
  freeaddrinfo(found);
  return used;
}

void momu_address_write(const momu_address *address, char *text, size_t size) {
  inet_ntop(address->is_v6 ? AF_INET6 : AF_INET, address->bytes, text, (socklen_t)size);
  char interface[IF_NAMESIZE];
  if (address->scope != 0 && if_indextoname(address->scope, interface)) {
    size_t length = strlen(text);
    if (length + 1 + strlen(interface) < size) {
      text[length] = '%';
      strcpy(text + length + 1, interface);
    }
  }
}

int momu_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

void momu_timer_set(int timer, int64_t nanoseconds) {
  struct itimerspec when = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  timerfd_settime(timer, 0, &when, NULL);
}

int momu_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool momu_watch_add(int watch, int descriptor, uint32_t number) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
  return epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void momu_watch_remove(int watch, int descriptor) { epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL); }

// Kernels before 5.11 count such waits in milliseconds; a filter of system calls may also refuse the exact call.
static atomic_bool waits_exactly = true;

static int wait_for(int watch, struct epoll_event *events, int count, int64_t nanoseconds) {
  if (nanoseconds > 0 && atomic_load_explicit(&waits_exactly, memory_order_relaxed)) {
    struct timespec most = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int found = epoll_pwait2(watch, events, count, &most, NULL);
    if (found >= 0 || (errno != ENOSYS && errno != EPERM)) return found;
    atomic_store(&waits_exactly, false);
  }
  int64_t milliseconds = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
  return epoll_wait(watch, events, count, milliseconds < INT_MAX ? (int)milliseconds : INT_MAX);
}

int momu_watch_take(int watch, int64_t nanoseconds, momu_ready *ready, int count) {
  struct epoll_event events[16];
  int found = wait_for(watch, events, count < 16 ? count : 16, nanoseconds);
  for (int index = 0; index < found; index++)
    ready[index] = (momu_ready){.number = events[index].data.u32,
                                .has_input = (events[index].events & EPOLLIN) != 0,
                                .has_report = (events[index].events & EPOLLERR) != 0};
  return found < 0 ? 0 : found;
}

int momu_interface_watch(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl name = {.nl_family = AF_NETLINK,
                             .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(descriptor, (struct sockaddr *)&name, sizeof name) != 0) return close_with_error(descriptor);
  return descriptor;
}

void momu_socket_release(int descriptor) {
  int fresh = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fresh < 0) return;
  dup3(fresh, descriptor, O_CLOEXEC);
  close(fresh);
}

int momu_report(int socket) {
  uint8_t piece[1];
  union {
    uint8_t bytes[control_size];
    struct cmsghdr aligned;
  } control;
  struct iovec room = {.iov_base = piece, .iov_len = sizeof piece};
  struct msghdr header = {
      .msg_iov = &room, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = control_size};
  if (recvmsg(socket, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
    if ((part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
        (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR)) {
      struct extended_error report;
      memcpy(&report, CMSG_DATA(part), sizeof report);
      return report.error == 0 ? -1 : (int)report.error;
    }
  }
  return -1;
}

int momu_receive(int socket, void *bytes, size_t size, momu_address *peer) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  ssize_t count = recvfrom(socket, bytes, size, MSG_DONTWAIT, (struct sockaddr *)&name, &length);
  if (count < 0) return -errno;
  read_name(&name, peer);
  return (int)count;
}

int momu_unacknowledged(int socket) {
  int count = 0;
  return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : -1;
}

int momu_unsent(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQNSD, &count) == 0 ? count : -1;
}

int64_t momu_acknowledged_ms(int socket) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? (int64_t)info.tcpi_last_ack_recv : -1;
}

// Reads a neighbour's entry in the kernel's answer; returns whether it is the wanted one.
static bool read_neighbour(const struct nlmsghdr *message, const momu_address *address, momu_neighbour *found) {
  const struct ndmsg *entry = NLMSG_DATA(message);
  if (entry->ndm_family != (address->is_v6 ? AF_INET6 : AF_INET)) return false;
  if (address->scope != 0 && (uint32_t)entry->ndm_ifindex != address->scope) return false;
  bool is_meant = false;
  int64_t confirmed = -1;
  int left = (int)RTM_PAYLOAD(message);
  const struct rtattr *part = (const struct rtattr *)((const char *)entry + NLMSG_ALIGN(sizeof *entry));
  for (; RTA_OK(part, left); part = RTA_NEXT(part, left)) {
    if (part->rta_type == NDA_DST) {
      is_meant = memcmp(RTA_DATA(part), address->bytes, address->is_v6 ? 16 : 4) == 0;
    } else if (part->rta_type == NDA_CACHEINFO) {
      const struct nda_cacheinfo *info = RTA_DATA(part);
      confirmed = (int64_t)info->ndm_confirmed * 1000 / sysconf(_SC_CLK_TCK);
    }
  }
  if (!is_meant) return false;
  found->confirmed_ms = confirmed;
  if (entry->ndm_state & NUD_FAILED) found->state = momu_neighbour_failed;
  else if (entry->ndm_state & NUD_INCOMPLETE) found->state = momu_neighbour_asked;
  else if (entry->ndm_state & NUD_PROBE) found->state = momu_neighbour_asked;
  else if (entry->ndm_state & NUD_REACHABLE) found->state = momu_neighbour_answers;
  else found->state = momu_neighbour_old;
  return true;
}

momu_neighbour momu_neighbour_of(const momu_address *address) {
  momu_neighbour found = {.state = momu_neighbour_unknown, .confirmed_ms = -1};
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (descriptor < 0) return found;
  // The kernel answers immediately; a lost answer must not block the caller.
  struct timeval timeout = {.tv_usec = 200000};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  struct {
    struct nlmsghdr header;
    struct ndmsg entry;
  } request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ndmsg)),
                          .nlmsg_type = RTM_GETNEIGH,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                          .nlmsg_seq = 1},
               .entry = {.ndm_family = address->is_v6 ? AF_INET6 : AF_INET}};
  if (send(descriptor, &request, sizeof request, 0) < 0) {
    close(descriptor);
    return found;
  }
  union {
    char bytes[16384];
    struct nlmsghdr aligned;
  } answer;
  for (bool goes_on = true; goes_on;) {
    ssize_t length = recv(descriptor, &answer, sizeof answer, 0);
    if (length <= 0) break;
    unsigned left = (unsigned)length;
    for (const struct nlmsghdr *message = &answer.aligned; NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) {
        goes_on = false;
        break;
      }
      if (message->nlmsg_type == RTM_NEWNEIGH) read_neighbour(message, address, &found);
    }
  }
  close(descriptor);
  return found;
}
