// Nanoseconds a sample of a filter's plain loop in C, in blocks of 512: filters biquad|onepole BLOCKS
//
// The same arithmetic in the same order as MoMu's, in double precision, without its guard against what is too small.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 512 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct biquad {
  double b0, b1, b2, a1, a2, x1, x2, y1, y2;
};

struct onepole {
  double b0, a1, y1;
};

__attribute__((noinline)) static void biquad(struct biquad *state, float *samples) {
  struct biquad f = *state;
  for (int i = 0; i < FRAMES; i++) {
    double x = samples[i];
    double y = f.b0 * x + f.b1 * f.x1 + f.b2 * f.x2 - f.a2 * f.y2 - f.a1 * f.y1;
    f.x2 = f.x1, f.x1 = x;
    f.y2 = f.y1, f.y1 = y;
    samples[i] = (float)y;
  }
  *state = f;
}

__attribute__((noinline)) static void onepole(struct onepole *state, float *samples) {
  struct onepole f = *state;
  for (int i = 0; i < FRAMES; i++) samples[i] = (float)(f.y1 = f.b0 * samples[i] - f.a1 * f.y1);
  *state = f;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  long blocks = atol(arguments[2]);
  static float noise[FRAMES], samples[FRAMES];
  for (int i = 0; i < FRAMES; i++) noise[i] = (float)(i * 7919 % FRAMES) / (FRAMES / 2) - 1;
  // A Butterworth low-pass at 1 kHz and 48 kHz.
  struct biquad two = {0.00391613, 0.00783225, 0.00391613, -1.81534108, 0.83100559, 0, 0, 0, 0};
  struct onepole one = {0.1, -0.9, 0};
  int is_two = strcmp(arguments[1], "biquad") == 0;
  const int64_t begun = now_ns();
  for (long block = 0; block < blocks; block++) {
    memcpy(samples, noise, sizeof noise);
    if (is_two) biquad(&two, samples);
    else onepole(&one, samples);
  }
  const int64_t taken = now_ns() - begun;
  if (samples[0] != samples[0]) return 1;
  printf("%f\n", (double)taken / (double)blocks / FRAMES);
}
