import MoCore
import MoNetwork
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
}
