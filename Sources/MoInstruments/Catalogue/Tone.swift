import MoDSP
import MoMu

/// A plain tone with eight voices: a simple example to read, and a reference for tuning.
///
/// A strike plays the MIDI note 60 for 0.25 s.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Tone: Instrument {
  /// The description of the instrument: eight voices over seven octaves.
  public static let sheet = InstrumentInfo(
    name: "tone", summary: "a plain tone while a key is down; up to eight together", plays: 24...108,
    holds: true,
    tail: 0.6,
    voices: 8,
    mapping: """
      tilt-roll -60..60 -> note 57..81 in minor-pentatonic A3
      activity -> gate above 0.1 below 0.04
      activity 0.05..0.8 -> brightness 0..1 smooth 0.1
      """)

  /// The parameters of the tone.
  public enum Control: Int, InstrumentControl {
    /// The timbre, from a sine (0) to a hollow tone (1).
    case brightness
    /// The time in which a note grows to full loudness, in seconds.
    case softness

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .brightness:
        Parameter("brightness", 0...1, default: 0.2, about: "how strong its third harmonic is")
      case .softness:
        Parameter(
          "softness", 0.005...1, default: 0.01, unit: "s", curve: .exponential, smoothing: 0,
          about: "how slowly a tone begins")
      }
    }
  }

  private var voices = Voices<ToneVoice>(8) { ToneVoice() }

  /// Creates a tone at rest; the seed is ignored, because nothing in a tone is random.
  public init(seed: UInt64? = nil) {}

  /// Whether any voice sounds.
  public var isSounding: Bool { voices.isSounding }

  /// Resets all voices and prepares them for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    voices.prepare(sampleRate: sampleRate)
  }

  /// Passes an event to the voices.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    voices.handle(event)
  }

  /// Renders the next frames of all voices.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    voices.render(
      &block, ToneVoice.Setting(brightness: controls[.brightness], softness: controls.goal(.softness)))
  }
}

/// A voice of `Tone`: a sine and an adjustable third harmonic.
struct ToneVoice: NoteVoice {
  struct Setting {
    var brightness: Float
    var softness: Float
  }

  private var sine = Sine()
  private var third = Sine()
  private var envelope = ADSR(attack: 0.01, decay: 0.1, sustain: 0.8, release: 0.25)
  private var velocity: Float = 0
  private var pitch: Float = 60
  private var semitones: Float = 0
  private var isNew = false

  var isSounding: Bool { isNew || envelope.isSounding }
  var level: Float { velocity * Float(envelope.level) }

  mutating func prepare(sampleRate: Double) {
    sine.prepare(sampleRate: sampleRate)
    third.prepare(sampleRate: sampleRate)
    envelope.prepare(sampleRate: sampleRate)
  }

  mutating func start(_ note: Note) {
    velocity = note.velocity
    (sine.phase, third.phase) = (0, 0)
    move(to: note)
    isNew = true
  }

  mutating func release(_ note: Note) {
    if isNew { envelope.on() }
    isNew = false
    envelope.off()
  }

  mutating func move(to note: Note) {
    pitch = note.pitch
    tune()
  }

  mutating func bend(_ semitones: Float) {
    self.semitones = semitones
    tune()
  }

  mutating func tick(_ setting: Setting) -> Float {
    if isNew {
      envelope.attack = Double(setting.softness)
      envelope.on()
      isNew = false
    }
    // Two hard notes reach full scale; the bus limits anything above.
    return 0.3 * velocity * envelope.tick() * (sine.tick() + 0.5 * setting.brightness * third.tick())
  }

  mutating func rest() {
    envelope.rest()
    isNew = false
  }

  private mutating func tune() {
    let frequency = MoFun.midiToHz(Double(pitch + semitones))
    sine.frequency = frequency
    third.frequency = 3 * frequency
  }
}
