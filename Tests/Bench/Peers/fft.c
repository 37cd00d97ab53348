// The Fourier transform of real samples by FFTW: nanoseconds a transform, the median of batches of a millisecond.
//
//   fft SIZE
#include <fftw3.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 100 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

int main(int count, char **arguments) {
  const int size = count == 2 ? atoi(arguments[1]) : 0;
  if (size < 2) {
    fprintf(stderr, "usage: fft SIZE\n");
    return 2;
  }
  float *samples = fftwf_alloc_real((size_t)size);
  fftwf_complex *bins = fftwf_alloc_complex((size_t)size / 2 + 1);
  fftwf_plan plan = fftwf_plan_dft_r2c_1d(size, samples, bins, FFTW_MEASURE);
  for (int i = 0; i < size; i++) samples[i] = sinf((float)i * (float)i);
  const int batch = 1000000 / (4 * size) > 0 ? 1000000 / (4 * size) : 1;
  double taken[BATCHES];
  for (int i = 0; i < BATCHES; i++) {
    const int64_t begun = now_ns();
    for (int j = 0; j < batch; j++) fftwf_execute(plan);
    taken[i] = (double)(now_ns() - begun) / batch;
  }
  qsort(taken, BATCHES, sizeof *taken, compare);
  printf("%f\n", taken[BATCHES / 2]);
  return 0;
}
