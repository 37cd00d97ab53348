import MoCore
import MoSessionCore

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
