import MIDICore
import MoCore
import MoMIDI

/// A rhythm that leads gear by MIDI clock, or follows the MIDI clock of gear: a local rhythm, or the rhythm of a room.
///
/// - Thread: any.
package struct ClockTarget: Sendable {
  /// Returns the beat of the rhythm.
  package var beat: @Sendable () -> BeatClock
  /// Returns the lead time in seconds: a change of the rhythm must be made at least this long before it takes effect.
  package var lead: @Sendable () -> Double
  /// Changes the rhythm; returns false if the change is not possible yet and must be tried again.
  package var change: @Sendable (MIDIClockConductor.Change) throws -> Bool

  /// Creates a target from its three closures.
  package init(
    beat: @escaping @Sendable () -> BeatClock, lead: @escaping @Sendable () -> Double,
    change: @escaping @Sendable (MIDIClockConductor.Change) throws -> Bool
  ) { (self.beat, self.lead, self.change) = (beat, lead, change) }

  /// Creates the target of a local rhythm.
  package init(_ rhythm: Rhythm) {
    self.init(
      beat: { rhythm.beat }, lead: { rhythm.announcement },
      change: {
        rhythm.follow($0)
        return true
      })
  }
}

extension MoMIDI {
  /// Sends MIDI clock to gear, or makes the rhythm follow the MIDI clock of gear, as the option `--midi-clock` says.
  ///
  /// Without the option, the function does nothing.
  ///
  /// - Throws: `MIDIError`.
  package static func syncIfAsked(_ target: ClockTarget) throws {
    let run = Run.current
    run.markUsed("midi-clock")
    switch run.options.midiClock {
    case .lead: try MIDIServer.shared.lead(target.beat, in: run)
    case .follow:
      let input = try MIDIServer.shared.follow(in: run)
      let follower = GearFollower(input, target, run)
      nonisolated(unsafe) let source = follower
      try run.input.add(source) { _ in }
    case nil: break
    }
  }

  /// Sends the MIDI clock of a local rhythm to gear, or makes the rhythm follow gear, as `--midi-clock` says.
  ///
  /// Without the option, the function does nothing.
  ///
  /// - Returns: true if the gear starts the rhythm; the program must not start it then.
  /// - Throws: `MIDIError`.
  package static func syncIfAsked(_ rhythm: Rhythm) throws -> Bool {
    try syncIfAsked(ClockTarget(rhythm))
    return Run.current.options.midiClock == .follow
  }
}

/// Makes a rhythm follow the MIDI clock of gear, and prints a notice when the state of this clock changes.
package final class GearFollower: EventTimer {
  package let name = "MIDI clock"
  package private(set) var nextTime: HostTime?
  private let input: MIDIClockInput
  private let target: ClockTarget
  private let run: Run
  private var conductor = MIDIClockConductor()
  /// The state of the gear's clock in the last notice to the user; `waiting` before the first notice.
  private var noticed = State.waiting

  /// The time at which to report that no clock has arrived; nil after this report.
  private var remindTime: HostTime?

  private enum State { case waiting, ready, following, stopped, lost }

  /// Seconds between two polls of the gear's clock.
  private static let pause = 0.02
  /// Seconds from the creation of the follower until the user is informed that no clock has arrived yet.
  private static let noticeDelay = 3.0

  package init(_ input: MIDIClockInput, _ target: ClockTarget, _ run: Run) {
    (self.input, self.target, self.run) = (input, target, run)
    nextTime = run.clock.now
    remindTime = run.clock.now.advanced(bySeconds: Self.noticeDelay)
  }

  package func service(until now: HostTime) {
    nextTime = now.advanced(bySeconds: Self.pause)
    let gear = input.gear
    notifyIfChanged(gear, at: now)
    guard let change = conductor.change(at: now, gear, target.beat(), lead: target.lead()) else { return }
    do {
      if try !target.change(change) { conductor.retry() }
    } catch {
      conductor.release()
      MoLog.log(
        .notice,
        "\(error): the rhythm does not follow \(input.port ?? "the gear"); press start on it again once you may conduct"
      )
    }
  }

  private func notifyIfChanged(_ gear: MIDIClockFollower, at now: HostTime) {
    guard let port = input.port, let tempo = gear.tempo else { return remind(at: now) }
    let hasStarted = noticed != .waiting && noticed != .ready
    let state: State =
      !gear.isRunning ? (hasStarted ? .stopped : .ready) : gear.isCoasting(at: now) ? .lost : .following
    guard state != noticed else { return }
    noticed = state
    switch state {
    case .following:
      let rounded = (tempo * 10).rounded() / 10
      run.notice("Following MIDI clock from \(port) at \(rounded) beats per minute.")
    case .ready: run.notice("\(port) sends MIDI clock: press start on it, and the rhythm starts with it.")
    case .stopped: run.notice("\(port) has stopped; the rhythm continues.")
    case .lost: MoLog.log(.warning, "no MIDI clock from \(port) any more; the rhythm continues")
    case .waiting: break
    }
  }

  private func remind(at now: HostTime) {
    guard let time = remindTime, now >= time else { return }
    remindTime = nil
    run.notice(
      "No MIDI clock has arrived yet: switch on clock out in the gear's menu, and press start on it; momu midi clock shows "
        + "what arrives.")
  }
}
