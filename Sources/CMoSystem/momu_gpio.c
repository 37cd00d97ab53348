#include "momu_gpio.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int momu_gpio_chip(int chip, char *label) {
  struct gpiochip_info info;
  memset(&info, 0, sizeof info);
  if (ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) < 0) return -errno;
  memcpy(label, info.label, GPIO_MAX_NAME_SIZE);
  label[GPIO_MAX_NAME_SIZE - 1] = 0;
  return (int)info.lines;
}

int momu_gpio_line(int chip, uint32_t line, char *name, bool *is_used) {
  struct gpio_v2_line_info info;
  memset(&info, 0, sizeof info);
  info.offset = line;
  if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info) < 0) return -errno;
  memcpy(name, info.name, GPIO_MAX_NAME_SIZE);
  name[GPIO_MAX_NAME_SIZE - 1] = 0;
  *is_used = info.flags & GPIO_V2_LINE_FLAG_USED;
  return 0;
}

int momu_gpio_open(int chip, uint32_t line, momu_gpio_setup setup) {
  struct gpio_v2_line_request request;
  memset(&request, 0, sizeof request);
  request.num_lines = 1;
  request.offsets[0] = line;
  strcpy(request.consumer, "momu");
  if (setup.is_active_low) request.config.flags |= GPIO_V2_LINE_FLAG_ACTIVE_LOW;
  if (setup.is_output) {
    request.config.flags |= GPIO_V2_LINE_FLAG_OUTPUT;
    struct gpio_v2_line_config_attribute *attribute = &request.config.attrs[request.config.num_attrs++];
    attribute->attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    attribute->attr.values = setup.value;
    attribute->mask = 1;
  } else {
    static const uint64_t pulls[] = {0, GPIO_V2_LINE_FLAG_BIAS_PULL_UP, GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN,
                                     GPIO_V2_LINE_FLAG_BIAS_DISABLED};
    request.config.flags |= GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING |
                            pulls[setup.pull & 3];
    if (setup.debounce_us) {
      struct gpio_v2_line_config_attribute *attribute = &request.config.attrs[request.config.num_attrs++];
      attribute->attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
      attribute->attr.debounce_period_us = setup.debounce_us;
      attribute->mask = 1;
    }
  }
  if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0) return -errno;
  int flags = fcntl(request.fd, F_GETFL);
  fcntl(request.fd, F_SETFL, flags | O_NONBLOCK);
  fcntl(request.fd, F_SETFD, FD_CLOEXEC);
  return request.fd;
}

int momu_gpio_get(int line) {
  struct gpio_v2_line_values values = {.bits = 0, .mask = 1};
  if (ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0) return -errno;
  return (int)(values.bits & 1);
}

int momu_gpio_set(int line, bool value) {
  struct gpio_v2_line_values values = {.bits = value, .mask = 1};
  return ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0 ? -errno : 0;
}

int momu_gpio_changes(int line, momu_gpio_change *changes, int most) {
  struct gpio_v2_line_event events[16];
  if (most > 16) most = 16;
  ssize_t count = read(line, events, (size_t)most * sizeof *events);
  if (count < 0) return -errno;
  int number = (int)(count / (ssize_t)sizeof *events);
  for (int index = 0; index < number; index++) {
    changes[index].time_ns = events[index].timestamp_ns;
    changes[index].value = events[index].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
  }
  return number;
}
