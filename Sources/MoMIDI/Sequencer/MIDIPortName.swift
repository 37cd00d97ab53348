import MoCore
import MoRuntime

/// A text with which the user names a port in an option.
///
/// The text is the port's name, its client's name, a part of these names, or numbers such as `24:0`, as `aconnect`
/// shows them.
struct MIDIPortName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Returns the ports with this number (`24:0` or `24`), else the ports with exactly this name, else the ports whose
  /// name contains this text.
  ///
  /// In names, upper and lower case do not matter.
  func matches(in ports: [MIDIPort]) -> [MIDIPort] {
    let wanted = text.lowercased()
    let numbers = ports.filter {
      "\($0.address.client):\($0.address.port)" == text || "\($0.address.client)" == text
    }
    if !numbers.isEmpty { return numbers }
    let exact = ports.filter { port in Self.names(port).contains { $0.lowercased() == wanted } }
    if !exact.isEmpty { return exact }
    return ports.filter { port in Self.names(port).contains { $0.lowercased().contains(wanted) } }
  }

  /// Returns the error that no port matches this text; the error lists the ports that exist.
  func error(option: String, ports: [MIDIPort]) -> MIDIError {
    var names: [String] = []
    for port in ports where !names.contains(port.fullName) { names.append(port.fullName) }
    let known = ports.flatMap(Self.names)
    let nearest = Spelling.nearest(to: text, among: known.map { $0.lowercased() })
    let found = known.first { $0.lowercased() == nearest }
    return .noPort(text, option: option, nearest: found, has: names)
  }

  private static func names(_ port: MIDIPort) -> [String] { [port.fullName, port.name, port.client] }
}
