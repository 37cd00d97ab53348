// The contents of a plan, and the functions of each vector width.
#ifndef MOMU_FFT_PLAN_H
#define MOMU_FFT_PLAN_H

#include "momu_fft.h"

enum { MOST_STAGES = 6, MOST_LANES = 8, CACHE_LINE = 16 };  // CACHE_LINE in floats

// The gap between the two scratch buffers, in floats. If they were a multiple of 4 KiB apart, a load would wait for
// earlier stores whose addresses have the same low 12 bits.
enum { SCRATCH_GAP = 35 * CACHE_LINE };

/// The functions of a vector width.
struct kernel {
  int32_t lanes;
  int32_t fewest_points;
  /// Fills the tables, or only counts their floats if `tables` is null.
  size_t (*fill)(momu_fft *fft, float *tables, bool is_real);
  void (*complex)(const momu_fft *fft, const float *in, float *out, float *scratch);
  void (*complex_inverse)(const momu_fft *fft, const float *in, float *out, float *scratch, float scale);
  void (*real)(const momu_fft *fft, const float *samples, float *bins, float *scratch);
  void (*real_inverse)(const momu_fft *fft, const float *bins, float *samples, float *scratch, float scale);
};

struct momu_fft {
  const struct kernel *kernel;
  int32_t points;
  int32_t stages;
  int32_t radix[MOST_STAGES];  // of each stage; an entry pass of radix 8 precedes them where lanes > 1
  // Factors in the order of their use.
  const float *entry_factors;
  const float *stage_factors;
  const float *fold_factors;
  float *tables;
};

extern const struct kernel momu_fft_lanes_1, momu_fft_lanes_4, momu_fft_lanes_8;

#endif
