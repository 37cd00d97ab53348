import MoCore

/// The messages of this member that another member has not received.
///
/// There are three causes: the receiver did not acknowledge the messages, the queue was full, or the receiver left
/// without a goodbye. A message is retransmitted as long as it is of use, for 5 s at most. Shared data is not
/// included, because the receiver requests it again.
public struct SessionLoss: Hashable, Sendable, CustomStringConvertible {
  /// The member that has not received the messages; it may have left meanwhile.
  public var member: MemberID
  /// The name under which the member was shown.
  public var name: String
  /// The number of lost messages for each address, at least 1.
  public var counts: [SessionAddress: Int]

  /// Creates a loss from its parts.
  public init(member: MemberID, name: String, counts: [SessionAddress: Int]) {
    (self.member, self.name, self.counts) = (member, name, counts)
  }

  /// The total number of lost messages.
  public var total: Int { counts.values.reduce(0, +) }

  /// A text with the lost messages and what to check.
  ///
  /// The text begins, for example, with `Ada did not receive 12 hits and 1 note`.
  public var description: String {
    let list = SessionAddress.allCases.compactMap { address in
      counts[address].map { "\($0) \($0 == 1 ? address.word.one : address.word.many)" }
    }
    let what =
      list.count > 1
      ? "\(list.dropLast().joined(separator: ", ")) and \(list[list.count - 1])" : list.joined()
    return
      "\(name) did not receive \(what): check its program and its network (momu doctor)"
  }
}

extension SessionAddress {
  /// The noun for messages with this address, in the singular and in the plural, such as `hit` and `hits`.
  fileprivate var word: (one: String, many: String) {
    switch self {
    case .hit: ("hit", "hits")
    case .note: ("note", "notes")
    case .melody: ("melody", "melodies")
    case .parameter: ("parameter", "parameters")
    case .gesture: ("gesture", "gestures")
    case .cue: ("cue", "cues")
    case .text: ("line", "lines")
    default: ("message", "messages")
    }
  }
}

/// The losses of one member, and the time of their report.
///
/// The first report comes a second after the first loss. The next report comes only after the member has acknowledged
/// another message.
package struct PlayLosses: Sendable {
  /// The number of messages lost since the member joined.
  private(set) var total = 0
  /// The time of the next report; `.distantFuture` if no new losses are to be reported.
  private(set) var due = HostTime.distantFuture
  private var unreported: [SessionAddress: Int] = [:]
  private var lastReport: HostTime?
  /// Whether the next report must wait: a loss was reported, and the member has acknowledged nothing since.
  private var isSilent = false

  /// Seconds for which losses are gathered into one report, since plays that were sent together are given up together.
  static let batchDelay = 1.0
  /// The least time between two reports, in seconds.
  static let pause = 10.0

  /// Adds `count` lost messages with the given address.
  mutating func add(_ address: SessionAddress, _ count: Int = 1, at now: HostTime) {
    total += count
    unreported[address, default: 0] += count
    if !isSilent { plan(at: now) }
  }

  /// Allows the next report, because the member has acknowledged another message.
  mutating func answered(at now: HostTime) {
    guard isSilent else { return }
    isSilent = false
    if !unreported.isEmpty { plan(at: now) }
  }

  /// Removes and returns the losses to report; empty for none.
  mutating func popDue(at now: HostTime) -> [SessionAddress: Int] {
    defer { unreported = [:] }
    (due, lastReport, isSilent) = (.distantFuture, now, true)
    return unreported
  }

  private mutating func plan(at now: HostTime) {
    let earliest = lastReport?.advanced(bySeconds: Self.pause) ?? now
    due = min(due, max(now.advanced(bySeconds: Self.batchDelay), earliest))
  }

  mutating func shift(by nanoseconds: Int64) {
    due.shift(by: nanoseconds)
    lastReport?.shift(by: nanoseconds)
  }
}
