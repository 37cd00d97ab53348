// The rotation of the modes; each file that includes it is compiled for another processor. GROUP vectors rotate
// together, as many as the registers hold, since a single one would wait for its own last result.
#include <stdint.h>

#include "momu_modes.h"

typedef float lanes __attribute__((vector_size(32), aligned(4)));

#define INLINE static inline __attribute__((always_inline))

/// The number of frames whose sums are kept by lane before they are added up across the lanes.
enum { CHUNK = 64 };

/// Rotates `count` vectors; `count` is a constant in every call.
INLINE void turn_group(const float *turn, float *state, const int32_t count, lanes *sums, int32_t frames) {
  lanes re[GROUP], im[GROUP], c[GROUP], s[GROUP];
  for (int32_t i = 0; i < count; i++) {
    re[i] = *(const lanes *)(state + 16 * i);
    im[i] = *(const lanes *)(state + 16 * i + 8);
    c[i] = *(const lanes *)(turn + 16 * i);
    s[i] = *(const lanes *)(turn + 16 * i + 8);
  }
  for (int32_t frame = 0; frame < frames; frame++) {
    lanes sum = sums[frame];
#pragma clang loop unroll(full)
    for (int32_t i = 0; i < count; i++) {
      lanes x = re[i] * c[i] - im[i] * s[i];
      im[i] = re[i] * s[i] + im[i] * c[i];
      re[i] = x;
      sum += im[i];
    }
    sums[frame] = sum;
  }
  for (int32_t i = 0; i < count; i++) {
    *(lanes *)(state + 16 * i) = re[i];
    *(lanes *)(state + 16 * i + 8) = im[i];
  }
}

INLINE void add_modes(const float *turn, float *state, int32_t vectors, float *out, int32_t frames) {
  lanes sums[CHUNK];
  while (frames > 0) {
    int32_t now = frames < CHUNK ? frames : CHUNK;
    for (int32_t frame = 0; frame < now; frame++) sums[frame] = (lanes){};
    int32_t done = 0;
    for (; done + GROUP <= vectors; done += GROUP) turn_group(turn + 16 * done, state + 16 * done, GROUP, sums, now);
    for (; done < vectors; done++) turn_group(turn + 16 * done, state + 16 * done, 1, sums, now);
    for (int32_t frame = 0; frame < now; frame++) {
      lanes v = sums[frame];
      out[frame] += ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    }
    out += now;
    frames -= now;
  }
}
