import MoCore
import MoMu

/// A printer of the room's changes, a line each, for screen readers and logs; used if `--plain` turns pictures off.
package final class StatusPrinter: EventTimer {
  package let name = "status in lines"
  package private(set) var nextTime: HostTime?
  private let sendsNotes: Bool
  private var before = RoomFacts()

  /// Seconds between two comparisons of the room's facts.
  private static let pause = 0.2

  private init(from now: HostTime, sendsNotes: Bool) { (nextTime, self.sendsNotes) = (now, sendsNotes) }

  /// Starts to log members' actions; with `--plain`, also each change of the facts in the status line.
  ///
  /// - Parameter sendsNotes: whether the program sends notes; if not, the gates for notes are left out.
  package static func open(_ run: Run, sendsNotes: Bool = true) {
    let isPlain = run.options.plain && !run.isOffline
    RoomPrinter.begin(isPlain: isPlain)
    guard isPlain else { return }
    try? run.input.add(StatusPrinter(from: run.clock.now, sendsNotes: sendsNotes)) { _ in }
  }

  package func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = now.advanced(bySeconds: Self.pause)
    guard let known = RoomFacts.now() else { return }
    let facts = sendsNotes ? known : known.withoutNotesGates
    for line in Self.changes(from: before, to: facts) { MoLog.log(.notice, line) }
    before = facts
  }

  /// Returns a line for each difference between two states of the room, except for the bar and beat.
  ///
  /// The bar and beat, and the beats until a cue, change all the time. `RoomPrinter` prints how a member left.
  package static func changes(from old: RoomFacts, to new: RoomFacts) -> [String] {
    var lines: [String] = []
    if new.isSilenced != old.isSilenced {
      lines.append(
        new.isSilenced ? "silenced: \(new.wayOutOfSilence)" : "no longer silenced")
    }
    if new.muted != old.muted {
      lines.append(
        new.muted.isEmpty
          ? "your section is no longer muted" : "muted: section \(new.muted.joined(separator: ", "))")
    }
    lines += contact(from: old, to: new)
    if let cue = new.cue, cue.words != old.cue?.words || cue.time != old.cue?.time {
      lines.append("cue: \(cue.words)" + (cue.beats.map { ", in \(counted($0, "beat"))" } ?? ", now"))
    }
    lines += gates(from: old, to: new)
    lines += rhythm(from: old, to: new)
    if new.conductor != old.conductor || new.conductor == nil && new.lostConductor != old.lostConductor {
      let none = new.lostConductor.map { "\($0) conducted last, and is not heard" } ?? "no conductor"
      lines.append(new.isConductor ? "you conduct" : new.conductor.map { "\($0) conducts" } ?? none)
    }
    if new.instrument != old.instrument, !new.instrument.isEmpty {
      lines.append("you play \(new.instrument)")
    }
    lines += sections(from: old, to: new)
    if new.level != old.level { lines.append("your section is at \(Int((new.level * 100).rounded())) %") }
    if new.room != old.room { lines.append("\(new.isLocked ? "locked room" : "room") \(new.room)") }
    for name in new.others where !old.others.contains(name) { lines.append("\(name) is here") }
    if new.membersBeside > 0, old.membersBeside == 0 {
      lines.append("another part of the room plays: type :join to follow it")
    }
    if new.underruns > old.underruns { lines.append(counted(new.underruns, "underrun") + " so far") }
    return lines
  }

  /// Returns a line for each difference between two states of the room that no `SessionEvent` reports.
  ///
  /// A program that already prints the session's events prints these lines, too.
  package static func changesWithoutEvents(from old: RoomFacts, to new: RoomFacts) -> [String] {
    contact(from: old, to: new) + gates(from: old, to: new) + rhythm(from: old, to: new)
      + sections(from: old, to: new)
  }

  private static func rhythm(from old: RoomFacts, to new: RoomFacts) -> [String] {
    var lines: [String] = []
    if let tempo = new.tempo, let position = new.position {
      let text = "\(StatusLine.number(tempo.rounded())) bpm, \(position.meter)"
      if old.tempo == nil {
        lines.append("the rhythm runs, \(text)")
      } else if old.tempo?.rounded() != tempo.rounded() || old.position?.meter != position.meter {
        lines.append("now \(text)")
      }
    } else if old.tempo != nil {
      lines.append("the rhythm has stopped")
    }
    return lines
  }

  private static func contact(from old: RoomFacts, to new: RoomFacts) -> [String] {
    var lines: [String] = []
    switch (old.cutOff, new.cutOff) {
    case (nil, let seconds?):
      lines.append("no contact for \(Int(min(seconds, 1e6))) s; \(new.offBy)")
    // After a quarter of an hour without contact, nothing is known about the others.
    case (_?, nil): if !new.others.isEmpty { lines.append("contact again") }
    default: break
    }
    return lines
  }

  private static func gates(from old: RoomFacts, to new: RoomFacts) -> [String] {
    guard new.gates != old.gates else { return [] }
    if new.gates.isEmpty { return ["your gates are open"] }
    let before = StatusLine.items(old).map(\.long)
    return StatusLine.items(new).map(\.long).filter { $0.contains(" gate ") && !before.contains($0) }
  }

  private static func sections(from old: RoomFacts, to new: RoomFacts) -> [String] {
    guard new.sections != old.sections else { return [] }
    return [
      new.sections.isEmpty
        ? "you are in no section" : "you are in section \(new.sections.joined(separator: ", "))"
    ]
  }
}
