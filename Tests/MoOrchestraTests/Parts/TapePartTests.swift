import MoCore
import MoInstruments
import MoOrchestra
import MoSessionCore
import Testing

@Suite("An instrument whose notes go to tapes only")
struct TapePartTests {
  @Test("when it ends, releases on the tapes each note that has no release yet")
  func end() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let handle = try InstrumentBus(sampleRate: 48_000).add(Probe())
    let tap = LocalPartTap(clock: run.clock) {}
    #expect(tap.open(forTapes: true))
    let velocities = Locked<[Float]>([])
    let part = TapePart(handle, tap, run) { play, _, _ in
      if case .note(let note) = play { velocities.withLock { $0.append(note.velocity) } }
      return nil
    }
    tap.add(.noteOn(Note(60, velocity: 0.5)), at: .zero, heardAt: nil)
    tap.add(.noteOff(Note(60)), at: .zero + .milliseconds(400), heardAt: nil)
    part.service(until: .zero)
    #expect(velocities.withLock { $0 } == [0.5])
    part.end()
    #expect(velocities.withLock { $0 } == [0.5, 0])
  }
}
