// Inner loops that Swift cannot say so well: wider vectors, or none. One header a subject; all else of MoDSP is Swift.
#ifndef CMOKERNELS_H
#define CMOKERNELS_H

#include "momu_fft.h"
#include "momu_filter.h"
#include "momu_modes.h"

#endif
