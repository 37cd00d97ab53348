// The factors e^(-2πij/n) of a plan, in the order in which the passes read them.

#include <math.h>

/// Sets a complex factor `turns` of a circle clockwise; its parts are `apart` floats apart.
static void set_factor(float *at, int apart, double turns, double radius) {
  const double full_circle = 6.283185307179586477;
  at[0] = (float)(radius * cos(full_circle * turns));
  at[apart] = (float)(-radius * sin(full_circle * turns));
}

static size_t fill(momu_fft *fft, float *tables, bool is_real) {
  const int points = fft->points;
  size_t used = 0;
  int size = points;
#if LANES > 1
  size /= 8;
  fft->entry_factors = tables;
  for (int group = 0; group < size; group += LANES) {
    for (int k = 1; k < 8; k++, used += 2 * LANES) {
      for (int lane = 0; tables && lane < LANES; lane++) {
        set_factor(tables + used + lane, LANES, (double)k * (group + shuffled[lane]) / points, 1);
      }
    }
  }
#endif
  if (is_real) {
    fft->fold_factors = tables ? tables + used : NULL;
    for (int j = 0; j < points / 2; j += LANES, used += 2 * LANES) {
      for (int lane = 0; tables && lane < LANES; lane++) {
        set_factor(tables + used + lane, LANES, 0.25 + (j + lane) / (2.0 * points), 0.5);
      }
    }
  }
  fft->stage_factors = tables ? tables + used : NULL;
  for (int i = 0; i + 1 < fft->stages; i++) {
    const int groups = size / fft->radix[i];
    for (int group = 0; group < groups; group++) {
      for (int k = 1; k < fft->radix[i]; k++, used += 2) {
        if (tables) set_factor(tables + used, 1, (double)k * group / size, 1);
      }
    }
    size = groups;
  }
  return used;
}
