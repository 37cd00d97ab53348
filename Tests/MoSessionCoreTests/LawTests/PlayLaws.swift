import MoCore
import MoSessionSimulation

@testable import MoSessionCore

/// The laws of messages between players; violations are noted in words.
struct PlayLaws {
  private(set) var broken: [String] = []
  /// The number of messages that have arrived.
  private(set) var came = 0
  private var sent = 0
  private var seen: [Int]
  private var last: [Way: Int] = [:]

  /// A path between one start of a member and one of another: a restarted member may receive an earlier multicast.
  private struct Way: Hashable {
    var from: MemberID
    var to: MemberID
    /// Beats of the melody: 8 for a message to one member, which multicasts may overtake.
    var kind: Float
  }

  init(count: Int) { seen = Array(repeating: 0, count: count) }

  /// Returns a message that differs from all others.
  ///
  /// - Parameter overtakes: whether it is exempt from the order of messages for all.
  mutating func next(overtakes: Bool = false) -> SessionPlay {
    sent += 1
    let note = SessionMelody.Note(beat: Float(sent % 250), length: Float(sent / 250), pitch: 60)
    return .melody(SessionMelody(beats: overtakes ? 8 : 4, [note]))
  }

  mutating func look(at orchestra: VirtualOrchestra) {
    for index in orchestra.members.indices {
      let member = orchestra.members[index]
      for (seconds, heard) in member.heard[seen[index]...] {
        guard case .melody(let melody) = heard.play, let note = melody.notes.first else { continue }
        came += 1
        let number = Int(note.length) * 250 + Int(note.beat)
        let way = Way(from: heard.from, to: member.settings.identity.member, kind: melody.beats)
        if let before = last[way], number <= before {
          broken.append("\(member.settings.identity.name) at \(seconds) s: \(number) heard after \(before)")
        }
        last[way] = number
      }
      seen[index] = member.heard.count
      guard let core = member.core else { continue }
      if core.delivery.held.count > Delivery.mostHeld
        || core.delivery.windows.count > 2 * core.members.count + 2
        || core.delivery.losses.count > core.members.count
      {
        broken.append("\(member.settings.identity.name) at \(orchestra.seconds) s: what is played grows")
      }
    }
  }
}
