import MoCore

/// A sound that can be played: it declares its parameters and what it is, takes events, and renders.
///
/// One file makes an instrument. What plays it gives the rest: exact frames, smoothing, loudness, a limiter, options,
/// tapes, OSC addresses, a terminal view and the tests that every instrument passes.
///
/// ```swift
/// public struct Beep: Instrument {
///   public static let sheet = InstrumentInfo(name: "beep", summary: "a tone while a key is down", plays: 24...96)
///   public enum Control: Int, InstrumentControl {
///     case brightness
///     public var parameter: Parameter { Parameter("brightness", 0...1, default: 0.3) }
///   }
///   private var sine = Sine(440)
///   …
/// }
/// ```
///
/// A value with no shared references: the audio thread owns it, and calls it without allocating or retaining.
///
/// - Thread: `init` and `prepare` on the one that sets up; the rest on the audio thread.
public protocol Instrument: Sendable {
  /// The parameters that can be set while it plays; left out where there are none.
  associatedtype Control: InstrumentControl = NoControl

  /// What it is called, what it is, and what it promises.
  static var sheet: InstrumentInfo { get }

  /// An instrument at rest.
  ///
  /// - Parameter seed: of everything random in it; nil for the next of `SeedSource`.
  init(seed: UInt64?)

  /// Fits everything that depends on the rate to it, and comes to rest; it may allocate.
  ///
  /// - Parameters:
  ///   - sampleRate: frames a second, 4,000 … 768,000.
  ///   - blockFrames: the most frames that `render` is asked for at once; it may be as few as 1.
  mutating func prepare(sampleRate: Double, blockFrames: Int)

  /// Takes what happens at the next frame to be rendered.
  ///
  /// Events are clean: every number is finite, notes are 0 … 127, velocities above 0 … 1.
  ///
  /// - Real-time safe: must be.
  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>)

  /// Writes the next frames into `block`, which arrives zeroed and has two channels.
  ///
  /// A parameter is `controls[.brightness]`, or `controls[.brightness, frame]` sample by sample. What comes out may
  /// not depend on how the time is cut into blocks.
  ///
  /// - Real-time safe: must be.
  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>)

  /// Whether anything is to be heard; where not, `render` is not called and the output is 0.
  var isSounding: Bool { get }

  /// How late the second line of each pair of the sheet's grid is, in halves of a step, 0 … 1; asked for after each.
  ///
  /// - Real-time safe: must be.
  var swing: Double { get }
}

extension Instrument {
  /// Always asked to render, unless the instrument knows better.
  @inlinable
  public var isSounding: Bool { true }

  /// Straight, unless the instrument knows better.
  @inlinable
  public var swing: Double { 0 }
}
