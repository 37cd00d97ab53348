import MoCore
import MoOrchestra
import Testing

@Suite("Finding members in a directory of services")
struct ServiceFinderTests {
  typealias Directory = ScriptedDirectory
  let bob = Directory.service("Bob")

  static func ready(isHidden: Bool = false) -> Directory {
    var directory = Directory(isHidden: isHidden)
    directory.send(.ready)
    _ = directory.asked()
    return directory
  }

  @Test("connects, then publishes its name and browses")
  func begin() {
    var directory = Directory()
    #expect(directory.asked() == [.connect])
    directory.send(.ready)
    #expect(directory.asked() == [.publish(name: "Ada 0000000000000011"), .browse])
  }

  @Test("a hidden member browses and never publishes")
  func hidden() {
    var directory = Directory(isHidden: true)
    directory.send(.ready, .busy, .ready, .lost)
    directory.pass(5)
    directory.send(.ready)
    directory.pass(120)
    let asked = directory.asked()
    #expect(asked.filter { $0 == .browse }.count == 2)
    for step in asked {
      if case .publish = step { Issue.record("\(step)") }
      #expect(step != .withdraw)
    }
  }

  @Test("resolves a new service to a hint, and withdraws the hint with the service")
  func found() {
    var directory = Self.ready()
    directory.send(.appeared(bob))
    #expect(directory.asked() == [.resolve(bob)])
    directory.resolve(bob, 0x22)
    #expect(directory.found() == [.hint(Directory.hint(0x22))])
    directory.send(.vanished(bob))
    #expect(directory.found() == [.gone(Directory.hint(0x22))])
  }

  @Test("withdraws a service on two interfaces when the last of them loses it")
  func twice() {
    var directory = Self.ready()
    let other = Directory.service("Bob", interface: 3, family: 1)
    directory.send(.appeared(bob), .appeared(other), .appeared(bob))
    #expect(directory.asked() == [.resolve(bob), .resolve(other)])
    directory.resolve(bob, 0x22)
    directory.resolve(other, 0x22)
    _ = directory.found()
    directory.send(.vanished(bob))
    #expect(directory.found() == [])
    directory.send(.vanished(other))
    #expect(directory.found() == [.gone(Directory.hint(0x22))])
  }

  @Test("ignores its own service")
  func ownService() {
    var directory = Self.ready()
    directory.send(.appeared(bob))
    directory.resolve(bob, Directory.me.bits)
    #expect(directory.found() == [])
    #expect(directory.finder.counts == .init())
  }

  @Test("counts and drops invalid records, and does not resolve them again")
  func malformed() {
    var directory = Self.ready()
    let broken: [[[UInt8]]] = [
      [], [[0xFF]], [[UInt8](repeating: 0x61, count: 256)],
      ServiceRecordTests.strings("version=2", "id=22", "name=Bob"),
      ServiceRecordTests.strings("version=9", "id=22", "room=Lab", "name=Bob"),
    ]
    for (index, strings) in broken.enumerated() {
      let service = Directory.service("\(index)")
      directory.send(
        .appeared(service), .resolved(service, address: [10, 0, 0, 2], port: 7000, strings: strings))
    }
    #expect(directory.found() == [])
    #expect(directory.finder.counts.malformed == 4)
    #expect(directory.finder.counts.otherVersion == 1)
    _ = directory.asked()
    directory.pass(300)
    #expect(directory.asked() == [])
  }

  @Test(
    "counts and drops addresses that no other member can have",
    arguments: [
      [], [10, 0, 0], [0, 0, 0, 0], [127, 0, 0, 1], [224, 0, 0, 251], [239, 255, 64, 50],
      [255, 255, 255, 255], [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 15) + [1],
      [0xFF, 0x12] + [UInt8](repeating: 0, count: 13) + [1],
      [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1],
    ] as [[UInt8]])
  func addresses(address: [UInt8]) {
    var directory = Self.ready()
    directory.send(.appeared(bob))
    directory.resolve(bob, 0x22, address)
    #expect(directory.found() == [])
    #expect(directory.finder.counts.unreachable == 1)
  }

  @Test(
    "accepts a link-local address on its service's interface, and other IPv6 addresses on all")
  func ipv6() {
    var directory = Self.ready()
    let service = ScriptedDirectory.service("Bob 0000000000000022", interface: 3, family: 1)
    directory.send(.appeared(service))
    #expect(directory.asked().contains(.resolve(service)))
    directory.resolve(service, 0x22, [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [5])
    let near = SessionEndpoint(high: 0xFE80 << 48, low: 5, scope: 3, port: 7000, isIPv6: true)
    #expect(directory.found() == [.hint(PeerCandidate(member: MemberID(0x22), room: "Lab", endpoint: near))])
    let other = ScriptedDirectory.service("Eve 0000000000000033", interface: 3, family: 1)
    directory.send(.appeared(other))
    directory.resolve(other, 0x33, [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [5])
    let far = SessionEndpoint(high: 0x2001_0DB8 << 32, low: 5, port: 7000, isIPv6: true)
    #expect(directory.found() == [.hint(PeerCandidate(member: MemberID(0x33), room: "Lab", endpoint: far))])
  }

  @Test("drops port 0")
  func port() {
    var directory = Self.ready()
    directory.send(
      .appeared(bob),
      .resolved(bob, address: [10, 0, 0, 2], port: 0, strings: Directory.strings(0x22)))
    #expect(directory.found() == [])
    #expect(directory.finder.counts.unreachable == 1)
  }

  @Test("resolves a missing member's service again, and uses its new address")
  func moved() {
    var directory = Self.ready()
    directory.send(.appeared(bob), .unresolved(bob))
    _ = directory.asked()
    directory.pass(31)
    #expect(directory.asked() == [.resolve(bob)])
    directory.resolve(bob, 0x22)
    _ = directory.found()
    directory.pass(31)
    #expect(directory.asked() == [.resolve(bob)])
    directory.resolve(bob, 0x22, [10, 0, 0, 3])
    #expect(directory.found() == [.gone(Directory.hint(0x22)), .hint(Directory.hint(0x22, [10, 0, 0, 3]))])
    // A member that is present is not resolved again.
    directory.present = [MemberID(0x22)]
    directory.pass(300)
    #expect(directory.asked() == [])
  }

  @Test("renames itself if its name is taken, at a bounded rate")
  func collision() {
    var directory = Self.ready()
    directory.send(.taken)
    #expect(directory.asked() == [.publish(name: "Ada 0000000000000011 #2")])
    for _ in 0..<100 { directory.send(.taken) }
    let names = directory.asked().count
    #expect(names < 100)
    var loop = Self.ready()
    for _ in 0..<3600 {
      if loop.steps.contains(where: { if case .publish = $0 { true } else { false } }) {
        loop.steps = []
        loop.send(.taken)
      }
      loop.pass(1)
    }
    // Eight immediately, then eight a minute.
    #expect(loop.finder.attempt <= 8 * 61)
  }

  @Test("publishes again a minute after a refusal")
  func refused() {
    var directory = Self.ready()
    directory.send(.refused)
    directory.pass(59)
    #expect(directory.asked() == [])
    directory.pass(2)
    #expect(directory.asked() == [.publish(name: "Ada 0000000000000011")])
  }

  @Test("withdraws while the daemon looks for a host name, then publishes again")
  func busy() {
    var directory = Self.ready()
    directory.send(.busy, .ready)
    #expect(directory.asked() == [.withdraw, .publish(name: "Ada 0000000000000011")])
  }

  @Test("withdraws all hints when the daemon disappears, waits for it, and asks again")
  func lost() {
    var directory = Self.ready()
    directory.send(.appeared(bob))
    directory.resolve(bob, 0x22)
    _ = (directory.asked(), directory.found())
    directory.send(.lost)
    #expect(directory.asked() == [.disconnect])
    #expect(directory.found() == [.gone(Directory.hint(0x22))])
    directory.pass(1.5)
    #expect(directory.asked() == [.connect])
    directory.pass(2)
    #expect(directory.finder.status == .missing)
    directory.send(.ready, .appeared(bob))
    #expect(directory.finder.status == .ready)
    #expect(directory.asked() == [.publish(name: "Ada 0000000000000011"), .browse, .resolve(bob)])
  }

  @Test("retries a missing bus less and less often, but forever")
  func unreachable() {
    var directory = Directory()
    var tries = 0
    for _ in 0..<3600 {
      for step in directory.asked() where step == .connect {
        tries += 1
        directory.send(.unreachable("no bus"))
      }
      directory.pass(1)
    }
    #expect((3600 / 34...3600 / 32 + 6).contains(tries))
    #expect(directory.finder.status == .unreachable("no bus"))
  }

  @Test(
    "keeps hundreds of 10,000 services, resolves a few at a time, and asks for the rest later")
  func flood() {
    var directory = Self.ready()
    for index in 0..<10_000 { directory.send(.appeared(Directory.service("\(index)"))) }
    #expect(directory.finder.entries.count == ServiceFinder.most)
    #expect(directory.finder.counts.crowded == 10_000 - ServiceFinder.most)
    var asked = directory.asked()
    #expect(asked.count == ServiceFinder.mostAsked)
    while !asked.isEmpty {
      for step in asked { if case .resolve(let service) = step { directory.resolve(service, 0x22) } }
      asked = directory.asked()
      #expect(asked.count <= ServiceFinder.mostAsked)
    }
    for index in 0..<10_000 { directory.send(.vanished(Directory.service("\(index)"))) }
    #expect(directory.finder.entries.isEmpty)
    #expect(directory.finder.queue.isEmpty)
    #expect(directory.finder.asked == 0)
    directory.pass(31)
    #expect(directory.asked() == [.browse])
  }

  @Test("resolves a new service before hundreds of others, and drops one that is not a member's for it")
  func newcomer() {
    var directory = Self.ready()
    for index in 0..<ServiceFinder.most { directory.send(.appeared(Directory.service("\(index)"))) }
    let first = directory.asked()
    for step in first { if case .resolve(let service) = step { directory.send(.unresolved(service)) } }
    _ = directory.asked()
    directory.send(.appeared(bob))
    #expect(directory.finder.entries.count == ServiceFinder.most)
    directory.send(.unresolved(Directory.service("504")))
    #expect(directory.finder.asked == ServiceFinder.mostAsked)
    #expect(directory.asked() == [.resolve(bob)])
  }

  @Test("keeps nothing of 100,000 services that appear and disappear")
  func months() {
    var directory = Self.ready()
    for index in 0..<100_000 {
      let service = Directory.service("\(index)")
      directory.send(.appeared(service))
      if index % 3 == 0 { directory.resolve(service, UInt64(index + 100)) }
      if index % 3 == 1 { directory.send(.unresolved(service)) }
      directory.send(.vanished(service), .unresolved(service))
      _ = (directory.asked(), directory.found())
    }
    #expect(directory.finder.entries.isEmpty)
    #expect(directory.finder.queue.isEmpty)
    #expect(directory.finder.asked == 0)
  }
}
