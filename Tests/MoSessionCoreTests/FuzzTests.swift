import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Random and forged datagrams")
struct FuzzTests {
  /// Returns a mutation of a datagram: flipped bits, harmful bytes, truncated, duplicated, or two spliced.
  static func mutated(_ datagram: [UInt8], with other: [UInt8], _ chance: inout SimulatedChance) -> [UInt8] {
    var bytes = datagram
    for _ in 0...(chance.next() % 4) where !bytes.isEmpty {
      let place = Int(chance.next() % UInt64(bytes.count))
      switch chance.next() % 8 {
      case 0...2: bytes[place] ^= 1 << UInt8(chance.next() % 8)
      case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][Int(chance.next() % 5)]
      case 4:
        // Fills an aligned value of OSC with extremes.
        for index in (place & ~3)..<min(bytes.count, (place & ~3) + 8) {
          bytes[index] = [0, 0xFF, 0x7F, 0x80][Int(chance.next() % 4)]
        }
      case 5: bytes.removeLast(Int(chance.next() % UInt64(bytes.count)))
      case 6: bytes.insert(contentsOf: bytes[place...].prefix(64), at: place)
      default: bytes = Array(bytes[..<place]) + other.dropFirst(place)
      }
    }
    return bytes
  }

  @Test("any datagram: nothing traps, memory and output stay bounded, and the clock still works")
  func fuzz() {
    var chance = SimulatedChance(seed: 4)
    for round in 0..<40 {
      var core = SessionCore(
        SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
      var now = HostTime.zero
      var seeds = Sample.messages.map { $0.encoded() } + [Sample.hello(MemberID(3)).encoded()]
      if round % 2 == 0 { core.handshake(Sample.hello(base: Sample.base), at: Self.endpoint(1), now: now) }
      for _ in 0..<2500 {
        now = now.advanced(bySeconds: 0.02 * chance.unit())
        let datagram = seeds[Int(chance.next() % UInt64(seeds.count))]
        let other = seeds[Int(chance.next() % UInt64(seeds.count))]
        let mutated = chance.unit() < 0.2 ? datagram : Self.mutated(datagram, with: other, &chance)
        core.receive(mutated, from: Self.endpoint(UInt16(1 + chance.next() % 50)), at: now, now: now)
        if chance.unit() < 0.01 { try? core.start(.init(), now: now) }
        if chance.unit() < 0.01 { try? core.setTempo(90, now: now) }
        if chance.unit() < 0.002 { core.clockStepped(at: now) }
        // A tick may cause work for a second one, but not for a third.
        core.tick(at: now)
        core.tick(at: now)
        let outgoing = core.drainOutgoing()
        // Its own datagrams are seeds, too: its pings have answers.
        if let sent = outgoing.randomElement(using: &chance) {
          seeds[Int(chance.next() % 15)] = sent.datagram
        }
        #expect(outgoing.count < 3000)
        _ = core.drainEvents()
        #expect(core.nextTick > now)
        _ = core.roster(at: now)
        _ = core.beatClock.position(at: now)
        _ = core.beatClock.time(of: .bar, from: now)
        _ = core.errorBound(at: now)
        _ = core.otherRooms
      }
      #expect(core.members.count <= Roster.mostMembers)
      #expect(core.clock.measured.count <= 4)
      #expect(core.followers.count <= 16)
      #expect(core.otherRooms.count <= 64)
      #expect(core.counts.malformed > 100)
    }
  }

  @Test(
    "any value of any message may be extreme: both ends of a member's state, NaN, or missing")
  func extremes() {
    let words: [UInt32] = [
      0, 1, 0x7FFF_FFFF, 0x8000_0000, .max, 0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF,
    ]
    let pairs: [UInt64] = [
      0, 1, .max, 1 << 63, 1 << 63 - 1, 0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0000, 0xFFF0_0000_0000_0000,
      0x7FEF_FFFF_FFFF_FFFF, 0x41DF_FFFF_FFC0_0000,
    ]
    for message in Sample.messages {
      let datagram = message.encoded()
      for place in stride(from: 0, to: datagram.count - 3, by: 4) {
        var core = SessionCore(
          SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
        var now = HostTime.zero
        func receive(_ bytes: [UInt8]) {
          now = now.advanced(bySeconds: 0.001)
          core.receive(bytes, from: Self.endpoint(1), at: now, now: now)
        }
        for word in words {
          core.handshake(Sample.hello(base: Sample.base), at: Self.endpoint(1), now: now)
          var changed = datagram
          for index in 0..<4 {
            changed[place + index] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
          }
          receive(changed)
          core.tick(at: now)
        }
        guard place + 8 <= datagram.count else { continue }
        for pair in pairs {
          core.handshake(Sample.hello(base: Sample.base), at: Self.endpoint(1), now: now)
          var changed = datagram
          for index in 0..<8 {
            changed[place + index] = UInt8(truncatingIfNeeded: pair >> UInt64(56 - 8 * index))
          }
          receive(changed)
          core.tick(at: now)
        }
        #expect(core.beatClock.position(at: now).map { $0.beat.isFinite } != false)
        #expect(core.counts.received >= 2 * words.count)
      }
    }
  }

  static func endpoint(_ port: UInt16) -> SessionEndpoint { SessionEndpoint(high: 7, port: port) }

  @Test("forged hellos create no members, and get 64 challenges a second of 52 bytes")
  func forged() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    var (came, sent) = (0, 0)
    for index in 1...3000 as ClosedRange<UInt64> {
      let hello = Sample.hello(MemberID(index << 20)).encoded()
      came += hello.count
      core.receive(
        hello, from: SessionEndpoint(high: index << 32, port: 6450), at: .zero, now: .zero)
    }
    let outgoing = core.drainOutgoing()
    for one in outgoing {
      sent += one.datagram.count
      #expect(one.datagram.count <= 52)
    }
    #expect(outgoing.count == 64)
    #expect(sent <= 2 * came)
    #expect(core.roster(at: .zero).count == 1)
    #expect(core.drainEvents() == [])
  }

  @Test("an address that received our multicast is challenged even during forged hellos")
  func listeners() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    core.tick(at: .zero)
    let first = core.drainOutgoing().first
    guard case .hello(let call)? = first.flatMap({ try? SessionMessage(datagram: $0.datagram) }) else {
      Issue.record("no call")
      return
    }
    for index in 1...3000 as ClosedRange<UInt64> {
      core.receive(
        Sample.hello(MemberID(index << 20)).encoded(), from: SessionEndpoint(high: index << 32, port: 6450),
        at: .zero, now: .zero)
    }
    _ = core.drainOutgoing()
    let newcomer = SessionEndpoint(high: 9 << 32, port: 7)
    let proof = SessionMessage.Proof(from: Sample.other, token: 5, echo: call.token, method: .multicast)
    core.receive(SessionMessage.prove(proof).encoded(), from: newcomer, at: .zero, now: .zero)
    #expect(core.drainOutgoing().map(\.destination) == [.one(newcomer)])
  }

  @Test("one address has room for 16 members, and the room for 256")
  func members() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    for index in 1...20 as ClosedRange<UInt64> {
      core.handshake(Sample.hello(MemberID(index << 20)), at: Self.endpoint(UInt16(index)), now: .zero)
    }
    #expect(core.roster(at: .zero).count == 1 + 16)
    for index in 1...3000 as ClosedRange<UInt64> {
      let endpoint = SessionEndpoint(high: index << 32, port: 6450)
      core.handshake(Sample.hello(MemberID(index << 40)), at: endpoint, now: .zero)
    }
    #expect(core.roster(at: .zero).count == 1 + 256)
    #expect(core.counts.unwanted == 4 + 3000 - 240)
  }

  @Test("a flood of rooms fills the list of rooms to its limit; silent rooms are forgotten")
  func rooms() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    for index in 1...500 as ClosedRange<UInt64> {
      for room in ["A\(index)", "B"] {
        core.receive(
          Sample.hello(MemberID(index << 20), room: room).encoded(), from: Self.endpoint(1), at: .zero,
          now: .zero)
      }
    }
    #expect(core.otherRooms.count == 64)
    #expect(core.otherRooms.map(\.members).max() == 256)
    for step in 1...60 { core.tick(at: HostTime(seconds: Double(step) * 0.25)) }
    #expect(core.otherRooms.isEmpty)
  }

  @Test("strangers that send without a hello are challenged, 64 a second at most")
  func withoutHello() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    for index in 1...200 as ClosedRange<UInt64> {
      core.receive(
        SessionMessage.panic(from: MemberID(index << 9), number: 1).encoded(), from: Self.endpoint(1),
        at: .zero, now: .zero)
    }
    #expect(core.drainOutgoing().count == 64)
    #expect(core.drainEvents() == [])
  }

  @Test("questions for members get five answers a second at most, each at most twice their bytes")
  func asked() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    let question = SessionMessage.who(room: "*").encoded()
    for _ in 0..<100 { core.receive(question, from: Self.endpoint(1), at: .zero, now: .zero) }
    let answers = core.drainOutgoing()
    #expect(answers.count == 5)
    #expect(answers.allSatisfy { $0.datagram.count <= 2 * question.count })
    core.receive(question, from: Self.endpoint(1), at: HostTime(seconds: 1), now: HostTime(seconds: 1))
    #expect(core.drainOutgoing().count == 1)
    // A short question: the address, ",isb", the version, "*" and an empty blob.
    let short = Array(question.prefix(12 + 8 + 4 + 4)) + [0, 0, 0, 0]
    core.receive(short, from: Self.endpoint(1), at: HostTime(seconds: 2), now: HostTime(seconds: 2))
    #expect(core.drainOutgoing().isEmpty)
    #expect(core.counts.malformed == 0 && core.counts.unwanted == 1)
  }

  @Test("a member is answered five times a second at most, however many hellos are forged in its name")
  func greeted() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    let hellos = { (core: inout SessionCore) in
      core.drainOutgoing().count { $0.datagram.starts(with: Array("/momu/hello".utf8)) }
    }
    for _ in 0..<100 { core.handshake(Sample.hello(), at: Self.endpoint(1), now: .zero) }
    #expect(hellos(&core) == 5)
    core.handshake(Sample.hello(), at: Self.endpoint(1), now: HostTime(seconds: 1))
    #expect(hellos(&core) == 1)
  }

  @Test("an epoch beyond the plausible range is refused: no member could ever conduct after it")
  func lastEpoch() throws {
    for wasThere in [false, true] {
      var core = SessionCore(
        SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
      core.handshake(Sample.hello(base: Sample.base), at: Self.endpoint(1), now: .zero)
      var state = Sample.state(segments: 1)
      if wasThere {
        core.receive(
          SessionMessage.state(from: Sample.other, state).encoded(), from: Self.endpoint(1), at: .zero,
          now: .zero)
        #expect(core.agreement.highestEpoch == 7)
      }
      state.version.counter = .max
      core.receive(
        SessionMessage.state(from: Sample.other, state).encoded(), from: Self.endpoint(1), at: .zero,
        now: .zero)
      #expect(core.agreement.highestEpoch == (wasThere ? 7 : 0))
      #expect(core.counts.unwanted == 1)
      #expect(core.state.version.counter != .max)
    }
  }

  @Test("epochs cannot be used up by jumps: one a second is accepted, of 4,095 at most")
  func leaps() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    core.handshake(Sample.hello(base: Sample.base), at: Self.endpoint(1), now: .zero)
    var state = Sample.state(segments: 1)
    for step in 0..<100_000 {
      let now = HostTime(seconds: Double(step) * 0.001)
      core.receive(
        SessionMessage.state(from: Sample.other, state).encoded(), from: Self.endpoint(1), at: now, now: now)
      state.version.counter = core.agreement.highestEpoch + [64, 4095, 1 << 20 - 1, 1 << 30][step % 4]
    }
    // 64 at a time is the most that a member could take the baton for.
    #expect(core.agreement.highestEpoch < 100 * 4096 + 25_100 * 64)
    #expect(core.counts.unwanted > 70_000)
  }

  @Test("names and rooms with characters unsafe in a terminal are kept from it")
  func texts() {
    let name = "\u{1B}[2JAda\nB\u{2028}" + String(repeating: "e\u{301}\u{302}\u{303}", count: 500)
    let sanitized = Sample.identity(Sample.other, name).name
    #expect(sanitized.hasPrefix("[2JAdaB"))
    #expect(sanitized.utf8.count <= 480)
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    core.receive(
      Sample.hello(room: "\u{1B}[2J").encoded(), from: Self.endpoint(1), at: .zero, now: .zero)
    #expect(core.otherRooms.isEmpty)
    #expect(core.counts.malformed == 1)
  }
}
