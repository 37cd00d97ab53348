import MoCore

/// A locked room's door: what leaves is sealed, and what comes in is taken if it is of the room, new, and from somebody
/// who is there now.
///
/// Each sender seals with a key of its own, made from the room's and from a number that is drawn at each start; what it
/// sends is counted, and each count taken once. A recording of a whole evening, played again, is of the room and new to
/// who was not there: so a sender is believed only once it has answered a question that nobody could ask before. What
/// was said before the answer is not taken; its sender says its last call to all once more with the answer.
///
/// Strangers cost a comparison of 8 bytes; who knows the room's number costs one hash and one check of a tag, some 3 µs,
/// and no memory. Only who knows the key is remembered. What is not kept out: a member can speak in another's name, and
/// whoever can hold datagrams back can delay them.
///
/// - Thread: one at a time; it has no clock and no sockets of its own.
public struct RoomCipher: Sendable {
  /// What became of a datagram.
  public struct Opened: Sendable {
    /// What the room is to hear; nil for nothing.
    public var text: [UInt8]?
    /// What is to be sent to where the datagram came from.
    public var replies: [[UInt8]] = []
    /// Whether it was for a room of this name and sealed with another key.
    public var hasOtherKey = false
  }

  /// The room's number.
  public var room: UInt64 { key.room }
  /// What came, by what became of it.
  public private(set) var counts = SealedCounts()

  /// Bytes by which a sealed datagram is longer than what it says.
  public static let overhead = SealedDatagram.overhead
  /// So many senders are remembered; beyond, the one that has been silent longest is asked anew.
  static let mostSenders = 1024
  /// So many questions are asked in a second at most.
  static let mostQuestions = 200
  /// Those of them that each group of senders has for itself besides.
  private static let keptQuestions: UInt8 = 2
  /// How long a question may be answered, in seconds: at least this, at most twice.
  static let patience = 8.0

  private let key: RoomKey
  private let sodium: Sodium
  private let number: UInt64
  private let ownKey: [UInt8]
  /// What questions are made from, so that none need be remembered.
  private let questionKey: [UInt8]
  private var counter: UInt64 = 0
  private var senders: [UInt64: Sender] = [:]
  private var lastCall: [UInt8]?
  private var questions = (second: Int64.min, count: 0, groups: [UInt8](repeating: 0, count: 256))

  /// Somebody who is there.
  private struct Sender {
    var key: [UInt8]
    var window: ReplayWindow
    var lastHeard: HostTime
  }

  /// A door that nobody has gone through.
  ///
  /// - Throws: `SealingError.noLibrary`.
  public init(_ key: RoomKey) throws(SealingError) {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    self.key = key
    self.sodium = sodium
    number = UInt64(bigEndianBytes: sodium.random(8)[...])
    ownKey = key.sender(number, sodium)
    questionKey = sodium.random(Sodium.keySize)
  }

  /// Whether bytes claim to be sealed, for whichever room.
  public static func isSealed(_ bytes: [UInt8]) -> Bool { SealedDatagram.isSealed(bytes) }

  /// The number of the room that a sealed datagram is for; nil where it is none.
  public static func room(of bytes: [UInt8]) -> UInt64? { SealedDatagram(bytes)?.room }

  // MARK: out

  /// Seals a datagram.
  ///
  /// - Parameter isCall: whether it goes to everybody: the last of these is said again to who asks whether one is there.
  public mutating func seal(_ text: [UInt8], isCall: Bool = false) -> [UInt8] {
    if isCall { lastCall = text }
    return seal(.text, text)
  }

  private mutating func seal(_ kind: SealedDatagram.Kind, _ text: [UInt8]) -> [UInt8] {
    counter += 1
    let datagram = SealedDatagram(kind, room: key.room, sender: number, counter: counter)
    let header = datagram.header
    return header + sodium.seal(text, header: header, nonce: datagram.nonce, key: ownKey)
  }

  // MARK: in

  /// Opens what came.
  public mutating func open(_ bytes: [UInt8], at now: HostTime) -> Opened {
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
    if known != nil { return take(text, datagram, at: now) }
    return meet(text, datagram, senderKey, at: now)
  }

  /// Takes what somebody says who is there.
  private mutating func take(_ text: [UInt8], _ datagram: SealedDatagram, at now: HostTime) -> Opened {
    guard senders[datagram.sender]?.window.take(datagram.counter) == true else {
      counts.replayed += 1
      return Opened()
    }
    senders[datagram.sender]?.lastHeard = now
    counts.taken += 1
    switch datagram.kind {
    case .text: return Opened(text: text)
    case .challenge: return Opened(replies: answer(text, backTo: nil, at: now))
    // Already believed.
    case .answer: return Opened()
    }
  }

  /// Hears somebody of whom it is not known whether it is there.
  private mutating func meet(
    _ text: [UInt8], _ datagram: SealedDatagram, _ senderKey: [UInt8], at now: HostTime
  ) -> Opened {
    switch datagram.kind {
    case .answer where isAnswer(text.prefix(16), of: datagram.sender, at: now):
      remember(
        Sender(key: senderKey, window: ReplayWindow(after: datagram.counter), lastHeard: now), datagram)
      counts.taken += 1
      let back = text.count > 16 ? answer(Array(text[16...]), backTo: nil, at: now) : []
      // Only now: to an address that is not known to hear it goes no more than was sent in its name.
      return Opened(replies: back + (lastCall.map { [seal(.text, $0)] } ?? []))
    case .challenge where isForUs(text):
      counts.unproven += 1
      guard mayAsk(datagram.sender, at: now) else { return Opened() }
      return Opened(replies: answer(text, backTo: datagram.sender, at: now))
    case .challenge:
      counts.unproven += 1
      return Opened()
    default:
      counts.unproven += 1
      guard mayAsk(datagram.sender, at: now) else { return Opened() }
      return Opened(replies: [seal(.challenge, challenge(for: datagram.sender, at: now))])
    }
  }

  /// The answer to a question, with one back to a sender that is not believed yet.
  private mutating func answer(_ challenge: [UInt8], backTo sender: UInt64?, at now: HostTime) -> [[UInt8]] {
    guard isForUs(challenge) else { return [] }
    let back = sender.map { self.challenge(for: $0, at: now) } ?? []
    return [seal(.answer, challenge.prefix(16) + back)]
  }

  private mutating func remember(_ sender: Sender, _ datagram: SealedDatagram) {
    if senders.count >= Self.mostSenders,
      let oldest = senders.min(by: { $0.value.lastHeard < $1.value.lastHeard })
    {
      senders[oldest.key] = nil
    }
    senders[datagram.sender] = sender
  }

  // MARK: questions

  /// A question with its addressee's number: other members do not answer a recording of it.
  ///
  /// A program that is started again has another number, so it does not answer either.
  private func challenge(for sender: UInt64, at now: HostTime) -> [UInt8] {
    question(for: sender, Self.slot(now)) + sender.bigEndianBytes
  }

  private func isForUs(_ challenge: [UInt8]) -> Bool {
    challenge.count == 24 && challenge[16...].elementsEqual(number.bigEndianBytes)
  }

  /// What a sender is asked in some seconds: a code of both, which nobody else can make and nothing need be kept for.
  private func question(for sender: UInt64, _ slot: Int64) -> [UInt8] {
    let text = sender.bigEndianBytes + UInt64(bitPattern: slot).bigEndianBytes
    return Array(sodium.code(text, key: questionKey).prefix(16))
  }

  private func isAnswer(_ answer: ArraySlice<UInt8>, of sender: UInt64, at now: HostTime) -> Bool {
    let slot = Self.slot(now)
    return [slot, slot - 1].contains { question(for: sender, $0)[...] == answer }
  }

  private static func slot(_ now: HostTime) -> Int64 { now.nanoseconds / Int64(patience * 1e9) }

  /// Whether another question, or an answer to a stranger's, may be sent: recordings that are played again would have
  /// them sent without end.
  ///
  /// A few a second are kept for each of 256 groups of senders, so that a newcomer is asked however often somebody's
  /// recording is played: the numbers of senders cannot be chosen without the key.
  private mutating func mayAsk(_ sender: UInt64, at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if questions.second != second { questions = (second, 0, Array(repeating: 0, count: 256)) }
    let group = Int(sender & 255)
    if questions.groups[group] < Self.keptQuestions {
      questions.groups[group] += 1
      return true
    }
    questions.count += 1
    return questions.count <= Self.mostQuestions
  }
}
