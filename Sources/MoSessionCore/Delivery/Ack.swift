/// An acknowledgement: the messages of one stream that have arrived.
package struct Ack: Hashable, Sendable {
  /// The member that sent the stream.
  var sender: MemberID
  var stream: Int32
  /// The highest number of a message that has arrived, or that was skipped because its sender gave it up.
  var latest: Int32
  /// A bit mask: the lowest bit is set if `latest` has arrived, the next if the number before has, and so on.
  var received: UInt64
  /// The shared clock at the arrival of `latest`, in milliseconds modulo 2¹⁶; nil while the shared clock is not known.
  var arrived: UInt16?
  /// Whether the multicasts of `sender` reach the acknowledging member.
  var receivesMulticast = true
  /// Whether a received message waits for an earlier message that has not arrived.
  var waits = false

  package init(
    sender: MemberID, stream: Int32, latest: Int32, received: UInt64, arrived: UInt16? = nil,
    receivesMulticast: Bool = true, waits: Bool = false
  ) {
    (self.sender, self.stream, self.latest, self.received, self.arrived, self.receivesMulticast, self.waits) =
      (
        sender, stream, latest, received, arrived, receivesMulticast, waits
      )
  }

  /// Returns whether the message `number` has arrived, according to this acknowledgement.
  func hasReceived(_ number: Int32) -> Bool {
    let age = latest &- number
    return (0..<64).contains(age) && received >> UInt64(age) & 1 != 0
  }
}

/// The acknowledgements that a member sends, to another member or to all members.
package struct Acks: Hashable, Sendable {
  var from: MemberID
  /// The receiver; `nobody` for all.
  var to: MemberID
  var list: [Ack]

  package init(from: MemberID, to: MemberID, list: [Ack]) {
    (self.from, self.to, self.list) = (from, to, list)
  }

  /// The size of an acknowledgement in the wire format, in bytes.
  static let size = 28
  /// The largest number of acknowledgements in a message.
  static let most = 48

  /// The wire format: `size` bytes for each acknowledgement.
  ///
  /// These are the sender (8 bytes), stream (4), `latest` (4), `received` (8), `arrived` (2) and flags (2).
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size * list.count)
    for ack in list.prefix(Self.most) {
      bytes.append(ack.sender.bits, count: 8)
      bytes.append(UInt64(UInt32(bitPattern: ack.stream)), count: 4)
      bytes.append(UInt64(UInt32(bitPattern: ack.latest)), count: 4)
      bytes.append(ack.received, count: 8)
      bytes.append(UInt64(ack.arrived ?? 0), count: 2)
      bytes.append(
        (ack.receivesMulticast ? 1 : 0) | (ack.arrived != nil ? 2 : 0) | (ack.waits ? 4 : 0), count: 2)
    }
    return bytes
  }

  /// Decodes acknowledgements; nil if they are incomplete or too many.
  static func list(_ bytes: [UInt8]) -> [Ack]? {
    guard bytes.count % size == 0, bytes.count <= size * most else { return nil }
    var (list, reader): ([Ack], ByteReader) = ([], ByteReader(bytes))
    while let sender = reader.number(8), let stream = reader.number(4), let latest = reader.number(4),
      let received = reader.number(8), let arrived = reader.number(2), let flags = reader.number(2)
    {
      let ack = Ack(
        sender: MemberID(sender), stream: Int32(truncatingIfNeeded: stream),
        latest: Int32(truncatingIfNeeded: latest), received: received,
        arrived: flags & 2 != 0 ? UInt16(arrived) : nil, receivesMulticast: flags & 1 != 0,
        waits: flags & 4 != 0)
      guard ack.sender != .nobody, ack.stream > 0, ack.latest >= 0, ack.latest < 1 << 30
      else { return nil }
      list.append(ack)
    }
    return list
  }
}
