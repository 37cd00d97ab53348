import MIDICore
import MoCore
import MoOSC
import MoRig
import MoRuntime
import Testing

/// MIDI ports that keep what is sent to them.
private final class FakePorts: RigMIDIPorts {
  struct State {
    var sent: [(message: MIDIMessage, time: HostTime)] = []
    var opened: [String] = []
    var closed = 0
    var isThere = true
    var returned: @Sendable () -> Void = {}
  }

  let state = Locked(State())

  struct Absent: Error, CustomStringConvertible {
    let description = "no ALSA sequencer: type sudo modprobe snd-seq"
  }

  private struct Port: RigMIDIPort {
    let ports: FakePorts
    func send(_ message: MIDIMessage, at time: HostTime) {
      ports.state.withLock { $0.sent.append((message, time)) }
    }
    func close() { ports.state.withLock { $0.closed += 1 } }
  }

  func open(
    _ name: String, in run: Run, returned: @escaping @Sendable () -> Void
  ) throws -> any RigMIDIPort {
    try state.withLock { state in
      guard state.isThere else { throw Absent() }
      state.opened.append(name)
      state.returned = returned
    }
    return Port(ports: self)
  }

  func problem(with name: String) -> (text: String, isWaiting: Bool)? { nil }

  var messages: [MIDIMessage] { state.withLock { $0.sent.map(\.message) } }
}

@Suite("A rig that plays MIDI")
struct MIDITests {
  private let ports = FakePorts()
  private let network = FakeNetwork()
  private let logged = Locked<[String]>([])
  private let run = Run.virtual()

  private func reading(_ text: String) -> RigReading {
    RigReader.reading("[rig]\nstatistics = 0\nto = midi:FLUID\n" + text, file: "rig.conf")
  }

  private func rig(_ text: String) throws -> Rig { try rig(reading(text)) }

  private func rig(_ reading: RigReading) throws -> Rig {
    let rig = Rig(
      reading, machine: "pi", in: run, on: network, midi: ports,
      log: { [logged] _, text in logged.withLock { $0.append(text) } })
    rig.resolver.update()
    try rig.start()
    return rig
  }

  private func play(_ rig: Rig, until seconds: Double) {
    let end = HostTime(seconds: seconds)
    while let next = run.input.nextTime, next <= end {
      run.frameClock?.advance(frames: max(0, Int((next.seconds(since: run.clock.now) * 48_000).rounded(.up))))
      run.input.service(until: next)
      rig.update()
    }
  }

  private func values(_ controller: MIDIUInt7) -> [Int] {
    ports.messages.compactMap { message in
      guard case .control(_, controller, let value) = message else { return nil }
      return Int(value.value)
    }
  }

  @Test("moves a controller over its whole range with a sensor's range, and sends each step once")
  func wave() throws {
    let rig = try rig("[sensor knob]\nsource = sim:wave\nchannel = knob\nmidi = cc74\n")
    play(rig, until: 10)
    rig.stop()
    let values = values(74)
    // Up to the top in five seconds, and down again: each step once on each way.
    #expect(values.max() == 127 && (values.min() ?? 9) <= 1)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
    let turns = zip(zip(values, values.dropFirst()), values.dropFirst(2)).count { pair, third in
      (pair.1 - pair.0).signum() != (third - pair.1).signum()
    }
    #expect(turns == 1 && (240...256).contains(values.count), "\(turns) \(values.count)")
    #expect(ports.state.withLock { $0.opened } == ["FLUID"] && ports.state.withLock { $0.closed } == 1)
    #expect(network.messages.isEmpty)
  }

  @Test("gives each value of an accelerometer its own controller, at a cable's pace")
  func tilt() throws {
    let rig = try rig(
      "midi-channel = 3\n[accel]\nsource = sim:tilt\nrange = -1..1\nmidi = cc11, bend, pressure\n")
    play(rig, until: 20)
    rig.stop()
    let sent = ports.state.withLock { $0.sent }
    #expect(sent.allSatisfy { $0.message.channel?.number == 3 })
    let kinds = Set(
      sent.map { entry -> String in
        switch entry.message {
        case .control(_, 11, _): "cc11"
        case .bend: "bend"
        case .pressure: "pressure"
        default: "other"
        }
      })
    #expect(kinds == ["cc11", "bend", "pressure"])
    for second in 0..<20 {
      let bytes = sent.filter { Int($0.time.seconds) == second }.reduce(0) { $0 + $1.message.bytes.count }
      #expect(bytes <= 3125 + 96, "\(bytes) in second \(second)")
    }
  }

  @Test("holds a key while a switch is on, and releases it with the port")
  func steps() throws {
    let rig = try rig("[sensor door]\nsource = sim:steps\nchannel = door\nmidi = note60\n")
    play(rig, until: 30)
    rig.stop()
    let sounding = ports.messages.map { message -> Int in
      if case .noteOn(0, 60, 127) = message { 1 } else if case .noteOff(0, 60, _) = message { -1 } else { 9 }
    }
    #expect(sounding.count > 4 && Set(sounding) == [1, -1])
    #expect(zip(sounding, sounding.dropFirst()).allSatisfy { $0 != $1 })
  }

  private let door = "[sensor door]\nsource = sim:steps\nchannel = door\nmidi = note60\n"
  private let still = "[accel]\nsource = sim:still\nmidi = cc1\n"

  /// The notes of key 60: true for a note-on, false for a note-off.
  private var notes: [Bool] {
    ports.messages.compactMap { message in
      switch message {
      case .noteOn(_, 60, _): true
      case .noteOff(_, 60, _): false
      default: nil
      }
    }
  }

  /// Plays until the key 60 is down, or up, and returns the time.
  private func play(_ rig: Rig, untilIsDown isDown: Bool) -> Double {
    var seconds = 1.0
    while seconds < 30 {
      play(rig, until: seconds)
      if !notes.isEmpty, notes.last == isDown { return seconds }
      seconds += 0.05
    }
    Issue.record("the key does not move")
    return seconds
  }

  @Test(
    "sends the state of each key again to a port that returns, pressed or released", arguments: [true, false])
  func keysReturn(isDown: Bool) throws {
    let rig = try rig(door)
    _ = play(rig, untilIsDown: isDown)
    let before = notes
    ports.state.withLock { $0.returned }()
    rig.update()
    #expect(notes == before + [isDown])
    rig.update()
    #expect(notes == before + [isDown])
    rig.stop()
  }

  @Test("presses a key whose sensor was on before the port could be opened")
  func keyBeforePort() throws {
    ports.state.withLock { $0.isThere = false }
    let rig = try rig("[accel]\nsource = sim:still\nrange = -1..1\nmidi = -, -, note60\n")
    play(rig, until: 1)
    ports.state.withLock { $0.isThere = true }
    play(rig, until: 10)
    #expect(notes == [true])
    rig.stop()
  }

  @Test("releases a key whose sensor was removed from the configuration, and keeps the port open")
  func keyOfRemovedSensor() throws {
    let rig = try rig(door + still)
    _ = play(rig, untilIsDown: true)
    let before = notes
    rig.apply(reading(still))
    #expect(notes == before + [false])
    #expect(ports.state.withLock { $0.closed } == 0)
    rig.stop()
  }

  @Test("releases a key whose sensor is unplugged, and presses the key again after the sensor's return")
  func keyOfUnpluggedSensor() throws {
    var reading = reading("[sensor door]\nsource = sim:steps\nchannel = x\nmidi = note60\n")
    reading.configuration.streams[0].kind = UnpluggedBoard.kind(value: 1)
    reading.configuration.streams[0].source = "board:1"
    let rig = try rig(reading)
    play(rig, until: 4)
    #expect(notes == [true])
    play(rig, until: 19)
    #expect(notes == [true, false])
    play(rig, until: 30)
    #expect(notes == [true, false, true])
    rig.stop()
  }

  @Test("sends all values again to a port that returns, also without a new reading")
  func returns() throws {
    let rig = try rig("[accel]\nsource = sim:still\nrange = -1..1\nmidi = cc1, cc2, cc3\n")
    play(rig, until: 2)
    let before = ports.messages
    #expect(before.count == 3)
    ports.state.withLock { $0.returned }()
    play(rig, until: 4)
    rig.stop()
    #expect(ports.messages == before + before)
  }

  @Test("tells once that a port cannot be opened, and what to type, and tries it again")
  func absent() throws {
    ports.state.withLock { $0.isThere = false }
    let rig = try rig("[sensor knob]\nsource = sim:wave\nchannel = knob\nmidi = cc74\n")
    play(rig, until: 7)
    #expect(
      logged.withLock { $0 } == [
        "midi:FLUID: no ALSA sequencer: type sudo modprobe snd-seq; the rig tries again"
      ])
    #expect(rig.status.contains("no ALSA sequencer"))
    ports.state.withLock { $0.isThere = true }
    play(rig, until: 60)
    rig.stop()
    #expect(logged.withLock { $0 }.contains("midi:FLUID is open now.") && !values(74).isEmpty)
  }

  @Test(
    "mistakes are named with their line and what to write",
    arguments: [
      ("[accel]\nto = midi:FLUID", 1, "[accel] goes to midi:FLUID: write under it what its values move"),
      ("[accel]\nto = midi:", 2, "\"midi:\" names no MIDI port: write a part of its name"),
      (
        "[accel]\nto = midi:A\nmidi = cc120", 3, "\"cc120\" is nothing that MIDI can move: write cc0 to cc119"
      ),
      ("[accel]\nto = midi:A\nmidi = note128", 3, "\"note128\" is nothing that MIDI can move"),
      ("[rig]\nmidi-channel = 17", 2, "\"17\" is not a MIDI channel: write a number from 1 to 16"),
      ("[accel]\nto = 10.0.0.7:9000\nmidi = cc1", 1, "[accel] moves MIDI, but goes to no port"),
      ("[touch]\nto = midi:A\nmidi = cc1", 1, "its messages are no quantities"),
      ("[host]\nto = midi:A\nmidi = cc1", 1, "has many values, and MIDI needs one"),
      ("[sensor]\nsource = sim:wave\nto = midi:A\nmidi = cc1", 1, "write channel = NAME under it"),
    ])
  func mistakes(text: String, line: Int, mistake: String) {
    let problems = RigReader.reading(text, file: "rig.conf").problems
    #expect(problems.contains { $0.line == line && $0.text.contains(mistake) }, "\(problems)")
  }

  @Test("--check in a program without MIDI says which program has it")
  func withoutMIDI() {
    let check = RigCheck(
      RigReader.reading("[accel]\nsource = sim:tilt\nto = midi:A\nmidi = cc1", file: "rig.conf"))
    #expect(check.remarks.map(\.text) == ["midi:A: this program has no MIDI: run the rig with momu rig"])
  }
}
