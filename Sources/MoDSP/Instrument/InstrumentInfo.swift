import MoCore

/// What an instrument says about itself; its tests hold it to that.
public struct InstrumentInfo: Sendable {
  /// As it is typed and as it stands in OSC addresses: lower-case letters, digits and hyphens.
  public var name: String
  /// What it is, in one line: no capital, no full stop.
  public var summary: String
  /// The notes that it plays in tune, within 3 cents; nil where it has no pitch.
  public var plays: ClosedRange<Float>?
  /// Whether a note sounds until it is let go; otherwise it dies away by itself.
  public var holds: Bool
  /// Seconds from the last event, with all notes let go, to exact silence, at the parameters' defaults.
  public var tail: Double
  /// How many notes sound at once.
  public var voices: Int
  /// The grid whose lines it is told about as `InstrumentEvent.line`; nil for none.
  public var grid: BeatGrid?
  /// How movement reaches it, in the text of a mapping; empty where it reads `InstrumentEvent.motion` itself, or not
  /// at all.
  public var mapping: String

  /// A sheet; what is left out is one voice that holds no note and has no pitch.
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
