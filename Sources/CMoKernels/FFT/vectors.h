// Vectors of LANES floats: loads and stores of complex values, sums and products.
//
// A block is LANES complex values, first the real parts, then the imaginary ones. In other memory they are interleaved.

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef float loose __attribute__((vector_size(4 * LANES), aligned(4)));

typedef struct {
  vector re, im;
} block;

#define INLINE static inline __attribute__((always_inline))

// The order in which floats are picked from a pair of vectors, named after the result.
#if LANES == 8
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define EVEN_BACKWARDS 14, 12, 10, 8, 6, 4, 2, 0
#define ODD_BACKWARDS 15, 13, 11, 9, 7, 5, 3, 1
#define LOW_BACKWARDS 7, 15, 6, 14, 5, 13, 4, 12
#define HIGH_BACKWARDS 3, 11, 2, 10, 1, 9, 0, 8
#define FIRST_THEN_BACKWARDS 0, 15, 14, 13, 12, 11, 10, 9
#define EVEN_OF_HALVES 0, 2, 8, 10, 4, 6, 12, 14
#define ODD_OF_HALVES 1, 3, 9, 11, 5, 7, 13, 15
#define SHUFFLED 0, 1, 4, 5, 2, 3, 6, 7
#elif LANES == 4
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#define EVEN_BACKWARDS 6, 4, 2, 0
#define ODD_BACKWARDS 7, 5, 3, 1
#define LOW_BACKWARDS 3, 7, 2, 6
#define HIGH_BACKWARDS 1, 5, 0, 4
#define FIRST_THEN_BACKWARDS 0, 7, 6, 5
#define EVEN_OF_HALVES EVEN
#define ODD_OF_HALVES ODD
#define SHUFFLED 0, 1, 2, 3
#else
#define EVEN 0
#define ODD 1
#define LOW 0
#define HIGH 1
#define EVEN_BACKWARDS 0
#define ODD_BACKWARDS 1
#define LOW_BACKWARDS 0
#define HIGH_BACKWARDS 1
#define FIRST_THEN_BACKWARDS 0
#endif
#define PICK(a, b, order) PICK_LANES(a, b, order)
#define PICK_LANES(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

INLINE block load(const float *at) {
  vector low = *(const loose *)at, high = *(const loose *)(at + LANES);
  return (block){PICK(low, high, EVEN), PICK(low, high, ODD)};
}

#if LANES > 1
/// The index of the value in each lane after load_shuffled.
static const int shuffled[LANES] = {SHUFFLED};

/// Loads with one instruction less per vector, since AVX moves floats more easily within halves than between them.
INLINE block load_shuffled(const float *at) {
  vector low = *(const loose *)at, high = *(const loose *)(at + LANES);
  return (block){PICK(low, high, EVEN_OF_HALVES), PICK(low, high, ODD_OF_HALVES)};
}
#endif

INLINE block load_backwards(const float *at) {
  vector low = *(const loose *)at, high = *(const loose *)(at + LANES);
  return (block){PICK(low, high, EVEN_BACKWARDS), PICK(low, high, ODD_BACKWARDS)};
}

INLINE void store(float *at, block a) {
  *(loose *)at = PICK(a.re, a.im, LOW);
  *(loose *)(at + LANES) = PICK(a.re, a.im, HIGH);
}

INLINE void store_backwards(float *at, block a) {
  *(loose *)at = PICK(a.re, a.im, LOW_BACKWARDS);
  *(loose *)(at + LANES) = PICK(a.re, a.im, HIGH_BACKWARDS);
}

/// Returns a complex value in all lanes.
INLINE block everywhere(const float *at) { return (block){(vector){} + at[0], (vector){} + at[1]}; }

INLINE block add(block a, block b) { return (block){a.re + b.re, a.im + b.im}; }
INLINE block subtract(block a, block b) { return (block){a.re - b.re, a.im - b.im}; }
INLINE block multiply(block a, block b) {
  return (block){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
INLINE block conjugate(block a) { return (block){a.re, -a.im}; }
INLINE block swap(block a) { return (block){a.im, a.re}; }
INLINE block scale(block a, float by) { return (block){a.re * by, a.im * by}; }
/// Multiplies by -i.
INLINE block turn(block a) { return (block){a.im, -a.re}; }
