#include <lo/lo.h>

// A blob is `void *` in liblo up to 0.31 and a type of its own since 0.32, which Swift imports differently.
static inline const void *momu_blob_bytes(const void *argument) { return lo_blob_dataptr((lo_blob)argument); }
static inline uint32_t momu_blob_size(const void *argument) { return lo_blob_datasize((lo_blob)argument); }

// `lo_blob_new` cannot create an empty blob, which OSC allows; a blob is its size and its bytes (`lo_arg.blob`).
static inline int momu_add_empty_blob(lo_message message) {
  uint32_t size = 0;
  return lo_message_add_blob(message, (lo_blob)&size);
}
