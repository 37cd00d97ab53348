import CMoSystem
import MoCore
import MoNetwork
import Testing

@Suite("Name lookups")
struct NetNamesTests {
  /// A directory in which one machine changes its address.
  private final class Directory: Sendable {
    let clock = ManualClock(HostTime(seconds: 1000))
    let host = Locked<String?>("10.0.0.1")
    let asked = Locked(0)
    /// Raised by a lookup of the machine; the answer then waits for `mayAnswer`.
    let isAsked = WakeEvent()
    let mayAnswer = WakeEvent()

    func names() -> NetNames {
      NetNames(clock: clock) { [self] name in
        guard name == "studio.local" else { return nil }
        asked.withLock { $0 += 1 }
        isAsked.raise()
        // The minute is a timeout, not a measurement: a hang becomes a failure.
        mayAnswer.wait(for: .seconds(60))
        return host.withLock { $0 }.flatMap { NetAddress(ip: $0, port: 0) }
      }
    }
  }

  /// Looks up on a thread that must not wait, or on a thread that may.
  private func ask(_ names: NetNames, mayWait: Bool = false) throws -> String? {
    momu_thread_set_timely(mayWait ? 0 : 1)
    defer { momu_thread_set_timely(0) }
    return try names.address(of: "studio.local", later: { _ in })?.host
  }

  /// Returns when the pending lookup is finished: a lookup of another name comes after it.
  private func finishLookup(_ names: NetNames, _ stranger: String) throws {
    momu_thread_set_timely(1)
    defer { momu_thread_set_timely(0) }
    let isOver = WakeEvent()
    _ = try names.address(of: stranger, later: { _ in isOver.raise() })
    #expect(isOver.wait(for: .seconds(60)))
  }

  @Test(
    "looks a name up again after a minute, once, in the background; the old address stays valid",
    arguments: [false, true])
  func renewed(mayWait: Bool) throws {
    let directory = Directory()
    let names = directory.names()
    directory.mayAnswer.raise()
    #expect(try names.address(of: "studio.local", later: { _ in })?.host == "10.0.0.1")
    directory.isAsked.lower()
    directory.host.withLock { $0 = "10.0.0.2" }
    directory.clock.advance(by: .seconds(59))
    #expect(try ask(names, mayWait: mayWait) == "10.0.0.1")
    #expect(directory.asked.withLock { $0 } == 1)
    directory.clock.advance(by: .seconds(1))
    for _ in 0..<100 { #expect(try ask(names, mayWait: mayWait) == "10.0.0.1") }
    try #require(directory.isAsked.wait(for: .seconds(60)))
    directory.mayAnswer.raise()
    try finishLookup(names, "somebody")
    #expect(try ask(names, mayWait: mayWait) == "10.0.0.2")
    #expect(directory.asked.withLock { $0 } == 2)
  }

  @Test(
    "looks up an unknown name again only after five seconds, in the background", arguments: [false, true])
  func unknown(mayWait: Bool) throws {
    let directory = Directory()
    let names = directory.names()
    directory.host.withLock { $0 = nil }
    func expectUnknown() {
      #expect(throws: NetError.unknownHost("studio.local")) { try ask(names, mayWait: mayWait) }
    }
    directory.mayAnswer.raise()
    #expect(throws: NetError.unknownHost("studio.local")) { try ask(names, mayWait: true) }
    directory.isAsked.lower()
    directory.clock.advance(by: .milliseconds(4999))
    expectUnknown()
    #expect(directory.asked.withLock { $0 } == 1)
    directory.clock.advance(by: .milliseconds(1))
    // The lookup has no answer yet, so these calls do not wait for it.
    for _ in 0..<3 { expectUnknown() }
    try #require(directory.isAsked.wait(for: .seconds(60)))
    directory.host.withLock { $0 = "10.0.0.2" }
    directory.mayAnswer.raise()
    try finishLookup(names, "other.local")
    #expect(try ask(names, mayWait: mayWait) == "10.0.0.2")
    #expect(directory.asked.withLock { $0 } == 2)
  }

  @Test("after a change of the network, looks up an unknown name with the next message")
  func unknownAfterChange() throws {
    let directory = Directory()
    let names = directory.names()
    directory.host.withLock { $0 = nil }
    directory.mayAnswer.raise()
    #expect(throws: NetError.unknownHost("studio.local")) { try ask(names, mayWait: true) }
    directory.host.withLock { $0 = "10.0.0.2" }
    names.forget()
    directory.mayAnswer.raise()
    #expect(try ask(names, mayWait: true) == "10.0.0.2")
  }

  @Test("on a thread that may wait, looks a name up before use if its address is ten minutes old")
  func old() throws {
    let directory = Directory()
    let names = directory.names()
    directory.mayAnswer.raise()
    #expect(try ask(names, mayWait: true) == "10.0.0.1")
    for (host, expected) in [("10.0.0.2", "10.0.0.2"), (nil, "10.0.0.2")] {
      directory.clock.advance(by: .seconds(600))
      directory.host.withLock { $0 = host }
      directory.mayAnswer.raise()
      #expect(try ask(names, mayWait: true) == expected)
    }
    #expect(directory.asked.withLock { $0 } == 3)
    // The lookup for a thread that must not wait has no answer yet.
    directory.clock.advance(by: .seconds(600))
    #expect(try ask(names) == "10.0.0.2")
    directory.mayAnswer.raise()
  }

  @Test("keeps the address of a name that is no longer found, and looks it up once a minute")
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
      try finishLookup(names, "somebody \(minute)")
      for _ in 0..<10 { #expect(try ask(names) == "10.0.0.1") }
      #expect(directory.asked.withLock { $0 } == 1 + minute)
    }
  }
}
