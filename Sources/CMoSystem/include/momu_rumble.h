// Force feedback of the kernel's input system, whose calls are ioctls.
#ifndef MOMU_RUMBLE_H
#define MOMU_RUMBLE_H

#include <stdbool.h>
#include <stdint.h>

/// Returns whether a device can rumble.
bool momu_can_rumble(int device);

/// Uploads an effect to a device, in place of the effect with this number, or a new one for -1. Returns its number, or
/// a negative errno.
int momu_rumble_upload(int device, int number, uint16_t strong, uint16_t weak, uint16_t milliseconds);

/// Starts or stops an effect; returns 0, or a negative errno.
int momu_rumble_play(int device, int number, bool is_on);

#endif
