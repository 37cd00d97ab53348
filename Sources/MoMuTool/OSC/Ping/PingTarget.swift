/// Whom to ping, as people write it.
enum PingTarget {
  /// With the usual port where none is named, and IPv6 in brackets.
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
