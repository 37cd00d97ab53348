import Glibc
import MoMu

/// An instrument as text: its level, and each parameter with a bar; no wider than 79 columns, since an 80th would begin a
/// new line.
struct InstrumentPicture {
  static let help = """
    a…k play   z x octave   space strikes   r loop   ! off
    ↑ ↓ or , . choose   ← → or - + change   0 default
    """

  let handle: InstrumentHandle
  /// The parameter that the arrows turn.
  let chosen: Int
  let octave: Int
  /// The loudest of late, 1 being full scale.
  let level: Float

  static let columns = 79

  /// The lines, joined.
  var text: String {
    ([title] + parameters + [loop].compactMap(\.self) + [Self.help, ""]).joined(separator: "\n")
  }

  /// As much of a text as there is room for.
  static func cut(_ text: String, to count: Int) -> String {
    text.count <= count ? text : String(text.prefix(count - 1)) + "…"
  }

  private var title: String {
    let decibels = level < 0.001 ? "silent" : "\(Int((20 * log10f(level)).rounded())) dB"
    let state = "   octave \(octave)   \(decibels)"
    return Self.cut("\(handle.name): \(handle.sheet.summary)", to: Self.columns - state.count) + state
  }

  private var parameters: [String] {
    let width = handle.parameters.map(\.name.count).max() ?? 0
    return handle.parameters.enumerated().map { index, parameter in
      let value = handle.value(index)
      let mark = index == chosen ? "▸" : " "
      return
        "\(mark) \(parameter.name.padded(to: width))  \(ParameterText.bar(value, of: parameter, width: 24))  "
        + ParameterText.value(value, of: parameter)
    }
  }

  private var loop: String? {
    switch handle.loopState {
    case .idle: nil
    case .waiting: "loop: waits for the rhythm's next bar"
    case .recording: "loop: records"
    case .playing:
      "loop: plays \(handle.loop.map { counted($0.count, "note") } ?? "nothing")"
    }
  }
}
