import MoCore
import MoInstruments
import MoMu
import MoSessionCore

extension ClockTarget {
  /// The room's rhythm, connected to gear by MIDI clock: either the rhythm leads the gear, or the rhythm follows the
  /// gear.
  ///
  /// If the MIDI clock of gear leads, this member conducts the room at the gear's tempo. For this, the member needs the
  /// right to conduct.
  package static let room = ClockTarget(
    beat: { MoSession.beat },
    lead: {
      // The sound that is already rendered cannot follow.
      max(SessionServer.shared.read { core, now in core.lead(at: now) } ?? 0, MoAudio.soundLead)
    },
    change: { change in
      do {
        let done: Void? = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
          switch change {
          case .start(let time, let beat, let tempo):
            var beginning = SessionCore.Beginning()
            beginning.tempo = tempo.beatsPerMinute
            beginning.place = .init(time: time, beat: beat)
            try core.start(beginning, now: now)
          case .steer(let time, let tempo, let end, let then):
            try core.steer(
              tempo.beatsPerMinute, at: time, then: then.beatsPerMinute, at: end, now: now)
          }
        }
        guard done != nil else { throw SessionError.notJoined }
        return true
      } catch SessionRefusal.arriving {
        // A start waits for the room's clock; the next steering comes soon.
        if case .start = change { return false }
        return true
      }
    })
}
