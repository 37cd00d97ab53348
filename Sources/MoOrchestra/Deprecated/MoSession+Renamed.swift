import MoCore
import MoRuntime
import MoSessionCore

/// The names of earlier versions. Each gives one deprecation message that names its successor.
extension MoSession {
  /// The earlier name of `startRhythm`.
  @available(*, deprecated, renamed: "startRhythm(tempo:meter:bar:countIn:)")
  public static func start(tempo: Double? = nil, meter: Meter? = nil, bar: Int = 1, countIn: Int = 0) throws {
    try startRhythm(tempo: tempo.map { Tempo($0) }, meter: meter, bar: bar, countIn: countIn)
  }

  /// The earlier name of `stopRhythm`.
  @available(*, deprecated, renamed: "stopRhythm(at:)")
  public static func stop(at grid: BeatGrid = .beat) throws { try stopRhythm(at: grid) }

  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (SessionEvent) -> Void) -> MoToken {
    onEvent(callback)
  }

  /// The earlier name of `onStrike`.
  @available(*, deprecated, renamed: "onStrike(_:)")
  @discardableResult
  public static func onHit(_ callback: @escaping @Sendable (Heard<SessionHit>) -> Void) -> MoToken {
    onStrike(callback)
  }

  /// The earlier name of `onParameter`.
  @available(*, deprecated, renamed: "onParameter(_:)")
  @discardableResult
  public static func onChange(_ callback: @escaping @Sendable (Heard<SessionChange>) -> Void) -> MoToken {
    onParameter(callback)
  }

  /// The earlier name of `strike`.
  @available(*, deprecated, renamed: "strike(_:drum:on:to:at:)")
  public static func hit(
    _ force: Float, drum: Int = 0, on instrument: String = "", to crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    strike(force, drum: drum, on: instrument, to: crowd, at: moment)
  }

  /// The earlier name of `strike`.
  @available(*, deprecated, renamed: "strike(_:drum:on:to:at:)")
  public static func hit(
    _ force: Float, drum: Int = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try strike(force, drum: drum, on: instrument, to: aim, at: moment)
  }

  /// The earlier name of `playNote`.
  @available(*, deprecated, renamed: "playNote(_:velocity:length:on:to:at:)")
  public static func note(
    _ pitch: Float, velocity: Float = 0.8, length: Float = 0, on instrument: String = "",
    to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) {
    playNote(pitch, velocity: velocity, length: Beats(length), on: instrument, to: crowd, at: moment)
  }

  /// The earlier name of `playNote`.
  @available(*, deprecated, renamed: "playNote(_:velocity:length:on:to:at:)")
  public static func note(
    _ pitch: Float, velocity: Float = 0.8, length: Float = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try playNote(pitch, velocity: velocity, length: Beats(length), on: instrument, to: aim, at: moment)
  }

  /// The earlier name of `setParameter`.
  @available(*, deprecated, renamed: "setParameter(_:to:on:of:at:)")
  public static func change(
    _ name: String, to value: Float, on instrument: String = "", of crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    setParameter(name, to: value, on: instrument, of: crowd, at: moment)
  }

  /// The earlier name of `setParameter`.
  @available(*, deprecated, renamed: "setParameter(_:to:on:of:at:)")
  public static func change(
    _ name: String, to value: Float, on instrument: String = "", of aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try setParameter(name, to: value, on: instrument, of: aim, at: moment)
  }

  /// The earlier name of `sendMelody`.
  @available(*, deprecated, renamed: "sendMelody(_:to:at:)")
  public static func melody(
    _ melody: SessionMelody, to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) throws {
    try sendMelody(melody, to: crowd, at: moment)
  }

  /// The earlier name of `sendMelody`.
  @available(*, deprecated, renamed: "sendMelody(_:to:at:)")
  public static func melody(
    _ melody: SessionMelody, to aim: SessionAim, at moment: SessionMoment = .now
  ) throws {
    try sendMelody(melody, to: aim, at: moment)
  }

  /// The earlier name of `sendGesture`.
  @available(*, deprecated, renamed: "sendGesture(_:to:)")
  public static func gesture(_ gesture: SessionGesture, to aim: SessionAim) throws {
    try sendGesture(gesture, to: aim)
  }
}
