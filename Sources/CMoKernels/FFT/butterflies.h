// Transforms of 2, 4 and 8 points in place, one in each lane.

INLINE void transform_2(block *a) {
  block sum = add(a[0], a[1]), difference = subtract(a[0], a[1]);
  a[0] = sum;
  a[1] = difference;
}

INLINE void transform_4(block *a) {
  block even_sum = add(a[0], a[2]), even_difference = subtract(a[0], a[2]);
  block odd_sum = add(a[1], a[3]), odd_difference = turn(subtract(a[1], a[3]));
  a[0] = add(even_sum, odd_sum);
  a[1] = add(even_difference, odd_difference);
  a[2] = subtract(even_sum, odd_sum);
  a[3] = subtract(even_difference, odd_difference);
}

INLINE void transform_8(block *a) {
  block even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
  transform_4(even);
  transform_4(odd);
  // Multiplied by e^(-2πik/8).
  const float half_root = 0.70710678118654752f;
  odd[1] = scale(add(odd[1], turn(odd[1])), half_root);
  odd[2] = turn(odd[2]);
  odd[3] = scale(subtract(turn(odd[3]), odd[3]), half_root);
  for (int k = 0; k < 4; k++) {
    a[k] = add(even[k], odd[k]);
    a[k + 4] = subtract(even[k], odd[k]);
  }
}

INLINE void transform(block *a, int radix) {
  switch (radix) {
    case 2: transform_2(a); break;
    case 4: transform_4(a); break;
    default: transform_8(a);
  }
}
