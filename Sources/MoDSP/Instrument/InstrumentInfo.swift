import MoCore

/// The sheet of an instrument: properties that the instrument declares and that its tests check.
public struct InstrumentInfo: Sendable {
  /// The name for commands and OSC addresses, such as `harp`: lower-case letters, digits and hyphens.
  public var name: String
  /// A description in one line, without a capital letter at the start and without a full stop.
  public var summary: String
  /// The range of MIDI notes that the instrument plays in tune, within 3 cents; nil for an instrument without pitch.
  public var plays: ClosedRange<Float>?
  /// Whether a note sounds until it is released; otherwise the note decays by itself.
  public var holds: Bool
  /// Seconds from the last event to exact silence, if all notes are released and all parameters have their defaults.
  public var tail: Double
  /// The number of notes that can sound at the same time.
  public var voices: Int
  /// The musical grid whose lines the instrument receives as `InstrumentEvent.line`; nil if the instrument has no grid.
  public var grid: BeatGrid?
  /// The mapping from movement to parameters and notes, as text, such as `jerk 0..1 -> strike 0.2..1`.
  ///
  /// The text is empty if the instrument reads `InstrumentEvent.motion` itself, or ignores movement.
  public var mapping: String

  /// Creates a sheet; by default, the instrument has a single voice, no pitch, and notes that decay by themselves.
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
