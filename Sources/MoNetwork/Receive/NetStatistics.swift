import MoCore

/// What became of the messages: every one received is in just one of the counts after it.
///
/// `received == dispatched + unmatched + mismatched + dropped + waiting`
public struct NetCounts: Sendable, Equatable {
  /// Messages that came, those inside bundles one by one.
  public var received = 0
  /// Messages that a callback took.
  public var dispatched = 0
  /// Messages at an address that nobody asked for.
  public var unmatched = 0
  /// Messages whose values fitted none of their callbacks.
  public var mismatched = 0
  /// Messages given up: no room, replaced by a newer one, too late, or too far ahead.
  public var dropped = 0
  /// Messages whose time tag had passed when they came; they are counted again where they ended.
  public var late = 0
  /// Packets that were no OSC, and of which nothing was used.
  public var malformed = 0
}

/// What one sender's messages came to.
public struct NetSenderStatistics: Sendable, Equatable {
  /// Who it is; nil for all those beyond the first 256.
  public var address: NetAddress?
  /// What became of its messages.
  public var counts: NetCounts
  /// When its last packet came.
  public var lastHeard: HostTime
}

/// What a server has seen since it was made.
public struct NetStatistics: Sendable, Equatable {
  /// What became of all messages.
  public var counts = NetCounts()
  /// Messages that wait for a slow callback or for their time.
  public var waiting = 0
  /// Packets that the kernel dropped for want of room.
  public var kernelDropped = 0
  /// Packets sent.
  public var sent = 0
  /// Packets that could not be sent.
  public var unsent = 0
  /// Packets that were reported back as undeliverable.
  public var undelivered = 0
  /// Who sent something, in the order they were first heard.
  public var senders: [NetSenderStatistics] = []
}
