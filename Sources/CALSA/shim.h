#include <poll.h>
#include <alsa/asoundlib.h>
