import MoCore
import MoSessionCore
import Testing

@Suite("A call for silence as a value")
struct SilenceTests {
  /// A call that an expectation may use.
  private final class Call {
    private var silence = Silence()

    var isCalling: Bool { silence.isCalling }
    var next: HostTime { silence.next }
    func begin(_ members: MemberID..., now: HostTime) { silence.begin(1, among: members, now: now) }
    func due(at now: HostTime) -> Silence.Due? { silence.popDue(at: now) }
    func confirmed(_ id: MemberID, number: Int32, reported: [UnconfirmedMember] = []) {
      silence.confirmed(id, number: number, reported: reported)
    }
    func joined(_ id: MemberID) { silence.joined(id) }
    func receive(_ number: Int32, from id: MemberID) -> Bool { silence.receive(number, from: id) }
    func forget(_ id: MemberID, withGoodbye: Bool) { silence.forget(id, withGoodbye: withGoodbye) }
    func shift(by nanoseconds: Int64) { silence.shift(by: nanoseconds) }
  }

  private func time(_ seconds: Double) -> HostTime { HostTime(seconds: 100 + seconds) }

  @Test("a call is sent every 50 ms to members that have not answered, and ends when all have")
  func answered() {
    let silence = Call()
    #expect(silence.due(at: time(0)) == nil)
    silence.begin(MemberID(2), MemberID(1), now: time(0))
    #expect(silence.due(at: time(0)) == .send(number: 1, to: [MemberID(1), MemberID(2)]))
    #expect(silence.due(at: time(0.04)) == nil)
    silence.confirmed(MemberID(1), number: 1)
    silence.confirmed(MemberID(2), number: 7)
    #expect(silence.due(at: time(0.05)) == .send(number: 1, to: [MemberID(2)]))
    silence.confirmed(MemberID(2), number: 1)
    #expect(silence.due(at: time(0.06)) == .ended(unconfirmed: [], reported: []))
    #expect(!silence.isCalling && silence.next == .distantFuture)
  }

  @Test("a call ends after two seconds and names unconfirmed members, except those that said goodbye")
  func unanswered() {
    let silence = Call()
    silence.begin(MemberID(1), MemberID(2), MemberID(3), now: time(0))
    silence.forget(MemberID(1), withGoodbye: true)
    silence.forget(MemberID(2), withGoodbye: false)
    silence.shift(by: 5_000_000_000)
    #expect(silence.due(at: time(4.9)) == nil)
    #expect(silence.due(at: time(5)) == .send(number: 1, to: [MemberID(2), MemberID(3)]))
    #expect(silence.due(at: time(7)) == .ended(unconfirmed: [MemberID(2), MemberID(3)], reported: []))
  }

  @Test("a call waits for members that others report, and names those that do not answer")
  func reportedByOthers() {
    let silence = Call()
    let cyd = UnconfirmedMember(member: MemberID(7), name: "Cyd", silentFor: 3)
    let dot = UnconfirmedMember(member: MemberID(8), name: "Dot", silentFor: 1)
    silence.begin(MemberID(1), now: time(0))
    silence.confirmed(MemberID(1), number: 1, reported: [cyd, dot])
    #expect(silence.due(at: time(0.1)) == nil)
    silence.joined(MemberID(8))
    #expect(silence.due(at: time(0.2)) == .send(number: 1, to: [MemberID(8)]))
    silence.confirmed(MemberID(8), number: 1, reported: [cyd])
    #expect(silence.due(at: time(1.9)) == nil)
    #expect(silence.due(at: time(2)) == .ended(unconfirmed: [], reported: [cyd]))
  }

  @Test("numbers of calls are compared modulo 2³², within a window")
  func numbers() {
    #expect(SilenceCall.isLater(1, than: 0) && !SilenceCall.isLater(0, than: 1))
    #expect(!SilenceCall.isLater(5, than: 5))
    #expect(SilenceCall.isLater(2, than: .max) && !SilenceCall.isLater(.max, than: 2))
    #expect(!SilenceCall.isLater(1 << 30, than: 1))
  }

  @Test("another member's call counts once for each number, and again after that member was gone")
  func heard() {
    let silence = Call()
    #expect(silence.receive(4, from: MemberID(1)))
    #expect(!silence.receive(4, from: MemberID(1)))
    #expect(silence.receive(3, from: MemberID(1)))
    silence.forget(MemberID(1), withGoodbye: false)
    #expect(silence.receive(3, from: MemberID(1)))
  }
}
