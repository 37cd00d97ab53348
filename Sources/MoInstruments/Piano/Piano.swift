import MoDSP
import MoMu

/// A grand piano without a recording in it: 88 keys, whose strings and hammers are computed.
///
/// Every partial of every key is a damped oscillation, or two, as the strings of a key share a bridge: its beginning
/// dies away fast, and its aftersound slowly. A harder blow is louder and brighter.
///
/// Keys are in equal temperament within 3 cents; `init(seed:isStretched:)` makes one with stiff strings and wide
/// octaves, as a real piano has. Pitches between two keys play the nearer one, and pitches beyond the keyboard its last.
/// What is struck keeps its pitch and force: bends and moves of notes are not followed.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: all but `init` and `prepare`.
public struct Piano: Instrument {
  /// What it is and promises.
  public static let sheet = InstrumentInfo(
    name: "piano", summary: "a grand piano of 88 keys, with a pedal", plays: 21...108, tail: 6, voices: 48,
    mapping: """
      tilt-roll -45..45 -> note 48..84 in major-pentatonic C4
      jerk 0..1 -> strike 0.2..1
      """)

  /// What can be set while it plays.
  public enum Control: Int, InstrumentControl {
    /// The pedal that takes the dampers off all strings.
    case pedal
    /// How hard the hammers are.
    case brightness

    /// What it is called and may be.
    public var parameter: Parameter {
      switch self {
      case .pedal: .toggle("pedal", about: "notes ring on after their keys")
      case .brightness: Parameter("brightness", 0...1, default: 0.5, about: "how hard the hammers are")
      }
    }
  }

  /// Whether strings are stiff and octaves wide.
  let isStretched: Bool
  var strings: PianoStrings

  /// A piano at rest.
  ///
  /// - Parameters:
  ///   - seed: nothing in a piano is left to chance.
  ///   - isStretched: whether strings are as stiff as a real piano's, whose partials are sharp, and octaves as wide as
  ///     that asks for: up to 40 cents at the top.
  public init(seed: UInt64?, isStretched: Bool) {
    self.isStretched = isStretched
    strings = PianoStrings(sampleRate: 48_000, isStretched: isStretched)
  }

  /// A piano at rest, in equal temperament.
  public init(seed: UInt64? = nil) { self.init(seed: seed, isStretched: false) }

  /// Tunes it for a sample rate, and silences it.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    strings = PianoStrings(sampleRate: sampleRate, isStretched: isStretched)
  }

  /// Whether anything is heard.
  public var isSounding: Bool { strings.isSounding }

  /// Plays what happens at the next frame.
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

  /// Writes the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    strings.setPedal(controls.isOn(.pedal))
    strings.render(&block)
  }
}
