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
    tap = LocalPartTap(clock: ManualClock()) { [wakes] in wakes.count.wrappingAdd(1, ordering: .relaxed) }
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

  @Test("if the end of a note does not fit into the tap, the note still ends at the other members")
  func lostEnd() {
    #expect(tap.open())
    var encoder = PartEncoder(part: "harp")
    var ends = 0
    func sendDue() {
      while let played = tap.next() { encoder.add(played) }
      encoder.sendDue(until: now, BeatClock(clock: SlewedClock(), timeline: nil), grid: nil) { play, _, _ in
        if case .note(let note) = play, note.velocity == 0 { ends += 1 }
        return nil
      }
    }
    tap.add(.noteOn(Note(60)), at: now, heardAt: nil)
    sendDue()
    for _ in 0..<300 { tap.add(.strike(0.5), at: now, heardAt: nil) }
    tap.add(.noteOff(Note(60)), at: now, heardAt: nil)
    sendDue()
    #expect(ends == 1)
    #expect(tap.isEmpty)
  }
}
