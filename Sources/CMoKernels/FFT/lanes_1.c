// Without vectors: for sizes too small to fill a vector.
#define LANES 1
#include "kernel.h"

const struct kernel momu_fft_lanes_1 = KERNEL(2);
