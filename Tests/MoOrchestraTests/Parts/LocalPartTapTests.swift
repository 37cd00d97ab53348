import MoCore
import MoInstruments
import MoOrchestra
import Synchronization
import Testing

@Suite("The tap of a shared instrument")
struct LocalPartTapTests {
  private final class Wakes: Sendable {
    let count = Atomic<Int>(0)
  }

  private let wakes = Wakes()
  private let tap: LocalPartTap
  private let now = HostTime(nanoseconds: 5_000_000_000)

  init() {
    tap = LocalPartTap(clock: ManualClock(now)) { [wakes] in wakes.count.wrappingAdd(1, ordering: .relaxed) }
  }

  private var count: Int { wakes.count.load(ordering: .relaxed) }

  @Test("an ordinary thread that plays wakes the sender for each event")
  func ordinary() {
    #expect(tap.open())
    tap.add(.strike(0.5), at: now, heardAt: nil)
    #expect(count == 1 && tap.next()?.time == now)
    #expect(tap.nextCheck(after: now).nanoseconds(since: now) >= 100_000_000)
  }

  @Test("an audio callback that plays makes no system call, and its next event is sent within 10 ms")
  func callback() {
    #expect(tap.open())
    RealTimeCheck.enter()
    tap.add(.strike(0.5), at: now, heardAt: nil)
    RealTimeCheck.leave()
    #expect(count == 0 && tap.next() != nil)
    #expect(tap.nextCheck(after: now).nanoseconds(since: now) <= 10_000_000)
    tap.add(.strike(0.5), at: now, heardAt: nil)
    #expect(count == 1)
  }

  @Test("a tap that is not open neither collects nor wakes")
  func closed() {
    tap.add(.strike(0.5), at: now, heardAt: nil)
    #expect(count == 0 && tap.isEmpty)
  }

  @Test("a tap counts as shared while it collects for all members, and not while it collects for tapes")
  func shared() {
    #expect(!tap.isShared)
    #expect(tap.open(forTapes: true) && !tap.isShared)
    #expect(tap.open() && tap.isShared)
    tap.close()
    #expect(!tap.isShared)
  }

  @Test("a tap for tapes also collects after its sharing with all members has ended")
  func tapesAfterSharing() {
    #expect(tap.open(forTapes: true) && tap.open())
    tap.close()
    tap.add(.strike(0.5), at: now, heardAt: nil)
    #expect(tap.next() != nil)
    tap.close(forTapes: true)
    tap.add(.strike(0.5), at: now, heardAt: nil)
    #expect(tap.isEmpty)
  }

  @Test("a note whose end does not fit into the tap ends or never begins elsewhere", arguments: [0.0, 1])
  func lostEnd(delay: Double) {
    #expect(tap.open())
    var encoder = PartEncoder(part: "harp")
    var (starts, ends) = (0, 0)
    func sendDue(at now: HostTime) {
      while let played = tap.next() { encoder.add(played) }
      encoder.sendDue(until: now, BeatClock(clock: SlewedClock(), timeline: nil), grid: nil) { play, _, _ in
        if case .note(let note) = play { if note.velocity > 0 { starts += 1 } else { ends += 1 } }
        return nil
      }
    }
    tap.add(.noteOn(Note(60)), at: now, heardAt: now.advanced(bySeconds: delay))
    sendDue(at: now)
    for _ in 0..<300 { tap.add(.strike(0.5), at: now, heardAt: nil) }
    tap.add(.noteOff(Note(60)), at: now, heardAt: now.advanced(bySeconds: 2 * delay))
    sendDue(at: now)
    sendDue(at: now.advanced(bySeconds: 3))
    #expect(starts == (delay == 0 ? 1 : 0) && ends == starts)
    #expect(tap.isEmpty)
  }
}
