import MoCore

/// The counts of messages by their outcome.
///
/// Each received message is in exactly one of the counts on the right (`waiting` is in `NetStatistics`):
///
/// `received == dispatched + unmatched + mismatched + dropped + waiting`
public struct NetCounts: Sendable, Equatable {
  /// Received messages; those inside bundles count separately.
  public var received = 0
  /// Messages that a callback accepted.
  public var dispatched = 0
  /// Messages at an address without a callback.
  public var unmatched = 0
  /// Messages whose values fitted no callback at their address.
  public var mismatched = 0
  /// Messages that were dropped: no room, replaced by a newer one, too late, or too far ahead.
  public var dropped = 0
  /// Messages whose time tag had passed on arrival; they are also in the sum above.
  public var late = 0
  /// Packets that were not OSC, and were dropped as a whole; they are not in the sum above.
  public var malformed = 0
}

/// The counts of a sender's messages.
public struct NetSenderStatistics: Sendable, Equatable {
  /// The sender's address; nil for the sum of all senders beyond the first 256.
  public var address: NetAddress?
  /// The counts of the sender's messages, by their outcome.
  public var counts: NetCounts
  /// The time of its last packet.
  public var lastHeard: HostTime
}

/// The counts of a server since it was created.
public struct NetStatistics: Sendable, Equatable {
  /// The counts of all messages, by their outcome.
  public var counts = NetCounts()
  /// Messages that wait for a slow callback or for their time.
  public var waiting = 0
  /// Packets that the kernel dropped because its buffer was full.
  public var kernelDropped = 0
  /// Packets sent.
  public var sent = 0
  /// Packets that could not be sent.
  public var unsent = 0
  /// Packets that were reported back as undeliverable.
  public var undelivered = 0
  /// The senders, in the order of their first packets.
  public var senders: [NetSenderStatistics] = []
}
