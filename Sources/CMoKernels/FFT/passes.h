// The passes of a transform: an entry that sorts into blocks, stages with factors, and a last pass without factors.
//
// A pass of radix r receives transforms of r * groups values, in `stride` parallel blocks. It returns r times as many
// transforms of `groups` values.

/// The form of the last pass's results.
enum finish { AS_BLOCKS, INTERLEAVED, SWAPPED };

#if LANES > 1
INLINE void entry_of(const float *in, block *out, const block *factors, int points, bool is_swapped) {
  const int groups = points / 8;
  for (int group = 0; group < groups; group += LANES, factors += 7, out += 8) {
    block a[8];
    for (int k = 0; k < 8; k++) {
      a[k] = load_shuffled(in + 2 * (group + groups * k));
      if (is_swapped) a[k] = swap(a[k]);
    }
    transform_8(a);
    for (int k = 1; k < 8; k++) a[k] = multiply(a[k], factors[k - 1]);
    store_transposed(out, a);
  }
}

/// The first pass: radix 8, from interleaved values; swapped real and imaginary parts make it an inverse.
static void entry(const float *in, block *out, const momu_fft *fft, bool is_swapped) {
  const block *factors = (const block *)fft->entry_factors;
  if (is_swapped) {
    entry_of(in, out, factors, fft->points, true);
  } else {
    entry_of(in, out, factors, fft->points, false);
  }
}
#else
/// A block is a single complex value, and the stages do all the work.
static void entry(const float *in, block *out, const momu_fft *fft, bool is_swapped) {
  for (int k = 0; k < fft->points; k++) out[k] = is_swapped ? swap(load(in + 2 * k)) : load(in + 2 * k);
}
#endif

INLINE void stage_of(
    const block *restrict in, block *restrict out, const float *factors, int groups, int stride, int radix) {
  for (int group = 0; group < groups; group++, factors += 2 * (radix - 1)) {
    block factor[8];
    for (int k = 1; k < radix; k++) factor[k] = everywhere(factors + 2 * (k - 1));
    for (int side = 0; side < stride; side++) {
      block a[8];
      for (int k = 0; k < radix; k++) a[k] = in[side + stride * (group + groups * k)];
      transform(a, radix);
      out[side + stride * radix * group] = a[0];
      for (int k = 1; k < radix; k++) out[side + stride * (radix * group + k)] = multiply(a[k], factor[k]);
    }
  }
}

static void stage(
    const block *restrict in, block *restrict out, const float *factors, int groups, int stride, int radix) {
  if (radix == 8) {
    stage_of(in, out, factors, groups, stride, 8);
  } else {
    stage_of(in, out, factors, groups, stride, 4);
  }
}

INLINE void last_of(
    const block *restrict in, float *restrict out, int stride, int radix, enum finish finish, float by) {
  for (int side = 0; side < stride; side++) {
    block a[8];
    for (int k = 0; k < radix; k++) a[k] = in[side + stride * k];
    transform(a, radix);
    for (int k = 0; k < radix; k++) {
      float *at = out + 2 * LANES * (side + stride * k);
      switch (finish) {
        case AS_BLOCKS: *(block *)at = a[k]; break;
        case INTERLEAVED: store(at, a[k]); break;
        case SWAPPED: store(at, scale(swap(a[k]), by)); break;
      }
    }
  }
}

INLINE void last_to(const block *in, float *out, int stride, int radix, enum finish finish, float by) {
  switch (radix) {
#if LANES == 1
    case 2: last_of(in, out, stride, 2, finish, by); break;
#endif
    case 4: last_of(in, out, stride, 4, finish, by); break;
    default: last_of(in, out, stride, 8, finish, by);
  }
}

/// The last pass: a single group, so all factors are 1. Swapped results are also scaled.
static void last(const block *in, float *out, int stride, int radix, enum finish finish, float by) {
  switch (finish) {
    case AS_BLOCKS: last_to(in, out, stride, radix, AS_BLOCKS, by); break;
    case INTERLEAVED: last_to(in, out, stride, radix, INTERLEAVED, by); break;
    case SWAPPED: last_to(in, out, stride, radix, SWAPPED, by); break;
  }
}
