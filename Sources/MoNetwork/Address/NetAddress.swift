import CMoSystem
import Glibc

/// The address of a program on the network: an IP address and a port.
///
/// An address is written `192.168.0.5:8888`, or `[fe80::1%wlan0]:8888` for IPv6.
///
/// - Thread: any.
public struct NetAddress: Hashable, Sendable, CustomStringConvertible {
  private let bytes: Pair
  private let scope: UInt32
  private let isV6: Bool
  /// The port, 1 … 65535; 0 for none.
  public let port: Int

  private struct Pair: Hashable, BitwiseCopyable {
    var first: UInt64
    var second: UInt64
  }

  package init(_ native: momu_address) {
    bytes = withUnsafeBytes(of: native.bytes) { $0.loadUnaligned(as: Pair.self) }
    scope = native.scope
    isV6 = native.is_v6 != 0
    port = Int(native.port)
  }

  /// The address as a C structure.
  package var native: momu_address {
    var native = momu_address()
    withUnsafeMutableBytes(of: &native.bytes) { $0.storeBytes(of: bytes, as: Pair.self) }
    native.scope = scope
    native.port = UInt16(port)
    native.is_v6 = isV6 ? 1 : 0
    return native
  }

  /// Parses an IP address such as `192.168.0.5` or `fe80::1%wlan0`; nil if the text is not an IP address, but for
  /// example a host name.
  package init?(ip text: String, port: Int) {
    var native = momu_address()
    guard let port = UInt16(exactly: port), momu_address_parse(text, port, &native) else { return nil }
    self.init(native)
  }

  /// Returns the address with the same host and another port.
  package func with(port: Int) -> NetAddress {
    var native = native
    native.port = UInt16(port)
    return NetAddress(native)
  }

  /// The IP address, without the port.
  public var host: String {
    var native = native
    return String(unsafeUninitializedCapacity: 64) { text in
      text.withMemoryRebound(to: CChar.self) { text in
        momu_address_write(&native, text.baseAddress, text.count)
        return strnlen(text.baseAddress!, text.count)
      }
    }
  }

  /// Whether the address is a multicast group, in 224.0.0.0/4 or ff00::/8.
  var isMulticast: Bool {
    withUnsafeBytes(of: bytes) { isV6 ? $0[0] == 0xFF : $0[0] & 0xF0 == 0xE0 }
  }

  /// Whether the address is this machine's loopback, 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    withUnsafeBytes(of: bytes) { isV6 ? $0.dropLast().allSatisfy { $0 == 0 } && $0[15] == 1 : $0[0] == 127 }
  }

  /// Whether the address is link-local (fe80::/10) but names no interface, although it is valid on a single interface
  /// only.
  var lacksInterface: Bool {
    isV6 && scope == 0 && withUnsafeBytes(of: bytes) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
  }

  /// Whether the address is an IPv6 address.
  public var isIPv6: Bool { isV6 }

  /// The address and the port.
  public var description: String { isV6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
