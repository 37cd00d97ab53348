import MoCore

/// What has come from one sender, so that each is heard once, and in order.
struct ReceiveWindow: Sendable {
  /// The streams that have come, by the bits of their lines.
  private(set) var streams = [PlayStream?](repeating: nil, count: 4)
  private var values: [(name: String, number: Int32)] = []
  private(set) var gesture: Int32?
  var pace = RateLimit()
  /// Limits the lines that are shown of this sender.
  var texts = RateLimit()

  /// How far a number may lie behind the newest to be an old one of the same count.
  static let farthest: Int32 = 1 << 15
  /// Most parameters of which it is known what came last.
  static let mostValues = 64
  /// Most that are taken from one sender in a second.
  static let fastest = 400

  /// What can be heard now that this has come.
  ///
  /// - Parameter milliseconds: the shared clock; nil while it is not known.
  mutating func receive(_ message: PlayMessage, milliseconds: Int64? = nil) -> [PlayMessage] {
    let line = Int(message.stream & 3)
    if streams[line]?.number != message.stream {
      // A stream of before is over; one far away is another count, since anybody may forge a high number.
      if let before = streams[line], !isNew(message.stream, after: before.number) { return [] }
      streams[line] = PlayStream(number: message.stream, next: message.first)
    }
    return streams[line]?.receive(message, milliseconds: milliseconds) ?? []
  }

  /// Whether a stream of that number follows, or has nothing to do with ours.
  private func isNew(_ other: Int32, after stream: Int32) -> Bool {
    let ahead = (other >> 2) &- (stream >> 2)
    return ahead > 0 || ahead < -Self.farthest
  }

  /// What is to be acknowledged to the sender: all that it wants to know, and what is waited for.
  mutating func popOwed() -> [PlayStream] {
    streams.indices.compactMap { line in
      guard streams[line]?.wantsAck == true || streams[line]?.waits == true else { return nil }
      streams[line]?.wantsAck = false
      return streams[line]
    }
  }

  /// What came by calls and is to be acknowledged to all.
  mutating func popCalled() -> [PlayStream] {
    streams.indices.compactMap { line in
      guard let tellings = streams[line]?.tellings, tellings > 0 else { return nil }
      streams[line]?.tellings -= 1
      return streams[line]
    }
  }

  /// Notes that a message is to be acknowledged, to its sender or to all.
  mutating func noteAck(of message: PlayMessage) {
    let line = Int(message.stream & 3)
    if message.to == .nobody {
      streams[line]?.tellings = PlayStream.mostTellings
    } else {
      streams[line]?.wantsAck = true
    }
  }

  /// Forgets what is to be acknowledged to all.
  mutating func forgetTellings() {
    for line in streams.indices { streams[line]?.tellings = 0 }
  }

  var isToBeTold: Bool { streams.contains { ($0?.tellings ?? 0) > 0 } }
  var waits: Bool { streams.contains { $0?.waits == true } }

  /// Seconds until the sender is asked again for what is waited for: twice as many each time.
  mutating func askingPause() -> Double {
    var pause = PlayStream.longestPause
    for line in streams.indices where streams[line]?.waits == true {
      pause = min(pause, streams[line]?.pause ?? pause)
      streams[line]?.pause = min(2 * pause, PlayStream.longestPause)
    }
    return pause
  }

  /// Whether this is the newest of what it says, and not held back on its way.
  mutating func isNewest(_ message: PlayMessage) -> Bool {
    guard case .change(let change) = message.play else {
      if let gesture, !Self.isAfter(message.number, gesture) { return false }
      gesture = message.number
      return true
    }
    let name = change.fullName
    if let place = values.firstIndex(where: { $0.name == name }) {
      guard Self.isAfter(message.number, values[place].number) else { return false }
      values[place].number = message.number
      return true
    }
    guard values.count < Self.mostValues else { return false }
    values.append((name, message.number))
    return true
  }

  /// Whether a number comes after another, counted round; a number far before it is of another count.
  static func isAfter(_ number: Int32, _ other: Int32) -> Bool {
    let ahead = number &- other
    return ahead > 0 || ahead < -farthest
  }
}

/// What has come of one stream.
struct PlayStream: Sendable {
  let number: Int32
  /// The next that is to be heard.
  private(set) var next: Int32
  /// What came before its turn.
  private var early: [Int32: PlayMessage] = [:]
  /// The highest that has come or was passed over, and which of it and of the 63 before have come.
  private(set) var latest: Int32
  private(set) var heard: UInt64 = 0
  /// The shared clock as that came, in milliseconds; nil while it was not known.
  private(set) var arrived: Int64?
  /// Whether the sender waits for a ack.
  var wantsAck = false
  /// How often it is still to be told to all what has come.
  var tellings = 0
  /// Seconds after which the sender is asked for what is missing.
  var pause = firstPause

  /// How far ahead of its turn something is kept.
  static let window: Int32 = 64
  /// Another call of what was lost may be on its way.
  static let firstPause = 0.03
  static let longestPause = 0.5
  /// Each call is acknowledged four times to all, since such acknowledgements may be lost.
  static let mostTellings = 4

  init(number: Int32, next: Int32) {
    self.number = number
    self.next = next
    latest = next &- 1
  }

  /// Whether something waits for a number before it.
  var waits: Bool { !early.isEmpty }

  mutating func receive(_ message: PlayMessage, milliseconds: Int64?) -> [PlayMessage] {
    var list: [PlayMessage] = []
    if message.first > next {
      // Those before were given up; what is kept of them is heard all the same.
      list = early.keys.filter { $0 < message.first }.sorted().compactMap { early.removeValue(forKey: $0) }
      next = message.first
      move(to: next &- 1)
    }
    if message.number >= next, message.number < next &+ Self.window {
      early[message.number] = message
      if message.number > latest {
        move(to: message.number)
        arrived = milliseconds
      }
      heard |= 1 << UInt64(min(63, latest &- message.number))
    }
    while let message = early.removeValue(forKey: next) {
      list.append(message)
      next &+= 1
    }
    if early.isEmpty { pause = Self.firstPause }
    return list
  }

  private mutating func move(to number: Int32) {
    guard number > latest else { return }
    let steps = number &- latest
    heard = steps < 64 ? heard << UInt64(steps) : 0
    latest = number
  }

  /// What is acknowledged.
  func ack(to sender: MemberID, hearsCalls: Bool) -> Ack {
    Ack(
      sender: sender, stream: number, latest: latest, heard: heard,
      arrived: arrived.map { UInt16(truncatingIfNeeded: $0) }, hearsCalls: hearsCalls, waits: waits)
  }
}
