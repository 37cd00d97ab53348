// A terminal as a keyboard: each key at once and unseen, and the terminal as it was however the program ends.
#ifndef MOMU_KEYBOARD_H
#define MOMU_KEYBOARD_H

/// Makes the terminal a keyboard; 0 on success. Ctrl-C and Ctrl-Z stay what they are.
///
/// Until it is given back, signals that end or stop the program give it back first.
int momu_keyboard_open(int descriptor);

/// Gives the terminal back as it was; safe to call again, and in a signal handler.
void momu_keyboard_restore(void);

#endif
