// Vectors of 8 floats with fused multiply-add: AVX2, for processors that have it.
#ifdef __x86_64__
#include <math.h>

#include "plan.h"

#define LANES 8
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "kernel.h"
#pragma clang attribute pop

const struct kernel momu_fft_lanes_8 = KERNEL(64);
#endif
