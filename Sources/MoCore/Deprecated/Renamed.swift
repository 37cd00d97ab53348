extension BeatClock {
  /// The earlier form of `steady(tempo:meter:from:)`.
  @available(*, deprecated, message: "pass a Tempo: steady(tempo: Tempo(number), from: start)")
  @_disfavoredOverload
  public static func steady(tempo: Double, meter: Meter = .common, from start: HostTime) -> BeatClock {
    steady(tempo: Tempo(tempo), meter: meter, from: start)
  }
}
