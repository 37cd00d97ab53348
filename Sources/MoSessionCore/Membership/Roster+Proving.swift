import MoCore

/// Proofs of address and installation.
///
/// The room's key alone shows only that a sender knows the passkey. So in a locked room a hello that returns an
/// address's token is signed. In an open room an installation cannot be proved.
extension Roster {
  // MARK: addresses

  /// Asks an address to return a token.
  ///
  /// - Parameters:
  ///   - token: the token that the address asked us to return; 0 for none.
  ///   - echo: the token that the address returned; 0 for none.
  mutating func challenge(
    _ endpoint: SessionEndpoint, token: Int64 = 0, echo: Int64 = 0, method: DiscoveryMethod = .answer,
    now: HostTime,
    _ out: inout Effects
  ) {
    guard path.mayChallenge(endpoint, echo: echo, at: now) else { return }
    probe(endpoint, echo: token, method: method, &out)
  }

  /// Probes whether a member is at an address: in as few bytes as possible, since the address may be unused.
  func probe(_ endpoint: SessionEndpoint, echo: Int64 = 0, method: DiscoveryMethod, _ out: inout Effects) {
    out.send(
      .prove(SessionMessage.Proof(from: me, token: path.token(for: endpoint), echo: echo, method: method)),
      to: endpoint)
  }

  /// Processes a token from an address.
  ///
  /// A member, or an address that has returned this member's token, is sent a hello. Any other address is challenged.
  mutating func receive(
    _ proof: SessionMessage.Proof, from endpoint: SessionEndpoint, now: HostTime, _ out: inout Effects
  ) {
    guard proof.from != me else { return }
    let isMember = members[proof.from]?.addresses.contains(endpoint) == true
    let hasProved = proof.echo == path.token(for: endpoint)
    if hasProved { path.hasProved(endpoint, at: now) }
    guard isMember || hasProved else {
      return challenge(endpoint, token: proof.token, echo: proof.echo, method: proof.method, now: now, &out)
    }
    // In a locked room a member with a new address proves itself first. Otherwise a sender that knows the passkey could
    // stand between two members and relay their signatures.
    if settings.signer != nil, !isMember, isHere(proof.from, at: now) {
      out.counts.unwanted += 1
      return
    }
    guard proofAnswers.allows(at: now, most: ReturnPath.mostListeners) else { return }
    out.add(
      .hello(
        HelloRequest(
          endpoint: endpoint, method: proof.method, wantsAnswer: !isMember, echo: proof.token,
          addressee: proof.from)))
  }

  /// Returns whether a program that asks for the beat has proved its address with the right `key`.
  ///
  /// The key is the lowest 32 bits of the address's token. If the key is wrong, this member sends the right key to the
  /// address.
  mutating func hasProved(
    _ endpoint: SessionEndpoint, key: Int32, now: HostTime, _ out: inout Effects
  ) -> Bool {
    let wanted = Int32(truncatingIfNeeded: path.token(for: endpoint))
    if key == wanted { return true }
    if path.mayChallenge(endpoint, echo: 0, at: now) {
      out.send(.follow(port: Int32(endpoint.port), key: wanted), to: endpoint)
    }
    return false
  }

  // MARK: installations

  /// Returns a message with this installation's signature; nil in an open room.
  ///
  /// - Parameter addressee: the only member that may accept the message; `nobody` for all.
  func signed(_ message: SessionMessage, to addressee: MemberID) -> SignedMessage? {
    guard let signer = settings.signer else { return nil }
    let body = message.encoded()
    let text = SignedMessage.text(body, room: settings.room, to: addressee)
    return SignedMessage(body: body, seal: signer.publicKey + signer.sign(text))
  }

  /// Returns the installation that signed a message; nil in an open room.
  ///
  /// The result is also nil for a false signature, or beyond the limit of checks. Such messages are counted
  /// (`SessionCounts.forged` and `unverified`).
  mutating func signer(
    of message: SignedMessage, to addressee: MemberID, from endpoint: SessionEndpoint, now: HostTime,
    _ out: inout Effects
  ) -> MemberID? {
    guard let signer = settings.signer else { return nil }
    guard verifications.allows(endpoint, at: now) else {
      out.counts.unverified += 1
      return nil
    }
    let publicKey = Array(message.seal.prefix(SignedMessage.publicKeySize))
    let signature = Array(message.seal.dropFirst(SignedMessage.publicKeySize))
    let text = SignedMessage.text(message.body, room: settings.room, to: addressee)
    guard signer.isSigned(text, signature, by: publicKey) else {
      out.counts.forged += 1
      return nil
    }
    return signer.installation(of: publicKey)
  }

  /// The result of checking a hello's installation.
  enum Proof {
    case given
    /// There is no proof yet: it must be requested.
    case missing
    /// The signature is invalid, or the signature of another installation.
    case isFalse
  }

  /// Checks whether a hello's installation is proved, by the hello's signature or by an earlier signed hello.
  ///
  /// In an open room, the result is always `given`.
  ///
  /// - Parameter message: the signed form of the hello; nil if it was not signed.
  mutating func proof(
    of hello: SessionMessage.Hello, _ message: SignedMessage?, from endpoint: SessionEndpoint, now: HostTime,
    _ out: inout Effects
  ) -> Proof {
    guard settings.signer != nil else { return .given }
    let installation = hello.identity.installation
    if let member = members[hello.identity.member], member.addresses.contains(endpoint) {
      if member.identity.installation == installation { return .given }
      out.counts.forged += 1
      return .isFalse
    }
    guard let message else { return .missing }
    guard let signer = signer(of: message, to: me, from: endpoint, now: now, &out) else { return .isFalse }
    if signer == installation { return .given }
    out.counts.forged += 1
    return .isFalse
  }
}
