// Nanoseconds a sample of a voice of the Synthesis ToolKit's while it sounds: voices plucked|mandolin|modalbar|shakers BATCHES
//
// The median of batches of 20 blocks of 512 frames, as momu-bench takes it; struck as often, shaken all the time.
#define __LITTLE_ENDIAN__ 1
#include <stk/Mandolin.h>
#include <stk/ModalBar.h>
#include <stk/Plucked.h>
#include <stk/Shakers.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

static int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

template <class Voice> static int measure(Voice &voice, double frequency, long every, long batches) {
  enum { FRAMES = 512, BLOCKS = 20 };
  static float samples[FRAMES];
  std::vector<int64_t> times;
  for (long batch = 0; batch < batches; batch++) {
    const int64_t begun = now_ns();
    for (long block = 0; block < BLOCKS; block++) {
      if ((batch * BLOCKS + block) % every == 0) voice.noteOn(frequency, 0.8);
      memset(samples, 0, sizeof samples);
      for (int i = 0; i < FRAMES; i++) samples[i] += (float)voice.tick();
    }
    times.push_back(now_ns() - begun);
    if (samples[0] != samples[0]) return 1;
  }
  std::sort(times.begin(), times.end());
  printf("%f\n", (double)times[batches / 2] / (BLOCKS * FRAMES));
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const long batches = atol(arguments[2]);
  const char *name = arguments[1];
  stk::Stk::setSampleRate(48000);
  stk::Stk::setRawwavePath("/usr/share/stk/rawwaves/");
  if (!strcmp(name, "plucked")) {
    stk::Plucked voice(20);
    return measure(voice, 220, 100, batches);
  }
  if (!strcmp(name, "mandolin")) {
    stk::Mandolin voice(20);
    return measure(voice, 220, 100, batches);
  }
  if (!strcmp(name, "modalbar")) {
    stk::ModalBar voice;
    return measure(voice, 440, 30, batches);
  }
  if (!strcmp(name, "shakers")) {
    stk::Shakers voice;
    return measure(voice, 440, 5, batches);
  }
  return 2;
}
