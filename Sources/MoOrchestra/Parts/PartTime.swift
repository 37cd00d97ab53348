import MoCore

/// The time of an event: a beat, which does not depend on the tempo, or a fixed time if no rhythm runs.
enum PartTime: Hashable, Sendable {
  case beat(Double)
  case time(HostTime)

  /// The length of a beat in seconds if no rhythm runs: 120 beats a minute.
  static let freeBeat = 0.5

  /// Returns the time that is the given number of beats later; a fixed time moves by `freeBeat` for each beat.
  func later(by beats: Double) -> PartTime {
    switch self {
    case .beat(let beat): .beat(beat + beats)
    case .time(let time): .time(time.advanced(bySeconds: beats * Self.freeBeat))
    }
  }

  /// Returns this time as host time: `now` for a beat that has passed, nil for a beat that the rhythm never reaches.
  func time(on clock: BeatClock, at now: HostTime) -> HostTime? {
    switch self {
    case .time(let time): return time
    case .beat(let beat):
      if let time = clock.time(ofBeat: beat, from: now) { return time }
      guard clock.isPlaying(at: now), let here = clock.beat(at: now), here >= beat - 1e-6 else { return nil }
      return now
    }
  }
}
