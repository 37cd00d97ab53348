// The whole transform for vectors of LANES floats; each lanes_….c includes it once. Each file needs those before it.

#include "plan.h"

#include "vectors.h"

#include "butterflies.h"
#include "transpose.h"

#include "passes.h"

#include "fold.h"
#include "tables.h"

#include "run.h"

#define KERNEL(fewest) \
  {LANES, fewest, fill, complex_forward, complex_inverse, real_forward, real_inverse}
