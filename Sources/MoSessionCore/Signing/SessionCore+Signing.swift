import MoCore

/// In a locked room members prove which installation they are, and sign the state; in an open room neither can be done.
///
/// The room's key alone shows only that a sender knows the passkey. So a hello that returns an address's number is signed,
/// and a state is signed by its writer, whoever passes it on.
extension SessionCore {
  // MARK: out

  /// A message with this installation's signature.
  ///
  /// - Parameter addressee: the only member that may believe it; `nobody` for all.
  private func signed(
    _ message: SessionMessage, to addressee: MemberID, by signer: any SessionSigner
  ) -> SignedMessage {
    let body = message.encoded()
    let text = SignedMessage.text(body, room: settings.room, to: addressee)
    return SignedMessage(body: body, seal: signer.publicKey + signer.sign(text))
  }

  /// Signs the state that was written here.
  mutating func signState() {
    guard let signer = settings.signer else { return }
    state.signature = nil
    state.signature = signed(.state(from: me, state), to: .nobody, by: signer)
  }

  /// The state as it is told to others; nil if they could not believe it.
  var stateMessage: SessionMessage? { message(telling: state) }

  /// A state as it is told to others; nil if they could not believe it.
  func message(telling state: SessionState) -> SessionMessage? {
    guard settings.signer != nil else { return .state(from: me, state) }
    return state.signature.map { .signed(from: me, $0) }
  }

  /// Sends a hello that returns a member's number, signed if the room is locked.
  mutating func sendProof(_ hello: SessionMessage, to id: MemberID, at endpoint: SessionEndpoint) {
    guard let signer = settings.signer else { return send(hello, to: endpoint) }
    send(.signed(from: me, signed(hello, to: id, by: signer)), to: endpoint)
  }

  // MARK: in

  /// Takes in a message that was signed.
  mutating func take(
    _ message: SignedMessage, from id: MemberID, at endpoint: SessionEndpoint, now: HostTime
  ) throws(MessageError) {
    guard settings.signer != nil, id != me else {
      counts.unwanted += 1
      return
    }
    switch try SessionMessage(datagram: message.body) {
    case .hello(let hello):
      guard hello.identity.member == id else {
        counts.forged += 1
        return
      }
      take(hello, message, from: endpoint, now: now)
    case .state(_, let state):
      guard hear(id, at: endpoint, now: now) else { return }
      take(state, message, of: id, from: endpoint, now: now)
      send(.heard(from: me, self.state.version), to: endpoint)
    default: counts.unwanted += 1
    }
  }

  /// Takes in a state if it is new here and its writer may have signed it.
  private mutating func take(
    _ new: SessionState, _ message: SignedMessage, of id: MemberID, from endpoint: SessionEndpoint,
    now: HostTime
  ) {
    // What is known already is told again and again, and need not be checked.
    if message == state.signature || message == foreign?.signature { return }
    if message == beside?.state?.signature {
      noteBeside(at: now)
      return tellState(to: id, most: 1, now: now)
    }
    guard let signer = signer(of: message, to: .nobody, from: endpoint, now: now) else { return }
    if signer != new.holderInstallation {
      guard new.version.isHanded else {
        counts.forged += 1
        return
      }
      // A part of the room that joined ours hands our own state back to us, above its own.
      let isOurs = new.version.holder == state.version.holder && new.isSame(as: state)
      guard isOurs || mayHandOver(signer, at: now) else {
        counts.gated += 1
        return
      }
    }
    var new = new
    new.signature = message
    take(new, from: id, now: now)
  }

  /// Whether an installation may have handed the baton on: it held the baton, or may write.
  private func mayHandOver(_ installation: MemberID, at now: HostTime) -> Bool {
    installation == state.holderInstallation || mayWrite(installation, at: now)
  }

  /// The installation that has signed a message; nil, and counted, if none has or too many were checked just now.
  private mutating func signer(
    of message: SignedMessage, to addressee: MemberID, from endpoint: SessionEndpoint, now: HostTime
  ) -> MemberID? {
    guard let signer = settings.signer else { return nil }
    guard verifications.allows(endpoint, at: now) else {
      counts.unverified += 1
      return nil
    }
    let publicKey = Array(message.seal.prefix(SignedMessage.publicKeySize))
    let signature = Array(message.seal.dropFirst(SignedMessage.publicKeySize))
    let text = SignedMessage.text(message.body, room: settings.room, to: addressee)
    guard signer.isSigned(text, signature, by: publicKey) else {
      counts.forged += 1
      return nil
    }
    return signer.installation(of: publicKey)
  }

  /// What is to become of a hello in a locked room: who says it has to have proved its installation.
  enum Proof {
    case given
    /// It has to be asked for.
    case missing
    /// It is another installation's, or none.
    case isFalse
  }

  /// Whether a hello's installation is proved, by a signature or by one before.
  ///
  /// - Parameter message: the hello as it was signed; nil if it was not.
  mutating func proof(
    of hello: SessionMessage.Hello, _ message: SignedMessage?, from endpoint: SessionEndpoint, now: HostTime
  ) -> Proof {
    guard settings.signer != nil else { return .given }
    let installation = hello.identity.installation
    if let member = members[hello.identity.member], member.ways.contains(endpoint) {
      if member.identity.installation == installation { return .given }
      counts.forged += 1
      return .isFalse
    }
    guard let message else { return .missing }
    guard let signer = signer(of: message, to: me, from: endpoint, now: now) else { return .isFalse }
    if signer == installation { return .given }
    counts.forged += 1
    return .isFalse
  }
}
