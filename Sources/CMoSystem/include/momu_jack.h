// The only call of libjack that Swift cannot make, since it has a variable number of arguments.
#ifndef MOMU_JACK_H
#define MOMU_JACK_H

struct _jack_client;

/// Calls `jack_client_open`, found in a library, with no further arguments.
struct _jack_client *momu_jack_open(void *function, const char *name, int options, int *status);

#endif
