import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Multicast messages")
struct MulticastTests {
  /// Returns the numbers of the strokes that a member has received from another, in order.
  static func strokes(_ orchestra: VirtualOrchestra, at index: Int, of other: Int) -> [Int] {
    orchestra.heard(index).compactMap { heard in
      guard case .note(let note) = heard.play, heard.from == orchestra.id(other) else { return nil }
      return Int(note.pitch)
    }
  }

  private static func stroke(_ number: Int) -> SessionPlay { .note(SessionNote(pitch: Float(number))) }

  @Test("two multicasts and an acknowledgement a second replace one datagram to each member")
  func thrift() throws {
    var orchestra = VirtualOrchestra.room(12)
    var other = orchestra
    for number in 0..<20 {
      try orchestra.play(0, Self.stroke(number), to: .others)
      orchestra.pass(0.25)
      other.pass(0.25)
    }
    orchestra.pass(3)
    other.pass(3)
    for index in 1..<12 { #expect(Self.strokes(orchestra, at: index, of: 0) == Array(0..<20)) }
    // A message without a beat is sent three times.
    #expect(orchestra.members[0].sent.toAll - other.members[0].sent.toAll == 60)
    #expect(abs(orchestra.members[0].sent.datagrams - other.members[0].sent.datagrams - 60) <= 5)
    for index in 1..<12 {
      #expect(orchestra.members[index].sent.datagrams - other.members[index].sent.datagrams <= 12)
    }
    #expect(orchestra.core(0).delivery.windows.values.allSatisfy { $0.waiting.isEmpty })
    #expect(orchestra.core(0).counts.undelivered == 0)
  }

  @Test(
    "all receive a multicast once and in order, whatever the network loses, duplicates and reorders",
    arguments: [1, 2, 3] as [UInt64])
  func lossy(seed: UInt64) throws {
    var network = SimulatedNetwork.badWiFi
    (network.loss, network.reorders, network.duplication) = (0.2, true, 0.1)
    var orchestra = VirtualOrchestra.room(12, seed: seed)
    orchestra.network = network
    for number in 0..<60 {
      try orchestra.play(number % 3, Self.stroke(number / 3), to: .everyone)
      orchestra.pass(0.1)
    }
    orchestra.network = .wire
    orchestra.pass(8)
    var (received, undelivered) = (0, 0)
    for index in 0..<12 {
      undelivered += orchestra.core(index).counts.undelivered
      for other in 0..<3 {
        let numbers = Self.strokes(orchestra, at: index, of: other)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
        received += numbers.count
      }
    }
    #expect(received + undelivered == 12 * 60)
    #expect(undelivered <= 5)
  }

  @Test("multicasts also reach members without multicast and late members, but no hidden ones")
  func some() throws {
    var orchestra = VirtualOrchestra.room(14) { index, settings in settings.isHidden = index == 12 }
    // Member 11 receives no multicasts, and none of its own get through.
    orchestra.lacksMulticast = [11]
    orchestra.crash(13)
    orchestra.pass(12)
    for number in 0..<20 {
      try orchestra.play(0, Self.stroke(number), to: .others)
      if number == 10 { orchestra.join(13) }
      orchestra.pass(0.25)
    }
    orchestra.pass(3)
    for index in 1..<12 { #expect(Self.strokes(orchestra, at: index, of: 0) == Array(0..<20), "\(index)") }
    #expect(Self.strokes(orchestra, at: 12, of: 0).isEmpty)
    let late = Self.strokes(orchestra, at: 13, of: 0)
    #expect(late.suffix(8) == Array(12..<20) && late == late.sorted(), "\(late)")
    #expect(orchestra.core(0).delivery.usesMulticast)
  }

  @Test("unicast replaces blocked multicast, and a change meanwhile loses nothing")
  func changing() throws {
    var orchestra = VirtualOrchestra.room(12)
    orchestra.network.carriesMulticast = false
    orchestra.pass(6)
    var number = 0
    func play(_ count: Int) throws {
      for _ in 0..<count {
        try orchestra.play(0, Self.stroke(number), to: .others)
        number += 1
        orchestra.pass(0.2)
      }
    }
    let before = orchestra.members[0].sent.toAll
    try play(20)
    #expect(orchestra.members[0].sent.toAll - before <= 5)
    orchestra.network.carriesMulticast = true
    try play(40)
    #expect(orchestra.core(0).delivery.usesMulticast)
    orchestra.network.carriesMulticast = false
    try play(40)
    orchestra.pass(6)
    for index in 1..<12 { #expect(Self.strokes(orchestra, at: index, of: 0) == Array(0..<100), "\(index)") }
  }

  @Test(
    "if a receiver is cut off, a stroke leaves the queue within a second of its beat, and is reported as lost"
  )
  func deadline() throws {
    for count in [3, 12] {
      var orchestra = VirtualOrchestra.room(count)
      try orchestra.start(0)
      orchestra.pass(3)
      orchestra.parts[2] = 1
      for _ in 0..<8 {
        try orchestra.play(1, .hit(SessionHit(force: 1)), to: .others, at: .next(.sixteenth))
        orchestra.pass(0.125)
      }
      let sent = orchestra.members[1].sent.datagrams
      orchestra.pass(0.9)
      #expect(orchestra.core(1).delivery.windows.values.allSatisfy { $0.waiting.isEmpty })
      #expect(orchestra.members[1].sent.datagrams - sent < 60)
      orchestra.pass(6)
      let losses = orchestra.members[1].events.compactMap { event -> SessionLoss? in
        if case .undelivered(let loss) = event.event { loss } else { nil }
      }
      #expect(losses.map(\.member) == [orchestra.id(2)])
      #expect(losses.reduce(0) { $0 + $1.total } == 8)
    }
  }

  @Test("the end of a note is retransmitted long after its beat, since the note would sound forever")
  func letGo() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(3)
    orchestra.parts[2] = 1
    let silence = SessionPlay.note(SessionNote(pitch: 60, velocity: 0))
    try orchestra.play(1, silence, to: .others, at: .next(.sixteenth))
    orchestra.pass(2)
    orchestra.parts[2] = 0
    orchestra.pass(2)
    #expect(orchestra.heard(2).map(\.play) == [silence])
  }

  @Test("plays of one moment share one datagram and one acknowledgement")
  func bundles() throws {
    var orchestra = VirtualOrchestra.room(2)
    let before = orchestra.members.map(\.sent.datagrams)
    for pitch in 60..<70 { try orchestra.play(0, Self.stroke(pitch), to: .others) }
    for index in 0..<3 {
      try orchestra.play(0, .change(SessionChange("p\(index)", 1)), to: .others)
    }
    orchestra.pass(0.02)
    #expect(Self.strokes(orchestra, at: 1, of: 0) == Array(60..<70))
    // Plus at most a hello, a ping and its answer.
    #expect(orchestra.members[0].sent.datagrams - before[0] <= 1 + 3)
    #expect(orchestra.members[1].sent.datagrams - before[1] <= 1 + 3)
  }

  @Test("no datagram is longer than 1,392 bytes, however much it gathers")
  func lengths() throws {
    var longest = 0
    for count in [1, 2, 5, 13, 40, 200] {
      let messages = (0..<count).map { index in
        SessionMessage.play(
          Sample.message(.note(SessionNote(pitch: Float(index % 100), instrument: "piano")))
        ).encoded()
      }
      let datagrams = SessionBundle.datagrams(of: messages)
      longest = max(longest, datagrams.map(\.count).max() ?? 0)
      #expect(try datagrams.flatMap { try SessionMessage.list($0) }.count == count)
      #expect(datagrams.count <= 1 + count * messages[0].count / 1_200)
    }
    #expect((1_200...1_392).contains(longest))
    let acks = (0..<48).map { Ack(sender: MemberID($0 + 1), stream: 5, latest: 1, received: 1) }
    let full = SessionMessage.got(Acks(from: Sample.other, to: .nobody, list: acks))
    #expect(full.encoded().count <= 1_392)
    #expect(try SessionMessage(datagram: full.encoded()) == full)
  }

  @Test("a bundle holds plays and acknowledgements, and nothing else")
  func strangeBundles() {
    let play = SessionMessage.play(Sample.message(.hit(SessionHit(force: 1)))).encoded()
    let long = SessionBundle.datagrams(of: [play, play])[0]
    #expect((try? SessionMessage.list(long))?.count == 2)
    for other in [SessionMessage.who(room: "*").encoded(), Sample.hello().encoded(), long, [1, 2, 3, 4]] {
      for datagram in SessionBundle.datagrams(of: [play, other]) where datagram != other {
        #expect(throws: MessageError.self) { try SessionMessage.list(datagram) }
      }
    }
  }

  @Test(
    "a scene of twenty parameters reaches all 39 members, and a newcomer's drum board delays no stroke")
  func scene() throws {
    var orchestra = VirtualOrchestra.room(40, on: .goodWiFi)
    for index in 0..<20 {
      try orchestra.play(3, .change(SessionChange("p\(index)", Float(index))), to: .others)
    }
    orchestra.pass(2)
    for index in 0..<40 where index != 3 {
      let names = orchestra.heard(index).compactMap { heard -> String? in
        if case .change(let change) = heard.play { change.name } else { nil }
      }
      #expect(Set(names).count == 20 && names.count == 20, "\(index): \(names)")
    }
    #expect(orchestra.core(3).counts.undelivered == 0)
  }

  @Test("a newcomer that receives a whole store of shared data receives strokes immediately")
  func board() throws {
    var network = SimulatedNetwork.wire
    (network.floor, network.loss) = (0.01, 0.05)
    var orchestra = VirtualOrchestra.room(3) { _, _ in }
    orchestra.crash(2)
    orchestra.pass(6)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      for part in 0..<32 as Range<Int64> {
        let edits = (0..<56).map {
          SharedEdit(key: 56 * part + $0, cell: SharedCell(value: 1, count: 1, author: 1))
        }
        try core.share(SharedEdits("drums", edits), now: now)
      }
    }
    orchestra.pass(3)
    orchestra.network = network
    orchestra.join(2)
    // Until it asks for the store.
    while orchestra.core(0).delivery.windows[PlayQueue(to: orchestra.id(2), isShared: true)] == nil,
      orchestra.seconds < 30
    {
      orchestra.pass(0.005)
    }
    let start = orchestra.seconds
    try orchestra.play(0, Self.stroke(7), to: .member(orchestra.id(2)))
    while Self.strokes(orchestra, at: 2, of: 0).isEmpty, orchestra.seconds < 30 { orchestra.pass(0.005) }
    // Lost at most once: one delay, or a timeout and one delay.
    #expect(orchestra.seconds - start < 0.2)
    #expect(orchestra.core(2).sharing.store.count < 1792)
    orchestra.pass(5)
    #expect(orchestra.core(2).sharing.store.count == 1792)
  }
}
