import MIDICore
import MoCore
import MoDSP
import MoInstruments
import MoMIDI
import MoTesting
import Testing

@Suite("An instrument played with MIDI")
struct MIDIPlayerTests {
  /// An instrument, its player, and the events that reach it.
  private final class Scene {
    let bus = InstrumentBus()
    let handle: InstrumentHandle
    var player: MIDIPlayer
    let events = Locked<[(event: InstrumentEvent, time: HostTime)]>([])

    init<Sound: Instrument>(_ sound: sending Sound) throws {
      handle = try bus.add(sound)
      player = MIDIPlayer(handle)
      let events = events
      _ = handle.slot.tap {
        EventTap(events) { event, time, _ in events.withLock { $0.append((event, time)) } }
      }
    }

    func handle(
      _ messages: MIDIMessage..., from port: String = "keys", number: Int = 0, at seconds: Double = 1
    ) {
      for message in messages {
        var event = MIDIEvent(message, at: HostTime(seconds: seconds), port: port)
        event.portNumber = number
        player.handle(event)
      }
    }

    var offs: [String] { text.filter { $0.hasPrefix("off") } }

    /// The events as text, with a note's number left out.
    var text: [String] {
      events.withLock { events in
        events.map { event, _ in
          switch event {
          case .noteOn(let note): "on \(note.pitch) \((note.velocity * 127).rounded())"
          case .noteOff(let note): "off \(note.pitch)"
          case .noteMove(let note): "move \(note.pitch) \((note.velocity * 127).rounded())"
          case .bend(let semitones): "bend \(semitones)"
          default: "\(event)"
          }
        }
      }
    }
  }

  @Test("a key is heard with its velocity and its stamp")
  func note() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.noteOn(0, 60, velocity: 100), at: 2.5)
    scene.handle(.noteOff(0, 60, velocity: 0), at: 3)
    #expect(scene.text == ["on 60.0 100.0", "off 60.0"])
    #expect(scene.events.withLock { $0.map(\.time) } == [HostTime(seconds: 2.5), HostTime(seconds: 3)])
  }

  @Test("the same key of two keyboards is two notes, and so it is on two channels")
  func twoKeyboards() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.noteOn(0, 60, velocity: 100), from: "one")
    scene.handle(.noteOn(0, 60, velocity: 90), from: "two")
    scene.handle(.noteOn(1, 60, velocity: 80), from: "two")
    scene.handle(.noteOff(0, 60, velocity: 0), from: "one")
    let ids = scene.events.withLock { events in
      events.compactMap { event -> Int32? in
        switch event.event {
        case .noteOn(let note), .noteOff(let note): note.id
        default: nil
        }
      }
    }
    #expect(Set(ids).count == 3 && ids[0] == ids[3])
  }

  @Test("a keyboard does not affect the notes of a second keyboard of the same name")
  func sameName() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.noteOn(0, 60, velocity: 27), number: 0)
    scene.handle(.noteOn(0, 60, velocity: 27), .noteOn(0, 62, velocity: 27), number: 1)
    scene.handle(.noteOff(0, 60, velocity: 0), number: 0)
    #expect(scene.offs == ["off 60.0"])
    scene.handle(.control(0, 64, 127), .pressure(0, 127), .keyPressure(0, 62, 127), number: 0)
    scene.handle(.noteOff(0, 62, velocity: 0), number: 1)
    #expect(scene.text.suffix(1) == ["off 62.0"])
    scene.handle(.control(0, 123, 0), .control(0, 64, 0), .reset, number: 0)
    #expect(scene.offs == ["off 60.0", "off 62.0"])
    #expect(!scene.text.contains { $0.hasPrefix("move") })
    scene.handle(.noteOff(0, 60, velocity: 0), number: 1)
    #expect(scene.offs == ["off 60.0", "off 62.0", "off 60.0"])
  }

  @Test("the wheel bends two semitones, or as far as RPN 0 says")
  func bend() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.bend(0, 16383), .bend(0, 0), .bend(0, 8192))
    scene.handle(.control(0, 101, 0), .control(0, 100, 0), .control(0, 6, 12))
    scene.handle(.bend(0, 16383))
    #expect(scene.text == ["bend 2.0", "bend -2.0", "bend 0.0", "bend 0.0", "bend 12.0"])
  }

  @Test("an instrument with a pedal gets the pedal; another's notes are held until it is up")
  func pedal() throws {
    let piano = try Scene(Piano())
    piano.handle(.control(0, 64, 127))
    #expect(piano.handle.value("pedal") == 1)
    piano.handle(.control(0, 64, 0))
    #expect(piano.handle.value("pedal") == 0)

    let tone = try Scene(Tone(seed: 1))
    tone.handle(.noteOn(0, 60, velocity: 1), .control(0, 64, 127), .noteOn(0, 62, velocity: 1))
    tone.handle(.noteOff(0, 60, velocity: 0))
    #expect(!tone.text.contains("off 60.0"))
    tone.handle(.control(0, 64, 0))
    #expect(tone.text.contains("off 60.0") && !tone.text.contains("off 62.0"))
  }

  @Test("pressure adds force to the held notes of its channel, and of its key alone if it names one")
  func pressure() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.noteOn(0, 60, velocity: 27), .noteOn(1, 70, velocity: 27), .pressure(0, 127))
    #expect(scene.text.suffix(1) == ["move 60.0 127.0"])
    scene.handle(.keyPressure(1, 70, 0))
    #expect(scene.text.suffix(1) == ["move 70.0 27.0"])
  }

  @Test("in an MPE zone a member's wheel moves its own note, up to 48 semitones, and the master bends all")
  func mpe() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.control(0, 101, 0), .control(0, 100, 6), .control(0, 6, 15))
    scene.handle(.noteOn(1, 60, velocity: 127), .noteOn(2, 64, velocity: 127), .bend(1, 16383))
    #expect(scene.text.suffix(1) == ["move 108.0 127.0"])
    scene.handle(.bend(0, 16383))
    #expect(scene.text.suffix(1) == ["bend 2.0"])
    scene.handle(.noteOn(1, 61, velocity: 127))
    #expect(scene.text.suffix(1) == ["on 109.0 127.0"])
  }

  @Test("in an MPE zone RPN 0 on any member sets the range of all members, and a new zone resets it")
  func mpeRange() throws {
    let scene = try Scene(Tone(seed: 1))
    let zone = [MIDIMessage.control(0, 101, 0), .control(0, 100, 6), .control(0, 6, 15)]
    for message in zone { scene.handle(message) }
    scene.handle(.control(2, 101, 0), .control(2, 100, 0), .control(2, 6, 24))
    scene.handle(.noteOn(5, 60, velocity: 127), .bend(5, 16383))
    #expect(scene.text.suffix(1) == ["move 84.0 127.0"])
    // The master keeps its own range.
    scene.handle(.bend(0, 16383))
    #expect(scene.text.suffix(1) == ["bend 2.0"])
    for message in zone { scene.handle(message) }
    scene.handle(.bend(5, 0), .bend(5, 16383))
    #expect(scene.text.suffix(1) == ["move 108.0 127.0"])
    // A channel that leaves the zone bends all its notes by two semitones again.
    scene.handle(.control(2, 101, 0), .control(2, 100, 0), .control(2, 6, 24))
    scene.handle(.control(0, 101, 0), .control(0, 100, 6), .control(0, 6, 0))
    scene.handle(.bend(5, 0), .bend(5, 16383))
    #expect(scene.text.suffix(1) == ["bend 2.0"])
  }

  @Test(
    "all notes off and all sound off end only the notes of their own port and channel",
    arguments: [MIDIUInt7(120), 123, 127])
  func allOff(_ number: MIDIUInt7) throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.noteOn(0, 60, velocity: 1), .noteOn(1, 61, velocity: 1), from: "one")
    scene.handle(.noteOn(0, 62, velocity: 1), from: "two")
    scene.handle(.control(0, number, 0), from: "one")
    #expect(scene.offs == ["off 60.0"])
  }

  @Test("the messages of momu midi panic, from a port without notes, end the notes and the bend of all ports")
  func panic() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.control(0, 64, 127), .noteOn(0, 60, velocity: 1), .bend(0, 16383), from: "one")
    scene.handle(.noteOn(0, 62, velocity: 1), .noteOff(0, 62, velocity: 1), from: "one")
    scene.handle(.noteOn(3, 64, velocity: 1), from: "one")
    for channel in UInt8(0)..<16 {
      for number: MIDIUInt7 in [64, 66, 67, 69, 120, 121, 123] {
        scene.handle(.control(MIDIChannel(lowBitsOf: channel), number, 0), from: "panic")
      }
    }
    #expect(scene.offs == ["off 60.0", "off 62.0", "off 64.0"])
    #expect(scene.text.filter { $0.hasPrefix("bend") } == ["bend 2.0", "bend 0.0"])
  }

  @Test("after all notes off, the pedal holds notes until it is up; after all sound off, it holds none")
  func allOffWithPedal() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.control(0, 64, 127), .noteOn(0, 60, velocity: 1), .noteOn(0, 62, velocity: 1))
    scene.handle(.noteOff(0, 60, velocity: 1), .control(0, 123, 0))
    #expect(scene.offs == [])
    scene.handle(.control(0, 64, 0))
    #expect(scene.offs == ["off 60.0", "off 62.0"])
    scene.handle(.control(0, 64, 127), .noteOn(0, 64, velocity: 1), .noteOff(0, 64, velocity: 1))
    scene.handle(.control(0, 120, 0))
    #expect(scene.offs.last == "off 64.0")
  }

  @Test("a program selects the preset of a SoundFont, and does nothing to a tone")
  func program() throws {
    let font = try Scene(SoundFont(seed: 1))
    font.handle(.program(0, 40))
    #expect(font.handle.value("preset") == 40)
    let tone = try Scene(Tone(seed: 1))
    tone.handle(.program(0, 40))
    #expect(tone.text.isEmpty)
  }

  @Test("controller 7 is loudness; a controller of the mapping moves its parameter instead")
  func controllers() throws {
    let scene = try Scene(Piano())
    scene.handle(.control(0, 7, 127))
    #expect(scene.handle.loudness == 1)
    scene.handle.mapping = try Mapping("cc7 64..127 -> brightness 0.2..1")
    scene.handle(.control(0, 7, 0))
    #expect(scene.handle.loudness == 1)
    #expect(abs((scene.handle.value("brightness") ?? 0) - 0.2) < 1e-6)
    scene.handle(.control(0, 7, 127))
    #expect(abs((scene.handle.value("brightness") ?? 0) - 1) < 1e-6)
  }

  @Test("ending releases every note that MIDI began, the pedal and the wheel")
  func end() throws {
    let scene = try Scene(Tone(seed: 1))
    scene.handle(.control(0, 64, 127), .noteOn(0, 60, velocity: 1), .noteOff(0, 60, velocity: 1), .bend(3, 0))
    scene.player.releaseAll(at: HostTime(seconds: 2))
    #expect(scene.text.suffix(2) == ["off 60.0", "bend 0.0"])
  }

  @Test("if another instrument takes over, the pedal still ends its notes, and the wheel's bend stays")
  func succession() throws {
    var harness = Harness()
    let entry = try Instruments.named("tone")
    let old = try entry.add(to: harness.bus, seed: 1)
    var player = MIDIPlayer(old)
    func play(_ messages: MIDIMessage...) {
      let time = moment(Double(harness.position))
      for message in messages { player.handle(MIDIEvent(message, at: time, port: "keys")) }
    }
    play(.control(0, 64, 127), .bend(0, 16383), .noteOn(0, 60, velocity: 100))
    _ = harness.render(4800)
    play(.noteOff(0, 60, velocity: 0))
    _ = harness.render(4800)
    let slot = try entry.successor(of: old, on: harness.bus)
    player.change(to: InstrumentHandle(slot), at: moment(Double(harness.position)))
    _ = try harness.bus.add(slot)
    let held = Array(harness.render(36_000).left.suffix(12_000))
    let pitch = try #require(AudioMeasures.pitch(held, sampleRate: 48_000, within: 200...400))
    #expect(abs(pitch - MoFun.midiToHz(62)) < 2)
    play(.control(0, 64, 0))
    #expect(AudioMeasures.peak(harness.render(96_000).left.suffix(4800)) < 1e-4)
  }

  @Test("a thousand held keys end the oldest, and none is left at the end")
  func manyNotes() throws {
    let scene = try Scene(Tone(seed: 1))
    for channel in 0..<16 {
      for key in 0..<64 {
        scene.handle(.noteOn(MIDIChannel(exactly: channel)!, MIDIUInt7(clamping: key), velocity: 1))
      }
    }
    scene.player.releaseAll(at: .zero)
    var held = Set<Int32>()
    for (event, _) in scene.events.withLock({ $0 }) {
      if case .noteOn(let note) = event { held.insert(note.id) }
      if case .noteOff(let note) = event { held.remove(note.id) }
    }
    #expect(held.isEmpty && scene.text.filter { $0.hasPrefix("on") }.count == 1024)
  }

  @Test(
    "a broken rule for a controller names its line",
    arguments: [
      ("cc120 -> brightness", "line 1: unknown controller 120: use cc0 to cc119"),
      ("\ncc -> brightness", "line 2: unknown source \"cc\""),
      ("cc74 -> brightnes", "line 1: unknown parameter \"brightnes\": did you mean \"brightness\"?"),
    ])
  func broken(_ text: String, _ expected: String) {
    let error = #expect(throws: MappingError.self) { try Mapping(text, parameters: ["brightness"]) }
    #expect("\(error!)".hasPrefix(expected))
  }
}
