import Glibc
import MoMu

/// A drawing of an instrument for the terminal: its level, and each parameter with a bar.
package struct InstrumentPicture {
  static let help = KeyHelp([
    KeyHelp.Item("a…k", "play"), KeyHelp.Item("space", "strikes"), KeyHelp.Item("z x", "octave"),
    KeyHelp.Item("↑ ↓ or , .", "choose"), KeyHelp.Item("← → or - +", "change"), KeyHelp.Item("0", "default"),
    KeyHelp.Item("r", "loop"), KeyHelp.Item("!", "ends my notes"),
  ])
  package static let helpWithMIDI = KeyHelp(help.items + [KeyHelp.Item("l", "learn a knob")])

  let handle: InstrumentHandle
  /// The index of the chosen parameter, which the left and right arrow keys change.
  let chosen: Int
  let octave: Int
  /// The recent peak of the instrument's sound; 1 is full scale.
  let level: Float
  let columns: Int
  /// The assignments of MIDI controllers to parameters; nil without MIDI.
  var learned: LearnedControls?

  package init(
    handle: InstrumentHandle, chosen: Int, octave: Int, level: Float, columns: Int,
    learned: LearnedControls? = nil
  ) {
    (self.handle, self.chosen, self.octave, self.level, self.columns, self.learned) = (
      handle, chosen, octave, level, columns, learned
    )
  }

  /// The parts of the drawing, from top to bottom; if parameters must be left out, the chosen parameter stays.
  package var blocks: [ScreenBlock] {
    [
      ScreenBlock([title], priority: ScreenBlock.Priority.own),
      .list(
        parameters, chosen: chosen, short: shortParameter, columns: columns,
        priority: ScreenBlock.Priority.own),
      ScreenBlock(
        [loop, learning].compactMap { $0.map { ScreenLine($0).cut(to: columns) } },
        priority: ScreenBlock.Priority.own),
      (learned == nil ? Self.help : Self.helpWithMIDI).block(columns: columns, hasPage: false),
    ]
  }

  private var title: ScreenLine {
    let decibels = 20 * log10f(max(level, 1e-6))
    // The same limit as the meter's, so that both levels disappear together.
    let sound = decibels < LevelMeter.floor ? "" : "   level \(Int(decibels.rounded())) dB"
    let state = ScreenLine("   octave \(octave)\(sound)")
    let about = ScreenLine(handle.name, .bold) + ScreenLine(": \(handle.sheet.summary)")
    return about.cut(to: columns - state.width) + state
  }

  private var parameters: [ScreenLine] {
    let width = handle.parameters.map(\.name.count).max() ?? 0
    let values = handle.parameters.enumerated().map { index, parameter in
      let value = ParameterText.value(handle.value(index), of: parameter)
      guard let mark = learned?.mark(of: index, on: handle) else { return value }
      // The arrow shows the way to turn the knob until it moves the parameter.
      let way = mark.isHolding ? "" : mark.mustRise == true ? " ↑" : mark.mustRise == false ? " ↓" : ""
      return "\(value)  cc\(mark.number)\(way)"
    }
    let bar = max(4, min(columns - width - 6 - (values.map(\.count).max() ?? 0), 24))
    return handle.parameters.enumerated().map { index, parameter in
      return ScreenLine(
        "\(index == chosen ? "▸" : " ") \(parameter.name.padded(to: width))  "
          + "\(ParameterText.bar(handle.value(index), of: parameter, width: bar))  \(values[index])",
        index == chosen ? .bold : []
      ).cut(to: columns)
    }
  }

  /// The chosen parameter with its value, without the bar.
  private var shortParameter: ScreenLine {
    guard handle.parameters.indices.contains(chosen) else { return ScreenLine() }
    let parameter = handle.parameters[chosen]
    let value = ParameterText.value(handle.value(chosen), of: parameter)
    return ScreenLine("▸ \(parameter.name) \(value)", .bold)
  }

  private var learning: String? {
    learned?.wanted.map { "learn: move a knob for \($0); l or Esc cancels" }
  }

  private var loop: String? {
    switch handle.loopState {
    case .idle: nil
    case .waiting: "loop: waits for the next bar"
    case .recording: "loop: records"
    case .playing:
      "loop: plays \(handle.loop.map { counted($0.count, "note") } ?? "nothing")"
    }
  }
}
