#include "momu_stk.h"

#ifdef MOMU_STK
#include <stk/BandedWG.h>
#include <stk/Clarinet.h>
#include <stk/Mandolin.h>
#include <stk/ModalBar.h>
#include <stk/Rhodey.h>
#include <stk/Shakers.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <string>

struct momu_stk {
  std::unique_ptr<stk::Instrmnt> instrument;
  bool is_broken = false;
  // The sound exceeded the limit, and no valid sound has followed.
  bool has_run_away = false;
  // Frames in a row that were not heard.
  int32_t quiet = 0;
  // How loud it is, 0 … 1, and its change per frame while it fades.
  float level = 1, step = 0;
};

namespace {

// Below this STK's delay lines are too short: the lowest note that a voice is made for, in Hz.
constexpr double lowest = 20;

std::unique_ptr<stk::Instrmnt> make(momu_stk_kind kind) {
  switch (kind) {
    case MOMU_STK_SHAKERS: return std::make_unique<stk::Shakers>();
    case MOMU_STK_MANDOLIN: return std::make_unique<stk::Mandolin>(lowest);
    case MOMU_STK_CLARINET: return std::make_unique<stk::Clarinet>(lowest);
    case MOMU_STK_RHODEY: return std::make_unique<stk::Rhodey>();
    case MOMU_STK_MODAL_BAR: return std::make_unique<stk::ModalBar>();
    case MOMU_STK_BANDED_WG: return std::make_unique<stk::BandedWG>();
  }
  throw stk::StkError("no such instrument");
}

/// Does something with a voice; one that throws is never asked again.
template <typename Action>
void attempt(momu_stk *voice, Action action) {
  if (voice->is_broken) return;
  try {
    action(*voice->instrument);
  } catch (...) {
    voice->is_broken = true;
  }
}

}  // namespace

momu_stk *momu_stk_make(momu_stk_kind kind, double sample_rate, const char *rawwaves, char *error, size_t room) {
  // STK's rate and path are its own globals, and those who listen to changes of the rate stand in one list.
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> lock(one_at_a_time);
  std::string reason;
  try {
    stk::Stk::showWarnings(false);
    stk::Stk::printErrors(false);
    if (stk::Stk::sampleRate() != sample_rate) stk::Stk::setSampleRate(sample_rate);
    stk::Stk::setRawwavePath(rawwaves);
    auto voice = std::make_unique<momu_stk>();
    voice->instrument = make(kind);
    return voice.release();
  } catch (stk::StkError &thrown) {
    reason = thrown.getMessage();
  } catch (std::exception &thrown) {
    reason = thrown.what();
  } catch (...) {
    reason = "STK gives no reason";
  }
  if (room > 0) snprintf(error, room, "%s", reason.c_str());
  return nullptr;
}

void momu_stk_free(momu_stk *voice) { delete voice; }

bool momu_stk_is_broken(const momu_stk *voice) { return voice->is_broken; }

void momu_stk_note_on(momu_stk *voice, double frequency, double amplitude) {
  voice->quiet = 0;
  // What is left of an earlier note would click if it came back at once.
  voice->step = voice->level < 1 ? 1.0f / 48 : 0;
  attempt(voice, [=](stk::Instrmnt &instrument) { instrument.noteOn(frequency, amplitude); });
}

void momu_stk_fade_out(momu_stk *voice, int32_t frames) { voice->step = -1.0f / frames; }

void momu_stk_note_off(momu_stk *voice) {
  attempt(voice, [](stk::Instrmnt &instrument) { instrument.noteOff(0.5); });
}

void momu_stk_set_frequency(momu_stk *voice, double frequency) {
  attempt(voice, [=](stk::Instrmnt &instrument) { instrument.setFrequency(frequency); });
}

void momu_stk_control(momu_stk *voice, int32_t number, double value) {
  attempt(voice, [=](stk::Instrmnt &instrument) { instrument.controlChange(number, value); });
}

bool momu_stk_add(momu_stk *voice, float gain, int32_t frames_until_rest, float *out, int32_t frames) {
  attempt(voice, [&](stk::Instrmnt &instrument) {
    for (int32_t frame = 0; frame < frames && voice->quiet < frames_until_rest; frame++) {
      float sample = static_cast<float>(instrument.tick());
      // An unstable filter would be deafening, so the voice becomes silent. If its next note exceeds the limit
      // immediately, the voice is broken.
      if (!(std::fabs(sample) < 100)) {
        instrument.clear();
        voice->quiet = frames_until_rest;
        voice->is_broken = voice->has_run_away;
        voice->has_run_away = true;
        return;
      }
      if (std::fabs(sample) < 1e-5f) {
        voice->quiet++;
      } else {
        voice->quiet = 0;
        voice->has_run_away = false;
      }
      out[frame] += gain * voice->level * sample;
      if (voice->step == 0) continue;
      voice->level = std::fmin(1, std::fmax(0, voice->level + voice->step));
      if (voice->level == 1) voice->step = 0;
      if (voice->level == 0) {
        instrument.clear();
        voice->quiet = frames_until_rest;
      }
    }
  });
  return !voice->is_broken && voice->quiet < frames_until_rest;
}
#endif
