// What only an ioctl tells about a terminal.
#ifndef MOMU_TERMINAL_H
#define MOMU_TERMINAL_H

#include <sys/ioctl.h>

/// How many columns the terminal has, or 80 where it does not say.
static inline int momu_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// How many rows the terminal has, or 24 where it does not say.
static inline int momu_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

#endif
