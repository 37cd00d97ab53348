import MoMu
import MoOSC

/// The subscribers of an instrument's parameters, which receive only the changes.
///
/// A subscription lasts for ten seconds after the last request, and sends at most 20 times per second. There is room
/// for sixteen subscribers.
///
/// The sender address of a datagram can be forged, so that replies reach a machine that never sent a request. So an
/// address must not receive more than twice the bytes that arrived with this sender address. MoMu first sends a key, a
/// number that is hard to guess, to the address. Longer replies follow only after the address has returned the key.
package final class ParameterFollowers: EventTimer, @unchecked Sendable {
  // Unchecked: `sent` and `due` belong to the servicing thread; all else is guarded.
  private struct Follower {
    var address: NetAddress
    var until: HostTime
    /// The parameters whose values must still be sent to the subscriber: bit n is the parameter with the index n.
    var pending = UInt64.max
  }

  package let name = "followers"
  package var nextTime: HostTime? { all.withLock { $0.isEmpty } ? nil : due }
  private let handle: InstrumentHandle
  private let base: String
  private let send: @Sendable (OSCPacket, NetAddress) -> Void
  private let all = Locked<[Follower]>([])
  /// The senders that were answered within the last 50 ms (`period`), with the times of the answers.
  private let answered = Locked<[(sender: NetAddress, time: HostTime)]>([])
  private let secret = UInt64.random(in: .min ... .max)
  private var sent: [Float]
  private var due: HostTime

  private static let most = 16
  private static let timeout = Duration.seconds(10)
  private static let period = Duration.milliseconds(50)

  /// - Parameter send: sends a packet to an address (default: with `MoNet`).
  package init(
    _ handle: InstrumentHandle, base: String,
    send: @escaping @Sendable (OSCPacket, NetAddress) -> Void = { try? MoNet.send($0, to: $1) }
  ) {
    self.handle = handle
    self.base = base
    self.send = send
    sent = handle.parameters.indices.map { handle.value($0) }
    due = Run.current.clock.now
  }

  /// Subscribes an address that has proved that it receives packets; any other address gets a key with which it can
  /// prove this.
  ///
  /// - Parameters:
  ///   - port: the port at which the subscriber wants to receive the changes.
  ///   - key: the key that the subscriber returned; nil for none.
  ///   - isProven: whether no key is needed, because the request came over a connection such as TCP.
  package func add(
    _ sender: NetAddress, port: Int32, key: Int32? = nil, isProven: Bool = false,
    at now: HostTime = Run.current.clock.now
  ) {
    guard (1...65_535).contains(port) else { return }
    let address = sender.with(port: Int(port))
    guard isProven || isKnown(address, by: key) else { return tellKey(to: address, at: now) }
    let until = now + Self.timeout
    all.withLock { all in
      if let index = all.firstIndex(where: { $0.address == address }) {
        all[index].until = until
      } else if all.count < Self.most {
        all.append(Follower(address: address, until: until))
      }
    }
    Run.current.input.wakeUp()
  }

  /// Returns whether an address is known to receive packets.
  ///
  /// An address is known if `key` is the key that MoMu sent to it, or if it is a loopback address, which cannot be
  /// forged.
  func isKnown(_ address: NetAddress, by key: Int32?) -> Bool {
    address.isLoopback || key == self.key(for: address)
  }

  /// Sends an address the key with which it can prove that it receives packets, if `mayAnswer` allows an answer now.
  func tellKey(to address: NetAddress, at now: HostTime) {
    guard mayAnswer(address, at: now) else { return }
    send(.message(OSCMessage("\(base)/follow", values: [key(for: address)])), address)
  }

  /// Returns the key of an address: the number that a program returns to prove that it receives packets there.
  package func key(for address: NetAddress) -> Int32 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine("\(address)")
    return Int32(truncatingIfNeeded: hasher.finalize() & 0x7FFF_FFFF)
  }

  /// Answers a query with the result of `packet`, or sends a key to a sender that has not proved its address.
  ///
  /// The address is proved if the query has the right key or came over a connection, or if it is a loopback address.
  /// Nothing is sent if `mayAnswer` does not allow an answer now, or if `packet` returns nil.
  func answer(_ message: NetMessage, with packet: () -> OSCPacket?) {
    let now = Run.current.clock.now
    let key = message.arguments.first.flatMap { Int32(osc: $0) }
    guard message.isFromStream || isKnown(message.sender, by: key) else {
      return tellKey(to: message.sender, at: now)
    }
    guard mayAnswer(message.sender, at: now), let packet = packet() else { return }
    try? message.reply(packet)
  }

  /// Returns whether a sender may be answered now.
  ///
  /// Within 50 ms, each sender gets at most one answer, and at most sixteen senders get an answer.
  ///
  /// If the result is true, the sender counts as answered.
  ///
  /// The limit is needed because an answer can be longer than the query, and the sender address can be forged.
  package func mayAnswer(_ sender: NetAddress, at now: HostTime) -> Bool {
    answered.withLock { answered in
      answered.removeAll { $0.time + Self.period <= now }
      guard answered.count < Self.most, !answered.contains(where: { $0.sender == sender }) else {
        return false
      }
      answered.append((sender, now))
      return true
    }
  }

  /// Returns a bundle with the current values of the parameters at the given indices.
  package func bundle(_ indices: [Int]) -> OSCPacket {
    .bundle(
      OSCBundle(
        .immediate,
        messages: indices.map {
          OSCMessage("\(base)/\(handle.parameters[$0].name)", values: [handle.value($0)])
        }))
  }

  package func service(until now: HostTime) {
    guard now >= due else { return }
    due = now + Self.period
    let every = handle.parameters.indices
    var changed: UInt64 = 0
    for index in every where handle.value(index) != sent[index] {
      sent[index] = handle.value(index)
      changed |= 1 << UInt64(index & 63)
    }
    let letters = all.withLock { all in
      all.removeAll { $0.until <= now }
      return all.indices.compactMap { index -> (OSCPacket, NetAddress)? in
        let pending = all[index].pending | changed
        all[index].pending = 0
        guard pending != 0 else { return nil }
        return (bundle(every.filter { pending >> UInt64($0 & 63) & 1 != 0 }), all[index].address)
      }
    }
    for (packet, address) in letters { send(packet, address) }
  }
}
