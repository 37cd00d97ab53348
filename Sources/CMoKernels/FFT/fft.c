// Creates plans for the widest available vectors, and passes calls on to them.
#include <stdlib.h>

#include "plan.h"

static bool runs_here(const struct kernel *kernel) {
#ifdef __x86_64__
  return kernel->lanes < 8 || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#else
  return kernel->lanes < 8;
#endif
}

static const struct kernel *choose(int32_t points, int32_t lanes) {
  static const struct kernel *const widest_first[] = {
#ifdef __x86_64__
      &momu_fft_lanes_8,
#endif
      &momu_fft_lanes_4, &momu_fft_lanes_1};
  for (size_t i = 0; i < sizeof widest_first / sizeof *widest_first; i++) {
    const struct kernel *kernel = widest_first[i];
    if (points >= kernel->fewest_points && (lanes == 0 || lanes == kernel->lanes) && runs_here(kernel)) return kernel;
  }
  return NULL;
}

/// Splits a power of two, given its logarithm, into as many factors of eight as possible; factors of four come first.
static int32_t split(int32_t bits, int32_t *radix) {
  int32_t stages = 0;
  if (bits == 1) radix[stages++] = 2;
  for (; bits >= 2 && bits % 3 != 0; bits -= 2) radix[stages++] = 4;
  for (; bits >= 3; bits -= 3) radix[stages++] = 8;
  return stages;
}

momu_fft *momu_fft_make(int32_t points, bool is_real, int32_t lanes) {
  const struct kernel *kernel = choose(points, lanes);
  momu_fft *fft = kernel ? calloc(1, sizeof *fft) : NULL;
  if (!fft) return NULL;
  fft->kernel = kernel;
  fft->points = points;
  fft->stages = split(__builtin_ctz((unsigned)points) - (kernel->lanes > 1 ? 3 : 0), fft->radix);
  size_t bytes = kernel->fill(fft, NULL, is_real) * sizeof(float), line = CACHE_LINE * sizeof(float);
  fft->tables = aligned_alloc(line, (bytes + line) / line * line);
  if (!fft->tables) {
    free(fft);
    return NULL;
  }
  kernel->fill(fft, fft->tables, is_real);
  return fft;
}

void momu_fft_free(momu_fft *fft) {
  if (!fft) return;
  free(fft->tables);
  free(fft);
}

int32_t momu_fft_lanes(const momu_fft *fft) { return fft->kernel->lanes; }

size_t momu_fft_scratch(const momu_fft *fft) {
  // Two buffers, each with room for one more point, and the padding that may align the first.
  return 4 * (size_t)fft->points + SCRATCH_GAP + 2 * CACHE_LINE;
}

void momu_fft_complex(const momu_fft *fft, const float *in, float *out, float *scratch) {
  fft->kernel->complex(fft, in, out, scratch);
}

void momu_fft_complex_inverse(const momu_fft *fft, const float *in, float *out, float *scratch, float scale) {
  fft->kernel->complex_inverse(fft, in, out, scratch, scale);
}

void momu_fft_real(const momu_fft *fft, const float *samples, float *bins, float *scratch) {
  fft->kernel->real(fft, samples, bins, scratch);
}

void momu_fft_real_inverse(const momu_fft *fft, const float *bins, float *samples, float *scratch, float scale) {
  fft->kernel->real_inverse(fft, bins, samples, scratch, scale);
}
