#include "momu_filter.h"

#include <stdint.h>
#include <string.h>

// A fused multiply-add would round differently from the same filter that runs a sample at a time.
#pragma STDC FP_CONTRACT OFF

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_words __attribute__((vector_size(16)));
typedef uint32_t four_heights __attribute__((vector_size(16)));

/// Keeps a value separate: if two samples' parts were computed side by side, the next sample would wait for both.
static inline double alone(double value) {
#if defined(__x86_64__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#endif
  return value;
}

static inline float step(struct momu_filter *f, int zeros, int poles, float input) {
  const double x = f->gain * (double)input;
  double y = f->b0 * x;
  if (zeros > 0) y += f->b1 * f->x1;
  if (zeros > 1) y += f->b2 * f->x2;
  // The newest output comes last, so that the loop waits for only one product and one sum.
  if (poles > 1) y -= f->a2 * f->y2;
  y = alone(y - f->a1 * f->y1);
  f->x2 = f->x1, f->x1 = x;
  f->y2 = f->y1, f->y1 = y;
  return (float)y;
}

/// Returns a float's bits without its sign, which are in the order of magnitudes.
static inline uint32_t height(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits << 1;
}

static inline int any(four_words lanes) { return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0; }

static inline __attribute__((always_inline)) long run(struct momu_filter *filter, int zeros, int poles, float least,
                                                      float most, float *samples, long count) {
  struct momu_filter f = *filter;
  const uint32_t low = height(least), range = height(most) - low;
  long done = 0;
  for (; done + 4 <= count; done += 4) {
    const struct momu_filter before = f;
    const float *in = samples + done;
    const float y0 = step(&f, zeros, poles, in[0]), y1 = step(&f, zeros, poles, in[1]);
    const float y2 = step(&f, zeros, poles, in[2]), y3 = step(&f, zeros, poles, in[3]);
    four out = {y0, y1, y2, y3};
    const four_heights heights = (four_heights)out << 1;
    if (any(heights - low >= range)) {
      const int is_silent = !any((four_words)heights) && before.y1 == 0 && before.y2 == 0 && f.y1 == 0 && f.y2 == 0;
      if (!is_silent) {
        f = before;
        break;
      }
      out = (four){0, 0, 0, 0};  // never −0
    }
    memcpy(samples + done, &out, sizeof out);
  }
  *filter = f;
  return done;
}

long momu_filter_run(struct momu_filter *filter, int zeros, int poles, float least, float most, float *samples,
                     long count) {
  if (zeros == 2) return run(filter, 2, 2, least, most, samples, count);
  if (zeros == 1) return run(filter, 1, 1, least, most, samples, count);
  if (poles == 2) return run(filter, 0, 2, least, most, samples, count);
  return run(filter, 0, 1, least, most, samples, count);
}
