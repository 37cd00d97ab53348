// The one call of libjack's that Swift cannot make: it takes any number of arguments.
#ifndef MOMU_JACK_H
#define MOMU_JACK_H

struct _jack_client;

/// Calls `jack_client_open`, found in a library, with no arguments beyond these.
struct _jack_client *momu_jack_open(void *function, const char *name, int options, int *status);

#endif
