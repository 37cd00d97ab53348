import MoCore
import MoMu
import MoSessionCore

/// Functions for ignored members, for texts that are stored for the next start, and for requests that wait for the
/// room's clock.
extension SessionServer {
  /// Makes this program ignore all programs of a member's installation, or stop ignoring them.
  ///
  /// If this program is killed, its next start restores the setting.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `SessionError.notJoined`.
  package func ignore(_ member: MemberChoice, _ isIgnored: Bool) throws {
    let done = try perform { core, now throws(SessionRefusal) in
      try core.setIgnored(isIgnored, core.member(member, at: now))
      return core.settings.ignored
    }
    guard let done else { throw SessionError.notJoined }
    lock.withLock {
      record?.ignored = done.sorted()
      if let slot, let record { stateWriter.save(record, in: slot) }
    }
  }

  /// Returns the text that was stored under a name; nil for none.
  func kept(_ name: String) -> String? { lock.withLock { record?.kept[name] } }

  /// Stores a text under a name, so that the text is restored after the program was killed; nil deletes the text.
  func keep(_ value: String?, as name: String) {
    lock.withLock {
      guard record != nil, record?.kept[name] != value, record?.keep(value, as: name) == true else { return }
      if let slot, let record { stateWriter.save(record, in: slot) }
    }
  }

  /// Updates the modification time of the file that saves this program's room.
  ///
  /// If the program is killed, the file's time shows when the program last ran.
  func stillHere() { lock.withLock { if let slot { stateWriter.touch(slot) } } }

  /// Carries out a user's request, such as a change of the tempo, as soon as the room's clock is known.
  ///
  /// Right after joining, the clock is not known yet, so the request waits. Waiting requests are carried out in order.
  /// A later call for silence, or a later stop, cancels a waiting start of the rhythm.
  ///
  /// - Throws: `SessionRefusal`; it is `arriving` if 64 requests wait already. `SessionError.notJoined`.
  package func request(
    isStart: Bool = false,
    _ body: @escaping @Sendable (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    var asked = HostTime.zero
    do {
      let done: Void? = try perform { core, now throws(SessionRefusal) in
        asked = now
        guard waiting.isEmpty else { throw .arriving }
        try body(&core, now)
      }
      guard done != nil else { throw SessionError.notJoined }
    } catch SessionRefusal.arriving {
      let request = WaitingRequest(body: body, isStart: isStart, at: asked)
      let isKept = lock.withLock {
        guard waiting.count < WaitingRequest.most else { return false }
        waiting.append(request)
        return true
      }
      if !isKept { throw SessionRefusal.arriving }
    }
  }

  /// Carries out the waiting requests if the room's clock is known; returns the reasons for refused requests.
  func doWaiting(at now: HostTime) -> [SessionRefusal] {
    var refusals: [SessionRefusal] = []
    while let request = waiting.first, core != nil {
      // The silence is the newer request, and a start would lift it.
      let isOverruled = request.isStart && core?.silenced.map { $0.since > request.at } ?? false
      do throws(SessionRefusal) {
        if !isOverruled { try request.body(&core!, now) }
      } catch {
        if error == .arriving { return refusals }
        refusals.append(error)
      }
      waiting.removeFirst()
    }
    return refusals
  }

  /// Cancels a start of the rhythm that waits for the room's clock; returns whether a start was waiting.
  func cancelStart() -> Bool {
    lock.withLock {
      let count = waiting.count
      waiting.removeAll { $0.isStart }
      return waiting.count < count
    }
  }
}

/// A user's request, such as a change of the tempo, that waits until the room's clock is known.
struct WaitingRequest {
  var body: @Sendable (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  /// Whether the request starts the rhythm.
  var isStart: Bool
  /// The time at which the user made the request.
  var at: HostTime

  /// The largest number of waiting requests.
  static let most = 64
}
