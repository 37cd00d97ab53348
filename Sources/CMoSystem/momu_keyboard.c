#define _GNU_SOURCE
#include "momu_keyboard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// The signals that end the program, stop it, or report that it continues. A program that blocks one of them, as MoApp
// does with the first three, must restore the terminal itself: the handler then never runs.
static const int kept_signals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT,
                                   SIGSEGV, SIGBUS,  SIGILL, SIGFPE,  SIGTRAP, SIGABRT};
enum { kept_count = sizeof kept_signals / sizeof *kept_signals };

static struct sigaction previous[kept_count];
static struct termios as_it_was;
static struct termios as_keyboard;
static int terminal = -1;
// The descriptor to which the request to mark pasted text is written; -1 for none.
static int marks = -1;
static atomic_int is_open;
static atomic_int screen = -1;
static atomic_int is_stale;
// Whether the terminal is being restored for the last time.
static atomic_int is_ending;
// How long a restoration waits for a terminal that accepts nothing, in milliseconds.
enum { handler_timeout = 100, end_timeout = 500 };
// Whether the program was in the background since its keyboard mode was last set.
static atomic_int is_away;

static void handle(int number, siginfo_t *info, void *context);

static int index_of(int number) {
  int index = 0;
  while (kept_signals[index] != number) index++;
  return index;
}

static void install(int number) {
  struct sigaction before, action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(number, &action, &before);
  // It is installed already, for the keyboard or for the screen.
  if (before.sa_sigaction == handle) return;
  previous[index_of(number)] = before;
  // An ignored signal, as under nohup, stays ignored. A handler of the program for Ctrl-C also stays.
  int has_owner = before.sa_handler != SIG_DFL && (number == SIGINT || number == SIGTERM || number == SIGHUP);
  if (before.sa_handler == SIG_IGN || has_owner) sigaction(number, &before, NULL);
}

/// Restores the earlier handler, unless another handler has been installed since.
static void uninstall(int number) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) == 0 && now.sa_sigaction == handle) {
    sigaction(number, &previous[index_of(number)], NULL);
  }
}

/// Returns whether this program is in the terminal's foreground.
static int is_in_foreground(void) { return tcgetpgrp(terminal) == getpgrp(); }

/// Asks the terminal to send pasted text between two sequences (xterm's mode 2004), or no longer to do so.
///
/// If the terminal accepts nothing for `timeout` milliseconds, the function does nothing.
static void mark_pastes(int are_marked, int timeout) {
  static const char on[] = "\033[?2004h", off[] = "\033[?2004l";
  // A hung terminal must not keep the program from ending.
  struct pollfd request = {.fd = marks, .events = POLLOUT};
  if (marks < 0) return;
  int count;
  do count = poll(&request, 1, timeout);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return;
  if (write(marks, are_marked ? on : off, sizeof on - 1) < 0) return;
}

/// Returns the descriptor of a terminal that understands escape sequences and can be written to; -1 for none.
static int writable(int descriptor) {
  const char *kind = getenv("TERM");
  if (kind == NULL || strcmp(kind, "dumb") == 0) return -1;
  // Input that the shell has redirected from a terminal may be open only for reading.
  if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY) return descriptor;
  return isatty(STDERR_FILENO) ? STDERR_FILENO : -1;
}

static void set_mode(const struct termios *mode) {
  int is_keyboard = mode == &as_keyboard;
  if (!atomic_load(&is_open) || (is_keyboard && atomic_load(&is_ending))) return;
  if (!is_in_foreground()) {
    atomic_store(&is_away, 1);
    return;
  }
  mark_pastes(is_keyboard, is_keyboard ? 0 : handler_timeout);
  tcsetattr(terminal, TCSANOW, mode);
}

/// Ends the modes of a picture (an update, margins, a hidden cursor), and moves the cursor below it.
static void leave_screen(void) {
  static const char end[] = "\033[?2026l\033[r\033[0m\033[?25h\033[999;1H\r\n";
  int descriptor = atomic_load(&screen);
  // A hung terminal must not keep the program from ending.
  if (descriptor < 0 || tcgetpgrp(descriptor) != getpgrp()) return;
  struct pollfd request = {.fd = descriptor, .events = POLLOUT};
  if (poll(&request, 1, 0) > 0 && write(descriptor, end, sizeof end - 1) < 0) return;
}

/// Stops the program immediately, and returns when it continues; returns immediately if no process could continue it.
static void stop(void) {
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &only, &before);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (number == SIGCONT) {
    set_mode(&as_keyboard);
    atomic_store(&is_stale, 1);
  } else {
    set_mode(&as_it_was);
    leave_screen();
    uninstall(number);
    // The signal's default action happens now. A fault of the program itself occurs again by itself, in its place.
    int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP;
    if (number == SIGTSTP) {
      stop();
      install(SIGTSTP);
      set_mode(&as_keyboard);
      atomic_store(&is_stale, 1);
    } else if (!is_fault || info->si_code <= 0) {
      raise(number);
    }
  }
  errno = error;
}

static void install_all(void) {
  for (int index = 0; index < kept_count; index++) install(kept_signals[index]);
}

static void uninstall_all(void) {
  for (int index = 0; index < kept_count; index++) uninstall(kept_signals[index]);
}

int momu_keyboard_open(int descriptor) {
  if (atomic_load(&is_open)) return 0;
  if (tcgetattr(descriptor, &as_it_was) != 0) return -1;
  terminal = descriptor;
  marks = writable(descriptor);
  as_keyboard = as_it_was;
  as_keyboard.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  as_keyboard.c_cc[VMIN] = 1;
  as_keyboard.c_cc[VTIME] = 0;
  atomic_store(&is_ending, 0);
  atomic_store(&is_open, 1);
  install_all();
  mark_pastes(1, 0);
  if (tcsetattr(descriptor, TCSANOW, &as_keyboard) == 0) return 0;
  momu_keyboard_restore();
  return -1;
}

void momu_keyboard_restore(void) {
  if (!atomic_load(&is_open)) return;
  // A signal that comes meanwhile restores the terminal too, so `is_open` stays set until the end.
  atomic_store(&is_ending, 1);
  // From the background this call would stop the program; the shell has restored the terminal already in that case.
  if (is_in_foreground()) {
    mark_pastes(0, end_timeout);
    tcsetattr(terminal, TCSANOW, &as_it_was);
  }
  if (!atomic_exchange(&is_open, 0)) return;
  if (atomic_load(&screen) < 0) uninstall_all();
}

void momu_screen_open(int descriptor) {
  int none = -1;
  if (atomic_compare_exchange_strong(&screen, &none, descriptor)) install_all();
}

void momu_screen_restore(void) {
  if (atomic_exchange(&screen, -1) >= 0 && !atomic_load(&is_open)) uninstall_all();
}

int momu_terminal_is_ours(void) {
  int descriptor = atomic_load(&is_open) ? terminal : atomic_load(&screen);
  // A terminal without job control has no foreground.
  pid_t group = descriptor < 0 ? -1 : tcgetpgrp(descriptor);
  if (group >= 0 && group != getpgrp()) {
    atomic_store(&is_away, 1);
    return 0;
  }
  // A shell sends no signal to a running program that it moves to the foreground.
  if (atomic_exchange(&is_away, 0)) {
    set_mode(&as_keyboard);
    atomic_store(&is_stale, 1);
  }
  return 1;
}

int momu_screen_take_stale(void) { return atomic_exchange(&is_stale, 0); }
