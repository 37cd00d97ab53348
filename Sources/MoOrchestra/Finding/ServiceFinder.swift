import MoCore
import MoSessionCore

/// Finds members in a directory of services, and publishes this member there: decides the requests, interprets the
/// answers.
///
/// It has no library and no clock inside: events and times go in, steps and findings come out.
///
/// - Thread: one owner.
package struct ServiceFinder: Sendable {
  /// An event of the directory.
  package enum Event: Hashable, Sendable {
    /// It is ready for requests.
    case ready
    /// It cannot publish at present.
    case busy
    /// The connection is lost, with all requests.
    case lost
    /// It could not be reached.
    case unreachable(String)
    /// This member's service is published.
    case published
    /// Another service has that name.
    case taken
    /// This member's service cannot be published.
    case refused
    /// A service appeared.
    case appeared(ServiceName)
    /// A service disappeared.
    case vanished(ServiceName)
    /// A service was resolved: 4 or 16 bytes of address in network order, a port, the TXT strings.
    case resolved(ServiceName, address: [UInt8], port: UInt16, strings: [[UInt8]])
    /// A service could not be resolved.
    case unresolved(ServiceName)
  }

  /// A request to the service directory, such as Avahi's daemon.
  package enum Step: Hashable, Sendable {
    /// Open a new connection, which may wait for the directory to start.
    case connect
    /// End the connection.
    case disconnect
    /// Publish this member under a name, instead of what was published before.
    case publish(name: String)
    /// Withdraw what was published.
    case withdraw
    /// Report present and future services.
    case browse
    /// Resolve a service.
    case resolve(ServiceName)
  }

  /// A finding.
  package enum Finding: Hashable, Sendable {
    /// A member may be there.
    case hint(PeerCandidate)
    /// The member is no longer there.
    case gone(PeerCandidate)
  }

  /// A service that the directory lists.
  struct Entry: Hashable, Sendable {
    enum State { case waiting, asked, answered, silent }
    var state = State.waiting
    /// The last reported place of its member; nil if that is this member, or not a member at all.
    var hint: PeerCandidate?

    /// Whether it was resolved and is not a member's.
    var isIdle: Bool { hint == nil && (state == .answered || state == .silent) }
  }

  /// The published record of this member.
  package let record: ServiceRecord
  /// Whether this member takes part without being listed.
  package let isHidden: Bool
  /// The state of the directory.
  package internal(set) var status = Status.starting
  /// The counts of useless answers.
  package internal(set) var counts = Counts()

  var entries: [ServiceName: Entry] = [:]
  /// The services to resolve, in order.
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
  /// The number of failed attempts to connect in a row.
  var failures = 0
  var attempt = 1

  /// The most services that are kept, members before others; a dropped service is requested again when there is room.
  static let most = 512
  /// The most open requests; Avahi's daemon allows a client some hundreds.
  static let mostAsked = 8
  /// Seconds after which services of members that did not answer are resolved again.
  static let review = 30.0
  /// The most service names that are tried immediately; after that it waits until the network settles.
  static let mostAttempts = 8

  /// A finder that begins now.
  package init(_ record: ServiceRecord, isHidden: Bool, now: HostTime) {
    (self.record, self.isHidden) = (record, isHidden)
    connectAt = now
    reviewAt = now.advanced(bySeconds: Self.review)
  }

  /// The time at which to call `tick` next.
  package var next: HostTime {
    [connectAt, publishAt, missedAt].reduce(reviewAt) { min($0, $1 ?? .distantFuture) }
  }

  /// Removes and returns the requests, in order.
  package mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }

  /// Removes and returns the findings, in order.
  package mutating func takeFindings() -> [Finding] {
    defer { findings = [] }
    return findings
  }

  /// Counts of useless answers.
  package struct Counts: Hashable, Sendable {
    /// Services with TXT strings that are not a member's.
    package var malformed = 0
    /// Services of members with another version.
    package var otherVersion = 0
    /// Services at addresses that a member cannot have, or that this machine cannot send to.
    package var unreachable = 0
    /// Services that were dropped because the list was full.
    package var crowded = 0
  }

  /// A state of the directory.
  package enum Status: Hashable, Sendable {
    /// Nothing is known yet.
    case starting
    /// It answers.
    case ready
    /// It is not running; it is asked when it starts.
    case missing
    /// It could not be reached, with the system's reason.
    case unreachable(String)
  }
}
