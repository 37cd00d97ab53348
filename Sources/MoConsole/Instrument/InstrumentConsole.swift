import MoCore
import MoMu

/// The terminal interface of an instrument: it shows parameters and the level; keys play and set the instrument.
///
/// | key | does |
/// |---|---|
/// | a w s e d f t g y h u j k | plays a note, from C to the C above, as on a piano |
/// | z x | moves the piano keys an octave down or up |
/// | space | strikes the instrument |
/// | ↑ ↓ or , . | chooses a parameter |
/// | ← → or - + | decreases or increases the chosen parameter |
/// | 0 | resets the chosen parameter to its default |
/// | r | records two bars from the rhythm's next bar line on, then repeats them as a loop; r again ends the loop |
/// | l | waits for a movement of a MIDI controller and assigns it to the chosen parameter; l again or Esc cancels |
/// | ! | releases all notes |
///
/// With `--accel keys`, space and the arrows simulate movement of the instrument instead.
///
/// - Thread: any but the audio thread's callback.
public final class InstrumentConsole: Console {
  private struct Choice {
    var handle: InstrumentHandle
    var parameter = 0
    var octave = 4
    var level: Float = 0
  }

  private let choice: Locked<Choice>
  private let learned: LearnedControls?

  /// Creates the console of an instrument.
  ///
  /// - Parameter learned: the assignments of MIDI controllers to parameters; nil without MIDI.
  package init(_ handle: InstrumentHandle, learned: LearnedControls? = nil) {
    choice = Locked(Choice(handle: handle))
    self.learned = learned
  }

  /// The instrument that is shown and played.
  ///
  /// After a change of the instrument, the chosen parameter is the parameter of the same name, or the first parameter.
  var handle: InstrumentHandle {
    get { choice.withLock { $0.handle } }
    set {
      choice.withLock { choice in
        let chosen = choice.handle.parameters[choice.parameter].name
        choice.handle = newValue
        choice.parameter = newValue.index(of: chosen) ?? 0
      }
    }
  }

  /// Shows an instrument above the level meter, and reads keys if there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open(_ handle: InstrumentHandle) { _ = openConsole(handle) }

  static func openConsole(
    _ handle: InstrumentHandle, learned: LearnedControls? = nil
  ) -> InstrumentConsole {
    let console = InstrumentConsole(handle, learned: learned)
    Run.current.open(console)
    return console
  }

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let choice = choice.withLock { choice in
      let peak = choice.handle.slot.takeShownPeak()
      // The level falls by 30 dB per second, as on studio meters.
      choice.level = max(peak, choice.level * 0.8414)
      return choice
    }
    return InstrumentPicture(
      handle: choice.handle, chosen: choice.parameter, octave: choice.octave, level: choice.level,
      columns: columns, learned: learned
    ).blocks
  }

  package func handleKey(_ key: TerminalKey, at now: HostTime) {
    switch InstrumentKey(key) {
    case .note(let semitone):
      let pitch = Float(12 * (choice.withLock { $0.octave } + 1) + semitone)
      // A terminal does not report the release of a key.
      handle.playNote(pitch, for: .milliseconds(400), at: now)
    case .octave(let step): choice.withLock { $0.octave = max(0, min($0.octave + step, 8)) }
    case .strike: handle.strike(0.8, at: now)
    case .choose(let step):
      // Under the lock, since another thread may replace the instrument.
      choice.withLock { choice in
        let count = choice.handle.parameters.count
        choice.parameter = (choice.parameter + step + count) % count
      }
    case .turn(let step): turn(by: step)
    case .first:
      let (handle, index) = choice.withLock { ($0.handle, $0.parameter) }
      handle.set(index, to: handle.parameters[index].initial)
    case .loop:
      if handle.loopState == .idle { handle.record() } else { handle.loop = nil }
    case .learn: learn()
    case .cancel: learned?.learn(nil)
    case .off: handle.allNotesOff()
    case nil: break
    }
  }

  private func learn() {
    guard let learned else {
      MoLog.log(.notice, "there is no MIDI to learn from: start the program with --midi")
      return
    }
    let (handle, index) = choice.withLock { ($0.handle, $0.parameter) }
    learned.learn(learned.wanted == nil ? handle.parameters[index].name : nil)
  }

  /// Changes the value of the chosen parameter by `step` twentieths of its range.
  ///
  /// If the parameter has only certain values, such as whole numbers, its value changes by `step` of these values.
  private func turn(by step: Int) {
    let (handle, index) = choice.withLock { ($0.handle, $0.parameter) }
    let parameter = handle.parameters[index]
    let value = handle.value(index)
    guard parameter.step == 0 else {
      handle.set(index, to: value + Float(step) * parameter.step)
      return
    }
    handle.set(index, to: parameter.value(at: parameter.part(of: value) + Float(step) / 20))
  }
}

/// The action of a key in an `InstrumentConsole`.
enum InstrumentKey: Equatable {
  /// A note to play, in semitones above the C of the console's octave.
  case note(Int)
  case octave(Int)
  case strike
  case choose(Int)
  case turn(Int)
  case first
  case loop
  case learn
  case cancel
  case off

  /// Creates the action of a key; nil if the key has no action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .choose(-1)
    case .down: self = .choose(1)
    case .right: self = .turn(1)
    case .left: self = .turn(-1)
    case .character(" "): self = .strike
    case .character("z"): self = .octave(-1)
    case .character("x"): self = .octave(1)
    case .character(","): self = .choose(-1)
    case .character("."): self = .choose(1)
    case .character("-"): self = .turn(-1)
    case .character("+"), .character("="): self = .turn(1)
    case .character("0"): self = .first
    case .character("r"): self = .loop
    case .character("l"): self = .learn
    case .character("\u{1B}"): self = .cancel
    case .character("!"): self = .off
    case .character(let letter):
      guard let semitone = PianoKeys.semitone(letter) else { return nil }
      self = .note(semitone)
    default: return nil
    }
  }
}

/// The letters of the computer keyboard that act as the piano keys of an octave, from C to C.
///
/// The letters `asdfghjk` are the white keys, and `wetyu` are the black keys.
public enum PianoKeys {
  private static let letters = Array("awsedftgyhujk")

  /// Returns the number of semitones from the lowest C, the note of `a`, up to a computer key's note, 0 … 12.
  ///
  /// The result is nil if the key plays no note.
  public static func semitone(_ key: Character) -> Int? { letters.firstIndex(of: key) }
}
