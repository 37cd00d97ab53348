import MoCore

/// Encrypts (seals) and decrypts (opens) the datagrams of a locked room.
///
/// The cipher accepts only datagrams that are new and come from members that are present.
///
/// Each sender seals with its own key. This key is derived from the room's key and a random number that the sender
/// draws at each start. The sender numbers its datagrams, and a receiver accepts each number once. An attacker can
/// still record a whole evening and replay the recording. The recorded datagrams have the room's key, and they are
/// new to a member that was not there. So a receiver trusts a sender only after the sender has answered a question
/// that could not be known before. The receiver drops datagrams that the sender sent before this answer. So each side
/// repeats its last broadcast when the other side has answered.
///
/// A datagram from outside costs the receiver a comparison of 8 bytes. If the datagram has the room's number, it also
/// costs one hash and one check of its tag, about 3 µs in all, but no memory. The cipher stores only senders that
/// know the key. Two attacks remain: a member can use another member's name, and an attacker that can hold back
/// datagrams can delay them.
///
/// - Thread: any, but only one thread at a time; the cipher has no clock and no sockets of its own.
package struct RoomCipher: Sendable {
  /// The result of opening a datagram.
  package struct Opened: Sendable {
    /// The decrypted datagram for the session; nil for none.
    package var text: [UInt8]?
    /// The datagrams to send back to the address of the sender.
    package var replies: [[UInt8]] = []
    /// Whether the datagram was for a room of this name but sealed with another key.
    package var hasOtherKey = false
  }

  /// The number that stands for the room's name in datagrams.
  package var room: UInt64 { key.room }
  /// The number of datagrams received, by outcome.
  package private(set) var counts = SealedCounts()

  /// The number of bytes that sealing adds to a datagram.
  package static let overhead = SealedDatagram.overhead
  /// The maximum number of stored senders.
  ///
  /// A further sender replaces the sender that was silent longest, which must then answer a question again.
  static let mostSenders = 1024
  /// The maximum number of questions per second to all senders together, beyond the reserved questions
  /// (`reservedQuestions`).
  static let mostQuestions = 200
  /// The number of questions per second that are reserved for each of 256 groups of senders; `mostQuestions` does not
  /// include them.
  private static let reservedQuestions: UInt8 = 2
  /// The length of a time slot in seconds: a question is valid until the end of the next slot, so for 8 to 16 s.
  static let slotLength = 8.0

  private let key: RoomKey
  private let sodium: Sodium
  private let number: UInt64
  private let ownKey: [UInt8]
  /// The key from which questions are derived, so that this program need not store the questions that it has sent.
  private let questionKey: [UInt8]
  private var counter: UInt64 = 0
  private var senders: [UInt64: Sender] = [:]
  private var lastBroadcast: [UInt8]?
  private var questions = (second: Int64.min, count: 0, groups: [UInt8](repeating: 0, count: 256))

  /// A sender that has proved that it is present.
  private struct Sender {
    var key: [UInt8]
    var window: ReplayWindow
    var lastHeard: HostTime
  }

  /// Creates the cipher of a room; it knows no senders yet.
  ///
  /// - Throws: `SealingError.noLibrary`.
  package init(_ key: RoomKey) throws(SealingError) {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    self.key = key
    self.sodium = sodium
    number = UInt64(bigEndianBytes: sodium.random(8)[...])
    ownKey = key.sender(number, sodium)
    questionKey = sodium.random(Sodium.keySize)
  }

  /// Returns whether some bytes begin like a sealed datagram of any room.
  package static func isSealed(_ bytes: [UInt8]) -> Bool { SealedDatagram.isSealed(bytes) }

  /// Returns the number of the room for which a datagram was sealed; nil if the bytes are not a sealed datagram.
  package static func room(of bytes: [UInt8]) -> UInt64? { SealedDatagram(bytes)?.room }

  // MARK: sending

  /// Seals a datagram.
  ///
  /// - Parameters:
  ///   - text: the bytes of the datagram.
  ///   - isBroadcast: whether the datagram is a broadcast. When a member has proved its presence, the cipher repeats
  ///     the last broadcast to this member.
  package mutating func seal(_ text: [UInt8], isBroadcast: Bool = false) -> [UInt8] {
    if isBroadcast { lastBroadcast = text }
    return seal(.text, text)
  }

  private mutating func seal(_ kind: SealedDatagram.Kind, _ text: [UInt8]) -> [UInt8] {
    counter += 1
    let datagram = SealedDatagram(kind, room: key.room, sender: number, counter: counter)
    let header = datagram.header
    return header + sodium.seal(text, header: header, nonce: datagram.nonce, key: ownKey)
  }

  // MARK: receiving

  /// Opens a received datagram.
  package mutating func open(_ bytes: [UInt8], at now: HostTime) -> Opened {
    guard let datagram = SealedDatagram(bytes), datagram.room == key.room, datagram.sender != number else {
      counts.foreign += 1
      return Opened()
    }
    let known = senders[datagram.sender]
    let senderKey = known?.key ?? key.sender(datagram.sender, sodium)
    let text = sodium.open(
      bytes[SealedDatagram.headerSize...], header: Array(bytes.prefix(SealedDatagram.headerSize)),
      nonce: datagram.nonce, key: senderKey)
    guard let text else {
      counts.forged += 1
      return Opened(hasOtherKey: known == nil)
    }
    if known != nil { return receiveTrusted(text, datagram, at: now) }
    return receiveUntrusted(text, datagram, senderKey, at: now)
  }

  /// Handles a datagram from a sender that has proved that it is present; a datagram that was received before is
  /// dropped.
  private mutating func receiveTrusted(_ text: [UInt8], _ datagram: SealedDatagram, at now: HostTime)
    -> Opened
  {
    guard senders[datagram.sender]?.window.accept(datagram.counter) == true else {
      counts.replayed += 1
      return Opened()
    }
    senders[datagram.sender]?.lastHeard = now
    counts.accepted += 1
    switch datagram.kind {
    case .text: return Opened(text: text)
    case .challenge: return Opened(replies: answer(text, askingBack: nil, at: now))
    // The sender is already trusted.
    case .answer: return Opened()
    }
  }

  /// Handles a datagram from a sender that has not yet proved that it is present.
  private mutating func receiveUntrusted(
    _ text: [UInt8], _ datagram: SealedDatagram, _ senderKey: [UInt8], at now: HostTime
  ) -> Opened {
    switch datagram.kind {
    case .answer where isAnswer(text.prefix(16), of: datagram.sender, at: now):
      addSender(
        Sender(key: senderKey, window: ReplayWindow(after: datagram.counter), lastHeard: now), datagram)
      counts.accepted += 1
      let answers = text.count > 16 ? answer(Array(text[16...]), askingBack: nil, at: now) : []
      // Sent only now: an address that may be forged must not receive more than was sent in its name.
      return Opened(replies: answers + (lastBroadcast.map { [seal(.text, $0)] } ?? []))
    case .challenge where isForUs(text):
      counts.unproven += 1
      guard mayAsk(datagram.sender, at: now) else { return Opened() }
      return Opened(replies: answer(text, askingBack: datagram.sender, at: now))
    case .challenge:
      counts.unproven += 1
      return Opened()
    default:
      counts.unproven += 1
      guard mayAsk(datagram.sender, at: now) else { return Opened() }
      return Opened(replies: [seal(.challenge, challenge(for: datagram.sender, at: now))])
    }
  }

  /// Returns the datagram that answers a question; empty if the question is for another member.
  ///
  /// - Parameter sender: the number of a sender that is not yet trusted, which is asked a question in return; nil for
  ///   none.
  private mutating func answer(_ challenge: [UInt8], askingBack sender: UInt64?, at now: HostTime)
    -> [[UInt8]]
  {
    guard isForUs(challenge) else { return [] }
    let returnQuestion = sender.map { self.challenge(for: $0, at: now) } ?? []
    return [seal(.answer, challenge.prefix(16) + returnQuestion)]
  }

  private mutating func addSender(_ sender: Sender, _ datagram: SealedDatagram) {
    if senders.count >= Self.mostSenders,
      let oldest = senders.min(by: { $0.value.lastHeard < $1.value.lastHeard })
    {
      senders[oldest.key] = nil
    }
    senders[datagram.sender] = sender
  }

  // MARK: questions

  /// Returns a question with the number of the member that must answer.
  ///
  /// If an attacker replays a recorded question, no other member answers it. The same program does not answer it after
  /// a restart either, because its number has changed.
  private func challenge(for sender: UInt64, at now: HostTime) -> [UInt8] {
    question(for: sender, Self.slot(now)) + sender.bigEndianBytes
  }

  private func isForUs(_ challenge: [UInt8]) -> Bool {
    challenge.count == 24 && challenge[16...].elementsEqual(number.bigEndianBytes)
  }

  /// Returns the question for a sender in a time slot of `slotLength` seconds: a keyed hash of the sender's and the
  /// slot's number.
  ///
  /// No other program can make the question, and this program need not store the question.
  private func question(for sender: UInt64, _ slot: Int64) -> [UInt8] {
    let text = sender.bigEndianBytes + UInt64(bitPattern: slot).bigEndianBytes
    return Array(sodium.code(text, key: questionKey).prefix(16))
  }

  private func isAnswer(_ answer: ArraySlice<UInt8>, of sender: UInt64, at now: HostTime) -> Bool {
    let slot = Self.slot(now)
    return [slot, slot - 1].contains { question(for: sender, $0)[...] == answer }
  }

  private static func slot(_ now: HostTime) -> Int64 { now.nanoseconds / Int64(slotLength * 1e9) }

  /// Returns whether another question, or an answer to an unknown sender's question, may be sent.
  ///
  /// Without a limit, replayed recordings would cause an endless stream of questions and answers. A few questions per
  /// second are reserved for each of 256 groups of senders. So a new member is asked however often a recording is
  /// replayed. An attacker cannot choose a sender's number without the key.
  private mutating func mayAsk(_ sender: UInt64, at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if questions.second != second { questions = (second, 0, Array(repeating: 0, count: 256)) }
    let group = Int(sender & 255)
    if questions.groups[group] < Self.reservedQuestions {
      questions.groups[group] += 1
      return true
    }
    questions.count += 1
    return questions.count <= Self.mostQuestions
  }
}
