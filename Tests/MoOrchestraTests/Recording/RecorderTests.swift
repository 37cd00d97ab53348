import Glibc
import MoCore
import MoMu
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The recorder of a session")
struct RecorderTests {
  private func withPath(_ body: (String) throws -> Void) rethrows {
    let path = "/tmp/momu-recorder-\(getpid())-\(UInt64.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    try body(path)
  }

  private func hit(_ number: Int, at time: HostTime) -> SessionTapeEntry {
    let heard = SessionHeard(
      from: MemberID(7), play: .hit(SessionHit(force: 0.5, drum: number)), time: time, beat: nil, late: 0,
      weight: 1)
    return SessionTapeEntry(time: time, beat: nil, note: .heard(heard))
  }

  private func hits(_ path: String) throws -> [Int32] {
    let tape = try SessionTapeReader(path: path)
    var drums: [Int32] = []
    while let entry = try tape.next() {
      if case .heard(let heard) = entry.note, case .hit(let hit) = heard.play { drums.append(hit.drum) }
    }
    return drums
  }

  @Test(
    "a closed tape has all entries in order; `add` never waits for the disk")
  func written() throws {
    try withPath { path in
      let run = Run(try RunOptions(arguments: []))
      let recorder = try SessionRecorder(path: path, in: run)
      let now = run.clock.now
      for number in 0..<100 {
        recorder.add([hit(number, at: now.advanced(bySeconds: 1e-3 * Double(number)))])
      }
      recorder.close()
      recorder.close()
      #expect(try hits(path) == Array(0..<100))
    }
  }

  @Test("entries are in the file within a second, even if the program is killed then")
  func killed() throws {
    try withPath { path in
      let run = Run(try RunOptions(arguments: []))
      let recorder = try SessionRecorder(path: path, in: run)
      recorder.add([hit(3, at: run.clock.now)])
      // Waits for the fact; the suite's time limit makes an endless wait a failure.
      while (try? hits(path)) != [3] { usleep(10_000) }
      recorder.close()
    }
  }

  @Test("records an offline run, with sixteenths at their times to the microsecond")
  func counted() throws {
    try withPath { path in
      let run = Run(try RunOptions(arguments: ["--offline"]))
      let server = SessionServer()
      try server.record(to: path, in: run)
      try server.join(JoinOptions(room: "Lab", name: "Ada", program: "test"), in: run)
      try server.request(isStart: true) { core, now throws(SessionRefusal) in
        try core.start(.init(), now: now)
      }
      for number in 0..<40 {
        _ = try server.perform { core, now throws(SessionRefusal) in
          try core.play(
            .hit(SessionHit(force: 1, drum: number)), to: .crowd(.everyone), at: .next(.sixteenth), now: now)
        }
        for _ in 0..<10 {
          while let next = run.input.nextTime, next <= run.clock.now {
            run.input.service(until: run.clock.now)
          }
          run.frameClock?.advance(frames: 617)
        }
      }
      server.leave()
      server.stopRecording()
      let tape = try SessionTapeReader(path: path)
      #expect(tape.startNanosecondsSince1970 == 0)
      var times: [HostTime] = []
      var tempo: Double?
      while let entry = try tape.next() {
        if case .heard(let heard) = entry.note, heard.beat != nil { times.append(heard.time) }
        if case .state(let state) = entry.note { tempo = state.timeline?.last.tempo ?? tempo }
      }
      #expect(tempo == 120)
      #expect(times.count >= 36)
      for time in times {
        let steps = time.seconds(since: times[0]) / 0.125
        #expect(abs(steps - steps.rounded()) < 8e-6, "\(steps)")
      }
    }
  }

  @Test("a tape that cannot be created gives an error with the remedy")
  func refused() throws {
    #expect(throws: SessionError.uncreatable("/nowhere/a.osc", "No such file or directory")) {
      try SessionRecorder(path: "/nowhere/a.osc", in: Run(try RunOptions(arguments: [])))
    }
    #expect(
      SessionError.uncreatable("/nowhere/a.osc", "No such file or directory").description
        == "cannot record the session to /nowhere/a.osc: No such file or directory; choose a folder that exists and that "
        + "you can write to")
  }
}
