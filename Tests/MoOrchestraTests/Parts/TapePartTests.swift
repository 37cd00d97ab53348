import MoCore
import MoInstruments
import MoOrchestra
import MoSessionCore
import Testing

@Suite("An instrument whose notes go to tapes only")
struct TapePartTests {
  private let tap: LocalPartTap
  private let part: TapePart
  private let velocities: Locked<[Float]>

  init() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let tap = LocalPartTap(clock: run.clock) {}
    let velocities = Locked<[Float]>([])
    let handle = try InstrumentBus(sampleRate: 48_000).add(Probe())
    part = TapePart(handle, tap, run) { play, _, _ in
      if case .note(let note) = play { velocities.withLock { $0.append(note.velocity) } }
      return nil
    }
    (self.tap, self.velocities) = (tap, velocities)
    #expect(tap.open(forTapes: true))
  }

  @Test("when it ends, releases on the tapes each note that has no release yet")
  func end() {
    tap.add(.noteOn(Note(60, velocity: 0.5)), at: .zero, heardAt: nil)
    tap.add(.noteOff(Note(60)), at: .zero + .milliseconds(400), heardAt: nil)
    part.service(until: .zero)
    #expect(velocities.withLock { $0 } == [0.5])
    part.end()
    #expect(velocities.withLock { $0 } == [0.5, 0])
  }

  @Test("sends nothing while the instrument is shared, and sends again afterwards")
  func shared() {
    tap.add(.noteOn(Note(60, velocity: 0.5)), at: .zero, heardAt: nil)
    part.service(until: .zero)
    #expect(tap.open())
    #expect(part.nextTime == .distantPast)
    part.service(until: .zero)
    #expect(velocities.withLock { $0 } == [0.5, 0])
    #expect(part.nextTime == nil)
    tap.close()
    tap.add(.noteOn(Note(62, velocity: 0.25)), at: .zero, heardAt: nil)
    #expect(part.nextTime == .distantPast)
    part.service(until: .zero)
    #expect(velocities.withLock { $0 } == [0.5, 0, 0.25])
  }
}
