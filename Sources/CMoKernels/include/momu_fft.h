// Fast Fourier transforms of powers of two, in single precision.
//
// J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965), in
// T. G. Stockham's self-sorting form, where every pass reads one buffer and writes the other: its innermost loop
// runs over neighbours, so that vectors of any width fit it. The same source is compiled for each width; the
// widest that this processor has is chosen when a plan is made.
#ifndef MOMU_FFT_H
#define MOMU_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A plan: tables for one size, never changed once made, so that threads may share it.
typedef struct momu_fft momu_fft;

/// Makes a plan for `points` complex values, a power of two from 2 to 65536, and for `2 * points` real ones if
/// `is_real`. `lanes` is 1, 4 or 8 floats a vector, or 0 for the fastest; null where this processor or so small a
/// size cannot have it, or memory ran out. Not real-time safe.
momu_fft *momu_fft_make(int32_t points, bool is_real, int32_t lanes);

/// Frees a plan. Not real-time safe.
void momu_fft_free(momu_fft *fft);

/// Floats a vector.
int32_t momu_fft_lanes(const momu_fft *fft);

/// Floats of scratch memory that a call needs: one thread's own for the length of the call, of any content.
size_t momu_fft_scratch(const momu_fft *fft);

// Of what follows, `in` and `out` may be the same memory, but not overlap otherwise. Complex values are interleaved.

/// Sums in[j] e^(-2πijk/points) over j.
void momu_fft_complex(const momu_fft *fft, const float *in, float *out, float *scratch);

/// Sums in[k] e^(+2πijk/points) over k, times `scale`.
void momu_fft_complex_inverse(const momu_fft *fft, const float *in, float *out, float *scratch, float scale);

/// From 2 * points real samples to the complex bins 0 … points.
void momu_fft_real(const momu_fft *fft, const float *samples, float *bins, float *scratch);

/// From the complex bins 0 … points, the first and last taken as real, to 2 * points real samples, times `scale`:
/// 1 / (2 * points) undoes momu_fft_real.
void momu_fft_real_inverse(const momu_fft *fft, const float *bins, float *samples, float *scratch, float scale);

#endif
