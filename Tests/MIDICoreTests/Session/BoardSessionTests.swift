import MIDICore
import MoCore
import Testing

@Suite("AppleMIDI sessions with boards whose random numbers are the same after each start")
struct BoardSessionTests {
  /// A session, and a board that sends the same ID, token and packet numbers after each start.
  private struct Board {
    var session = AppleMIDISession(name: "a", seed: 3)
    let control = MIDIEndpoint(ipv4: 1, port: 5004)
    let data = MIDIEndpoint(ipv4: 1, port: 5005)

    mutating func invite(from host: MIDIEndpoint, on port: AppleMIDISession.Port, at seconds: Double) {
      session.receive(
        hex("FFFF 494E 00000002 0000000A 00000042 5500").span, from: host, on: port,
        at: HostTime(seconds: seconds))
    }

    mutating func join(at seconds: Double) {
      invite(from: control, on: .control, at: seconds)
      invite(from: data, on: .data, at: seconds)
      compare(0, [UInt8](repeating: 0, count: 24), at: seconds)
      let times = session.takeOutgoing().last?.bytes.dropFirst(12).prefix(16) ?? []
      compare(2, times + [UInt8](repeating: 0, count: 8), at: seconds)
    }

    private mutating func compare(_ count: UInt8, _ times: [UInt8], at seconds: Double) {
      session.receive(
        (hex("FFFF 434B 00000042") + [count, 0, 0, 0] + times).span, from: data, on: .data,
        at: HostTime(seconds: seconds))
    }

    mutating func noteOn(_ key: UInt8, packet: UInt8, at seconds: Double) {
      session.receive(
        (hex("8061 00") + [packet] + hex("00000000 00000042 03 90") + [key, 9]).span, from: data, on: .data,
        at: HostTime(seconds: seconds))
    }
  }

  @Test("begin anew with a board whose ID, token and packet numbers are the same after a restart")
  func identicalRestart() {
    var board = Board()
    board.join(at: 10)
    for packet in UInt8(100)...150 { board.noteOn(60, packet: packet, at: 10) }
    _ = board.session.takeEvents()
    // The network repeats a datagram.
    board.invite(from: board.control, on: .control, at: 11)
    #expect(board.session.takeEvents().isEmpty && board.session.joined == [0x42])
    board.join(at: 13)
    board.noteOn(61, packet: 100, at: 13)
    board.noteOn(62, packet: 101, at: 13)
    let now = HostTime(seconds: 13)
    #expect(
      board.session.takeEvents() == [
        .received(peer: 0x42, .noteOff(0, 60, velocity: 64), at: now, isRepair: true),
        .left(peer: 0x42, isSilent: false), .joined(peer: 0x42, name: "U", board.control),
        .received(peer: 0x42, .noteOn(0, 61, velocity: 9), at: now, isRepair: false),
        .received(peer: 0x42, .noteOn(0, 62, velocity: 9), at: now, isRepair: false),
      ])
  }

  @Test("refuse a second board with the same ID, and report it once")
  func sameIDs() {
    var board = Board()
    board.join(at: 10)
    _ = (board.session.takeEvents(), board.session.takeOutgoing())
    let other = MIDIEndpoint(ipv4: 2, port: 5004)
    for second in 11...13 { board.invite(from: other, on: .control, at: Double(second)) }
    #expect(board.session.takeEvents() == [.duplicateID(other, of: 0x42)])
    #expect(board.session.takeOutgoing().allSatisfy { $0.bytes.starts(with: hex("FFFF 4E4F")) })
    #expect(board.session.joined == [0x42])
  }
}
