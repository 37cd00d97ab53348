import MoMu

/// An error of `momu calibrate`; the text says what to do.
enum CalibrationError: Error, CustomStringConvertible, Equatable {
  case noCard
  case noMicrophone(device: String)
  case lost(device: String)
  case silent
  case tooNoisy(decibels: Double)
  case notHeard(heard: Int, of: Int)
  case inconsistent(least: Double, most: Double)

  /// Creates `noCard` from an audio error that means that there is no sound device at all; nil for any other error.
  ///
  /// The text of `noCard` tells a user who measures what to do; the audio error's advice is for a user who plays.
  init?(_ error: AudioError) {
    guard case .noDevice(_, let others) = error, others.isEmpty else { return nil }
    self = .noCard
  }

  var description: String {
    switch self {
    case .noCard:
      "there is no sound card to measure: plug one in (momu calibrate measures the delay of a loudspeaker)"
    case .noMicrophone(let device):
      "\(device) has no microphone: plug one in, or give an output and an input, such as "
        + "--audio hw:0+hw:1; without a microphone, set --trim by ear against another machine"
    case .lost(let device):
      "\(device) was unplugged during the measurement: plug it in again, and leave it alone while momu measures"
    case .silent:
      "the microphone is silent: unmute it (alsamixer, F4, space on Capture; or its switch) and try again"
    case .tooNoisy(let decibels):
      "noise of \(rounded(decibels)) dB of full scale hides the clicks: turn the microphone down "
        + "(alsamixer, F4), the loudspeaker up, or wait until the room is quieter"
    case .notHeard(let heard, let count):
      "\(heard == 0 ? "none" : "only \(heard)") of \(count) clicks \(heard < 2 ? "was" : "were") heard: unplug "
        + "headphones, turn the loudspeaker up (alsamixer), and put the microphone next to it"
    case .inconsistent(let least, let most):
      "the delay of the clicks varies, from \(rounded(least)) to \(rounded(most)) ms more than the device reports: "
        + "close other programs and try again; a wireless loudspeaker whose delay keeps changing cannot be trimmed"
    }
  }
}
