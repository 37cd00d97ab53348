import Glibc
import MoMu

/// The unreported output delay of a device, measured from clicks that its own microphone recorded.
struct Calibration: Equatable {
  /// The unreported output delay in milliseconds: the median over all clicks.
  let trim: Double
  /// The median absolute deviation of the clicks' unreported delays from `trim`, in milliseconds.
  let spread: Double
  /// The largest difference between a click's unreported delay and the trim, in milliseconds.
  let farthest: Double
  /// The delay from playing to recording in milliseconds, the sound's travel time through the air subtracted: the
  /// median over all clicks.
  let roundTrip: Double
  /// The number of clicks found in the recording.
  let heard: Int
  /// Whether the microphone clipped.
  let isOverdriven: Bool

  /// The speed of sound at 20 °C, in metres per second.
  private static let speedOfSound = 343.2
  /// The largest spread at which the median can be trusted, in milliseconds.
  private static let widestSpread = 0.5
  /// The lowest peak in the recording of a microphone that is switched on: −84 dBFS, two quantisation steps of 16 bits.
  private static let faintest: Float = 0x1p-14
  /// The lowest noise level (root mean square) that is reported as the cause of missing clicks: −30 dBFS.
  private static let loudNoise: Float = 0.03

  /// Finds the clicks and compares their delays with the reported delay.
  ///
  /// - Parameters:
  ///   - take: the recording made while `score` was played.
  ///   - distance: the distance from the loudspeaker to the microphone, in metres.
  /// - Throws: `CalibrationError`, whose text says what to do.
  init(_ take: ClickRecording, of score: ClickScore, distance: Double) throws(CalibrationError) {
    let peak = take.recording.reduce(0) { max($0, abs($1)) }
    guard peak >= Self.faintest else { throw .silent }
    let filter = MatchedFilter(chirp: score.chirp)
    var (trims, trips): ([Double], [Double]) = ([], [])
    for onset in score.onsets {
      let envelope = filter.envelope(of: take.recording, from: onset, delays: score.longestDelay)
      guard let arrival = FirstArrival(in: envelope),
        let known = take.knownSeconds(around: onset + Int(arrival.delay))
      else { continue }
      let trip = arrival.delay / take.sampleRate - distance / Self.speedOfSound
      trips.append(trip * 1000)
      trims.append((trip - known) * 1000)
    }
    guard 2 * trims.count > score.onsets.count, let trim = median(trims), let trip = median(trips) else {
      let noise = Self.level(take.recording.prefix(score.onsets.first ?? 0))
      throw noise >= Self.loudNoise
        ? .tooNoisy(decibels: 20 * Double(log10(noise)))
        : .notHeard(heard: trims.count, of: score.onsets.count)
    }
    let errors = trims.map { abs($0 - trim) }
    guard let spread = median(errors), spread <= Self.widestSpread else {
      throw .inconsistent(least: trims.min() ?? 0, most: trims.max() ?? 0)
    }
    (self.trim, self.spread, roundTrip, heard) = (trim, spread, trip, trims.count)
    farthest = errors.max() ?? 0
    isOverdriven = take.recording.filter { abs($0) >= 0.999 }.count > 8 * score.onsets.count
  }

  /// Returns the root mean square of samples; 0 without samples.
  private static func level(_ samples: ArraySlice<Float>) -> Float {
    samples.isEmpty ? 0 : (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
  }
}

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
