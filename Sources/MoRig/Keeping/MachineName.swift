import Glibc

/// What this machine is called.
package enum MachineName {
  /// Its name without the domain; `rig` where it has none.
  package static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "rig" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 && $0 != 0x2E }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "rig" : name
  }
}
