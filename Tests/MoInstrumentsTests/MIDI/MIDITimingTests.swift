import MIDICore
import MoCore
import MoDSP
import MoInstruments
import MoMIDI
import MoTesting
import Testing

/// The laws of played events, for the keys of a MIDI keyboard.
@Suite("MIDI keys are heard at the right time")
struct MIDITimingTests {
  private static let beat = BeatClock.steady(tempo: 120, from: moment(4800))

  /// A keyboard that plays a probe.
  private final class Keyboard {
    var player: MIDIPlayer
    init(_ handle: InstrumentHandle) { player = MIDIPlayer(handle) }

    func press(_ key: MIDIUInt7, at time: HostTime) {
      player.handle(MIDIEvent(.noteOn(0, key, velocity: 90), at: time, port: "keys"))
    }

    func release(_ key: MIDIUInt7, at time: HostTime) {
      player.handle(MIDIEvent(.noteOff(0, key, velocity: 0), at: time, port: "keys"))
    }
  }

  private func keyboard(on harness: Harness, grid: Quantiser? = nil) throws -> (Keyboard, EventLog) {
    let log = EventLog()
    let handle = try harness.bus.add(LogProbe(log))
    handle.grid = grid
    harness.bus.follow { Self.beat }
    return (Keyboard(handle), log)
  }

  /// The frames at which notes begin, in the order of the keys.
  private func begun(_ log: EventLog) -> [Int64] {
    log.entries.compactMap { entry in
      if case .noteOn = entry.event { Int64(entry.frame) } else { nil }
    }
  }

  @Test("keep their spacing, and sound within latency and a block", arguments: Output.all)
  func spacing(output: Output) throws {
    var random = TestRandom(seed: 26)
    var harness = output.harness()
    let (keyboard, log) = try keyboard(on: harness)
    var frame = 20_000.0
    var acts: [(Double, (HostTime) -> Void)] = []
    var played: [Double] = []
    for index in 0..<200 {
      frame += 300 + random.uniform() * 3000
      let key = MIDIUInt7(clamping: 20 + index % 100)
      played.append(frame)
      acts.append((frame, { keyboard.press(key, at: $0) }))
      acts.append((frame + 200, { keyboard.release(key, at: $0) }))
    }
    _ = harness.perform(520_000, acts)
    let heard = begun(log)
    #expect(heard.count == played.count)
    for index in heard.indices.dropFirst() {
      let difference = Double(heard[index] - heard[index - 1]) - (played[index] - played[index - 1])
      #expect(abs(difference) <= 1)
    }
    #expect(zip(played, heard).allSatisfy { Double($1) <= $0 + harness.playThrough + 1 })
    #expect(zip(played, heard).allSatisfy { Double($1) >= $0 - 1 })
  }

  @Test("on a grid are heard on their nearest line, or as soon as they can be", arguments: Output.all)
  func grid(output: Output) throws {
    var random = TestRandom(seed: UInt64(output.milliseconds + output.block * output.burst))
    var harness = output.harness()
    let (keyboard, log) = try keyboard(on: harness, grid: Quantiser())
    let played = (0..<40).map { 20_000.0 + Double($0) * 26_003 + random.uniform() * 4000 }
    _ = harness.perform(
      1_100_000, played.map { frame in (frame, { keyboard.press(60, at: $0) }) })
    let heard = begun(log)
    #expect(heard.count == played.count)
    for (played, heard) in zip(played, heard) {
      let line = 4800 + ((played - 4800) / 6000).rounded() * 6000
      let soonest = played + harness.playThrough
      let due = line >= soonest ? line : max(soonest, line)
      #expect(Double(heard) <= due + 1 && Double(heard) >= max(played, min(line, due)) - 1)
      if line >= soonest { #expect(abs(Double(heard) - line) <= 1, "played \(played), line \(line)") }
    }
  }

  @Test("keep the length for which they were held", arguments: Output.all)
  func lengths(output: Output) throws {
    var random = TestRandom(seed: 9)
    var harness = output.harness()
    let (keyboard, log) = try keyboard(on: harness)
    var acts: [(Double, (HostTime) -> Void)] = []
    var lengths: [Float: Double] = [:]
    for index in 0..<60 {
      let (start, length) = (20_000 + random.uniform() * 500_000, 100 + random.uniform() * 30_000)
      let key = MIDIUInt7(clamping: 20 + index)
      lengths[Float(key.value)] = length
      acts.append((start, { keyboard.press(key, at: $0) }))
      acts.append((start + length, { keyboard.release(key, at: $0) }))
    }
    _ = harness.perform(600_000, acts)
    let ends = Dictionary(uniqueKeysWithValues: log.ended)
    #expect(log.begun.count == 60 && ends.count == 60)
    for entry in log.entries {
      guard case .noteOn(let note) = entry.event, let end = ends[note.id], let length = lengths[note.pitch]
      else { continue }
      #expect(abs(Double(end - entry.frame) - length) <= 2)
    }
  }
  @Test("a setting at the time of a scheduled note is heard before this note", arguments: Output.all)
  func scheduled(output: Output) throws {
    var harness = output.harness()
    let handle = try harness.bus.add(SettingsProbe())
    handle.loudness = 1
    handle.mapping = try Mapping("cc20 0..127 -> mapped", parameters: handle.parameters.map(\.name))
    let learned = LearnedControls(path: nil)
    learned.learn("learned")
    var player = MIDIPlayer(handle, learned: learned)
    func send(_ messages: MIDIMessage..., at time: HostTime) {
      for message in messages {
        var event = MIDIEvent(message, at: time, port: "file")
        event.isScheduled = true
        player.handle(event)
      }
    }
    send(.control(0, 21, 0), at: .zero)
    let sound = harness.perform(
      80_000,
      [
        (
          20_000,
          { _ in
            send(
              .program(0, 1), .control(0, 64, 127), .control(0, 20, 127), .control(0, 21, 127),
              .noteOn(0, 60, velocity: 100), at: moment(60_000))
          }
        )
      ])
    let heard = sound.enumerated().filter { $0.element != 0 }
    #expect(heard.map(\.offset) == [60_000])
    #expect(heard.map(\.element) == [0.5])
  }
}

/// An instrument whose note is an impulse, as high as an eighth of the sum of its parameters.
private struct SettingsProbe: Instrument {
  static let sheet = InstrumentInfo(name: "settings-probe", summary: "shows its settings", tail: 0.1)

  enum Control: Int, InstrumentControl {
    case pedal
    case preset
    case mapped
    case learned

    var parameter: Parameter { Parameter("\(self)", 0...1, default: 0, smoothing: 0) }
  }

  private var impulse: Float = 0

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    guard case .noteOn = event else { return }
    impulse = (controls[.pedal] + controls[.preset] + controls[.mapped] + controls[.learned]) / 8
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      block[frame, 0] = impulse
      impulse = 0
    }
  }
}
