import MoCore

/// The earlier name of `InstrumentFactory`.
@available(*, deprecated, renamed: "InstrumentFactory")
public typealias InstrumentEntry = InstrumentFactory

extension Rhythm {
  /// The earlier form of `init(tempo:meter:)`.
  @available(*, deprecated, message: "pass a Tempo: Rhythm(tempo: Tempo(number))")
  @_disfavoredOverload
  public convenience init(tempo: Double, meter: Meter = .common) {
    self.init(tempo: Tempo(tempo), meter: meter)
  }

  /// The earlier form of `setTempo(_:over:at:)`.
  @available(*, deprecated, message: "pass a Tempo and Beats: setTempo(Tempo(number), over: Beats(number))")
  @_disfavoredOverload
  public func setTempo(_ tempo: Double, over beats: Double = 0, at time: HostTime? = nil) {
    if !tempo.isNaN { setTempo(Tempo(tempo), over: Beats(beats), at: time) }
  }
}

extension InstrumentHandle {
  /// The earlier form of `play(_:tempo:heardAt:)`.
  @available(*, deprecated, message: "pass a Tempo: play(notes, tempo: Tempo(number))")
  @_disfavoredOverload
  public func play(_ notes: String, tempo: Double, heardAt start: HostTime? = nil) throws {
    try play(notes, tempo: Tempo(tempo), heardAt: start)
  }
}

extension MotionSource {
  /// The earlier name of `strike`.
  @available(*, deprecated, renamed: "strike")
  public static var jerk: MotionSource { .strike }
}
