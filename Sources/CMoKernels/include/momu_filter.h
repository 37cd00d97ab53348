// Blocks through filters whose output comes back, in the order of operations of their definition.
#ifndef MOMU_FILTER_H
#define MOMU_FILTER_H

/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a2·y[n−2] − a1·y[n−1], where x is the input times gain.
struct momu_filter {
  double b0, b1, b2, a1, a2, gain;
  double x1, x2, y1, y2;
};

/// Filters samples in place as long as what comes out is sound: each output between least and most in magnitude, or
/// all of them 0 with nothing coming back.
///
/// Returns how many were filtered, always in fours; the next four may need care, or fewer than four are left.
///
/// - Parameters:
///   - zeros, poles: how many samples of the past count: (2, 2), (1, 1), (0, 2) or (0, 1).
long momu_filter_run(struct momu_filter *filter, int zeros, int poles, float least, float most, float *samples,
                     long count);

#endif
