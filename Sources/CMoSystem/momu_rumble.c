#include "momu_rumble.h"

#include <errno.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool momu_can_rumble(int device) {
  unsigned char bits[FF_MAX / 8 + 1] = {0};
  return ioctl(device, EVIOCGBIT(EV_FF, sizeof bits), bits) >= 0 && bits[FF_RUMBLE / 8] >> FF_RUMBLE % 8 & 1;
}

int momu_rumble_upload(int device, int number, uint16_t strong, uint16_t weak, uint16_t milliseconds) {
  struct ff_effect effect;
  memset(&effect, 0, sizeof effect);
  effect.type = FF_RUMBLE;
  effect.id = (short)number;
  effect.u.rumble.strong_magnitude = strong;
  effect.u.rumble.weak_magnitude = weak;
  effect.replay.length = milliseconds;
  return ioctl(device, EVIOCSFF, &effect) < 0 ? -errno : effect.id;
}

int momu_rumble_play(int device, int number, bool is_on) {
  struct input_event event;
  memset(&event, 0, sizeof event);
  event.type = EV_FF;
  event.code = (unsigned short)number;
  event.value = is_on;
  return write(device, &event, sizeof event) == sizeof event ? 0 : -errno;
}
