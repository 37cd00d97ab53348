import Glibc
import MoDSP
import MoMu

/// The terminal as an instrument's front: it shows the parameters and the level, and its keys play and set.
///
/// | key | does |
/// |---|---|
/// | a w s e d f t g y h u j k | a note, from C to the C above, as on a piano |
/// | z x | an octave down or up |
/// | space | a stroke |
/// | ↑ ↓ | chooses a parameter |
/// | ← → | turns it down or up |
/// | 0 | sets it as it was at first |
/// | ! | lets every note go |
public enum InstrumentDesk {
  /// Shows an instrument above the meter, and takes keys where there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open(_ handle: InstrumentHandle) { _ = openDesk(handle) }

  static func openDesk(_ handle: InstrumentHandle) -> DeskState {
    let run = Run.current
    let desk = DeskState(handle)
    run.picture.withLock { $0 = { desk.picture() } }
    guard !run.isOffline, KeyboardTerminal.open() else { return desk }
    try? run.input.add(InstrumentKeys(desk)) { _ in }
    return desk
  }
}

/// What the desk shows, and what its keys have chosen.
final class DeskState: Sendable {
  private struct Choice {
    var handle: InstrumentHandle
    var parameter = 0
    var octave = 4
    var level: Float = 0
  }

  private let choice: Guarded<Choice>

  init(_ handle: InstrumentHandle) { choice = Guarded(Choice(handle: handle)) }

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

  static let help = "keys a…k play  z x octave  space strikes  ↑↓ choose  ←→ change  0 default  ! off"

  /// The lines above the meter.
  func picture() -> String {
    let choice = choice.withLock { choice in
      let peak = choice.handle.takePeak()
      // Falls 30 dB a second, as studio meters do.
      choice.level = max(peak, choice.level * 0.8414)
      return choice
    }
    let handle = choice.handle
    var lines = [
      "\(handle.name): \(handle.sheet.summary)   octave \(choice.octave)   \(Self.decibels(choice.level))"
    ]
    let parameters = handle.parameters
    let width = parameters.map(\.name.count).max() ?? 0
    for (index, parameter) in parameters.enumerated() {
      let value = handle.value(index)
      let mark = index == choice.parameter ? "▸" : " "
      let name = parameter.name + String(repeating: " ", count: width - parameter.name.count)
      lines.append(
        "\(mark) \(name)  \(ParameterText.bar(value, of: parameter, width: 24))  "
          + ParameterText.value(value, of: parameter))
    }
    return (lines + [Self.help, ""]).joined(separator: "\n")
  }

  private static func decibels(_ level: Float) -> String {
    level < 0.001 ? "silent" : "\(Int((20 * log10f(level)).rounded())) dB"
  }

  /// Does what a key says.
  func obey(_ key: DeskKey, at now: HostTime) {
    switch key {
    case .note(let semitone):
      let pitch = Float(12 * (choice.withLock { $0.octave } + 1) + semitone)
      handle.noteOn(pitch, at: now)
      // A terminal does not say when a key is let go.
      handle.noteOff(pitch, at: now + .milliseconds(400))
    case .octave(let step): choice.withLock { $0.octave = max(0, min($0.octave + step, 8)) }
    case .stroke: handle.strike(0.8, at: now)
    case .choose(let step):
      let count = handle.parameters.count
      choice.withLock { $0.parameter = ($0.parameter + step + count) % count }
    case .turn(let step): turn(by: step)
    case .first:
      let (handle, index) = choice.withLock { ($0.handle, $0.parameter) }
      handle.set(index, to: handle.parameters[index].initial)
    case .off: handle.allNotesOff()
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
