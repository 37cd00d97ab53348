// The least a program does before its first block: opens an ALSA device and writes one.
//
//   first DEVICE FRAMES   prints when it did, as CLOCK_MONOTONIC_RAW in nanoseconds
#include "bench.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  unsigned long frames = strtoul(argv[2], NULL, 10);
  int is_float;
  snd_pcm_t *pcm = open_playback(argv[1], frames, &is_float);
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  void *samples = calloc(frames * CHANNELS, 4);
  await_room(pcm, status);
  int64_t first = now_ns();
  write_block(pcm, samples, frames);
  printf("%lld\n", (long long)first);
  snd_pcm_close(pcm);
  return 0;
}
