// Force feedback of the kernel's input system, whose calls are ioctls.
#ifndef MOMU_RUMBLE_H
#define MOMU_RUMBLE_H

#include <stdbool.h>
#include <stdint.h>

/// Whether a device can rumble.
bool momu_can_rumble(int device);

/// Gives a device an effect, in place of one it was given, or a new one for -1; its number, or a negative errno.
int momu_rumble_upload(int device, int number, uint16_t strong, uint16_t weak, uint16_t milliseconds);

/// Starts an effect, or ends it; 0, or a negative errno.
int momu_rumble_play(int device, int number, bool is_on);

#endif
