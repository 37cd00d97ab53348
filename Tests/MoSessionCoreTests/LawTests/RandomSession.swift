import MoCore
import MoSessionCore
import MoSessionSimulation

/// A random session on a bad network, reproducible by its seed.
struct RandomSession {
  var orchestra: VirtualOrchestra
  var laws: SessionLaws
  var plays: PlayLaws
  private var chance: SimulatedChance
  /// Randomness of the plays, separate so that all other events stay the same.
  private var players: SimulatedChance
  /// Randomness of rare events, separate so that older seeds stay the same; nil for none.
  var rareEvents: SimulatedChance?
  let count: Int
  /// Whether people of all parts decide at the same moment which part to join.
  private let decidesAtOnce: Bool
  /// Whether there may be enough members for multicasts.
  var isCrowd: Bool { count > 9 }
  /// Whether gates are set.
  var hasGates = true
  /// Randomness of a bad world: see `RandomSession+World`; nil for none.
  var world: SimulatedChance?
  /// The links that carry nothing in the quiet time.
  var cutAtRest: Set<Int> = []
  /// The member that forges; nil for none.
  var adversary: Int?
  /// The sleeping machines, with start and end of their sleep in seconds.
  var asleep: [Int: (since: Double, until: Double)] = [:]
  /// States seen so far, for the forger to replay.
  var states: [SessionState] = []
  /// The clock of each member, and the states that it has followed on this clock since the last event; nil while events
  /// happen.
  private var followed: [(clock: MemberID?, states: [StateAncestor], returns: Int)]?
  /// Members that returned twice to states which they had left, though no person changed anything.
  var returns: [String] = []

  /// - Parameters:
  ///   - isWide: whether rare events happen, too: see `RandomSession+RareEvents`.
  ///   - isBad: whether histories have several origins, disks are cloned, laptops sleep, and a member forges.
  ///   - crowd: the limit of members; nil for two to seven.
  init(seed: UInt64, isWide: Bool = false, isBad: Bool = false, crowd: Int? = nil) {
    var chance = SimulatedChance(seed: seed &* 7919)
    let few = 2 + Int(chance.next() % 6)
    count = crowd ?? few
    decidesAtOnce = seed.isMultiple(of: 3)
    orchestra = VirtualOrchestra(count: count, network: Self.network(&chance), skew: 100e-6, seed: seed)
    laws = SessionLaws(count: count)
    plays = PlayLaws(count: count)
    players = SimulatedChance(seed: seed &* 104_729)
    self.chance = chance
    if isWide { rareEvents = SimulatedChance(seed: seed &* 1_299_709) }
    if var chance = rareEvents {
      reserve(&chance)
      rareEvents = chance
    }
    if isBad { world = SimulatedChance(seed: seed &* 15_485_863) }
    prepareWorld()
    for index in 0..<count {
      orchestra.extraDelays[index] = self.chance.unit() < 0.3 ? 0.02 * self.chance.unit() : 0
    }
  }

  /// Returns any network, from a cable to one that loses 30 % and delays by up to half a second.
  static func network(_ chance: inout SimulatedChance) -> SimulatedNetwork {
    switch chance.next() % 4 {
    case 0: return .wire
    case 1: return .goodWiFi
    case 2: return .badWiFi
    default:
      var network = SimulatedNetwork(
        floor: 0.001 + 0.1 * chance.unit(), queue: 0.001 + 0.02 * chance.unit(), spread: 1.5 * chance.unit(),
        loss: 0.3 * chance.unit(), burst: 1 + 5 * chance.unit())
      network.duplication = 0.2 * chance.unit()
      network.reorders = chance.unit() < 0.5
      network.longest = 0.5
      network.multicastInterval = chance.unit() < 0.3 ? 0.1 : 0
      return network
    }
  }

  /// Makes everything happen at the same time for some seconds.
  mutating func stress(seconds: Double) {
    let end = orchestra.seconds + seconds
    for index in 0..<count where chance.unit() < 0.7 { orchestra.join(index) }
    while orchestra.seconds < end {
      runEvent(at: Int(chance.next() % UInt64(count)))
      play()
      runRareEvent()
      runWorldEvent()
      run(seconds: 0.02 + 0.5 * chance.unit() * chance.unit())
    }
  }

  /// Restores the network and lets time pass without events.
  mutating func quiet(seconds: Double) {
    orchestra.network = .wire
    if let adversary { orchestra.crash(adversary) }
    for index in asleep.keys.sorted() { wake(index) }
    orchestra.cut = cutAtRest
    for index in 0..<count {
      orchestra.parts[index] = 0
      orchestra.extraDelays[index] = 0
    }
    if orchestra.members.allSatisfy({ $0.core == nil }) { orchestra.join(0) }
    connectNetwork()
    // States that were written last count as written at the same time; late copies of one may go round until then.
    run(seconds: Agreement.race + 1)
    followed = Array(repeating: (nil, [], 0), count: count)
    run(seconds: seconds / 2 - Agreement.race - 1)
    // The exclusive right of an installation that has left holds for a minute.
    let mayWait = orchestra.members.contains { member in
      guard let agreement = member.core?.agreement, agreement.reportedPart != nil else { return false }
      return agreement.absence(of: agreement.only, at: member.host(at: orchestra.now)) != nil
    }
    if mayWait { run(seconds: Agreement.lapse) }
    followed = nil
    decide()
    run(seconds: seconds / 2)
  }

  /// Returns disagreements that are still there five seconds later: at one moment, news may be in transit.
  mutating func disagreement() -> [String] {
    let isComplete = cutAtRest.isEmpty
    guard !SessionLaws.disagreement(in: orchestra, isComplete: isComplete).isEmpty else { return [] }
    // A member that learned late of a start plays on to its bar line, which may be 20 s away. So does a member that
    // joins another part.
    let waits = orchestra.members.compactMap { member in
      let clock = member.core?.clock
      return (clock?.upcoming?.at ?? clock?.merge?.at)?.seconds(since: member.host(at: orchestra.now))
    }
    // A clock that was far off jumps at the next bar line, or moves slowly while it plays.
    let isCorrecting = orchestra.members.contains { member in
      guard let clock = member.core?.clock else { return false }
      return clock.sync.correctAt != nil
        || abs(clock.beatClock.clock.gap(at: member.host(at: orchestra.now))) > 1e6
    }
    // For ten seconds after that, the other members show the part that it has left.
    let isApart = orchestra.members.contains { $0.core?.partBeside != nil }
    let longest = max(5, min(60, (waits.max() ?? 0) + 1), isCorrecting ? 60 : 0)
    run(seconds: longest + (isApart ? SeparatePart.memory : 0))
    let list = SessionLaws.disagreement(in: orchestra, isComplete: isComplete)
    // The owner of the exclusive right may give the room to any member, also by a forged state.
    guard let adversary, case let forger = orchestra.members[adversary].settings.identity.installation,
      orchestra.members.contains(where: { $0.settings.only == forger })
    else { return list }
    return list.filter { !$0.hasSuffix("who may not") }
  }

  /// Makes people join parts that play separately, until all follow one.
  ///
  /// One person decides at a time. In a third of the sessions, people of all parts decide at the same moment first.
  mutating func decide() {
    for round in 0..<count {
      let separated = orchestra.members.indices.filter { orchestra.members[$0].core?.partBeside != nil }
      var hasJoined = false
      for index in separated where !hasJoined || decidesAtOnce && round == 0 {
        let joined: Void? = try? orchestra.act(index) { core, now throws(SessionRefusal) in
          try core.joinOtherPart(now: now)
        }
        hasJoined = hasJoined || joined != nil
        // The next decision may replace the state of this decision at once.
        laws.check(in: orchestra)
      }
      guard hasJoined else { return }
      // It joins at a bar line; a member that does not hear the last messages forgets the part ten seconds later.
      run(seconds: 16)
    }
  }

  /// Makes each member play once for all others; returns the number of plays that members missed.
  mutating func missedPlays() -> Int {
    run(seconds: 6)
    var due = plays.received
    for index in 0..<count where orchestra.members[index].core != nil {
      let id = orchestra.members[index].settings.identity.member
      let core = orchestra.core(index)
      // Plays of a muted member, or in a silent room, go to no member.
      if core.isSilenced || !core.mutedSections.isEmpty { continue }
      let (mine, time) = (core.settings.identity.installation, orchestra.now)
      due += orchestra.members.count { other in
        // A member that ignores another receives its plays, and does not hear them. A separate part may have muted it.
        !other.settings.isHidden && other.core?.members[id]?.isIgnored == false
          && other.core?.isSilenced == false && other.core?.isMuted(mine, at: other.host(at: time)) == false
      }
      let melody = plays.next(at: orchestra.seconds)
      _ = try? orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.play(melody, to: .others, now: now)
      }
    }
    run(seconds: 1)
    return due - plays.received
  }

  /// Makes a member play something, immediately or for the next sixteenth.
  private mutating func play() {
    let index = Int(players.next() % UInt64(count))
    let (kind, other) = (players.unit(), Int(players.next() % UInt64(count)))
    let aim = kind < 0.7 ? SessionAim.others : .member(orchestra.members[other].settings.identity.member)
    let melody = plays.next(at: orchestra.seconds, overtakes: isCrowd && kind >= 0.7)
    let id = orchestra.members[index].settings.identity.member
    if orchestra.isStalled(index) { return }
    try? orchestra.act(index) { core, now throws(SessionRefusal) in
      try core.play(melody, to: aim, now: now)
      if kind < 0.3 {
        try core.play(.hit(SessionHit(force: 1)), to: .everyone, at: .next(.sixteenth), now: now)
      }
      let key = Int64(kind * 1000) % 20
      let cell = SharedCell(
        value: UInt16(other), count: core.sharing.store["drums", key].count + 1, author: UInt16(index))
      try core.share(SharedEdits("drums", [SharedEdit(key: key, cell: cell)]), now: now)
      core.setActivity(Float(kind), now: now)
      if kind < 0.1 {
        try core.setSection(kind < 0.05 ? "low" : "high", of: id, kind < 0.08, now: now)
        try core.play(.cue(SessionCue(.comeIn)), to: .others, now: now)
        try core.setLevel(Float(kind) * 9, ofSection: "low", now: now)
        try core.setMuted(kind < 0.03, section: "low", now: now)
      }
      if kind > 0.9 { try core.play(.change(SessionChange("wild", Float(kind))), to: .others, now: now) }
    }
  }

  mutating func run(seconds: Double) {
    let end = orchestra.seconds + seconds
    while end - orchestra.seconds > 1e-6 {
      orchestra.run(to: min(end, orchestra.seconds + 0.02))
      laws.check(in: orchestra)
      plays.check(in: orchestra)
      recordStates()
    }
  }

  /// Records the state that each member follows now, by its epoch and people's last change in it.
  private mutating func recordStates() {
    guard var followed else { return }
    for index in followed.indices {
      guard let core = orchestra.members[index].core, core.state.version.counter > 0 else { continue }
      let state = StateAncestor(epoch: core.state.version.epoch, revision: core.state.lastChange)
      if followed[index].clock != core.base?.lineage { followed[index] = (core.base?.lineage, [], 0) }
      guard state != followed[index].states.last else { continue }
      // Once is allowed: a fresh state may win against another as if written at the same time, and lose against it a
      // second later, when it is known that both parts had changed the music before they met.
      if followed[index].states.contains(state) { followed[index].returns += 1 }
      if followed[index].returns > 1 {
        returns.append("\(name(index)) returned again to \(core.state.version)")
      }
      followed[index].states.append(state)
    }
    self.followed = followed
  }

  private mutating func runEvent(at index: Int) {
    if orchestra.isStalled(index) { return }
    let isThere = orchestra.members[index].core != nil
    switch chance.next() % 24 {
    case 0: if isThere { orchestra.crash(index) }
    case 1...3:
      if !isThere {
        let isHidden = chance.unit() < 0.15
        orchestra.configure(index) { $0.isHidden = isHidden }
        orchestra.join(index)
      }
    case 4:
      if isThere {
        _ = orchestra.act(index) { core, now in core.leave(now: now) }
        orchestra.crash(index)
      }
    case 5: for other in 0..<count { orchestra.parts[other] = Int(chance.next() % 2) }
    case 6, 7: for other in 0..<count { orchestra.parts[other] = 0 }
    case 8:
      let seconds = (chance.unit() < 0.5 ? 1 : 1000) * (chance.unit() - 0.5)
      laws.stepped(index)
      orchestra.step(index, bySeconds: seconds)
    case 9: orchestra.network = Self.network(&chance)
    default: request(index)
    }
  }

  /// Makes a player's request, which may be refused.
  private mutating func request(_ index: Int) {
    let (kind, size, other) = (chance.next() % 12, chance.unit(), Int(chance.next() % UInt64(count)))
    let id = orchestra.members[other].settings.identity.member
    let installation = orchestra.members[other].settings.identity.installation
    var beginning = SessionCore.Beginning()
    let (tempo, meter) = (60 + 180 * size, Meter(2 + Int(chance.next() % 6), 4) ?? .common)
    (beginning.tempo, beginning.meter) = (tempo, meter)
    beginning.bar = 1 + Int(chance.next() % 9)
    beginning.countIn = Int(chance.next() % 2)
    let hasGates = hasGates
    try? orchestra.act(index) { core, now throws(SessionRefusal) in
      switch kind {
      case 0...2: try core.start(beginning, now: now)
      case 3: try core.stop(at: size < 0.5 ? .beat : .bar, now: now)
      case 4: try core.setTempo(tempo, over: size < 0.5 ? 0 : 8 * size, now: now)
      case 5: try core.setMeter(meter, now: now)
      case 6: try core.handOver(to: id, now: now)
      case 7: try core.takeBaton(now: now)
      case 8: core.callForSilence(now: now)
      case 10 where hasGates: try core.setGates(size < 0.5 ? .monarchic(installation) : .democratic, now: now)
      case 11 where hasGates: try core.setGate(Float(size), .rhythm, from: nil, to: nil, now: now)
      default: try core.setIgnored(size < 0.5, id)
      }
    }
  }
}
