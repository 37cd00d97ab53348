/// An IPv4 address.
struct IPv4: Hashable, Comparable, CustomStringConvertible {
  /// The address as 32 bits; the first of its four decimal numbers is in the highest bits.
  var bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// Parses four decimal numbers: `192.168.1.20`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    bits = 0
    for part in parts {
      guard let byte = UInt8(part) else { return nil }
      bits = bits << 8 | UInt32(byte)
    }
  }

  /// Parses an address as the tables in /proc/net contain it: eight hexadecimal digits, in the machine's byte order.
  ///
  /// On a little-endian machine, `0100007F` is 127.0.0.1.
  init?(kernelHex text: some StringProtocol) {
    guard text.count == 8, let raw = UInt32(text, radix: 16) else { return nil }
    bits = UInt32(bigEndian: raw)
  }

  var description: String {
    [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xff) }.joined(separator: ".")
  }

  /// Whether the address is in 127.0.0.0/8, which is this machine.
  var isLoopback: Bool { bits >> 24 == 127 }

  /// Whether the address is in 169.254.0.0/16 (RFC 3927): the machine chose it, since no router assigned an address.
  var isSelfAssigned: Bool { bits >> 16 == 0xa9fe }

  static func < (left: IPv4, right: IPv4) -> Bool { left.bits < right.bits }
}

/// A block of IPv4 addresses such as `192.168.1.0/24`, or an address with its block: `192.168.1.20/24`.
struct Subnet: Hashable, CustomStringConvertible {
  var address: IPv4
  /// The number of leading bits that all addresses of the block share.
  var prefix: Int

  init(_ address: IPv4, prefix: Int) {
    self.address = address
    self.prefix = min(max(prefix, 0), 32)
  }

  /// Parses `192.168.1.0/24`, or a single address without the slash.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = parts.first.flatMap({ IPv4($0) }) else { return nil }
    guard let prefix = parts.count == 1 ? 32 : Int(parts[1]), (0...32).contains(prefix) else { return nil }
    self.init(address, prefix: prefix)
  }

  private var mask: UInt32 { prefix == 0 ? 0 : ~0 << UInt32(32 - prefix) }

  /// Whether the address is in the block.
  func contains(_ other: IPv4) -> Bool { (address.bits ^ other.bits) & mask == 0 }

  /// Whether this block contains all addresses of the other block.
  func contains(_ other: Subnet) -> Bool { prefix <= other.prefix && contains(other.address) }

  /// Whether this block and the other block have an address in common.
  func overlaps(_ other: Subnet) -> Bool { contains(other.address) || other.contains(address) }

  var description: String { "\(address)/\(prefix)" }
}
