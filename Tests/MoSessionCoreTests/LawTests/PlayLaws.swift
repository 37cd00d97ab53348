import MoCore
import MoSessionCore
import MoSessionSimulation

/// The laws of messages between players; violations are recorded as texts.
struct PlayLaws {
  private(set) var broken: [String] = []
  /// The number of messages that have arrived.
  private(set) var received = 0
  /// The time at which each message was sent, in seconds.
  private var sent: [Double] = []
  private var seen: [Int]
  private var last: [Route: Int] = [:]
  /// Whether a member had enough members for multicasts; a restarted program leaves its earlier member for a while.
  private(set) var isCrowd: Bool

  /// A path between one start of a member and one of another: a restarted member may receive an earlier multicast.
  private struct Route: Hashable {
    var from: MemberID
    var to: MemberID
    /// Beats of the melody: 8 for a message to one member, which multicasts may overtake.
    var kind: Float
  }

  init(count: Int) { (seen, isCrowd) = (Array(repeating: 0, count: count), count > 9) }

  /// Returns a message that differs from all others.
  ///
  /// - Parameters:
  ///   - seconds: the time at which it is sent.
  ///   - overtakes: whether it is exempt from the order of messages for all.
  mutating func next(at seconds: Double, overtakes: Bool = false) -> SessionPlay {
    sent.append(seconds)
    let number = sent.count
    let note = SessionMelody.Note(beat: Float(number % 250), length: Float(number / 250), pitch: 60)
    return .melody(SessionMelody(beats: overtakes ? 8 : 4, [note]))
  }

  mutating func check(in orchestra: VirtualOrchestra) {
    orchestra.members.withUnsafeBufferPointer { members in
      for (index, member) in members.pointers.enumerated() { check(in: member, index, orchestra.seconds) }
    }
  }

  private mutating func check(in member: UnsafePointer<VirtualMember>, _ index: Int, _ time: Double) {
    if let core = member.core, core.pointee.members.count > 8 { isCrowd = true }
    var place: String { "\(member.pointee.settings.identity.name) at \(time) s" }
    for (seconds, heard) in member.pointee.heard[seen[index]...] {
      guard case .melody(let melody) = heard.play, let note = melody.notes.first else { continue }
      received += 1
      let number = Int(note.length) * 250 + Int(note.beat)
      let route = Route(from: heard.from, to: member.pointee.settings.identity.member, kind: melody.beats)
      // When a sender of many members changes to multicasts, it gives up what was not acknowledged for a second. A copy
      // that is still under way may arrive behind the first multicast.
      let mayBeBehind = isCrowd && seconds - sent[number - 1] >= 1
      let before = last[route] ?? 0
      if number == before || number < before && !mayBeBehind {
        broken.append("\(place): \(number) heard after \(before), at \(seconds) s")
      }
      last[route] = max(number, before)
    }
    seen[index] = member.pointee.heard.count
    guard let core = member.core else { return }
    if core.pointee.delivery.held.count > Delivery.mostHeld
      || core.pointee.delivery.windows.count > 2 * core.pointee.members.count + 2
      || core.pointee.delivery.losses.count > core.pointee.members.count
    {
      broken.append("\(place): what is played grows")
    }
  }
}
