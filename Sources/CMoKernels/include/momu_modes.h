// Many damped oscillations together: the response of a string, a bar or a body to a blow.
//
// Each mode is a complex number that rotates and shrinks by one multiplication per frame. This is the coupled form of
// B. Gold and C. M. Rader, "Effects of parameter quantization on the poles of a digital filter", 1967. Its pitch stays
// exact in single precision, but that of the direct form is off by cents in the bass. The output is the imaginary part.
#ifndef MOMU_MODES_H
#define MOMU_MODES_H

#include <stdint.h>

/// The modes per vector; a bank is a whole number of vectors. Arrays contain, for each vector, 8 real and then 8
/// imaginary parts.
enum { MOMU_MODES_LANES = 8 };

/// Rotates `vectors` × 8 modes for `frames` frames and adds their sum to `out`; each frame's output follows its
/// rotation.
///
/// `turn` is the factor by which a frame multiplies a mode's `state`. The division of the frames into calls changes no
/// bit of the result. Real-time safe.
void momu_modes_add(const float *turn, float *state, int32_t vectors, float *out, int32_t frames);

/// The same arithmetic for processors without AVX2, for tests.
void momu_modes_add_portable(const float *turn, float *state, int32_t vectors, float *out, int32_t frames);

#endif
