import Glibc

/// By how much a device sounds later than it knows, found from clicks that its own microphone heard.
struct Calibration: Equatable {
  /// Milliseconds by which the device sounds too late: the median of the clicks.
  let trim: Double
  /// Half of the clicks lie within so many milliseconds of the trim.
  let spread: Double
  /// The farthest click's distance from it, in milliseconds.
  let farthest: Double
  /// Milliseconds from playing to recording, the way through the air left out.
  let roundTrip: Double
  /// Clicks that were heard.
  let heard: Int
  /// Whether the microphone was overdriven while it listened.
  let isOverdriven: Bool

  /// Sound goes so many metres a second at 20 °C.
  private static let speedOfSound = 343.2
  /// A median of clicks that lie farther apart is not to be trusted, in milliseconds.
  private static let widestSpread = 0.5
  /// What no microphone that is on stays below: the last bits of 16 (−84 dB).
  private static let faintest: Float = 0x1p-14
  /// Noise from which on one could not hear a click for it (−30 dB).
  private static let loudNoise: Float = 0.03

  /// Finds the clicks and compares.
  ///
  /// - Parameters:
  ///   - take: recorded while `score` was played.
  ///   - distance: metres from the loudspeaker to the microphone.
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

  /// The root mean square.
  private static func level(_ samples: ArraySlice<Float>) -> Float {
    samples.isEmpty ? 0 : (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
  }
}
