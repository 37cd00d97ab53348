import MoCore
import MoNetwork
import MoOSC
import MoRig
import Testing

/// A machine on the network in virtual time, which may be switched off, and whose program may be missing.
///
/// It behaves as Linux does. The kernel trusts a neighbour for thirty seconds, then probes it for three. Messages sent
/// meanwhile are returned. A closed port sends back one report a second.
private final class FakeMachine: RigNetwork, Sendable {
  struct State {
    var isOn = true
    var listens = true
    /// Whether this machine has no route to it, since the cable is out.
    var isCut = false
    var confirms = false
    var now = HostTime.zero
    var confirmedAt = HostTime.zero
    var askedAt: HostTime?
    var arrived = 0
    var queued = 0
    var unreachable = 0
    var refused = 0
    var lastReport = HostTime.distantPast
    var answers: [[UInt8]] = []
    var taken = 0
  }

  let state = Locked(State())

  struct Link: RigLink {
    let machine: FakeMachine
    func find() {}
    func close() -> NetLinkEvent { NetLinkEvent() }

    func send(_ packet: UnsafeRawBufferPointer) throws(NetError) {
      if machine.state.withLock({ $0.isCut }) { throw .noRoute("10.78.0.2:9060") }
      machine.state.withLock { state in
        state.taken += 1
        machine.settle(&state)
        if state.askedAt != nil {
          state.queued += 1
          return
        }
        guard state.isOn else { return }
        machine.deliver(Array(packet), &state)
      }
    }

    func poll(now: HostTime) -> NetLinkEvent {
      machine.state.withLock { state in
        machine.settle(&state)
        var event = NetLinkEvent()
        (event.unreachable, event.refused, event.packets) = (state.unreachable, state.refused, state.answers)
        (state.unreachable, state.refused, state.answers) = (0, 0, [])
        event.neighbour =
          state.askedAt != nil ? .asked : .answers(secondsAgo: state.now.seconds(since: state.confirmedAt))
        return event
      }
    }
  }

  func link(to target: String) -> any RigLink { Link(machine: self) }

  private func deliver(_ packet: [UInt8], _ state: inout State) {
    guard state.listens else {
      if state.now.seconds(since: state.lastReport) >= 1 {
        state.lastReport = state.now
        state.refused += 1
      }
      return
    }
    state.arrived += 1
    if state.confirms, let answer = seen(packet, arrived: state.arrived) { state.answers.append(answer) }
  }

  /// Updates the kernel's table to the present time.
  private func settle(_ state: inout State) {
    if let asked = state.askedAt {
      if state.isOn {
        state.askedAt = nil
        state.confirmedAt = state.now
        state.arrived += state.queued
        state.queued = 0
      } else if state.now.seconds(since: asked) >= 3 {
        state.unreachable += state.queued
        state.queued = 0
        // A message that is sent now makes the kernel probe it again.
        state.askedAt = state.now
      }
    } else if state.now.seconds(since: state.confirmedAt) >= 30 {
      if state.isOn { state.confirmedAt = state.now } else { state.askedAt = state.now }
    }
  }
}

/// Returns a receiver's answer to a request for confirmation; nil for another packet.
private func seen(_ packet: [UInt8], arrived: Int) -> [UInt8]? {
  guard case .message(let message)? = try? OSCPacket(bytes: packet), message.address == "/momu/rig/confirm"
  else { return nil }
  let values = Array(message.arguments.prefix(2)) + [.int64(Int64(arrived)), .int64(7)]
  return try? OSCMessage("/momu/rig/seen", values).encoded()
}

/// A connection in virtual time.
///
/// While its machine is off, messages are accepted and never acknowledged. The kernel's table of neighbours sometimes
/// reports that the machine does not answer. After thirty seconds the connection ends.
///
/// Of the messages under way when the machine was switched off, the first arrived, but its acknowledgement did not.
private final class FakeConnection: RigNetwork, Sendable {
  struct State {
    var isOn = true
    var isOpen = true
    var offSince = HostTime.zero
    var acknowledged: HostTime?
    var now = HostTime.zero
    var arrived = 0
    var pending = 0
    var lost = 0
    var doubtful = 0
    var connections = 1
    var confirms = false
    var answers: [[UInt8]] = []
    /// The number of messages that the kernel sends before it waits for an acknowledgement.
    static let window = 10
  }

  let state = Locked(State())

  struct Link: RigLink {
    let network: FakeConnection
    func find() {}
    func close() -> NetLinkEvent { NetLinkEvent() }

    func send(_ packet: UnsafeRawBufferPointer) throws(NetError) {
      let bytes = Array(packet)
      let isTaken = network.state.withLock { state in
        guard state.isOpen else { return false }
        if state.isOn || state.pending == 0 { state.arrived += 1 }
        if !state.isOn { state.pending += 1 }
        if state.isOn, state.confirms, let answer = seen(bytes, arrived: state.arrived) {
          state.answers.append(answer)
        }
        return true
      }
      if !isTaken { throw .disconnected("tcp:10.78.0.2:9061", reason: "Connection timed out") }
    }

    func poll(now: HostTime) -> NetLinkEvent {
      network.state.withLock { state in
        if state.isOpen, !state.isOn, now.seconds(since: state.offSince) >= 30 {
          let sent = min(state.pending, State.window)
          (state.isOpen, state.doubtful, state.lost, state.pending) = (false, sent, state.pending - sent, 0)
        } else if !state.isOpen, state.isOn {
          (state.isOpen, state.connections) = (true, state.connections + 1)
        }
        var event = NetLinkEvent()
        event.connection = state.isOpen ? .open : .closed(reason: "Connection timed out")
        (event.connections, event.pending) = (state.connections, state.pending)
        (event.lost, event.doubtful, event.packets) = (state.lost, state.doubtful, state.answers)
        if state.isOn { state.acknowledged = now }
        event.acknowledged = state.acknowledged
        (state.lost, state.doubtful, state.answers) = (0, 0, [])
        event.neighbour = state.isOn || Int(now.seconds) % 4 != 0 ? .answers(secondsAgo: 0) : .silent
        return event
      }
    }
  }

  func link(to target: String) -> any RigLink { Link(network: self) }
}

@Suite("A target in virtual time")
struct TargetTests {
  private let machine = FakeMachine()
  private let logged = Locked<[String]>([])

  private func target(confirms: Bool = false) -> RigTarget {
    machine.state.withLock { $0.confirms = confirms }
    return RigTarget(
      "10.78.0.2:9060", on: machine, confirming: confirms ? Confirmation(rig: "pi") : nil, now: .zero,
      log: { [logged] _, text in logged.withLock { $0.append(text) } })
  }

  /// Sends a hundred messages a second, with a poll of the target every half second.
  private func play(_ target: RigTarget, from: Double, until: Double) {
    let packet: [UInt8] = Array("/a\0\0,\0\0\0".utf8)
    for step in Int(from * 100)..<Int(until * 100) {
      let now = HostTime(seconds: Double(step) / 100)
      machine.state.withLock { $0.now = now }
      if step % 50 == 0 { target.update(now: now) }
      packet.withUnsafeBytes { target.send($0, now: now) }
    }
  }

  private var lines: [String] { logged.withLock { $0 } }
  private var arrived: Int { machine.state.withLock { $0.arrived } }

  @Test(
    "logs an outage of seventy seconds once with its cause, and once when the machine is back"
  )
  func switchedOff() {
    let target = target()
    play(target, from: 0, until: 70)
    machine.state.withLock { $0.isOn = false }
    play(target, from: 70, until: 140)
    machine.state.withLock { $0.isOn = true }
    play(target, from: 140, until: 200)
    #expect(lines.count == 2)
    #expect(
      lines.first
        == "10.78.0.2:9060 is not reached: its machine does not answer: is it switched on, and on this network?"
    )
    // It last answered the kernel at 60 s, and again at 140 s, so it was off no longer than that.
    #expect(lines.last == "10.78.0.2:9060 is reached again, 80 s after the last contact.")
    #expect(target.condition.absent == 80)
    // 7,000 messages were sent to a machine that was off: each counts as lost, or as one that may be lost.
    let counts = target.counts
    #expect(counts.messages == 20_000)
    #expect(counts.messages - arrived <= counts.lost + counts.doubtful)
    #expect(counts.lost <= counts.messages - arrived)
    #expect(counts.doubtful <= 3100)
    // A missing machine is probed once a second, not a hundred times.
    #expect(machine.state.withLock { $0.taken } < 20_000 - 4000)
  }

  @Test("counts exactly with confirmation: messages = arrived + lost, with none that may be lost")
  func confirmed() {
    let target = target(confirms: true)
    var now = 0.0
    for _ in 0..<4 {
      play(target, from: now, until: now + 40)
      machine.state.withLock { $0.isOn = false }
      play(target, from: now + 40, until: now + 90)
      machine.state.withLock { $0.isOn = true }
      play(target, from: now + 90, until: now + 130)
      now += 130
    }
    let last = HostTime(seconds: now)
    machine.state.withLock { $0.now = last }
    target.askForConfirmation(last, isLast: true)
    target.update(now: last)
    let counts = target.counts
    #expect(counts.arrived == arrived)
    #expect(counts.messages == arrived + counts.lost)
    #expect(counts.doubtful == 0)
    #expect(lines.count == 8)
    // A receiver that stops confirming is missed after five seconds, long before its machine is.
    #expect(lines[0].contains("does not confirm messages any more"))
    // It confirms once a second, and was off for fifty seconds.
    #expect(target.condition.absences == 4 && abs(target.condition.absent - 4 * 51) <= 4)
  }

  @Test("logs each end and start of the receiving program, and counts the messages that it missed")
  func programEnds() {
    let target = target()
    play(target, from: 0, until: 10)
    for round in 0..<3 {
      let begin = 10 + 60 * Double(round)
      machine.state.withLock { $0.listens = false }
      play(target, from: begin, until: begin + 30)
      machine.state.withLock { $0.listens = true }
      play(target, from: begin + 30, until: begin + 60)
    }
    #expect(lines.count == 6)
    #expect(lines.filter { $0.contains("no program listens on this port") }.count == 3)
    let counts = target.counts
    #expect(abs(counts.messages - arrived - counts.lost) <= 3 * 100)
  }

  @Test("limits the journal to ten lines an hour if a target goes and comes each minute")
  func night() {
    let target = target()
    for minute in 0..<8 * 60 {
      let begin = 60 * Double(minute)
      // One message a second is enough to detect it.
      let packet: [UInt8] = Array("/a\0\0,\0\0\0".utf8)
      machine.state.withLock { $0.listens = minute % 2 == 0 }
      for second in 0..<60 {
        let now = HostTime(seconds: begin + Double(second))
        machine.state.withLock { $0.now = now }
        target.update(now: now)
        packet.withUnsafeBytes { target.send($0, now: now) }
      }
    }
    #expect(lines.count <= 80 && lines.count > 16, "\(lines.count)")
    #expect(lines.contains { $0.contains("more times in the last hour; the last change: ") })
  }

  @Test(
    "logs twenty outages in a night in under 60 lines, each true, with messages = arrived + lost"
  )
  func outages() {
    let isOut = Locked(false)
    let wrong = Locked<[String]>([])
    machine.state.withLock { $0.confirms = true }
    let target = RigTarget(
      "10.78.0.2:9060", on: machine, confirming: Confirmation(rig: "pi"), now: .zero,
      log: { [logged] _, text in
        logged.withLock { $0.append(text) }
        let saysOut = text.contains("is not reached")
        if saysOut != isOut.withLock({ $0 }) { wrong.withLock { $0.append(text) } }
      })
    let packet: [UInt8] = Array("/a\0\0,\0\0\0".utf8)
    // Eight hours, an outage of ten minutes every twenty-four, ten messages a second.
    for step in 0..<(8 * 3600 * 10) {
      let now = HostTime(seconds: Double(step) / 10)
      let (outage, place) = (step / 14_400, step % 14_400)
      let isOver = place >= 3000 && place < 9000
      machine.state.withLock { state in
        state.now = now
        state.isOn = !(isOver && outage % 3 == 0)
        state.listens = !(isOver && outage % 3 == 1)
        state.isCut = isOver && outage % 3 == 2
      }
      isOut.withLock { $0 = isOver }
      if step % 5 == 0 { target.update(now: now) }
      packet.withUnsafeBytes { target.send($0, now: now) }
    }
    let end = HostTime(seconds: 8 * 3600)
    machine.state.withLock { $0.now = end }
    target.askForConfirmation(end, isLast: true)
    target.update(now: end)
    #expect(wrong.withLock { $0 } == [])
    #expect(lines.count == 40, "\(lines.count)")
    let counts = target.counts
    #expect(counts.messages == arrived + counts.lost && counts.arrived == arrived && counts.doubtful == 0)
    #expect(counts.lost >= 20 * 6000)
    #expect(target.condition.absences == 20 && abs(target.condition.absent - 20 * 600) < 20 * 7)
  }

  @Test(
    "counts uncertain messages of a connection separately, and exactly with confirmation",
    arguments: [false, true])
  func connection(confirms: Bool) {
    let network = FakeConnection()
    network.state.withLock { $0.confirms = confirms }
    let target = RigTarget(
      "tcp:10.78.0.2:9061", on: network, confirming: confirms ? Confirmation(rig: "pi") : nil, now: .zero,
      log: { [logged] _, text in logged.withLock { $0.append(text) } })
    let packet: [UInt8] = Array("/a\0\0,\0\0\0".utf8)
    for step in 0..<(20 * 650) {
      let now = HostTime(seconds: Double(step) / 10)
      let isOff = step % 650 >= 150 && step % 650 < 600
      network.state.withLock { state in
        state.now = now
        if state.isOn, isOff { state.offSince = now }
        state.isOn = !isOff
      }
      if step % 5 == 0 { target.update(now: now) }
      packet.withUnsafeBytes { target.send($0, now: now) }
    }
    let end = HostTime(seconds: 1300)
    network.state.withLock { $0.now = end }
    target.askForConfirmation(end, isLast: true)
    target.update(now: end)
    let arrived = network.state.withLock { $0.arrived }
    let counts = target.counts
    if confirms {
      #expect(counts.messages == arrived + counts.lost && counts.arrived == arrived, "\(arrived), \(counts)")
      #expect(counts.doubtful == 0)
    } else {
      // One message of each outage arrived, and its acknowledgement was lost.
      #expect(counts.doubtful == 20 * FakeConnection.State.window)
      #expect(counts.messages == arrived + counts.lost + counts.doubtful - 20, "\(arrived), \(counts)")
    }
    #expect(
      confirms
        || lines.allSatisfy {
          $0.contains("no connection (Connection timed out)") || $0.contains("reached again")
        }
    )
    // A connection ends thirty seconds after its machine; the machine is off for 45.
    #expect(
      target.condition.absences == 20 && abs(target.condition.absent - 20 * 45) <= 20,
      "\(target.condition), \(lines)")
    #expect(
      confirms || lines.contains { $0.hasSuffix("is reached again, 45 s after the last contact.") })
  }

  @Test("reports the time since the first attempt if a machine was off when the rig started")
  func firstContact() {
    machine.state.withLock { ($0.isOn, $0.askedAt) = (false, .zero) }
    let target = target()
    play(target, from: 0, until: 60)
    machine.state.withLock { $0.isOn = true }
    play(target, from: 60, until: 80)
    #expect(lines.count == 2)
    #expect(lines.last == "10.78.0.2:9060 is reached now, 60 s after the first attempt.")
  }

  @Test("a single lost report or refused message does not count as an absence")
  func hiccup() {
    let target = target()
    play(target, from: 0, until: 5)
    machine.state.withLock { $0.refused = 1 }
    play(target, from: 5, until: 30)
    #expect(lines.isEmpty)
    #expect(target.counts.lost == 1)
  }
}

/// A network in which the lookup of a name that begins with `slow.` lasts until the test ends it.
private final class SlowNames: RigNetwork {
  let isOver = WakeEvent()
  let found = Locked<[String]>([])

  struct Link: RigLink {
    let network: SlowNames
    let target: String

    func find() throws(NetError) {
      if target.hasPrefix("slow.") { network.isOver.wait(for: .seconds(600)) }
      network.found.withLock { $0.append(target) }
    }

    func send(_ packet: UnsafeRawBufferPointer) throws(NetError) {}
    func poll(now: HostTime) -> NetLinkEvent { NetLinkEvent() }
    func close() -> NetLinkEvent { NetLinkEvent() }
  }

  func link(to target: String) throws(NetError) -> any RigLink { Link(network: self, target: target) }
}

@Suite("The lookups of a rig")
struct TargetResolverTests {
  @Test("a name whose lookup lasts long delays no other target, and no statistics")
  func slowName() throws {
    let network = SlowNames()
    defer { network.isOver.raise() }
    let targets = ["slow.local:9", "192.168.0.7:9", "quick.local:9"].map {
      RigTarget($0, on: network, now: .zero, log: { _, _ in })
    }
    var rig = RigState()
    (rig.targets, rig.observers) = (targets, [targets[1]])
    rig.configuration.statistics = 1
    let clock = ManualClock()
    let resolver = TargetResolver(Locked(rig), clock: clock, isOffline: false)
    let isDone = WakeEvent()
    let thread = try MoThread(name: "resolver") { _ in
      resolver.update()
      clock.advance(by: .seconds(2))
      resolver.update()
      isDone.raise()
    }
    // The minute is a timeout, not a measurement: a hang becomes a failure.
    try #require(isDone.wait(for: .seconds(60)), "it waits for the name")
    thread.join()
    let counts = targets[1].counts
    #expect(counts.messages > 0 && counts.lost == 0)
    #expect(until({ network.found.withLock { $0.contains("quick.local:9") } }))
    #expect(!resolver.hasLooked && !targets[0].hasLooked)
    network.isOver.raise()
    #expect(until({ resolver.hasLooked }))
  }

  @Test(
    "looks up names only, not addresses and broadcasts",
    arguments: [
      ("pc.local:9", true), ("tcp:pc.local:9", true), ("192.168.0.7:9", false), ("slip:10.0.0.1:9", false),
      ("[::1]:9", false), ("224.0.1.9%wlan0:9", false), ("broadcast:9", false),
    ])
  func names(target: String, hasName: Bool) { #expect(RigValue.needsLookup(target) == hasName) }
}
