// The properties of a terminal that only an ioctl returns.
#ifndef MOMU_TERMINAL_H
#define MOMU_TERMINAL_H

#include <sys/ioctl.h>

/// Returns the number of columns of the terminal, or 80 if it does not report it.
static inline int momu_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Returns the number of rows of the terminal, or 24 if it does not report it.
static inline int momu_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

#endif
