import MoCore
import MoInstruments

/// The connection of an instrument to the members that record a tape.
///
/// It sends the notes and strikes that are played here.
package final class TapePart: EventTimer, @unchecked Sendable {
  // Unchecked: the input loop services it one thread at a time; `end` is called after the last service.
  package let name = "events for tapes"
  private let handle: InstrumentHandle
  private let tap: LocalPartTap
  private let run: Run
  private let send: PartEncoder.Send
  private var encoder: PartEncoder
  private var nextCheck: HostTime

  /// - Parameter send: sends an event to the members that record.
  package init(
    _ handle: InstrumentHandle, _ tap: LocalPartTap, _ run: Run,
    send: @escaping PartEncoder.Send = { play, _, moment in TapePart.sendToTapes(play, moment) }
  ) {
    (self.handle, self.tap, self.run, self.send) = (handle, tap, run, send)
    encoder = PartEncoder(part: handle.sheet.name)
    nextCheck = run.clock.now
  }

  package var nextTime: HostTime? {
    guard tap.isForTapes else { return encoder.isEmpty ? nil : .distantPast }
    if !tap.isEmpty { return .distantPast }
    guard !run.isOffline else { return encoder.next }
    return min(nextCheck, encoder.next ?? .distantFuture)
  }

  package func service(until now: HostTime) {
    nextCheck = tap.nextCheck(after: now)
    // While the instrument is shared, `LocalPart` takes the events, also the ends of notes that this part has sent.
    guard tap.isForTapes else { return end() }
    while let played = tap.next() { encoder.add(played) }
    encoder.sendDue(until: now, MoSession.beat, grid: handle.grid, send)
  }

  /// Ends, on the tapes, all notes that are held on this machine.
  package func end() { encoder.release(at: run.clock.now, MoSession.beat, send) }

  private static func sendToTapes(_ play: SessionPlay, _ moment: SessionMoment) -> Double? {
    guard SessionServer.shared.read({ core, _ in core.hasRecorder }) == true else { return nil }
    // The tape needs the line at which it sounded here, even if the line has passed.
    var moment = moment
    if case .soonest(let beat) = moment { moment = .beat(beat) }
    do {
      return try MoSession.play(play.forTapes, to: .recorders, at: moment)
    } catch SessionRefusal.noRhythm where moment != .now {
      return sendToTapes(play, .now)
    } catch {
      // The sound does not suffer; the recording members see the loss in their counts.
      return nil
    }
  }
}

extension InstrumentHandle {
  /// Sends the instrument's notes and strikes to members that record a tape, so that the tape can be rendered.
  ///
  /// ```swift
  /// let harp = try Instruments.named("harp").add(to: bus)
  /// try harp.tellTapes()
  /// ```
  ///
  /// The instrument sounds only on this machine. While no member records, nothing is sent. While the instrument is
  /// shared (`share`), recording members receive its notes in any case. On the tape, each note and strike is at
  /// its line of the grid; without a rhythm, it is at the time at which it was played.
  ///
  /// - Returns: a token whose `cancel()` ends the sending. If the token of an earlier call is active, the call and its
  ///   token have no effect.
  /// - Throws: `SessionError.notJoined`, and an error if no thread can be started.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public func tellTapes() throws -> MoToken {
    guard MoSession.room != nil else { throw SessionError.notJoined }
    let run = Run.current
    let made = slot.tap {
      let tap = LocalPartTap(run)
      return EventTap(tap, isShared: { tap.isShared }, tap.add)
    }
    guard let tap = made.maker as? LocalPartTap, tap.open(forTapes: true) else { return MoToken {} }
    let part = TapePart(self, tap, run)
    try run.input.add(part) { _ in }
    return MoToken {
      run.input.remove(part)
      tap.close(forTapes: true)
      part.end()
    }
  }
}
