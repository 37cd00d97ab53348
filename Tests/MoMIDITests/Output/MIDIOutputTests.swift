import MIDICore
import MoCore
import MoMIDI
import Testing

@Suite("MIDI out")
struct MIDIOutputTests {
  private func time(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  @Test("sends messages in order of their times, in whatever order they were added")
  func order() {
    let harness = Harness()
    for index in (0..<10).reversed() {
      let message = MIDIMessage.control(0, 7, MIDIUInt7(clamping: index))
      #expect(harness.pump.sender.add(.message(message), at: time(Double(index) / 10)))
    }
    harness.run(to: 2)
    #expect(harness.sequencer.sentWithTimes.map(\.time) == (0..<10).map { time(Double($0) / 10) })
    #expect(harness.sequencer.sent == (0..<10).map { .control(0, 7, MIDIUInt7(clamping: $0)) })
  }

  @Test("sends song position before the continue of the same time, and clocks before notes of the same time")
  func continues() {
    let harness = Harness()
    for message in [
      MIDIMessage.noteOn(0, 60, velocity: 1), .songPosition(16), .continue, .noteOn(0, 61, velocity: 1),
    ] { _ = harness.pump.sender.add(.message(message), at: time(1)) }
    for message in [MIDIMessage.noteOn(0, 62, velocity: 1), .clock] {
      _ = harness.pump.sender.add(.message(message), at: time(1.5))
    }
    harness.run(to: 2)
    let sent = harness.sequencer.sent
    let place = { (message: MIDIMessage) in sent.firstIndex(of: message) ?? -1 }
    #expect(sent.count == 6 && place(.songPosition(16)) < place(.continue))
    #expect(place(.clock) < place(.noteOn(0, 62, velocity: 1)))
  }

  @Test("of two overlapping notes of a key, the end of the first does not cut the second")
  func overlap() {
    let harness = Harness()
    for start in [0, 0.5] {
      _ = harness.pump.sender.add(.note(0, 60, 100, nanoseconds: 1_000_000_000), at: time(start))
    }
    harness.run(to: 2)
    #expect(
      harness.sequencer.sentWithTimes == [
        .init(message: .noteOn(0, 60, velocity: 100), time: time(0)),
        .init(message: .noteOn(0, 60, velocity: 100), time: time(0.5)),
        .init(message: .noteOff(0, 60, velocity: 64), time: time(1.5)),
      ])
  }

  @Test("a note begins after the end of the previous note of its key, if both have the same time")
  func repeated() {
    let harness = Harness()
    for start in [0.0, 1] {
      _ = harness.pump.sender.add(.note(0, 60, 100, nanoseconds: 1_000_000_000), at: time(start))
    }
    harness.run(to: 3)
    let (on, off) = (MIDIMessage.noteOn(0, 60, velocity: 100), MIDIMessage.noteOff(0, 60, velocity: 64))
    #expect(harness.sequencer.sent == [on, off, on, off])
  }

  @Test(
    "a note that is released early neither shortens nor lengthens the next note of its key",
    arguments: [
      MIDISender.Order.release(nil), .message(.noteOff(0, 60, velocity: 64)), .message(.control(0, 123, 0)),
      .message(.reset),
    ], [1.0, 10])
  func released(_ release: MIDISender.Order, _ length: Double) {
    let harness = Harness()
    let sender = harness.pump.sender
    _ = sender.add(.note(0, 60, 100, nanoseconds: Int64(length * 1e9)), at: .zero)
    _ = sender.add(release, at: time(0.5))
    _ = sender.add(.note(0, 60, 90, nanoseconds: 1_000_000_000), at: time(0.7))
    harness.run(to: 20)
    let sent = harness.sequencer.sentWithTimes
    let second = sent.firstIndex(of: .init(message: .noteOn(0, 60, velocity: 90), time: time(0.7)))
    #expect(
      second.map { Array(sent[$0...].dropFirst()) } == [
        .init(message: .noteOff(0, 60, velocity: 64), time: time(1.7))
      ])
  }

  @Test("closing releases each note, then the pedals, then sends controller 123, and nothing that waited")
  func close() {
    let harness = Harness()
    for key: MIDIUInt7 in [60, 64] {
      _ = harness.pump.sender.add(.message(.noteOn(1, key, velocity: 100)), at: .zero)
    }
    _ = harness.pump.sender.add(.message(.control(1, 64, 127)), at: .zero)
    _ = harness.pump.sender.add(.message(.noteOn(1, 99, velocity: 1)), at: time(10))
    harness.run(to: 1)
    harness.pump.stop()
    #expect(
      Array(harness.sequencer.sent.dropFirst(3)) == [
        .noteOff(1, 60, velocity: 64), .noteOff(1, 64, velocity: 64), .control(1, 64, 0), .control(1, 123, 0),
      ])
    #expect(harness.sequencer.isClosed)
  }

  @Test("releasing one channel leaves the notes and pedals of the others until they are released too")
  func releaseChannel() {
    let harness = Harness()
    for channel: MIDIChannel in [1, 2] {
      _ = harness.pump.sender.add(.message(.noteOn(channel, 60, velocity: 100)), at: .zero)
      _ = harness.pump.sender.add(.message(.control(channel, 64, 127)), at: .zero)
    }
    _ = harness.pump.sender.add(.release(2), at: time(1))
    _ = harness.pump.sender.add(.release(2), at: time(2))
    _ = harness.pump.sender.add(.release(nil), at: time(3))
    harness.run(to: 4)
    let releases = { (channel: MIDIChannel) -> [MIDIMessage] in
      [.noteOff(channel, 60, velocity: 64), .control(channel, 64, 0), .control(channel, 123, 0)]
    }
    #expect(Array(harness.sequencer.sent.dropFirst(4)) == releases(2) + releases(1))
  }

  @Test("if a receiver has a full queue, the other receivers get each message once, in order")
  func fullReceiver() {
    let harness = Harness()
    harness.sequencer.isFull = true
    for key: MIDIUInt7 in [60, 61] {
      _ = harness.pump.sender.add(.note(0, key, 100, nanoseconds: 100_000_000), at: .zero)
    }
    #expect(harness.pump.sender.addSysEx([0xF0, 1, 0xF7], at: time(0.2)))
    _ = harness.pump.sender.add(.message(.noteOn(0, 62, velocity: 100)), at: time(0.3))
    harness.run(to: 1)
    harness.pump.stop()
    #expect(
      harness.sequencer.sent == [
        .noteOn(0, 60, velocity: 100), .noteOn(0, 61, velocity: 100), .noteOff(0, 60, velocity: 64),
        .noteOff(0, 61, velocity: 64), .noteOn(0, 62, velocity: 100), .noteOff(0, 62, velocity: 64),
        .control(0, 123, 0),
      ])
    #expect(harness.sequencer.pieces.map(\.0) == [[0xF0, 1, 0xF7]])
    #expect(harness.pump.sender.missed == 8)
  }

  @Test("SysEx leaves at 3,125 bytes a second; notes wait for its end, and clocks do not")
  func sysEx() throws {
    let harness = Harness()
    let bytes: [UInt8] = [0xF0] + [UInt8](repeating: 5, count: 6248) + [0xF7]
    #expect(harness.pump.sender.addSysEx(bytes, at: .zero))
    _ = harness.pump.sender.add(.message(.noteOn(0, 60, velocity: 1)), at: time(0.1))
    _ = harness.pump.sender.add(.message(.clock), at: time(1))
    harness.run(to: 3)
    #expect(harness.sequencer.pieces.flatMap { $0.0 } == bytes)
    #expect(harness.sequencer.pieces.allSatisfy { $0.0.count <= 256 })
    let last = try #require(harness.sequencer.pieces.last?.1)
    // All pieces but the last have passed along the cable by then.
    #expect(abs(last.seconds - 6144.0 / 3125) < 1e-6)
    #expect(harness.sequencer.sent == [.clock, .noteOn(0, 60, velocity: 1)])
  }

  @Test("completes a SysEx message that the end cuts off, so that the receiver continues")
  func cutSysEx() {
    let harness = Harness()
    #expect(harness.pump.sender.addSysEx([0xF0] + [UInt8](repeating: 5, count: 6248) + [0xF7], at: .zero))
    harness.run(to: 0.5)
    harness.pump.stop()
    #expect(harness.sequencer.pieces.last?.0 == [0xF7])
  }

  @Test("refuses more than four mebibytes of SysEx")
  func tooMuchSysEx() {
    let sender = MIDISender(FakeSequencer())
    let bytes: [UInt8] = [0xF0] + [UInt8](repeating: 5, count: 1_048_574) + [0xF7]
    #expect((0..<5).map { _ in sender.addSysEx(bytes, at: .zero) } == [true, true, true, true, false])
  }

  @Test("refuses a flood, and ends every note that began")
  func flood() {
    let harness = Harness()
    var refused = 0
    for index in 0..<20_000 {
      let key = MIDIUInt7(clamping: index % 128)
      let note = MIDISender.Order.note(0, key, 1, nanoseconds: 500_000_000)
      if !harness.pump.sender.add(note, at: time(Double(index) * 1e-4)) { refused += 1 }
    }
    #expect(refused > 0 && refused == harness.pump.sender.dropped)
    harness.run(to: 60)
    harness.pump.stop()
    var sounding = Set<MIDIUInt7>()
    for message in harness.sequencer.sent {
      if case .noteOn(_, let key, _) = message { sounding.insert(key) }
      if case .noteOff(_, let key, _) = message { sounding.remove(key) }
    }
    #expect(sounding.isEmpty)
  }

  @Test("a full queue loses no release of a note, and keeps no SysEx message that it has lost")
  func fullQueue() {
    let harness = Harness()
    let sender = harness.pump.sender
    let bytes: [UInt8] = [0xF0] + [UInt8](repeating: 5, count: 1_048_574) + [0xF7]
    for channel: MIDIChannel in [0, 2] {
      _ = sender.add(.message(.noteOn(channel, 60, velocity: 9)), at: .zero)
    }
    harness.run(to: 0.1)
    for index in 0..<16_384 {
      _ = sender.add(.message(index % 2 == 0 ? .program(0, 1) : .noteOn(1, 62, velocity: 9)), at: time(10))
      if index % 1000 == 0 { harness.run(to: 0.1) }
    }
    harness.run(to: 0.1)
    for _ in 0..<2 {
      for _ in 0..<4 { #expect(sender.addSysEx(bytes, at: time(10))) }
      harness.run(to: 0.1)
    }
    #expect(sender.dropped == 8)
    _ = sender.add(.message(.noteOff(0, 60, velocity: 64)), at: time(0.2))
    harness.run(to: 0.5)
    #expect(harness.sequencer.sent.last == .noteOff(0, 60, velocity: 64))
    _ = sender.add(.release(nil), at: time(0.6))
    harness.run(to: 1)
    #expect(harness.sequencer.sent.suffix(2) == [.noteOff(2, 60, velocity: 64), .control(2, 123, 0)])
    harness.run(to: 11)
    #expect(harness.sequencer.sent.count == 2 + 1 + 2 + 16_384 && sender.dropped == 8)
  }

  @Test("a full queue keeps the notes that wait when further notes, note-offs or a release are added")
  func fullOfNotes() {
    let harness = Harness()
    let sender = harness.pump.sender
    for index in 0..<8193 {
      _ = sender.add(.message(.noteOn(0, 60, velocity: 9)), at: time(Double(index) + 1))
      _ = sender.add(.message(.noteOff(0, 60, velocity: 64)), at: time(Double(index) + 1.5))
      if index % 1000 == 0 { harness.run(to: 0) }
    }
    _ = sender.add(.release(nil), at: .zero)
    // The last note-on finds no room.
    harness.run(to: 0)
    #expect(sender.dropped == 1 && harness.sequencer.sent.isEmpty)
    harness.run(to: 9000)
    let sent = harness.sequencer.sent
    #expect(sent.count { $0 == .noteOn(0, 60, velocity: 9) } == 8192 && sent.count == 8192 + 8193)
  }

  @Test("plays a note with its end, or drops the whole note, if a queue has room for a single order")
  func wholeNotes() {
    let inbox = Harness()
    for _ in 0..<4095 { _ = inbox.pump.sender.add(.message(.program(0, 1)), at: .zero) }
    let isIn = inbox.pump.sender.add(.note(0, 60, 100, nanoseconds: 1_000_000_000), at: time(1))
    inbox.run(to: 3)
    #expect(isIn)
    #expect(
      Array(inbox.sequencer.sent.dropFirst(4095)) == [
        .noteOn(0, 60, velocity: 100), .noteOff(0, 60, velocity: 64),
      ])

    let heap = Harness()
    _ = heap.pump.sender.add(.message(.program(0, 1)), at: time(1))
    for index in 0..<17_000 {
      let start = time(1 + Double(index) * 1e-4)
      _ = heap.pump.sender.add(.note(0, 60, 100, nanoseconds: 1000), at: start)
      if index % 1000 == 0 { heap.run(to: 0) }
    }
    heap.run(to: 0)
    // With the program change, 16,383 notes fill the queue.
    #expect(heap.pump.sender.dropped == 17_000 - 16_383)
    heap.run(to: 3)
    let ends = heap.sequencer.sent.filter { $0 == .noteOff(0, 60, velocity: 64) }
    #expect(heap.sequencer.sent.count == 1 + 2 * 16_383 && ends.count == 16_383)
  }

  @Test("reconnects a receiver that disappears and returns")
  func returns() throws {
    let harness = Harness([.synth])
    try harness.pump.connections.send(.named(MIDIPortName("fluid")), waits: false, at: .zero)
    harness.sequencer.unplug(MIDIPort.synth.address)
    harness.run(to: 1)
    var port = MIDIPort.synth
    port.address.client += 1
    harness.sequencer.plug(port)
    harness.run(to: 2)
    #expect(harness.sequencer.sentTo == [port.address])
    #expect(
      harness.portEvents.all == [
        .sending(name: "FLUID Synth port"), .lostOutput(name: "FLUID Synth port"),
        .sending(name: "FLUID Synth port"),
      ])
  }
}
