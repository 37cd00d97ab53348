// Inner loops that need wider vectors than Swift's baseline gives; all else of MoDSP is Swift. One header a subject.
#ifndef CMOKERNELS_H
#define CMOKERNELS_H

#include "momu_fft.h"
#include "momu_modes.h"

#endif
