// Many damped oscillations at once: what a string, a bar or a body does after a blow.
//
// Each mode is a complex number that turns and shrinks by one multiplication a frame (the coupled form of B. Gold and
// C. M. Rader, "Effects of parameter quantization on the poles of a digital filter", 1967, whose pitch stays exact in
// single precision where the direct form's is off by cents in the bass); its imaginary part is heard.
#ifndef MOMU_MODES_H
#define MOMU_MODES_H

#include <stdint.h>

/// Modes a vector; a bank is a whole number of them. Arrays hold, vector by vector, 8 real and then 8 imaginary parts.
enum { MOMU_MODES_LANES = 8 };

/// Turns `vectors` × 8 modes for `frames` frames and adds their sum to `out`; each frame is heard after its turn.
///
/// `turn` is what a frame multiplies a mode's `state` by. How the frames are divided among calls changes no bit of the
/// result. Real-time safe.
void momu_modes_add(const float *turn, float *state, int32_t vectors, float *out, int32_t frames);

/// The same arithmetic for processors without AVX2, for tests.
void momu_modes_add_portable(const float *turn, float *state, int32_t vectors, float *out, int32_t frames);

#endif
