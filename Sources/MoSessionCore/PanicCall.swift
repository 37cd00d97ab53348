import MoTime

/// A call for silence that waits for its answers.
struct PanicCall: Sendable {
  var number: Int32
  var waiting: Set<MemberID>
  var next: HostTime
  var end: HostTime

  /// So often (s) it is said again, and for so long.
  static let interval = 0.05
  static let patience = 2.0
}

extension SessionCore {
  /// Asks everybody for silence, at once; `panicEnded` says who has not answered.
  public mutating func callForSilence(now: HostTime) {
    panicCount &+= 1
    panic = PanicCall(
      number: panicCount, waiting: Set(members.keys), next: now,
      end: now.advanced(bySeconds: PanicCall.patience))
    events.append(.panic(from: me))
    notify(.panic(me), at: now)
    callForSilence(at: now)
  }

  mutating func callForSilence(at now: HostTime) {
    guard var call = panic else { return }
    if call.waiting.isEmpty || now >= call.end {
      events.append(.panicEnded(silentMembers: call.waiting.sorted()))
      panic = nil
      return
    }
    guard now >= call.next else { return }
    for id in call.waiting.sorted() {
      if let member = members[id] { send(.panic(from: me, number: call.number), to: member.endpoint) }
    }
    call.next = now.advanced(bySeconds: PanicCall.interval)
    panic = call
  }
}
