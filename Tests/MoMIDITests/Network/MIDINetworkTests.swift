import Glibc
import MIDICore
import MoCore
import MoMu
import Testing

@testable import MoMIDI
@testable import MoRuntime

/// Network sessions on this machine's loopback, with real sockets.
@Suite("MIDI network sessions", .serialized)
struct MIDINetworkTests {
  private func server() -> MIDIServer {
    MIDIServer(usesAvahi: false) { _ throws(MIDIError) in throw .noSequencer(reason: "none in this test") }
  }

  /// The first of two free UDP ports.
  private func freePorts() throws -> Int {
    // Below the ports that the kernel gives to other tests' sockets.
    for port in stride(from: 20_000 + Int(getpid()) % 1000 * 8, to: 32_000, by: 2) {
      if (try? NetPortPair(port)) != nil { return port }
    }
    throw MIDIError.network("no free ports")
  }

  private func wait(_ what: String, until isTrue: () -> Bool) {
    for _ in 0..<20_000 where !isTrue() { usleep(1000) }
    #expect(isTrue(), "waited in vain for \(what)")
  }

  private func expectError(_ source: String, _ expected: (MIDIError) -> Bool) {
    let (server, run) = (server(), liveRun())
    do {
      try server.startInput(source: source, in: run)
      Issue.record("\(source) was opened")
    } catch let error as MIDIError {
      #expect(expected(error), "\(error)")
    } catch {
      Issue.record("\(error)")
    }
    run.end()
  }

  @Test("pass on what a caller plays, with its name and its time, and release it when the caller leaves")
  func play() throws {
    let (listener, caller) = (server(), server())
    let (heard, portEvents) = (Collected<MIDIEvent>(), Collected<MIDIPortEvent>())
    _ = listener.onEvent { heard.add($0) }
    _ = listener.events.add { portEvents.add($0) }
    caller.clientName = "Kéyboard\u{1b}"
    let (port, run, other) = (try freePorts(), liveRun(), liveRun())
    try listener.startInput(source: "net?port=\(port)", in: run)
    try caller.startOutput(target: "net:127.0.0.1:\(port)", in: other)
    let played = other.clock.now
    // The listener sends and receives no MIDI before the caller has proved its address.
    wait("the join") { !portEvents.all.isEmpty }
    try caller.send(.message(.noteOn(2, 60, velocity: 9)), at: played, in: other)
    wait("the note") { heard.all.contains { $0.message == .noteOn(2, 60, velocity: 9) } }
    let name = heard.all.first?.port ?? ""
    #expect(name.hasPrefix("Kéyboard\\u{1b} (") && portEvents.all == [.using(name: name)])
    #expect(listener.sourceNames == [name])
    let age = heard.all.first.map { played.nanoseconds(since: $0.time) } ?? .max
    #expect(abs(age) < 2_000_000_000)
    caller.stop()
    wait("the release") { heard.all.contains { $0.message == .noteOff(2, 60, velocity: 64) } }
    wait("the news") { portEvents.all.last == .lost(name: name) }
    listener.stop()
  }

  @Test("carry 20 KB of SysEx and thousands of messages in order")
  func amounts() throws {
    let (listener, caller) = (server(), server())
    let (heard, dumps) = (Collected<MIDIMessage>(), Collected<[UInt8]>())
    _ = listener.onEvent { heard.add($0.message) }
    _ = listener.onSysEx { dumps.add($0.bytes) }
    let (port, run) = (try freePorts(), liveRun())
    try listener.startInput(source: "net?port=\(port)", in: run)
    try caller.startOutput(target: "net:127.0.0.1:\(port)", in: run)
    wait("the join") { !listener.sourceNames.isEmpty }
    let dump = [0xF0] + (0..<20_000).map { UInt8($0 % 128) } + [0xF7]
    try caller.sendSysEx(dump, at: .zero, in: run)
    for count in 0..<4000 {
      try caller.send(.message(.bend(0, MIDIUInt14(clamping: count))), at: run.clock.now, in: run)
      if count % 100 == 0 { usleep(1000) }
    }
    wait("the SysEx message") { dumps.all == [dump] }
    wait("the messages") { heard.all.count >= 4000 }
    #expect(heard.all.prefix(4000) == (0..<4000).map { .bend(0, MIDIUInt14(clamping: $0)) }[...])
    caller.stop()
    listener.stop()
  }

  @Test("carry all controllers of all channels at once, and what follows them")
  func controllers() throws {
    let (listener, caller) = (server(), server())
    let heard = Collected<MIDIMessage>()
    _ = listener.onEvent { heard.add($0.message) }
    let (port, run) = (try freePorts(), liveRun())
    try listener.startInput(source: "net?port=\(port)", in: run)
    try caller.startOutput(target: "net:127.0.0.1:\(port)", in: run)
    wait("the join") { !listener.sourceNames.isEmpty }
    // All but the controllers that set parameters.
    let numbers = (0..<120).filter { $0 != 6 && $0 != 38 && !(96...101).contains($0) }
    for channel in 0..<16 {
      for number in numbers {
        let message = MIDIMessage.control(
          MIDIChannel(lowBitsOf: UInt8(channel)), MIDIUInt7(clamping: number),
          MIDIUInt7(clamping: number / 2 + channel))
        try caller.send(.message(message), at: .zero, in: run)
      }
    }
    try caller.send(.message(.noteOn(3, 60, velocity: 9)), at: run.clock.now, in: run)
    wait("the note") { heard.all.contains(.noteOn(3, 60, velocity: 9)) }
    #expect(Set(heard.all).count == 16 * numbers.count + 1)
    caller.stop()
    listener.stop()
  }

  @Test("merge what peers play, send to all of them, and pass nothing from one to another")
  func merge() throws {
    let (hub, peers) = (server(), [server(), server()])
    let (heard, echoes) = (Collected<MIDIMessage>(), [Collected<MIDIMessage>(), Collected<MIDIMessage>()])
    _ = hub.onEvent { heard.add($0.message) }
    let (port, run) = (try freePorts(), liveRun())
    try hub.startInput(source: "net?port=\(port)", in: run)
    try hub.startOutput(target: "net?port=\(port)", in: run)
    for (index, peer) in peers.enumerated() {
      _ = peer.onEvent { [echo = echoes[index]] in echo.add($0.message) }
      try peer.startInput(source: "net:127.0.0.1:\(port)", in: run)
      try peer.startOutput(target: "net:127.0.0.1:\(port)", in: run)
    }
    wait("the joins") { hub.sourceNames.count == 2 }
    for (index, peer) in peers.enumerated() {
      try peer.send(.message(.program(0, MIDIUInt7(clamping: index))), at: run.clock.now, in: run)
    }
    wait("both") { heard.all.contains(.program(0, 0)) && heard.all.contains(.program(0, 1)) }
    try hub.send(.message(.program(5, 5)), at: run.clock.now, in: run)
    for echo in echoes { wait("the hub's message") { echo.all == [.program(5, 5)] } }
    for server in peers + [hub] { server.stop() }
  }

  @Test("do not keep other threads from the server while a peer does not answer, and end the wait at a stop")
  func stopsWait() throws {
    let (server, port, run) = (server(), try freePorts(), liveRun())
    let error = Locked<MIDIError?>(nil)
    let caller = try MoThread(name: "caller") { _ in
      do {
        try server.startInput(source: "net:127.0.0.1:\(port)", in: run)
      } catch let failure as MIDIError {
        error.withLock { $0 = failure }
      } catch {}
    }
    wait("the call") { caller.isFinished || server.withLock { server.state.network != nil } }
    #expect(server.sourceNames == [])
    server.stop()
    caller.join()
    #expect(error.withLock { $0 } == .noThread(reason: "the server has stopped"))
    // The next start is a new call.
    expectError("net:127.0.0.1:\(port)") { $0 == .noAnswer("127.0.0.1:\(port)") }
    run.end()
  }

  @Test("tell which program has the ports")
  func taken() throws {
    let port = try freePorts()
    for first in [port, port + 1] {
      let holder = try NetPort(first, isIPv6: false)
      expectError("net?port=\(port)") { $0 == .portsTaken(port, by: "this program itself") }
      #expect(holder.port == first)
    }
  }

  @Test("tell a missing answer, an unknown host, and a refusal")
  func errors() throws {
    let port = try freePorts()
    expectError("net:127.0.0.1:\(port)") { $0 == .noAnswer("127.0.0.1:\(port)") }
    expectError("net:no-such-host.invalid:5004") {
      if case .network(let text) = $0 { text.contains("no-such-host.invalid") } else { false }
    }
    nonisolated(unsafe) let sockets = try NetPortPair(port)
    let thread = try MoThread(name: "refuser") { body in
      while !body.isCancelled {
        sockets.receive { bytes, sender, isSecond in
          let answer = [0xFF, 0xFF, 0x4E, 0x4F] + bytes[4..<12] + [0, 0, 0, 9]
          answer.withUnsafeBufferPointer { sockets.send($0, to: sender, fromSecond: isSecond) }
        }
        body.sleep(for: .milliseconds(5))
      }
    }
    expectError("net:127.0.0.1:\(port)") { $0 == .refused("127.0.0.1:\(port)") }
    thread.cancel()
    thread.join()
  }

  @Test("deliver the notes that a peer sent before its farewell, although both wait at different ports")
  func farewell() throws {
    let (ours, theirs) = (try NetPortPair(try freePorts()), try NetPortPair(try freePorts()))
    for isSecond in [true, false] {
      let address = try #require(NetAddress(ip: "127.0.0.1", port: ours.port + (isSecond ? 1 : 0)))
      [UInt8(isSecond ? 1 : 2)].withUnsafeBufferPointer {
        theirs.send($0, to: address.native, fromSecond: isSecond)
      }
    }
    var order: [UInt8] = []
    for _ in 0..<1000 where order.count < 2 {
      ours.receive { bytes, _, isSecond in
        order.append(bytes[0])
        #expect(isSecond == (bytes[0] == 1))
      }
      usleep(1000)
    }
    #expect(order == [1, 2])
  }

  @Test("cannot be used offline, and have no other forms")
  func forms() throws {
    let run = offlineRun()
    #expect(throws: MIDIError.notOffline("net", option: "midi")) {
      try server().startInput(source: "net", in: run)
    }
    #expect(throws: MIDIError.notOffline("net:a", option: "midi-out")) {
      try server().startOutput(target: "net:a", in: run)
    }
    #expect(try MIDINetworkName("net:Studio: left", option: "midi") == .named("Studio: left"))
    #expect(try MIDINetworkName("net:ada.local:5004", option: "midi") == .host("ada.local", port: 5004))
    #expect(
      try MIDINetworkName("net:[fe80::1%eth0]:6000", option: "midi") == .host("fe80::1%eth0", port: 6000))
    for text in [
      "net:", "net:127.0.0.1:99999", "net:ada.local:0", "net?port=0", "net?port=65535", "net?speed=2",
    ] {
      #expect(throws: MIDIError.self) { try MIDINetworkName(text, option: "midi") }
    }
  }

  @Test("an address survives its conversion", arguments: ["192.168.0.5", "2001:db8::5", "::1", "255.1.2.3"])
  func addresses(text: String) throws {
    let address = try #require(NetAddress(ip: text, port: 5004))
    #expect(NetAddress(MIDIEndpoint(address.native).native) == address)
    #expect(MIDIEndpoint(address.native).text == "\(address)")
  }
}

@Suite("Calls to MIDI network sessions")
struct MIDINetworkCallTests {
  private func place(_ name: String, _ host: UInt32) -> MIDINetworkPlace {
    MIDINetworkPlace(name: name, endpoint: MIDIEndpoint(ipv4: host, port: 5004))
  }

  @Test("go to the session of a name, in any case of letters, and to a part of it if there is none")
  func names() {
    var calls = MIDINetworkCalls()
    calls.want(.named("ipad"), host: nil)
    calls.add([.hint(place("My iPad", 1)), .hint(place("Studio", 2))])
    calls.update { _ in false }
    let begun = calls.takeBegun()
    #expect(begun == [MIDIEndpoint(ipv4: 1, port: 5004)])
    #expect(calls.text(of: MIDIEndpoint(ipv4: 1, port: 5004)) == "My iPad (0.0.0.1:5004)")
    #expect(calls.names(of: MIDIEndpoint(ipv4: 1, port: 5004)) == [.named("ipad")])
  }

  @Test("follow a session to another address, but not while it is joined")
  func move() {
    var calls = MIDINetworkCalls()
    calls.want(.named("iPad"), host: nil)
    calls.add([.hint(place("iPad", 1))])
    calls.update { _ in false }
    _ = calls.takeBegun()
    calls.add([.gone(place("iPad", 1)), .hint(place("iPad", 2))])
    calls.update { _ in true }
    var (begun, ended) = (calls.takeBegun(), calls.takeEnded())
    #expect(begun.isEmpty && ended.isEmpty)
    calls.update { _ in false }
    (begun, ended) = (calls.takeBegun(), calls.takeEnded())
    #expect(begun == [MIDIEndpoint(ipv4: 2, port: 5004)])
    #expect(ended == [MIDIEndpoint(ipv4: 1, port: 5004)])
  }

  @Test("follow a host to another address, but not while its session is joined")
  func moveHost() {
    let (name, other) = (MIDINetworkName.host("ada.local", port: 5004), MIDINetworkName.host("b", port: 5004))
    let ends = (1...2).map { MIDIEndpoint(ipv4: $0, port: 5004) }
    var calls = MIDINetworkCalls()
    calls.want(name, host: ends[0])
    _ = calls.takeBegun()
    calls.move(other, to: ends[1]) { _ in false }
    calls.move(name, to: ends[0]) { _ in false }
    calls.move(name, to: ends[1]) { _ in true }
    var (begun, ended) = (calls.takeBegun(), calls.takeEnded())
    #expect(begun.isEmpty && ended.isEmpty)
    calls.move(name, to: ends[1]) { _ in false }
    (begun, ended) = (calls.takeBegun(), calls.takeEnded())
    #expect(begun == [ends[1]] && ended == [ends[0]])
    #expect(calls.names(of: ends[1]) == [name])
  }

  @Test("look up a host's name again when its session does not answer, and when it is lost")
  func looksAgain() throws {
    let (found, signal) = (Collected<MIDIEndpoint>(), WakeEvent())
    let end = MIDIEndpoint(ipv4: 1, port: 5004)
    let lookup = try MIDINameLookup(
      resolve: { end },
      found: { address in
        found.add(address)
        signal.raise()
      })
    lookup.wakeThread()
    #expect(signal.wait(for: .seconds(20)))
    lookup.follow(isJoined: true)
    lookup.follow(isJoined: false)
    #expect(signal.wait(for: .seconds(20)))
    lookup.stop()
    #expect(found.all.count >= 2 && found.all.allSatisfy { $0 == end })
  }

  @Test("try every address of a session in turn")
  func turns() {
    var calls = MIDINetworkCalls()
    calls.want(.named("iPad"), host: nil)
    calls.add([.hint(place("iPad", 1)), .hint(place("iPad", 2))])
    var called: [MIDIEndpoint] = []
    for _ in 0..<4 {
      calls.update { _ in false }
      called += calls.takeBegun()
      if let last = called.last { calls.tryNext(after: last) }
    }
    #expect(called.map(\.low).map { $0 & 0xFF } == [1, 2, 1, 2])
  }

  @Test("never go to many machines, to this machine's loopback, or nowhere")
  func hostile() {
    func endpoint(_ text: String, port: UInt16 = 5004) -> MIDIEndpoint? {
      guard let address = NetAddress(ip: text, port: 1) else { return nil }
      let count = address.isIPv6 ? 16 : 4
      let bytes = withUnsafeBytes(of: address.native.bytes) { Array($0.prefix(count)) }
      let service = ServiceName(interface: 3, family: 0, name: "a", domain: "local")
      return MIDIEndpoint(ServiceAnswer(service: service, address: bytes, port: port, strings: []))
    }
    for text in ["224.0.0.251", "255.255.255.255", "127.0.0.1", "0.0.0.0", "ff02::fb", "::1", "::"] {
      #expect(endpoint(text) == nil, "\(text)")
    }
    #expect(endpoint("10.0.0.1", port: 0) == nil && endpoint("10.0.0.1", port: 65_535) == nil)
    #expect(endpoint("10.0.0.1") != nil && endpoint("2001:db8::5") != nil)
    #expect(endpoint("fe80::5")?.scope == 3)
  }
}
