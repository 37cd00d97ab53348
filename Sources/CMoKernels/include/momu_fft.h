// Fast Fourier transforms of powers of two, in single precision.
//
// J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965), in T. G.
// Stockham's self-sorting form. In it, every pass reads one buffer and writes the other. Its innermost loop runs over
// neighbours, so that vectors of any width fit it. The same source is compiled for each width; a new plan uses the
// widest that this processor has.
#ifndef MOMU_FFT_H
#define MOMU_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A plan: tables for one size. It never changes after its creation, so that threads may share it.
typedef struct momu_fft momu_fft;

/// Creates a plan for `points` complex values, a power of two from 2 to 65536, and for `2 * points` real ones if
/// `is_real`. `lanes` is 1, 4 or 8 floats per vector, or 0 for the fastest. Returns null if this processor or the small
/// size does not support them, or memory ran out. Not real-time safe.
momu_fft *momu_fft_make(int32_t points, bool is_real, int32_t lanes);

/// Frees a plan. Not real-time safe.
void momu_fft_free(momu_fft *fft);

/// Returns the number of floats per vector.
int32_t momu_fft_lanes(const momu_fft *fft);

/// Returns the scratch memory that a call needs, in floats. One thread owns it during the call; its contents do not
/// matter.
size_t momu_fft_scratch(const momu_fft *fft);

// In the following functions, `in` and `out` may be the same memory, but must not overlap otherwise. Complex values are
// interleaved.

/// Sums in[j] e^(-2πijk/points) over j.
void momu_fft_complex(const momu_fft *fft, const float *in, float *out, float *scratch);

/// Sums in[k] e^(+2πijk/points) over k, times `scale`.
void momu_fft_complex_inverse(const momu_fft *fft, const float *in, float *out, float *scratch, float scale);

/// Converts 2 * points real samples to the complex bins 0 … points.
void momu_fft_real(const momu_fft *fft, const float *samples, float *bins, float *scratch);

/// Converts the complex bins 0 … points, the first and last as real numbers, to 2 * points real samples, times `scale`.
/// A `scale` of 1 / (2 * points) reverses momu_fft_real.
void momu_fft_real_inverse(const momu_fft *fft, const float *bins, float *samples, float *scratch, float scale);

#endif
