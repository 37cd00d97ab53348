import MIDICore
import MoCore
import MoMIDI
import Testing

@Suite("MIDI in")
struct MIDIInputTests {
  private let nano = MIDIPort.nano.address

  @Test("a pressed key arrives with its port, channel and stamp")
  func note() throws {
    let stage = Stage([.nano])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    stage.sequencer.arrive(.noteOn(3, 60, velocity: 127), from: nano, at: 0.25)
    stage.run(to: 1)
    let note = try #require(stage.heard.all.first.flatMap(MIDINote.init))
    #expect((note.key, note.velocity, note.channel) == (60, 1, 4))
    #expect(note.port == "nanoKEY2 MIDI 1" && note.time == HostTime(seconds: 0.25))
  }

  @Test("a note-on of velocity 0 is a release")
  func silentNoteOn() throws {
    let stage = Stage([.nano])
    stage.sequencer.arrive(.noteOn(0, 60, velocity: 0), from: nano)
    stage.run(to: 1)
    #expect(stage.messages == [.noteOff(0, 60, velocity: 64)])
    #expect(stage.heard.all.first.flatMap(MIDINote.init)?.isOn == false)
  }

  @Test("releases an unplugged keyboard's notes, then its pedals, then sets controller 123")
  func unplugged() throws {
    let stage = Stage([.nano, .launch])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    for key: MIDIUInt7 in [60, 64, 67] { stage.sequencer.arrive(.noteOn(0, key, velocity: 90), from: nano) }
    stage.sequencer.arrive(.control(0, 64, 127), from: nano)
    stage.sequencer.arrive(.noteOff(0, 64, velocity: 0), from: nano)
    stage.sequencer.arrive(.noteOn(0, 72, velocity: 90), from: MIDIPort.launch.address)
    stage.run(to: 1)
    let before = stage.messages.count
    stage.sequencer.unplug(nano)
    stage.run(to: 2)
    #expect(
      Array(stage.messages[before...]) == [
        .noteOff(0, 60, velocity: 64), .noteOff(0, 67, velocity: 64), .control(0, 64, 0), .control(0, 123, 0),
      ])
    #expect(stage.portEvents.all.last == .lost(name: "nanoKEY2 MIDI 1"))
  }

  @Test("recognises a returning keyboard by its name under another number, twenty times, without stuck notes")
  func replugged() throws {
    let stage = Stage()
    let name = MIDIPortName("nanoKEY2")
    try stage.pump.connections.read(.named(name), waits: true, at: .zero)
    for turn in 0..<20 {
      var port = MIDIPort.nano
      port.address.client += Int32(turn % 3)
      stage.sequencer.plug(port)
      stage.run(to: Double(turn) + 0.5)
      #expect(stage.sequencer.readFrom == [port.address])
      for key: MIDIUInt7 in [60, 64, 67] {
        stage.sequencer.arrive(.noteOn(0, key, velocity: 9), from: port.address)
      }
      stage.sequencer.unplug(port.address)
      stage.run(to: Double(turn) + 1)
    }
    var held = Set<Int>()
    for note in stage.heard.all.compactMap(MIDINote.init) {
      if note.isOn { held.insert(note.key) } else { held.remove(note.key) }
    }
    #expect(held.isEmpty)
    #expect(stage.heard.all.compactMap(MIDINote.init).filter(\.isOn).count == 60)
  }

  @Test("reconnects a keyboard that disappears and returns before the next poll")
  func quickReplug() throws {
    let stage = Stage([.nano])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    stage.sequencer.unplug(nano)
    stage.sequencer.plug(.nano)
    stage.run(to: 1)
    #expect(stage.sequencer.readFrom == [nano])
    #expect(
      stage.portEvents.all == [
        .using(name: "nanoKEY2 MIDI 1"), .lost(name: "nanoKEY2 MIDI 1"), .using(name: "nanoKEY2 MIDI 1"),
      ])
  }

  @Test("a port that a user disconnects stays so until it is plugged in again")
  func disconnectedByHand() throws {
    let stage = Stage([.nano])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    stage.sequencer.arrive(.event(.disconnected(nano)))
    stage.sequencer.plug(.launch)
    stage.run(to: 1)
    #expect(stage.portEvents.all.last == .using(name: "Launchkey Mini MIDI 1"))
    #expect(stage.portEvents.all.filter { $0 == .using(name: "nanoKEY2 MIDI 1") }.count == 1)
  }

  @Test("\"all\" means devices: neither programs nor ports that only receive")
  func devicesOnly() throws {
    let program = MIDIPort(MIDIAddress(130, 0), client: "vkeybd", name: "out", isDevice: false)
    var out = MIDIPort.launch
    out.sends = false
    let stage = Stage([.nano, program, out])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    #expect(stage.sequencer.readFrom == [nano])
  }

  @Test("an overrun releases the held notes of all ports, and looks up all ports again")
  func overrun() throws {
    let stage = Stage([.nano])
    try stage.pump.connections.read(.keyboards, waits: false, at: .zero)
    stage.sequencer.arrive(.noteOn(0, 60, velocity: 9), from: nano)
    stage.sequencer.arrive(.noteOn(0, 61, velocity: 9), from: MIDIAddress(140, 0))
    stage.sequencer.arrive(.event(.overrun))
    stage.run(to: 1)
    #expect(stage.messages.suffix(4).contains(.noteOff(0, 60, velocity: 64)))
    #expect(stage.messages.suffix(4).contains(.noteOff(0, 61, velocity: 64)))
    #expect(stage.portEvents.all.contains(.overrun))
  }

  @Test("passes only messages of the requested channel")
  func channel() {
    let stage = Stage(channel: 2)
    for channel in 0..<16 {
      stage.sequencer.arrive(.noteOn(MIDIChannel(exactly: channel)!, 60, velocity: 9), from: nano)
    }
    stage.sequencer.arrive(.clock, from: nano)
    stage.run(to: 1)
    #expect(stage.messages == [.noteOn(2, 60, velocity: 9), .clock])
  }

  @Test("joins SysEx in pieces of 256 bytes, separately for each port")
  func sysEx() {
    let stage = Stage()
    let long: [UInt8] = [0xF0] + (0..<65_000).map { UInt8($0 % 128) } + [0xF7]
    for start in stride(from: 0, to: long.count, by: 256) {
      stage.sequencer.arrive(.sysEx(Array(long[start..<min(start + 256, long.count)]), nano, .zero))
      stage.sequencer.arrive(.sysEx([0xF0, UInt8(start / 256 % 128), 0xF7], MIDIPort.launch.address, .zero))
    }
    stage.run(to: 1)
    #expect(stage.dumps.all.filter { $0.bytes == long }.count == 1)
    #expect(stage.dumps.all.filter { $0.bytes.count == 3 }.count == 254)
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
    let stage = Stage()
    for client in 0..<1000 {
      stage.sequencer.arrive(.noteOn(0, 60, velocity: 9), from: MIDIAddress(Int32(client), 0))
      stage.sequencer.arrive(.noteOff(0, 60, velocity: 9), from: MIDIAddress(Int32(client), 0))
    }
    stage.run(to: 1)
    #expect(stage.pump.connections.names.count <= MIDIReceiver.capacity)
    #expect(stage.heard.all.count == 2000)
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
