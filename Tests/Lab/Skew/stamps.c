// The kernel's receive stamps: CLOCK_REALTIME, like the packet, from a machine whose clock is bent.
#include "law.h"

#include <string.h>
#include <sys/socket.h>

static void bend_timespec(unsigned char *data) {
  struct timespec stamp;
  memcpy(&stamp, data, sizeof stamp);
  if (stamp.tv_sec || stamp.tv_nsec) stamp = believed(CLOCK_REALTIME, stamp);
  memcpy(data, &stamp, sizeof stamp);
}

static void bend_timeval(unsigned char *data) {
  struct timeval stamp;
  memcpy(&stamp, data, sizeof stamp);
  struct timespec time = {.tv_sec = stamp.tv_sec, .tv_nsec = stamp.tv_usec * 1000};
  time = believed(CLOCK_REALTIME, time);
  stamp = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
  memcpy(data, &stamp, sizeof stamp);
}

static void bend_stamps(struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET) continue;
    unsigned char *data = CMSG_DATA(part);
    size_t length = part->cmsg_len - CMSG_LEN(0);
    if (part->cmsg_type == SCM_TIMESTAMPNS && length >= sizeof(struct timespec)) bend_timespec(data);
    if (part->cmsg_type == SCM_TIMESTAMP && length >= sizeof(struct timeval)) bend_timeval(data);
    // Its first stamp is the kernel's; the others are a network card's own, of which the lab has none.
    if (part->cmsg_type == SCM_TIMESTAMPING && length >= 3 * sizeof(struct timespec)) bend_timespec(data);
  }
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  ssize_t result = REAL(recvmsg)(socket, message, flags);
  if (result >= 0 && message->msg_control) bend_stamps(message);
  return result;
}

int recvmmsg(int socket, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
  int result = REAL(recvmmsg)(socket, messages, count, flags, timeout);
  for (int i = 0; i < result; i++)
    if (messages[i].msg_hdr.msg_control) bend_stamps(&messages[i].msg_hdr);
  return result;
}
