import MoTime

extension BeatClock {
  /// A beat of this machine's own, with nobody else in it.
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
    var clock = SlewedClock()
    clock.settle(
      on: ClockEstimate(
        at: start, offset: 0, rate: 0, errorBound: 0, symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0,
        loss: 0),
      at: start)
    let tempo = tempo.isNaN ? 120 : max(Tempo.range.lowerBound, min(tempo, Tempo.range.upperBound))
    let segment = BeatSegment(
      start: SessionTime(nanoseconds: start.nanoseconds), beat: 0, tempo: tempo, isPlaying: true,
      meter: meter,
      soundsFrom: 0)
    return BeatClock(clock: clock, timeline: Timeline(segment))
  }
}
