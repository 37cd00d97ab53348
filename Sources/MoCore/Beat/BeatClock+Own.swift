extension SlewedClock {
  /// The own clock, taken for the shared one.
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
  /// A beat of this machine's own, with nobody else in it.
  public init(alone timeline: Timeline) { self.init(clock: .alone, timeline: timeline) }

  /// A beat of this machine's own that goes on and on.
  ///
  /// ```swift
  /// let beat = BeatClock.steady(tempo: 96, from: clock.now)
  /// try MoAudio.follow { beat }
  /// ```
  ///
  /// - Parameters:
  ///   - tempo: beats a minute; kept within 20 … 999, no number counts as 120.
  ///   - start: when bar 1 begins.
  public static func steady(tempo: Double, meter: Meter = .common, from start: HostTime) -> BeatClock {
    BeatClock(
      alone: Timeline(
        BeatSegment(
          start: SessionTime(nanoseconds: start.nanoseconds), beat: 0, tempo: Tempo.nearest(tempo),
          isPlaying: true, meter: meter, soundsFrom: 0)))
  }
}
