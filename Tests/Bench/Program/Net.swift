import CMoSystem
import Glibc
import MoMu
import Synchronization

/// Counts messages on a port until `count` have come or none has for half a second.
///
/// Prints how many, over how many nanoseconds, and the processor time of the receiving process meanwhile.
func measureReceiving(port: Int, count: Int) {
  let came = Atomic<Int>(0)
  let last = Atomic<Int64>(0)
  let clock = SystemClock()
  MoNet.on("/drum/hit") { (_: Int, _: Float, _: String) in
    came.wrappingAdd(1, ordering: .relaxed)
    last.store(clock.now.nanoseconds, ordering: .relaxed)
  }
  do { try MoNet.listen(port: port) } catch { exit("\(error)") }
  ready()
  while came.load(ordering: .relaxed) == 0 { usleep(100) }
  let begun = clock.now.nanoseconds
  let before = processorNanoseconds()
  while came.load(ordering: .relaxed) < count,
    clock.now.nanoseconds - last.load(ordering: .relaxed) < 500_000_000
  { usleep(10_000) }
  let used = processorNanoseconds() - before
  print(came.load(ordering: .relaxed), last.load(ordering: .relaxed) - begun, used)
}

/// Sends messages to a port as fast as it can, 64 a batch, or so many a second.
func measureSending(port: Int, count: Int, perSecond: Int) {
  let target = "127.0.0.1:\(port)"
  let clock = SystemClock()
  do {
    if perSecond > 0 {
      var next = clock.now
      for index in 0..<count {
        next = next.advanced(bySeconds: 1 / Double(perSecond))
        clock.sleep(until: next)
        try MoNet.send("/drum/hit", index, 0.8, "left", to: target)
      }
    } else {
      for start in stride(from: 0, to: count, by: 64) {
        try MoNet.batch { batch in
          for index in start..<min(start + 64, count) {
            try batch.send("/drum/hit", index, 0.8, "left", to: target)
          }
        }
      }
    }
  } catch { exit("\(error)") }
}

/// Answers every message until told to end by a line on standard input.
func measureAnswering(port: Int) {
  MoNet.on("/drum/hit") { (message: NetMessage) in
    try? message.reply(.message(OSCMessage(message.address, message.arguments)))
  }
  do { try MoNet.listen(port: port) } catch { exit("\(error)") }
  ready()
  _ = readLine()
}

/// Nanoseconds from a message's bytes to its callback, with so many addresses listened at, the last of them meant.
func measureDispatch(addresses: Int, count: Int) {
  let came = Atomic<Int>(0)
  let server = NetServer()
  let inbound = server.inbound
  for index in 0..<addresses {
    _ = server.on("/instrument/\(index)/level", .every, .play, wants: "Float") { values, _ in
      guard Float(osc: values[0]) != nil else { return .mismatched }
      came.wrappingAdd(1, ordering: .relaxed)
      return .taken
    }
  }
  guard let sender = NetAddress(ip: "127.0.0.1", port: 57120) else { return }
  guard let bytes = try? OSCMessage("/instrument/\(addresses - 1)/level", [0.5]).encoded() else { return }
  let clock = SystemClock()
  for round in 0..<2 {
    let begun = clock.now
    bytes.withUnsafeBytes { bytes in
      for _ in 0..<(count / 64) {
        inbound.withDispatcher { dispatcher in
          for _ in 0..<64 { dispatcher.accept(bytes, from: NetPeer(address: sender), at: clock.now) }
        }
        inbound.deliver(for: server)
      }
    }
    if round == 1 { print((clock.now - begun).nanoseconds / Int64(count / 64 * 64)) }
  }
}

private func ready() {
  print("ready")
  fflush(nil)
}

private func exit(_ text: String) -> Never {
  print(text)
  Glibc.exit(1)
}

private func processorNanoseconds() -> Int64 { momu_clock_ns(CLOCK_PROCESS_CPUTIME_ID) }
