import MoCore
import MoMu

/// The terminal as an instrument's front: it shows the parameters and the level, and its keys play and set.
///
/// | key | does |
/// |---|---|
/// | a w s e d f t g y h u j k | a note, from C to the C above, as on a piano |
/// | z x | an octave down or up |
/// | space | a stroke |
/// | ↑ ↓ or , . | chooses a parameter |
/// | ← → or - + | turns it down or up |
/// | 0 | sets it as it was at first |
/// | r | records two bars from the rhythm's next line on and loops them; again, ends that |
/// | ! | lets every note go |
///
/// With `--accel keys` space and the arrows move the instrument instead.
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

  init(_ handle: InstrumentHandle) { choice = Locked(Choice(handle: handle)) }

  /// What is shown and played; one in place of another has the same parameter chosen, where it has it.
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

  /// Shows an instrument above the meter, and takes keys where there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open(_ handle: InstrumentHandle) { _ = openDesk(handle) }

  static func openDesk(_ handle: InstrumentHandle) -> InstrumentConsole {
    let desk = InstrumentConsole(handle)
    Run.current.open(desk)
    return desk
  }

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let choice = choice.withLock { choice in
      let peak = choice.handle.takePeak()
      // Falls 30 dB a second, as studio meters do.
      choice.level = max(peak, choice.level * 0.8414)
      return choice
    }
    return InstrumentPicture(
      handle: choice.handle, chosen: choice.parameter, octave: choice.octave, level: choice.level,
      columns: columns
    ).blocks
  }

  package func take(_ key: TerminalKey, at now: HostTime) {
    switch InstrumentKey(key) {
    case .note(let semitone):
      let pitch = Float(12 * (choice.withLock { $0.octave } + 1) + semitone)
      // A terminal does not say when a key is let go.
      handle.playNote(pitch, for: .milliseconds(400), at: now)
    case .octave(let step): choice.withLock { $0.octave = max(0, min($0.octave + step, 8)) }
    case .stroke: handle.strike(0.8, at: now)
    case .choose(let step):
      let count = handle.parameters.count
      choice.withLock { $0.parameter = ($0.parameter + step + count) % count }
    case .turn(let step): turn(by: step)
    case .first:
      let (handle, index) = choice.withLock { ($0.handle, $0.parameter) }
      handle.set(index, to: handle.parameters[index].initial)
    case .loop:
      if handle.loopState == .idle { handle.record() } else { handle.loop = nil }
    case .off: handle.allNotesOff()
    case nil: break
    }
  }

  /// Turns the chosen parameter by twentieths of its way, or by whole steps.
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
