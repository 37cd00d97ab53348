import Glibc
import MoMu

/// An instrument as text: its level, and each parameter with a bar.
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

  /// The lines, joined.
  var text: String {
    ([title] + parameters + [loop].compactMap(\.self) + [Self.help, ""]).joined(separator: "\n")
  }

  private var title: String {
    let decibels = level < 0.001 ? "silent" : "\(Int((20 * log10f(level)).rounded())) dB"
    return "\(handle.name): \(handle.sheet.summary)   octave \(octave)   \(decibels)"
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
