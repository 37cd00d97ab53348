extension SlewedClock {
  /// A clock for a machine that shares its time with no other machine.
  ///
  /// The local clock serves as the shared clock.
  public static var alone: SlewedClock {
    var clock = SlewedClock()
    clock.settle(
      on: ClockEstimate(
        at: .zero, offset: 0, rate: 0, errorBound: 0, symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0,
        loss: 0),
      at: .zero)
    return clock
  }
}

extension BeatClock {
  /// Creates a beat clock for a timeline that only this machine uses.
  public init(alone timeline: Timeline) { self.init(clock: .alone, timeline: timeline) }

  /// Returns a beat clock with a steady tempo, which only this machine uses and which never stops.
  ///
  /// ```swift
  /// let beat = BeatClock.steady(tempo: 96, from: clock.now)
  /// try MoAudio.follow { beat }
  /// ```
  ///
  /// - Parameters:
  ///   - tempo: the tempo.
  ///   - meter: the beats of a bar.
  ///   - start: the time at which bar 1 begins.
  public static func steady(tempo: Tempo, meter: Meter = .common, from start: HostTime) -> BeatClock {
    BeatClock(
      alone: Timeline(
        BeatSegment(
          start: SessionTime(nanoseconds: start.nanoseconds), beat: 0, tempo: tempo.beatsPerMinute,
          isPlaying: true, meter: meter, soundsFrom: 0)))
  }
}
