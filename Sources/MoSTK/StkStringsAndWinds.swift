#if STK
  import CMoSTK
  import MoInstruments

  /// The STK model of a mandolin, with plucked pairs of strings, as a type parameter of `StkInstrument`.
  public enum MandolinKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-mandolin", summary: "STK's mandolin: commuted pairs of strings", tail: 12, voices: 8)
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_MANDOLIN
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 1
    /// The pitch of a strike, as a MIDI note number: 60 is middle C.
    public static let strikePitch: Float = 60
    /// True: a strike dies away by itself.
    public static let isStruck = true

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The size of the body, 0 … 1.
      case body
      /// The plucking position on the string, 0 … 1.
      case position
      /// The ring time, 0 (short) … 1 (long).
      case sustain
      /// The detuning between the strings of a pair, 0 … 1.
      case detuning

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .body: Parameter("body", 0...1, default: 0.5, about: "how large it is")
        case .position: Parameter("position", 0...1, default: 0.4, about: "where it is plucked")
        case .sustain: Parameter("sustain", 0...1, default: 0.7, about: "how long it rings")
        case .detuning: Parameter("detuning", 0...1, default: 0.05, about: "between the strings of a pair")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .body: 2
        case .position: 4
        case .sustain: 11
        case .detuning: 1
        }
      }

      /// Converts a parameter's value, 0 … 1, to the controller's value, 0 … 128.
      ///
      /// STK refuses a gain of 1 in the loop of the string, and allocates memory for the text of this warning.
      public func controller(_ value: Float) -> Float { value * (self == .sustain ? 127.99 : 128) }
    }
  }

  /// The STK model of an electric piano with frequency modulation, as a type parameter of `StkInstrument`.
  public enum RhodeyKind: StkKind {
    /// The description of the instrument.
    public static let sheet = InstrumentInfo(
      name: "stk-rhodey", summary: "STK's electric piano: frequency modulation", plays: 36...96, tail: 10,
      voices: 8)
    /// The STK class of this instrument.
    public static let kind = MOMU_STK_RHODEY
    /// The linear gain that makes this instrument as loud as the other instruments.
    public static let gain: Float = 0.8
    /// The pitch of a strike, as a MIDI note number: 60 is middle C.
    public static let strikePitch: Float = 60
    /// False: a strike is released after 0.25 s.
    public static let isStruck = false

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The modulation index of the first pair of oscillators, 0 … 1.
      case brightness
      /// The crossfade from the first pair of oscillators (0) to the second (1).
      case crossfade
      /// The rate of the tremolo, 0 … 1 for 0 … 12 Hz.
      case tremoloRate
      /// The depth of the tremolo, 0 … 1.
      case tremolo

      /// The parameter's name, range and default.
      public var parameter: Parameter {
        switch self {
        case .brightness:
          Parameter("brightness", 0...1, default: 0.5, about: "how far the first pair modulates")
        case .crossfade:
          Parameter("crossfade", 0...1, default: 0.5, about: "from the first pair to the second")
        case .tremoloRate: Parameter("tremolo-rate", 0...1, default: 0.5, about: "how fast, to 12 Hz")
        case .tremolo: Parameter("tremolo", 0...1, default: 0, about: "how deep")
        }
      }

      /// The number of the STK controller that this parameter sets.
      public var number: Int32 {
        switch self {
        case .brightness: 2
        case .crossfade: 4
        case .tremoloRate: 11
        case .tremolo: 1
        }
      }
    }
  }

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
    public static let strikePitch: Float = 60
    /// False: a strike is released after 0.25 s.
    public static let isStruck = false

    /// The parameters of this instrument.
    public enum Control: Int, StkControl {
      /// The stiffness of the reed, 0 … 1.
      case reed
      /// The noise of the breath, 0 … 1.
      case noise
      /// The rate of the vibrato, 0 … 1 for 0 … 12 Hz.
      case vibratoRate
      /// The depth of the vibrato, 0 … 1.
      case vibrato

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
