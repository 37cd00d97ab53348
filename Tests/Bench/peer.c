// The least that any toolkit does, in C: the same card, the same calls once a block, a callback through a pointer.
//   peer blocks        nanoseconds a block of 64 frames on ALSA's null card
//   peer first-block   host time in nanoseconds of the first block
#include <alsa/asoundlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static volatile long called;
static void callback(float *out, int frames) { called++; }
static void (*volatile play)(float *, int) = callback;

int main(int count, char **words) {
  enum { frames = 64 };
  static float block[2 * frames];
  snd_pcm_t *card;
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  if (snd_pcm_open(&card, "null", SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) < 0) return 1;
  if (snd_pcm_set_params(card, SND_PCM_FORMAT_FLOAT, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48000, 0, 5333) < 0) return 1;
  snd_pcm_start(card);
  if (count > 1 && strcmp(words[1], "first-block") == 0) {
    play(block, frames);
    printf("%lld\n", (long long)now());
    return 0;
  }
  long blocks = 0;
  int64_t begun = now(), ended = begun;
  while (ended - begun < 1000000000) {
    for (int i = 0; i < 100; i++) {
      snd_pcm_avail_update(card);
      snd_pcm_status(card, status);
      memset(block, 0, sizeof block);
      play(block, frames);
      snd_pcm_writei(card, block, frames);
      blocks++;
    }
    ended = now();
  }
  printf("%f\n", (double)(ended - begun) / blocks);
}
