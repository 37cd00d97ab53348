import MoCore

/// The earlier name of `RoomConsole`.
@available(*, deprecated, renamed: "RoomConsole")
public typealias RoomDesk = RoomConsole

/// The earlier name of `ConductorConsole`.
@available(*, deprecated, renamed: "ConductorConsole")
public typealias SessionDesk = ConductorConsole

/// The earlier name of `PianoConsole`.
@available(*, deprecated, renamed: "PianoConsole")
public typealias PianoDesk = PianoConsole

/// The earlier name of `DrumConsole`.
@available(*, deprecated, renamed: "DrumConsole")
public typealias DrumDesk = DrumConsole

/// The earlier name of `InstrumentConsole`.
@available(*, deprecated, renamed: "InstrumentConsole")
public typealias InstrumentDesk = InstrumentConsole

extension PianoConsole {
  /// The earlier form of `follow(tempo:)`; 0, a negative number and NaN count as nil.
  @available(*, deprecated, message: "pass a Tempo: follow(tempo: Tempo(number))")
  @_disfavoredOverload
  public static func follow(tempo: Double?) throws {
    try follow(tempo: tempo.flatMap { $0 > 0 ? Tempo($0) : nil })
  }
}
