import MoCore

/// The counts of received messages, and of sent and dropped packets, since the start of the program.
public struct NetStatistics: Sendable, Equatable {
  /// The counts of all messages, by their outcome.
  public var counts = NetCounts()
  /// Received messages that wait for a slow callback, or for the time of their time tag.
  public var waiting = 0
  /// Received packets that the kernel dropped, mostly because a socket's buffer was full.
  public var kernelDropped = 0
  /// Packets sent.
  public var sent = 0
  /// Packets that could not be sent.
  public var unsent = 0
  /// Sent packets that the network reported as undeliverable.
  public var undelivered = 0
  /// The senders, in the order of their first packets.
  public var senders: [NetSenderStatistics] = []
}

/// The counts of messages by their outcome.
///
/// Each received message is in exactly one of the counts on the right of this equation (`waiting` is in
/// `NetStatistics`):
///
/// `received == dispatched + unmatched + mismatched + dropped + waiting`
public struct NetCounts: Sendable, Equatable {
  /// Received messages; each message inside a bundle counts as one.
  public var received = 0
  /// Messages that a callback accepted.
  public var dispatched = 0
  /// Messages at an address without a callback.
  public var unmatched = 0
  /// Messages whose values fitted no callback at their address, and messages in bundles with an unknown type.
  public var mismatched = 0
  /// Messages that were dropped: a queue was full, a newer message replaced them, or they were too late or too early.
  public var dropped = 0
  /// Messages whose time tag had passed on arrival; each of them is also in another count, such as `dispatched`.
  public var late = 0
  /// Packets that were not OSC, and were dropped as a whole; `received` does not include them.
  public var malformed = 0

  package init(
    received: Int = 0, dispatched: Int = 0, unmatched: Int = 0, mismatched: Int = 0, dropped: Int = 0,
    late: Int = 0, malformed: Int = 0
  ) {
    (
      self.received, self.dispatched, self.unmatched, self.mismatched, self.dropped, self.late, self.malformed
    ) = (received, dispatched, unmatched, mismatched, dropped, late, malformed)
  }
}

/// The counts of a sender's messages.
public struct NetSenderStatistics: Sendable, Equatable {
  /// The sender's address; nil for the sum of all senders beyond the first 256.
  public var address: NetAddress?
  /// The counts of the sender's messages, by their outcome.
  public var counts: NetCounts
  /// The time at which the sender's last packet arrived.
  public var lastHeard: HostTime
}

/// The senders of messages, each with a number from 1 on and its own counts; guarded by the lock of `NetReceiver`.
///
/// At most 256 senders are counted separately, so that forged senders cannot fill the memory; all other senders share
/// the number 0.
struct NetSenders {
  private(set) var list = [NetSenderStatistics(address: nil, counts: NetCounts(), lastHeard: .distantPast)]
  private var numbers: [NetAddress: Int] = [:]
  private var latest = 0

  static let most = 256

  /// Returns the number of the sender at an address; 0 for a new sender after the first 256.
  mutating func number(of address: NetAddress) -> Int {
    // Usually the same sender sends again.
    if list[latest].address == address { return latest }
    if let number = numbers[address] {
      latest = number
      return number
    }
    guard list.count <= Self.most else { return 0 }
    list.append(NetSenderStatistics(address: address, counts: NetCounts(), lastHeard: .distantPast))
    latest = list.count - 1
    numbers[address] = latest
    return latest
  }

  /// Applies `change` to the counts of the sender with the given number, and to the total.
  mutating func count(_ number: Int, _ change: (inout NetCounts) -> Void) {
    change(&list[number].counts)
    change(&total)
  }

  mutating func setLastHeard(_ number: Int, at time: HostTime) { list[number].lastHeard = time }

  /// The counts of all senders together.
  private(set) var total = NetCounts()
}
