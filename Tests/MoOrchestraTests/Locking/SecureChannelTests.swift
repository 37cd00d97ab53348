import MoCore
import MoOrchestra
import MoSessionCore
import Testing

@Suite("The secure channel")
struct SessionDoorTests {
  /// A channel that an expectation may use.
  private final class Door {
    private var door: SecureChannel

    init(_ passkey: String?) throws {
      door = try SecureChannel(room: "Lab", key: passkey.map { try RoomKey(passkey: $0, room: "Lab") })
    }

    var lockedRooms: Int { door.lockedRooms }
    func record(_ record: ServiceRecord) -> ServiceRecord { door.record(record) }
    func out(_ text: String, _ destination: Outgoing.Destination = .multicast) -> [UInt8] {
      door.out([Outgoing(destination: destination, datagram: Array(text.utf8))])[0].datagram
    }
    func take(_ datagram: [UInt8]) -> SecureChannel.Opened {
      door.open(datagram, from: SessionDoorTests.somebody, at: HostTime(seconds: 1))
    }
    func know(_ number: UInt64) -> SecureChannel.Problem? { door.know(number) }
  }

  private static let somebody = SessionEndpoint(high: 1, low: 2, scope: 0, port: 3, isIPv6: false)
  private static let key = "tolu-rake-bimo-sefa"

  @Test("an open room passes everything unchanged")
  func open() throws {
    let (a, b) = (try Door(nil), try Door(nil))
    let sent = a.out("/momu/session/hello")
    #expect(sent == Array("/momu/session/hello".utf8))
    #expect(b.take(sent).datagram == sent)
    #expect(b.take(sent).replies.isEmpty && b.take(sent).problem == nil)
  }

  @Test("a locked room encrypts all datagrams, and answers a stranger at its address")
  func locked() throws {
    let (a, b) = (try Door(Self.key), try Door(Self.key))
    for destination in [Outgoing.Destination.multicast, .broadcast, .one(Self.somebody)] {
      let sent = a.out("/momu/session/hello", destination)
      #expect(RoomCipher.isSealed(sent))
      let opened = b.take(sent)
      #expect(opened.datagram == nil)
      #expect(opened.replies.map(\.destination) == [.one(Self.somebody)])
      #expect(opened.replies.allSatisfy { RoomCipher.isSealed($0.datagram) })
    }
    #expect(b.take(Array("/momu/session/hello".utf8)).datagram == nil)
  }

  @Test(
    "encrypts an event for all once, and sends a newcomer the last hello, not the event"
  )
  func members() throws {
    let (a, b, c) = (try Door(Self.key), try Door(Self.key), try Door(Self.key))
    /// Lets two channels exchange replies until there are none; returns the datagrams that the second received.
    func meet(_ first: Door, _ second: Door, _ datagram: [UInt8]) -> [[UInt8]] {
      var (toSecond, heard) = ([datagram], [[UInt8]]())
      for _ in 0..<6 {
        let opened = toSecond.map { second.take($0) }
        heard += opened.compactMap(\.datagram)
        toSecond = opened.flatMap(\.replies).flatMap { first.take($0.datagram).replies }.map(\.datagram)
      }
      return heard
    }
    #expect(meet(a, b, a.out("/momu/hello")) == [Array("/momu/hello".utf8)])
    #expect(meet(a, c, a.out("/momu/hello")) == [Array("/momu/hello".utf8)])
    let stroke = a.out("/momu/play/hit", .members)
    #expect(RoomCipher.isSealed(stroke))
    for door in [b, c] { #expect(door.take(stroke).datagram == Array("/momu/play/hit".utf8)) }
    let newcomer = try Door(Self.key)
    #expect(meet(a, newcomer, a.out("/momu/play/hit", .members)) == [Array("/momu/hello".utf8)])
  }

  @Test("reports a missing or different passkey once")
  func complaints() throws {
    let (locked, other, open) = (try Door(Self.key), try Door("another-passkey-2"), try Door(nil))
    let call = locked.out("hello")
    #expect(other.take(call).problem == .otherKey(room: "Lab"))
    #expect(other.take(locked.out("hello")).problem == nil)
    // An open channel wants its room's number when it receives the first locked room.
    #expect(open.take(call).wantsNumber)
    #expect(!open.take(call).wantsNumber)
    #expect(open.lockedRooms == 1)
    #expect(open.know(try RoomKey.number(ofRoom: "Lab")) == .locked(room: "Lab"))
    #expect(open.take(call).problem == nil)
    #expect(open.lockedRooms == 0)
    let elsewhere = try Door(nil)
    _ = elsewhere.take(call)
    #expect(elsewhere.know(try RoomKey.number(ofRoom: "Hall")) == nil)
  }

  @Test("hides a locked room's name and the member's name from a directory, but not those of an open room")
  func directory() throws {
    let record = ServiceRecord(member: MemberID(7), room: "Lab", name: "Anna")
    #expect(try Door(nil).record(record) == record)
    let hidden = try Door(Self.key).record(record)
    #expect(hidden.member == record.member)
    for string in hidden.strings {
      let text = String(decoding: string, as: UTF8.self)
      #expect(!text.contains("Lab") && !text.contains("Anna"))
    }
    #expect(!hidden.instance(attempt: 1).contains("Anna"))
    // All members of a room publish the same hidden name.
    #expect(try Door(Self.key).record(record).room == hidden.room)
  }
}
