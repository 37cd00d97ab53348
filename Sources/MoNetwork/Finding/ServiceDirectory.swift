import MoCore

/// The logic that finds services of a type in a directory, such as Avahi's, and publishes this program's service there.
///
/// `Place` is the caller's description of a found service, such as a member's ID and address. The logic uses no library
/// and no clock: the caller passes in events and times, sends the requests (`takeSteps`), and uses the findings
/// (`takeFindings`).
///
/// - Thread: any, but one at a time.
package struct ServiceDirectory<Place: Hashable & Sendable>: Sendable {
  package typealias Event = ServiceEvent
  package typealias Step = ServiceStep
  package typealias Status = ServiceStatus

  /// The meaning of a resolved service for this program.
  package enum Reading: Hashable, Sendable {
    /// A service that this program looks for, at the given place.
    case place(Place)
    /// The service that this program itself has published.
    case own
    /// A service whose TXT strings do not have the expected form.
    case malformed
    /// A service with another version of the protocol.
    case otherVersion
    /// A service whose address is not valid for this kind of service, or to which this machine cannot send.
    case unreachable
  }

  /// A change to report to the caller: a service appeared or disappeared; `Place` describes the service.
  package enum Finding: Hashable, Sendable {
    /// A service may be reachable at this place.
    case hint(Place)
    /// The directory no longer lists a service at this place.
    case gone(Place)
  }

  /// A service that the directory lists.
  package struct Entry: Hashable, Sendable {
    enum State { case waiting, asked, answered, silent }
    var state = State.waiting
    /// The place that the directory last reported; nil before the first answer, and for a service that this program
    /// does not look for.
    var hint: Place?

    /// Whether the entry can be dropped: the service was resolved or did not answer, and `hint` is nil.
    var isIdle: Bool { hint == nil && (state == .answered || state == .silent) }
  }

  /// Whether this program only looks for services, and publishes none.
  package let isHidden: Bool
  /// Returns the name to publish at an attempt, counted from 1; the names of earlier attempts may belong to other
  /// services.
  let instance: @Sendable (_ attempt: Int) -> String
  /// Returns the meaning of a resolved service.
  let read: @Sendable (ServiceAnswer) -> Reading
  /// The state of the directory.
  package internal(set) var status = ServiceStatus.starting
  /// The numbers of services that this program cannot use, by reason.
  package internal(set) var counts = Counts()

  package internal(set) var entries: [ServiceName: Entry] = [:]
  /// The services that wait to be resolved, with the next service first.
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
  /// The number of failed attempts to connect, and of lost connections, since the directory was last ready.
  var failures = 0
  package internal(set) var attempt = 1

  /// The largest number of services in the list; in a full list, a new service replaces a service that this program
  /// does not look for.
  ///
  /// If there is no such service, the new service is dropped. When the list is less than half full again, the dropped
  /// services are requested again.
  package static var most: Int { 512 }
  /// The largest number of services that are being resolved at the same time; Avahi's daemon allows a client some
  /// hundreds of requests.
  package static var mostAsked: Int { 8 }
  /// The interval between two reviews, in seconds; in a review, the services that did not answer, and the services that
  /// the program still tries to reach, are resolved again.
  static var review: Double { 30 }
  /// The largest number of names that are tried without a pause; if all these names belong to other services,
  /// publishing pauses for a minute.
  static var mostAttempts: Int { 8 }

  /// Creates a directory without a connection; the first `tick` requests the connection.
  ///
  /// - Parameters:
  ///   - isHidden: whether this program only looks for services, and publishes none.
  ///   - instance: returns the name to publish at an attempt, counted from 1.
  ///   - read: returns the meaning of a resolved service.
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

  /// Removes and returns the requests to send to the directory, in order.
  package mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }

  /// Removes and returns the findings since the last call, in order.
  package mutating func takeFindings() -> [Finding] {
    defer { findings = [] }
    return findings
  }

  /// The numbers of services that this program cannot use, by reason.
  package struct Counts: Hashable, Sendable {
    /// Services whose TXT strings do not have the expected form.
    package var malformed = 0
    /// Services with another version of the protocol.
    package var otherVersion = 0
    /// Services whose address is not valid for this kind of service, or to which this machine cannot send.
    package var unreachable = 0
    /// Services that were dropped because the list was full.
    package var crowded = 0

    package init() {}
  }
}

/// An event of a directory of services, such as Avahi's.
package enum ServiceEvent: Hashable, Sendable {
  /// The directory is ready for requests.
  case ready
  /// The directory cannot publish at present, since its daemon is changing the machine's host name.
  case busy
  /// The connection to the directory is lost; all requests to it have ended.
  case lost
  /// The directory could not be reached, for the given reason.
  case unreachable(String)
  /// This program's service is published.
  case published
  /// The name to publish already belongs to another service.
  case taken
  /// This program's service cannot be published, for a reason other than its name.
  case refused
  /// A service appeared.
  case appeared(ServiceName)
  /// A service disappeared.
  case vanished(ServiceName)
  /// A service was resolved: `address` has 4 or 16 bytes in network order, and `strings` are the service's TXT strings.
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
  /// Publish this program's service under a name, in place of an earlier name.
  case publish(name: String)
  /// Withdraw this program's published service.
  case withdraw
  /// Report all services of the searched type: first the services that are present now, later each new service.
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

/// The state of a directory of services.
package enum ServiceStatus: Hashable, Sendable {
  /// No answer of the directory has arrived yet.
  case starting
  /// The directory answers.
  case ready
  /// The directory's daemon is not running; the requests are sent when it starts.
  case missing
  /// The directory could not be reached, with the system's reason.
  case unreachable(String)
}

/// A service as a directory lists it; a service on several interfaces, or with both IPv4 and IPv6, has several entries.
package struct ServiceName: Hashable, Sendable {
  /// The interface's index.
  package var interface: Int32
  /// The protocol over which the service was found: 0 for IPv4, 1 for IPv6.
  package var family: Int32
  /// The service's instance name: the part of its full name before the service type.
  package var name: String
  /// The service's domain, usually `local`.
  package var domain: String

  /// Creates a service from its parts.
  package init(interface: Int32, family: Int32, name: String, domain: String) {
    (self.interface, self.family, self.name, self.domain) = (interface, family, name, domain)
  }
}
