import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  /// Sets a cell, as a person at the screen does.
  mutating func set(_ index: Int, _ key: Int64, to value: UInt16, of name: String = "drums") throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      let cell = core.sharing.store[name, key].changed(to: value, by: UInt16(index + 1))
      try core.share(SharedEdits(name, [SharedEdit(key: key, cell: cell)]), now: now)
    }
  }

  func cells(_ index: Int, of name: String = "drums") -> [Int64: UInt16] {
    core(index).sharing.store.things[name]?.mapValues(\.value) ?? [:]
  }
}

@Suite("Shared data")
struct SharedTests {
  @Test("a digest does not depend on the order of changes, and differs if one cell does")
  func digest() {
    var chance = SimulatedChance(seed: 8)
    var edits = (0..<300).map { key in
      SharedEdit(key: key % 40, cell: SharedCell(value: UInt16(key), count: UInt32(1 + key / 40), author: 1))
    }
    var stores = [SharedStore(), SharedStore()]
    for place in 0..<2 {
      for edit in edits { _ = stores[place].merge(SharedEdits("a", [edit])) }
      edits.shuffle(using: &chance)
    }
    #expect(stores[0].digest == stores[1].digest)
    #expect(stores[0].things == stores[1].things)
    #expect(SharedStore().digest == 0)
    let other = SharedEdit(key: 39, cell: SharedCell(value: 1, count: 99, author: 1))
    _ = stores[1].merge(SharedEdits("a", [other]))
    #expect(stores[0].digest != stores[1].digest)
    _ = stores[0].merge(SharedEdits("b", [other]))
    #expect(stores[0].digest != stores[1].digest)
  }

  @Test(
    "a newcomer knows the room's shared data within two seconds, and reports so only then",
    arguments: [SimulatedNetwork.wire, .badWiFi], [true, false])
  func newcomer(network: SimulatedNetwork, isEmpty: Bool) throws {
    var orchestra = VirtualOrchestra.room(4, on: network)
    #expect(orchestra.core(0).knowsShared)
    orchestra.crash(3)
    orchestra.pass(3)
    if !isEmpty { try orchestra.set(1, 7, to: 800) }
    orchestra.pass(1)
    orchestra.join(3)
    let joined = orchestra.seconds
    while !orchestra.core(3).knowsShared, orchestra.seconds < joined + 20 { orchestra.pass(0.01) }
    #expect(orchestra.seconds < joined + (network == .wire ? 2 : 6))
    #expect(orchestra.cells(3) == (isEmpty ? [:] : [7: 800]))
  }

  @Test("a cell that one member sets is set on all, and concurrent changes converge")
  func converge() throws {
    for network in [SimulatedNetwork.wire, .badWiFi] {
      var orchestra = VirtualOrchestra.room(5, on: network)
      try orchestra.set(0, 7, to: 800)
      orchestra.pass(1)
      #expect((0..<5).allSatisfy { orchestra.cells($0) == [7: 800] })
      var chance = SimulatedChance(seed: 3)
      for step in 0..<300 {
        try orchestra.set(
          Int(chance.next() % 5), Int64(chance.next() % 6), to: UInt16(step),
          of: step % 2 == 0 ? "drums" : "a")
        orchestra.pass(0.01 * chance.unit())
      }
      orchestra.pass(5)
      for index in 1..<5 {
        #expect(orchestra.core(index).sharing.store.things == orchestra.core(0).sharing.store.things)
      }
    }
  }

  @Test("a whole board is sent in few datagrams, and a newcomer has it within a second")
  func newcomer() throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi)
    orchestra.crash(3)
    orchestra.pass(6)
    let before = orchestra.members[1].sent.datagrams
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      for key in 0..<241 as Range<Int64> {
        let cell = SharedCell(value: UInt16(key), count: 1, author: 1)
        try core.share(SharedEdits("drums", [SharedEdit(key: key, cell: cell)]), now: now)
      }
    }
    orchestra.pass(0.05)
    #expect(orchestra.members[1].sent.datagrams - before < 20)
    orchestra.pass(1)
    orchestra.join(3)
    orchestra.pass(2)
    #expect((0..<4).allSatisfy { orchestra.cells($0).count == 241 })
    #expect(orchestra.cells(3) == orchestra.cells(1))
    // A received change is delivered to the program once.
    let delivered = orchestra.heard(3).reduce(0) { count, heard in
      guard case .cells(let cells) = heard.play else { return count }
      return count + cells.edits.count
    }
    #expect(delivered == 241)
  }

  @Test("separated parts merge the changes of both, even if the keeper is another one then")
  func healed() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
      orchestra.parts = [0, 0, 1, 1]
      orchestra.pass(7)
      for key in 0..<4 as Range<Int64> { try orchestra.set(Int(key), key, to: 5) }
      try orchestra.set(1, 9, to: 1)
      try orchestra.set(2, 9, to: 2)
      orchestra.pass(7)
      if seed % 2 == 0 { orchestra.crash(0) }
      orchestra.parts = [0, 0, 0, 0]
      orchestra.pass(12)
      for index in 1..<4 { #expect(orchestra.cells(index) == [0: 5, 1: 5, 2: 5, 3: 5, 9: 2], "\(seed)") }
    }
  }

  @Test("members with the same shared data request nothing")
  func thrift() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.set(0, 1, to: 1)
    orchestra.pass(5)
    let before = orchestra.members.map(\.sent.datagrams)
    orchestra.pass(10)
    let shared = zip(orchestra.members, before).map { $0.sent.datagrams - $1 }
    var other = VirtualOrchestra.room(3)
    other.pass(5)
    let alone = other.members.map(\.sent.datagrams)
    other.pass(10)
    for (index, member) in other.members.enumerated() {
      #expect(abs(shared[index] - (member.sent.datagrams - alone[index])) <= 3)
    }
  }

  @Test("a store never exceeds its limit, whichever member fills it")
  func bounds() throws {
    var orchestra = VirtualOrchestra.room(2)
    let (from, to, there) = (orchestra.id(0), orchestra.id(1), orchestra.members[0].endpoint)
    _ = orchestra.act(1) { core, now in
      for number in 1...100 as ClosedRange<Int32> {
        let edits = (0..<56).map { key in
          SharedEdit(key: key + 56 * Int64(number), cell: SharedCell(value: 1, count: 1, author: 1))
        }
        let message = PlayMessage(
          from: from, to: to, stream: 10, number: number, first: 1, stamp: nil,
          play: .cells(SharedEdits("a\(number % 40)", edits)))
        core.receive(
          SessionMessage.play(message).encoded(), from: there, at: now, now: now
        )
      }
    }
    #expect(orchestra.core(1).sharing.store.count == 1792)
    #expect(orchestra.core(1).sharing.store.things.count <= 32)
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in
        try core.share(
          SharedEdits("a1", [SharedEdit(key: -1, cell: SharedCell(value: 1, count: 1, author: 1))]), now: now)
      }?.description
        == "a room shares at most 1792 settings of 32 things: use a smaller machine")
  }

  @Test("a section receives its plays; an unknown or empty one is refused with a readable text")
  func sections() throws {
    var orchestra = VirtualOrchestra.room(4)
    func refused(_ section: String) -> String? {
      orchestra.refusal(0) { core, now throws(SessionRefusal) in
        try core.play(.hit(SessionHit(force: 1)), to: .section(section), at: .now, now: now)
      }?.description
    }
    #expect(refused("drums") == "there is no section \"drums\": assign a member to it first")
    for (section, member) in [("drums", 1), ("drums", 2), ("bass", 3)] {
      let id = orchestra.id(member)
      _ = try orchestra.act(3) { core, now throws(SessionRefusal) in
        try core.setSection(section, of: id, now: now)
      }
    }
    orchestra.pass(1)
    #expect((0..<4).allSatisfy { orchestra.core($0).sections == ["bass", "drums"] })
    try orchestra.play(0, .hit(SessionHit(force: 1)), to: .section("drums"))
    orchestra.pass(0.5)
    let hits = (0..<4).map { index in
      orchestra.heard(index).count { if case .hit = $0.play { true } else { false } }
    }
    #expect(hits == [0, 1, 1, 0])
    #expect(
      refused("drumz")
        == "there is no section \"drumz\": did you mean \"drums\"? The sections are bass, drums")
    orchestra.crash(3)
    orchestra.pass(9)
    #expect(refused("bass") == "no member of the section \"bass\" is here")
    // A member that comes back is in its section, and knows all of it.
    orchestra.join(3)
    orchestra.pass(3)
    #expect(refused("bass") == nil)
    #expect(orchestra.core(3).sections == ["bass", "drums"])
  }

  @Test("junk in a full store makes room after an hour without its sender; cells of present members stay")
  func eviction() throws {
    var orchestra = VirtualOrchestra.room(4)
    for key in 0..<8 as Range<Int64> { try orchestra.set(0, key, to: 5, of: "kept") }
    for thing in 0..<31 {
      let edits = (0..<57).map { key in
        SharedEdit(key: Int64(key), cell: SharedCell(value: 1, count: 1, author: 9))
      }
      _ = try orchestra.act(3) { core, now throws(SessionRefusal) in
        try core.share(SharedEdits("junk \(thing)", edits), now: now)
      }
      orchestra.pass(0.5)
    }
    orchestra.crash(3)
    orchestra.pass(10)
    #expect(throws: SessionRefusal.tooManyCells) { try orchestra.set(1, 1, to: 7, of: "ours") }
    for index in 0..<3 { #expect(orchestra.core(index).sharing.store.things.count == 32) }
    // An hour later by their clocks: present cells keep their times.
    for index in 0..<3 {
      _ = orchestra.act(index) { core, _ in core.sharing.store.shift(by: -3_600_000_000_000) }
    }
    orchestra.pass(11)
    try orchestra.set(1, 1, to: 7, of: "ours")
    orchestra.pass(30)
    for index in 0..<3 {
      #expect(orchestra.cells(index, of: "ours") == [1: 7])
      #expect(orchestra.cells(index, of: "kept").count == 8)
      #expect(orchestra.core(index).sharing.store.digest == orchestra.core(0).sharing.store.digest)
      #expect(orchestra.core(index).sharing.store.things.count == 32)
    }
  }
}
