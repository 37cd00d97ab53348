import MoCore

/// An event of a directory of services, such as Avahi's.
package enum ServiceEvent: Hashable, Sendable {
  /// The directory is ready for requests.
  case ready
  /// The directory cannot publish at present.
  case busy
  /// The connection is lost, with all requests.
  case lost
  /// The directory could not be reached.
  case unreachable(String)
  /// This program's service is published.
  case published
  /// Another service has that name.
  case taken
  /// This program's service cannot be published.
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

/// A request to a directory of services.
package enum ServiceStep: Hashable, Sendable {
  /// Open a new connection, which may wait for the directory to start.
  case connect
  /// End the connection.
  case disconnect
  /// Publish this program under a name, instead of what was published before.
  case publish(name: String)
  /// Withdraw what was published.
  case withdraw
  /// Report present and future services.
  case browse
  /// Resolve a service.
  case resolve(ServiceName)
}

/// A service that was resolved.
package struct ServiceAnswer: Hashable, Sendable {
  /// The service's name, with the interface on which the service was found.
  package var service: ServiceName
  /// The service's address in network order: 4 or 16 bytes.
  package var address: [UInt8]
  /// The service's port.
  package var port: UInt16
  /// The service's TXT strings.
  package var strings: [[UInt8]]

  package init(service: ServiceName, address: [UInt8], port: UInt16, strings: [[UInt8]]) {
    (self.service, self.address, self.port, self.strings) = (service, address, port, strings)
  }
}

/// Finds services of a type in a directory, and publishes this program there: decides the requests, interprets the
/// answers.
///
/// The value has no library and no clock inside: events and times go in, steps and findings come out.
///
/// - Thread: one owner.
package struct ServiceDirectory<Place: Hashable & Sendable>: Sendable {
  package typealias Event = ServiceEvent
  package typealias Step = ServiceStep
  package typealias Status = ServiceStatus

  /// The meaning of an answer.
  package enum Reading: Hashable, Sendable {
    /// A place that is wanted.
    case place(Place)
    /// This program itself.
    case own
    /// TXT strings that do not describe such a service.
    case malformed
    /// A service of another version.
    case otherVersion
    /// An address that such a service cannot have, or that this machine cannot send to.
    case unreachable
  }

  /// A change to report about a place.
  package enum Finding: Hashable, Sendable {
    /// A service may be there.
    case hint(Place)
    /// The service is no longer there.
    case gone(Place)
  }

  /// A service that the directory lists.
  package struct Entry: Hashable, Sendable {
    enum State { case waiting, asked, answered, silent }
    var state = State.waiting
    /// The last reported place; nil if the service is this program, or is not wanted at all.
    var hint: Place?

    /// Whether the service was resolved and is not wanted.
    var isIdle: Bool { hint == nil && (state == .answered || state == .silent) }
  }

  /// Whether this program only looks for services, and publishes none.
  package let isHidden: Bool
  /// Returns the name to publish at an attempt, counted from 1; other services may have the names of the earlier
  /// attempts.
  let instance: @Sendable (_ attempt: Int) -> String
  let read: @Sendable (ServiceAnswer) -> Reading
  /// The state of the directory.
  package internal(set) var status = ServiceStatus.starting
  /// The counts of useless answers.
  package internal(set) var counts = Counts()

  package internal(set) var entries: [ServiceName: Entry] = [:]
  /// The services to resolve, in order.
  package internal(set) var queue: [ServiceName] = []
  package internal(set) var asked = 0
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
  package internal(set) var attempt = 1

  /// The most services that are kept, wanted services before others; a dropped service is requested again when there is
  /// room.
  package static var most: Int { 512 }
  /// The most open requests; Avahi's daemon allows a client some hundreds.
  package static var mostAsked: Int { 8 }
  /// Seconds after which services that did not answer are resolved again.
  static var review: Double { 30 }
  /// The most names to try immediately; then publishing pauses for a minute.
  static var mostAttempts: Int { 8 }

  /// A directory whose use begins now.
  package init(
    isHidden: Bool, now: HostTime, instance: @escaping @Sendable (_ attempt: Int) -> String,
    read: @escaping @Sendable (ServiceAnswer) -> Reading
  ) {
    (self.isHidden, self.instance, self.read) = (isHidden, instance, read)
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
    /// Services with TXT strings of another form.
    package var malformed = 0
    /// Services of another version.
    package var otherVersion = 0
    /// Services at addresses that a service cannot have, or that this machine cannot send to.
    package var unreachable = 0
    /// Services that were dropped because the list was full.
    package var crowded = 0

    package init() {}
  }
}

/// The state of a directory of services.
package enum ServiceStatus: Hashable, Sendable {
  /// Nothing is known yet.
  case starting
  /// The directory answers.
  case ready
  /// The directory is not running; it is asked when it starts.
  case missing
  /// The directory could not be reached, with the system's reason.
  case unreachable(String)
}
