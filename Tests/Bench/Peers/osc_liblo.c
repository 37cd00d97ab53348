// liblo as its own documentation uses it: a thread, or a loop that blocks.
//
//   osc_liblo receive|thread PORT COUNT   as momu-bench receive
//   osc_liblo answer PORT                 sends every message back from the port it came to
//   osc_liblo send PORT COUNT RATE        RATE a second, 0: as fast as it can
//   osc_liblo ping PORT COUNT             a round trip a millisecond, in nanoseconds, a line each (no liblo here)
//   osc_liblo dispatch ADDRESSES COUNT    nanoseconds from bytes to the method
#include <lo/lo.h>
#include <lo/lo_lowlevel.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static atomic_long came, last;

static int hit(const char *path, const char *types, lo_arg **values, int count, lo_message message, void *data) {
  (void)path, (void)types, (void)values, (void)count, (void)message, (void)data;
  atomic_fetch_add(&came, 1);
  atomic_store(&last, now(CLOCK_MONOTONIC));
  return 0;
}

static int back(const char *path, const char *types, lo_arg **values, int count, lo_message message, void *data) {
  (void)types, (void)values, (void)count;
  lo_send_message_from(lo_message_get_source(message), (lo_server)data, path, message);
  return 0;
}

static void nothing(int number, const char *text, const char *where) { (void)number, (void)text, (void)where; }

static void report(long begun, long used) {
  printf("%ld %ld %ld\n", atomic_load(&came), atomic_load(&last) - begun, used);
}

static void receive(const char *port, long count) {
  lo_server server = lo_server_new(port, nothing);
  lo_server_add_method(server, "/drum/hit", "ifs", hit, NULL);
  puts("ready");
  fflush(stdout);
  lo_server_recv(server);
  long begun = now(CLOCK_MONOTONIC), before = now(CLOCK_PROCESS_CPUTIME_ID);
  while (atomic_load(&came) < count && lo_server_wait(server, 500)) lo_server_recv(server);
  report(begun, now(CLOCK_PROCESS_CPUTIME_ID) - before);
}

static void receive_in_thread(const char *port, long count) {
  lo_server_thread thread = lo_server_thread_new(port, nothing);
  lo_server_thread_add_method(thread, "/drum/hit", "ifs", hit, NULL);
  lo_server_thread_start(thread);
  puts("ready");
  fflush(stdout);
  while (!atomic_load(&came)) usleep(100);
  long begun = now(CLOCK_MONOTONIC), before = now(CLOCK_PROCESS_CPUTIME_ID);
  while (atomic_load(&came) < count && now(CLOCK_MONOTONIC) - atomic_load(&last) < 500000000) usleep(10000);
  report(begun, now(CLOCK_PROCESS_CPUTIME_ID) - before);
}

static void answer(const char *port) {
  lo_server server = lo_server_new(port, nothing);
  lo_server_add_method(server, "/drum/hit", NULL, back, server);
  puts("ready");
  fflush(stdout);
  struct pollfd input = {.fd = 0, .events = POLLIN};
  for (long turn = 0;; turn++) {
    if (lo_server_recv_noblock(server, 100) == 0 && poll(&input, 1, 0) > 0) return;
    if (turn % 1000 == 999 && poll(&input, 1, 0) > 0) return;
  }
}

static void send_all(const char *port, long count, long rate) {
  lo_address target = lo_address_new("127.0.0.1", port);
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (long index = 0; index < count; index++) {
    if (rate > 0) {
      next.tv_nsec += 1000000000L / rate;
      if (next.tv_nsec >= 1000000000L) next.tv_sec++, next.tv_nsec -= 1000000000L;
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    lo_send(target, "/drum/hit", "ifs", (int)index, 0.8, "left");
  }
}

static void ping(int port, long count) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(descriptor, (struct sockaddr *)&peer, sizeof peer);
  char packet[28] = "/drum/hit\0\0\0,if\0\0\0\0\1\0\0\0\0", answer[64];
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (long index = 0; index < count; index++) {
    next.tv_nsec += 1000000;
    if (next.tv_nsec >= 1000000000L) next.tv_sec++, next.tv_nsec -= 1000000000L;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    long begun = now(CLOCK_MONOTONIC);
    send(descriptor, packet, 24, 0);
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    if (poll(&request, 1, 1000) > 0) {
      recv(descriptor, answer, sizeof answer, 0);
      printf("%ld\n", now(CLOCK_MONOTONIC) - begun);
    }
  }
}

static void dispatch(long addresses, long count) {
  lo_server server = lo_server_new(NULL, nothing);
  char path[64];
  for (long index = 0; index < addresses; index++) {
    snprintf(path, sizeof path, "/instrument/%ld/level", index);
    lo_server_add_method(server, path, "f", hit, NULL);
  }
  lo_message message = lo_message_new();
  lo_message_add_float(message, 0.5f);
  char bytes[128], copy[128];
  size_t size = sizeof bytes;
  lo_message_serialise(message, path, bytes, &size);
  for (int round = 0; round < 2; round++) {
    long begun = now(CLOCK_MONOTONIC);
    for (long index = 0; index < count; index++) {
      memcpy(copy, bytes, size);
      lo_server_dispatch_data(server, copy, size);
    }
    if (round) printf("%ld\n", (now(CLOCK_MONOTONIC) - begun) / count);
  }
}

int main(int count, char **words) {
  if (count == 4 && !strcmp(words[1], "receive")) receive(words[2], atol(words[3]));
  else if (count == 4 && !strcmp(words[1], "thread")) receive_in_thread(words[2], atol(words[3]));
  else if (count == 3 && !strcmp(words[1], "answer")) answer(words[2]);
  else if (count == 5 && !strcmp(words[1], "send")) send_all(words[2], atol(words[3]), atol(words[4]));
  else if (count == 4 && !strcmp(words[1], "ping")) ping(atoi(words[2]), atol(words[3]));
  else if (count == 4 && !strcmp(words[1], "dispatch")) dispatch(atol(words[2]), atol(words[3]));
  else return 2;
  return 0;
}
