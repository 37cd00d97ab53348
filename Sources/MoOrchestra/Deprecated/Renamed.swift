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

/// The forms of earlier versions, whose callbacks got no time.
extension MoSession {
  /// The earlier form of `onShared(_:_:)`.
  @available(*, deprecated, message: "take the time, too: onShared(name) { edit, time in … }")
  @_disfavoredOverload
  @discardableResult
  public static func onShared(
    _ name: String, _ callback: @escaping @Sendable (SharedEdit) -> Void
  ) -> MoToken {
    onShared(name) { edit, _ in callback(edit) }
  }

  /// The earlier form of `onSong(_:)`.
  @available(*, deprecated, message: "take the time, too: onSong { song, id, time in … }")
  @_disfavoredOverload
  @discardableResult
  public static func onSong(_ callback: @escaping @Sendable (String, MemberID) -> Void) -> MoToken {
    onSong { song, id, _ in callback(song, id) }
  }

  /// The earlier form of `onMark(_:)`.
  @available(*, deprecated, message: "take the time, too: onMark { mark, isSet, id, time in … }")
  @_disfavoredOverload
  @discardableResult
  public static func onMark(
    _ callback: @escaping @Sendable (RehearsalMark, Bool, MemberID) -> Void
  ) -> MoToken {
    onMark { mark, isSet, id, _ in callback(mark, isSet, id) }
  }
}

/// The forms of earlier versions, which took numbers for tempos and names for members.
extension MoSession {
  /// The earlier form of `startRhythm(tempo:meter:bar:countIn:)`.
  @available(*, deprecated, message: "pass a Tempo: startRhythm(tempo: Tempo(number))")
  @_disfavoredOverload
  public static func startRhythm(tempo: Double, meter: Meter? = nil, bar: Int = 1, countIn: Int = 0) throws {
    try startRhythm(tempo: Tempo(tempo), meter: meter, bar: bar, countIn: countIn)
  }

  /// The earlier form of `setTempo(_:over:at:)`.
  @available(*, deprecated, message: "pass a Tempo and Beats: setTempo(Tempo(number), over: Beats(number))")
  @_disfavoredOverload
  public static func setTempo(_ tempo: Double, over beats: Double = 0, at grid: BeatGrid = .beat) throws {
    try setTempo(Tempo(tempo), over: Beats(beats), at: grid)
  }

  /// The earlier form of `playNote(_:velocity:length:on:to:at:)`.
  @available(*, deprecated, message: "pass Beats: playNote(pitch, length: Beats(number), to: .everyone)")
  @_disfavoredOverload
  public static func playNote(
    _ pitch: Float, velocity: Float = 0.8, length: Float, on instrument: String = "",
    to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) {
    playNote(pitch, velocity: velocity, length: Beats(length), on: instrument, to: crowd, at: moment)
  }

  /// The earlier form of `playNote(_:velocity:length:on:to:at:)`.
  @available(*, deprecated, message: "pass Beats: playNote(pitch, length: Beats(number), to: .member(name))")
  @_disfavoredOverload
  public static func playNote(
    _ pitch: Float, velocity: Float = 0.8, length: Float, on instrument: String = "",
    to aim: SessionAim, at moment: SessionMoment = .now
  ) throws {
    try playNote(pitch, velocity: velocity, length: Beats(length), on: instrument, to: aim, at: moment)
  }

  /// The earlier form of `ignore(_:_:)`.
  @available(*, deprecated, message: "pass a member: ignore(.member(id))")
  public static func ignore(_ member: MemberID, _ isIgnored: Bool = true) throws {
    try ignore(.member(member), isIgnored)
  }

  /// The earlier form of `handOver(to:)`.
  @available(*, deprecated, message: "pass a member: handOver(to: .member(id))")
  public static func handOver(to member: MemberID) throws { try handOver(to: .member(member)) }

  /// The earlier form of `setSection(_:of:_:)`.
  @available(*, deprecated, message: "pass a member: setSection(section, of: .member(name))")
  public static func setSection(_ section: String, of name: String, _ isIn: Bool = true) throws {
    try setSection(section, of: .member(name), isIn)
  }

  /// The earlier form of `setGate(_:_:from:to:)`.
  @available(*, deprecated, message: "pass members: setGate(weight, kind, from: .member(name), to: nil)")
  @_disfavoredOverload
  public static func setGate(_ weight: Float?, _ kind: GateKind, from: String?, to: String?) throws {
    try setGate(weight, kind, from: from.map { .member($0) }, to: to.map { .member($0) })
  }
}

extension GatePreset {
  /// The earlier form of `monarchic(_:)`.
  @available(*, deprecated, message: "pass a member: .monarchic(.member(name))")
  public static func monarchic(_ name: String) -> GatePreset { .monarchic(.member(name)) }

  /// The earlier form of `stairs(_:)`.
  @available(*, deprecated, message: "pass members: .stairs([.member(name), .member(other)])")
  public static func stairs(_ names: [String]) -> GatePreset { .stairs(names.map { .member($0) }) }

  /// The earlier form of `centralised(_:)`.
  @available(*, deprecated, message: "pass a member: .centralised(.member(name))")
  public static func centralised(_ name: String) -> GatePreset { .centralised(.member(name)) }
}

/// The earlier name of `RemotePart`.
@available(*, deprecated, renamed: "RemotePart")
public typealias PartPlayer = RemotePart
