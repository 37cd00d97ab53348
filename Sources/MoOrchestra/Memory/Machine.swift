import MoMu

/// Which machine this is, for telling copies of one disk or home folder apart.
enum Machine {
  /// A number of this machine's system, the same for as long as it is installed; nil if the system has none.
  ///
  /// It is kept on disk and never sent.
  static let installed = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(number).first

  /// A number of this machine's last start, the same for all programs on it; 0 if the system does not say.
  static let started = number("/proc/sys/kernel/random/boot_id") ?? 0

  /// A number of a file's text; nil unless it is an ID.
  ///
  /// - Source: FNV-1a, RFC 9923.
  static func number(_ path: String) -> UInt64? {
    guard let text = WholeFile.text(of: path) else { return nil }
    let digits = text.utf8.filter { Character(UnicodeScalar($0)).isHexDigit }
    // An ID has 32 digits; "uninitialized" stands in images that have not been started.
    guard digits.count == 32 else { return nil }
    return digits.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}
