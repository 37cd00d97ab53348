import MoCore

/// An event for an instrument; it takes effect at the first frame of the next `render`.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public enum InstrumentEvent: Sendable, BitwiseCopyable {
  /// A note begins.
  case noteOn(Note)
  /// The sounding note with the same `id` is released; `velocity` is the release velocity.
  case noteOff(Note)
  /// The sounding note with the same `id` gets this pitch and this velocity.
  case noteMove(Note)
  /// A strike without a pitch, of force 0 … 1: from a switch, a tap or a movement.
  case strike(Float)
  /// Pitch bend of all present and future notes, in semitones, −24 … 24.
  case bend(Float)
  /// A reading of the accelerometer.
  case motion(Motion)
  /// A grid line is due.
  ///
  /// The line belongs to the grid in the instrument's sheet, or, if the sheet has none, to the grid of
  /// `InstrumentHandle.grid`.
  case line(GridLine)
  /// The rhythm begins or ends.
  ///
  /// Only instruments with a grid, from their sheet or from `InstrumentHandle.grid`, receive this event.
  case rhythm(isRunning: Bool)
  /// Every note is released.
  case allOff
}

/// A note: its pitch, its velocity and its identifier.
@frozen
public struct Note: Equatable, Sendable, BitwiseCopyable {
  /// The pitch as a MIDI note number, 0 … 127, in semitones; 69 is 440 Hz, and fractions are allowed.
  public var pitch: Float
  /// The strength of the note, 0 … 1.
  public var velocity: Float
  /// The identifier of the note, for `noteOff` and `noteMove`.
  public var id: Int32

  /// Creates a note.
  ///
  /// - Parameters:
  ///   - pitch: a MIDI note number, 0…127; fractions are allowed.
  ///   - velocity: above 0, at most 1.
  ///   - id: by default the rounded pitch, as a keyboard has one key for each semitone.
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

/// A line of the musical grid, with its position in the rhythm.
///
/// An instrument receives a line at the moment at which the line is due, swing included.
@frozen
public struct GridLine: Equatable, Sendable, BitwiseCopyable {
  /// The beat of the line, counted from 0 at the start of bar 1; negative in a count-in.
  public var beat: Double
  /// The position of the line: its bar, and the beat in this bar.
  public var position: BarPosition
  /// The tempo at the line.
  public var tempo: Tempo
  /// Seconds from one grid line to the next at `tempo`, without swing.
  public var length: Double
  /// Whether the line belongs to the count-in.
  public var isCountIn: Bool

  /// Creates a line from its values.
  @inlinable
  public init(beat: Double, position: BarPosition, tempo: Tempo, length: Double, isCountIn: Bool = false) {
    self.beat = beat
    self.position = position
    self.tempo = tempo
    self.length = length
    self.isCountIn = isCountIn
  }

  /// The number of the line's sixteenth in its bar, from 0: a beat has four sixteenths in 4/4, and two in 6/8.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public var sixteenth: Int {
    let place = (position.beat * 16 / Double(position.meter.unit)).rounded()
    return Int(max(0, min(place, 1024)))
  }
}
