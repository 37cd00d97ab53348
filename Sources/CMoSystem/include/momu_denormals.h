// Denormal numbers: the values of a decaying filter become denormal, and the filter then runs a hundred times slower.
#ifndef MOMU_DENORMALS_H
#define MOMU_DENORMALS_H

#include <stdint.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/// Makes the calling thread's floating point treat denormal inputs and outputs as zero.
static inline void momu_flush_denormals(void) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero (bit 15), denormals are zero (bit 6)
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | (1ULL << 24)));
#endif
}

#endif
