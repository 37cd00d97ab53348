// The least that six sensors as OSC cost, in plain C: four players that are computed, two boards that are read, a hundred
// readings a second each, sent as datagrams as they come.
//
//   rig BOARD BOARD PORT       until it is ended
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int out;
static struct sockaddr_in target = {.sin_family = AF_INET};

static int put(unsigned char *bytes, int at, const char *text) {
  int room = ((int)strlen(text) + 4) & ~3;
  memset(bytes + at, 0, room);
  strcpy((char *)bytes + at, text);
  return at + room;
}

// An OSC message: an address, a name where there is one, and floats.
static void say(const char *address, const char *name, const float *values, int count) {
  unsigned char bytes[128];
  char types[8] = ",";
  for (int i = 0; i < count; i++) strcat(types, "f");
  if (name) memmove(types + 2, types + 1, count + 1), types[1] = 's';
  int at = put(bytes, put(bytes, 0, address), types);
  if (name) at = put(bytes, at, name);
  for (int i = 0; i < count; i++, at += 4) {
    uint32_t word;
    memcpy(&word, values + i, 4);
    word = htonl(word);
    memcpy(bytes + at, &word, 4);
  }
  sendto(out, bytes, at, 0, (struct sockaddr *)&target, sizeof target);
}

static void play(double t) {
  static const char *const names[] = {"/momu/accel", "/momu/accel/shaken", "/momu/gyro", "/momu/gyro/tilted"};
  static float smooth[3];
  for (int i = 0; i < 4; i++) {
    float values[3] = {sin(t + i), sin(0.7 * t + i), cos(t + i)};
    for (int k = 0; i == 3 && k < 3; k++) values[k] = smooth[k] += 0.3 * (values[k] - smooth[k]);
    say(names[i], NULL, values, 3);
  }
}

// A line of a board's: a name and a number. Of the second board's every other one is sent on.
static void take(char *line, int board) {
  static const char *const names[] = {"/momu/sensor/left", "/momu/sensor/right"};
  static unsigned count[2];
  char *number = strchr(line, ' ');
  if (!number || (count[board]++ & board)) return;
  *number++ = 0;
  float value = strtof(number, NULL);
  say(names[board], line, &value, 1);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  out = socket(AF_INET, SOCK_DGRAM, 0);
  target.sin_port = htons(atoi(argv[3]));
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct pollfd boards[2];
  for (int i = 0; i < 2; i++) {
    boards[i] = (struct pollfd){open(argv[1 + i], O_RDONLY | O_NOCTTY | O_NONBLOCK), POLLIN, 0};
    if (boards[i].fd < 0) return perror(argv[1 + i]), 1;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t start = now.tv_sec * 1000000000LL + now.tv_nsec;
  for (int64_t count = 0;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t wait = start + count * 10000000 - (now.tv_sec * 1000000000LL + now.tv_nsec);
    if (wait <= 0) {
      play(count++ * 0.01);
      continue;
    }
    struct timespec most = {wait / 1000000000, wait % 1000000000};
    if (ppoll(boards, 2, &most, NULL) <= 0) continue;
    for (int i = 0; i < 2; i++) {
      char text[4096];
      long length = boards[i].revents ? read(boards[i].fd, text, sizeof text - 1) : 0;
      if (length <= 0) continue;
      text[length] = 0;
      // The boards end each line with what is written at once.
      for (char *rest = text, *line; (line = strsep(&rest, "\n"));) take(line, i);
    }
  }
}
