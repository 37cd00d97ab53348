// Round trips over UDP: ping SECONDS PAUSE_MS ADDRESS...
//
// Asks every address in turn with PAUSE_MS between two questions to one, answers whoever asks, and prints each
// answer's round trip in ns; then "asked N". The first second warms the neighbour tables and is not printed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

enum { PORT = 7777, WARM_UP = 1, LINGER = 2 };

struct question {
  int64_t asked;  // ns; negative: an answer, to that question
  char filling[56];
};

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void take(int socket, int64_t counted_from, int64_t counted_to) {
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  struct question question;
  while (recvfrom(socket, &question, sizeof question, 0, (struct sockaddr *)&from, &size) == sizeof question) {
    int64_t asked = -question.asked;
    question.asked = asked;
    if (asked < 0) sendto(socket, &question, sizeof question, 0, (struct sockaddr *)&from, size);
    else if (asked >= counted_from && asked < counted_to) printf("%lld\n", (long long)(now_ns() - asked));
  }
}

static struct sockaddr_in node(const char *address) {
  struct sockaddr_in node = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  if (inet_pton(AF_INET, address, &node.sin_addr) != 1) errx(2, "%s is no address", address);
  return node;
}

int main(int argc, char **argv) {
  if (argc < 3) errx(2, "usage: ping SECONDS PAUSE_MS ADDRESS...");
  int64_t counted_from = now_ns() + WARM_UP * 1000000000LL;
  int64_t counted_to = counted_from + (int64_t)(atof(argv[1]) * 1e9), end = counted_to + LINGER * 1000000000LL;
  int others = argc - 3, turn = 0;
  int64_t pause = others ? (int64_t)(atof(argv[2]) * 1e6) / others : 0, next = now_ns(), asked = 0;
  int udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in here = node("0.0.0.0");
  if (udp < 0 || bind(udp, (struct sockaddr *)&here, sizeof here) != 0) err(1, "cannot bind port %d", PORT);
  prctl(PR_SET_TIMERSLACK, 1);
  sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 40});
  for (int64_t now; (now = now_ns()) < end;) {
    bool asks = others && now < counted_to;
    int64_t sleep = asks && next > now ? next - now : asks ? 0 : end - now;
    struct timespec span = {.tv_sec = sleep / 1000000000, .tv_nsec = sleep % 1000000000};
    struct pollfd readable = {.fd = udp, .events = POLLIN};
    if (ppoll(&readable, 1, &span, NULL) > 0) take(udp, counted_from, counted_to);
    if (!asks || (now = now_ns()) < next) continue;
    struct sockaddr_in to = node(argv[3 + turn++ % others]);
    struct question question = {.asked = now};
    sendto(udp, &question, sizeof question, 0, (struct sockaddr *)&to, sizeof to);
    asked += now >= counted_from && now < counted_to;
    next += pause;
  }
  printf("asked %lld\n", (long long)asked);
  return 0;
}
