#if STK
  import CMoSTK
  import Glibc
  import MoInstruments

  /// A model of the Synthesis ToolKit (STK), as a type parameter of `StkInstrument`.
  public protocol StkKind: Sendable {
    /// The type of the instrument's parameters, each of which sets an STK controller.
    associatedtype Control: StkControl
    /// The description of the instrument.
    static var sheet: InstrumentInfo { get }
    /// The STK class of the instrument, as a constant of the C interface to STK.
    static var kind: momu_stk_kind { get }
    /// The linear gain that makes the instrument as loud as the other instruments.
    static var gain: Float { get }
    /// The pitch of a strike, as a MIDI note number.
    static var strikePitch: Float { get }
    /// Whether a strike dies away by itself; otherwise it is released after 0.25 s.
    static var isStruck: Bool { get }
    /// The parameter whose value is the pitch of a strike, in place of `strikePitch`; nil for none.
    static var strikeControl: Control? { get }
    /// The parameter that holds the sound as loud as a strike of this force; nil for none.
    static var energyControl: Control? { get }
  }

  extension StkKind {
    /// Nil: each strike has the pitch `strikePitch`.
    public static var strikeControl: Control? { nil }
    /// Nil: no parameter holds the sound.
    public static var energyControl: Control? { nil }
  }

  /// A parameter that sets an STK controller.
  public protocol StkControl: InstrumentControl {
    /// The number of the STK controller that this parameter sets.
    var number: Int32 { get }
    /// Converts a value of the parameter to the controller's value, usually 0 … 128.
    func controller(_ value: Float) -> Float
  }

  extension StkControl {
    /// Converts a parameter's value, 0 … 1, to the controller's value, 0 … 128.
    public func controller(_ value: Float) -> Float { value * 128 }
  }

  /// An instrument of the Synthesis ToolKit (STK); `Kind` selects the model.
  ///
  /// - Source: P. R. Cook, G. P. Scavone, *The Synthesis ToolKit (STK)*, ICMC (1999).
  /// - Thread: one owner; the audio thread during play.
  /// - Real-time safe: all but `init` and `prepare`.
  public struct StkInstrument<Kind: StkKind>: Instrument {
    /// The parameters of the model.
    public typealias Control = Kind.Control

    /// The description of the instrument.
    public static var sheet: InstrumentInfo { Kind.sheet }

    private var voices: StkVoices?
    private var sent = InlineArray<8, Float>(repeating: .nan)
    /// The number of parameters; stored, because reading `allCases` allocates an array.
    private let controlCount = Control.allCases.count
    private var shaking = StkShaking()
    private var bend: Float = 0
    private var strikeEnd = 0
    private var strikeFrames = 0

    /// Creates an instrument at rest; `prepare` creates its voices.
    ///
    /// - Throws: `StkError` if STK's recordings (raw waves) are missing, or if STK cannot create the
    ///   instrument.
    public init() throws(StkError) {
      // Another rate would change the rate of the STK instruments that play.
      _ = try Self.make(sampleRate: 0)
    }

    /// Creates an instrument at rest, which stays silent if `init()` would throw.
    public init(seed: UInt64?) {}

    private static func make(sampleRate: Double) throws(StkError) -> StkVoices {
      try StkVoices(
        Kind.kind, name: Kind.sheet.name, count: Kind.sheet.voices, sampleRate: sampleRate,
        rawWaves: try RawWaves.folder())
    }

    /// Replaces the instrument's voices with new voices for a sample rate.
    public mutating func prepare(sampleRate: Double, blockFrames: Int) {
      do {
        voices = try Self.make(sampleRate: sampleRate)
      } catch {
        voices = nil
        MoLog.log(.warning, "\(Kind.sheet.name) is silent: \(error)")
      }
      sent = InlineArray<8, Float>(repeating: .nan)
      (bend, strikeEnd, strikeFrames) = (0, 0, Int(0.25 * sampleRate))
      shaking = StkShaking()
    }

    /// Whether any voice sounds, or a parameter alone can make a voice sound; false if STK could not create the
    /// instrument.
    public var isSounding: Bool { voices.map { Kind.energyControl != nil || $0.isSounding } ?? false }

    /// Handles an event that takes effect at the next rendered frame.
    public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
      follow(controls)
      switch event {
      case .noteOn(let note): start(note, controls)
      case .noteOff(let note): voices?.release(id: note.id)
      case .noteMove(let note): voices?.move(note, bend: bend)
      case .strike(let force):
        start(Note(strikePitch(controls), velocity: force, id: .min), controls)
        strikeEnd = Kind.isStruck ? 0 : strikeFrames
      case .bend(let semitones):
        // A bent pitch would select another kind of shaker.
        guard Kind.strikeControl == nil else { return }
        bend = semitones
        voices?.bend(semitones)
      case .allOff: voices?.release(id: nil)
      case .motion: shaking.read()
      case .line, .rhythm: break
      }
    }

    /// Renders the instrument's next frames into a block.
    public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
      follow(controls)
      let count = block.frames.count
      shake(controls, seconds: Double(count) / block.sampleRate)
      // A strike is released automatically, at its frame.
      let part = strikeEnd > 0 ? min(strikeEnd, count) : count
      voices?.render(&block, from: 0, count: part, gain: Kind.gain)
      guard strikeEnd > 0 else { return }
      strikeEnd -= part
      if strikeEnd == 0 { voices?.release(id: .min) }
      voices?.render(&block, from: part, count: count - part, gain: Kind.gain)
    }

    private func strikePitch(_ controls: Controls<Control>) -> Float {
      Kind.strikeControl.map { controls.goal($0) } ?? Kind.strikePitch
    }

    private mutating func start(_ note: Note, _ controls: Controls<Control>) {
      voices?.start(note, bend: bend)
      if Kind.strikeControl != nil { followAnew(controls) }
    }

    /// Shakes the instrument for the next frames if the parameter of `Kind.energyControl` is above 0.
    private mutating func shake(_ controls: Controls<Control>, seconds: Double) {
      guard let voices, let energy = Kind.energyControl else { return }
      let force = shaking.force(controls[energy], goal: controls.goal(energy), seconds: seconds)
      guard force > 0.01, voices.shake(pitch: strikePitch(controls), force: force) else { return }
      followAnew(controls)
    }

    /// Sends all parameters to STK: a note of another kind of shaker resets STK's controllers.
    private mutating func followAnew(_ controls: Controls<Control>) {
      sent = InlineArray<8, Float>(repeating: .nan)
      follow(controls)
    }

    /// Sends changed parameters to STK, except those that have their own effect here.
    private mutating func follow(_ controls: Controls<Control>) {
      guard let voices else { return }
      for index in 0..<controlCount
      where index != Kind.strikeControl?.rawValue && index != Kind.energyControl?.rawValue {
        guard let control = Control(rawValue: index) else { return }
        let value = controls[control]
        guard value != sent[control.rawValue] else { continue }
        sent[control.rawValue] = value
        voices.control(control.number, control.controller(value))
      }
    }
  }

  /// The force with which a parameter shakes an instrument; 0 after the sensor that sets the parameter stops sending.
  struct StkShaking {
    /// The number of seconds without a reading after which readings count as missing.
    private static let timeout = 0.2
    /// The number of seconds after a reading within which a change of the parameter counts as caused by this reading.
    private static let settling = 0.02

    private var goal: Float = 0
    private var sinceReading = 0.0
    private var isMoved = false

    /// Handles a sensor's reading.
    mutating func read() { (sinceReading, isMoved) = (0, true) }

    /// Returns the force for the next `seconds`, from the parameter's present value and its goal.
    mutating func force(_ value: Float, goal: Float, seconds: Double) -> Float {
      if goal != self.goal {
        self.goal = goal
        if sinceReading > Self.settling { isMoved = false }
      }
      sinceReading += seconds
      return isMoved && sinceReading > Self.timeout ? 0 : value
    }
  }

  /// An error of playing an STK instrument; its text says what happened and what to type.
  public enum StkError: Error, CustomStringConvertible, Equatable {
    /// The folder of STK's recordings (raw waves) is missing; `looked` lists the folders that MoMu searched.
    case noRawWaves(looked: [String])
    /// STK cannot create the instrument.
    case refused(instrument: String, reason: String)

    /// The error text: what happened and what to do.
    public var description: String {
      switch self {
      case .noRawWaves(let looked):
        "STK's raw waves are not in \(looked.joined(separator: " nor ")): install them with sudo apt install stk, or "
          + "set MOMU_STK_RAWWAVES to the folder that holds mand1.raw"
      case .refused(let instrument, let reason): "STK cannot make the \(instrument): \(reason)"
      }
    }
  }

  /// The folder of the recordings that some of STK's instruments need.
  enum RawWaves {
    /// The folders into which Debian and STK's own installation put the recordings.
    static let usual = ["/usr/share/stk/rawwaves", "/usr/local/share/stk/rawwaves"]

    /// Returns the folder that the variable `MOMU_STK_RAWWAVES` names, or else the first usual folder with the
    /// recordings.
    ///
    /// - Throws: `StkError.noRawWaves` if the recordings are in none of these folders.
    static func folder(
      named wanted: String = getenv("MOMU_STK_RAWWAVES").map { String(cString: $0) } ?? ""
    ) throws(StkError) -> String {
      let places = wanted.isEmpty ? usual : [wanted]
      guard let found = places.first(where: { access($0 + "/mand1.raw", R_OK) == 0 }) else {
        throw .noRawWaves(looked: places)
      }
      return found.hasSuffix("/") ? found : found + "/"
    }
  }
#endif
