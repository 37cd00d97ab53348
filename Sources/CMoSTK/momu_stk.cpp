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
  // For a frequency beyond these limits, STK writes a text about its delay lines, for which it allocates memory.
  double lowest = 0, highest = 0;
  bool is_broken = false;
  // The sound exceeded the limit, and no valid sound has followed.
  bool has_run_away = false;
  // Frames in a row that were not heard.
  int32_t quiet = 0;
  // How loud it is, 0 … 1, and its change per frame while it fades.
  float level = 1, step = 0;
};

namespace {

// STK's shakers, whose energy can be held.
class Shakers : public stk::Shakers {
 public:
  // Raises the energy to the energy of a note of this amplitude.
  void shake(double amplitude) {
    // For the guiro and the wrench, STK sets the energy to 1 at each tooth, which is far louder than the other kinds.
    if (shakerType_ == 19 || shakerType_ == 20) {
      ratchetCount_ = std::fmax(ratchetCount_, 1);
      ratchetDelta_ = baseRatchetDelta_ * (1 + 20 * amplitude);
      shakeEnergy_ = std::fmin(shakeEnergy_, 3 * amplitude);
    } else {
      shakeEnergy_ = std::fmax(shakeEnergy_, 0.1 * amplitude);
    }
  }

  // STK writes a warning, for which it allocates memory.
  void setFrequency(stk::StkFloat) override {}
};

// The lowest note that a voice is made for, in Hz.
constexpr double lowest = 20;

// STK's rate and path are its own globals, and its objects that follow the rate are in one list.
std::mutex globals;

std::unique_ptr<stk::Instrmnt> make(momu_stk_kind kind) {
  switch (kind) {
    case MOMU_STK_SHAKERS: {
      auto shakers = std::make_unique<Shakers>();
      // The kinds have different numbers of resonances: the memory for the largest number is allocated here.
      for (int shaker = 22; shaker >= 0; shaker--) shakers->controlChange(1071, shaker);
      return shakers;
    }
    // The second string of a pair is up to 10 % lower.
    case MOMU_STK_MANDOLIN: return std::make_unique<stk::Mandolin>(0.89 * lowest);
    case MOMU_STK_CLARINET: return std::make_unique<stk::Clarinet>(lowest);
    case MOMU_STK_RHODEY: return std::make_unique<stk::Rhodey>();
    case MOMU_STK_MODAL_BAR: return std::make_unique<stk::ModalBar>();
    case MOMU_STK_BANDED_WG: return std::make_unique<stk::BandedWG>();
  }
  throw stk::StkError("no such instrument");
}

/// Sets the limits of a voice's frequency.
void limit(momu_stk *voice, momu_stk_kind kind) {
  double rate = stk::Stk::sampleRate();
  voice->lowest = lowest;
  voice->highest = rate / 4;
  // The frequency of a shaker is not a pitch: it selects the kind of shaker.
  if (kind == MOMU_STK_SHAKERS) voice->lowest = 1;
  // A delay line of this class has 4095 samples.
  if (kind == MOMU_STK_BANDED_WG) voice->lowest = std::fmax(lowest, rate / 4000);
}

double limited(const momu_stk *voice, double frequency) {
  return std::fmin(std::fmax(frequency, voice->lowest), voice->highest);
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
  std::lock_guard<std::mutex> lock(globals);
  std::string reason;
  try {
    stk::Stk::showWarnings(false);
    stk::Stk::printErrors(false);
    if (sample_rate > 0 && stk::Stk::sampleRate() != sample_rate) stk::Stk::setSampleRate(sample_rate);
    stk::Stk::setRawwavePath(rawwaves);
    auto voice = std::make_unique<momu_stk>();
    voice->instrument = make(kind);
    limit(voice.get(), kind);
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

void momu_stk_free(momu_stk *voice) {
  std::lock_guard<std::mutex> lock(globals);
  delete voice;
}

bool momu_stk_is_broken(const momu_stk *voice) { return voice->is_broken; }

void momu_stk_note_on(momu_stk *voice, double frequency, double amplitude) {
  voice->quiet = 0;
  // What is left of an earlier note would click if it came back at once.
  voice->step = voice->level < 1 ? 1.0f / 48 : 0;
  attempt(voice, [=](stk::Instrmnt &instrument) { instrument.noteOn(limited(voice, frequency), amplitude); });
}

void momu_stk_fade_out(momu_stk *voice, int32_t frames) { voice->step = -1.0f / frames; }

void momu_stk_note_off(momu_stk *voice) {
  attempt(voice, [](stk::Instrmnt &instrument) { instrument.noteOff(0.5); });
}

void momu_stk_shake(momu_stk *voice, double amplitude) {
  attempt(voice, [=](stk::Instrmnt &instrument) {
    if (auto *shakers = dynamic_cast<Shakers *>(&instrument)) shakers->shake(amplitude);
  });
}

void momu_stk_set_frequency(momu_stk *voice, double frequency) {
  attempt(voice, [=](stk::Instrmnt &instrument) { instrument.setFrequency(limited(voice, frequency)); });
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
