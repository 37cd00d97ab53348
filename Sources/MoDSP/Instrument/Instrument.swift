import MoCore

/// A playable sound: declares its parameters and properties, handles events, and renders.
///
/// An instrument is one file. The host adds the rest: exact frames, smoothing, loudness, a limiter, options, tapes,
/// OSC addresses, a terminal view and the tests that every instrument passes.
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
/// It is a value without shared references. The audio thread owns it, and calls it without allocating or retaining.
///
/// - Thread: `init` and `prepare` on the thread that sets up; the rest on the audio thread.
public protocol Instrument: Sendable {
  /// The parameters that can be set during play; omitted if there are none.
  associatedtype Control: InstrumentControl = NoControl

  /// Its name, its description and its guarantees.
  static var sheet: InstrumentInfo { get }

  /// Creates an instrument at rest.
  ///
  /// - Parameter seed: the seed of its random numbers; nil for the next of `SeedSource`.
  init(seed: UInt64?)

  /// Adapts the instrument to the sample rate and resets it; it may allocate.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, 4,000 … 768,000.
  ///   - blockFrames: the most frames in one call of `render`; a call may have only 1.
  mutating func prepare(sampleRate: Double, blockFrames: Int)

  /// Handles an event at the next frame to be rendered.
  ///
  /// Events are valid: every number is finite, notes are 0 … 127, velocities are above 0 and at most 1.
  ///
  /// - Real-time safe: must be.
  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>)

  /// Writes the next frames into `block`, which arrives zeroed and has two channels.
  ///
  /// Read a parameter as `controls[.brightness]`, or as `controls[.brightness, frame]` sample by sample. The output
  /// must not depend on the block length.
  ///
  /// - Real-time safe: must be.
  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>)

  /// Whether it makes a sound; if not, `render` is not called and the output is 0.
  var isSounding: Bool { get }

  /// Swing: the delay of every second grid line, in halves of a step, 0 … 1; read after each line.
  /// - Real-time safe: must be.
  var swing: Double { get }
}

extension Instrument {
  /// Creates an instrument at rest, with the next seed of `SeedSource`.
  @inlinable
  public init() { self.init(seed: nil) }

  /// True unless the instrument overrides it.
  @inlinable
  public var isSounding: Bool { true }

  /// 0, no swing, unless the instrument overrides it.
  @inlinable
  public var swing: Double { 0 }
}
