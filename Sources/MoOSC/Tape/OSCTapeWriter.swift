import Glibc

/// A writer that records messages with their times to a file that any OSC program can read.
///
/// The file is complete at any moment, except for the last second of tape time. The writer collects packets, and
/// writes them to the file after a second of tape time, or as soon as they have 64 KiB. It never writes a part of a
/// packet. A file that exists is replaced.
///
/// - Thread: any, but one at a time; a call may wait for the disk.
public final class OSCTapeWriter {
  /// The file's path, as given.
  public let path: String
  /// The wall-clock moment that is time 0 of the tape.
  public let start: OSCTimeTag

  private let survivesPowerCut: Bool
  private let put: Put
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var bytesInFile = 0
  /// The times of the last accepted message (`latest`) and of the last message in the file (`flushed`), in nanoseconds
  /// since the tape's start.
  private var latest: Int64 = 0
  private var flushed: Int64 = 0

  private static let longestWait: Int64 = 1_000_000_000
  private static let fullestBuffer = 65_536

  /// A function that writes bytes like `write(2)`; tests pass a function that behaves like a full disk.
  package typealias Put = (Int32, UnsafeRawPointer, Int) -> Int

  /// Creates the file and writes the header.
  ///
  /// - Parameters:
  ///   - path: the file to create or replace.
  ///   - startNanosecondsSince1970: the wall-clock moment that is time 0 of the tape.
  ///   - madeBy: the program and device that record, for people who find the file later.
  ///   - survivesPowerCut: if true, the writer waits for the disk once per second of tape time, so that a power cut
  ///     loses at most the last second. If false, a power cut may lose about half a minute, and offline rendering is
  ///     not slowed down.
  /// - Throws: `OSCTapeError.uncreatable`; `stopped` if the disk has no space even for the header.
  public convenience init(
    path: String, startNanosecondsSince1970: Int64, madeBy: String, survivesPowerCut: Bool = true
  ) throws(OSCTapeError) {
    try self.init(
      path: path, startNanosecondsSince1970: startNanosecondsSince1970, madeBy: madeBy,
      survivesPowerCut: survivesPowerCut, put: { Glibc.write($0, $1, $2) })
  }

  package init(
    path: String, startNanosecondsSince1970: Int64, madeBy: String, survivesPowerCut: Bool,
    put: @escaping Put
  ) throws(OSCTapeError) {
    self.path = path
    self.put = put
    self.survivesPowerCut = survivesPowerCut
    start = OSCTimeTag(nanosecondsSince1970: startNanosecondsSince1970)
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .uncreatable(path: path, reason: systemReason()) }
    let version = OSCArgument.int32(Int32(OSCTape.version))
    try write(OSCMessage(OSCTape.headerAddress, [version, .string(madeBy)]), atNanoseconds: 0)
    try flush()
  }

  /// Writes the remaining packets and closes the file; errors are not reported, so call `close()` to receive them.
  deinit { try? close() }

  /// Records a message.
  ///
  /// A message with an earlier time than the previous message gets the time of the previous message. If recording has
  /// stopped after an error, it stays stopped: the error is thrown once, and later messages are dropped.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - nanoseconds: the time of the message since the tape's start.
  /// - Throws: `OSCTapeError.stopped` if the disk is full or gone; `unsendable` for this message alone.
  public func write(_ message: OSCMessage, atNanoseconds nanoseconds: Int64) throws(OSCTapeError) {
    try write(.message(message), atNanoseconds: nanoseconds)
  }

  /// Records a message, or a bundle with its own time, as it was received.
  ///
  /// - Parameters:
  ///   - element: the received packet.
  ///   - nanoseconds: the time of the packet since the tape's start.
  /// - Throws: the same errors as the `write` for a single message.
  public func write(_ element: OSCPacket, atNanoseconds nanoseconds: Int64) throws(OSCTapeError) {
    guard descriptor >= 0 else { return }
    let time = max(nanoseconds, latest)
    let packet: [UInt8]
    do throws(OSCError) {
      packet = try OSCBundle(start.advanced(byNanoseconds: time), [element]).encoded()
    } catch {
      throw .unsendable(path: path, error)
    }
    let framed = OSCLengthPrefix.frame(packet)
    if buffer.count + framed.count > Self.fullestBuffer || time - flushed >= Self.longestWait { try flush() }
    latest = time
    buffer += framed
  }

  /// Writes all collected packets to the file.
  ///
  /// Call this function before a long pause: otherwise the collected packets wait for the next message.
  ///
  /// - Throws: `OSCTapeError.stopped`.
  public func flush() throws(OSCTapeError) {
    guard descriptor >= 0, !buffer.isEmpty else { return }
    let accepted = putAll()
    guard accepted == buffer.count, !survivesPowerCut || fdatasync(descriptor) == 0 || errno == EINVAL else {
      let reason = systemReason()
      // An incomplete packet at the end would be reported on every replay. On a pipe this call fails, and nothing is
      // lost.
      _ = ftruncate(descriptor, off_t(bytesInFile + wholePackets(within: accepted)))
      _ = Glibc.close(descriptor)
      descriptor = -1
      throw .stopped(path: path, reason: reason, nanoseconds: flushed)
    }
    bytesInFile += buffer.count
    buffer.removeAll(keepingCapacity: true)
    flushed = latest
  }

  /// Writes the remaining packets to the file and closes it; a second call does nothing.
  ///
  /// - Throws: `OSCTapeError.stopped`.
  public func close() throws(OSCTapeError) {
    try flush()
    guard descriptor >= 0 else { return }
    let result = Glibc.close(descriptor)
    descriptor = -1
    guard result == 0 else { throw .stopped(path: path, reason: systemReason(), nanoseconds: flushed) }
  }

  /// Writes the buffer out, and returns how many of its bytes the file accepted.
  private func putAll() -> Int {
    buffer.withUnsafeBytes { bytes in
      var accepted = 0
      while accepted < bytes.count, let start = bytes.baseAddress {
        let count = put(descriptor, start + accepted, bytes.count - accepted)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        accepted += count
      }
      return accepted
    }
  }

  /// Returns the total size, in bytes, of the packets that are complete within the first `limit` bytes of the buffer.
  private func wholePackets(within limit: Int) -> Int {
    var packets = OSCLengthPrefix()
    packets.append(buffer[..<limit])
    while let packet = try? packets.next(), !packet.isEmpty {}
    return packets.offset
  }
}
