import MoCore
import MoInstruments

extension InstrumentHandle {
  /// Tells the members that keep a tape what is played on it, so that the tape can be rendered; it sounds here alone.
  ///
  /// ```swift
  /// let harp = try Instruments.named("harp").add(to: bus)
  /// try harp.tellTapes()
  /// ```
  ///
  /// Nothing is sent while no member records. An instrument that is shared (`share`) tells them anyhow. The tape has each
  /// note and stroke at the line of the grid that it belongs to, or as it was played without a rhythm.
  ///
  /// - Returns: a token whose `cancel()` ends that.
  /// - Throws: `SessionError.notJoined`.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public func tellTapes() throws -> MoToken {
    guard MoSession.room != nil else { throw SessionError.notJoined }
    let run = Run.current
    let made = seat.relay {
      let relay = LocalPartTap(clock: run.clock)
      return EventTap(relay) { relay.add($0, at: $1, heardAt: $2) }
    }
    guard let relay = made.maker as? LocalPartTap, relay.open(forTapes: true) else { return MoToken {} }
    let part = TapePart(self, relay, run)
    try run.input.add(part) { _ in }
    return MoToken {
      run.input.remove(part)
      if relay.isForTapes { relay.close() }
    }
  }
}

/// Tells the members that keep a tape what is played on an instrument here.
final class TapePart: EventSource, @unchecked Sendable {
  // Unchecked: the input loop services it one thread at a time.
  let name = "what is played, for tapes"
  let descriptor: Int32? = nil
  // An end that others have found is not put off by it.
  let isFinite = true
  private let handle: InstrumentHandle
  private let relay: LocalPartTap
  private let run: Run
  private var teller: PartEncoder
  private var nextLook: HostTime

  /// Seconds from one look at what was played to the next: players may be on any thread, and wake nobody.
  private static let look = 0.02

  init(_ handle: InstrumentHandle, _ relay: LocalPartTap, _ run: Run) {
    (self.handle, self.relay, self.run) = (handle, relay, run)
    teller = PartEncoder(part: handle.sheet.name)
    nextLook = run.clock.now
  }

  var nextTime: HostTime? {
    guard relay.isForTapes else { return nil }
    if !relay.isEmpty { return .distantPast }
    guard !run.isOffline else { return teller.next }
    return min(nextLook, teller.next ?? .distantFuture)
  }

  func service(until now: HostTime) {
    nextLook = now.advanced(bySeconds: Self.look)
    guard relay.isForTapes else { return }
    while let played = relay.next() { teller.take(played) }
    teller.tell(until: now, MoSession.beat, grid: handle.grid) { play, _, moment in tell(play, moment) }
  }

  private func tell(_ play: SessionPlay, _ moment: SessionMoment) -> Double? {
    guard SessionServer.shared.look({ core, _ in core.hasRecorder }) == true else { return nil }
    // The tape has the line at which it sounded here, though the line may have passed before the tape is told.
    var moment = moment
    if case .soonest(let beat) = moment { moment = .beat(beat) }
    do {
      return try MoSession.play(play.forTapes, to: .recorders, at: moment)
    } catch SessionRefusal.noRhythm where moment != .now {
      return tell(play, .now)
    } catch {
      // Nothing sounds less for it: whoever records is told by the counts of what was lost.
      return nil
    }
  }
}
