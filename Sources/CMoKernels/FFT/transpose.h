// Transposes eight blocks, each with one output of LANES neighbouring transforms, so that memory receives the outputs
// of one transform after another.

#if LANES == 8
INLINE void transpose(vector *rows) {
  vector pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = PICK_LANES(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = PICK_LANES(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; j++) {
      fours[i + 2 * j] = PICK_LANES(pairs[i + j], pairs[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * j + 1] = PICK_LANES(pairs[i + j], pairs[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; i++) {
    rows[i] = PICK_LANES(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + 4] = PICK_LANES(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
#elif LANES == 4
INLINE void transpose(vector *rows) {
  vector low[2], high[2];
  for (int i = 0; i < 2; i++) {
    low[i] = PICK(rows[2 * i], rows[2 * i + 1], LOW);
    high[i] = PICK(rows[2 * i], rows[2 * i + 1], HIGH);
  }
  rows[0] = PICK_LANES(low[0], low[1], 0, 1, 4, 5);
  rows[1] = PICK_LANES(low[0], low[1], 2, 3, 6, 7);
  rows[2] = PICK_LANES(high[0], high[1], 0, 1, 4, 5);
  rows[3] = PICK_LANES(high[0], high[1], 2, 3, 6, 7);
}
#endif

#if LANES > 1
/// Stores values that were loaded by load_shuffled in their original order.
INLINE void store_transposed(block *at, const block *outputs) {
  const int squares = 8 / LANES;
  for (int square = 0; square < squares; square++) {
    vector re[LANES], im[LANES];
    for (int k = 0; k < LANES; k++) {
      re[k] = outputs[square * LANES + k].re;
      im[k] = outputs[square * LANES + k].im;
    }
    transpose(re);
    transpose(im);
    for (int k = 0; k < LANES; k++) at[squares * shuffled[k] + square] = (block){re[k], im[k]};
  }
}
#endif
