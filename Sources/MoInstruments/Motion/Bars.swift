import MoDSP

/// Wooden, metal or glass bars that are struck by taps.
///
/// Tilt selects the bar; the force of the tap sets the loudness and the brightness.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Bars: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "bars", summary: "bars of wood, metal or glass: tap, and tilt to choose one", plays: 36...96,
    tail: 8,
    voices: 12,
    mapping: """
      tilt-roll -40..40 -> note 57..81 in major-pentatonic C4
      jerk 0..1 -> strike 0.25..1
      """)

  /// The parameters of the bars.
  public enum Control: Int, InstrumentControl {
    /// The material of the bars: 0 rosewood, 1 aluminium, 2 glass, 3 steel.
    case material
    /// The hardness of the mallet, 0 (wool) … 1 (brass).
    case hardness
    /// The factor on the decay time of the material; above 1, the bars ring longer.
    case decay

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .material:
        Parameter(
          "material", 0...3, default: 0, smoothing: 0, step: 1,
          about: "0 rosewood, 1 aluminium, 2 glass, 3 steel; for the next strike")
      case .hardness: Parameter("hardness", 0...1, default: 0.7, smoothing: 0, about: "wool … brass")
      case .decay:
        Parameter(
          "decay", 0.1...2, default: 1, curve: .exponential, smoothing: 0,
          about: "how much longer than usual it rings")
      }
    }
  }

  private var bars = Voices(Self.sheet.voices) { BarVoice() }
  private var make = BarVoice.Make()
  /// The materials, made before the first block: the first use of a static constant takes a lock.
  private let materials: [4 of BarMaterial] = [.rosewood, .aluminium, .glass, .steel]

  /// Creates bars at rest; the seed is ignored, because nothing in bars is random.
  public init(seed: UInt64?) {}

  /// Resets the bars and prepares them for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    bars.prepare(sampleRate: sampleRate)
    bars.strikePitch = 72
  }

  /// Whether any bar sounds.
  public var isSounding: Bool { bars.isSounding }

  /// Handles a strike or a note.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    let wanted = BarVoice.Make(
      material: materials[min(max(Int(controls.goal(.material)), 0), 3)], hardness: controls.goal(.hardness),
      decay: controls.goal(.decay))
    if wanted != make {
      make = wanted
      bars.adjust { $0.make = wanted }
    }
    bars.handle(event)
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    bars.render(&block)
  }
}

/// A voice that plays one bar.
struct BarVoice: NoteVoice {
  /// The properties of the bar and of the mallet, which take effect at the next strike.
  struct Make: Equatable, Sendable, BitwiseCopyable {
    /// The material of the bar.
    var material = BarMaterial.rosewood
    /// The hardness of the mallet, 0 (wool) … 1 (brass).
    var hardness: Float = 0.5
    /// The factor on the decay time of the material.
    var decay: Float = 1
  }

  var make = Make()
  private var bar = Bar()
  private var pitch: Float = 60
  private var bent: Float = 0

  var isSounding: Bool { bar.isSounding }
  /// The pan position, −0.6 … 0.6: low bars to the left, high bars to the right.
  var pan: Float { max(-0.6, min((pitch - 69) / 40, 0.6)) }

  mutating func prepare(sampleRate: Double) { bar.prepare(sampleRate: sampleRate) }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    bar.set(make.material, frequency: MoFun.midiToHz(Double(pitch + bent)), decay: Double(make.decay))
    bar.hardness = Double(make.hardness)
    bar.strike(note.velocity)
  }

  /// Bends the pitch from the next strike on.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { bar.rest() }

  mutating func tick(_ setting: Void) -> Float { Self.gain * bar.tick() }

  /// The gain that makes the bar as loud as the other instruments.
  private static let gain: Float = 1.9
}
