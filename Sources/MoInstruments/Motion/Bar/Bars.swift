import MoDSP

/// Bars that are struck by taps: wood, metal or glass.
///
/// Tilt chooses the bar, the tap's force how loud and bright it is.
///
/// - Thread: as `Instrument` says.
/// - Real-time safe: all but `init` and `prepare`.
public struct Bars: Instrument {
  /// Its name, and how it is moved.
  public static let sheet = InstrumentInfo(
    name: "bars", summary: "bars of wood, metal or glass: tap, and tilt to choose one", plays: 36...96,
    tail: 8,
    voices: 12,
    mapping: """
      tilt-roll -40..40 -> note 57..81 in major-pentatonic C4
      jerk 0..1 -> strike 0.25..1
      """)

  /// What can be set.
  public enum Control: Int, InstrumentControl {
    /// What the bars are made of.
    case material
    /// How hard the mallet is.
    case hardness
    /// How long they ring.
    case decay

    /// What each is called and may be.
    public var parameter: Parameter {
      switch self {
      case .material:
        Parameter(
          "material", 0...3, default: 0, smoothing: 0, step: 1,
          about: "0 rosewood, 1 aluminium, 2 glass, 3 steel; for the next stroke")
      case .hardness: Parameter("hardness", 0...1, default: 0.7, smoothing: 0, about: "wool … brass")
      case .decay:
        Parameter(
          "decay", 0.1...2, curve: .exponential, default: 1, smoothing: 0,
          about: "how much longer than usual it rings")
      }
    }
  }

  private var bars = Voices(Self.sheet.voices) { BarVoice() }
  private var make = BarVoice.Make()

  /// Bars at rest; nothing in them is random.
  public init(seed: UInt64?) {}

  /// Fits them to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    bars.prepare(sampleRate: sampleRate)
    bars.strokePitch = 72
  }

  /// Whether a bar rings.
  public var isSounding: Bool { bars.isSounding }

  /// Takes a stroke.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    let wanted = BarVoice.Make(
      material: Self.material(controls.goal(.material)), hardness: controls.goal(.hardness),
      decay: controls.goal(.decay))
    if wanted != make {
      make = wanted
      bars.adjust { $0.make = wanted }
    }
    bars.handle(event)
  }

  /// The next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    bars.render(&block)
  }

  private static func material(_ number: Float) -> BarMaterial {
    switch Int(number) {
    case 0: .rosewood
    case 1: .aluminium
    case 2: .glass
    default: .steel
    }
  }
}
