import MoCore

/// What is played: on its way out, on its way in, and waiting for its beat.
struct Delivery: Sendable {
  /// What members have not acknowledged yet, by lines.
  var windows: [PlayLine: SendWindow] = [:]
  /// The newest values on their way, to `nobody` for those that are called to all.
  var latest: [MemberID: [LatestValue]] = [:]
  /// Messages that are sent once, gathered by receiver; to `nobody` for calls to all.
  var loose: [MemberID: [PlayMessage]] = [:]
  /// The round trip to each member.
  var trips: [MemberID: RoundTrip] = [:]
  /// Members that do not hear our calls to all, as far as is known.
  var deaf: Set<MemberID> = []
  /// Limits how often a member is told the next number, since any sender may ask for it in its name.
  var corrections: [MemberID: RateLimit] = [:]
  /// Whether what is for all goes by calls.
  var isCalling = false
  var callDelays = CallDelays()
  var received: [MemberID: ReceiveWindow] = [:]
  /// When each member's messages are to be acknowledged.
  var owed: [MemberID: HostTime] = [:]
  /// When calls are acknowledged to all.
  var nextAcks = HostTime.distantFuture
  /// The member whose calls are acknowledged next, if there are too many for one message.
  var nextSender = MemberID.nobody
  var held: [DuePlay] = []
  var heard: [SessionHeard] = []
  /// Messages that members have not received.
  var losses: [MemberID: PlayLosses] = [:]
  /// Count streams, and messages that are not acknowledged.
  var streams: Int32 = 0
  var numbers: Int32 = 0
  /// When the next gesture may be sent to each member.
  var nextGesture: [MemberID: HostTime] = [:]
  /// Limits the lines of text that are typed here.
  var texts = RateLimit()
  /// When something is to be sent.
  var nextSend = HostTime.distantFuture
  /// When something that waits for its beat is due.
  var nextHeld = HostTime.distantFuture
  /// When a loss is to be reported.
  var nextLoss = HostTime.distantFuture

  /// Most that wait for their beats, of all and of one sender.
  static let mostHeld = 1024
  static let mostHeldOfOne = 128
  /// Most that wait to be taken out; more are dropped.
  static let mostHeard = 4096
  /// Seconds from one gesture to the next.
  static let gestureInterval = 0.02
  /// Members from which calls to all are used; fewer are sent to singly, which is more reliable on Wi-Fi.
  static let manyCalled = 9
  /// Members down to which calls to all go on.
  static let fewestCalled = 5
  /// Seconds for which an acknowledgement waits for others, or for a message to go with.
  static let ackPause = 0.005
  /// Most corrections a second to one member.
  static let mostCorrections = 20
  /// Seconds after which what was not acknowledged does not keep others from being called.
  static let stuck = 1.0

  /// When something is due.
  var next: HostTime { min(nextSend, min(nextHeld, nextLoss)) }

  mutating func shift(by nanoseconds: Int64) {
    for place in windows.indices { windows.values[place].shift(by: nanoseconds) }
    for list in latest.indices {
      for place in latest.values[list].indices {
        latest.values[list][place].next.shift(by: nanoseconds)
        latest.values[list][place].sent = .distantPast
      }
    }
    for place in owed.indices { owed.values[place].shift(by: nanoseconds) }
    for place in held.indices { held[place].arrived.shift(by: nanoseconds) }
    for place in losses.indices { losses.values[place].shift(by: nanoseconds) }
    nextAcks.shift(by: nanoseconds)
    nextSend.shift(by: nanoseconds)
    nextHeld.shift(by: nanoseconds)
    nextLoss.shift(by: nanoseconds)
    nextGesture = [:]
  }

  /// Removes and returns what was played for this member, in the order in which it became due.
  mutating func drainHeard() -> [SessionHeard] {
    defer { heard.removeAll(keepingCapacity: true) }
    return heard
  }

  /// Hands something over to the program; false if too much waits there.
  mutating func hand(over play: SessionHeard) -> Bool {
    guard heard.count < Self.mostHeard else { return false }
    heard.append(play)
    return true
  }

  /// Lets everything that was gathered go out now.
  mutating func flush(_ room: RoomView, _ out: inout Effects) {
    nextSend = .distantPast
    send(room, &out)
  }

  /// Drops what was on its way to a member that goes, and reports what it has not received.
  ///
  /// - Parameter said: whether it says goodbye: a member that leaves does not miss what was played as it left.
  mutating func forget(_ id: MemberID, said: Bool, _ room: RoomView, _ out: inout Effects) {
    for line in windows.keys.sorted() {
      for loss in windows[line]?.forget(id) ?? [] {
        if said {
          out.counts.undelivered += 1
        } else {
          noteLoss(of: loss.address, to: id, room, &out)
        }
      }
      if line.to == id { windows[line] = nil }
    }
    reportLosses(of: id, room, &out)
    losses[id] = nil
    latest[id] = nil
    loose[id] = nil
    trips[id] = nil
    owed[id] = nil
    corrections[id] = nil
    deaf.remove(id)
    nextGesture[id] = nil
  }

  // MARK: losses

  /// Notes that a member has not received something.
  mutating func noteLoss(
    of address: SessionAddress, to id: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    out.counts.undelivered += 1
    // Cells that a member lacks are asked for.
    guard address != .cells, room.members[id] != nil else { return }
    losses[id, default: PlayLosses()].add(address, at: room.now)
    nextLoss = min(nextLoss, losses[id]?.due ?? .distantFuture)
  }

  /// Reports what members have not received.
  mutating func reportLosses(_ room: RoomView, _ out: inout Effects) {
    guard room.now >= nextLoss else { return }
    for id in losses.keys.sorted() where losses[id].map({ $0.due <= room.now }) == true {
      reportLosses(of: id, room, &out)
    }
    nextLoss = losses.values.reduce(.distantFuture) { min($0, $1.due) }
  }

  private mutating func reportLosses(of id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard let counts = losses[id]?.popDue(at: room.now), !counts.isEmpty else { return }
    let name = room.roster.displayName(of: id) ?? id.description
    out.event(.undelivered(SessionLoss(member: id, name: name, counts: counts)))
  }
}
