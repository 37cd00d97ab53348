#include "queue.h"

#include <stdlib.h>
#include <string.h>

static struct frame *heap[MOST_FRAMES];
static uint32_t count;
static uint64_t added;

static bool before(const struct frame *a, const struct frame *b) {
  return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void swap(uint32_t i, uint32_t j) {
  struct frame *kept = heap[i];
  heap[i] = heap[j];
  heap[j] = kept;
}

struct frame *queue_first(void) { return count ? heap[0] : NULL; }

bool queue_add(const struct frame *head, const uint8_t *bytes) {
  struct frame *frame = count < MOST_FRAMES ? malloc(sizeof *frame + head->length) : NULL;
  if (!frame) return false;
  *frame = *head;
  frame->order = added++;
  memcpy(frame->bytes, bytes, head->length);
  heap[count] = frame;
  for (uint32_t i = count++; i > 0 && before(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2) swap(i, (i - 1) / 2);
  return true;
}

struct frame *queue_take(void) {
  if (count == 0) return NULL;
  struct frame *taken = heap[0];
  heap[0] = heap[--count];
  for (uint32_t i = 0, least = 0;; i = least) {
    for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
      if (before(heap[child], heap[least])) least = child;
    if (least == i) return taken;
    swap(i, least);
  }
}
