import CMoSystem
import Glibc
import MoMu

/// Lets a week of messages go by in counted time, from ever new senders and addresses, and prints how many KiB the
/// process had resident after the first day and after the last.
func measureWeek() {
  let server = NetServer()
  let clock = ManualClock(HostTime(seconds: 1000))
  server.inbound.use(clock: clock)
  for pattern in ["/sensor/*", "/note", "//level"] {
    _ = server.on(pattern, .latest, .drop, wants: "anything") { _, _ in .taken }
  }
  for second in 0..<(7 * 24 * 3600) {
    guard
      let sender = NetAddress(
        ip: "10.\(second >> 16 & 255).\(second >> 8 & 255).\(second & 255)", port: 9000),
      let packets = try? [
        OSCMessage("/sensor/\(second % 10_007)", [.float(Float(second))]).encoded(),
        OSCMessage("/{note,n\(second)}", []).encoded(),
        OSCBundle(
          OSCTimeTag(nanosecondsSince1970: clock.now.nanoseconds + 2_000_000_000),
          messages: [OSCMessage("/note", [])]
        ).encoded(),
        OSCMessage("/x\(second)/level", [.blob([UInt8](repeating: 1, count: second % 3000))]).encoded(),
      ]
    else { return }
    server.inbound.withDispatcher { dispatcher in
      for packet in packets + [[1, 2, 3]] {
        packet.withUnsafeBytes { dispatcher.accept($0, from: NetPeer(address: sender), at: clock.now) }
      }
    }
    server.inbound.deliver(for: server)
    clock.advance(by: .seconds(1))
    if second == 24 * 3600 { print(residentKilobytes(), terminator: " ") }
  }
  print(residentKilobytes())
}

private func residentKilobytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 128)
  guard fgets(&text, 128, file) != nil else { return 0 }
  let line = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    * sysconf(Int32(_SC_PAGESIZE)) / 1024
}
