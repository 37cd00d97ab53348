import MoCore
import MoSessionCore
import MoSessionSimulation

/// Laws of blocked players: a muted section or a closed gate for notes is never audible once all is quiet.
///
/// Meanwhile a member may be cut off, stopped, restarted or late.
extension RandomSession {
  /// A way to block a player.
  private enum Block: Int, CaseIterable { case section, gate }

  /// Blocks a player, then unblocks it; returns the violations in words.
  mutating func block(_ there: [Int], _ chance: inout SimulatedChance) -> [String] {
    var broken: [String] = []
    for block in Block.allCases {
      let player = there[Int(chance.next() % UInt64(there.count))]
      let disturbed = there[Int(chance.next() % UInt64(there.count))]
      var disturbance = Disturbance(rawValue: chance.next() % 5) ?? .none
      guard !there.contains(where: { orchestra.core($0).isSilenced }),
        let leader = there.first(where: { mayBlock($0, player) })
      else { return broken }
      if disturbed == leader { disturbance = .none }
      disturb(disturbed, with: disturbance)
      run(seconds: 0.2)
      set(block, true, player, by: leader)
      run(seconds: 2.6)
      recover(disturbed, disturbance)
      run(seconds: 8)
      let context = "\(block) of \(name(player)) by \(name(leader)), \(name(disturbed)) is \(disturbance)"
      broken += testReception(player, there).received.map { "\(context): \(name($0)) hears it" }
      set(block, false, player, by: leader)
      run(seconds: 8)
      // Otherwise a law that no member hears anything would pass as well.
      broken += testReception(player, there).missed.map {
        "\(context), and it was lifted: \(name($0)) hears nothing"
      }
    }
    return broken
  }

  /// Returns whether a member may mute a player's section and close its gates.
  private func mayBlock(_ leader: Int, _ player: Int) -> Bool {
    let (id, now) = (orchestra.id(player), orchestra.host(leader))
    return orchestra.refusal(leader) { core, _ throws(SessionRefusal) in
      try core.setSection("law", of: id, now: now)
      try core.setMuted(true, section: "law", now: now)
      try core.setGate(0, .notes, from: id, to: nil, now: now)
    } == nil
  }

  private mutating func set(_ block: Block, _ isSet: Bool, _ player: Int, by leader: Int) {
    let id = orchestra.id(player)
    _ = try? orchestra.act(leader) { core, now throws(SessionRefusal) in
      switch block {
      case .section:
        if isSet { try core.setSection("law", of: id, now: now) }
        try core.setMuted(isSet, section: "law", now: now)
        if !isSet { try core.setSection("law", of: id, false, now: now) }
      case .gate: try core.setGate(isSet ? 0 : nil, .notes, from: id, to: nil, now: now)
      }
    }
  }

  /// Makes a player strike, and sends the others a gesture in its name that no sender's gate has filtered.
  ///
  /// - Returns: the members that hear either, and the members that miss one they should hear.
  private mutating func testReception(_ player: Int, _ there: [Int]) -> (received: [Int], missed: [Int]) {
    let (id, drum) = (orchestra.id(player), 77)
    let endpoint = orchestra.members[player].endpoint
    let mine = orchestra.core(player).settings.identity.installation
    let from = orchestra.members.map(\.heard.count)
    _ = try? orchestra.act(player) { core, now throws(SessionRefusal) in
      try core.play(.hit(SessionHit(force: 1, drum: drum)), to: .others, now: now)
    }
    let others = there.filter { $0 != player }
    for index in others {
      let number = (orchestra.core(index).delivery.received[id]?.gesture ?? 0) &+ 1
      let wild = PlayMessage(
        from: id, to: orchestra.id(index), stream: 0, number: number, first: number, stamp: nil,
        play: .gesture(SessionGesture(activity: 0.777)))
      _ = orchestra.act(index) { core, now in
        core.receive(SessionMessage.play(wild).encoded(), from: endpoint, at: now, now: now)
      }
    }
    run(seconds: 1)
    var (received, missed): ([Int], [Int]) = ([], [])
    for index in others {
      let plays = orchestra.members[index].heard[from[index]...].map(\.play.play)
      let hits = plays.contains { if case .hit(let hit) = $0 { Int(hit.drum) == drum } else { false } }
      let gestures = plays.contains {
        if case .gesture(let gesture) = $0 { gesture.activity > 0.7 } else { false }
      }
      if hits || gestures { received.append(index) }
      let core = orchestra.core(index)
      let isOpen =
        core.state.policy.gates.weight(
          .notes, from: mine, to: core.settings.identity.installation, isElsewhere: true) == 1
        && !core.isMuted(mine, at: orchestra.host(index)) && !core.isSilenced
        && core.members[id]?.isIgnored == false
        && !core.settings.isHidden
      if isOpen, !(hits && gestures) { missed.append(index) }
    }
    return (received, missed)
  }
}
