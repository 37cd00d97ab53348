import MoCore

/// A playable sound: a type that declares its parameters and properties, handles events, and renders the sound.
///
/// You write an instrument in one file. MoMu adds the rest: events at their exact frames, smooth parameters, loudness,
/// a limiter, options, tapes, OSC addresses, a terminal view and the tests that every instrument passes.
///
/// ```swift
/// public struct Beep: Instrument {
///   public static let sheet = InstrumentInfo(name: "beep", summary: "a tone while a key is down", plays: 24...96)
///   public enum Control: Int, InstrumentControl {
///     case brightness
///     public var parameter: Parameter { Parameter("brightness", 0...1, default: 0.3) }
///   }
///   private var sine = Sine()
///   private var level: Float = 0
///
///   public init(seed: UInt64?) {}
///   public var isSounding: Bool { level > 0 }
///   public mutating func prepare(sampleRate: Double, blockFrames: Int) { sine.prepare(sampleRate: sampleRate) }
///   public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
///     switch event {
///     case .noteOn(let note): (sine.frequency, level) = (note.frequency, note.velocity)
///     case .noteOff, .allOff: level = 0
///     default: break
///     }
///   }
///   public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
///     for frame in block.frames { block[frame] = level * controls[.brightness, frame] * sine.tick() }
///   }
/// }
/// ```
///
/// An instrument is a value without shared references. The audio thread owns it, and calls it without allocation or
/// reference counting.
///
/// - Thread: `init` and `prepare` on the thread that sets up; the rest on the audio thread.
public protocol Instrument: Sendable {
  /// The type of the parameters that can be set during play; the default, `NoControl`, has no parameters.
  associatedtype Control: InstrumentControl = NoControl

  /// The name, the description and the guarantees of the instrument.
  static var sheet: InstrumentInfo { get }

  /// Creates an instrument at rest.
  ///
  /// - Parameter seed: the seed of the instrument's random numbers; nil for the program's next seed, from
  ///   `SeedSource`.
  init(seed: UInt64?)

  /// Adapts the instrument to the sample rate and resets it; this call may allocate.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, 4,000 … 768,000.
  ///   - blockFrames: the largest number of frames in a call of `render`; a call may have only 1 frame.
  mutating func prepare(sampleRate: Double, blockFrames: Int)

  /// Handles an event that takes effect at the next frame to be rendered.
  ///
  /// Events are valid: every number is finite, notes are 0 … 127, velocities are 0 … 1, and the velocity of a
  /// `noteOn` is above 0.
  ///
  /// - Real-time safe: it must be.
  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>)

  /// Writes the next frames into `block`, which arrives zeroed and has two channels.
  ///
  /// Read a parameter as `controls[.brightness]`, or as `controls[.brightness, frame]` sample by sample. The output
  /// must not depend on the block length.
  ///
  /// - Real-time safe: it must be.
  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>)

  /// Whether the instrument makes a sound; if false, `render` is not called and the output is 0.
  ///
  /// The values of the parameters are not known here. If a parameter alone can start the sound, keep the default, true.
  var isSounding: Bool { get }

  /// The swing: the delay of every second grid line, 0 (no delay) … 1 (half the distance between two grid lines).
  ///
  /// MoMu reads this value after each grid line, for the next grid line.
  /// - Real-time safe: it must be.
  var swing: Double { get }
}

extension Instrument {
  /// Creates an instrument at rest, with the next seed of `SeedSource`.
  @inlinable
  public init() { self.init(seed: nil) }

  /// The default: true, unless the instrument declares its own `isSounding`.
  @inlinable
  public var isSounding: Bool { true }

  /// The default: 0, no swing, unless the instrument declares its own `swing`.
  @inlinable
  public var swing: Double { 0 }
}

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
