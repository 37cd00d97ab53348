import MIDICore
import Testing

/// Packets that macOS and an iPad sent, from the tests of pymidi 0.5.0 (MIT) and from issues of Arduino-AppleMIDI and
/// rtpmidid.
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
}
