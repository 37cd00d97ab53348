import MIDICore
import MoCore
import MoMIDI
import Testing

@Suite("MIDI notes that come with their length")
struct NoteLengthTests {
  private let nano = MIDIPort.nano.address

  private func note(_ key: MIDIUInt7, _ milliseconds: UInt32) -> MIDITimedNote {
    MIDITimedNote(0, key, velocity: 90, offVelocity: 33, milliseconds: milliseconds)
  }

  private func arrive(_ note: MIDITimedNote, at seconds: Double, _ harness: Harness) {
    harness.sequencer.arrive(.event(.note(note, from: nano, at: HostTime(seconds: seconds))))
  }

  private func heard(_ harness: Harness) -> [String] {
    harness.heard.all.map { event in
      let time = (event.time.seconds * 1000).rounded() / 1000
      return switch event.message {
      case .noteOn(_, let key, let velocity): "\(time) on \(key.value) \(velocity.value)"
      case .noteOff(_, let key, let velocity): "\(time) off \(key.value) \(velocity.value)"
      default: "\(time) \(event.message)"
      }
    }
  }

  @Test("are released when their length is over, with their own release velocity")
  func length() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    arrive(note(60, 250), at: 1, harness)
    harness.run(to: 1)
    #expect(heard(harness) == ["1.0 on 60 90"])
    harness.run(to: 2)
    #expect(heard(harness) == ["1.0 on 60 90", "1.25 off 60 33"])
  }

  @Test("end before a later note of the same turn begins")
  func order() {
    let harness = Harness([.nano])
    arrive(note(60, 100), at: 1, harness)
    harness.sequencer.arrive(.noteOn(0, 60, velocity: 80), from: nano, at: 1.2)
    harness.run(to: 2)
    #expect(heard(harness) == ["1.0 on 60 90", "1.1 off 60 33", "1.2 on 60 80"])
  }

  @Test("of the same key end with the last of them")
  func overlap() {
    let harness = Harness([.nano])
    arrive(note(60, 1000), at: 1, harness)
    arrive(note(60, 100), at: 1.5, harness)
    harness.run(to: 3)
    #expect(heard(harness) == ["1.0 on 60 90", "1.5 on 60 90", "2.0 off 60 33"])
  }

  @Test("that their sender releases earlier are released once")
  func early() {
    let harness = Harness([.nano])
    arrive(note(60, 1000), at: 1, harness)
    harness.sequencer.arrive(.noteOff(0, 60, velocity: 5), from: nano, at: 1.5)
    harness.sequencer.arrive(.noteOn(0, 60, velocity: 80), from: nano, at: 1.6)
    harness.run(to: 3)
    #expect(heard(harness) == ["1.0 on 60 90", "1.5 off 60 5", "1.6 on 60 80"])
  }

  @Test("of an unplugged port are released once, when it disappears")
  func unplugged() throws {
    let harness = Harness([.nano])
    try harness.pump.connections.read(.keyboards, waits: false, at: .zero)
    arrive(note(60, 5000), at: 1, harness)
    harness.run(to: 1.5)
    harness.sequencer.unplug(nano)
    harness.run(to: 1.5)
    harness.run(to: 10)
    let offs = heard(harness).filter { $0.contains("off 60") }
    #expect(offs == ["1.5 off 60 64"])
  }

  @Test("that are too many are released immediately, and none sounds forever")
  func flood() {
    let harness = Harness([.nano])
    for index in 0..<3000 {
      let timed = MIDITimedNote(
        MIDIChannel(lowBitsOf: UInt8(index / 128 % 16)), MIDIUInt7(lowBitsOf: UInt8(index % 128)),
        velocity: 1, offVelocity: 1, milliseconds: .max)
      arrive(timed, at: 1, harness)
    }
    harness.run(to: 2)
    harness.run(to: 5_000_000)
    var sounding = Set<Int>()
    for event in harness.heard.all {
      if case .noteOn(let channel, let key, _) = event.message {
        sounding.insert(channel.number * 128 + Int(key.value))
      }
      if case .noteOff(let channel, let key, _) = event.message {
        sounding.remove(channel.number * 128 + Int(key.value))
      }
    }
    #expect(harness.heard.all.count > 3000 && sounding.isEmpty)
  }
}
