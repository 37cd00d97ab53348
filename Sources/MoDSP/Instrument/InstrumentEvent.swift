import MoCore

/// Something that happens to an instrument, at the frame where the next `render` begins.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public enum InstrumentEvent: Sendable, BitwiseCopyable {
  /// A note begins.
  case noteOn(Note)
  /// The note with this `id` is let go; its velocity says how fast.
  case noteOff(Note)
  /// The note with this `id`, while it sounds, goes to another pitch or force.
  case noteMove(Note)
  /// A stroke with no pitch of its own, of force 0 … 1: what one switch, one tap or a jerk does.
  case strike(Float)
  /// Everything that sounds, and all that comes, is so many semitones higher; −24 … 24.
  case bend(Float)
  /// A reading of the accelerometer.
  case motion(Motion)
  /// A line of the sheet's grid.
  case line(GridLine)
  /// The rhythm begins or ends; before any, there is none.
  case rhythm(isRunning: Bool)
  /// Every note is let go.
  case allOff
}

/// A note: a pitch, how hard, and which one it is.
@frozen
public struct Note: Equatable, Sendable, BitwiseCopyable {
  /// As MIDI counts, 0 … 127: 69 is 440 Hz, 1 a semitone; parts count.
  public var pitch: Float
  /// How hard, 0 … 1.
  public var velocity: Float
  /// What its end and its moves are told by.
  public var id: Int32

  /// A note.
  ///
  /// - Parameter id: left out, the pitch rounded, as a keyboard has one key a semitone.
  @inlinable
  public init(_ pitch: Float, velocity: Float = 0.8, id: Int32? = nil) {
    self.pitch = pitch
    self.velocity = velocity
    self.id = id ?? Int32(max(-1e6, min(pitch, 1e6)).rounded())
  }

  /// The pitch in Hz, in equal temperament.
  @inlinable
  public var frequency: Double { MoFun.midiToHz(Double(pitch)) }
}

/// A line of the musical grid, as it would be if the grid did not swing; it is told when it sounds.
@frozen
public struct GridLine: Equatable, Sendable, BitwiseCopyable {
  /// Its beat, counted from the rhythm's beginning.
  public var beat: Double
  /// Its bar, and the beat in it.
  public var position: BarPosition
  /// Beats a minute there.
  public var tempo: Double
  /// Seconds to the grid's next line, at that tempo.
  public var length: Double
  /// Whether it belongs to the bars that are only counted.
  public var isCountIn: Bool

  /// A line from its parts.
  @inlinable
  public init(beat: Double, position: BarPosition, tempo: Double, length: Double, isCountIn: Bool = false) {
    self.beat = beat
    self.position = position
    self.tempo = tempo
    self.length = length
    self.isCountIn = isCountIn
  }
}
