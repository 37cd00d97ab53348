import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRig
import Testing

@Suite("Confirmation of what has arrived")
struct ConfirmationTests {
  private func answer(_ number: Int64, _ messages: Int64, run: Int64) throws -> [UInt8] {
    try OSCMessage(
      "/momu/rig/seen", [.string("pi"), .int64(number), .int64(messages), .int64(run)]
    ).encoded()
  }

  @Test("a receiver's count over a second connection replaces its first count")
  func connections() throws {
    var confirmation = Confirmation(rig: "pi")
    _ = confirmation.request(messages: 10, now: .zero)
    #expect(confirmation.receive(try answer(1, 10, run: 7), now: .zero))
    // The connection ended. Over the next one the receiver reports all messages from this rig.
    _ = confirmation.request(messages: 30, now: HostTime(seconds: 60))
    #expect(confirmation.receive(try answer(2, 15, run: 7), now: HostTime(seconds: 60)))
    #expect(confirmation.arrived == 15 && confirmation.settled?.messages == 30)
    // A receiver that restarts counts from zero.
    _ = confirmation.request(messages: 40, now: HostTime(seconds: 120))
    #expect(confirmation.receive(try answer(3, 4, run: 8), now: HostTime(seconds: 120)))
    #expect(confirmation.arrived == 19)
  }

  @Test("after an answer without a count, no count is used, since uncounted messages would seem lost")
  func uncounted() throws {
    var confirmation = Confirmation(rig: "pi")
    _ = confirmation.request(messages: 10, now: .zero)
    #expect(confirmation.receive(try answer(1, 10, run: 7), now: .zero))
    #expect(confirmation.arrived == 10)
    _ = confirmation.request(messages: 30, now: HostTime(seconds: 60))
    let short = try OSCMessage("/momu/rig/seen", [.string("pi"), .int64(2)]).encoded()
    let isAnswer = confirmation.receive(short, now: HostTime(seconds: 60))
    #expect(isAnswer)
    #expect(confirmation.lastAnswer == HostTime(seconds: 60))
    #expect(confirmation.arrived == nil && confirmation.settled == nil)
    // A receiver that restarts counts from zero.
    _ = confirmation.request(messages: 40, now: HostTime(seconds: 120))
    #expect(confirmation.receive(try answer(3, 5, run: 8), now: HostTime(seconds: 120)))
    #expect(confirmation.arrived == nil && confirmation.settled == nil)
  }

  // The number of messages that arrived is a sum over the receiver's runs, and an overflow would end the program.
  @Test("counts no more messages as arrived than were sent, even if a receiver answers with wrong numbers")
  func absurd() async {
    await #expect(processExitsWith: .success) {
      let suite = ConfirmationTests()
      var confirmation = Confirmation(rig: "pi")
      for number in 1...200 as ClosedRange<Int64> {
        _ = confirmation.request(messages: 10 * Int(number), now: .zero)
        let packet = try suite.answer(number, 1 << 62, run: number)
        guard confirmation.receive(packet, now: .zero), confirmation.arrived == 10 * Int(number) else {
          exit(1)
        }
      }
    }
  }

  @Test("ignores an answer to a request that was not made")
  func foreign() throws {
    var confirmation = Confirmation(rig: "pi")
    _ = confirmation.request(messages: 10, now: .zero)
    #expect(!confirmation.receive(try answer(9, 10, run: 7), now: .zero))
    #expect(confirmation.arrived == nil && confirmation.lastAnswer == nil)
  }

  @Test("a receiver adds up the addresses of the same run of a rig only")
  func addresses() throws {
    var senders = RigSenders()
    let first = try #require(NetAddress(ip: "10.78.0.1", port: 4000))
    let second = try #require(NetAddress(ip: "10.78.0.1", port: 4001))
    #expect(senders.senders(of: 1, with: first) == [first])
    #expect(senders.senders(of: 1, with: first) == [first])
    #expect(senders.senders(of: 2, with: second) == [second])
    #expect(senders.senders(of: 1, with: second) == [first, second])
    // Forged runs do not fill the memory: the oldest is dropped.
    for run in 100..<200 { _ = senders.senders(of: Int64(run), with: first) }
    #expect(senders.senders(of: 1, with: second) == [second])
  }
}
