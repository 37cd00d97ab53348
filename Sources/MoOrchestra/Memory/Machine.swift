import MoMu

/// The identity of this machine, by which MoMu distinguishes machines that have copies of the same disk or home folder.
enum Machine {
  /// A hash of this machine's ID, the same until its system is installed anew; nil if the system has no ID.
  ///
  /// The hash is saved on disk and never sent.
  static let installed = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(number).first

  /// A hash of this machine's boot ID, the same for all programs until the next boot; 0 if the boot ID cannot be read.
  static let started = number("/proc/sys/kernel/random/boot_id") ?? 0

  /// Returns a hash of the ID in a file; nil unless the file contains an ID, which has 32 hexadecimal digits.
  ///
  /// - Source: FNV-1a, RFC 9923.
  static func number(_ path: String) -> UInt64? {
    guard let text = WholeFile.text(of: path) else { return nil }
    let digits = text.utf8.filter { Character(UnicodeScalar($0)).isHexDigit }
    // An ID has 32 digits; images that have never been started contain "uninitialized".
    guard digits.count == 32 else { return nil }
    return digits.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}
