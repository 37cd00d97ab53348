// Recursive filters on blocks, with the operations in the order of the definition.
#ifndef MOMU_FILTER_H
#define MOMU_FILTER_H

/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a2·y[n−2] − a1·y[n−1], where x is the input times gain.
struct momu_filter {
  double b0, b1, b2, a1, a2, gain;
  double x1, x2, y1, y2;
};

/// Filters samples in place while the outputs are safe: all magnitudes between least and most, or all outputs 0 without
/// feedback.
///
/// Returns the number of filtered samples, a multiple of four. The next four may need care, or fewer than four are
/// left.
///
/// - Parameters:
///   - zeros, poles: the number of past samples that count: (2, 2), (1, 1), (0, 2) or (0, 1).
long momu_filter_run(struct momu_filter *filter, int zeros, int poles, float least, float most, float *samples,
                     long count);

#endif
