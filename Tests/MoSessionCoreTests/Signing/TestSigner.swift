import MoSessionCore
import Synchronization

/// Signatures without cryptography: the protocol's tests must be fast and reproducible by a seed.
///
/// A test can only sign with a key that it has made, so it cannot forge any other member's signature.
struct TestSigner: SessionSigner {
  let publicKey: [UInt8]
  /// The number of checked signatures.
  let checks: Checks?

  final class Checks: Sendable {
    let count = Atomic<Int>(0)
  }

  init(_ number: Int, checks: Checks? = nil) {
    publicKey = (0..<32).map { UInt8(truncatingIfNeeded: number &* ($0 &+ 3)) }
    self.checks = checks
  }

  func sign(_ bytes: [UInt8]) -> [UInt8] { Self.code(publicKey, bytes) }

  func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    checks?.count.add(1, ordering: .relaxed)
    return signature == Self.code(publicKey, bytes)
  }

  func installation(of publicKey: [UInt8]) -> MemberID { MemberID(Self.number(publicKey, 77) | 1) }

  var installation: MemberID { installation(of: publicKey) }

  private static func code(_ publicKey: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    let number = number(publicKey + bytes, 99)
    return (0..<64).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
  }

  /// FNV-1a.
  private static func number(_ bytes: [UInt8], _ start: UInt64) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325 ^ start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension SessionCore.Settings {
  /// Makes a member of a locked room with its own key.
  mutating func lock(_ number: Int, checks: TestSigner.Checks? = nil) {
    let key = TestSigner(number, checks: checks)
    (signer, identity.installation) = (key, key.installation)
  }
}
