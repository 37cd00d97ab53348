// A reading's way to the ear in the least code that can do it: a thread that sleeps until each reading is due,
// one that sleeps until each block is, and an atomic between them.
//
//   delay FRAMES SECONDS   prints a line for every reading, in nanoseconds after its stamp:
//                          when it arrived, when its block began, when its frame reached the ear
#include <stdatomic.h>
#include <stdbool.h>

#include "bench.h"

enum { BLOCK_RATE = 44100, READINGS = 100, CAPACITY = 1 << 16, BUFFERED_BLOCKS = 2 };

static int64_t stamps[CAPACITY], arrivals[CAPACITY];
static atomic_long taken;
static atomic_bool has_ended;

static void *sensor(void *unused) {
  (void)unused;
  int64_t start = now_ns();
  for (long i = 0; i < CAPACITY && !atomic_load(&has_ended); i++) {
    stamps[i] = start + i * (1000000000 / READINGS);
    sleep_until(stamps[i]);
    arrivals[i] = now_ns();
    atomic_store_explicit(&taken, i + 1, memory_order_release);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  double block_ns = atof(argv[1]) / BLOCK_RATE * 1e9;
  long blocks = (long)(atof(argv[2]) * 1e9 / block_ns), played = 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, sensor, NULL) != 0) return 1;
  become_real_time();
  int64_t start = now_ns();
  for (long block = 0; block < blocks; block++) {
    int64_t due = start + (int64_t)((double)block * block_ns);
    sleep_until(due);
    int64_t called = now_ns(), ear = due + (int64_t)(BUFFERED_BLOCKS * block_ns);
    for (; played < atomic_load_explicit(&taken, memory_order_acquire); played++)
      printf(
          "%lld %lld %lld\n", (long long)(arrivals[played] - stamps[played]),
          (long long)(called - stamps[played]), (long long)(ear - stamps[played]));
  }
  atomic_store(&has_ended, true);
  pthread_join(thread, NULL);
  return 0;
}
