import MIDICore
import Testing

@Suite("RTP-MIDI streams")
struct RTPStreamTests {
  private func take(_ sender: inout RTPMIDISender, at time: UInt32 = 0) -> [UInt8] {
    var packet: [UInt8] = []
    sender.takePacket(&packet, at: time)
    return packet
  }

  @Test("carry SysEx of every length in segments, with notes between them, and lose no byte")
  func sysEx() throws {
    for length in [0, 1, 2, 239, 240, 241, 1000, 20_000] {
      var sender = RTPMIDISender(source: 1, first: 0xFFFE)
      var receiver = RTPMIDIReceiver()
      let message = [0xF0] + (0..<length).map { UInt8($0 % 128) } + [0xF7]
      var place = 0
      var found: [RTPMIDIReceiver.Event] = []
      var isDone = false
      while !isDone {
        isDone = sender.add(sysEx: message.span, from: &place, at: 5)
        let isAdded = sender.add(.noteOn(1, 2, velocity: 3), at: 5)
        #expect(isAdded)
        let packet = take(&sender)
        #expect(packet.count < 700)
        receiver.receive(packet.span) { found.append($0) }
      }
      #expect(found.filter { $0 == .sysEx(message, time: 5) }.count == 1)
      #expect(found.count == 1 + (length > 240 ? (length + 239) / 240 : 1))
    }
  }

  @Test("carry a SysEx message that is given in parts, with a clock between them")
  func partsOfSysEx() {
    var sender = RTPMIDISender(source: 1, first: 0)
    var receiver = RTPMIDIReceiver()
    let message = [0xF0] + (0..<900).map { UInt8($0 % 128) } + [0xF7]
    var found: [RTPMIDIReceiver.Event] = []
    for part in [message[..<1], message[1..<257], message[257..<900], message[900..<901], message[901...]] {
      var (place, isDone) = (0, false)
      while !isDone {
        isDone = sender.add(sysEx: Array(part).span, from: &place, at: 0)
        let isAdded = sender.add(.clock, at: 0)
        #expect(isAdded)
        let packet = take(&sender)
        #expect(packet.count < 700)
        receiver.receive(packet.span) { found.append($0) }
      }
    }
    #expect(found.filter { $0 == .sysEx(message, time: 0) }.count == 1)
    #expect(receiver.counts.cutSysEx == 0 && receiver.counts.malformed == 0)
  }

  @Test("drop SysEx if one of its packets is lost, and read the next one")
  func lostSysEx() {
    var sender = RTPMIDISender(source: 1, first: 0)
    var receiver = RTPMIDIReceiver()
    var found: [RTPMIDIReceiver.Event] = []
    let message = [0xF0] + [UInt8](repeating: 1, count: 600) + [0xF7]
    for lost in [1, -1] {
      var (place, count, isDone) = (0, 0, false)
      while !isDone {
        isDone = sender.add(sysEx: message.span, from: &place, at: 0)
        let packet = take(&sender)
        if count != lost { receiver.receive(packet.span) { found.append($0) } }
        count += 1
      }
    }
    #expect(found == [.sysEx(message, time: 0)])
    #expect(receiver.counts.cutSysEx == 1)
  }

  @Test("limit SysEx, and drop a cancelled one")
  func boundedSysEx() {
    var receiver = RTPMIDIReceiver(sysExLimit: 20)
    var found: [RTPMIDIReceiver.Event] = []
    func packet(_ number: UInt8, _ list: String) -> [UInt8] {
      let bytes = hex(list)
      return hex("8061 00") + [number] + hex("00000000 00000001") + [UInt8(bytes.count)] + bytes
    }
    for (number, list) in ["F0 01 02 F0", "F7 03 F4", "F7 04 F7", "F0 05 F0", "F7 06 F0", "F7 F7"]
      .enumerated()
    {
      receiver.receive(packet(UInt8(number), list).span) { found.append($0) }
    }
    #expect(found == [.sysEx([0xF0, 5, 6, 0xF7], time: 0)])
    for number in 6..<200 {
      let list = number == 6 ? "F0 01 01 01 01 01 F0" : "F7 01 01 01 01 01 F0"
      receiver.receive(packet(UInt8(number), list).span) { found.append($0) }
    }
    #expect(found.count == 1 && receiver.counts.cutSysEx == 2)
  }

  @Test(
    "ask for guard packets 0.1, 0.2, 0.4, 0.8 s after the last command, then each second, until confirmation"
  )
  func guards() {
    var sender = RTPMIDISender(source: 1, first: 10)
    #expect(sender.guardTime == nil)
    _ = sender.add(.program(0, 1), at: 50_000)
    _ = take(&sender, at: 50_000)
    var times: [UInt32] = []
    while times.count < 7, let time = sender.guardTime {
      times.append(time - 50_000)
      _ = take(&sender, at: time)
    }
    #expect(times == [1000, 2000, 4000, 8000, 18_000, 28_000, 38_000])
    sender.confirm(9)
    #expect(sender.guardTime != nil)
    sender.confirm(10)
    #expect(sender.guardTime == nil && sender.isConfirmed)
  }

  @Test("ignore old confirmations, and those of packets that were not sent")
  func forgedConfirmations() {
    var sender = RTPMIDISender(source: 1, first: 10)
    _ = sender.add(.program(0, 1), at: 0)
    let first = take(&sender)
    for number: UInt16 in [11, 100, 0x8000, 9, 0xFFFF] { sender.confirm(number) }
    #expect(!sender.isConfirmed)
    #expect(take(&sender).count > first.count - 3)
  }

  @Test("read delta times and times of later commands")
  func times() {
    var sender = RTPMIDISender(source: 1, first: 0)
    var receiver = RTPMIDIReceiver()
    let times: [UInt32] = [0xFFFF_FFF0, 0xFFFF_FFF0, 5, 200, 20_000]
    for time in times {
      let isAdded = sender.add(.clock, at: time)
      #expect(isAdded)
    }
    var found: [UInt32] = []
    receiver.receive(take(&sender).span) { event in
      if case .message(_, let time, _) = event { found.append(time) }
    }
    #expect(found == times)
  }

  @Test(
    "drop malformed packets and count them",
    arguments: [
      "", "80", "8061 0001 00000000 00000001", "4061 0001 00000000 00000001 00",
      "8060 0001 00000000 00000001 00", "8061 0001 00000000 00000001 03 903C",
      "8061 0001 00000000 00000001 02 3C40", "8061 0001 00000000 00000001 02 903C",
      "8061 0001 00000000 00000001 03 90FF40", "8061 0001 00000000 00000001 02 F001",
      "8061 0001 00000000 00000001 01 F4", "8F61 0001 00000000 00000001 00",
      "9061 0001 00000000 00000001 0000 FFFF",
    ])
  func malformed(packet: String) {
    var receiver = RTPMIDIReceiver()
    var count = 0
    let isTaken = receiver.receive(hex(packet).span) { _ in count += 1 }
    #expect(!isTaken && count == 0 && receiver.counts.malformed == 1 && receiver.newest == nil)
  }

  @Test("skip unknown chapters and journals by their lengths, and drop a malformed journal")
  func unknownChapters() {
    let start = "8061 0001 00000000 00000001 43 903C25"
    func repairs(_ journal: String) -> ([MIDIMessage], Int) {
      var receiver = RTPMIDIReceiver()
      var found: [MIDIMessage] = []
      receiver.receive(hex(start + "00 0001").span) { _ in }
      receiver.receive(hex("8061 0009 00000000 00000001 40" + journal).span) { event in
        if case .message(let message, _, true) = event { found.append(message) }
      }
      return (found, receiver.counts.badJournals)
    }
    // System journal with D, V and F; then E before T, and unknown bytes after the channel's chapters.
    let system = "E40B F0 81 82 83 05 40 00 00 00"
    #expect(repairs("20 0001 000A 06 01 3C05 3D06 4D AA") == ([.pressure(0, 77)], 0))
    #expect(repairs("60 0001 \(system) 0005 02 4D AA") == ([.pressure(0, 77)], 0))
    // A channel journal that is longer than the packet: nothing of it is applied, the sounding note is released.
    #expect(repairs("20 0001 000B 06 01 3C05 3D06 4D AA") == ([.noteOff(0, 60, velocity: 64)], 1))
    #expect(repairs("20 0001 0006 08 05 F1 3C") == ([.noteOff(0, 60, velocity: 64)], 1))
  }
}
