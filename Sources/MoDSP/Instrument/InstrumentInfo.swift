import MoCore

/// The properties that an instrument declares; its tests check them.
public struct InstrumentInfo: Sendable {
  /// The name to type and to use in OSC addresses: lower-case letters, digits and hyphens.
  public var name: String
  /// A description in one line, without capital and full stop.
  public var summary: String
  /// The notes that it plays in tune, within 3 cents; nil if it has no pitch.
  public var plays: ClosedRange<Float>?
  /// Whether a note sounds until it is released; otherwise it decays by itself.
  public var holds: Bool
  /// Seconds from the last event to exact silence, with all notes released and default parameters.
  public var tail: Double
  /// The number of notes that can sound at the same time.
  public var voices: Int
  /// The grid whose lines it receives as `InstrumentEvent.line`; nil for none.
  public var grid: BeatGrid?
  /// The mapping from movement, as text; empty if it reads `InstrumentEvent.motion` itself or ignores movement.
  public var mapping: String

  /// Creates a sheet; the defaults are one voice without pitch whose notes decay by themselves.
  public init(
    name: String, summary: String, plays: ClosedRange<Float>? = nil, holds: Bool = false, tail: Double = 5,
    voices: Int = 1, grid: BeatGrid? = nil, mapping: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.plays = plays
    self.holds = holds
    self.tail = tail
    self.voices = voices
    self.grid = grid
    self.mapping = mapping
  }
}
