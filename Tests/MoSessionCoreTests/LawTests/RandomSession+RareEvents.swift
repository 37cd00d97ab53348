import MoCore
import MoSessionCore
import MoSessionSimulation

/// Rare events in a room.
///
/// A network in three parts, a member that hears and is not heard, an access point that drops multicast, a stopped
/// program, another room, and an exclusive right to conduct.
extension RandomSession {
  /// In a quarter of the sessions one installation alone may conduct; all members know it from the start, or only that
  /// one.
  mutating func reserve(_ chance: inout SimulatedChance) {
    guard chance.next() % 4 == 0 else { return }
    let teacher = orchestra.members[Int(chance.next() % UInt64(count))].settings.identity.installation
    let isKnownToAll = chance.unit() < 0.5
    for index in 0..<count {
      orchestra.configure(index) {
        if isKnownToAll || $0.identity.installation == teacher { $0.only = teacher }
      }
    }
  }

  /// Makes one of these events happen, or none.
  mutating func runRareEvent() {
    guard var chance = rareEvents else { return }
    defer { rareEvents = chance }
    let index = attacked(&chance)
    let (isThere, isStalled) = (orchestra.members[index].core != nil, orchestra.isStalled(index))
    switch chance.next() % 48 {
    case 0: for other in 0..<count { orchestra.parts[other] = Int(chance.next() % 3) }
    // It loses its network.
    case 1: orchestra.parts[index] = 100 + index
    case 2: orchestra.cut.insert(index * count + Int(chance.next() % UInt64(count)))
    case 3: for other in 0..<count { orchestra.cut.insert(index * count + other) }
    case 4, 5: orchestra.cut = []
    case 6: orchestra.network.carriesMulticast.toggle()
    case 7:
      let seconds = 3 * chance.unit() * chance.unit()
      if isThere {
        orchestra.stall(index, seconds: seconds)
        laws.stalled(index, until: orchestra.seconds + seconds)
      }
    case 8:
      let seconds = 0.1 * (chance.unit() - 0.5)
      if isThere, !isStalled {
        laws.stepped(index)
        orchestra.step(index, bySeconds: seconds)
      }
    case 9: orchestra.extraDelays[index] = 0.05 * chance.unit()
    case 10:
      // It is killed, and restarted immediately.
      if isThere {
        orchestra.crash(index)
        orchestra.join(index)
      }
    case 11: if isThere { orchestra.crash(index) }
    case 12:
      if !isThere {
        let room = chance.unit() < 0.5 ? "Attic" : "Lab"
        orchestra.configure(index) { $0.room = room }
        orchestra.join(index)
      }
    case 13...22: if !isStalled { request(index, &chance) }
    default: break
    }
  }

  /// Returns a random member, or the conductor or keeper, whose loss does most harm.
  private func attacked(_ chance: inout SimulatedChance) -> Int {
    let anybody = Int(chance.next() % UInt64(count))
    let kind = chance.unit()
    return orchestra.members.firstIndex { member in
      guard let core = member.core else { return false }
      return kind < 0.3 && core.state.conductor == core.me || kind > 0.7 && core.isKeeper
    } ?? anybody
  }

  /// Makes requests in quick succession, as by a hurried person, with tempos and grids of all kinds.
  private mutating func request(_ index: Int, _ chance: inout SimulatedChance) {
    let (kind, size, other) = (chance.next() % 8, chance.unit(), Int(chance.next() % UInt64(count)))
    let id = orchestra.members[other].settings.identity.member
    var beginning = SessionCore.Beginning()
    let (tempo, meter) = (20 * (1 + 49 * size * size), Meter(1 + Int(chance.next() % 12), 8) ?? .common)
    (beginning.tempo, beginning.meter) = (tempo, meter)
    beginning.bar = 1 + Int(chance.next() % 200)
    beginning.countIn = Int(chance.next() % 4)
    let grid: BeatGrid = [.now, .sixteenth, .beat, .bar, .note(1), .note(12)][Int(chance.next() % 6)]
    try? orchestra.act(index) { core, now throws(SessionRefusal) in
      switch kind {
      case 0: try core.start(beginning, now: now)
      case 1:
        // Interrupts a count-in.
        try core.start(beginning, now: now)
        try core.stop(at: grid, now: now)
      case 2:
        try core.start(beginning, now: now)
        try core.handOver(to: id, now: now)
      case 3: try core.setTempo(tempo, over: 64 * size, at: grid, now: now)
      case 4:
        try core.setTempo(tempo, over: 16 * size, at: grid, now: now)
        try core.setMeter(meter, now: now)
        if size < 0.5 { try core.handOver(to: id, now: now) }
      case 5:
        try core.stop(at: grid, now: now)
        try core.start(beginning, now: now)
      case 6:
        core.callForSilence(now: now)
        core.ask(anyRoom: true)
      default:
        try core.takeBaton(now: now)
        try core.stop(at: grid, now: now)
      }
    }
  }
}
