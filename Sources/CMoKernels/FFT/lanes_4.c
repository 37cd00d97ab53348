// Vectors of 4 floats, which every processor has: SSE2, NEON.
#define LANES 4
#include "kernel.h"

const struct kernel momu_fft_lanes_4 = KERNEL(32);
