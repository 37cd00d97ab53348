// Nanoseconds a block on an ALSA device, in plain C.
//
//   blocks DEVICE FRAMES BLOCKS bare       the device's calls alone
//   blocks DEVICE FRAMES BLOCKS callback   the least a toolkit adds: a zeroed buffer, a call through a pointer,
//                                          a clock reading on either side, samples clipped and converted
#include <math.h>
#include <string.h>

#include "bench.h"

typedef void (*callback_t)(float *output, unsigned long frames, void *state);

static void count(float *output, unsigned long frames, void *state) {
  (void)output, (void)frames;
  ++*(volatile long *)state;
}

static float clip(float sample) { return sample > 1 ? 1 : sample < -1 ? -1 : sample; }

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  unsigned long frames = strtoul(argv[2], NULL, 10);
  long blocks = strtol(argv[3], NULL, 10), warm_up = blocks / 10, state = 0;
  int has_callback = strcmp(argv[4], "callback") == 0, is_float;
  snd_pcm_t *pcm = open_playback(argv[1], frames, &is_float);
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  float *samples = calloc(frames * CHANNELS, sizeof(float));
  int32_t *whole = calloc(frames * CHANNELS, sizeof(int32_t));
  void *device = is_float ? (void *)samples : (void *)whole;
  callback_t volatile callback = count;
  int64_t start = 0;
  become_real_time();
  volatile double load = 0;
  for (long block = 0; block < warm_up + blocks; block++) {
    if (block == warm_up) start = now_ns();
    await_room(pcm, status);
    if (has_callback) {
      int64_t before = now_ns();
      memset(samples, 0, frames * CHANNELS * sizeof(float));
      callback(samples, frames, &state);
      load = load + 0.05 * ((double)(now_ns() - before) - load);
      for (unsigned long i = 0; i < frames * CHANNELS; i++) {
        samples[i] = clip(samples[i]);
        if (!is_float) whole[i] = (int32_t)lrintf(samples[i] * 2147483520.0f);
      }
    }
    write_block(pcm, device, frames);
  }
  printf("%.3f\n", (double)(now_ns() - start) / (double)blocks);
  return 0;
}
