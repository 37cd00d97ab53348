// Six instruments of the Synthesis ToolKit behind plain functions: P. R. Cook and G. P. Scavone, "The Synthesis ToolKit
// (STK)", ICMC 1999. No exception leaves them. Without the package's trait STK there is nothing behind them.
#ifndef MOMU_STK_H
#define MOMU_STK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct momu_stk momu_stk;

enum momu_stk_kind {
  MOMU_STK_SHAKERS,
  MOMU_STK_MANDOLIN,
  MOMU_STK_CLARINET,
  MOMU_STK_RHODEY,
  MOMU_STK_MODAL_BAR,
  MOMU_STK_BANDED_WG,
};

/// Makes a voice. From then on, all of STK uses `sample_rate`; with 0, STK keeps its rate. `rawwaves` is the folder of
/// STK's recordings. Returns null if STK refuses: `error` then holds the reason, cut to `room` bytes. Any thread. Not
/// real-time safe.
momu_stk *momu_stk_make(enum momu_stk_kind kind, double sample_rate, const char *rawwaves, char *error, size_t room);

/// Ends a voice. Any thread. Not real-time safe.
void momu_stk_free(momu_stk *stk);

// Of what follows, nothing allocates; a broken voice is silent from then on.

/// Whether a voice is broken: STK threw an exception, or the sound exceeded the limit twice in a row.
bool momu_stk_is_broken(const momu_stk *stk);

/// Begins a note. `frequency` is in Hz, clamped to 20 … a quarter of the sample rate; `amplitude` is 0 … 1. For a
/// shaker, `frequency` is that of the MIDI note whose number is the kind of shaker.
void momu_stk_note_on(momu_stk *stk, double frequency, double amplitude);

/// Silences a voice within some frames; its next note fades in from there.
void momu_stk_fade_out(momu_stk *stk, int32_t frames);

/// Lets the note go.
void momu_stk_note_off(momu_stk *stk);

/// Raises the energy of a shaker to that of a note of this amplitude, 0 … 1. To hold the energy, call this function
/// for each block of up to 64 frames. No effect on other instruments.
void momu_stk_shake(momu_stk *stk, double amplitude);

/// Changes the frequency of the note that sounds; no effect on a shaker.
void momu_stk_set_frequency(momu_stk *stk, double frequency);

/// Sets one of STK's controllers to 0 … 128.
void momu_stk_control(momu_stk *stk, int32_t number, double value);

/// Adds the next frames to `out`, times `gain`; returns false if the voice is at rest or broken.
///
/// A voice is at rest after `frames_until_rest` frames in a row below −100 dB, after a fade-out, and after a sound that
/// exceeded the limit. Its next note ends the rest.
bool momu_stk_add(momu_stk *stk, float gain, int32_t frames_until_rest, float *out, int32_t frames);

#ifdef __cplusplus
}
#endif

#endif
