import MoCore
import MoDSP
import MoInstruments
import MoRuntime
import Synchronization
import Testing

@Suite("NoteScore")
struct NoteScoreTests {
  @Test("each note begins on its beat and ends with a release, so its sound may ring on")
  func steps() throws {
    let heard = Mutex<[String]>([])
    let send: (InstrumentEvent, HostTime) -> Void = { event, time in
      let milliseconds = Int((time.seconds(since: HostTime(seconds: 10)) * 1000).rounded())
      heard.withLock { list in
        switch event {
        case .noteOn(let note): list.append("\(milliseconds) on \(Int(note.pitch))")
        case .noteOff(let note): list.append("\(milliseconds) off \(Int(note.pitch))")
        default: list.append("\(milliseconds) something else")
        }
      }
    }
    let lead = { Duration.milliseconds(20) }
    let loop = EventLoop(clock: ManualClock(), isDriven: true)
    let score = NoteScore(
      try NoteText("C4 - E4+G4"), tempo: 120, from: HostTime(seconds: 10), lead: lead, in: loop, send)
    try loop.add(score) { _ in }
    var last: HostTime?
    while let next = loop.nextTime {
      last = next
      loop.service(until: next)
    }
    #expect(
      heard.withLock { $0 } == [
        "0 on 60", "450 off 60", "1000 on 64", "1000 on 67", "1450 off 64", "1450 off 67",
      ])
    // The beat of the last notes is played to its end.
    #expect(last == HostTime(seconds: 11.5))
  }
  @Test("after its last beat, a score is released with everything that it holds")
  func released() throws {
    final class Held: Sendable {}
    weak var released: Held?
    let loop = EventLoop(clock: ManualClock(), isDriven: true)
    func add() throws {
      let held = Held()
      released = held
      let lead: () -> Duration = { .zero }
      let score = NoteScore(try NoteText("C4 E4"), tempo: 120, from: .zero, lead: lead, in: loop) { _, _ in
        withExtendedLifetime(held) {}
      }
      try loop.add(score) { _ in }
    }
    try add()
    loop.service(until: HostTime(seconds: 0.9))
    #expect(released != nil)
    loop.service(until: HostTime(seconds: 1))
    #expect(released == nil)
  }
}
