import CMoSystem
import MoCore
import Testing

@testable import MoCore
@testable import MoNetwork

@Suite("Names that are looked up")
struct NetNamesTests {
  /// A directory in which one machine moves about.
  private final class Directory: Sendable {
    let clock = ManualClock(HostTime(seconds: 1000))
    let host = Locked<String?>("10.0.0.1")
    let asked = Locked(0)
    /// Raised as the machine is asked for; the answer then waits for its leave.
    let isAsked = WakeEvent()
    let mayAnswer = WakeEvent()

    func names() -> NetNames {
      NetNames(clock: clock) { [self] name in
        guard name == "studio.local" else { return nil }
        asked.withLock { $0 += 1 }
        isAsked.raise()
        // A minute measures nothing: it makes a failure of what would otherwise never end.
        mayAnswer.wait(for: .seconds(60))
        return host.withLock { $0 }.flatMap { NetAddress(ip: $0, port: 0) }
      }
    }
  }

  /// Asks as a thread does that callbacks wait for.
  private func ask(_ names: NetNames) throws -> String? {
    momu_thread_set_timely(1)
    defer { momu_thread_set_timely(0) }
    return try names.address(of: "studio.local", later: { _ in })?.host
  }

  /// Returns when what is being looked up has been: a stranger's name has its turn after it.
  private func settle(_ names: NetNames, _ stranger: String) throws {
    momu_thread_set_timely(1)
    defer { momu_thread_set_timely(0) }
    let isOver = WakeEvent()
    _ = try names.address(of: stranger, later: { _ in isOver.raise() })
    #expect(isOver.wait(for: .seconds(60)))
  }

  @Test("a minute later one is looked up anew in the background, once; meanwhile its old address goes on")
  func renewed() throws {
    let directory = Directory()
    let names = directory.names()
    directory.mayAnswer.raise()
    #expect(try names.address(of: "studio.local", later: { _ in })?.host == "10.0.0.1")
    directory.isAsked.lower()
    directory.host.withLock { $0 = "10.0.0.2" }
    directory.clock.advance(by: .seconds(59))
    #expect(try ask(names) == "10.0.0.1")
    #expect(directory.asked.withLock { $0 } == 1)
    directory.clock.advance(by: .seconds(1))
    for _ in 0..<100 { #expect(try ask(names) == "10.0.0.1") }
    try #require(directory.isAsked.wait(for: .seconds(60)))
    directory.mayAnswer.raise()
    try settle(names, "somebody")
    #expect(try ask(names) == "10.0.0.2")
    #expect(directory.asked.withLock { $0 } == 2)
  }

  @Test("one that is found no more stays where it was, and is asked for once a minute")
  func gone() throws {
    let directory = Directory()
    let names = directory.names()
    directory.mayAnswer.raise()
    _ = try names.address(of: "studio.local", later: { _ in })
    directory.isAsked.lower()
    directory.host.withLock { $0 = nil }
    for minute in 1...3 {
      directory.clock.advance(by: .seconds(60))
      #expect(try ask(names) == "10.0.0.1")
      try #require(directory.isAsked.wait(for: .seconds(60)))
      directory.mayAnswer.raise()
      try settle(names, "somebody \(minute)")
      for _ in 0..<10 { #expect(try ask(names) == "10.0.0.1") }
      #expect(directory.asked.withLock { $0 } == 1 + minute)
    }
  }
}
