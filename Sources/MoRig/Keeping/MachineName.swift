import Glibc

/// The name of this machine.
package enum MachineName {
  /// The host name without the domain; `rig` if there is none.
  package static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "rig" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 && $0 != 0x2E }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "rig" : name
  }
}
