#include "air.h"

int64_t air_take(struct air *air, double frames, int64_t now) {
  if (air->frames <= 0) return now;
  double frame = 1e9 / air->frames, begin = air->taken > (double)now ? air->taken : (double)now;
  if (begin - (double)now > MOST_WAITING * frame) {
    air->dropped++;
    return -1;
  }
  air->taken = begin + frames * frame;
  air->used += frames * frame;
  return (int64_t)air->taken;
}

double air_multicast(const struct air *air, uint32_t length) {
  return air->frames > 0 ? 1 + 8.0 * length / MULTICAST_BITS * air->frames : 0;
}
