import MoMu

/// Why a delay could not be measured; the text says what to do.
enum CalibrationError: Error, CustomStringConvertible, Equatable {
  case noCard
  case noMicrophone(device: String)
  case lost(device: String)
  case silent
  case tooNoisy(decibels: Double)
  case notHeard(heard: Int, of: Int)
  case inconsistent(least: Double, most: Double)

  /// What keeps a device from being started, where for measuring more is to be said than for playing.
  init?(_ error: AudioError) {
    guard case .noDevice(_, let others) = error, others.isEmpty else { return nil }
    self = .noCard
  }

  var description: String {
    switch self {
    case .noCard:
      "there is no sound card to measure: plug one in (momu calibrate measures what leaves a loudspeaker)"
    case .noMicrophone(let device):
      "\(device) has no microphone: plug one in, or name where to play and where to record, such as "
        + "--audio hw:0+hw:1; without one, set --trim by ear against another machine"
    case .lost(let device):
      "\(device) went away while it was measured: plug it in again and do not touch it meanwhile"
    case .silent:
      "the microphone gives nothing at all: unmute it (alsamixer, F4, space on Capture; or its switch) and try again"
    case .tooNoisy(let decibels):
      "the clicks were not found in noise of \(rounded(decibels)) dB of full scale: turn the microphone down "
        + "(alsamixer, F4), the loudspeaker up, or wait until the room is quieter"
    case .notHeard(let heard, let count):
      "\(heard == 0 ? "none" : "only \(heard)") of \(count) clicks was heard: unplug headphones, turn the loudspeaker up "
        + "(alsamixer), and put the microphone beside it"
    case .inconsistent(let least, let most):
      "the clicks came at different delays, \(rounded(least)) to \(rounded(most)) ms later than the device says: close "
        + "other programs and try again; a wireless loudspeaker that never keeps one delay cannot be trimmed"
    }
  }
}
