import MoTime
import Testing

@testable import MoSessionCore

@Suite("A call for silence as a value")
struct SilenceTests {
  /// A call that an expectation may use.
  private final class Call {
    private var silence = Silence()

    var isCalling: Bool { silence.isCalling }
    var next: HostTime { silence.next }
    func begin(_ members: MemberID..., now: HostTime) { silence.begin(among: members, now: now) }
    func due(at now: HostTime) -> Silence.Due? { silence.takeDue(at: now) }
    func answered(_ id: MemberID, number: Int32) { silence.answered(id, number: number) }
    func hear(_ number: Int32, from id: MemberID) -> Bool { silence.hear(number, from: id) }
    func forget(_ id: MemberID, said: Bool) { silence.forget(id, said: said) }
    func shift(by nanoseconds: Int64) { silence.shift(by: nanoseconds) }
  }

  private func time(_ seconds: Double) -> HostTime { HostTime(seconds: 100 + seconds) }

  @Test("is sent every 50 ms to those who have not answered, and ends when all have")
  func answered() {
    let silence = Call()
    #expect(silence.due(at: time(0)) == nil)
    silence.begin(MemberID(2), MemberID(1), now: time(0))
    #expect(silence.due(at: time(0)) == .send(number: 1, to: [MemberID(1), MemberID(2)]))
    #expect(silence.due(at: time(0.04)) == nil)
    silence.answered(MemberID(1), number: 1)
    silence.answered(MemberID(2), number: 7)
    #expect(silence.due(at: time(0.05)) == .send(number: 1, to: [MemberID(2)]))
    silence.answered(MemberID(2), number: 1)
    #expect(silence.due(at: time(0.06)) == .ended(silentMembers: []))
    #expect(!silence.isCalling && silence.next == .distantFuture)
  }

  @Test("ends after two seconds with those who have not answered, but without those who said goodbye")
  func unanswered() {
    let silence = Call()
    silence.begin(MemberID(1), MemberID(2), MemberID(3), now: time(0))
    silence.forget(MemberID(1), said: true)
    silence.forget(MemberID(2), said: false)
    silence.shift(by: 5_000_000_000)
    #expect(silence.due(at: time(4.9)) == nil)
    #expect(silence.due(at: time(5)) == .send(number: 1, to: [MemberID(2), MemberID(3)]))
    #expect(silence.due(at: time(7)) == .ended(silentMembers: [MemberID(2), MemberID(3)]))
  }

  @Test("of another member counts once for each number, and again when the member was gone")
  func heard() {
    let silence = Call()
    #expect(silence.hear(4, from: MemberID(1)))
    #expect(!silence.hear(4, from: MemberID(1)))
    #expect(silence.hear(3, from: MemberID(1)))
    silence.forget(MemberID(1), said: false)
    #expect(silence.hear(3, from: MemberID(1)))
  }
}
