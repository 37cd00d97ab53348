import MoCore

/// The messages received from one sender; the window delivers each message once, and in order.
package struct ReceiveWindow: Sendable {
  /// The received streams, by the bits of their queues (`PlayQueue.bits`).
  package private(set) var streams = [PlayStream?](repeating: nil, count: 4)
  private var values: [(name: String, number: Int32)] = []
  package private(set) var gesture: Int32?
  var pace = RateLimit()
  /// The rate limit of the lines of text from this sender that are shown.
  var texts = RateLimit()

  package init() {}

  /// The largest difference between the newest number and the number of a late message.
  ///
  /// If a number is lower by more than this, it belongs to a new series of numbers.
  static let farthest: Int32 = 1 << 15
  /// The largest number of parameters of which changes are accepted from this sender; changes of further parameters are
  /// dropped.
  static let mostValues = 64
  /// The largest number of messages that are accepted from a sender in a second.
  static let fastest = 400

  /// Returns the messages that can be delivered now that `message` has arrived, in order.
  ///
  /// - Parameter milliseconds: the time of arrival by the shared clock; nil while the shared clock is not known.
  package mutating func receive(_ message: PlayMessage, milliseconds: Int64? = nil) -> [PlayMessage] {
    let queue = Int(message.stream & 3)
    if streams[queue]?.number != message.stream {
      // An older stream is over. A distant number starts another count, since any program may forge a high number.
      if let before = streams[queue], !isNew(message.stream, after: before.number) { return [] }
      streams[queue] = PlayStream(number: message.stream, next: message.first)
    }
    return streams[queue]?.receive(message, milliseconds: milliseconds) ?? []
  }

  /// Returns whether the stream number `other` is later than the number `stream`.
  ///
  /// The result is also true if `other` is so far behind that it belongs to a new series of numbers (`farthest`).
  private func isNew(_ other: Int32, after stream: Int32) -> Bool {
    let ahead = (other >> 2) &- (stream >> 2)
    return ahead > 0 || ahead < -Self.farthest
  }

  /// Returns the streams to acknowledge to the sender: those that are due, and those with missing messages.
  package mutating func popDueAcks() -> [PlayStream] {
    streams.indices.compactMap { queue in
      guard streams[queue]?.wantsAck == true || streams[queue]?.waits == true else { return nil }
      streams[queue]?.wantsAck = false
      return streams[queue]
    }
  }

  /// Returns the multicast streams to acknowledge to all.
  mutating func popMulticastAcks() -> [PlayStream] {
    streams.indices.compactMap { queue in
      guard let acksToAll = streams[queue]?.acksToAll, acksToAll > 0 else { return nil }
      streams[queue]?.acksToAll -= 1
      return streams[queue]
    }
  }

  /// Prepares the acknowledgement of a message: to its sender, or to all members if the message was a multicast.
  package mutating func prepareAck(of message: PlayMessage) {
    let queue = Int(message.stream & 3)
    if message.to == .nobody {
      streams[queue]?.acksToAll = PlayStream.mostAcksToAll
    } else {
      streams[queue]?.wantsAck = true
    }
  }

  /// Cancels the acknowledgements to all members that are still to be sent.
  mutating func cancelAcksToAll() {
    for queue in streams.indices { streams[queue]?.acksToAll = 0 }
  }

  var hasAcksToAll: Bool { streams.contains { ($0?.acksToAll ?? 0) > 0 } }
  package var waits: Bool { streams.contains { $0?.waits == true } }

  /// Removes and returns the messages that wait for an earlier message, in order.
  mutating func popWaiting() -> [PlayMessage] {
    streams.indices.flatMap { streams[$0]?.popWaiting() ?? [] }
  }

  /// Returns the seconds until missing messages are requested again; each call doubles the next result, up to 0.5 s.
  mutating func requestPause() -> Double {
    var pause = PlayStream.longestPause
    for queue in streams.indices where streams[queue]?.waits == true {
      pause = min(pause, streams[queue]?.pause ?? pause)
      streams[queue]?.pause = min(2 * pause, PlayStream.longestPause)
    }
    return pause
  }

  /// Returns whether a message has the newest value of its parameter, or the newest gesture; if so, stores the
  /// message's number.
  ///
  /// The result is false if a later value or gesture has arrived before. It is also false for a change of a parameter
  /// beyond the first 64 (`mostValues`).
  package mutating func isNewest(_ message: PlayMessage) -> Bool {
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

  /// Returns whether `number` is later than `other`, with wrap-around.
  ///
  /// The result is also true if `number` is so far behind that it belongs to a new series of numbers (`farthest`).
  static func isAfter(_ number: Int32, _ other: Int32) -> Bool {
    let ahead = number &- other
    return ahead > 0 || ahead < -farthest
  }
}

/// The received messages of one stream.
package struct PlayStream: Sendable {
  let number: Int32
  /// The number of the next message to deliver.
  package private(set) var next: Int32
  /// The messages that have arrived, but wait for an earlier message, by number.
  private var early: [Int32: PlayMessage] = [:]
  /// The highest number that has arrived or was skipped (`latest`), and a bit mask of the arrived numbers (`received`).
  ///
  /// The lowest bit of `received` stands for `latest`, and the other 63 bits for the numbers before it.
  private(set) var latest: Int32
  package private(set) var received: UInt64 = 0
  /// The shared clock at the arrival of `latest`, in milliseconds; nil if the shared clock was not known.
  private(set) var arrived: Int64?
  /// Whether the sender waits for an acknowledgement.
  var wantsAck = false
  /// The number of times that this stream is still to be acknowledged to all members.
  var acksToAll = 0
  /// Seconds until missing messages are next requested from the sender.
  var pause = firstPause

  /// The number of messages, from `next` on, that can be stored; a message further ahead is dropped.
  static let window: Int32 = 64
  /// The seconds before the first request for a lost message: its repeated multicast may be on its way.
  static let firstPause = 0.03
  static let longestPause = 0.5
  /// The number of times that a multicast is acknowledged to all members: several, since acknowledgements may be lost.
  static let mostAcksToAll = 4

  init(number: Int32, next: Int32) {
    self.number = number
    self.next = next
    latest = next &- 1
  }

  /// Whether a received message waits for an earlier message that has not arrived.
  var waits: Bool { !early.isEmpty }

  mutating func receive(_ message: PlayMessage, milliseconds: Int64?) -> [PlayMessage] {
    var list: [PlayMessage] = []
    if message.first > next {
      // Earlier messages were given up; those that did arrive are delivered.
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
      received |= 1 << UInt64(min(63, latest &- message.number))
    }
    while let message = early.removeValue(forKey: next) {
      list.append(message)
      next &+= 1
    }
    if early.isEmpty { pause = Self.firstPause }
    return list
  }

  /// Removes and returns the messages that wait for an earlier message, in order; the missing messages are given up.
  mutating func popWaiting() -> [PlayMessage] {
    guard let last = early.keys.max() else { return [] }
    let list = early.keys.sorted().compactMap { early.removeValue(forKey: $0) }
    (next, pause) = (last &+ 1, Self.firstPause)
    return list
  }

  private mutating func move(to number: Int32) {
    guard number > latest else { return }
    let steps = number &- latest
    received = steps < 64 ? received << UInt64(steps) : 0
    latest = number
  }

  /// Returns the acknowledgement of this stream.
  package func ack(to sender: MemberID, receivesMulticast: Bool) -> Ack {
    Ack(
      sender: sender, stream: number, latest: latest, received: received,
      arrived: arrived.map { UInt16(truncatingIfNeeded: $0) }, receivesMulticast: receivesMulticast,
      waits: waits)
  }
}
