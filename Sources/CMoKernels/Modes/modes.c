// With fused multiply-add on vectors of 8, if the processor has them.
#include "momu_modes.h"

#ifdef __x86_64__
#define GROUP 4
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "turning.h"

static void add_wide(const float *turn, float *state, int32_t vectors, float *out, int32_t frames) {
#pragma clang fp contract(fast)
  add_modes(turn, state, vectors, out, frames);
}
#pragma clang attribute pop

void momu_modes_add(const float *turn, float *state, int32_t vectors, float *out, int32_t frames) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    add_wide(turn, state, vectors, out, frames);
  } else {
    momu_modes_add_portable(turn, state, vectors, out, frames);
  }
}
#else
void momu_modes_add(const float *turn, float *state, int32_t vectors, float *out, int32_t frames) {
  momu_modes_add_portable(turn, state, vectors, out, frames);
}
#endif
