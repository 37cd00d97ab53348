import MoCore
import MoSessionCore
import MoSessionSimulation

/// Laws for a leader: silence, cues with their whole countdown, gates, quick requests, and changes of the baton.
///
/// They apply whatever happened before, also to members that are cut off, stopped or restarted.
extension RandomSession {
  /// A disturbance of a member while another acts.
  enum Disturbance: UInt64 { case none, cutOff, stopped, restarted, late }

  /// Leads the room of most members after the quiet time; returns the violations in words.
  ///
  /// The room must be in one part, and its network whole.
  mutating func lead(seed: UInt64) -> [String] {
    let rooms = Dictionary(grouping: orchestra.members.indices.filter { orchestra.members[$0].core != nil }) {
      orchestra.members[$0].settings.room
    }
    let there = rooms.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.first?.value ?? []
    guard !there.isEmpty, there.allSatisfy({ orchestra.core($0).partBeside == nil }) else { return [] }
    var chance = SimulatedChance(seed: seed &* 32_452_843)
    var broken = lift(there)
    broken += callSilence(there, &chance)
    broken += lift(there)
    broken += handOn(there, &chance)
    broken += cue(there)
    broken += block(there, &chance)
    return broken
  }

  func name(_ index: Int) -> String { orchestra.members[index].settings.identity.name }

  /// Ends a silence for all present members, if a member may.
  mutating func soundAgain() {
    _ = lift(orchestra.members.indices.filter { orchestra.members[$0].core != nil })
  }

  /// Ends a silence, if a member may.
  private mutating func lift(_ there: [Int]) -> [String] {
    guard there.contains(where: { orchestra.core($0).isSilenced }) else { return [] }
    var isDone = false
    for index in there where orchestra.core(index).isSilenced {
      let done: Void? = try? orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.liftSilence(now: now)
      }
      isDone = isDone || done != nil
    }
    guard isDone else { return [] }
    run(seconds: 4)
    let left = there.filter { orchestra.core($0).isSilencedInRoom }
    return left.map { "\(name($0)) is silent, though that was lifted" }
  }

  /// Makes a member call for silence during a disturbance of another member: in the end, all members are silent.
  private mutating func callSilence(_ there: [Int], _ chance: inout SimulatedChance) -> [String] {
    let caller = there[Int(chance.next() % UInt64(there.count))]
    let disturbed = there[Int(chance.next() % UInt64(there.count))]
    let disturbance = disturbed == caller ? .none : Disturbance(rawValue: chance.next() % 5) ?? .none
    let isShown = !orchestra.members[disturbed].settings.isHidden
    let id = orchestra.members[disturbed].settings.identity.member
    disturb(disturbed, with: disturbance)
    run(seconds: 0.2)
    let from = orchestra.members[caller].events.count
    orchestra.act(caller) { core, now in core.callForSilence(now: now) }
    run(seconds: 2.6)
    var broken: [String] = []
    let named = orchestra.members[caller].events[from...].compactMap { happening in
      if case .panicEnded(let unconfirmed) = happening.event { unconfirmed } else { nil }
    }.last
    if named == nil { broken.append("the call of \(name(caller)) has not ended") }
    if disturbance == .cutOff || disturbance == .stopped || disturbance == .restarted && isShown,
      named?.contains(where: { $0.member == id }) == false
    {
      broken.append("\(name(disturbed)) is \(disturbance), and not named")
    }
    recover(disturbed, disturbance)
    run(seconds: 4)
    for index in there where !orchestra.core(index).isSilencedInRoom {
      broken.append(
        "\(name(index)) plays on, \(name(disturbed)) is \(disturbance), \(name(caller)) has called")
    }
    return broken
  }

  /// Starts a disturbance.
  mutating func disturb(_ disturbed: Int, with disturbance: Disturbance) {
    switch disturbance {
    case .none: break
    case .cutOff: orchestra.parts[disturbed] = 77
    case .stopped:
      orchestra.stall(disturbed, seconds: 4)
      laws.stalled(disturbed, until: orchestra.seconds + 5)
    case .restarted: orchestra.crash(disturbed)
    case .late: orchestra.extraDelays[disturbed] = 0.2
    }
  }

  /// Ends a disturbance; a stopped program continues by itself.
  mutating func recover(_ disturbed: Int, _ disturbance: Disturbance) {
    if disturbance == .restarted { orchestra.join(disturbed) }
    orchestra.parts[disturbed] = 0
    orchestra.extraDelays[disturbed] = 0
  }

  /// Makes the conductor stop and start immediately, and hand the baton to a member that has asked for it.
  private mutating func handOn(_ there: [Int], _ chance: inout SimulatedChance) -> [String] {
    var conductor: Int?
    for index in there where conductor == nil {
      let done: Void? = try? orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.start(.init(), now: now)
      }
      if done != nil { conductor = index }
    }
    guard let conductor else { return [] }
    var broken: [String] = []
    run(seconds: 2)
    for _ in 0..<2 {
      do throws(SessionRefusal) {
        _ = try orchestra.act(conductor) { core, now throws(SessionRefusal) in try core.stop(now: now) }
        run(seconds: 0.3 * chance.unit())
        _ = try orchestra.act(conductor) { core, now throws(SessionRefusal) in
          try core.start(.init(), now: now)
        }
      } catch {
        broken.append("\(name(conductor)) stops and starts: \(error)")
      }
    }
    run(seconds: 2)
    let requester = there[Int(chance.next() % UInt64(there.count))]
    let requesterID = orchestra.id(requester)
    let from = orchestra.members[conductor].events.count
    let done: Void? = try? orchestra.act(requester) { core, now throws(SessionRefusal) in
      try core.askForBaton(now: now)
    }
    guard done != nil else { return broken }
    run(seconds: 1)
    if !orchestra.members[conductor].events[from...].contains(where: {
      $0.event == .askedForBaton(by: requesterID)
    }
    )
      && orchestra.core(conductor).members[requesterID]?.isIgnored != true
    {
      broken.append("\(name(conductor)) is not told that \(name(requester)) asks for the baton")
    }
    do throws(SessionRefusal) {
      _ = try orchestra.act(conductor) { core, now throws(SessionRefusal) in
        try core.handOver(to: requesterID, now: now)
      }
      run(seconds: 3)
      for index in there where orchestra.conductor(index) != requesterID {
        broken.append("\(name(index)) does not see that \(name(requester)) conducts")
      }
    } catch {
      broken.append("\(name(conductor)) hands the baton to \(name(requester)): \(error)")
    }
    return broken
  }

  /// Makes the leader give a cue eight beats ahead: all have it within a second, and gates apply.
  private mutating func cue(_ there: [Int]) -> [String] {
    guard
      let leader = there.first(where: {
        orchestra.core($0).state.conductor == orchestra.id($0) && orchestra.isPlaying($0)
      }), let here = orchestra.beat(leader)
    else { return [] }
    let from = orchestra.members.map(\.heard.count)
    let id = orchestra.id(leader)
    do throws(SessionRefusal) {
      _ = try orchestra.act(leader) { core, now throws(SessionRefusal) in
        try core.play(.cue(SessionCue(.ready, "law")), to: .others, at: .beat(here + 8), now: now)
      }
    } catch {
      return ["\(name(leader)) conducts, and gives no cue: \(error)"]
    }
    run(seconds: 1)
    return there.compactMap { index in
      let core = orchestra.core(index)
      guard index != leader, !core.settings.isHidden, core.members[id]?.isIgnored == false else { return nil }
      let cue = orchestra.members[index].heard[from[index]...].first { heard in
        if case .cue(let cue) = heard.play.play { cue.text == "law" } else { false }
      }
      guard let cue else { return "\(name(index)) has not got the cue of \(name(leader))" }
      return cue.play.beat == here + 8 && cue.play.late == 0
        ? nil : "\(name(index)) has got the cue of \(name(leader)) late"
    }
  }
}

extension SessionCore {
  /// Whether a call for silence applies to the whole room, and not to this member alone.
  var isSilencedInRoom: Bool { agreement.silence.current?.isOwn == false }
}
