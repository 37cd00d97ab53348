// Pins through the kernel's character devices /dev/gpiochipN, interface version 2, whose calls are ioctls.
// Source: the kernel's Documentation/userspace-api/gpio/chardev.rst, include/uapi/linux/gpio.h.
#ifndef MOMU_GPIO_H
#define MOMU_GPIO_H

#include <stdbool.h>
#include <stdint.h>

/// The configuration of a pin.
typedef struct {
  bool is_output;
  /// Whether 1 means the low level.
  bool is_active_low;
  /// 0 leaves the pull as it is, 1 pulls up, 2 pulls down, 3 switches it off.
  int pull;
  /// The time for which an input must be steady, in microseconds; 0 for none.
  uint32_t debounce_us;
  /// An output's first value.
  bool value;
} momu_gpio_setup;

/// A change of an input.
typedef struct {
  /// The time in nanoseconds of CLOCK_MONOTONIC, from the kernel's interrupt.
  uint64_t time_ns;
  bool value;
} momu_gpio_change;

/// Returns the number of lines of a chip, and its label of up to 32 bytes; a negative errno if it is not a GPIO chip.
int momu_gpio_chip(int chip, char *label);

/// Gets a line's name of up to 32 bytes, and whether another program or driver uses it; returns 0, or a negative errno.
int momu_gpio_line(int chip, uint32_t line, char *name, bool *is_used);

/// Requests a line; returns its descriptor, or a negative errno. Close the descriptor to release the line.
int momu_gpio_open(int chip, uint32_t line, momu_gpio_setup setup);

/// Returns a line's value, 0 or 1, or a negative errno.
int momu_gpio_get(int line);

/// Sets an output; returns 0, or a negative errno.
int momu_gpio_set(int line, bool value);

/// Reads the changes so far, without waiting; returns their number, or a negative errno.
int momu_gpio_changes(int line, momu_gpio_change *changes, int most);

#endif
