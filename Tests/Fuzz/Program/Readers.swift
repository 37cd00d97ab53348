import Glibc
import MoMu

/// All readers of bytes from outside, and the laws that must hold for any input.
final class Readers {
  private let server = NetServer()
  private let clock = ManualClock(HostTime(seconds: 1_795_262_400))
  private let sender: NetPeer
  private var count: UInt64 = 0
  private var sounds: WavReader
  private var session = SessionReader()
  private var locked = SealedReader()
  private var midi = MIDIReader()

  /// The latest output of the readers themselves, as good a start as the corpus.
  var said: [[UInt8]] { session.said + (locked?.said ?? []) + midi.said }

  /// - Parameter kept: the file that holds each input while it is read.
  init(kept: String) {
    sounds = WavReader(path: kept)
    guard let address = NetAddress(ip: "10.0.0.7", port: 9000) else {
      preconditionFailure("an address is one")
    }
    sender = NetPeer(address: address)
    server.inbound.use(clock: clock)
    let patterns = ["/a", "/drum/hit", "/*", "//*", "/{a,b}/[0-9]", "/oscillator/4/frequency", "/momu/ping"]
    let policies: [NetPolicy] = [.every, .latest, .ordered]
    for (index, pattern) in patterns.enumerated() {
      _ = server.on(pattern, policies[index % 3], index % 2 == 0 ? .play : .drop, wants: "anything") {
        values, _ in
        for index in 0..<values.count {
          _ = Float(osc: values[index])
          _ = Int8(osc: values[index])
          _ = String(osc: values[index])
        }
        return values.count > 3 ? .mismatched : .taken
      }
    }
  }

  /// Gives an input to all readers.
  ///
  /// A file holds it meanwhile, for the user who must find the fault.
  func read(_ input: [UInt8], kept: String) {
    count += 1
    keep(input, kept)
    packet(input)
    network(input)
    if let broken = session.read(input) { law(false, broken) }
    if let broken = locked?.read(input) { law(false, broken) }
    if let broken = midi.read(input) { law(false, broken) }
    if let broken = sounds.read(input) { law(false, broken) }
    if let broken = ServiceReader.read(input) { law(false, broken) }
    if let broken = MappingReader.read(input) { law(false, broken) }
    // Long inputs are slow here, and test little that short ones do not.
    guard input.count < 2000 || count % 64 == 0 else { return }
    streams(input)
    pattern(input)
    if count % 50 == 0 { tape(kept) }
  }

  private func keep(_ input: [UInt8], _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(input, 1, input.count, file)
    fclose(file)
  }

  /// A packet that was read is written again, and read again the same.
  private func packet(_ input: [UInt8]) {
    guard let packet = try? OSCPacket(bytes: input) else { return }
    guard let bytes = try? packet.encoded(), let again = try? OSCPacket(bytes: bytes) else {
      // Text that is not UTF-8 is longer after it has been read. It may then be too long to be written.
      return law(
        input.count * 3 > OSCPacket.maximumSize || !isPlain(packet), "what was read cannot be written")
    }
    law((try? again.encoded()) == bytes, "what was written reads as something else")
  }

  /// Text contains no zero byte, and an address begins with '/', so only the size can prevent writing.
  private func isPlain(_ packet: OSCPacket) -> Bool { (try? packet.encoded()) != nil }

  /// Every message ends in one count, and nothing is sent.
  private func network(_ input: [UInt8]) {
    input.withUnsafeBytes { bytes in
      server.inbound.withDispatcher { $0.accept(bytes, from: sender, at: clock.now) }
    }
    if count % 3 == 0 { server.inbound.deliver(for: server) }
    clock.advance(by: .milliseconds(Int(count % 2000)))
    let statistics = server.statistics
    let counts = statistics.counts
    let settled = counts.dispatched + counts.unmatched + counts.mismatched + counts.dropped
    law(counts.received == settled + statistics.waiting, "messages were lost count of")
    law(statistics.sent == 0, "something that came made us send")
  }

  /// However a stream is cut, it gives the same packets, and the buffer never holds more bytes than arrived.
  private func streams(_ input: [UInt8]) {
    let cut = Int(count % 7) + 1
    law(
      packets(input, by: input.count) == packets(input, by: cut), "the cuts of a stream change what is in it")
  }

  private func packets(_ input: [UInt8], by size: Int) -> [[UInt8]] {
    var decoder = OSCStreamDecoder()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: input.count, by: max(size, 1)) {
      decoder.append(input[start..<min(start + max(size, 1), input.count)])
      do { while let packet = try decoder.next() { found.append(packet) } } catch { return found }
    }
    return found
  }

  /// A pattern that was read is matched in bounded time, and matches itself if it is plain.
  private func pattern(_ input: [UInt8]) {
    let half = input.count / 2
    let text = "/" + String(decoding: input[..<half], as: UTF8.self)
    guard let pattern = try? OSCAddressPattern(text) else { return }
    if pattern.isLiteral { law(pattern.matches(text), "an address is not itself") }
    input[half...].withUnsafeBytes { _ = pattern.matches($0) }
  }

  private func tape(_ path: String) {
    guard let tape = try? OSCTapeReader(path: path) else { return }
    while (try? tape.next()) ?? nil != nil {}
  }

  private func law(_ holds: Bool, _ what: String) {
    guard !holds else { return }
    print("FAILED: \(what)")
    exit(1)
  }
}
