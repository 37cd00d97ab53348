#include <poll.h>
#include <alsa/asoundlib.h>

// The handler's type is variadic, which Swift cannot say.
static inline void momu_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {}

/// Keeps alsa-lib from writing its diagnostics on standard error.
static inline void momu_alsa_silence(void) { snd_lib_error_set_handler(momu_alsa_ignore); }

#include <string.h>

/// Sends a message of up to three bytes at once to all that a port is connected to; a negative error number if it fails.
///
/// The event is zeroed, since newer versions of ALSA read further meanings from stray bits.
static inline int momu_seq_send(snd_seq_t *sequencer, int port, unsigned char status, unsigned char first, unsigned char second) {
  snd_seq_event_t event;
  memset(&event, 0, sizeof event);
  snd_seq_ev_set_source(&event, port);
  snd_seq_ev_set_subs(&event);
  snd_seq_ev_set_direct(&event);
  snd_seq_ev_set_fixed(&event);
  unsigned char channel = status & 0x0F;
  switch (status < 0xF0 ? status & 0xF0 : status) {
  case 0x80: snd_seq_ev_set_noteoff(&event, channel, first, second); break;
  case 0x90: snd_seq_ev_set_noteon(&event, channel, first, second); break;
  case 0xA0: snd_seq_ev_set_keypress(&event, channel, first, second); break;
  case 0xB0: snd_seq_ev_set_controller(&event, channel, first, second); break;
  case 0xC0: snd_seq_ev_set_pgmchange(&event, channel, first); break;
  case 0xD0: snd_seq_ev_set_chanpress(&event, channel, first); break;
  case 0xE0: snd_seq_ev_set_pitchbend(&event, channel, (first | second << 7) - 8192); break;
  case 0xF1: event.type = SND_SEQ_EVENT_QFRAME; event.data.control.value = first; break;
  case 0xF2: event.type = SND_SEQ_EVENT_SONGPOS; event.data.control.value = first | second << 7; break;
  case 0xF3: event.type = SND_SEQ_EVENT_SONGSEL; event.data.control.value = first; break;
  case 0xF6: event.type = SND_SEQ_EVENT_TUNE_REQUEST; break;
  case 0xF8: event.type = SND_SEQ_EVENT_CLOCK; break;
  case 0xFA: event.type = SND_SEQ_EVENT_START; break;
  case 0xFB: event.type = SND_SEQ_EVENT_CONTINUE; break;
  case 0xFC: event.type = SND_SEQ_EVENT_STOP; break;
  case 0xFE: event.type = SND_SEQ_EVENT_SENSING; break;
  case 0xFF: event.type = SND_SEQ_EVENT_RESET; break;
  default: return -EINVAL;
  }
  return snd_seq_event_output_direct(sequencer, &event);
}

/// Sends a piece of a SysEx message; a negative error number if it fails.
static inline int momu_seq_send_sysex(snd_seq_t *sequencer, int port, const void *bytes, unsigned int count) {
  snd_seq_event_t event;
  memset(&event, 0, sizeof event);
  snd_seq_ev_set_source(&event, port);
  snd_seq_ev_set_subs(&event);
  snd_seq_ev_set_direct(&event);
  snd_seq_ev_set_sysex(&event, count, (void *)bytes);
  return snd_seq_event_output_direct(sequencer, &event);
}
