#if STK
  import CMoSTK
  import MoInstruments

  /// The STK model of struck wooden and metal bars, as a type parameter of `StkInstrument`.
  public enum ModalBarKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-bars", summary: "STK's modal bars: marimba, vibraphone and others", plays: 36...96, tail: 10,
      voices: 8)
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_MODAL_BAR
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 1.2
    /// The pitch of a strike, as a MIDI note number: 60 is middle C.
    public static let strikePitch: Float = 60
    /// True: a strike dies away by itself.
    public static let isStruck = true

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The bar: 0 marimba, 1 vibraphone, 2 agogo, … 8.
      case preset
      /// The hardness of the stick, 0 … 1.
      case hardness
      /// The position of the blow on the bar, 0 … 1.
      case position
      /// The loudness of the stick itself, 0 … 1.
      case mix

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .preset:
          Parameter(
            "preset", 0...8, default: 0, smoothing: 0, step: 1, about: "marimba, vibraphone, agogo, …")
        case .hardness: Parameter("hardness", 0...1, default: 0.5, about: "of the stick")
        case .position: Parameter("position", 0...1, default: 0.4, about: "where the bar is struck")
        case .mix: Parameter("mix", 0...1, default: 0.1, about: "how much of the stick itself is heard")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .preset: 16
        case .hardness: 2
        case .position: 4
        case .mix: 8
        }
      }

      /// Converts a parameter's value, 0…1, to the STK controller's value, 0…128; the number of a preset is not
      /// converted.
      public func controller(_ value: Float) -> Float { self == .preset ? value : value * 128 }
    }
  }

  /// The STK model of struck or bowed bars, bowls and glasses, as a type parameter of `StkInstrument`.
  public enum BandedWGKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-bowed-bars", summary: "STK's banded waveguides: bars, glass harmonica, Tibetan bowl",
      holds: true, tail: 90, voices: 2)
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_BANDED_WG
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 2
    /// The pitch of a strike, as a MIDI note number: 60 is middle C.
    public static let strikePitch: Float = 60
    /// False: a strike is released after 0.25 s.
    public static let isStruck = false

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The body: 0 bar, 1 tuned bar, 2 glass harmonica, 3 bowl.
      case preset
      /// The pressure of the bow, 0 … 1; at 0, the body is struck.
      case pressure
      /// The speed of the bow, 0 … 1.
      case velocity
      /// The ring time, 0 (short) … 1 (long).
      case gain

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .preset:
          Parameter(
            "preset", 0...3, default: 1, smoothing: 0, step: 1, about: "bar, tuned bar, glass harmonica, bowl"
          )
        case .pressure: Parameter("pressure", 0...1, default: 0, about: "of the bow; at 0 it strikes instead")
        case .velocity: Parameter("velocity", 0...1, default: 0.5, about: "of the bow")
        case .gain: Parameter("gain", 0...1, default: 0.8, about: "how long it rings")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .preset: 16
        case .pressure: 2
        case .velocity: 128
        case .gain: 1
        }
      }

      /// Converts a parameter's value, 0…1, to the STK controller's value, 0…128; the number of a preset is not
      /// converted.
      public func controller(_ value: Float) -> Float { self == .preset ? value : value * 128 }
    }
  }

  /// The STK model of containers with beads and other shaken things, as a type parameter of `StkInstrument`.
  public enum ShakersKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-shakers", summary: "STK's shakers: maraca, tambourine, bells, water drops and others",
      tail: 10,
      voices: 2, mapping: "activity 0.05..0.8 -> energy 0..1\njerk 0..1 -> strike 0.2..1")
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_SHAKERS
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 4
    /// The pitch of a strike: 0, which selects a maraca; not used, since `strikeControl` selects the kind.
    public static let strikePitch: Float = 0
    /// True: a strike dies away by itself.
    public static let isStruck = true
    /// The parameter that selects the kind of shaker for strikes and shaking.
    ///
    /// The pitch of a note selects the kind of shaker for this note, numbered from 0.
    public static var strikeControl: Control? { .kind }
    /// The parameter that shakes the shaker.
    public static var energyControl: Control? { .energy }

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The kind of shaker for strikes and shaking: 0 maraca, 1 cabasa, 2 sekere, … 22.
      case kind
      /// The strength of the shaking, 0 … 1.
      case energy
      /// The time for which the sound continues, 0 (short) … 1 (long).
      case decay
      /// The number of beads, 0 (few) … 1 (many).
      case beads
      /// The pitch of the resonance, 0 (low) … 1 (high).
      case resonance

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .kind:
          Parameter("kind", 0...22, default: 0, smoothing: 0, step: 1, about: "maraca, cabasa, sekere, …")
        case .energy: Parameter("energy", 0...1, default: 0, about: "how strongly it is shaken now")
        case .decay: Parameter("decay", 0...1, default: 0.5, about: "how long it goes on")
        case .beads: Parameter("beads", 0...1, default: 0.5, about: "how many are in it")
        case .resonance: Parameter("resonance", 0...1, default: 0.5, about: "how high it sounds")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .kind: 1071
        case .energy: 128
        case .decay: 4
        case .beads: 11
        case .resonance: 1
        }
      }

      /// Converts a parameter's value, 0…1, to the STK controller's value, 0…128; the number of a kind is not
      /// converted.
      public func controller(_ value: Float) -> Float { self == .kind ? value : value * 128 }
    }
  }
#endif
