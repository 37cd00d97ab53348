import Glibc
import MoDSP

/// An egg shaker: shake it, or strike it once for a single rattle.
///
/// The wilder the movement, the louder; at rest it is silent. A note's pitch, like `brightness`, says how bright. On the
/// grid (`InstrumentHandle.grid`) shaking begins to sound on a line.
///
/// - Thread: as `Instrument` says.
/// - Real-time safe: all but `init` and `prepare`.
public struct ShakerInstrument: Instrument {
  /// Its name, and how it is moved.
  public static let sheet = InstrumentInfo(
    name: "shaker", summary: "an egg shaker: shake it", tail: 2,
    mapping: """
      activity 0..0.8 -> shake 0..1
      jerk 0..1 -> strike 0.3..1
      """)

  /// What can be set.
  public enum Control: Int, InstrumentControl {
    /// How wildly it is shaken.
    case shake
    /// How bright it sounds.
    case brightness

    /// What each is called and may be.
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
  /// What a stroke has left in it, and what is left of that after a sample.
  private var burst: Float = 0
  private var burstFade: Float = 0
  /// Frames since the last reading; where it was too long ago, what it left of the shaking after each frame from then on.
  private var silence = 0
  private var stale: Float = 0
  private var left: Float = 1
  /// What `shake` was set to last, and whether by a movement.
  private var shake: Float = 0
  private var isMoved = false
  /// Whether shaking begins on the grid's lines, and whether it has.
  private var isOnGrid = false
  private var hasBegun = true

  /// A shaker at rest.
  public init(seed: UInt64?) { shaker = Shaker(seed: seed) }

  /// Fits it to a sample rate, at rest.
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

  /// Seconds in which a stroke's energy falls to 37 %.
  private static let burstSeconds = 0.1

  /// Seconds after which readings are missed, and those within which one sets what it sets.
  private static let patience = 0.2
  private static let settling = 0.02

  /// Shaking below this is none.
  private static let still: Float = 0.01

  /// Takes a stroke.
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

  /// The next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    let bright = max(0, min(controls[.brightness] + colour, 1))
    if bright != toneSet { brighten(bright) }
    if controls.goal(.shake) != shake {
      (shake, left) = (controls.goal(.shake), 1)
      if silence > Int(Self.settling * sampleRate) { isMoved = false }
    }
    if isOnGrid, controls[.shake] < Self.still { hasBegun = false }
    let open: Float = hasBegun ? 1 : 0
    let patience = isMoved ? Int(Self.patience * sampleRate) : .max
    var (voice, filter) = (shaker, tone)
    for frame in block.frames {
      // A sensor that falls silent while it is shaken lets go.
      silence &+= 1
      if silence > patience { left = left < 0.01 ? 0 : left * stale }
      let rattle = filter.tick(voice.tick(max(open * left * controls[.shake, frame], burst)))
      block[frame] = softClip(Self.gain * rattle, limit: 0.85)
      burst = burst < 1e-4 ? 0 : burst * burstFade
    }
    (shaker, tone) = (voice, filter)
  }

  /// What makes one rattle about as loud as a note of the other instruments.
  private static let gain: Float = 1.7

  private mutating func brighten(_ part: Float) {
    toneSet = part
    // Six octaves would be none too many, but seeds in a pillow are not heard.
    tone.set(frequency: 2000 * Double(1 + 7 * part * part), q: 0.707, sampleRate: sampleRate)
  }
}
