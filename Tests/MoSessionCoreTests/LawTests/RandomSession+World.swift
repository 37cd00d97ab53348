import Glibc
import MoCore
import MoSessionCore
import MoSessionSimulation

/// The events of a bad world.
///
/// Histories with several origins, networks with missing links, cloned disks, laptops that sleep, and a member that
/// replays, forges numbers and impersonates others.
extension RandomSession {
  mutating func prepareWorld() {
    guard var chance = world else { return }
    defer { world = chance }
    if chance.unit() < 0.5 {
      for index in 0..<count { orchestra.parts[index] = Int(chance.next() % 3) }
    }
    if chance.unit() < 0.25 {
      let original = orchestra.members[0].settings.identity.installation
      let replaced = orchestra.members[count - 1].settings.identity.installation
      orchestra.configure(count - 1) { $0.identity.installation = original }
      // They are laptops with one disk image, not two programs of one laptop, among which gates do not apply.
      for index in 0..<count { orchestra.configure(index) { $0.identity.machine = UInt64(index) + 1 } }
      // Otherwise an installation that no member has could be the only one to conduct.
      for index in 0..<count {
        orchestra.configure(index) { if $0.only == replaced { $0.only = original } }
      }
    }
    if chance.unit() < 0.3 { cutAtRest = Self.cutLinks(in: count, &chance) }
    if chance.unit() < 0.3, count > 2 { adversary = Int(chance.next() % UInt64(count)) }
  }

  /// Returns links that carry nothing in either direction, in a network that is connected all the same.
  private static func cutLinks(in count: Int, _ chance: inout SimulatedChance) -> Set<Int> {
    var cutLinks: Set<Int> = []
    let parents = (0..<count).map { $0 == 0 ? 0 : Int(chance.next() % UInt64($0)) }
    for one in 0..<count {
      for other in 0..<one where parents[one] != other && chance.unit() < 0.6 {
        cutLinks.formUnion([one * count + other, other * count + one])
      }
    }
    return cutLinks
  }

  /// Opens links until the network of the present members is connected, in each room.
  mutating func connectNetwork() {
    let rooms = Set(orchestra.members.map(\.settings.room)).sorted()
    for room in rooms { connectNetwork(in: room) }
  }

  private mutating func connectNetwork(in room: String) {
    let there = orchestra.members.indices.filter {
      orchestra.members[$0].core != nil && orchestra.members[$0].settings.room == room
    }
    var reached = Set(there.prefix(1))
    while let next = there.first(where: { !reached.contains($0) }) {
      let link = there.first { one in
        !reached.contains(one) && reached.contains { !orchestra.cut.contains($0 * count + one) }
      }
      if link == nil, let first = there.first {
        orchestra.cut.subtract([first * count + next, next * count + first])
      }
      reached.insert(link ?? next)
    }
  }

  /// Makes one of these events happen, or none.
  mutating func runWorldEvent() {
    guard var chance = world else { return }
    defer { world = chance }
    // In an order that does not depend on hashes, so that a session repeats with its seed.
    for index in asleep.keys.sorted() where orchestra.seconds >= asleep[index]?.until ?? 0 { wake(index) }
    let index = Int(chance.next() % UInt64(count))
    if let state = orchestra.members[index].core?.state, state.version != .none, states.count < 200 {
      states.append(state)
    }
    if chance.unit() < 0.02, orchestra.members[index].core != nil, asleep[index] == nil,
      !orchestra.isStalled(index)
    {
      // Five seconds to ten minutes; the time of stress includes only the beginning.
      sleep(index, seconds: 5 * exp2(7 * chance.unit()))
    }
    if let adversary, chance.unit() < 0.4 { forge(adversary, &chance) }
  }

  /// Closes a laptop's lid: nothing is sent, received or done, and its clock stops.
  private mutating func sleep(_ index: Int, seconds: Double) {
    asleep[index] = (orchestra.seconds, orchestra.seconds + seconds)
    orchestra.parts[index] = 1000 + index
    orchestra.stall(index, seconds: seconds)
    laws.stalled(index, until: orchestra.seconds + seconds)
  }

  mutating func wake(_ index: Int) {
    guard let sleep = asleep.removeValue(forKey: index) else { return }
    let missed = max(0, orchestra.seconds - sleep.since)
    orchestra.parts[index] = 0
    guard orchestra.members[index].core != nil else { return }
    orchestra.wake(index)
    laws.stepped(index)
    laws.stalled(index, until: orchestra.seconds + 3)
    orchestra.step(index, bySeconds: -missed)
  }

  // MARK: the forger

  private mutating func forge(_ index: Int, _ chance: inout SimulatedChance) {
    guard let core = orchestra.members[index].core, !orchestra.isStalled(index) else { return }
    let attacked = Int(chance.next() % UInt64(count))
    let other = orchestra.members[Int(chance.next() % UInt64(count))]
    let forged = forgedState(from: core.state, &chance)
    switch chance.next() % 6 {
    case 0:
      _ = orchestra.act(index) { core, now in
        core.agreement.state = forged
        core.sendWritten(at: now)
      }
    case 1:
      guard let old = states.randomElement(using: &chance) else { return }
      _ = orchestra.act(index) { core, now in
        for member in core.members.values { core.out.send(.state(from: core.me, old), to: member.endpoint) }
        core.drain(at: now)
      }
    case 2: sendForged(to: attacked, .state(from: other.settings.identity.member, forged), as: other)
    case 3: sendForged(to: attacked, .heard(from: other.settings.identity.member, forged.version), as: other)
    case 4:
      let bye = SessionMessage.bye(room: "Lab", from: other.settings.identity.member)
      sendForged(to: attacked, bye, as: other)
    default:
      guard case .hello(var hello) = Sample.hello(other.settings.identity.member) else { return }
      hello.identity = other.settings.identity
      hello.sent = other.host(at: orchestra.now)
      hello.summary = StateSummary(version: forged.version, base: core.base, pulse: .max - 5, stratum: 1)
      if chance.unit() < 0.5 {
        let evil = MemberID(chance.next() | 1)
        hello.summary.base = TimeBase(
          lineage: chance.unit() < 0.5 ? core.base?.lineage ?? evil : evil, founded: 0, term: 0, keeper: evil)
      }
      sendForged(to: attacked, .hello(hello), as: other)
    }
  }

  /// Sends a datagram with another member's source address.
  private mutating func sendForged(to attacked: Int, _ message: SessionMessage, as other: VirtualMember) {
    guard !orchestra.isStalled(attacked) else { return }
    _ = orchestra.act(attacked) { core, now in
      core.receive(message.encoded(), from: other.endpoint, at: now, now: now)
    }
  }

  private func forgedState(from state: SessionState, _ chance: inout SimulatedChance) -> SessionState {
    var forged = chance.unit() < 0.5 ? state : states.randomElement(using: &chance) ?? state
    let holder = orchestra.members[Int(chance.next() % UInt64(count))].settings.identity
    let jump = UInt32([1, 60, 4000, 1 << 20, 1 << 30][Int(chance.next() % 5)])
    let next = StateVersion(counter: state.version.counter &+ jump, holder: holder.member, revision: 65_536)
    if chance.unit() < 0.5 { forged.begin(next) } else { forged.version = next }
    forged.isHeld = chance.unit() < 0.5
    forged.holderInstallation = holder.installation
    switch chance.next() % 5 {
    case 0: forged.policy.only = holder.installation
    case 1: forged.policy.gates = .monarchic(holder.installation)
    case 2: forged.policy = SessionPolicy()
    case 3: (forged.policy.lifted, forged.policy.only) = (state.policy.only, .nobody)
    default: break
    }
    return forged
  }

  /// Returns whether a person can conduct by following the refusals: joining parts or lifting an exclusive right if
  /// needed.
  mutating func somebodyConducts() -> Bool {
    for index in 0..<count {
      guard let core = orchestra.members[index].core else { continue }
      let host = orchestra.members[index].host(at: orchestra.now)
      if core.conductor(at: host) != nil { return true }
      let done: Void? = try? orchestra.act(index) { core, now throws(SessionRefusal) in
        if case .reserved = Self.refusal(core, now) { try core.liftConductorOnly(now: now) }
        if case .away = Self.refusal(core, now) { return try core.takeBaton(now: now) }
        try core.start(.init(), now: now)
      }
      if done != nil { return true }
    }
    return false
  }

  private static func refusal(_ core: SessionCore, _ now: HostTime) -> SessionRefusal? {
    var copy = core
    do throws(SessionRefusal) { try copy.start(.init(), now: now) } catch { return error }
    return nil
  }
}
