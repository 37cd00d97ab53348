// Treats real samples as half as many complex values (even ones real, odd ones imaginary). With Z as the transform of
// these, D = Z[k] - conj Z[n-k] and the factor -i/2 e^(-πik/n), bin k of the samples is
//   X[k] = (Z[k] + conj Z[n-k]) / 2 + factor D,
// and X[n-k] is the conjugate of the difference of the same two terms. The way back from X to Z uses the conjugate of
// the factor. (J. W. Cooley, P. A. W. Lewis and P. D. Welch, "The fast Fourier transform algorithm", 1970.)

typedef struct {
  block ahead, behind;  // at k, and at n - k
} pair;

INLINE pair fold(block ahead, block behind, block factor) {
  block mirrored = conjugate(behind);
  block half = scale(add(ahead, mirrored), 0.5f);
  block rest = multiply(subtract(ahead, mirrored), factor);
  return (pair){add(half, rest), conjugate(subtract(half, rest))};
}

/// Converts Z as blocks to the bins 0 … points.
static void unfold(const block *restrict in, float *restrict bins, const momu_fft *fft) {
  const block *factors = (const block *)fft->fold_factors;
  const int points = fft->points, blocks = points / LANES;
  block next = in[0];  // Z[n] is Z[0]
  for (int j = 0; j < blocks / 2; j++) {
    block behind = in[blocks - 1 - j];
    block backwards = {PICK(next.re, behind.re, FIRST_THEN_BACKWARDS), PICK(next.im, behind.im, FIRST_THEN_BACKWARDS)};
    next = behind;
    pair x = fold(in[j], backwards, factors[j]);
    store(bins + 2 * LANES * j, x.ahead);
    store_backwards(bins + 2 * (points + 1 - LANES * (j + 1)), x.behind);
  }
  bins[points] = in[blocks / 2].re[0];
  bins[points + 1] = -in[blocks / 2].im[0];
}

/// Converts the bins 0 … points to Z, interleaved, with room for Z[n] as well.
static void fold_back(const float *restrict bins, float *restrict out, const momu_fft *fft) {
  const block *factors = (const block *)fft->fold_factors;
  const int points = fft->points;
  for (int j = 0; j < points / LANES / 2; j++) {
    const int ahead = 2 * LANES * j, behind = 2 * (points + 1 - LANES * (j + 1));
    pair z = fold(load(bins + ahead), load_backwards(bins + behind), conjugate(factors[j]));
    store(out + ahead, z.ahead);
    store_backwards(out + behind, z.behind);
  }
  // The ends are real, whatever their imaginary parts are.
  out[0] = (bins[0] + bins[2 * points]) / 2;
  out[1] = (bins[0] - bins[2 * points]) / 2;
  out[points] = bins[points];
  out[points + 1] = -bins[points + 1];
}
