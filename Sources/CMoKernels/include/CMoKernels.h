// Inner loops with wider vectors than Swift offers, or without vectors. One header per subject; all else of MoDSP is
// Swift.
#ifndef CMOKERNELS_H
#define CMOKERNELS_H

#include "momu_fft.h"
#include "momu_filter.h"
#include "momu_modes.h"

#endif
