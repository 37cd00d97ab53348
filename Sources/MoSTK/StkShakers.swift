#if STK
  import CMoSTK
  import MoInstruments

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
    /// The pitch of a strike: 0, which selects a maraca.
    ///
    /// The pitch of a note selects the kind of shaker, numbered from 0.
    public static let strokePitch: Float = 0
    /// True: a strike dies away by itself.
    public static let isStruck = true

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      case kind, energy, decay, beads, resonance

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
