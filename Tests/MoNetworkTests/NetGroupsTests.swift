import MoCore
import MoNetwork
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
    "after leaving a group on one interface or on all, the messages of the other membership still arrive",
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

  @Test("a group beyond the system's limit is reported once, and joined when another group is left")
  func tooMany() throws {
    let log = LogCapture()
    let wire = try Wire()
    wire.keep("//*")
    func warnings(_ group: String) -> Int {
      log.texts.count { $0.hasPrefix("the multicast group \(group) was not joined on lo: ") }
    }
    let groups = (1...250).map { "224.0.2.\($0)" }
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
}
