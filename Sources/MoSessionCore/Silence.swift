import MoTime

/// Calls for silence: this member's, which is sent again until all have answered, and the others'.
struct Silence: Sendable {
  /// A call that waits for its answers.
  private struct Call: Sendable {
    var number: Int32
    var waiting: Set<MemberID>
    var next: HostTime
    var end: HostTime
  }

  /// What is to be done at a moment.
  enum Due: Equatable {
    /// The call with this number is to be sent to these members.
    case send(number: Int32, to: [MemberID])
    /// The call has ended; these have not answered.
    case ended(silentMembers: [MemberID])
  }

  private var call: Call?
  private var count: Int32 = 0
  /// The number of each member's last call.
  private var heard: [MemberID: Int32] = [:]

  /// Seconds from one sending of a call to the next.
  private static let interval = 0.05
  /// Seconds after which a call ends without answers.
  private static let timeout = 2.0

  /// Whether this member's call waits for answers.
  var isCalling: Bool { call != nil }

  /// When something is due.
  var next: HostTime { call?.next ?? .distantFuture }

  /// Begins a call, in place of the one before.
  mutating func begin(among members: some Sequence<MemberID>, now: HostTime) {
    count &+= 1
    call = Call(
      number: count, waiting: Set(members), next: now, end: now.advanced(bySeconds: Self.timeout))
  }

  /// What is due now; nil for nothing.
  mutating func takeDue(at now: HostTime) -> Due? {
    guard let call else { return nil }
    if call.waiting.isEmpty || now >= call.end {
      self.call = nil
      return .ended(silentMembers: call.waiting.sorted())
    }
    guard now >= call.next else { return nil }
    self.call?.next = now.advanced(bySeconds: Self.interval)
    return .send(number: call.number, to: call.waiting.sorted())
  }

  /// Notes a member's answer.
  mutating func answered(_ id: MemberID, number: Int32) {
    if call?.number == number { call?.waiting.remove(id) }
  }

  /// Notes another member's call; whether it is a new one.
  ///
  /// A number is compared with the one before alone, since anybody may forge a high one.
  mutating func hear(_ number: Int32, from id: MemberID) -> Bool {
    defer { heard[id] = number }
    return heard[id] != number
  }

  /// Forgets a member.
  ///
  /// - Parameter said: whether it said goodbye: who vanishes has not answered.
  mutating func forget(_ id: MemberID, said: Bool) {
    heard[id] = nil
    if said { call?.waiting.remove(id) }
  }

  mutating func shift(by nanoseconds: Int64) {
    call?.next.shift(by: nanoseconds)
    call?.end.shift(by: nanoseconds)
  }
}

extension SessionCore {
  /// Asks everybody for silence, at once; `panicEnded` says who has not answered.
  package mutating func callForSilence(now: HostTime) {
    silence.begin(among: members.keys, now: now)
    events.append(.panic(from: me))
    notify(.panic(me), at: now)
    callForSilence(at: now)
  }

  mutating func callForSilence(at now: HostTime) {
    switch silence.takeDue(at: now) {
    case .send(let number, let receivers):
      for id in receivers {
        if let member = members[id] { send(.panic(from: me, number: number), to: member.endpoint) }
      }
    case .ended(let silentMembers): events.append(.panicEnded(silentMembers: silentMembers))
    case nil: break
    }
  }
}
