import MoCore

/// What a component asks the engine to do.
///
/// A component changes its own storage only. What it wants of others it states here.
enum Effect: Sendable {
  /// Send a datagram.
  case send(Outgoing)
  /// Send a hello, which says something of every component.
  case hello(HelloRequest)
  /// Report to the program.
  case event(SessionEvent)
  /// Report to the observer.
  case notice(SessionNotice)
  /// Run the next sweep no later than this.
  case sweep(by: HostTime)
  /// Call out to all at once.
  case callOut
  /// A new member is here.
  case joined(MemberID)
  /// A member that was silent is heard again.
  case returned(MemberID)
  /// A member has been silent for too long.
  case lost(MemberID)
  /// The shared clock of this keeper holds here.
  case followed(TimeBase)
  /// The shared clock is known, or has changed: what is agreed on is to be shown by it.
  case synced
  /// This member has left the shared clock that it had.
  case leftClock
  /// Play to this course.
  case show(Timeline?)
  /// Another member conducts, or nobody does.
  case conductor
  /// Check whether another member conducts.
  case checkConductor
  /// Something that was played for this member is due.
  case due(DuePlay)
}

/// A hello to be sent.
struct HelloRequest: Sendable {
  /// Its receiver's address; nil for all that hear it.
  var endpoint: SessionEndpoint?
  var method = DiscoveryMethod.answer
  var wantsAnswer = false
  /// The number that the receiver asked this member to return; 0 for none.
  var echo: Int64 = 0
  /// The member that gets it signed in a locked room; nil for an unsigned hello.
  var addressee: MemberID?
  /// Whether a call to all goes by IPv6 too.
  var isIPv6Too = false
  /// Most bytes; a longer hello is not sent.
  var mostBytes = Int.max
}

/// What components want done, in order, and what they have counted.
struct Effects: Sendable {
  private var list: [Effect] = []
  var counts = SessionCounts()

  var isEmpty: Bool { list.isEmpty }

  /// Removes and returns the effects.
  mutating func removeAll() -> [Effect] {
    defer { list = [] }
    return list
  }

  mutating func add(_ effect: Effect) { list.append(effect) }
  mutating func event(_ event: SessionEvent) { list.append(.event(event)) }

  mutating func send(_ message: SessionMessage, to endpoint: SessionEndpoint) {
    send(message.encoded(), to: .one(endpoint))
  }

  mutating func send(_ datagram: [UInt8], to destination: Outgoing.Destination) {
    list.append(.send(Outgoing(destination: destination, datagram: datagram)))
  }

  /// Sends a message to all that hear it, by IPv4 and IPv6.
  mutating func call(_ message: SessionMessage) {
    let datagram = message.encoded()
    send(datagram, to: .multicast)
    send(datagram, to: .multicastIPv6)
  }

  /// Asks a member for a sign of life.
  mutating func askForLife(at endpoint: SessionEndpoint) {
    list.append(.hello(HelloRequest(endpoint: endpoint, wantsAnswer: true)))
  }
}

/// A datagram to send.
package struct Outgoing: Hashable, Sendable {
  /// Where a datagram goes.
  package enum Destination: Hashable, Sendable {
    /// To the session's multicast group, once on each interface: by IPv4 if the interface has it, else by IPv6.
    case multicast
    /// To the same group by IPv6, on those interfaces that have IPv4, too.
    case multicastIPv6
    /// The same, of what is played: for members who are here already.
    case members
    /// To the broadcast address of every network.
    case broadcast
    /// To one program.
    case one(SessionEndpoint)
  }

  /// Where it goes.
  package var destination: Destination
  /// What it says.
  package var datagram: [UInt8]

  /// A datagram and where it goes.
  package init(destination: Destination, datagram: [UInt8]) {
    (self.destination, self.datagram) = (destination, datagram)
  }
}
