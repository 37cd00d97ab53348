import Glibc
import MoDSP

/// An egg shaker: shake it, or strike it once for a single rattle.
///
/// Wilder movement is louder; at rest the shaker is silent. A note above 60 (middle C) sounds brighter than the
/// parameter `brightness` says, a note below 60 duller. On a grid (`InstrumentHandle.grid`), the shaking begins
/// on a line.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct ShakerInstrument: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "shaker", summary: "an egg shaker: shake it", tail: 2,
    mapping: """
      activity 0..0.8 -> shake 0..1
      jerk 0..1 -> strike 0.3..1
      """)

  /// The parameters of the shaker.
  public enum Control: Int, InstrumentControl {
    /// The strength of the shaking, 0 … 1.
    case shake
    /// The brightness of the rattle, 0 (seeds in wood) … 1 (seeds in metal).
    case brightness

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .shake: Parameter("shake", 0...1, default: 0, about: "how wildly it is shaken")
      case .brightness: Parameter("brightness", 0...1, default: 0.7, about: "seeds in wood … seeds in metal")
      }
    }
  }

  private var shaker: Shaker
  private var tone = StateVariable(.lowPass, frequency: 12_000, sampleRate: 48_000)
  private var sampleRate = 48_000.0
  private var toneSet: Float = -1
  private var colour: Float = 0
  /// The remaining energy of the last strike or note, 0 … 1.
  private var burst: Float = 0
  /// The factor by which `burst` decays per sample.
  private var burstFade: Float = 0
  /// The number of frames since the last reading.
  private var silence = 0
  /// The factor by which `left` decays per frame while readings are missing (see `timeout`).
  private var stale: Float = 0
  /// The share of the parameter `shake` that still has an effect: 1, or less after readings have become missing.
  private var left: Float = 1
  /// The last value of the parameter `shake`.
  private var shake: Float = 0
  /// Whether the last value of `shake` counts as caused by a reading; if so, the shaking decays when readings are
  /// missing.
  private var isMoved = false
  /// Whether shaking begins on grid lines.
  private var isOnGrid = false
  /// Whether the current shaking has begun; on a grid, shaking is silent until the next line.
  private var hasBegun = true

  /// Creates a shaker at rest; `seed` starts the shaker's random numbers, nil for the next seed of `SeedSource`.
  public init(seed: UInt64?) { shaker = Shaker(seed: seed) }

  /// Creates an instrument that plays the given `Shaker`.
  public init(_ shaker: Shaker) { self.shaker = shaker }

  /// Resets the shaker and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    shaker.prepare(sampleRate: sampleRate)
    tone.clear()
    burstFade = Float(1 - 1 / (Self.burstSeconds * sampleRate))
    (burst, toneSet, colour) = (0, -1, 0)
    (silence, left, shake, isMoved) = (0, 1, 0, false)
    (isOnGrid, hasBegun) = (false, true)
    stale = Float(exp(-1 / (0.1 * sampleRate)))
  }

  /// The time in which a strike's energy falls to 37 %, in seconds.
  private static let burstSeconds = 0.1

  /// The number of seconds without a reading after which readings count as missing.
  private static let timeout = 0.2
  /// The number of seconds after a reading within which a change of `shake` counts as caused by this reading.
  private static let settling = 0.02

  /// The value of `shake` below which the shaker counts as still.
  private static let still: Float = 0.01

  /// Handles a strike, a note or a movement.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note):
      colour = (note.pitch - 60) / 48
      burst = max(burst, note.velocity)
    case .strike(let force):
      colour = 0
      burst = max(burst, force)
    case .motion: (silence, isMoved, left) = (0, true, 1)
    case .rhythm(let isRunning): (isOnGrid, hasBegun) = (isRunning, hasBegun || !isRunning)
    case .line: hasBegun = true
    default: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    let bright = max(0, min(controls[.brightness] + colour, 1))
    if bright != toneSet { brighten(bright) }
    if controls.goal(.shake) != shake {
      (shake, left) = (controls.goal(.shake), 1)
      if silence > Int(Self.settling * sampleRate) { isMoved = false }
    }
    if isOnGrid, controls[.shake] < Self.still { hasBegun = false }
    let open: Float = hasBegun ? 1 : 0
    let timeout = isMoved ? Int(Self.timeout * sampleRate) : .max
    var (voice, filter) = (shaker, tone)
    for frame in block.frames {
      // If the sensor stops sending while it is shaken, the shaking decays.
      silence &+= 1
      if silence > timeout { left = left < 0.01 ? 0 : left * stale }
      let rattle = filter.tick(voice.tick(max(open * left * controls[.shake, frame], burst)))
      block[frame] = softClip(Self.gain * rattle, limit: 0.85)
      burst = burst < 1e-4 ? 0 : burst * burstFade
    }
    (shaker, tone) = (voice, filter)
  }

  /// The gain that makes a rattle about as loud as a note of the other instruments.
  private static let gain: Float = 1.7

  private mutating func brighten(_ part: Float) {
    toneSet = part
    // Six octaves would not be too many, but dull seeds would be inaudible.
    tone.set(frequency: 2000 * Double(1 + 7 * part * part), q: 0.707, sampleRate: sampleRate)
  }
}
