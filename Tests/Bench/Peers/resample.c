// Nanoseconds a block of stereo costs libsamplerate when each block has a ratio of its own: resample FRAMES BLOCKS
//
// SRC_SINC_MEDIUM_QUALITY keeps images 121 dB down.
#include <samplerate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const long frames = atol(arguments[1]), blocks = atol(arguments[2]);
  if (frames < 1 || frames > 4096) return 2;
  static float noise[2 * 4096], heard[2 * 8192];
  for (int i = 0; i < 2 * frames; i++) noise[i] = (float)(i * 7919L % frames) / (float)(frames / 2) - 1;
  int error = 0;
  SRC_STATE *state = src_new(SRC_SINC_MEDIUM_QUALITY, 2, &error);
  if (!state) return 1;
  int64_t begun = 0;
  long made = 0;
  for (long block = -blocks / 10; block < blocks; block++) {
    if (block == 0) begun = now_ns(), made = 0;
    SRC_DATA data = {.data_in = noise, .data_out = heard, .input_frames = frames, .output_frames = 8192,
                     .src_ratio = 1 - 1e-4 - 1e-7 * (double)(block % 10)};
    if (src_process(state, &data)) return 1;
    made += data.output_frames_gen;
  }
  const int64_t taken = now_ns() - begun;
  if (made < blocks * frames / 100 * 99) return 1;
  printf("%f\n", (double)taken / (double)blocks);
}
