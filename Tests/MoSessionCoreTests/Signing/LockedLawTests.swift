import Glibc
import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Random sessions in a locked room")
struct LockedLawTests {
  /// Two sessions in the normal run; MOMU_LAW_SEEDS asks for more.
  private static let seeds: Range<UInt64> = {
    let count = getenv("MOMU_LAW_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 16
    return 1..<max(2, count / 8) + 1
  }()

  /// Returns a forged state, one step newer, which a member with the passkey attributes to another.
  private func forgery(of state: SessionState, by key: TestSigner, _ chance: inout SimulatedChance)
    -> SessionMessage
  {
    var state = state
    state.version = state.version.next(heldBy: state.version.holder, after: state.version.counter, at: .zero)
    state.isHeld = chance.unit() < 0.5
    let body = SessionMessage.state(from: MemberID(1), state).encoded()
    var seal = key.publicKey + key.sign(SignedMessage.text(body, room: "Lab", to: .nobody))
    switch chance.next() % 3 {
    case 0: break
    // Another member's seal, or that member's key before a signature by the forger.
    case 1: seal = state.signature?.seal ?? seal
    default: seal.replaceSubrange(0..<32, with: state.signature?.seal.prefix(32) ?? seal[0..<32])
    }
    return .signed(from: MemberID(1), SignedMessage(body: body, seal: seal))
  }

  /// Makes every member send forged states to every other; returns the number of detected forgeries.
  private func attack(_ orchestra: inout VirtualOrchestra, _ chance: inout SimulatedChance) -> Int {
    var seen = 0
    for from in orchestra.members.indices {
      for to in orchestra.members.indices where from != to {
        guard let state = orchestra.members[from].core?.state, state.version != .none,
          case .signed(_, let forged) = forgery(of: state, by: TestSigner(99), &chance)
        else { continue }
        let before = orchestra.members[to].core?.counts.forged ?? 0
        orchestra.forge(.signed(from: orchestra.id(from), forged), from: from, to: to)
        seen += (orchestra.members[to].core?.counts.forged ?? 0) - before
      }
    }
    return seen
  }

  @Test(
    "after a quiet time all agree, each state was signed by its holder, and no honest one counts as forged"
  )
  func laws() {
    var seenInAll = 0
    for seed in Self.seeds {
      let isAttacked = seed % 2 == 0
      var session = RandomSession(seed: 77_000 + seed)
      for index in 0..<session.count { session.orchestra.configure(index) { $0.lock(index + 1) } }
      var chance = SimulatedChance(seed: seed)
      var seen = 0
      for _ in 0..<4 {
        session.stress(seconds: 5)
        if isAttacked { seen += attack(&session.orchestra, &chance) }
      }
      if !isAttacked { #expect(seen == 0, "seed \(seed)") }
      seenInAll += seen
      session.quiet(seconds: 40)
      #expect(session.laws.broken.prefix(3) == [], "seed \(seed)")
      #expect(SessionLaws.disagreement(in: session.orchestra) == [], "seed \(seed)")
      #expect(session.plays.broken.prefix(3) == [], "seed \(seed)")
      for core in session.orchestra.members.compactMap(\.core) {
        if !isAttacked { #expect(core.counts.forged == 0, "seed \(seed)") }
        guard core.state.version != .none else { continue }
        let seal = core.state.signature?.seal ?? []
        let signer = TestSigner(1).installation(of: Array(seal.prefix(32)))
        #expect(signer == core.state.holderInstallation || core.state.version.isHanded, "seed \(seed)")
        #expect(signer != TestSigner(99).installation, "seed \(seed)")
      }
    }
    // A single session may have no state that could be forged.
    #expect(seenInAll > 0)
  }
}
