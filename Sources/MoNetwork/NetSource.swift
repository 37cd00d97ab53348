import MoRuntime

/// The source of messages, as `--net` names it.
package enum NetSource: Equatable, Sendable {
  /// The network; if `port` is nil, the program chooses the port.
  case udp(port: Int?)
  case tape(path: String)
  case none

  /// Parses the value of `--net`, such as `udp:6449`, `tape:FILE` or `none`; nil means `udp`.
  ///
  /// - Throws: `NetError.unknownSource`, `badPort`.
  package init(_ text: String?) throws(NetError) {
    guard let text else {
      self = .udp(port: nil)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count == 2 ? parts[1] : nil) {
    case ("none", nil): self = .none
    case ("udp", nil): self = .udp(port: nil)
    case ("udp", let detail?):
      guard let port = wholeNumber(detail) else { throw .unknownSource(text) }
      guard (1...65_535).contains(port) else { throw .badPort(port) }
      self = .udp(port: port)
    case ("tape", let path?) where !path.isEmpty: self = .tape(path: path)
    default: throw .unknownSource(text)
    }
  }
}
