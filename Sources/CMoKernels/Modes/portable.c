// For every processor: clang turns each into two vectors of SSE2 or NEON, or into plain floats.
#define GROUP 2
#include "turning.h"

void momu_modes_add_portable(const float *turn, float *state, int32_t vectors, float *out, int32_t frames) {
  add_modes(turn, state, vectors, out, frames);
}
