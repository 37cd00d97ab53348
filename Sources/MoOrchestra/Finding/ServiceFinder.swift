import MoCore
import MoSessionCore

/// Finds members in a directory of services, and publishes oneself there: what to ask of the directory when, and what
/// to make of its answers.
///
/// No library and no clock inside: events and moments go in, steps and findings come out.
///
/// - Thread: one owner.
package struct ServiceFinder: Sendable {
  /// What the directory says.
  package enum Event: Hashable, Sendable {
    /// It can be asked.
    case ready
    /// It cannot be published in just now.
    case busy
    /// It is gone, and all that was asked of it.
    case lost
    /// It could not be reached.
    case unreachable(String)
    /// One's own service is there.
    case published
    /// Somebody else's service has that name.
    case taken
    /// One's own service cannot be published.
    case refused
    /// A service is there.
    case appeared(ServiceName)
    /// A service is no longer there.
    case vanished(ServiceName)
    /// Where a service is: 4 or 16 bytes of address in network order, a port, the TXT strings.
    case resolved(ServiceName, address: [UInt8], port: UInt16, strings: [[UInt8]])
    /// Where a service is could not be found out.
    case unresolved(ServiceName)
  }

  /// What is to be asked of the directory.
  package enum Step: Hashable, Sendable {
    /// A new connection, which may wait for the directory to come.
    case connect
    /// End the connection.
    case disconnect
    /// Publish oneself under a name, instead of what was published before.
    case publish(name: String)
    /// Take back what was published.
    case withdraw
    /// Tell what services there are, and will be.
    case browse
    /// Say where a service is.
    case resolve(ServiceName)
  }

  /// What was found.
  package enum Finding: Hashable, Sendable {
    /// A member may be there.
    case hint(PeerCandidate)
    /// It is there no longer.
    case gone(PeerCandidate)
  }

  /// A service that the directory lists.
  struct Entry: Hashable, Sendable {
    enum State { case waiting, asked, answered, silent }
    var state = State.waiting
    /// Where it said last that a member is; nil where it is oneself, or no member at all.
    var hint: PeerCandidate?

    /// Whether it was asked about, and is no member's.
    var isIdle: Bool { hint == nil && (state == .answered || state == .silent) }
  }

  /// What is published of oneself.
  package let record: ServiceRecord
  /// Whether one takes part without being shown.
  package let isHidden: Bool
  /// How the directory is doing.
  package internal(set) var status = Status.starting
  /// What came that was of no use.
  package internal(set) var counts = Counts()

  var entries: [ServiceName: Entry] = [:]
  /// Who is to be asked about, in order.
  var queue: [ServiceName] = []
  var asked = 0
  var isBrowsing = false
  var isCrowded = false
  var steps: [Step] = []
  var findings: [Finding] = []

  var connectAt: HostTime?
  var publishAt: HostTime?
  var reviewAt: HostTime
  var missedAt: HostTime?
  /// How often in a row it was tried in vain to connect.
  var failures = 0
  var attempt = 1

  /// Services that are kept, members before others; who is left out is asked for when there is room again.
  static let most = 512
  /// Questions that are open at a time; Avahi's daemon lets a client have some hundreds.
  static let mostAsked = 8
  /// Seconds after which those who have not shown themselves are asked about again.
  static let review = 30.0
  /// Names that are tried at once before one waits for the network to settle.
  static let mostAttempts = 8

  /// One who begins now.
  package init(_ record: ServiceRecord, isHidden: Bool, now: HostTime) {
    (self.record, self.isHidden) = (record, isHidden)
    connectAt = now
    reviewAt = now.advanced(bySeconds: Self.review)
  }

  /// When `tick` is wanted next.
  package var next: HostTime {
    [connectAt, publishAt, missedAt].reduce(reviewAt) { min($0, $1 ?? .distantFuture) }
  }

  /// Takes out what is to be asked, in order.
  package mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }

  /// Takes out what was found, in order.
  package mutating func takeFindings() -> [Finding] {
    defer { findings = [] }
    return findings
  }

  /// What came that was of no use.
  package struct Counts: Hashable, Sendable {
    /// Services whose TXT strings are no member's.
    package var malformed = 0
    /// Services of members of another version.
    package var otherVersion = 0
    /// Services at addresses that no member can have, or that cannot be sent to from here.
    package var unreachable = 0
    /// Services that there was no room for beside those that were listed.
    package var crowded = 0
  }

  /// How the directory is doing.
  package enum Status: Hashable, Sendable {
    /// Nothing is known yet.
    case starting
    /// It answers.
    case ready
    /// It is not there; if it comes, it is asked.
    case missing
    /// It could not be reached, for a reason of the system's.
    case unreachable(String)
  }
}
