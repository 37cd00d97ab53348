import MoCore
import MoOrchestra
import MoSessionCore
import Testing

@Suite("The secure channel")
struct SecureChannelTests {
  /// A channel that an expectation may use.
  private final class TestChannel {
    private var channel: SecureChannel

    init(_ passkey: String?) throws {
      channel = try SecureChannel(room: "Lab", key: passkey.map { try RoomKey(passkey: $0, room: "Lab") })
    }

    var lockedRooms: Int { channel.lockedRooms }
    func record(_ record: ServiceRecord) -> ServiceRecord { channel.record(record) }
    func out(_ text: String, _ destination: Outgoing.Destination = .multicast) -> [UInt8] {
      channel.out([Outgoing(destination: destination, datagram: Array(text.utf8))])[0].datagram
    }
    func open(_ datagram: [UInt8]) -> SecureChannel.Opened {
      channel.open(datagram, from: SecureChannelTests.somebody, at: HostTime(seconds: 1))
    }
    func know(_ number: UInt64) -> SecureChannel.Problem? { channel.know(number) }
  }

  private static let somebody = SessionEndpoint(high: 1, low: 2, scope: 0, port: 3, isIPv6: false)
  private static let key = "tolu-rake-bimo-sefa"

  @Test("an open room passes everything unchanged")
  func open() throws {
    let (a, b) = (try TestChannel(nil), try TestChannel(nil))
    let sent = a.out("/momu/session/hello")
    #expect(sent == Array("/momu/session/hello".utf8))
    #expect(b.open(sent).datagram == sent)
    #expect(b.open(sent).replies.isEmpty && b.open(sent).problem == nil)
  }

  @Test("a locked room encrypts all datagrams, and answers a stranger at its address")
  func locked() throws {
    let (a, b) = (try TestChannel(Self.key), try TestChannel(Self.key))
    for destination in [Outgoing.Destination.multicast, .broadcast, .one(Self.somebody)] {
      let sent = a.out("/momu/session/hello", destination)
      #expect(RoomCipher.isSealed(sent))
      let opened = b.open(sent)
      #expect(opened.datagram == nil)
      #expect(opened.replies.map(\.destination) == [.one(Self.somebody)])
      #expect(opened.replies.allSatisfy { RoomCipher.isSealed($0.datagram) })
    }
    #expect(b.open(Array("/momu/session/hello".utf8)).datagram == nil)
  }

  @Test(
    "encrypts an event for all once, and sends a newcomer the last hello, not the event"
  )
  func members() throws {
    let (a, b, c) = (try TestChannel(Self.key), try TestChannel(Self.key), try TestChannel(Self.key))
    /// Lets two channels exchange replies until there are none; returns the datagrams that the second received.
    func exchange(_ first: TestChannel, _ second: TestChannel, _ datagram: [UInt8]) -> [[UInt8]] {
      var (toSecond, heard) = ([datagram], [[UInt8]]())
      for _ in 0..<6 {
        let opened = toSecond.map { second.open($0) }
        heard += opened.compactMap(\.datagram)
        toSecond = opened.flatMap(\.replies).flatMap { first.open($0.datagram).replies }.map(\.datagram)
      }
      return heard
    }
    #expect(exchange(a, b, a.out("/momu/hello")) == [Array("/momu/hello".utf8)])
    #expect(exchange(a, c, a.out("/momu/hello")) == [Array("/momu/hello".utf8)])
    let stroke = a.out("/momu/play/hit", .members)
    #expect(RoomCipher.isSealed(stroke))
    for channel in [b, c] { #expect(channel.open(stroke).datagram == Array("/momu/play/hit".utf8)) }
    let newcomer = try TestChannel(Self.key)
    #expect(exchange(a, newcomer, a.out("/momu/play/hit", .members)) == [Array("/momu/hello".utf8)])
  }

  @Test("reports a missing or different passkey once")
  func problems() throws {
    let (locked, other, unlocked) = (
      try TestChannel(Self.key), try TestChannel("another-passkey-2"), try TestChannel(nil)
    )
    let call = locked.out("hello")
    #expect(other.open(call).problem == .otherKey(room: "Lab"))
    #expect(other.open(locked.out("hello")).problem == nil)
    // An open channel wants its room's number when it receives the first locked room.
    #expect(unlocked.open(call).wantsNumber)
    #expect(!unlocked.open(call).wantsNumber)
    #expect(unlocked.lockedRooms == 1)
    #expect(unlocked.know(try RoomKey.number(ofRoom: "Lab")) == .locked(room: "Lab"))
    #expect(unlocked.open(call).problem == nil)
    #expect(unlocked.lockedRooms == 0)
    let elsewhere = try TestChannel(nil)
    _ = elsewhere.open(call)
    #expect(elsewhere.know(try RoomKey.number(ofRoom: "Hall")) == nil)
  }

  @Test("hides a locked room's name and the member's name from a directory, but not those of an open room")
  func directory() throws {
    let record = ServiceRecord(member: MemberID(7), room: "Lab", name: "Anna")
    #expect(try TestChannel(nil).record(record) == record)
    let hidden = try TestChannel(Self.key).record(record)
    #expect(hidden.member == record.member)
    for string in hidden.strings {
      let text = String(decoding: string, as: UTF8.self)
      #expect(!text.contains("Lab") && !text.contains("Anna"))
    }
    #expect(!hidden.instance(attempt: 1).contains("Anna"))
    // All members of a room publish the same hidden name.
    #expect(try TestChannel(Self.key).record(record).room == hidden.room)
  }
}
