/// The target of a ping, as users type it.
enum PingTarget {
  /// Returns the target with a port and with brackets around an IPv6 address: `fe80::1` becomes `[fe80::1]:6449`.
  ///
  /// The port is the default port if the text has no port.
  static func full(_ text: String) -> String {
    for scheme in ["udp:", "tcp:", "slip:"] where text.hasPrefix(scheme) {
      return scheme + full(String(text.dropFirst(scheme.count)))
    }
    if text.hasPrefix("[") { return text.hasSuffix("]") ? "\(text):\(Port.usual)" : text }
    switch text.filter({ $0 == ":" }).count {
    case 0: return "\(text):\(Port.usual)"
    case 1: return text
    default: return "[\(text)]:\(Port.usual)"
    }
  }
}
