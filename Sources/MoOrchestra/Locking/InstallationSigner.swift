import MoSessionCore

/// This installation's key pair, with which the session's protocol signs messages and checks signatures.
struct InstallationSigner: SessionSigner {
  let key: InstallationKey

  var publicKey: [UInt8] { key.publicKey }

  func sign(_ bytes: [UInt8]) -> [UInt8] { key.sign(bytes) }

  func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    key.isSigned(bytes, signature, by: publicKey)
  }

  func installation(of publicKey: [UInt8]) -> MemberID { MemberID(key.installation(of: publicKey)) }
}
