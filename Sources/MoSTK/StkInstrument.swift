#if STK
  import CMoSTK
  import MoInstruments

  /// One of STK's instruments: what it is called, and what can be set.
  public protocol StkKind: Sendable {
    /// Its parameters, each one of STK's controllers.
    associatedtype Control: StkControl
    /// What it is and promises.
    static var sheet: InstrumentInfo { get }
    /// Which it is.
    static var kind: momu_stk_kind { get }
    /// What brings it to the loudness of the others.
    static var gain: Float { get }
    /// The pitch of a stroke, as MIDI counts.
    static var strokePitch: Float { get }
    /// Whether a stroke is let go by itself.
    static var isStruck: Bool { get }
  }

  /// A parameter that is one of STK's controllers.
  public protocol StkControl: InstrumentControl {
    /// The controller's number.
    var number: Int32 { get }
    /// What the controller is given, 0 … 128, for a value of the parameter.
    func controller(_ value: Float) -> Float
  }

  extension StkControl {
    /// The whole way of 0 … 1 is the controller's.
    public func controller(_ value: Float) -> Float { value * 128 }
  }

  /// An instrument of the Synthesis ToolKit.
  ///
  /// - Source: P. R. Cook, G. P. Scavone, *The Synthesis ToolKit (STK)*, ICMC (1999).
  /// - Thread: one owner; the audio thread once playing.
  /// - Real-time safe: all but `init` and `prepare`.
  public struct StkInstrument<Kind: StkKind>: Instrument {
    /// STK's controllers by name.
    public typealias Control = Kind.Control

    /// What it is and promises.
    public static var sheet: InstrumentInfo { Kind.sheet }

    private var voices: StkVoices?
    private var sent = InlineArray<8, Float>(repeating: .nan)
    /// Counted once: asking for all cases makes an array.
    private let controlCount = Control.allCases.count
    private var bend: Float = 0
    private var strokeEnd = 0
    private var strokeFrames = 0

    /// An instrument at rest.
    ///
    /// - Throws: `StkError`: STK's raw waves are not here, or STK refuses.
    public init() throws(StkError) { voices = try Self.make(sampleRate: 48_000) }

    /// The same, silent where STK has no raw waves.
    public init(seed: UInt64?) { voices = try? Self.make(sampleRate: 48_000) }

    private static func make(sampleRate: Double) throws(StkError) -> StkVoices {
      try StkVoices(
        Kind.kind, name: Kind.sheet.name, count: Kind.sheet.voices, sampleRate: sampleRate,
        rawWaves: try RawWaves.folder())
    }

    /// Makes its voices anew for a sample rate.
    public mutating func prepare(sampleRate: Double, blockFrames: Int) {
      do {
        voices = try Self.make(sampleRate: sampleRate)
      } catch {
        voices = nil
        MoLog.log(.warning, "\(Kind.sheet.name) is silent: \(error)")
      }
      sent = InlineArray<8, Float>(repeating: .nan)
      (bend, strokeEnd, strokeFrames) = (0, 0, Int(0.25 * sampleRate))
    }

    /// Whether anything is heard.
    public var isSounding: Bool { voices?.isSounding ?? false }

    /// Plays what happens at the next frame.
    public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
      follow(controls)
      switch event {
      case .noteOn(let note): voices?.start(note, bend: bend)
      case .noteOff(let note): voices?.release(id: note.id)
      case .noteMove(let note): voices?.move(note, bend: bend)
      case .strike(let force):
        voices?.start(Note(Kind.strokePitch, velocity: force, id: .min), bend: bend)
        strokeEnd = Kind.isStruck ? 0 : strokeFrames
      case .bend(let semitones):
        bend = semitones
        voices?.bend(semitones)
      case .allOff: voices?.release(id: nil)
      case .motion, .line, .rhythm: break
      }
    }

    /// Writes the next frames.
    public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
      follow(controls)
      let count = block.frames.count
      // A stroke is let go by itself, at its frame.
      let part = strokeEnd > 0 ? min(strokeEnd, count) : count
      voices?.render(&block, from: 0, count: part, gain: Kind.gain)
      guard strokeEnd > 0 else { return }
      strokeEnd -= part
      if strokeEnd == 0 { voices?.release(id: .min) }
      voices?.render(&block, from: part, count: count - part, gain: Kind.gain)
    }

    /// Hands on what has changed.
    private mutating func follow(_ controls: Controls<Control>) {
      guard let voices else { return }
      for index in 0..<controlCount {
        guard let control = Control(rawValue: index) else { return }
        let value = controls[control]
        guard value != sent[control.rawValue] else { continue }
        sent[control.rawValue] = value
        voices.control(control.number, control.controller(value))
      }
    }
  }
#endif
