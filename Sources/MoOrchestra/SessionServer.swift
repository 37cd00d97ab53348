import CMoSystem
import Glibc
import MoCore
import MoMu
import MoSessionCore
import Synchronization

/// The server of `MoSession`: the protocol's state machine, its sockets, and the thread between them.
///
/// A lock guards the state machine and is held for microseconds. The audio thread never takes the lock; it reads the
/// latest beat from `beat`.
///
/// - Thread: any; callbacks run on `mo-session` or on a thread that makes a request. The callbacks for events run on
///   one thread at a time, and so do the callbacks for plays.
package final class SessionServer: @unchecked Sendable {
  // Unchecked: `core`, `sockets`, `thread`, `memory`, `slot`, `record`, `waiting` and `recorder`
  // are guarded by `lock`.
  /// The server that `MoSession` uses.
  package static let shared = SessionServer()

  /// The present relation of beats to times, for any thread.
  package let beat = LatestValue(BeatClock(clock: SlewedClock(), timeline: nil))
  /// The level at which all members play their patterns in each bar, as the conductor announces it.
  package let pattern = LatestValue(PatternPlan())
  package let events = CallbackList<SessionEvent>()
  package let heard = CallbackList<SessionHeard>()
  /// The last cue that this member received in this room; nil before the first cue.
  package let cue = Locked<PendingCue?>(nil)

  let lock = MoMutex()
  var core: SessionCore?
  var channel: SecureChannel?
  var sockets: SessionSockets?
  var thread: MoThread?
  var finding: AvahiFinding<PeerCandidate>?
  var naming: NameFinding?
  var memory = PeerCache(path: nil)
  var memoryPath: String?
  let stateWriter = StateWriter()
  /// The file that records the program's room, so that the program can rejoin the room after it was killed.
  var slot: CrashLock?
  var record: SavedRoom?
  var clock: any TimeSource = SystemClock()
  var offline: OfflineSession?
  /// The recorder of the tape; nil while none is recorded.
  var recorder: SessionRecorder?
  /// The events for the callbacks, in the order in which the protocol reported them.
  let eventQueue = DeliveryQueue<SessionEvent>(limit: 16_384)
  /// The plays for the callbacks, apart from the events, so that no play waits for a slow callback of an event.
  let playQueue = DeliveryQueue<SessionHeard>(limit: 16_384)
  let wake = WakeEvent()
  /// The requests that wait until the room's clock is known.
  var waiting: [WaitingRequest] = []

  /// The trim of this machine's sound device: the part of its delay that the device does not report, in nanoseconds.
  var lag: Int64 = 0

  package init() {}

  // MARK: requests

  /// Changes the protocol's state, sends the resulting datagrams, and calls the callbacks; returns nil if no room is
  /// joined.
  package func perform<Result, Failure: Error>(
    _ body: (inout SessionCore, HostTime) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    lock.acquire()
    guard core != nil else {
      lock.release()
      return nil
    }
    let before = core?.nextTick
    let result: Result
    do throws(Failure) {
      result = try body(&core!, clock.now)
    } catch {
      lock.release()
      throw error
    }
    publish()
    let isSooner = core!.nextTick < before ?? .distantPast
    lock.release()
    if isSooner { wake.raise() }
    deliverAll()
    return result
  }

  /// Returns a value that `body` computes from the protocol's state; nil if no room is joined.
  package func read<Result>(_ body: (SessionCore, HostTime) -> Result) -> Result? {
    // In place, since `map` copies the whole state.
    lock.withLock { core == nil ? nil : body(core!, clock.now) }
  }

  // MARK: the loop's work

  /// Lets the protocol do the work that is due; returns the time at which to call this function next.
  func tick() -> HostTime {
    let (next, refusals) = lock.withLock { () -> (HostTime, [SessionRefusal]) in
      guard core != nil else { return (.distantFuture, []) }
      let now = clock.now
      updateLatency(at: now)
      if let due = core?.nextTick, due <= now { core?.tick(at: now) }
      let refusals = doWaiting(at: now)
      publish()
      return (core?.nextTick ?? .distantFuture, refusals)
    }
    // Without the lock, since a log handler can do anything.
    for refusal in refusals { MoLog.log(.notice, refusal.description) }
    deliverAll()
    return next
  }

  /// Handles a received datagram.
  func receive(_ datagram: [UInt8], from endpoint: SessionEndpoint, stamp: HostTime?) {
    let (isForged, opened) = lock.withLock { () -> (Bool, SecureChannel.Opened) in
      let now = clock.now
      guard core != nil, let opened = channel?.open(datagram, from: endpoint, at: now) else {
        return (false, SecureChannel.Opened())
      }
      sockets?.send(opened.replies)
      guard let datagram = opened.datagram else { return (false, opened) }
      // A step of the wall clock made the stamp invalid if it is in the future or long past.
      let arrival = stamp.map { $0 <= now && now.seconds(since: $0) < 1 ? $0 : now } ?? now
      core?.receive(datagram, from: endpoint, at: arrival, now: now)
      let isForged = !hasReportedForged && core!.counts.forged > 0
      hasReportedForged = hasReportedForged || isForged
      publish()
      return (isForged, opened)
    }
    if isForged { MoLog.log(.warning, Self.forgeryNotice) }
    deliverAll()
    if let problem = opened.problem { MoLog.log(.warning, "\(problem)") }
    if opened.wantsNumber { compareNumbers() }
  }

  private static let forgeryNotice =
    "a program in this locked room claims another installation's identity: such messages are dropped; it has the "
    + "passkey, so choose another passkey (momu session key)"

  /// Finds out whether a locked room nearby has the same name as this open room; if so, logs a warning.
  ///
  /// The function compares numbers that are derived from the names. The derivation takes a while, so it runs on a
  /// thread of its own.
  private func compareNumbers() {
    guard let room = read({ core, _ in core.settings.room }) else { return }
    _ = try? MoThread(name: "mo-door") { [weak self] _ in
      guard let number = try? RoomKey.number(ofRoom: room), let self else { return }
      let problem = lock.withLock { core?.settings.room == room ? channel?.know(number) : nil }
      if let problem { MoLog.log(.warning, "\(problem)") }
    }
  }

  /// Whether the room is locked, the counts of rejected datagrams (nil in an open room), and the number of other locked
  /// rooms nearby.
  package var locking: (isLocked: Bool, counts: SealedCounts?, otherRooms: Int) {
    lock.withLock { (channel?.isLocked ?? false, channel?.counts, channel?.lockedRooms ?? 0) }
  }

  /// Hands new entries to the tape; call it with the lock held.
  func keepTape() {
    guard let recorder, let entries = core?.takeTape(at: clock.now), !entries.isEmpty else { return }
    recorder.add(entries)
  }

  /// Sends pending datagrams, publishes the new beat, applies the effects of the events on this machine, and queues the
  /// events and plays; the caller calls `deliverAll` after it has released the lock.
  private func publish() {
    guard core != nil else { return }
    let outgoing = core!.drainOutgoing()
    if !outgoing.isEmpty { sockets?.send(channel?.out(outgoing) ?? outgoing) }
    var shown = core!.beatClock
    shown.lag = lag
    if shown != lastShown {
      lastShown = shown
      beat.store(shown)
    }
    if core!.state.pattern != shownPattern {
      shownPattern = core!.state.pattern
      pattern.store(shownPattern)
    }
    keepTape()
    for event in core!.drainEvents() {
      // A slow callback must not delay silence.
      sideEffects.handle(event, shown)
      eventQueue.add(event)
    }
    for play in core!.drainHeard() { playQueue.add(play) }
  }

  private var lastShown: BeatClock?
  /// Whether the log has reported that a program claims another installation's identity.
  var hasReportedForged = false
  private var shownPattern = PatternPlan()
  let sideEffects = SessionSideEffects()

  /// Informs the protocol, once a second, of the time by which sound is computed in advance, and of this machine's
  /// health.
  ///
  /// An event arrives too late to be played here if it is due before the sound that is computed next.
  private func updateLatency(at now: HostTime) {
    guard latencyUpdated == .distantPast || now.seconds(since: latencyUpdated) > 1 else { return }
    latencyUpdated = now
    core?.setSoundLead(MoAudio.soundLead)
    core?.setHealth(health.measure(at: now, link: sockets?.kind ?? .unknown))
  }

  var latencyUpdated = HostTime.zero
  var health = HealthWatch()

  /// Calls the callbacks with the events and plays that wait; call it without the lock.
  private func deliverAll() {
    let (isEventLost, isPlayLost) = (eventQueue.takeNewLoss(), playQueue.takeNewLoss())
    if isEventLost || isPlayLost {
      MoLog.log(
        .warning,
        "events of the session are dropped, since a callback of MoSession has not returned: make it return sooner"
      )
    }
    handleAll(in: eventQueue, handle)
    handleAll(in: playQueue, play)
  }

  /// Calls a function with the values that wait in a queue, unless a thread already does so.
  ///
  /// Values that come meanwhile wait for the next turn of `mo-session`, so that they do not delay this thread.
  private func handleAll<Value: Sendable>(in queue: DeliveryQueue<Value>, _ body: (Value) -> Void) {
    while queue.handle(body) {
      // Offline there is no such thread.
      guard lock.withLock({ thread != nil }) else { continue }
      wake.raise()
      return
    }
  }

  private func handle(_ event: SessionEvent) {
    switch event {
    case .joined(let id): remember(id)
    case .undelivered(let loss): MoLog.log(.notice, "\(loss)")
    case .shared(let shared):
      if let text = read({ core, now in shared.text(core, at: now) }) { MoLog.log(.warning, text) }
    case .panicEnded(let members) where !members.isEmpty:
      MoLog.log(.warning, UnconfirmedMember.line(members))
    case .outOfReach(let count): MoLog.log(.notice, Self.outOfReach(count))
    default: break
    }
    events.call(event)
  }

  private func play(_ play: SessionHeard) {
    if let new = PendingCue(play, on: beat.load()) { cue.withLock { $0 = new } }
    heard.call(play)
  }

  /// Returns the notice about members that other members reach but this machine does not.
  static func outOfReach(_ count: Int) -> String {
    let (them, they, receive) =
      count == 1 ? ("it", "it is", "receives") : ("them", "they are", "receive")
    return
      "this machine cannot reach \(counted(count, "member")) of the room that other members reach: \(they) in the same "
      + "rhythm, but \(receive) nothing that you play; if \(they) on IPv6 and this machine on IPv4, or the reverse, give "
      + "\(them) or this machine both (momu doctor)"
  }

  /// Saves a member's address, so that a later start finds the member on a network without multicast.
  ///
  /// The address is written to the disk on another thread.
  private func remember(_ id: MemberID) {
    lock.withLock {
      let member = core?.roster(at: clock.now).first { $0.identity.member == id }
      guard let endpoint = member?.endpoint, let room = core?.settings.room, let memoryPath, sockets != nil
      else { return }
      if memory.store(endpoint, in: room) { stateWriter.save(memory, at: memoryPath) }
    }
  }
}
