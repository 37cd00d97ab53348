// What the peers share: a clock, and playback on an ALSA device opened as a toolkit opens it.
#ifndef BENCH_H
#define BENCH_H

#include <alsa/asoundlib.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RATE = 48000, CHANNELS = 2 };

static inline int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Sleeps until a moment of now_ns.
static inline void sleep_until(int64_t moment) {
  int64_t left = moment - now_ns();
  if (left <= 0) return;
  struct timespec request = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &request, NULL);
}

/// The priority that MoMu gives its audio thread, where the system grants it.
static inline void become_real_time(void) {
  struct sched_param parameters = {.sched_priority = 4};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

static inline void must(int result, const char *call) {
  if (result >= 0) return;
  fprintf(stderr, "%s: %s\n", call, snd_strerror(result));
  exit(1);
}

/// Opens a device for stereo floats, four periods of `frames` deep; sample format float, or S32 where it has none.
static inline snd_pcm_t *open_playback(const char *name, snd_pcm_uframes_t frames, int *is_float) {
  snd_pcm_t *pcm;
  must(snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK), "snd_pcm_open");
  snd_pcm_hw_params_t *hardware;
  snd_pcm_hw_params_alloca(&hardware);
  must(snd_pcm_hw_params_any(pcm, hardware), "snd_pcm_hw_params_any");
  must(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "access");
  *is_float = snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_FLOAT) == 0;
  if (!*is_float) must(snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S32), "format");
  must(snd_pcm_hw_params_set_channels(pcm, hardware, CHANNELS), "channels");
  must(snd_pcm_hw_params_set_rate(pcm, hardware, RATE, 0), "rate");
  must(snd_pcm_hw_params_set_period_size(pcm, hardware, frames, 0), "period");
  must(snd_pcm_hw_params_set_buffer_size(pcm, hardware, 4 * frames), "buffer");
  must(snd_pcm_hw_params(pcm, hardware), "snd_pcm_hw_params");
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  must(snd_pcm_sw_params_current(pcm, software), "snd_pcm_sw_params_current");
  must(snd_pcm_sw_params_set_avail_min(pcm, software, frames), "avail_min");
  must(snd_pcm_sw_params(pcm, software), "snd_pcm_sw_params");
  must(snd_pcm_prepare(pcm), "snd_pcm_prepare");
  return pcm;
}

/// Waits for room and asks where the sound is: what any toolkit asks of a device before a block.
static inline void await_room(snd_pcm_t *pcm, snd_pcm_status_t *status) {
  struct pollfd requests[8];
  unsigned short events = 0;
  int count = snd_pcm_poll_descriptors(pcm, requests, 8);
  while (!(events & POLLOUT)) {
    poll(requests, (nfds_t)count, 1000);
    must(snd_pcm_poll_descriptors_revents(pcm, requests, (unsigned)count, &events), "revents");
  }
  must(snd_pcm_status(pcm, status), "snd_pcm_status");
}

static inline void write_block(snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t frames) {
  must((int)snd_pcm_writei(pcm, samples, frames), "snd_pcm_writei");
}

#endif
