// A terminal as a keyboard: each key immediately and without echo, and pasted text marked. The terminal is restored
// however the program ends.
#ifndef MOMU_KEYBOARD_H
#define MOMU_KEYBOARD_H

/// Sets the terminal to keyboard mode; returns 0 on success. Ctrl-C and Ctrl-Z keep their meaning.
///
/// Until `momu_keyboard_restore`, signals that end or stop the program restore it first.
int momu_keyboard_open(int descriptor);

/// Restores the terminal; safe to call again, and in a signal handler. Waits up to 0.5 s for a terminal that accepts
/// nothing, such as after Ctrl-S.
void momu_keyboard_restore(void);

/// Records that a program draws on a terminal. Signals that end or stop it then leave a visible cursor below the
/// picture. A second call does nothing.
void momu_screen_open(int descriptor);

/// Records that nothing is drawn any more; safe to call again.
void momu_screen_restore(void);

/// Returns whether the program may read and draw on its terminal: no other program is in the foreground there.
///
/// If the program has come back to the foreground, sets the terminal to keyboard mode again.
int momu_terminal_is_ours(void);

/// Returns whether the program was stopped or in the background since the last call.
///
/// If so, the terminal may show anything.
int momu_screen_take_stale(void);

#endif
