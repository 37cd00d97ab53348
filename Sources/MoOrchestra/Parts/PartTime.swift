import MoCore

/// When something of a part is to sound: at a beat, whatever becomes of the tempo, or at a moment where no rhythm runs.
enum PartTime: Hashable, Sendable {
  case beat(Double)
  case time(HostTime)

  /// Seconds that count as a beat where none goes by: 120 a minute.
  static let freeBeat = 0.5

  /// So many beats later.
  func later(by beats: Double) -> PartTime {
    switch self {
    case .beat(let beat): .beat(beat + beats)
    case .time(let time): .time(time.advanced(bySeconds: beats * Self.freeBeat))
    }
  }

  /// The host time; now for a beat that has passed, nil for one that never comes.
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
