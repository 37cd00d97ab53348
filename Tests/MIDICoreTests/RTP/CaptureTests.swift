import MIDICore
import Testing

/// Packets that macOS, an iPad and a piano sent.
///
/// They are from the tests of pymidi 0.5.0 (MIT), from issues 26 and 125 and pull request 82 of
/// Arduino-AppleMIDI-Library, from the packets in its `test/Ethernet.h`, and from rtpmidid's issue 77.
@Suite("RTP-MIDI packets of other programs")
struct CaptureTests {
  private func receive(_ packets: [String]) -> (
    messages: [MIDIMessage], repairs: [MIDIMessage], RTPMIDIReceiver
  ) {
    var receiver = RTPMIDIReceiver()
    var messages: [MIDIMessage] = []
    var repairs: [MIDIMessage] = []
    for packet in packets {
      receiver.receive(hex(packet).span) { event in
        guard case .message(let message, _, let isRepair) = event else { return }
        if isRepair { repairs.append(message) } else { messages.append(message) }
      }
    }
    return (messages, repairs, receiver)
  }

  private static let noteOn = "8061427a4b9f303647d81096 43 903026 20 4276 000608 006685"
  private static let running =
    "8061429a51d2dc8747d81096 46 903e310a403b 21 427c 000908 81673c250d50 c80608 80440e"
  private static let control = "80614ba55944067e47d81096 43 b06c00 20 4ba0 000948 006c7f 807708"

  @Test("are read, with running status")
  func lists() {
    #expect(receive([Self.noteOn]).messages == [.noteOn(0, 48, velocity: 38)])
    #expect(
      receive([Self.running]).messages == [.noteOn(0, 62, velocity: 49), .noteOn(0, 64, velocity: 59)])
    #expect(receive([Self.control]).messages == [.control(0, 108, 0)])
    let (messages, _, receiver) = receive([
      "806105870177fef90e8c9303 c017 f10a64f110 64f127 64f132 64f140 64f150 64f160 64f172 40 0458 0807 4720002708"
    ])
    #expect(messages == [0x0A, 0x10, 0x27, 0x32, 0x40, 0x50, 0x60, 0x72].map { .quarterFrame($0) })
    #expect(receiver.counts.badJournals == 0 && receiver.counts.malformed == 0)
  }

  @Test("repair exactly the losses between them")
  func repairs() {
    // Note 60 of channel 0 sounds since packet 0x4290; 0x4291 to 0x4299 are lost.
    let before = "8061 4290 51d2dc00 47d81096 43 903c25"
    let (_, repairs, receiver) = receive([before, Self.running])
    // The journal's checkpoint, 0x427c, is before packet 0x4290: the note is known.
    #expect(repairs == [])
    #expect(receiver.counts.lost == 9 && receiver.counts.uncovered == 0)
    let drum = "8061 4290 51d2dc00 47d81096 43 992425"
    #expect(receive([drum, Self.running]).repairs == [.noteOff(9, 36, velocity: 64)])
    // The log of note 60 has Y = 0: it is too late to play it.
    #expect(receive([drum, Self.running]).messages.count == 3)
  }

  @Test("repair a controller after a gap, and nothing if they are late or duplicate")
  func controls() {
    let before = "8061 4ba3 59440600 47d81096 43 903c25"
    let (_, repairs, _) = receive([before, Self.control, Self.control, before])
    #expect(repairs == [.control(0, 108, 127), .noteOff(0, 60, velocity: 64)])
  }

  @Test("repair nothing without a gap, although their journals contain more")
  func withoutGap() {
    // macOS sends its journal with every packet: this one contains the release of note 53.
    let before = "8061 4279 4b9f3000 47d81096 43 903525"
    let (messages, repairs, _) = receive([before, Self.noteOn, Self.noteOn])
    #expect(repairs.isEmpty)
    #expect(messages == [.noteOn(0, 53, velocity: 37), .noteOn(0, 48, velocity: 38)])
  }

  @Test("from an iPad, whose checkpoint is the packet itself, are accepted")
  func ownNumber() {
    let pad = "80615275001d37ee7bc17691 43 803500 20 5275 000708 81f13564"
    let before = "8061 5273 001d3700 7bc17691 43 b00701"
    let (messages, repairs, receiver) = receive([before, pad])
    #expect(repairs.isEmpty || repairs == [.noteOn(0, 53, velocity: 100)])
    #expect(messages == [.control(0, 7, 1), .noteOff(0, 53, velocity: 0)])
    #expect(receiver.counts.uncovered == 0)
  }

  @Test("with the marker bit 1 are also read")
  func marker() {
    #expect(receive(["80e1" + Self.noteOn.dropFirst(4)]).messages == [.noteOn(0, 48, velocity: 38)])
  }

  /// Three packets of one stream of macOS, without those between them.
  private static let pipe = [
    """
    80611905 0016cfe0 f22d56c3 4c 946300 816a 906300 02 926300 23 18f5
    001908 89cd 637f f078 f178 f278 f378 f478 f578 f678 f778 e01f 101108 85cd 637f f078 f278 f378 f478 e01f
    201508 87cd 637f f078 f17f f478 f57f f878 f97f e01f d00708 81f1 e078
    """,
    """
    80611907 0016d587 f22d56c3 c014 927100 8ffffffe00 946400 815a 906400 02 926400 23 18f7
    001908 89cd 647f f078 f178 f278 f378 f478 f578 f678 f778 f00f 101308 86cd 647f f078 717f f278 f378 f478 f00f
    201508 87cd 647f f078 f17f f478 f57f f878 f97f f00f d00708 81f1 e078
    """,
    """
    80611914 0016f2d3 f22d56c3 4b 927100 8ffffffe00 946a00 23 1904
    001908 89cd 6a7f f078 f178 f278 f378 f478 f578 f678 f778 1fc0 101308 86cd 6a7f f078 717f f278 f378 f478 1fc0
    201508 87cd 6a7f f078 f17f f478 f57f f878 f97f 1fc0 d00708 81f1 e078
    """,
  ]

  @Test("with a time that goes back, which macOS writes in five octets, are read")
  func negativeTimes() {
    var receiver = RTPMIDIReceiver()
    var events: [RTPMIDIReceiver.Event] = []
    receiver.receive(hex(Self.pipe[2]).span) { events.append($0) }
    #expect(
      events == [
        .message(.noteOn(2, 113, velocity: 0), time: 0x16F2D3, isRepair: false),
        .message(.noteOn(4, 106, velocity: 0), time: 0x16F2D3 - 256, isRepair: false),
      ])
    let other =
      "8061a505 0108582a 34c7abfd 4e 805300 11 3500 8fffffff00 904f40 20 a4db 001308 033a b57f cd40 d340 "
      + "0210101008 00a948"
    #expect(
      receive([other]).messages == [
        .noteOff(0, 83, velocity: 0), .noteOff(0, 53, velocity: 0), .noteOn(0, 79, velocity: 64),
      ])
  }

  @Test("release what was released in the lost packets, on each of four channels")
  func fourChannels() {
    let before = "80611904 0016cf00 f22d56c3 0b 906f40 00 926f41 00 9e6f42"
    let (messages, repairs, receiver) = receive([before] + Self.pipe)
    // Channel 14 has no journal: its note sounds on.
    #expect(repairs == [.noteOff(0, 111, velocity: 64), .noteOff(2, 111, velocity: 64)])
    #expect(messages.count == 3 + 3 + 4 + 2)
    #expect(receiver.counts.lost == 13 && receiver.counts.uncovered == 0 && receiver.counts.badJournals == 0)
  }

  @Test(
    "have journals that are read to the end",
    arguments: [
      // 22 clocks of macOS, with chapter Q; a clock with W and N; a pressure whose chapter N ends with an octet too many.
      ("bfa2 120b5af7 aa34964a c02b f8" + String(repeating: "00f8", count: 21) + "c0 bf89 9005 d07ad5", 22),
      ("d5e2 18ccad1d c5b15400 41 f8 20 d58b 000918 8040 81f14940", 1),
      ("cc73 190e4ed4 c5b15400 42 d030 20 cc4a 000a18 0840 81f19040 2d", 1),
      ("85d9 1a5f26b0 c88676f9 41 f8 c0 858b 9005 d00095", 1),
      // A piano's two releases, with an array of five octets.
      ("279e 001db536 36092f2a 46 803f00 00 3d00 20 2734 000e08 0259 bd40 bf40 15ad5adfa8", 2),
      // A song's start on all channels: Q, then C, W and N of sixteen channels.
      (
        "4e24 829fdc22 c5b15400 c020 f8 00 902b7f 00 347f 00 357f 00 367f 00 377f 00 387f 00 397f 00 3a7f 00 3b7f 00 3c7f "
          + "6f 4585 1005 50000f 800f58 81c000fb00 8040 8057 100ff8 "
          + (1...15).map { channel in
            String(0x80 | channel << 3, radix: 16) + "0a50 81c000fb00 8040"
          }.joined(), 11
      ),
    ])
  func journals(packet: String, count: Int) {
    let packet = "8061" + packet
    var first = hex(packet)
    first.replaceSubrange(12..., with: [0])
    first[3] &-= 2
    var receiver = RTPMIDIReceiver()
    var messages: [MIDIMessage] = []
    receiver.receive(first.span) { _ in }
    receiver.receive(hex(packet).span) { event in
      if case .message(let message, _, isRepair: false) = event { messages.append(message) }
    }
    #expect(messages.count == count)
    #expect(receiver.counts.lost == 1 && receiver.counts.badJournals == 0 && receiver.counts.malformed == 0)
  }

  @Test(
    "of time code, each with the last eight quarter frames, are read over a gap, and the gap repairs nothing")
  func timeCode() {
    let packets = [
      "80610462 01736641 0e8c9303 c017 f107 64f111 64f12f 64f130 64f140 64f150 64f160 64f172 40 0458 0807 4720000f15",
      "80610463 01736961 0e8c9303 c017 f100 64f110 64f120 64f131 64f140 64f150 64f160 64f172 40 0458 0807 4720000f17",
      "80610464 01736c81 0e8c9303 c017 f102 64f110 64f120 64f131 64f140 64f150 64f160 64f172 40 0458 0807 4720001000",
      "80610467 017375e1 0e8c9303 c017 f108 64f110 64f120 64f131 64f140 64f150 64f160 64f172 40 0458 0807 4720001006",
    ]
    let (messages, repairs, receiver) = receive(packets)
    #expect(messages.count == 32 && repairs.isEmpty)
    #expect(receiver.counts.lost == 2 && receiver.counts.uncovered == 0 && receiver.counts.badJournals == 0)
  }
}
