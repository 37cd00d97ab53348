import MoCore
import MoSessionSimulation

@testable import MoSessionCore

/// What holds of messages between players, whatever happens; what breaks it is noted in words.
struct PlayLaws {
  private(set) var broken: [String] = []
  /// How many have come.
  private(set) var came = 0
  private var sent = 0
  private var seen: [Int]
  private var last: [Way: Int] = [:]

  /// From one start of a member to one of another: a new start may hear a call that came before it.
  private struct Way: Hashable {
    var from: MemberID
    var to: MemberID
    /// Beats of the melody: 8 for what is for one, where calls to all may overtake it.
    var kind: Float
  }

  init(count: Int) { seen = Array(repeating: 0, count: count) }

  /// A message that can be told from all others.
  ///
  /// - Parameter overtakes: whether it is not held to the order of what is for all.
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
