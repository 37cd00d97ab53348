// A terminal as a keyboard: each key at once and unseen, and the terminal as it was however the program ends.
#ifndef MOMU_KEYBOARD_H
#define MOMU_KEYBOARD_H

/// Makes the terminal a keyboard; 0 on success. Ctrl-C and Ctrl-Z stay what they are.
///
/// Until it is given back, signals that end or stop the program give it back first.
int momu_keyboard_open(int descriptor);

/// Gives the terminal back as it was; safe to call again, and in a signal handler.
void momu_keyboard_restore(void);

/// Notes that a program draws on a terminal, so that signals that end or stop it leave a visible cursor below what is
/// drawn; nothing happens if that is known already.
void momu_screen_open(int descriptor);

/// Notes that nothing is drawn any more; safe to call again.
void momu_screen_restore(void);

/// Whether the program was stopped since this was last asked, so that the terminal may show anything.
int momu_screen_take_stale(void);

#endif
