// Without vectors: the few points that fill none.
#define LANES 1
#include "kernel.h"

const struct kernel momu_fft_lanes_1 = KERNEL(2);
