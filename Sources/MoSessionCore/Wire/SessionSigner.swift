/// A signer of this installation's decisions, which also checks the signatures of other installations.
///
/// MoMu's network protocol has no cryptography of its own. In a locked room, a type that conforms to this Swift
/// protocol supplies a key pair.
///
/// - Thread: any, but only one thread at a time; each call may take a millisecond.
package protocol SessionSigner: Sendable {
  /// The key with which other installations check this installation's signatures: 32 bytes.
  var publicKey: [UInt8] { get }
  /// Returns this installation's signature of some bytes: 64 bytes.
  func sign(_ bytes: [UInt8]) -> [UInt8]
  /// Returns whether the owner of a public key signed some bytes; false for keys and signatures of a wrong size.
  func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool
  /// Returns the installation that a public key belongs to.
  func installation(of publicKey: [UInt8]) -> MemberID
}

/// A message with its writer's signature; other members relay it unchanged.
package struct SignedMessage: Hashable, Sendable {
  /// The message's datagram.
  var body: [UInt8]
  /// The writer's public key, 32 bytes, and the writer's signature, 64 bytes.
  package var seal: [UInt8]

  package init(body: [UInt8], seal: [UInt8]) {
    (self.body, self.seal) = (body, seal)
  }

  static let publicKeySize = 32
  static let sealSize = publicKeySize + 64

  /// Returns the bytes that are signed: the message, its room, and its addressee (`nobody` for all members).
  ///
  /// Without the room and the addressee, a message could be replayed in another room or to another member.
  package static func text(_ body: [UInt8], room: String, to addressee: MemberID) -> [UInt8] {
    var text = Array("momu signed 1".utf8) + [0] + Array(room.utf8) + [0]
    text.append(addressee.bits, count: 8)
    return text + body
  }
}
