import Glibc
import MoCore
import MoNetwork
import MoRuntime
import MoTesting
import Testing

@Suite("Multicast groups")
struct NetGroupsTests {
  @Test("after leaving a group, its messages no longer arrive")
  func leaving() throws {
    let wire = try Wire()
    wire.keep("//*")
    try wire.server.join("224.0.1.198%lo")
    try wire.server.join("224.0.1.198%lo", leave: true)
    try wire.send("/group", to: "224.0.1.198%lo:\(wire.port)")
    try wire.send("/end", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait(for: 1).map(\.address) == ["/end"])
  }

  @Test(
    "if a program joins a group twice and leaves it once, the messages of the other membership still arrive",
    arguments: [("224.0.1.197", "224.0.1.197%lo"), ("224.0.1.197%lo", "224.0.1.197")])
  func leavingOne(kept: String, left: String) throws {
    let wire = try Wire()
    wire.keep("//*")
    try wire.server.join(kept)
    try wire.server.join(left)
    try wire.server.join(left, leave: true)
    try wire.send("/group", to: "224.0.1.197%lo:\(wire.port)")
    #expect(wire.wait(for: 1).map(\.address) == ["/group"])
  }

  /// Returns one group more than the system lets a socket join.
  ///
  /// - Parameter prefix: the first half of the groups' addresses.
  private func tooManyGroups(_ prefix: String) throws -> [String] {
    let file = try #require(fopen("/proc/sys/net/ipv4/igmp_max_memberships", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    fgets(&line, Int32(line.count), file)
    let limit = Int(atoi(line))
    return (0...limit).map { "\(prefix).\($0 / 250).\(1 + $0 % 250)" }
  }

  @Test("a group beyond the system's limit is reported once, and joined when another group is left")
  func tooMany() throws {
    let log = LogCapture()
    let wire = try Wire()
    wire.keep("//*")
    func warnings(_ group: String) -> Int {
      log.texts.count { $0.hasPrefix("the multicast group \(group) was not joined on lo: ") }
    }
    let groups = try tooManyGroups("239.1")
    let refused = try #require(
      try groups.first { group in
        try wire.server.join("\(group)%lo")
        return warnings(group) > 0
      })
    try wire.server.join("\(groups[0])%lo", leave: true)
    #expect(warnings(refused) == 1)
    try wire.send("/group", to: "\(refused)%lo:\(wire.port)")
    #expect(wire.wait(for: 1).map(\.address) == ["/group"])
  }

  // The thread that opens the port holds the server's lock. A log handler that sends would wait for this lock.
  @Test("the network thread reports a group beyond the system's limit, not the thread that opens the port")
  func tooManyAtStart() throws {
    let log = LogCapture()
    let server = NetServer()
    defer { server.stop() }
    for group in try tooManyGroups("239.2") { try server.join("\(group)%lo") }
    func isReported() -> Bool { log.texts.contains { $0.hasPrefix("the multicast group 239.2.") } }
    try server.sockets.openDatagrams(port: 0)
    #expect(!isReported())
    // This starts the network thread.
    try server.listen(port: 0, in: Run(RunOptions()))
    let pause = WakeEvent()
    for _ in 0..<3000 where !isReported() { pause.wait(for: .milliseconds(10)) }
    #expect(isReported())
  }
}
