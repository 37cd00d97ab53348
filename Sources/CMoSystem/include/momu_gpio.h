// Pins through the kernel's character devices /dev/gpiochipN, interface version 2, whose calls are ioctls.
// Source: the kernel's Documentation/userspace-api/gpio/chardev.rst, include/uapi/linux/gpio.h.
#ifndef MOMU_GPIO_H
#define MOMU_GPIO_H

#include <stdbool.h>
#include <stdint.h>

/// How a pin is set up.
typedef struct {
  bool is_output;
  /// Whether 1 means the low level.
  bool is_active_low;
  /// 0 leaves the pull as it is, 1 pulls up, 2 pulls down, 3 switches it off.
  int pull;
  /// How long an input must be steady, in microseconds; 0 for none.
  uint32_t debounce_us;
  /// An output's first value.
  bool value;
} momu_gpio_setup;

/// One change of an input.
typedef struct {
  /// When, in nanoseconds of CLOCK_MONOTONIC, stamped by the kernel's interrupt.
  uint64_t time_ns;
  bool value;
} momu_gpio_change;

/// How many lines a chip has, and its label, which has room for 32 bytes; a negative errno if it is no GPIO chip.
int momu_gpio_chip(int chip, char *label);

/// A line's name, which has room for 32 bytes, and whether another program or driver uses it; 0, or a negative errno.
int momu_gpio_line(int chip, uint32_t line, char *name, bool *is_used);

/// Takes a line; its descriptor, or a negative errno. The line is let go when the descriptor is closed.
int momu_gpio_open(int chip, uint32_t line, momu_gpio_setup setup);

/// A line's value, 0 or 1, or a negative errno.
int momu_gpio_get(int line);

/// Sets an output; 0, or a negative errno.
int momu_gpio_set(int line, bool value);

/// Reads the changes that are there, without waiting; how many, or a negative errno.
int momu_gpio_changes(int line, momu_gpio_change *changes, int most);

#endif
