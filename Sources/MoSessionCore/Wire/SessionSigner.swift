/// Signs what this installation decides, and checks what others have signed.
///
/// The protocol has no cryptography of its own: in a locked room it is given a key pair by this.
///
/// - Thread: one at a time; each call may take a millisecond.
package protocol SessionSigner: Sendable {
  /// What others check this installation's signatures with: 32 bytes.
  var publicKey: [UInt8] { get }
  /// This installation's signature of some bytes: 64 bytes.
  func sign(_ bytes: [UInt8]) -> [UInt8]
  /// Whether the owner of a public key has signed some bytes; false for keys and signatures of a wrong size.
  func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool
  /// The installation that a public key belongs to.
  func installation(of publicKey: [UInt8]) -> MemberID
}

/// A message as its writer has signed it; other members pass it on unchanged.
struct SignedMessage: Hashable, Sendable {
  /// The message's datagram.
  var body: [UInt8]
  /// The writer's public key, 32 bytes, and its signature, 64 bytes.
  var seal: [UInt8]

  static let publicKeySize = 32
  static let sealSize = publicKeySize + 64

  /// What is signed: the message, in which room it is said, and to whom; `nobody` for all.
  ///
  /// Else what was said to one member, or in one room, could be repeated to another.
  static func text(_ body: [UInt8], room: String, to addressee: MemberID) -> [UInt8] {
    var text = Array("momu signed 1".utf8) + [0] + Array(room.utf8) + [0]
    text.append(addressee.bits, count: 8)
    return text + body
  }
}
