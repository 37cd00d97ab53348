#include <poll.h>
#include <alsa/asoundlib.h>

// The handler's type is variadic, which Swift cannot say.
static inline void momu_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {}

/// Keeps alsa-lib from writing its diagnostics on standard error.
static inline void momu_alsa_silence(void) { snd_lib_error_set_handler(momu_alsa_ignore); }
