import MIDICore
import MoCore
import MoMIDI
import Testing

@Suite("MIDI in")
struct MIDIInputTests {
  private let nano = MIDIPort.nano.address

  @Test("a pressed key arrives with its port, channel and stamp")
  func note() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    harness.sequencer.arrive(.noteOn(3, 60, velocity: 127), from: nano, at: 0.25)
    harness.run(to: 1)
    let note = try #require(harness.heard.all.first.flatMap(MIDINote.init))
    #expect((note.key, note.velocity, note.channel) == (60, 1, 4))
    #expect(note.port == "nanoKEY2 MIDI 1" && note.time == HostTime(seconds: 0.25))
  }

  @Test("a note-on of velocity 0 is a release")
  func silentNoteOn() throws {
    let harness = Harness([.nano])
    harness.sequencer.arrive(.noteOn(0, 60, velocity: 0), from: nano)
    harness.run(to: 1)
    #expect(harness.messages == [.noteOff(0, 60, velocity: 64)])
    #expect(harness.heard.all.first.flatMap(MIDINote.init)?.isOn == false)
  }

  @Test("releases an unplugged keyboard's notes, then its pedals, then sets controller 123")
  func unplugged() throws {
    let harness = Harness([.nano, .launch])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    for key: MIDIUInt7 in [60, 64, 67] { harness.sequencer.arrive(.noteOn(0, key, velocity: 90), from: nano) }
    harness.sequencer.arrive(.control(0, 64, 127), from: nano)
    harness.sequencer.arrive(.noteOff(0, 64, velocity: 0), from: nano)
    harness.sequencer.arrive(.noteOn(0, 72, velocity: 90), from: MIDIPort.launch.address)
    harness.run(to: 1)
    let before = harness.messages.count
    harness.sequencer.unplug(nano)
    harness.run(to: 2)
    #expect(
      Array(harness.messages[before...]) == [
        .noteOff(0, 60, velocity: 64), .noteOff(0, 67, velocity: 64), .control(0, 64, 0), .control(0, 123, 0),
      ])
    #expect(harness.portEvents.all.last == .lost(name: "nanoKEY2 MIDI 1"))
  }

  @Test("recognises a returning keyboard by its name under another number, twenty times, without stuck notes")
  func replugged() throws {
    let harness = Harness()
    let name = MIDIPortName("nanoKEY2")
    try harness.pump.connections.read(.named(name), waits: true, at: .zero)
    for turn in 0..<20 {
      var port = MIDIPort.nano
      port.address.client += Int32(turn % 3)
      harness.sequencer.plug(port)
      harness.run(to: Double(turn) + 0.5)
      #expect(harness.sequencer.readFrom == [port.address])
      for key: MIDIUInt7 in [60, 64, 67] {
        harness.sequencer.arrive(.noteOn(0, key, velocity: 9), from: port.address)
      }
      harness.sequencer.unplug(port.address)
      harness.run(to: Double(turn) + 1)
    }
    var held = Set<Int>()
    for note in harness.heard.all.compactMap(MIDINote.init) {
      if note.isOn { held.insert(note.key) } else { held.remove(note.key) }
    }
    #expect(held.isEmpty)
    #expect(harness.heard.all.compactMap(MIDINote.init).filter(\.isOn).count == 60)
  }

  @Test("reconnects a keyboard that disappears and returns before the next poll")
  func quickReplug() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    harness.sequencer.unplug(nano)
    harness.sequencer.plug(.nano)
    harness.run(to: 1)
    #expect(harness.sequencer.readFrom == [nano])
    #expect(
      harness.portEvents.all == [
        .using(name: "nanoKEY2 MIDI 1"), .lost(name: "nanoKEY2 MIDI 1"), .using(name: "nanoKEY2 MIDI 1"),
      ])
  }

  @Test("a port that a user disconnects stays so until it is plugged in again")
  func disconnectedByHand() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    harness.sequencer.arrive(.event(.disconnected(nano)))
    harness.sequencer.plug(.launch)
    harness.run(to: 1)
    #expect(harness.portEvents.all.last == .using(name: "Launchkey Mini MIDI 1"))
    #expect(harness.portEvents.all.filter { $0 == .using(name: "nanoKEY2 MIDI 1") }.count == 1)
  }

  @Test("\"all\" means devices: neither programs nor ports that only receive")
  func devicesOnly() throws {
    let program = MIDIPort(MIDIAddress(130, 0), client: "vkeybd", name: "out", isDevice: false)
    var out = MIDIPort.launch
    out.sends = false
    let harness = Harness([.nano, program, out])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    #expect(harness.sequencer.readFrom == [nano])
  }

  @Test("an overrun releases the held notes of all ports, and looks up all ports again")
  func overrun() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    harness.sequencer.arrive(.noteOn(0, 60, velocity: 9), from: nano)
    harness.sequencer.arrive(.noteOn(0, 61, velocity: 9), from: MIDIAddress(140, 0))
    harness.sequencer.arrive(.event(.overrun))
    harness.run(to: 1)
    #expect(harness.messages.suffix(4).contains(.noteOff(0, 60, velocity: 64)))
    #expect(harness.messages.suffix(4).contains(.noteOff(0, 61, velocity: 64)))
    #expect(harness.portEvents.all.contains(.overrun))
  }

  @Test(
    "receives from a device again, and sends to it again, if the device is replugged during an overrun",
    arguments: [true, false])
  func replugUnseen(_ reads: Bool) throws {
    let harness = Harness([.nano])
    harness.pump.isDeaf = !reads
    let connections = harness.pump.connections
    if reads { try connections.read(.keyboards, waits: false, at: .zero) }
    try connections.send(.named(MIDIPortName("nano")), waits: false, at: .zero)
    harness.sequencer.replugUnseen(nano)
    harness.run(to: 1)
    #expect(harness.sequencer.readFrom == (reads ? [nano] : []) && harness.sequencer.sentTo == [nano])
    #expect(harness.portEvents.all.contains(.overrun) == reads)
    #expect(harness.portEvents.all.filter { $0 == .sending(name: "nanoKEY2 MIDI 1") }.count == 1)
  }

  @Test("passes only messages of the requested channel")
  func channel() {
    let harness = Harness(channel: 2)
    for channel in 0..<16 {
      harness.sequencer.arrive(.noteOn(MIDIChannel(exactly: channel)!, 60, velocity: 9), from: nano)
    }
    harness.sequencer.arrive(.clock, from: nano)
    harness.run(to: 1)
    #expect(harness.messages == [.noteOn(2, 60, velocity: 9), .clock])
  }

  @Test("joins SysEx in pieces of 256 bytes, separately for each port")
  func sysEx() {
    let harness = Harness()
    let long: [UInt8] = [0xF0] + (0..<65_000).map { UInt8($0 % 128) } + [0xF7]
    for start in stride(from: 0, to: long.count, by: 256) {
      harness.sequencer.arrive(.sysEx(Array(long[start..<min(start + 256, long.count)]), nano, .zero))
      harness.sequencer.arrive(
        .sysEx([0xF0, UInt8(start / 256 % 128), 0xF7], MIDIPort.launch.address, .zero))
    }
    harness.run(to: 1)
    #expect(harness.dumps.all.filter { $0.bytes == long }.count == 1)
    #expect(harness.dumps.all.filter { $0.bytes.count == 3 }.count == 254)
  }

  @Test("drops and counts SysEx that is cut off, has no beginning, or is endless")
  func badSysEx() {
    var joiner = MIDISysExJoiner()
    func read(_ bytes: [UInt8]) -> MIDISysExJoiner.Outcome {
      bytes.withUnsafeBufferPointer { joiner.read($0) }
    }
    #expect(read([1, 2, 0xF7]) == .init(isComplete: false, dropped: 1))
    #expect(read([0xF0, 1]) == .init())
    #expect(read([0xF0, 2, 0xF7]) == .init(isComplete: true, dropped: 1))
    #expect(joiner.bytes == [0xF0, 2, 0xF7])
    #expect(read([0xF0, 3, 0x90]) == .init(isComplete: false, dropped: 1))
    #expect(read([0xF0] + [UInt8](repeating: 1, count: 200_000)) == .init())
    #expect(joiner.bytes.count <= MIDISysExJoiner.limit)
    #expect(read([0xF7]) == .init(isComplete: false, dropped: 1))
    #expect(read([0xF0, 4, 0xF7]) == .init(isComplete: true, dropped: 0))
  }

  @Test("a thousand senders that connect and disappear do not fill a table")
  func manySenders() {
    let harness = Harness()
    for client in 0..<1000 {
      harness.sequencer.arrive(.noteOn(0, 60, velocity: 9), from: MIDIAddress(Int32(client), 0))
      harness.sequencer.arrive(.noteOff(0, 60, velocity: 9), from: MIDIAddress(Int32(client), 0))
    }
    harness.run(to: 1)
    #expect(harness.pump.connections.names.count <= MIDIReceiver.capacity)
    #expect(harness.heard.all.count == 2000)
  }

  @Test("a token cancelled within its own call ends its calls; other callbacks continue")
  func cancelWithin() throws {
    let callbacks = MIDICallbacks<Int>()
    let (first, second) = (Collected<Int>(), Collected<Int>())
    let token = Collected<MoToken>()
    token.add(
      callbacks.add { value in
        first.add(copy value)
        token.all.first?.cancel()
      })
    _ = callbacks.add { value in second.add(copy value) }
    for value in 0..<3 { callbacks.call(value) }
    #expect(first.all == [0] && second.all == [0, 1, 2])
  }
}
