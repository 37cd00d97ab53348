// The path from the caller's memory through the passes and back.

typedef struct {
  block *here, *there;
  int stride;
} position;

static float *aligned(float *scratch) {
  const uintptr_t line = CACHE_LINE * sizeof(float);
  return (float *)(((uintptr_t)scratch + line - 1) / line * line);
}

static float *second_half(float *buffer, const momu_fft *fft) { return buffer + 2 * fft->points + SCRATCH_GAP; }

/// Runs all passes but the last: the results are in `here`, and `there` is free.
static position climb(const momu_fft *fft, const float *in, float *here, float *there, bool is_swapped) {
  position at = {(block *)here, (block *)there, LANES > 1 ? 8 / LANES : 1};
  entry(in, at.here, fft, is_swapped);
  const float *factors = fft->stage_factors;
  int size = LANES > 1 ? fft->points / 8 : fft->points;
  for (int i = 0; i + 1 < fft->stages; i++) {
    const int radix = fft->radix[i], groups = size / radix;
    stage(at.here, at.there, factors, groups, at.stride, radix);
    factors += 2 * (radix - 1) * groups;
    at = (position){at.there, at.here, at.stride * radix};
    size = groups;
  }
  return at;
}

static int last_radix(const momu_fft *fft) { return fft->radix[fft->stages - 1]; }

static void complex_forward(const momu_fft *fft, const float *in, float *out, float *scratch) {
  scratch = aligned(scratch);
  position at = climb(fft, in, scratch, second_half(scratch, fft), false);
  last(at.here, out, at.stride, last_radix(fft), INTERLEAVED, 1);
}

static void complex_inverse(const momu_fft *fft, const float *in, float *out, float *scratch, float by) {
  scratch = aligned(scratch);
  position at = climb(fft, in, scratch, second_half(scratch, fft), true);
  last(at.here, out, at.stride, last_radix(fft), SWAPPED, by);
}

static void real_forward(const momu_fft *fft, const float *samples, float *bins, float *scratch) {
  scratch = aligned(scratch);
  position at = climb(fft, samples, scratch, second_half(scratch, fft), false);
  last(at.here, (float *)at.there, at.stride, last_radix(fft), AS_BLOCKS, 1);
  unfold(at.there, bins, fft);
}

static void real_inverse(const momu_fft *fft, const float *bins, float *samples, float *scratch, float by) {
  scratch = aligned(scratch);
  float *folded = second_half(scratch, fft);
  fold_back(bins, folded, fft);
  position at = climb(fft, folded, scratch, folded, true);
  last(at.here, samples, at.stride, last_radix(fft), SWAPPED, 2 * by);
}
