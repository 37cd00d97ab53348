import MoCore

/// The requests of components in order, and the components' counts of datagrams, messages and plays.
package struct Effects: Sendable {
  private var list: [Effect] = []
  package var counts = SessionCounts()

  package init() {}

  var isEmpty: Bool { list.isEmpty }

  /// Removes and returns all requests.
  package mutating func removeAll() -> [Effect] {
    defer { list = [] }
    return list
  }

  mutating func add(_ effect: Effect) { list.append(effect) }
  mutating func event(_ event: SessionEvent) { list.append(.event(event)) }

  package mutating func send(_ message: SessionMessage, to endpoint: SessionEndpoint) {
    send(message.encoded(), to: .one(endpoint))
  }

  mutating func send(_ datagram: [UInt8], to destination: Outgoing.Destination) {
    list.append(.send(Outgoing(destination: destination, datagram: datagram)))
  }

  /// Sends a message to all members, by IPv4 and IPv6.
  mutating func multicast(_ message: SessionMessage) {
    let datagram = message.encoded()
    send(datagram, to: .multicast)
    send(datagram, to: .multicastIPv6)
  }

  /// Asks a member for an answer, to check that it is still here.
  mutating func requestAnswer(at endpoint: SessionEndpoint) {
    list.append(.hello(HelloRequest(endpoint: endpoint, wantsAnswer: true)))
  }
}

/// A request of a component to the engine.
///
/// A component changes its own storage only. It asks the engine to change the storage of other components.
package enum Effect: Sendable {
  /// Send a datagram.
  case send(Outgoing)
  /// Send a hello, which carries the state of every component.
  case hello(HelloRequest)
  /// Report this event to the program.
  case event(SessionEvent)
  /// Report this notice to the observer.
  case notice(SessionNotice)
  /// Run the next sweep, the work that is due four times a second, at the time `by` at the latest.
  case sweep(by: HostTime)
  /// Send a hello to all members immediately.
  case requestHello
  /// A new member is here.
  case joined(MemberID)
  /// A member that was silent is heard again.
  case returned(MemberID)
  /// A member has been silent for too long.
  case lost(MemberID)
  /// This member now follows this clock as the shared clock.
  case followed(TimeBase)
  /// The shared clock became known or has changed; the beat must now be computed with the new clock.
  case synced
  /// This member no longer follows the shared clock that it followed until now.
  case leftClock
  /// Show and play the beat of this timeline; nil for no rhythm.
  case show(Timeline?)
  /// The conductor changed: a different member conducts now, or no member does.
  case conductor
  /// Check whether the conductor has changed.
  case checkConductor
  /// A play for this member is due: its beat is near, or it is delivered on arrival.
  case due(DuePlay)
}

/// A request to send a hello.
package struct HelloRequest: Sendable {
  /// The address of the hello's receiver; nil for all members.
  var endpoint: SessionEndpoint?
  var method = DiscoveryMethod.answer
  var wantsAnswer = false
  /// The token that the receiver asked this member to return; 0 for none.
  var echo: Int64 = 0
  /// The member for which the hello is signed in a locked room; nil for an unsigned hello.
  var addressee: MemberID?
  /// Whether a hello to all members is also sent by IPv6.
  var isIPv6Too = false
  /// The largest size of the hello in bytes, if it has a single receiver; a longer hello is not sent.
  var mostBytes = Int.max
}

/// A datagram to send.
package struct Outgoing: Hashable, Sendable {
  /// The destination of a datagram.
  package enum Destination: Hashable, Sendable {
    /// The session's multicast group, once on each interface: by IPv4 if the interface has it, else by IPv6.
    case multicast
    /// The session's IPv6 multicast group, on the interfaces that have both IPv4 and IPv6.
    case multicastIPv6
    /// The session's multicast group, for plays and their acknowledgements: only programs that are
    /// already members of the room need these packets.
    case members
    /// The broadcast address of every network.
    case broadcast
    /// The address of a single program.
    case one(SessionEndpoint)
  }

  /// The datagram's destination.
  package var destination: Destination
  /// The datagram's bytes.
  package var datagram: [UInt8]

  /// Creates a datagram for a destination.
  package init(destination: Destination, datagram: [UInt8]) {
    (self.destination, self.datagram) = (destination, datagram)
  }
}
