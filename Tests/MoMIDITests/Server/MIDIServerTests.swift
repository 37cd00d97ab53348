import Glibc
import MIDICore
import MoCore
import MoMIDI
import MoOSC
import MoRuntime
import Testing

@Suite("The MIDI server")
struct MIDIServerTests {
  private func server(_ fake: FakeSequencer) -> MIDIServer { MIDIServer { _ throws(MIDIError) in fake } }
  private func without() -> MIDIServer {
    MIDIServer { _ throws(MIDIError) in throw .noSequencer(reason: "No such file or directory") }
  }

  @Test("passes a message from the sequencer through the thread mo-midi to the callback")
  func live() throws {
    let fake = FakeSequencer([.nano])
    let server = server(fake)
    let (heard, signal) = (Collected<String>(), WakeEvent())
    _ = server.onEvent { _ in
      heard.add(WholeFile.text(of: "/proc/thread-self/comm") ?? "")
      signal.raise()
    }
    let run = liveRun()
    try server.startInput(in: run)
    fake.arrive(.noteOn(0, 60, velocity: 9), from: MIDIPort.nano.address)
    #expect(signal.wait(for: .seconds(30)))
    #expect(heard.all == ["mo-midi\n"] && server.sourceNames == ["nanoKEY2 MIDI 1"])
    server.stop()
    #expect(server.sourceNames == [])
  }

  @Test("counts the SysEx messages that it drops, until it stops")
  func droppedSysEx() throws {
    let fake = FakeSequencer([.nano])
    let server = server(fake)
    let signal = WakeEvent()
    _ = server.onEvent { _ in signal.raise() }
    let run = liveRun()
    try server.startInput(in: run)
    fake.arrive(.sysEx([0xF0, 1, 0xF0, 2, 0xF7], MIDIPort.nano.address, .zero))
    fake.arrive(.noteOn(0, 60, velocity: 9), from: MIDIPort.nano.address)
    #expect(signal.wait(for: .seconds(30)))
    #expect(server.droppedSysEx == 1)
    server.stop()
    #expect(server.droppedSysEx == 0)
  }

  @Test("the run's end releases sent and held notes")
  func end() throws {
    let fake = FakeSequencer([.nano])
    let server = server(fake)
    let (heard, signal) = (Collected<MIDIMessage>(), WakeEvent())
    _ = server.onEvent {
      heard.add($0.message)
      signal.raise()
    }
    let run = liveRun()
    try server.startInput(in: run)
    fake.arrive(.noteOn(0, 60, velocity: 9), from: MIDIPort.nano.address)
    #expect(signal.wait(for: .seconds(30)))
    try server.send(.message(.noteOn(5, 70, velocity: 9)), at: .zero, in: run)
    while fake.sent.isEmpty { usleep(1000) }
    run.end()
    #expect(heard.all == [.noteOn(0, 60, velocity: 9), .noteOff(0, 60, velocity: 64), .control(0, 123, 0)])
    #expect(fake.sent == [.noteOn(5, 70, velocity: 9), .noteOff(5, 70, velocity: 64), .control(5, 123, 0)])
    #expect(fake.isClosed)
  }

  @Test("messages from callbacks at the end are sent once, and open no port again")
  func sendAtEnd() throws {
    let (fake, opened) = (FakeSequencer([.nano]), Collected<Int>())
    let server = MIDIServer { _ throws(MIDIError) in
      opened.add(1)
      return fake
    }
    let (run, signal) = (liveRun(), WakeEvent())
    _ = server.onEvent { [weak server] event in
      try? server?.send(.message(event.message), at: .zero, in: run)
      signal.raise()
    }
    try server.startInput(in: run)
    fake.arrive(.noteOn(0, 60, velocity: 9), from: MIDIPort.nano.address)
    #expect(signal.wait(for: .seconds(30)))
    run.end()
    #expect(fake.sent == [.noteOn(0, 60, velocity: 9), .noteOff(0, 60, velocity: 64), .control(0, 123, 0)])
    // A sensor's thread may still send while the program ends.
    try server.send(.message(.noteOn(0, 61, velocity: 9)), at: .zero, in: run)
    try server.startInput(in: run)
    #expect(opened.all.count == 1 && fake.sent.count == 3)
  }

  @Test("a callback for port events may call the server immediately")
  func callsWithinNews() throws {
    let fake = FakeSequencer([.nano, .synth])
    let (server, run, signal) = (server(fake), liveRun { $0.midiOut = "FLUID" }, WakeEvent())
    let told = Collected<MIDIPortEvent>()
    _ = server.events.add { [weak server] event in
      told.add(event)
      try? server?.send(.message(.clock), at: .zero, in: run)
      _ = server?.sourceNames
      signal.raise()
    }
    try server.startInput(in: run)
    while told.all.count < 2 { signal.wait(for: .seconds(30)) }
    #expect(
      told.all.contains(.using(name: "nanoKEY2 MIDI 1"))
        && told.all.contains(.sending(name: "FLUID Synth port")))
    server.stop()

    let tape = offlineRun { $0.midi = "sim:scale" }
    let simulated = without()
    let names = Collected<[String]>()
    _ = simulated.events.add { [weak simulated] _ in names.add(simulated?.sourceNames ?? []) }
    try simulated.startInput(in: tape)
    #expect(names.all == [["sim:scale"]])
    simulated.stop()
  }

  @Test("opens the given target before the source, so that no callback can open another target")
  func targetFirst() throws {
    let server = server(FakeSequencer([.nano, .synth]))
    let (opened, signal) = (Collected<MIDIPortEvent>(), WakeEvent())
    _ = server.events.add { event in
      opened.add(event)
      signal.raise()
    }
    try server.start(source: "nanoKEY2", target: "FLUID", in: liveRun())
    while opened.all.count < 2 { try #require(signal.wait(for: .seconds(30))) }
    #expect(opened.all == [.sending(name: "FLUID Synth port"), .using(name: "nanoKEY2 MIDI 1")])
    server.stop()
  }

  @Test("a callback and another thread may call the server at the same time", .timeLimit(.minutes(1)))
  func callsAtOnce() throws {
    let fake = FakeSequencer([.nano])
    let (server, run, heard) = (server(fake), liveRun(), Collected<[String]>())
    _ = server.onEvent { [weak server] _ in heard.add(server?.sourceNames ?? []) }
    try server.startInput(in: run)
    for key in 0..<2000 {
      fake.arrive(.noteOn(0, MIDIUInt7(clamping: key % 128), velocity: 9), from: MIDIPort.nano.address)
      #expect(server.sourceNames == ["nanoKEY2 MIDI 1"])
    }
    while heard.all.count < 2000 {}
    #expect(heard.all.allSatisfy { $0 == ["nanoKEY2 MIDI 1"] })
    server.stop()
  }

  @Test("the first message of a simulated player leaves 0.1 s to register further callbacks")
  func laterCallbacks() throws {
    let (server, run) = (without(), liveRun { $0.midi = "sim:scale" })
    let (signal, first) = (WakeEvent(), Collected<HostTime>())
    _ = server.onEvent { event in
      first.add(event.time)
      signal.raise()
    }
    let start = run.clock.now
    try server.startInput(in: run)
    #expect(signal.wait(for: .seconds(30)))
    #expect(try #require(first.all.first).seconds(since: start) >= 0.1)
    server.stop()
  }

  @Test("a SysEx message that goes out keeps the server busy until its end")
  func busy() throws {
    let fake = FakeSequencer(bytesPerSecond: 100_000)
    let (server, run) = (server(fake), liveRun())
    try server.sendSysEx([0xF0] + [UInt8](repeating: 1, count: 2000) + [0xF7], at: .zero, in: run)
    while server.isSending { usleep(1000) }
    #expect(fake.pieces.flatMap { $0.0 }.count == 2002)
    server.stop()
  }

  @Test("stopping within a callback does not wait for that callback")
  func stopWithin() throws {
    let fake = FakeSequencer([.nano])
    let server = server(fake)
    let signal = WakeEvent()
    _ = server.onEvent { [weak server] _ in
      server?.stop()
      signal.raise()
    }
    try server.startInput(in: liveRun())
    fake.arrive(.clock, from: MIDIPort.nano.address)
    #expect(signal.wait(for: .seconds(30)))
    server.stop()
  }

  @Test(
    "a stop and a start within a callback cause no further call until it returns", .timeLimit(.minutes(1)))
  func startWithin() throws {
    let (fake, run) = (FakeSequencer([.nano]), liveRun())
    let server = server(fake)
    let heard = Collected<MIDIMessage>()
    let (inside, most) = (Locked(0), Locked(0))
    _ = server.onEvent { [weak server] event in
      let count = inside.withLock { count -> Int in
        count += 1
        return count
      }
      defer { inside.withLock { $0 -= 1 } }
      most.withLock { $0 = max($0, count) }
      heard.add(event.message)
      guard event.message == .noteOn(0, 60, velocity: 9), let server else { return }
      server.stop()
      try? server.startInput(in: run)
      fake.arrive(.noteOn(0, 61, velocity: 9), from: MIDIPort.nano.address)
      for _ in 0..<20_000 where fake.hasArrivals { usleep(1000) }
      // The new thread answers after it has handled the message.
      _ = server.sourceNames
    }
    try server.startInput(in: run)
    fake.arrive(.noteOn(0, 60, velocity: 9), from: MIDIPort.nano.address)
    for _ in 0..<20_000 where !heard.all.contains(.control(0, 123, 0)) { usleep(1000) }
    for _ in 0..<20_000 where !heard.all.contains(.noteOn(0, 62, velocity: 9)) {
      fake.arrive(.noteOn(0, 62, velocity: 9), from: MIDIPort.nano.address)
      usleep(1000)
    }
    server.stop()
    let together = most.withLock { $0 }
    #expect(together == 1)
    #expect(heard.all.contains(.control(0, 123, 0)) && heard.all.contains(.noteOn(0, 62, velocity: 9)))
    #expect(!heard.all.contains(.noteOn(0, 61, velocity: 9)))
  }

  @Test("without a sequencer, refuses a requested port, and simulates the default")
  func noSequencer() throws {
    let asked = liveRun { $0.midi = "all" }
    #expect(throws: MIDIError.noSequencer(reason: "No such file or directory")) {
      try without().startInput(in: asked)
    }
    let named = liveRun { $0.midiOut = "FLUID" }
    #expect(throws: MIDIError.self) { try without().startOutput(in: named) }
    let server = without()
    try server.startInput(in: liveRun())
    #expect(server.sourceNames == ["sim:scale"])
    server.stop()
    let silent = without()
    try silent.send(.message(.clock), at: .zero, in: liveRun())
    silent.stop()
  }

  @Test("refuses a missing port; the next start works")
  func noPort() throws {
    let fake = FakeSequencer([.nano])
    let server = server(fake)
    let error = #expect(throws: MIDIError.self) {
      try server.startInput(in: liveRun { $0.midi = "nanoKEI2" })
    }
    #expect("\(error!)".contains("did you mean --midi \"nanoKEY2\"?"))
    try server.startInput(in: liveRun { $0.midi = "nanoKEY2" })
    #expect(server.sourceNames == ["nanoKEY2 MIDI 1"])
    server.stop()
  }

  @Test("in counted time, a simulated player plays the same each time, and ports are refused")
  func counted() throws {
    func play() throws -> [MIDIEvent] {
      let (server, run, heard) = (without(), offlineRun(), Collected<MIDIEvent>())
      _ = server.onEvent { heard.add($0) }
      try server.startInput(in: run)
      MoMIDITests.play(run, seconds: 10)
      server.stop()
      return heard.all
    }
    let first = try play()
    #expect(first == (try play()) && first.count > 60)
    let port = offlineRun { $0.midi = "nano" }
    #expect(throws: MIDIError.notOffline("nano", option: "midi")) { try without().startInput(in: port) }
  }

  @Test("reads back a tape's messages, SysEx too, at their times")
  func tape() throws {
    let path = "/tmp/momu-midi-\(getpid()).osc"
    defer { unlink(path) }
    let fake = FakeSequencer([.nano])
    let recorder = server(fake)
    let (heard, dumps) = (Collected<MIDIEvent>(), Collected<MIDISysEx>())
    _ = recorder.onEvent { heard.add($0) }
    _ = recorder.onSysEx { dumps.add($0) }
    let run = liveRun { $0.recordTape = path }
    try recorder.startInput(in: run)
    let start = run.clock.now
    let messages: [MIDIMessage] = [
      .noteOn(0, 60, velocity: 1), .control(15, 127, 0), .bend(3, 16383), .program(2, 5), .pressure(1, 127),
      .clock,
      .songPosition(300), .noteOff(0, 60, velocity: 64),
    ]
    for (index, message) in messages.enumerated() {
      fake.arrive(.message(message, MIDIPort.nano.address, start + .milliseconds(10 * index)))
    }
    fake.arrive(.sysEx([0xF0, 1, 2, 3, 0xF7], MIDIPort.nano.address, start + .milliseconds(100)))
    while dumps.all.isEmpty { usleep(1000) }
    recorder.stop()

    let (server, again) = (without(), offlineRun { $0.midi = "tape:\(path)" })
    let (replayed, replayedDumps) = (Collected<MIDIEvent>(), Collected<MIDISysEx>())
    _ = server.onEvent { replayed.add($0) }
    _ = server.onSysEx { replayedDumps.add($0) }
    try server.startInput(in: again)
    play(again, seconds: 10)
    #expect(replayed.all.map(\.message) == messages)
    #expect(replayed.all.allSatisfy { $0.port == "nanoKEY2 MIDI 1" })
    let spans = zip(replayed.all, replayed.all.dropFirst()).map { $1.time.nanoseconds(since: $0.time) }
    #expect(spans.allSatisfy { abs($0 - 10_000_000) <= 1 })
    #expect(replayedDumps.all.map(\.bytes) == [[0xF0, 1, 2, 3, 0xF7]])
    server.stop()
  }

  @Test("reads back a file's messages within half a tick")
  func file() throws {
    let path = "/tmp/momu-midi-\(getpid()).mid"
    defer { unlink(path) }
    let (writer, run) = (without(), offlineRun { $0.midiOut = "file:\(path)" })
    let times = (0..<50).map { 0.0137 * Double($0) }
    for (index, time) in times.enumerated() {
      try writer.send(
        .message(.noteOn(0, MIDIUInt7(clamping: 30 + index), velocity: 80)), at: HostTime(seconds: time),
        in: run)
    }
    try writer.sendSysEx([0xF0, 9, 8, 7, 0xF7], at: HostTime(seconds: 1), in: run)
    play(run, seconds: 2)
    writer.stop()

    let (reader, again) = (without(), offlineRun { $0.midi = "file:\(path)" })
    let (heard, dumps) = (Collected<MIDIEvent>(), Collected<MIDISysEx>())
    _ = reader.onEvent { heard.add($0) }
    _ = reader.onSysEx { dumps.add($0) }
    try reader.startInput(in: again)
    play(again, seconds: 3)
    let notes = heard.all.filter { MIDINote($0)?.isOn == true }
    #expect(notes.map { MIDINote($0)!.key } == (30..<80).map { $0 })
    #expect(zip(notes, times).allSatisfy { abs($0.time.seconds - $1) < 0.000_27 })
    #expect(dumps.all.map(\.bytes) == [[0xF0, 9, 8, 7, 0xF7]])
    // The take ended with 50 held notes: the file releases each of them.
    #expect(heard.all.compactMap(MIDINote.init).filter { !$0.isOn }.count == 50)
  }

  @Test("refuses a truncated file, a missing file and a missing track, with reasons")
  func badFiles() throws {
    let path = "/tmp/momu-bad-\(getpid()).mid"
    defer { unlink(path) }
    let bytes: [UInt8] =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, 99, 0]
    try bytes.withUnsafeBytes { bytes in
      let file = try #require(fopen(path, "wb"))
      fwrite(bytes.baseAddress, 1, bytes.count, file)
      fclose(file)
    }
    func text(_ source: String) -> String {
      let error = #expect(throws: MIDIError.self) {
        try without().startInput(in: offlineRun { $0.midi = source })
      }
      return "\(error!)"
    }
    #expect(text("file:\(path)").contains("cannot play \(path): not a MIDI file at byte"))
    #expect(text("file:/nowhere.mid").contains("cannot read the MIDI file /nowhere.mid: No such file"))
    #expect(throws: MIDIError.self) {
      try without().startOutput(in: offlineRun { $0.midiOut = "file:/nowhere/take.mid" })
    }
  }

  @Test(
    "skips a tape's message that is not MIDI",
    arguments: [
      [OSCArgument.int32(144), .int32(60)], [.int32(144), .int32(200), .int32(1)], [.int32(-1)], [],
      [.blob([1, 2])], [.blob([0xF0, 0x90, 0xF7])], [.float(1)], [.int32(240), .string("x")],
    ])
  func notMIDI(_ arguments: [OSCArgument]) {
    #expect(MIDITapeMessage(arguments: arguments) == nil)
  }
}
