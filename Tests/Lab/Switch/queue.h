// Frames on their way, the next one due first; equals in the order they came.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { LONGEST_FRAME = 1600, MOST_FRAMES = 1 << 16 };

struct frame {
  int64_t due;  // ns, CLOCK_MONOTONIC
  uint64_t order;
  int from, to;
  bool multicast;
  uint32_t length;
  uint8_t bytes[];
};

struct frame *queue_first(void);  // NULL when empty
struct frame *queue_take(void);   // the caller frees it
bool queue_add(const struct frame *head, const uint8_t *bytes);  // false when full
