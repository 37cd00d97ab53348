#if STK
  import CMoSTK
  import MoInstruments

  /// The STK model of a clarinet, a blown reed on a pipe, as a type parameter of `StkInstrument`.
  public enum ClarinetKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-clarinet", summary: "STK's clarinet: a reed on a waveguide", holds: true, tail: 3, voices: 2)
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_CLARINET
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 0.6
    /// The pitch of a strike, as a MIDI note number: 60 is middle C.
    public static let strokePitch: Float = 60
    /// False: a strike is released after 0.25 s.
    public static let isStruck = false

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      case reed, noise, vibratoRate, vibrato

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .reed: Parameter("reed", 0...1, default: 0.5, about: "how stiff it is")
        case .noise: Parameter("noise", 0...1, default: 0.15, about: "of the breath")
        case .vibratoRate: Parameter("vibrato-rate", 0...1, default: 0.45, about: "how fast, to 12 Hz")
        case .vibrato: Parameter("vibrato", 0...1, default: 0.1, about: "how deep")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .reed: 2
        case .noise: 4
        case .vibratoRate: 11
        case .vibrato: 1
        }
      }
    }
  }
#endif
