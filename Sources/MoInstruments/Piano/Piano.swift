import MoDSP
import MoMu

/// A grand piano without recordings: 88 keys with computed strings and hammers.
///
/// Every partial of every key is computed as damped oscillations. Most partials have two oscillations: a fast
/// decay at first, then a slow aftersound. The highest partials of the bass have a single oscillation. A harder
/// blow is louder and brighter.
///
/// Keys are in equal temperament within 3 cents. `init(seed:isStretched:)` creates a piano with stiff strings and wide
/// octaves, like a real piano. A pitch between two keys plays the nearer key; a pitch beyond the keyboard plays the
/// lowest or the highest key. A struck note keeps its pitch and force: bends and moves of notes are ignored. A strike
/// plays the MIDI note 60 as a short note.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: all but `init` and `prepare`.
public struct Piano: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "piano", summary: "a grand piano of 88 keys, with a pedal", plays: 21...108, tail: 6, voices: 48,
    mapping: """
      tilt-roll -45..45 -> note 48..84 in major-pentatonic C4
      jerk 0..1 -> strike 0.2..1
      """)

  /// The parameters of the piano.
  public enum Control: Int, InstrumentControl {
    /// The sustain pedal, which lifts the dampers from all strings.
    case pedal
    /// The hardness of the hammers, 0 … 1; a harder hammer sounds brighter.
    case brightness

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .pedal: .toggle("pedal", about: "notes ring on after their keys")
      case .brightness: Parameter("brightness", 0...1, default: 0.5, about: "how hard the hammers are")
      }
    }
  }

  /// Whether the strings are stiff and the octaves wide.
  let isStretched: Bool
  var strings: PianoStrings

  /// Creates a piano at rest.
  ///
  /// - Parameters:
  ///   - seed: ignored, because nothing in a piano is random.
  ///   - isStretched: whether strings are as stiff as in a real piano, which makes their partials sharp. The
  ///     octaves are then stretched to match the partials, by up to 40 cents at the top.
  public init(seed: UInt64?, isStretched: Bool) {
    self.isStretched = isStretched
    strings = PianoStrings(sampleRate: 48_000, isStretched: isStretched)
  }

  /// Creates a piano at rest, in equal temperament.
  public init(seed: UInt64? = nil) { self.init(seed: seed, isStretched: false) }

  /// Resets the piano and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    strings = PianoStrings(sampleRate: sampleRate, isStretched: isStretched)
  }

  /// Whether any string sounds.
  public var isSounding: Bool { strings.isSounding }

  /// Handles an event that is due at the next frame.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    strings.setPedal(controls.isOn(.pedal))
    let hardness = controls[.brightness] - 0.5
    switch event {
    case .noteOn(let note): strings.strike(note, hardness: hardness)
    case .noteOff(let note): strings.release(id: note.id)
    case .strike(let force):
      strings.strike(Note(60, velocity: force, id: PianoStrings.tapped), hardness: hardness)
    case .allOff: strings.releaseAll()
    case .noteMove, .bend, .motion, .line, .rhythm: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    strings.setPedal(controls.isOn(.pedal))
    strings.render(&block)
  }
}
