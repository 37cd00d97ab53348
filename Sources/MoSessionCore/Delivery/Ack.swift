/// Which messages of one stream have come.
struct Ack: Hashable, Sendable {
  /// The member that played.
  var sender: MemberID
  var stream: Int32
  /// The highest number that has come, or was passed over because it was given up.
  var latest: Int32
  /// The lowest bit is set if `latest` has come, the next if the number before has come, and so on.
  var heard: UInt64
  /// The shared clock as `latest` came, in milliseconds modulo 2¹⁶; nil while the shared clock is not known.
  var arrived: UInt16?
  /// Whether the sender's calls to all come through.
  var hearsCalls = true
  /// Whether something that has come waits for a number before it.
  var waits = false

  /// Whether it says that a number has come.
  func hasHeard(_ number: Int32) -> Bool {
    let age = latest &- number
    return (0..<64).contains(age) && heard >> UInt64(age) & 1 != 0
  }
}

/// What one member acknowledges, to one member or to all.
struct Acks: Hashable, Sendable {
  var from: MemberID
  /// `nobody` for all.
  var to: MemberID
  var list: [Ack]

  /// Bytes of one ack, and most acknowledgements in a message.
  static let size = 28
  static let most = 48

  /// The acknowledgements as they are sent.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size * list.count)
    for ack in list.prefix(Self.most) {
      bytes.append(ack.sender.bits, count: 8)
      bytes.append(UInt64(UInt32(bitPattern: ack.stream)), count: 4)
      bytes.append(UInt64(UInt32(bitPattern: ack.latest)), count: 4)
      bytes.append(ack.heard, count: 8)
      bytes.append(UInt64(ack.arrived ?? 0), count: 2)
      bytes.append(
        (ack.hearsCalls ? 1 : 0) | (ack.arrived != nil ? 2 : 0) | (ack.waits ? 4 : 0), count: 2)
    }
    return bytes
  }

  /// Reads acknowledgements; nil if they are not whole, or too many.
  static func list(_ bytes: [UInt8]) -> [Ack]? {
    guard bytes.count % size == 0, bytes.count <= size * most else { return nil }
    var (list, reader): ([Ack], ByteReader) = ([], ByteReader(bytes))
    while let sender = reader.number(8), let stream = reader.number(4), let latest = reader.number(4),
      let heard = reader.number(8), let arrived = reader.number(2), let flags = reader.number(2)
    {
      let ack = Ack(
        sender: MemberID(sender), stream: Int32(truncatingIfNeeded: stream),
        latest: Int32(truncatingIfNeeded: latest), heard: heard,
        arrived: flags & 2 != 0 ? UInt16(arrived) : nil, hearsCalls: flags & 1 != 0, waits: flags & 4 != 0)
      guard ack.sender != .nobody, ack.stream > 0, ack.latest >= 0, ack.latest < 1 << 30
      else { return nil }
      list.append(ack)
    }
    return list
  }
}
