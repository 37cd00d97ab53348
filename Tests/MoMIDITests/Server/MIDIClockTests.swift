import Glibc
import MIDICore
import MoCore
import MoMIDI
import MoRuntime
import Testing

@Suite("MIDI clock to and from gear")
struct MIDIClockTests {
  private func playing(_ tempo: Double, from second: Double) -> BeatSegment {
    BeatSegment(
      start: SessionTime(nanoseconds: Int64(second * 1e9)), beat: 0, tempo: tempo, isPlaying: true,
      soundsFrom: 0)
  }

  /// Drives an output, its pump and a fake sequencer in counted time, each when it is due.
  private func lead(
    until end: Double, trim: Double = 0, _ beat: @escaping @Sendable () -> BeatClock, _ clock: ManualClock,
    _ turn: (Double) -> Void = { _ in }
  ) -> [FakeSequencer.Sent] {
    let sequencer = FakeSequencer()
    let pump = MIDIPump(
      sequencer, MIDIReceiver(MIDICallbacks<MIDIEvent>(), MIDICallbacks<MIDISysEx>()), clock: clock
    ) { _ in }
    let output = MIDIClockOutput(from: .zero, trim: trim, beat) { message, time in
      _ = pump.sender.add(.message(message), at: time)
    }
    while let next = output.nextTime, next < HostTime(seconds: end) {
      // What is queued leaves at its time, which may be before the next look at the beat.
      while let due = pump.nextTime, due <= next {
        clock.advance(to: due)
        pump.service(until: due)
      }
      clock.advance(to: next)
      turn(next.seconds)
      output.service(until: next)
    }
    output.close(at: HostTime(seconds: end))
    pump.service(until: HostTime(seconds: end))
    return sequencer.sentWithTimes
  }

  @Test(
    "each clock leaves at its beat through a change of the tempo and a ramp, and the gear stops at the end")
  func leads() throws {
    let (clock, timeline) = (ManualClock(), Locked(Timeline(playing(120, from: 0.5))))
    let beat: @Sendable () -> BeatClock = { BeatClock(alone: timeline.withLock { $0 }) }
    let sent = lead(until: 30, beat, clock) { now in
      let time = SessionTime(nanoseconds: Int64(now * 1e9))
      timeline.withLock { timeline in
        if timeline.next == nil, now > 8 {
          timeline = timeline.changing(
            tempo: 150, over: 16, at: SessionTime(nanoseconds: 8_500_000_000), now: time)
        }
      }
    }
    #expect(sent.first?.message == .start && sent.last?.message == .stop)
    let clocks = sent.filter { $0.message == .clock }
    // Sixteen beats of a ramp, linear in time, from 120 to 150: 135 on average.
    let ramp = 16 * 60 / 135.0
    func place(_ time: Double) -> Double {
      if time < 8.5 { return (time - 0.5) * 2 }
      let passed = time - 8.5
      if passed > ramp { return 32 + (passed - ramp) * 2.5 }
      return 16 + passed * 2 + passed * passed * 0.5 / (2 * ramp)
    }
    for (index, sent) in clocks.enumerated() {
      #expect(abs(place(sent.time.seconds) - Double(index) / 24) < 2e-6)
    }
    #expect(abs(Double(clocks.count) - place(30) * 24) < 2)
  }

  @Test("--midi-trim moves every clock, earlier too")
  func trim() {
    let beat = BeatClock(alone: Timeline(playing(120, from: 0.5)))
    for trim in [-0.02, 0.02] {
      let sent = lead(until: 3, trim: trim, { beat }, ManualClock())
      let clocks = sent.filter { $0.message == .clock }.prefix(96)
      #expect(clocks.count == 96)
      for (index, sent) in clocks.enumerated() {
        #expect(abs(sent.time.seconds - (0.5 + trim + Double(index) / 48)) < 1e-6)
      }
    }
  }

  /// Passes clocks of a port at a steady tempo to an input.
  private func send(
    _ count: Int, to input: MIDIClockInput, from port: String, tempo: Double, at second: Double
  ) {
    for clock in 0..<count {
      let time = HostTime(seconds: second + Double(clock) * 60 / (24 * tempo))
      input.handle(MIDIEvent(.clock, at: time, port: port))
    }
  }

  @Test("follows only one of two devices of the same name")
  func sameNameIn() {
    let first = MIDIPort(MIDIAddress(24, 0), client: "Volca", name: "Volca MIDI 1")
    var second = first
    second.address.client = 28
    let (harness, input) = (Harness([first, second]), MIDIClockInput())
    _ = harness.events.add { event in input.handle(copy event) }
    for clock in 0..<96 {
      let seconds = Double(clock) / 48
      harness.sequencer.arrive(.clock, from: first.address, at: seconds)
      harness.sequencer.arrive(.clock, from: second.address, at: seconds + 0.01)
    }
    harness.run(to: 3)
    #expect(abs((input.gear.tempo ?? 0) - 120) < 0.1)
  }

  @Test("follows the port that sends clock first; another port may lead after two seconds of silence")
  func ports() {
    let input = MIDIClockInput()
    func clocks(_ port: String, tempo: Double, from second: Double, _ count: Int) {
      send(count, to: input, from: port, tempo: tempo, at: second)
    }
    input.handle(MIDIEvent(.noteOn(0, 60, velocity: 9), at: .zero, port: "keys"))
    #expect(input.port == nil)
    clocks("drums", tempo: 100, from: 0, 96)
    clocks("synth", tempo: 150, from: 0.5, 96)
    #expect(input.port == "drums" && abs((input.gear.tempo ?? 0) - 100) < 0.1)
    input.handle(MIDIEvent(.start, at: HostTime(seconds: 4), port: "drums"))
    clocks("drums", tempo: 100, from: 4, 24)
    clocks("synth", tempo: 150, from: 10, 96)
    #expect(input.port == "synth" && abs((input.gear.tempo ?? 0) - 150) < 0.1)
    // The starts count on, so that a conductor sees the new gear's start.
    #expect(input.gear.starts == 1 && !input.gear.isRunning)
    input.handle(MIDIEvent(.start, at: HostTime(seconds: 12), port: "synth"))
    clocks("synth", tempo: 150, from: 12, 24)
    #expect(input.gear.starts == 2 && input.gear.isRunning)
  }

  @Test("start and stop from a port without clock do not replace the clock and the start of the gear")
  func transportButtons() {
    let input = MIDIClockInput()
    input.handle(MIDIEvent(.stop, at: .zero, port: "keys"))
    #expect(input.port == nil)
    input.handle(MIDIEvent(.start, at: HostTime(seconds: 1), port: "drums"))
    input.handle(MIDIEvent(.start, at: HostTime(seconds: 1), port: "keys"))
    send(48, to: input, from: "drums", tempo: 120, at: 1)
    #expect(input.port == "drums" && input.gear.isRunning && input.gear.starts == 1)
    #expect(abs((input.gear.expectedBeat(at: HostTime(seconds: 2)) ?? 0) - 2) < 0.01)
    input.handle(MIDIEvent(.stop, at: HostTime(seconds: 2), port: "keys"))
    #expect(input.gear.isRunning)
  }

  @Test("a start of other gear has an effect only if it comes after the last clock of the followed port")
  func startInSilence() {
    for isInSilence in [false, true] {
      let input = MIDIClockInput()
      input.handle(MIDIEvent(.start, at: .zero, port: "drums"))
      send(48, to: input, from: "drums", tempo: 120, at: 0)
      let start = MIDIEvent(.start, at: HostTime(seconds: isInSilence ? 2.5 : 1), port: "synth")
      if !isInSilence { input.handle(start) }
      send(48, to: input, from: "drums", tempo: 120, at: 1)
      if isInSilence { input.handle(start) }
      #expect(input.port == "drums")
      send(96, to: input, from: "synth", tempo: 100, at: 2.5)
      #expect(input.port == "synth" && input.gear.isRunning == isInSilence)
      #expect(input.gear.starts == (isInSilence ? 2 : 1))
    }
  }
}

@Suite("A MIDI file by a shared beat")
struct MIDIBeatScoreTests {
  private struct Delivered: Equatable {
    var message: MIDITapeMessage
    var time: Double
  }

  private let steps = [0, 1, 2.5].map { quarters in
    MIDIBeatScore.Step(
      quarters: quarters,
      message: .message(.noteOn(0, MIDIUInt7(clamping: Int(quarters * 2)), velocity: 1), port: ""))
  }

  private func play(until end: Double, _ beat: @escaping (Double) -> BeatClock) -> (
    notes: [Double], ends: [Double]
  ) {
    var (now, notes, ends) = (0.0, [Double](), [Double]())
    let score = MIDIBeatScore(
      name: "song", steps, length: 4, from: .zero, beat: { beat(now) }, lead: { 0.35 },
      deliver: { _, time in notes.append((time.seconds * 1e6).rounded() / 1e6) },
      ended: { ends.append($0.seconds) })
    while let next = score.nextTime, next.seconds < end {
      now = next.seconds
      score.service(until: next)
    }
    return (notes, ends)
  }

  private func timeline(_ seconds: Double, tempo: Double, meter: Meter = .common, take: UInt32 = 1)
    -> Timeline
  {
    .beginning(
      at: SessionTime(nanoseconds: Int64(seconds * 1e9)), tempo: tempo, meter: meter, take: take)
  }

  @Test("begins at the next bar line, and plays at the rhythm's tempo")
  func bar() {
    // It sees the rhythm in the middle of the bar that began at 1 s; the next line is at 4 s.
    let beat = BeatClock(alone: timeline(1, tempo: 80))
    let found = play(until: 20) { $0 < 2 ? BeatClock(alone: Timeline(stopped)) : beat }
    #expect(found.notes == [4, 4.75, 5.875])
    #expect(found.ends.count == 1)
  }

  private var stopped: BeatSegment {
    BeatSegment(start: SessionTime(nanoseconds: 0), beat: 0, tempo: 120, isPlaying: false)
  }

  @Test("counts quarter notes in a meter of eighths")
  func eighths() throws {
    let beat = BeatClock(alone: timeline(1, tempo: 120, meter: try #require(Meter(6, 8))))
    #expect(play(until: 20) { _ in beat }.notes == [1, 2, 3.5])
  }

  @Test("ends its notes when the rhythm stops, and begins anew with the next one")
  func stops() {
    let first = timeline(1, tempo: 120)
    let cut = first.stopping(
      at: SessionTime(nanoseconds: 1_700_000_000), now: SessionTime(nanoseconds: 1_300_000_000))
    let again = timeline(5, tempo: 120, take: 2)
    let found = play(until: 20) { now in
      now < 1.3 ? BeatClock(alone: first) : now < 4 ? BeatClock(alone: cut) : BeatClock(alone: again)
    }
    #expect(found.notes == [1, 1.5, 5, 5.5, 6.25])
    #expect(found.ends.count == 2)
  }

  @Test("--midi file:SONG.mid?track=2 plays that track in a room at the room's tempo, and ends its notes")
  func part() throws {
    let path = "/tmp/momu-part-\(getpid()).mid"
    defer { unlink(path) }
    // The file's own tempo is 60; the room's is 120. The second note is held to the end.
    let tempo = MIDIFileEvent(0, .meta(0x51, [0x0F, 0x42, 0x40]))
    let first = MIDITrack(
      [tempo, MIDIFileEvent(0, .message(.noteOn(0, 40, velocity: 9)))], end: 960)
    let second = MIDITrack(
      [
        MIDIFileEvent(480, .message(.noteOn(1, 60, velocity: 9))),
        MIDIFileEvent(720, .message(.noteOff(1, 60, velocity: 64))),
        MIDIFileEvent(1200, .message(.noteOn(1, 62, velocity: 9))),
      ], end: 1920)
    let file = MIDIFile(format: .together, division: .ticksPerQuarter(480), tracks: [first, second])
    #expect(WholeFile.replace(path, with: try file.bytes()) == nil)
    let server = MIDIServer { _ throws(MIDIError) in throw .noSequencer(reason: "none") }
    let beat = BeatClock(alone: timeline(3, tempo: 120))
    server.playFiles { beat }
    let heard = Collected<MIDIEvent>()
    _ = server.onEvent { heard.add($0) }
    let run = offlineRun {
      $0.midi = "file:\(path)?track=2"
      $0.given = ["room"]
    }
    try server.startInput(in: run)
    while let next = run.input.nextTime, next <= HostTime(seconds: 10) { run.input.service(until: next) }
    #expect(
      heard.all.map(\.message) == [
        .noteOn(1, 60, velocity: 9), .noteOff(1, 60, velocity: 64), .noteOn(1, 62, velocity: 9),
        .noteOff(1, 62, velocity: 64), .control(1, 123, 0),
      ])
    let times = heard.all.map(\.time.seconds)
    #expect(zip(times, [3.5, 3.75, 4.25, 5, 5]).allSatisfy { abs($0 - $1) < 0.006 })
    #expect(zip(times, [3.5, 3.75, 4.25]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(heard.all.allSatisfy { $0.isScheduled })
    server.stop()
  }
}
